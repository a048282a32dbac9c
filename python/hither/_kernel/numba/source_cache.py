"""The front end's result for a function and the types of a call.

A kernel with `cache=True` loads it from the disk cache. Otherwise, or if it is not there, Numba
computes it.
"""

from __future__ import annotations

import marshal
import os
import sys
from collections.abc import Callable, Sequence
from functools import cache
from importlib.machinery import ModuleSpec, PathFinder
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numpy

from ... import _hither
from ..language.options import CompileOptions, declared_signatures
from .refused import KernelRefused

__all__ = ["KernelRefused", "kernel_source"]


def kernel_source(function: Callable, arguments: Sequence, options: CompileOptions) -> Any:
    """A front_end.FrontEndResult, or an object with the same fields. Raises KernelRefused."""
    key = _key_of(function, arguments, options) if options.cache else None
    if key is not None and (text := _hither.load_kernel_source(key)) is not None:
        return SimpleNamespace(**marshal.loads(text))
    from .numba_version import check_kernels

    check_kernels()
    from .front_end import compile_kernel

    result = compile_kernel(function, arguments, options)
    if key is not None:
        import dataclasses

        result = dataclasses.replace(result, key=key)
        _hither.store_kernel_source(key, marshal.dumps(dataclasses.asdict(result)))
    return result


# Packages whose functions change only with the package's version, which the key contains.
_KNOWN_MODULES = ("numpy", "math", "cmath", "hither", "operator", "numba")


class _NotKnown(Exception):
    """A value that the key cannot describe, so that a change of it would go unnoticed."""


def described(function: Callable) -> str | None:
    """Text that is equal only for functions with the same behaviour under the same tools, or None
    if the function refers to a value that cannot be described."""
    description = _Description()
    try:
        description.add(tools())
        description.function(function)
    except _NotKnown:
        return None
    return "\0".join(description.parts)


def _key_of(function, arguments, options) -> str | None:
    """Text that is equal only for equal functions, types and tools, or None."""
    description = _Description()
    try:
        description.add(tools(), options)
        description.value(arguments)
        description.function(function)
    except _NotKnown:
        return None
    return "python kernel " + "\0".join(description.parts)


@cache
def tools() -> tuple:
    """Versions of the tools that determine the result: hither's files, NumPy, llvmlite and Numba,
    which is not imported for this."""
    numba_folder = os.path.dirname(__file__)
    kernel_folder = os.path.dirname(numba_folder)
    language_folder = os.path.join(kernel_folder, "language")
    offload_folder = os.path.join(os.path.dirname(kernel_folder), "_offload")
    own = []
    for folder in (numba_folder, language_folder, offload_folder):
        with os.scandir(folder) as files:
            own += sorted(_identity(f.name, f.stat()) for f in files if f.name.endswith(".py"))
    packages = []
    for name in ("numba", "llvmlite"):
        found = _spec_of(name)
        if found is None or found.origin is None:
            return ()  # the front end will report the missing package
        version = os.path.join(os.path.dirname(found.origin), "_version.py")
        packages.append(_identity(version, os.stat(version)))
    return (sys.version, packages, numpy.__version__, _hither.version, own)


def _spec_of(name: str) -> ModuleSpec | None:
    if name not in sys.modules and (found := PathFinder.find_spec(name)):
        return found
    from importlib.util import find_spec  # its import takes milliseconds

    return find_spec(name)


def _identity(name: str, status: os.stat_result) -> tuple:
    return (name, status.st_size, status.st_mtime_ns)


def _overloads_of(function) -> list:
    """The @overload implementations of `function`, which Numba compiles for a call of it."""
    templates = sys.modules.get("numba.core.typing.templates")
    known = templates.builtin_registry.globals if templates else ()
    types = [numba_type for value, numba_type in known if value is function]
    return [t._overload_func for of in types for t in of.templates if hasattr(t, "_overload_func")]


class _Description:
    """Text that describes a function, its constants, and all values that it refers to."""

    def __init__(self):
        self.parts = []
        self.seen = set()

    def add(self, *parts):
        self.parts.extend(map(repr, parts))

    def function(self, function):
        function = getattr(function, "py_func", function)
        if id(function) in self.seen:
            return self.add("seen", function.__qualname__)
        self.seen.add(id(function))
        code = function.__code__
        self.add(function.__qualname__, code.co_filename)
        self.value(function.__defaults__)
        self.value(function.__annotations__.values())
        cells = function.__closure__ or ()
        for name, cell in zip(code.co_freevars, cells, strict=True):
            self.add(name)
            self.value(cell.cell_contents)
        self._code(code, function.__globals__)

    def _code(self, code, names):
        self.add(code.co_code, code.co_names, code.co_varnames, code.co_firstlineno)
        self.add(code.co_linetable)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self._code(constant, names)
            else:
                self.value(constant)
        for name in code.co_names:
            if name in names:
                self.add(name)
                self._named(names[name], code.co_names)

    def _named(self, value, attributes):
        """Describes a global. Of a module, describes the attributes that the code may use."""
        if not isinstance(value, ModuleType):
            return self.value(value)
        self.add(value.__name__)
        if value.__name__.partition(".")[0] in _KNOWN_MODULES:
            return
        for name in attributes:
            if (found := getattr(value, name, None)) is not None:
                self.add(name)
                self._named(found, attributes)

    def value(self, value):
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
            self.add(type(value).__name__, value)
        elif isinstance(value, (tuple, list)) or type(value).__name__ == "dict_values":
            self.add(type(value).__module__, type(value).__qualname__, len(value))
            for item in value:
                self.value(item)
        elif isinstance(value, numpy.dtype):
            self.add(value.descr if value.names else value.str, value.alignment)
        elif isinstance(value, (numpy.ndarray, numpy.generic)) and not value.dtype.hasobject:
            array = numpy.asarray(value)
            self.add(array.shape, array.strides, array.dtype.str, array.tobytes())
        elif hasattr(value, "py_func") or isinstance(value, FunctionType):
            self._callable(value)
        elif isinstance(value, type):
            self.add(value.__module__, value.__qualname__, getattr(value, "_fields", ()))
        elif isinstance(value, (BuiltinFunctionType, numpy.ufunc)):
            self.add(value.__name__)
        else:
            raise _NotKnown

    def _callable(self, value):
        if (getattr(value, "__module__", None) or "").partition(".")[0] in ("numpy", "hither"):
            return self.add(value.__module__, value.__qualname__)
        self.add(type(value).__name__)
        if hasattr(value, "signatures"):
            self.add(declared_signatures(value))
        options = getattr(value, "targetoptions", None) or {}
        self.add(sorted((k, repr(v)) for k, v in options.items()))
        self.function(value)
        for implementation in _overloads_of(value):
            self.function(implementation)
