"""Docstrings in NumPy's form, completed from tables.

A function's own docstring says what it does. Parameters with one name mean the same in most
functions, so that parameters.txt describes them once; examples/MODULE.txt has an example of each
function. tests/no_device/test_docstrings.py checks that nothing is missing, and runs the examples.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

__all__ = ["complete"]

_FOLDER = Path(__file__).parent
_SECTION = re.compile(r"^(Parameters|Returns|Raises|Notes|Examples)\n-+$", re.MULTILINE)
_RESULTS = {
    "Array": "An array on the queue of the operands.",
    "bool": "The answer. The call waits for it.",
    "int": "The number.",
    "str": "The text.",
}


def complete(module: str, values: dict[str, Any], names: Iterable[str]) -> None:
    """Completes the docstrings of these functions and classes of hither.MODULE."""
    imported = "hither.numpy as np" if module.startswith("numpy") else "hither as ht"
    examples = {
        name: f">>> import {imported}\n{text}"
        for name, text in _blocks(_FOLDER / "examples" / f"{module}.txt").items()
    }
    parameters = _parameters()
    for name in names:
        value = values[name]
        if not callable(value):
            continue
        methods = [key for key in examples if key.startswith(f"{name}.")]
        for key in methods if isinstance(value, type) else ():
            method = getattr(value, key.partition(".")[2])
            _complete_one(key, method, examples[key], parameters)
        if name in examples:
            _complete_one(name, value, examples[name], parameters)


def _blocks(file: Path) -> dict[str, str]:
    """The texts below the lines [NAME] of a file."""
    parts = re.split(r"^\[([\w.]+)\]\n", file.read_text(), flags=re.MULTILINE)
    return {name: text.rstrip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@functools.cache
def _parameters() -> dict[str, str]:
    """Entries by the parameter's name, or by FUNCTION.NAME."""
    entries = {}
    for line in (_FOLDER / "parameters.txt").read_text().splitlines():
        name, _, rest = line.partition(": ")
        kind, _, text = rest.partition(" | ")
        entries[name] = f" : {kind}\n    {text}"
    return entries


def _complete_one(name: str, value: Any, example: str, parameters: dict[str, str]) -> None:
    own = inspect.cleandoc(value.__doc__ or "")
    titles = set(_SECTION.findall(own))
    if "Examples" in titles:
        return
    first = own.find("\n>>> ")
    text, inline = (own, "") if first < 0 else (own[:first].rstrip(), own[first + 1 :])
    if not isinstance(value, type):
        entries = _entries(name, value, parameters)
        if entries and "Parameters" not in titles:
            text = _with_section(text, "Parameters", entries)
        result = getattr(value, "__annotations__", {}).get("return", "Array")
        if result != "None" and "Returns" not in titles:
            kind = "Array" if result == "Any" else str(result)
            meaning = _RESULTS.get(kind, "The result.")
            text = _with_section(text, "Returns", f"{kind}\n    {meaning}")
    value.__doc__ = _with_section(text, "Examples", inline or example)


def _with_section(text: str, title: str, content: str) -> str:
    return f"{text}\n\n{title}\n{'-' * len(title)}\n{content}"


def _entries(name: str, value: Any, parameters: dict[str, str]) -> str:
    function = name.rpartition(".")[2]
    return "\n".join(
        shown + entry
        for parameter, shown in _names_of(value)
        if (entry := parameters.get(f"{function}.{parameter}") or parameters.get(parameter))
    )


def _names_of(value: Any) -> list[tuple[str, str]]:
    """The parameters: their names, and the names with stars."""
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return [
        (p.name, stars.get(p.kind, "") + p.name)
        for p in inspect.signature(value).parameters.values()
        if p.name != "self"
    ]
