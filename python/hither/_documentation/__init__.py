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
from collections.abc import Iterable
from typing import Any, NamedTuple

__all__ = ["complete"]

_FOLDER = os.path.dirname(__file__)
_SECTION = re.compile(r"^(Parameters|Returns|Raises|Notes|Examples)\n-+$", re.MULTILINE)
_OPERAND_KINDS = ("array_like", "Array", "sequence of array_like")
_RAISES = (
    "PlacementError",
    "If arrays are on queues that are not equivalent, or NumPy and hither arrays are mixed.",
)
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
    """Entries `TYPE | TEXT` by the parameter's name, by FUNCTION.NAME, or by MODULE:NAME."""
    return dict([line.split(": ", 1) for line in _text("parameters.txt").splitlines()])


@functools.cache
def _table(file: str) -> dict[str, list[tuple[str, str]]]:
    """The entries of a file with rows `MODULE:NAME,NAME: TYPE | TEXT`, by MODULE:NAME.

    In raises.txt `*NAME` is a parameter of the module's functions, and the module "any" is all.
    """
    entries: dict[str, list[tuple[str, str]]] = {}
    for line in _text(file).splitlines():
        key, _, rest = line.partition(": ")
        kind, _, text = rest.partition(" | ")
        module, _, names = key.partition(":")
        for name in names.split(","):
            entries.setdefault(f"{module}:{name}", []).append((kind, text))
    return entries


def _complete_one(module: str, name: str, value: Any, example: str) -> None:
    doc = value.__doc__ or ""
    own = inspect.cleandoc(doc) if "\n" in doc else doc.lstrip()
    titles = set(_SECTION.findall(own)) if "\n--" in own else set()
    if "Examples" in titles:
        return
    first = own.find("\n>>> ")
    text, inline = (own, "") if first < 0 else (own[:first].rstrip(), own[first + 1 :])
    entries = _entries(module, name, value)
    if entries and "Parameters" not in titles:
        shown = ((f"{e.shown} : {e.kind}", e.text) for e in entries)
        text = _with_section(text, "Parameters", _listed(shown))
    if "Returns" not in titles and not isinstance(value, type):
        text = _with_section(text, "Returns", _result(module, name, value, entries))
    if "Raises" not in titles:
        text = _with_section(text, "Raises", _errors(module, name, entries))
    value.__doc__ = _with_section(text, "Examples", inline or example)


def _with_section(text: str, title: str, content: str) -> str:
    return f"{text}\n\n{title}\n{'-' * len(title)}\n{content}" if content else text


def _listed(rows: Iterable[tuple[str, str]]) -> str:
    return "\n".join([f"{kind}\n    {text}" for kind, text in rows])


def _result(module: str, name: str, value: Any, entries: list[_Entry]) -> str:
    """The entry of a function's result; "" if it returns nothing."""
    if found := _table("returns.txt").get(f"{module}:{name}"):
        return _listed(found)
    kind = getattr(value, "__annotations__", {}).get("return", "Array")
    if kind in ("None", "NoReturn"):
        return ""
    if of_module := _parameters().get(f"{module}:return"):
        return of_module.replace(" | ", "\n    ", 1)
    kind = "Array" if kind == "Any" else str(kind)
    text = _RESULTS.get(kind, "The result.")
    if kind == "Array" and not any(e.may_be_array for e in entries):
        text = _RESULTS["method" if "." in name else "maker"]
    return _listed([(kind, text)])


def _errors(module: str, name: str, entries: list[_Entry]) -> str:
    """The errors of a function, and those that its parameters have in all functions."""
    known = _table("raises.txt")
    rows = [*known.get(f"{module}:{name}", ())]
    for e in entries:
        rows += known.get(f"{module}:*{e.name}") or known.get(f"any:*{e.name}", [])
    if any(e.shown == "queue" for e in entries) and any(e.is_operand for e in entries):
        rows.append(_RAISES)
    texts: dict[str, dict[str, None]] = {}
    for error, text in rows:
        texts.setdefault(error, {})[text] = None
    return _listed((error, " ".join(said)) for error, said in texts.items())


class _Entry(NamedTuple):
    """A parameter and its description."""

    name: str
    shown: str
    kind: str
    text: str

    @property
    def is_operand(self) -> bool:
        """Whether an array on another queue than the others' is refused."""
        return self.kind.startswith(_OPERAND_KINDS) and not self.shown.startswith(
            ("like", "out", "*")
        )

    @property
    def may_be_array(self) -> bool:
        """Whether the result can be on this parameter's queue."""
        names = self.shown.removeprefix("*")
        is_array = "array_like" in self.kind or "Array" in self.kind
        return is_array and not names.startswith(("like", "out", "fill_value", "*"))


def _entries(module: str, name: str, value: Any) -> list[_Entry]:
    function, known = name.rpartition(".")[2], _parameters()
    entries = []
    for parameter, shown, default in _parameters_of(value):
        own = f"{function}.{parameter}"
        for key in (f"{module}:{own}", f"{module}:{parameter}", own, parameter):
            if key in known:
                kind, _, text = known[key].partition(" | ")
                if default is _REQUIRED and shown == parameter:
                    kind = kind.removesuffix(", optional")
                elif default is None and "optional" not in kind and "None" not in kind:
                    kind += ", optional"
                entries.append(_Entry(parameter, shown, kind, text))
                break
    return entries


def _parameters_of(value: Any) -> list[tuple[str, str, Any]]:
    """The parameters: their names, the names with stars, and their defaults.

    As inspect.signature, which takes too long for the import of the package.
    """
    while hasattr(value, "__wrapped__") and not hasattr(value, "__signature__"):
        value = value.__wrapped__
    signature = None if isinstance(value, type) else getattr(value, "__signature__", None)
    code = getattr(value, "__code__", None)
    if code is not None and signature is None:
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
    if not isinstance(signature, inspect.Signature):
        signature = inspect.signature(value)
    kinds = inspect.Parameter
    stars: dict[Any, str] = {kinds.VAR_POSITIONAL: "*", kinds.VAR_KEYWORD: "**"}
    return [
        (p.name, stars.get(p.kind, "") + p.name, p.default)
        for p in signature.parameters.values()
        if p.name != "self"
    ]
