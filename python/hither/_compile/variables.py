"""The variables outside of its arguments that a function reads."""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterator
from functools import partial
from typing import Any


@functools.cache
def _installed() -> tuple[str, ...]:
    """The folders of installed packages."""
    import sysconfig  # not needed to import hither

    paths = sysconfig.get_paths()
    return paths["purelib"], paths["platlib"]


def _is_library(name: str | None) -> bool:
    """Whether a module is part of Python, of hither, or an installed package: then its variables
    are taken as constant."""
    if not name:
        return False
    root = name.partition(".")[0]
    if root == "hither" or (root in sys.stdlib_module_names and root != "__main__"):
        return True
    file = getattr(sys.modules.get(name), "__file__", None)
    return (file is None and name != "__main__") or (file or "").startswith(_installed())


def _names_of(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names_of(constant)


class _Search:
    def __init__(self) -> None:
        self.found: list[tuple[Any, str | None]] = []
        self.known: set[Any] = set()

    def add(self, holder: Any, key: str | None, value: Any) -> None:
        if (id(holder), key) not in self.known:
            self.known.add((id(holder), key))
            self.found.append((holder, key))
            self.follow(value)

    def follow(self, value: Any) -> None:
        """Searches the functions that `value` is made of."""
        if isinstance(value, partial):
            return self.follow(value.func)
        if isinstance(value, types.MethodType):
            return self.follow(value.__func__)
        wrapped = getattr(value, "__wrapped__", None)
        if not isinstance(value, types.FunctionType):
            return self.follow(wrapped) if isinstance(wrapped, types.FunctionType) else None
        if value.__code__ in self.known or _is_library(value.__module__):
            return None
        self.known.add(value.__code__)
        if isinstance(wrapped, types.FunctionType):
            self.follow(wrapped)
        names = list(_names_of(value.__code__))
        for name in names:
            if name in value.__globals__:
                self.global_variable(value.__globals__, name, names)
        for cell in value.__closure__ or ():
            self.add(cell, None, getattr(cell, "cell_contents", None))
        return None

    def global_variable(self, scope: dict[str, Any], name: str, names: list[str]) -> None:
        value = scope[name]
        if isinstance(value, types.ModuleType) and not _is_library(value.__name__):
            for inner in names:
                if inner in value.__dict__:
                    self.add(value.__dict__, inner, value.__dict__[inner])
        self.add(scope, name, value)


def variables_of(function: Any, arguments: tuple[Any, ...]) -> list[tuple[Any, str | None]]:
    """Pairs of a dict and a name, or of a cell and None: the global and closed-over variables of
    `function`, and of the functions and methods of its arguments that it names."""
    search = _Search()
    search.follow(function)
    code = getattr(function, "__code__", None)
    names = set(_names_of(code)) if code is not None else set()
    for argument in arguments:
        if isinstance(type(argument), type) and not _is_library(type(argument).__module__):
            for name in names:
                search.follow(getattr(type(argument), name, None))
    return search.found


def asks_for_types(function: Any) -> bool:
    """Whether the function, or one that it calls, names `type`. Then numbers cannot be traced,
    because type(x) of a traced number is not int or float."""
    search = _Search()
    search.follow(function)
    return any(
        isinstance(code, types.CodeType) and "type" in _names_of(code) for code in search.known
    )
