"""The public names of hither, and what their docstrings contain.

The documentation site makes its reference from them (tools/api_pages.py), and
tests/one_device/test_docstrings.py checks that the docstrings are complete.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

# Module -> names that are left out of it, because they are NumPy's own or documented elsewhere.
MODULES = (
    "hither", "hither.linalg", "hither.fft", "hither.random", "hither.lapack", "hither.blas",
    "hither.offload", "hither.cuda", "hither.sycl", "hither.atomic", "hither.local",
    "hither.private", "hither.constant", "hither.errors", "hither.numpy", "hither.numpy.linalg",
    "hither.numpy.fft", "hither.numpy.random", "hither.numpy.emath",
    "hither.numpy.lib.stride_tricks", "hither.dparray",
    "hither.compat", "hither.scipy.ndimage", "hither.scipy.signal", "hither.scipy.sparse",
    "hither.scipy.sparse.linalg", "hither.scipy.special", "hither.dask",
)  # fmt: skip
SECTIONS = ("Parameters", "Returns", "Yields", "Raises", "See Also", "Notes", "Examples")
_SECTION = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


class Public(NamedTuple):
    """A public object: the module that users import it from, its name there, its owner's name."""

    module: str
    name: str
    value: Any

    @property
    def path(self) -> str:
        return f"{self.module}.{self.name}"


def is_numpys(value: Any) -> bool:
    """Whether NumPy or Python made the object, so that its documentation is NumPy's."""
    module = getattr(value, "__module__", None) or ""
    return isinstance(value, np.ufunc) or module.partition(".")[0] in ("numpy", "builtins", "math")


def module_of(name: str) -> Any:
    """The module or library object of this public name."""
    try:
        return importlib.import_module(name)
    except ImportError:
        parent, _, attribute = name.rpartition(".")
        return getattr(importlib.import_module(parent), attribute)


def names_of(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None)
    if listed is None:
        own = getattr(module, "__name__", None)
        listed = [n for n in dir(module) if getattr(getattr(module, n), "__module__", own) == own]
    return sorted({n for n in listed if not n.startswith("_")})


def public_names(modules: tuple[str, ...] = MODULES) -> Iterator[Public]:
    """Callables and classes, each once under each module that offers it, without modules."""
    for module_name in modules:
        module = module_of(module_name)
        for name in names_of(module):
            value = getattr(module, name)
            if not inspect.ismodule(value) and callable(value) and not is_numpys(value):
                yield Public(module_name, name, value)


def members_of(value: type) -> Iterator[tuple[str, Any]]:
    """Names and values of what a class defines, or inherits from another class of hither."""
    found: dict[str, Any] = {}
    for base in reversed(value.__mro__):
        if base.__module__.partition(".")[0] == "hither":
            found |= vars(base)
    for name in sorted(n for n in found if not n.startswith("_")):
        yield name, found[name]


def methods_of(public: Public) -> Iterator[Public]:
    """The public methods of a class."""
    for name, value in members_of(public.value):
        value = getattr(value, "__func__", value)
        numpys = getattr(np.ndarray, name, None)
        if numpys is not None and getattr(value, "__doc__", None) == numpys.__doc__:
            continue  # a method of NumPy's class with NumPy's documentation
        if callable(value) and not isinstance(value, type):
            yield Public(public.path, name, value)


def signature_of(value: Any) -> str:
    """The signature as text, "" if the object tells none."""
    lines = (getattr(value, "__doc__", None) or "").splitlines()
    overloads = getattr(value, "__nb_signature__", None)
    if overloads:
        shown, _, defaults = overloads[-1]
        text = shown.removeprefix("def ")
        text = re.sub(r"\\\d+", lambda m: repr(defaults[int(m[0][1:])]), text)
        return text[text.index("(") :]
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        pass
    return lines[0][lines[0].index("(") :] if lines and re.match(r"\w+\(", lines[0]) else ""


def docstring_of(value: Any) -> str:
    """The docstring without nanobind's lines of signatures."""
    text = inspect.getdoc(value) or ""
    if isinstance(value, type) and text == (inspect.getdoc(type(value)) or ""):
        return ""
    while re.match(r"\w*\(.*\) -> .*(\n|$)", text):
        text = text.partition("\n")[2].lstrip("\n")
    return text


def properties_of(public: Public) -> Iterator[Public]:
    """The public properties of a class."""
    for name, value in members_of(public.value):
        if isinstance(value, property) or inspect.isdatadescriptor(value):
            yield Public(public.path, name, value)


def sections_of(docstring: str) -> list[str]:
    """The titles of the sections of a docstring in NumPy's form, in their order."""
    return _SECTION.findall(docstring)


def parameters_of(value: Any) -> list[str]:
    """The names of the parameters that callers give; those with an underscore are private."""
    try:
        names = [p for p in inspect.signature(value).parameters if not p.startswith("_")]
    except ValueError:  # a class of the extension without a constructor
        return []
    return names[1:] if names[:1] == ["self"] else names


def documented_parameters(docstring: str) -> list[str]:
    """The names that the section "Parameters" lists."""
    section = re.search(r"^Parameters\n-+\n(.*?)(?=\n\n\w[\w ]*\n---|\Z)", docstring, re.M | re.S)
    lines = re.findall(r"^(\S[^:\n]*?)(?: :.*)?$", section[1], re.M) if section else []
    return [name.strip().lstrip("*") for line in lines for name in line.split(",")]


def raised_by(value: Any) -> set[str]:
    """The names of the errors that the source of a function, or of a constructor, raises."""
    function = value.__init__ if isinstance(value, type) else inspect.unwrap(value)
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return set()
    raised = [node.exc for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc]
    return {ast.unparse(exc.func) for exc in raised if isinstance(exc, ast.Call)}


def missing_parts(public: Public) -> list[str]:
    """What NumPy's form asks of a function's docstring and is not there."""
    docstring = docstring_of(public.value)
    found = sections_of(docstring)
    signature = signature_of(public.value)
    missing = []
    if not docstring:
        missing.append("text")
    if isinstance(public.value, type) and issubclass(public.value, BaseException):
        return missing  # hither raises them; nobody calls them
    if parameters_of(public.value) and "Parameters" not in found:
        missing.append("Parameters")
    returns_nothing = (
        re.search(r"-> '?(None|NoReturn)'?$", signature)
        or getattr(public.value, "__annotations__", {}).get("return") == "None"
        or isinstance(public.value, type)
    )
    if not returns_nothing and "Returns" not in found and "Yields" not in found:
        missing.append("Returns")
    if raised_by(public.value) and "Raises" not in found:
        missing.append("Raises")
    if "Examples" not in found:
        missing.append("Examples")
    return missing
