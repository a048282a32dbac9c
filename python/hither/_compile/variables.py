"""The variables outside of its arguments that a function reads."""

from __future__ import annotations

import builtins
import enum
import functools
import sys
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from .._hither import CompiledCall


@functools.cache
def _installed() -> tuple[str, ...]:
    """The folders of installed packages."""
    import sysconfig  # not needed to import hither

    paths = sysconfig.get_paths()
    return paths["purelib"], paths["platlib"]


def _is_library(name: str | None, own: str = "") -> bool:
    """Whether a module is part of Python, of hither, or an installed package other than `own`: then
    its variables are taken as constant."""
    if not name:
        return False
    root = name.partition(".")[0]
    if root == own or name == "__main__":
        return False
    if root == "hither" or root in sys.stdlib_module_names:
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return file is None or file.startswith(_installed())


def _names_of(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_of(constant)


def _global_names_of(code: types.CodeType) -> set[str]:
    import dis  # not needed to import hither

    loads = ("LOAD_GLOBAL", "LOAD_NAME")
    names = {i.argval for i in dis.get_instructions(code) if i.opname in loads}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= _global_names_of(constant)
    return names


class Scope:
    """What a function reads besides its arguments.

    `variables` are the global and closed-over variables and the defaults of the function, and of
    the functions and methods of its arguments that it names: pairs of a dict and a name, of a class
    or function and the name of an attribute, or of a cell and None.
    """

    def __init__(self, function: Any, arguments: tuple[Any, ...]) -> None:
        self.variables: list[tuple[Any, str | None]] = []
        self._own = (getattr(function, "__module__", None) or "").partition(".")[0]
        self._known: dict[Any, Any] = {}
        self._names: set[str] = set()
        self._instances = list(arguments)
        self._follow(function)
        self._search_classes()

    def names_type(self) -> bool:
        """Whether one of the functions names `type`. Then numbers cannot be traced, because type(x)
        of a traced number is not int or float."""
        return "type" in self._names

    def _add(self, holder: Any, key: str | None, value: Any) -> None:
        if (id(holder), key) not in self._known:
            self._known[id(holder), key] = holder
            self.variables.append((holder, key))
            self._follow(value)
            self._instances.append(value)

    def _follow(self, value: Any) -> None:
        """Searches the functions that `value` is made of."""
        if type(value) in (list, tuple, dict) and len(value) < 1000:
            for part in value.values() if isinstance(value, dict) else value:
                self._follow(part)
        elif isinstance(value, functools.partial):
            self._follow(value.func)
        elif isinstance(value, (types.MethodType, staticmethod, classmethod)):
            self._follow(value.__func__)
        elif isinstance(value, property):
            self._follow(value.fget)
        elif isinstance(value, types.FunctionType):
            self._follow_function(value)
        elif isinstance(wrapped := getattr(value, "__wrapped__", None), types.FunctionType):
            self._follow_function(wrapped)

    def _follow_function(self, function: types.FunctionType) -> None:
        if id(function) in self._known or _is_library(function.__module__, self._own):
            return
        self._known[id(function)] = function
        self._follow(getattr(function, "__wrapped__", None))
        names = set(_names_of(function.__code__))
        self._names |= names
        for name in sorted(_global_names_of(function.__code__)):
            self._global_variable(function.__globals__, name, names)
        for defaults in ("__defaults__", "__kwdefaults__"):
            if getattr(function, defaults):
                self._add(function, defaults, getattr(function, defaults))
        for cell in function.__closure__ or ():
            self._add(cell, None, getattr(cell, "cell_contents", None))

    def _global_variable(self, scope: dict[str, Any], name: str, names: set[str]) -> None:
        value = scope.get(name)
        imported = sys.modules.get(name) if name not in scope else value
        if isinstance(imported, types.ModuleType) and not _is_library(imported.__name__, self._own):
            for inner in names & imported.__dict__.keys():
                self._add(imported.__dict__, inner, imported.__dict__[inner])
        if name in scope or not hasattr(builtins, name):
            self._add(scope, name, value)

    def _search_classes(self) -> None:
        """Searches the attributes of functions, classes and instances' classes that the functions
        name."""
        before = -1
        while before != len(self._known):
            before = len(self._known)
            for instance in list(self._instances):
                self._attributes_of(instance if isinstance(instance, type) else type(instance))
                if isinstance(instance, (types.FunctionType, CompiledCall)):
                    for name in sorted(self._names & instance.__dict__.keys()):
                        self._add(instance.__dict__, name, instance.__dict__[name])

    def _attributes_of(self, own: type) -> None:
        if _is_library(own.__module__, self._own):
            return
        for name in sorted(self._names):
            found = [c.__dict__[name] for c in own.__mro__ if name in c.__dict__]
            for value in found:
                self._follow(value)
            if found and not callable(found[0]) and not hasattr(found[0], "__get__"):
                self._add(own, name, found[0])


_CONSTANT = (
    type(None), type(...), type(NotImplemented), bool, int, float, complex, str, bytes, range,
    slice, type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType,
    types.MethodDescriptorType, types.WrapperDescriptorType, types.GenericAlias, np.generic,
    np.dtype, np.ufunc, property, staticmethod, classmethod, enum.Enum,
)  # fmt: skip


def is_constant(x: Any) -> bool:
    """Whether an object that is not an array, a number or a container of them has no state that
    changes, or is one of hither's or Numba's."""
    if isinstance(x, types.BuiltinMethodType) and not isinstance(x.__self__, types.ModuleType):
        return x.__self__ is None or is_constant(x.__self__)
    return isinstance(x, _CONSTANT) or type(x).__module__.partition(".")[0] in (
        "hither",
        "numba",
        "nanobind",
    )
