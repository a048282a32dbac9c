"""Docstrings in NumPy's form, completed from tables.

A function's own docstring says what it does. Parameters with one name mean the same in most
functions, so that parameters.txt describes them once. raises.txt has the errors of functions,
returns.txt the results that are not just an array, and examples/MODULE.txt an example of each
function. tests/one_device/test_docstrings.py checks that nothing is missing, and runs the examples.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from typing import Any

__all__ = ["complete"]

_FOLDER = os.path.dirname(__file__)
_SECTION = re.compile(r"^(Parameters|Returns|Raises|Notes|Examples)\n-+$", re.MULTILINE)
_OPERAND = re.compile(r"^(?!like|out)\w+ : (array_like|Array|sequence of array_like)", re.MULTILINE)
_ANY_OPERAND = re.compile(r"^\*?(?!like|out|fill_value)\w+ : .*(array_like|Array)", re.MULTILINE)
_RAISES = """PlacementError
    If arrays are on queues that are not equivalent, or NumPy and hither arrays are mixed."""
_REQUIRED = inspect.Parameter.empty
_RESULTS = {
    "Array": "An array on the queue of the operands.",
    "method": "An array on the queue of this one.",
    "maker": "A new array, on the queue that the call names, or else on the current queue.",
    "bool": "The answer. The call waits for it.",
    "int": "The number.",
    "str": "The text.",
}


def complete(module: str, values: dict[str, Any]) -> None:
    """Completes the docstrings of the functions, classes and methods of hither.MODULE that have an
    example."""
    imported = _imports(module)
    for name, text in _blocks(_text("examples", f"{module}.txt")).items():
        owner, _, method = name.partition(".")
        if owner not in values:
            continue  # hither.numpy has the names of the installed NumPy; older ones have fewer.
        value = values[owner]
        _complete_one(
            module,
            name,
            getattr(value, method) if method else value,
            f"{imported}\n{text}",
        )


def _imports(module: str) -> str:
    """The lines of an example that import what it uses."""
    if module.startswith("numpy"):
        return ">>> import hither.numpy as np"
    if module.startswith("scipy."):
        short = module.rpartition(".")[2]
        return f">>> import hither as ht\n>>> import hither.{module} as {short}"
    return ">>> import hither as ht"


def _text(*names: str) -> str:
    # pathlib and what it imports take a tenth of the time of `import hither`.
    with open(os.path.join(_FOLDER, *names), encoding="utf-8") as file:
        return file.read()


def _blocks(text: str) -> dict[str, str]:
    """The texts below the lines [NAME] of a file's text."""
    parts = re.split(r"^\[([\w.]+)\]\n", text, flags=re.MULTILINE)
    return {name: text.rstrip("\n") for name, text in zip(parts[1::2], parts[2::2], strict=True)}


@functools.cache
def _parameters() -> dict[str, str]:
    """Entries by the parameter's name, by FUNCTION.NAME, or by MODULE:NAME."""
    entries = {}
    for line in _text("parameters.txt").splitlines():
        name, _, rest = line.partition(": ")
        kind, _, text = rest.partition(" | ")
        entries[name] = f" : {kind}\n    {text}"
    return entries


@functools.cache
def _table(file: str) -> dict[str, str]:
    """The entries of a file with rows `MODULE:NAME,NAME: TYPE | TEXT`, by MODULE:NAME.

    In raises.txt `*NAME` is a parameter of the module's functions, and the module "any" is all.
    """
    entries: dict[str, str] = {}
    for line in _text(file).splitlines():
        key, _, rest = line.partition(": ")
        kind, _, text = rest.partition(" | ")
        module, _, names = key.partition(":")
        for name in (f"{module}:{name}" for name in names.split(",")):
            before = f"{entries[name]}\n" if name in entries else ""
            entries[name] = f"{before}{kind}\n    {text}"
    return entries


def _complete_one(module: str, name: str, value: Any, example: str) -> None:
    own = inspect.cleandoc(value.__doc__ or "")
    titles = set(_SECTION.findall(own))
    if "Examples" in titles:
        return
    first = own.find("\n>>> ")
    text, inline = (own, "") if first < 0 else (own[:first].rstrip(), own[first + 1 :])
    entries = _entries(module, name, value)
    if entries and "Parameters" not in titles:
        text = _with_section(text, "Parameters", entries)
    if "Returns" not in titles and not isinstance(value, type):
        text = _with_section(text, "Returns", _result(module, name, value, entries))
    if "Raises" not in titles:
        text = _with_section(text, "Raises", _errors(module, name, entries))
    value.__doc__ = _with_section(text, "Examples", inline or example)


