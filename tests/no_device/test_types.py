"""The stubs of the extension, as type checkers read them."""

from __future__ import annotations

import ast
from pathlib import Path

import hither as ht
from hither import _hither

STUB = Path(ht.__file__).parent / "_hither.pyi"


def declared(body):
    names = {node.name for node in body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    return names | {node.target.id for node in body if isinstance(node, ast.AnnAssign)}


def test_the_package_says_that_it_is_typed():
    assert (Path(ht.__file__).parent / "py.typed").exists()


def test_the_stub_names_what_the_extension_has():
    body = ast.parse(STUB.read_text()).body
    in_module = {
        name
        for name, member in vars(_hither).items()
        if not name.startswith("_") and getattr(member, "__module__", None) != "numpy"
    }
    assert in_module - declared(body) == set(), "run tools/stubs.py"
    assert declared(body) - in_module == set(), "run tools/stubs.py"


def test_the_stub_names_what_arrays_have():
    body = ast.parse(STUB.read_text()).body
    array = next(node for node in body if isinstance(node, ast.ClassDef) and node.name == "Array")
    public = {name for name in vars(ht.Array) if not name.startswith("_")}
    assert public - declared(array.body) == set(), "run tools/stubs.py"
