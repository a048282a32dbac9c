"""Runs the code listings of the documents that hither comes from, as printed.

``listings/`` holds them, one file each, line by line: ``cfd_*`` of "Compute follows data",
``xpu_*`` of "Offloading to any device" and ``rfc_*`` of the proposal for Numba, whose number
follows. All differences between the printed text and the program that runs are described here:

1. Lost typography is restored: the indentation of the pages on compute follows data, which have
   none, and the margin of the proposal, where line numbers shift the code.
2. The listings have placeholders: undefined names (``gpu``, ``shape1``,
   ``some_serial_operation``), strings (``"gpu_queue"``, ``"gpu:1"``), and ``...`` for a value or
   for code. Tests bind the names and give the objects or code for strings and dots. On a machine
   with one device, the devices are its sub-devices.
3. A kernel that is called without a range takes the shape of its first array argument.
4. CORRECTIONS lists every other change, each with its reason.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("listings")

# listing: (printed text, corrected text, reason)
CORRECTIONS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "rfc_2_2": (
        ("*args, **args)", "*args, **kwargs)", "a tuple is no mapping"),
        ("        jitted(*args", "        return jitted(*args", "the result would be lost"),
    ),
    "xpu_default_pkg1": (
        ("q = ....", "q = ...", "four dots are no Python"),
        ("= allocate(", "= pkg1.allocate(", "allocate belongs to pkg1 and is not imported"),
    ),
    "xpu_default_pkg2": (("....", "...", "four dots are no Python"),),
    "xpu_data_api": (("asarray(queue=", "asarray(A1, queue=", "the array to convert is missing"),),
    "xpu_interoperability_pkg2_pkg3": (("(....)", "(...)", "four dots are no Python"),),
}
# The document has `... same as 2` for pkg4: the listing of pkg2 with the name pkg4.
SAME_AS = {"xpu_user_pkg4": ("xpu_user_pkg2", "pkg2", "pkg4")}


def text_of(name: str) -> str:
    """A listing with its corrections."""
    if name in SAME_AS:
        other, package, replacement = SAME_AS[name]
        return text_of(other).replace(package, replacement)
    text = (FOLDER / f"{name}.py").read_text()
    for printed, meant, _ in CORRECTIONS.get(name, ()):
        assert printed in text, f"{name} has no {printed!r}"
        text = text.replace(printed, meant)
    return text


class _Open(ast.NodeTransformer):
    """Replaces the placeholders of a listing by the objects and code of a test."""

    def __init__(self, strings: dict[str, Any], code: str, arguments: str) -> None:
        self.strings = {text: f"open_{place}" for place, text in enumerate(strings)}
        self.code = ast.parse(code).body
        self.arguments = arguments

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        if node.value is Ellipsis:
            return ast.copy_location(ast.parse(self.arguments, mode="eval").body, node)
        name = self.strings.get(node.value) if isinstance(node.value, str) else None
        return node if name is None else ast.copy_location(ast.Name(name, ast.Load()), node)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | None:
        if isinstance(node.value, ast.Constant) and node.value.value is Ellipsis:
            return None  # the name is a placeholder
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Constant) and node.value.value is Ellipsis:
            return [ast.copy_location(statement, node) for statement in self.code] or node
        self.generic_visit(node)
        return node


def run(
    name: str,
    names: dict[str, Any],
    strings: dict[str, Any] | None = None,
    *,
    code: str = "",
    arguments: str = "...",
) -> dict[str, Any]:
    """Runs a listing with `names` for globals and returns them. `strings` maps its strings to
    objects. `code` replaces a `...` statement, and `arguments` replaces a `...` in a call."""
    strings = strings or {}
    opened = _Open(strings, code, arguments)
    tree = ast.fix_missing_locations(opened.visit(ast.parse(text_of(name))))
    names.update({opened.strings[text]: value for text, value in strings.items()})
    exec(compile(tree, str(FOLDER / f"{name}.py"), "exec"), names)
    return names