def _with_section(text: str, title: str, content: str) -> str:
    return f"{text}\n\n{title}\n{'-' * len(title)}\n{content}" if content else text


def _result(module: str, name: str, value: Any, entries: str) -> str:
    """The entry of a function's result; "" if it returns nothing."""
    if f"{module}:{name}" in (returned := _table("returns.txt")):
        return returned[f"{module}:{name}"]
    kind = getattr(value, "__annotations__", {}).get("return", "Array")
    if kind in ("None", "NoReturn"):
        return ""
    if f"{module}:return" in _parameters():
        return _parameters()[f"{module}:return"].removeprefix(" : ")
    kind = "Array" if kind == "Any" else str(kind)
    text = _RESULTS.get(kind, "The result.")
    if kind == "Array" and not _ANY_OPERAND.search(entries):
        text = _RESULTS["method" if "." in name else "maker"]
    return f"{kind}\n    {text}"


def _errors(module: str, name: str, entries: str) -> str:
    """The errors of a function, and those that its parameters have in all functions."""
    known = _table("raises.txt")
    rows = [known.get(f"{module}:{name}", "")]
    for parameter in re.findall(r"^\*?(\w+) : ", entries, re.M):
        rows.append(known.get(f"{module}:*{parameter}") or known.get(f"any:*{parameter}", ""))
    if re.search(r"^queue : ", entries, re.M) and _OPERAND.search(entries):
        rows.append(_RAISES)
    texts: dict[str, list[str]] = {}
    for error, text in re.findall(r"^(\w+)\n    (.*(?:\n .*)*)", "\n".join(rows), re.M):
        texts.setdefault(error, []).append(text)
    return "\n".join(
        f"{error}\n    {' '.join(dict.fromkeys(said))}" for error, said in texts.items()
    )


def _entries(module: str, name: str, value: Any) -> str:
    function, known = name.rpartition(".")[2], _parameters()
    lines = []
    for parameter, shown, default in _parameters_of(value):
        own = f"{function}.{parameter}"
        keys = (f"{module}:{own}", f"{module}:{parameter}", own, parameter)
        found = next((known[key] for key in keys if key in known), None)
        if found is not None:
            kind, _, text = found.partition("\n")
            if default is _REQUIRED and shown == parameter:
                kind = kind.removesuffix(", optional")
            elif default is None and not re.search("optional|None", kind):
                kind += ", optional"
            lines.append(f"{shown}{kind}\n{text}")
    return "\n".join(lines)


def _parameters_of(value: Any) -> list[tuple[str, str, Any]]:
    """The parameters: their names, the names with stars, and their defaults."""
    code = getattr(value, "__code__", None)
    if (
        code is not None
        and not hasattr(value, "__wrapped__")
        and not hasattr(value, "__signature__")
    ):
        # As inspect.signature, which takes too long for the import of the package.
        count = code.co_argcount + code.co_kwonlyargcount
        names, rest = code.co_varnames[:count], code.co_varnames[count:]
        optional = names[: code.co_argcount][::-1]
        defaults = dict(zip(optional, (value.__defaults__ or ())[::-1], strict=False))
        defaults |= value.__kwdefaults__ or {}
        found = [(name, name, defaults.get(name, _REQUIRED)) for name in names]
        if code.co_flags & inspect.CO_VARARGS:
            found.insert(code.co_argcount, (rest[0], f"*{rest[0]}", _REQUIRED))
            rest = rest[1:]
        if code.co_flags & inspect.CO_VARKEYWORDS:
            found.append((rest[0], f"**{rest[0]}", _REQUIRED))
        return [parameter for parameter in found if parameter[0] != "self"]
    kinds = inspect.Parameter
    stars: dict[Any, str] = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}
    return [
        (p.name, stars.get(p.kind, "") + p.name, p.default)
        for p in inspect.signature(value).parameters.values()
        if p.name != "self"
    ]
