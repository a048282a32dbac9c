"""Errors of calls that fit no signature, for every binding, and proposals of names."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import hither as ht
from hither import _hither


def test_python_proposes_names_of_attributes():
    for code in ("ht.ones(3).reshap(3)", "ht.Queue().wit()", "ht.reshpe(3)", "ht.linalg.slove"):
        done = subprocess.run(
            [sys.executable, "-c", f"import hither as ht; {code}"],
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert re.search(
            r"[Dd]id you mean:? ['\"](reshape|wait|solve)['\"]\?$", done.stderr.strip()
        )
        assert done.stderr.lower().count("did you mean") == 1


def every_binding():
    """The functions, methods and constructors of the extension."""
    for name, value in vars(_hither).items():
        members = vars(value).items() if isinstance(value, type) else [(name, value)]
        for key, member in members:
            if type(member).__name__ in ("nb_func", "nb_method"):
                yield f"{name}.{key}", member


BINDINGS = dict(every_binding())


@pytest.mark.parametrize("name", BINDINGS)
def test_no_binding_shows_its_overloads(name):
    """A keyword that no binding has; those with **kwargs take it, and refuse something else."""
    with pytest.raises(Exception) as caught:
        BINDINGS[name](no_such_keyword=1)
    text = str(caught.value)
    assert "overload" not in text
    assert "argument types are supported" not in text
    if "__eq__" not in name:
        assert isinstance(caught.value, ht.Error)
