"""benches/rows.def: its rows name programs that exist, and budgets name peers of the row."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from pathlib import Path

import pytest

BENCHES = Path(__file__).resolve().parents[2] / "benches"


@pytest.fixture(scope="module")
def row_specs():
    sys.path.insert(0, str(BENCHES))
    try:
        import row_specs
    finally:
        sys.path.remove(str(BENCHES))
    return row_specs


def functions_of(module: str) -> set[str]:
    tree = ast.parse((BENCHES / "programs" / f"{module}.py").read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_rows_name_programs(row_specs):
    for spec in row_specs.read_rows():
        module, function = spec.program.split(".")
        assert function in functions_of(module), spec.name


def test_names_differ_within_a_class(row_specs):
    names = Counter((spec.name, spec.device_class) for spec in row_specs.read_rows())
    assert [name for name, count in names.items() if count > 1] == []


def test_budgets_name_peers(row_specs):
    for spec in row_specs.read_rows():
        against = {b.against for b in spec.budgets} - {None, "best"}
        assert against <= set(spec.peers), spec.name


@pytest.mark.parametrize(("text", "size"), [("3", 3), ("4k", 4096), ("16M", 1 << 24)])
def test_sizes(row_specs, text, size):
    assert row_specs.number(text) == size


def test_a_wrong_line_says_which(row_specs):
    with pytest.raises(ValueError, match="3 columns instead of 7: a"):
        row_specs.read_row("a | b | c")
    with pytest.raises(ValueError, match="a: no class gpu"):
        row_specs.read_row("a | m.f | float32 | 1 | gpu | NumPy | 1.0 NumPy")
