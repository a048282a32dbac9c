"""Remedies for faults that Numba reports, found by its texts."""

from __future__ import annotations

import builtins
import math
import re
import sys
from collections.abc import Callable

import numpy as np

from ..._names import did_you_mean

_PHRASES = (
    (
        "host code cannot touch device USM",
        "a global is an array on a device: pass it as an argument, because kernels can use only "
        "NumPy's arrays as constants",
    ),
    (
        "Cannot modify readonly array",
        "the kernel writes to an array that is read-only, as all global arrays are: pass a "
        "writable array as an argument, or do not write to it",
    ),
    (
        "Only accept returning of array passed into the function",
        "a device function can return only arrays that were passed to it",
    ),
    (
        "Unknown attribute '_allocate'",
        "an expression on whole arrays would allocate its result, which a kernel cannot do: "
        "compute element by element",
    ),
    (
        "Illegal IR, del found",
        "a kernel cannot delete variables: leave out the del statement",
    ),
    (
        "run_quicksort",
        "a kernel cannot sort an array: sort it before the launch, and pass the result",
    ),
    (
        "unicode_type in [unicode_type]",
        "a text cannot index an array in a kernel: use an integer, or a field of a record array",
    ),
)
_STATEMENTS = {
    "STORE_GLOBAL": "a kernel cannot assign to a global variable: write to an array argument",
    "DELETE_GLOBAL": "a kernel cannot delete a global variable",
    "IMPORT_FROM": "a kernel cannot import: import above the function",
    "MAKE_FUNCTION": "a kernel cannot define functions: put them outside, with @hither.device_func",
}
_UNTYPED = re.compile(r"Untyped global name '([^']+)'.*?<class '([^']+)'>", re.DOTALL)
_OPCODE = re.compile(r"unsupported opcode \((\w+)\)")
_MODULE_TYPE = re.compile(r"Unknown attribute '(\w+)' of type Module\(<module '([\w.]+)'")
_MODULE = re.compile(r"module '([\w.]+)' has no attribute '(\w+)'")
_ATTRIBUTE = re.compile(r"Unknown attribute '(\w+)' of type array\(")
_CONTAINER = re.compile(r"The use of a (?:reflected )?(\w+)\(.*? to variable '(\w+)' in globals")
_GLOBAL_BUFFER = re.compile(r"OverloadSelector.*?= (?:global|freevar)\((\w+): ", re.DOTALL)
_NO_INDEX = re.compile(r"Unsupported array index type ((?:float|complex)\d+) in")
_UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
_CALL = re.compile(r"^\s*>>> (.+)$", re.MULTILINE)


def advice(text: str, function: Callable) -> str | None:
    """A message with a remedy for Numba's `text` about `function`, or None."""
    if call := _CALL.search(text):
        if "reflected list" in call[1] or "reflected set" in call[1]:
            return "a kernel cannot use a list or set: pass an array as an argument"
        if "Only accept returning of array" in text:
            return (
                f"kernels have no implementation of {readable(call[1])}, because it would allocate "
                "an array: compute element by element, or before the launch"
            )
    for phrase, remedy in _PHRASES:
        if phrase in text:
            return remedy
    if opcode := _OPCODE.search(text):
        other = f"a kernel cannot contain this statement (bytecode {opcode[1]})"
        return _STATEMENTS.get(opcode[1], other)
    return _about_name(text, function)


def _about_name(text: str, function: Callable) -> str | None:
    if found := _MODULE_TYPE.search(text):
        return _of_module(found[2], found[1])
    if found := _MODULE.search(text):
        return _of_module(found[1], found[2])
    if found := _ATTRIBUTE.search(text):
        known = [n for n in dir(np.ndarray) if not n.startswith("_")]
        proposal = did_you_mean(found[1], known) or "; they have shape, size, ndim and dtype"
        return f"arrays in kernels have no attribute {found[1]}{proposal}"
    if found := _CONTAINER.search(text):
        return _global(found[2], found[1])
    if found := _GLOBAL_BUFFER.search(text):
        return (
            f"the global {found[1]} is an array, but not NumPy's: pass it as an argument, because "
            "kernels can use only NumPy's arrays as constants"
        )
    if found := _NO_INDEX.search(text):
        return f"an index must be an integer, and not {found[1]}: use // instead of /, or int()"
    if found := _UNDEFINED.search(text):
        defined = {*function.__globals__, *function.__code__.co_varnames, *dir(builtins)}
        proposal = did_you_mean(found[1], defined) or "; import it, or pass it as an argument"
        return f"the name {found[1]} is not defined{proposal}"
    if found := _UNTYPED.search(text):
        return _untyped(found[1], found[2])
    return None


def _untyped(name: str, kind: str) -> str:
    if kind == "function":
        return (
            f"{name} is a plain Python function: decorate it with @hither.device_func so that "
            "kernels can call it"
        )
    if kind.endswith("KernelDispatcher"):
        return (
            f"{name} is a kernel, which kernels cannot call: put what they share into a "
            "@hither.device_func"
        )
    return _global(name, kind)


def _global(name: str, kind: str) -> str:
    what = "pass an array as an argument" if kind in ("list", "set") else "pass it as an argument"
    article = "an" if kind[0] in "aeio" else "a"
    return f"the global {name} is {article} {kind}, which kernels cannot use: {what}"


def _of_module(module: str, name: str) -> str:
    """About an attribute of a module that Numba does not know."""
    shown = re.sub(r"^hither\._\w+\.language\.", "hither.", module)
    names = {*dir(sys.modules.get(module)), *getattr(sys.modules.get(module), "_LAZY", ())}
    if name not in names:
        told = _remedy_of_module(module, name)
        return f"{shown} has no {name}{told or did_you_mean(name, names)}"
    if module == "math" and isinstance(getattr(np, name, None), np.ufunc) and name != "remainder":
        return f"kernels cannot call math.{name}: call numpy.{name}, which takes numbers in kernels"
    if shown.partition(".")[0] != "hither":
        return (
            f"kernels cannot call {shown}.{name}: compute it before the launch, and pass the "
            "result as an argument"
        )
    number = f"; for numbers there is math.{name}" if hasattr(math, name) else ""
    return (
        f"{shown}.{name} works on whole arrays outside kernels: call it before or after the "
        f"kernel, or compute element by element{number}"
    )


def _remedy_of_module(module: str, name: str) -> str:
    """What the module's own error proposes instead of the name: "; use ...", or nothing."""
    try:
        getattr(sys.modules.get(module), name)
    except AttributeError as error:
        _, separator, remedy = str(error).partition("; ")
        return separator + remedy
    return ""


def readable(text: str) -> str:
    """Numba's names of types in a user's words."""
    text = re.sub(r"Literal\[str\]\((.*?)\)", r"'\1'", text)
    text = re.sub(r"Literal\[\w+\]\((.*?)\)", r"\1", text)
    text = re.sub(r"(?:readonly )?array\((\w+), (\d+)d, \w+\)", r"\2-d array of \1", text)
    text = re.sub(r"UniTuple\((\w+) x (\d+)\)", r"tuple of \2 \1", text)
    return text.replace("unicode_type", "str").replace("none", "None")
