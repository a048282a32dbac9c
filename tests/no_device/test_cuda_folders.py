"""The folders that are searched for NVIDIA's libraries, and the error if one is missing."""

from __future__ import annotations

import sys

import pytest

import hither as ht
from hither._libraries.cuda.dynamic_library import DynamicLibrary
from hither._libraries.cuda_folders import package_folders
from hither._libraries.handle_cache import Kept


def test_folders_of_packages(tmp_path, monkeypatch):
    for package in ("cu13", "cublas"):
        (tmp_path / "nvidia" / package / "lib").mkdir(parents=True)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "nvidia", raising=False)
    found = [f for f in package_folders() if f.startswith(str(tmp_path))]
    names = [f.removeprefix(str(tmp_path)) for f in found]
    assert names == ["/nvidia/cublas/lib", "/nvidia/cu13/lib"]


def test_a_library_that_is_not_there_says_what_to_install(monkeypatch):
    monkeypatch.setitem(
        sys.modules["hither._libraries.cuda.dynamic_library"]._MAJORS, "nothing", (1,)
    )  # fmt: skip
    library = DynamicLibrary("nothing", "nvidia-nothing")
    assert not library
    with pytest.raises(ht.UnsupportedError, match="pip install nvidia-nothing"):
        library.call("nothingCreate")


def test_a_function_that_is_not_there_is_named():
    class Opened:
        pass

    library = DynamicLibrary("old", "nvidia-old")
    library.__dict__["_opened"] = Opened()
    with pytest.raises(ht.UnsupportedError, match="no function oldNew"):
        library.call("oldNew")
    Opened.oldBad = staticmethod(lambda *_: 7)
    with pytest.raises(ht.DeviceError, match="oldBad: failed with status 7"):
        library.call("oldBad", 1)


def test_what_was_not_used_for_longest_ends():
    ended = []
    kept = Kept(2, ended.append)
    for key in "abacab":
        assert kept.get_or_make(key, lambda key=key: key.upper()) == key.upper()
    assert ended == ["B", "C"]
    assert list(kept) == ["a", "b"]
