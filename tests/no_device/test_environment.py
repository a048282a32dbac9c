"""docs/environment.md lists exactly the variables that the sources read. Wrong values are named."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hither import _environment

ROOT = Path(__file__).parents[2]
HEADER = ROOT / "src/process/environment.h"
READER = ROOT / "src/process/environment.cpp"
QUOTED = re.compile(r"""["'](HITHER_[A-Z0-9_]+)["']""")

if not HEADER.exists():
    pytest.skip("the sources are not here", allow_module_level=True)


def _cpp_files():
    return [f for f in (ROOT / "src").rglob("*") if f.suffix in (".h", ".cpp")]


def _variables_of(files):
    return {name for file in files for name in QUOTED.findall(file.read_text())}


def test_page_lists_the_variables_of_the_sources():
    page = (ROOT / "docs/environment.md").read_text()
    listed = re.findall(r"^\| `(HITHER_[A-Z0-9_]+)` \|", page, re.MULTILINE)
    read = _variables_of([HEADER, *(ROOT / "python/hither").rglob("*.py")])
    assert len(listed) == len(set(listed))
    assert set(listed) == read


def test_values_of_all_variables_are_checked():
    e = _environment
    assert _variables_of([HEADER]) <= {
        *e._SWITCHES, *e._CHOICES, *e._FOLDERS, *e._FILES, *e._OTHERS
    }  # fmt: skip


def test_one_file_reads_the_environment_in_cpp():
    readers = [f for f in _cpp_files() if re.search(r"getenv\s*\(", f.read_text())]
    assert set(readers) == {HEADER, READER}  # the header's comment names the function
    assert _variables_of(_cpp_files()) == _variables_of([HEADER])


_FOLDER = "{!r} is not a folder; set it to an existing folder, or unset it"
_FILE = "there is no file {!r}; set it to an existing file, or unset it"
_SWITCH = "{!r} is neither 0 nor 1, and is read as "
WRONG = {
    "HITHER_CUDA=off": _SWITCH + "1",
    "HITHER_DEBUG=no": _SWITCH + "0",
    "HITHER_DISK_CACHE=false": _SWITCH + "1",
    "HITHER_EAGER=False": _SWITCH + "0",
    "HITHER_NULL_DEVICE=yes": _SWITCH + "0",
    "HITHER_ONEMKL=off": _SWITCH + "1",
    "HITHER_STRICT_USM=true": _SWITCH + "0",
    "HITHER_SYCL=none": _SWITCH + "1",
    "HITHER_CACHE_DIR=/dev/null": _FOLDER,
    "HITHER_CUDA_LIBRARIES=/missing": _FOLDER,
    "HITHER_LIBDEVICE=/missing": _FILE,
    "HITHER_OPENBLAS=/missing": _FILE,
    "HITHER_EAGR=1": "hither reads no variable of this name; did you mean HITHER_EAGER?",
    "HITHER_DEVICES=gpu": "hither reads no variable of this name; did you mean HITHER_DEVICE?",
}


@pytest.fixture
def no_variables(monkeypatch):
    for name in list(os.environ):
        if name.startswith("HITHER_"):
            monkeypatch.delenv(name)


@pytest.mark.parametrize("setting", WRONG)
def test_a_wrong_value_is_named_with_a_remedy(setting, no_variables, monkeypatch):
    name, _, value = setting.partition("=")
    monkeypatch.setenv(name, value)
    assert _environment.faults() == [(name, WRONG[setting].format(value))]
    with pytest.warns(UserWarning, match=f"^environment variable {name}: "):
        _environment.check()


@pytest.mark.parametrize(
    "setting",
    "HITHER_CUDA=0 HITHER_EAGER=1 HITHER_EAGER= HITHER_OPENBLAS=libblas.so.3 HITHER_DEVICE=gpu "
    "HITHER_CACHE_DIR=/missing/new HITHER_DEV_SYCL=1 HITHER_PROJECT=x".split(),
)
def test_expected_values_and_unrelated_names_are_not_named(setting, no_variables, monkeypatch):
    monkeypatch.setenv(*setting.split("=", 1))
    assert _environment.faults() == []


@pytest.mark.parametrize(
    ("setting", "code", "words"),
    [
        ("HITHER_POOL_LIMIT=abc", "ht.Queue('native_cpu')", "set it to a whole number below"),
        ("HITHER_MEMORY_LIMIT=1g", "ht.asnumpy(ht.ones(3) + 1)", "such as 1000000, 512M or 8G"),
        ("HITHER_CACHE_SIZE=1G", "ht.asnumpy(ht.ones(3) + 1)", "set it to a whole number below"),
        ("HITHER_DEVICE=gpuu", "ht.Device()", 'did you mean "gpu"'),
    ],
)
def test_values_that_cannot_be_read_are_refused_at_the_first_use(setting, code, words):
    name, _, value = setting.partition("=")
    done = subprocess.run(
        [sys.executable, "-c", f"import hither as ht; {code}"],
        capture_output=True, text=True, timeout=60, env=os.environ | {name: value},
    )  # fmt: skip
    assert done.returncode == 1
    assert f"{name}: " in done.stderr
    assert words in done.stderr


def test_importing_hither_warns_of_wrong_values():
    done = subprocess.run(
        [sys.executable, "-c", "import hither"],
        capture_output=True, text=True, timeout=60, env=os.environ | {"HITHER_EAGER": "maybe"},
    )  # fmt: skip
    assert "UserWarning: environment variable HITHER_EAGER: 'maybe' is neither" in done.stderr
