"""The targets "dppy" and "dpex" of Numba's @vectorize, as numba_dppy and numba_dpex had them."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import hither
from hither._offload import hook

TARGETS = ("dppy", "dpex")
_installed = False


class DppyUFunc:
    """An element-wise function on the queue of its arrays, or for NumPy arrays on the context's.

    The result is a NumPy array if no argument is a USM array.
    """

    def __init__(self, function: Any) -> None:
        self.function = function
        self.__name__ = function.__name__

    def __call__(self, *operands: Any) -> Any:
        if any(isinstance(x, hither.Array) for x in operands):
            return self.function(*operands)
        queue = hither.current_queue()
        result = self.function(*(hither.asarray(x, queue=queue) for x in operands))
        return hither.asnumpy(result)[()]


class DppyVectorize:
    """The builder that Numba's decorator calls for a target, with one signature at a time."""

    def __init__(self, py_func: Callable[..., Any], identity: Any = None, **options: Any) -> None:
        self.py_func = py_func
        self.signatures: list[Any] = []

    def add(self, signature: Any = None) -> None:
        """Adds a signature."""
        self.signatures.append(signature)

    def disable_compile(self) -> None:
        """Restricts the types to those of the signatures."""

    def build_ufunc(self) -> DppyUFunc:
        """The resulting function."""
        return DppyUFunc(hither.vectorize(self.signatures or None)(self.py_func))


def install() -> None:
    """Adds the extensions if Numba has been imported, or when it is imported."""
    global _installed
    if not _installed:
        _installed = True
        hook.after_import("numba", _extend)


def _extend(numba: ModuleType) -> None:
    targets = importlib.import_module("numba.np.ufunc.decorators").Vectorize.target_registry
    for name in TARGETS:
        targets.ondemand[name] = lambda: DppyVectorize
