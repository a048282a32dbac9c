"""docs/environment.md lists exactly the variables that the sources read."""

import re
from pathlib import Path

import pytest

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


def test_one_file_reads_the_environment_in_cpp():
    readers = [f for f in _cpp_files() if re.search(r"getenv\s*\(", f.read_text())]
    assert set(readers) == {HEADER, READER}  # the header's comment names the function
    assert _variables_of(_cpp_files()) == _variables_of([HEADER])
