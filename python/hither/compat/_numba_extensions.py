"""The extensions of Numba by numba_dppy and numba_dpex: ``@vectorize(target="dppy")`` and "dpex",
and the type of USM arrays in functions that run on the host."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import hither
from hither._offload import hook

TARGETS = ("dppy", "dpex")
_TYPES = "hither._offload.array_type"
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
    if _TYPES not in sys.modules:  # it imports Numba, so that it cannot be imported yet
        importlib.import_module("numba.extending").typeof_impl.register(hither.Array)(_typeof)


def _typeof(array: hither.Array, context: Any) -> Any:
    """Numba's type of an array. The module that it imports replaces this function."""
    return importlib.import_module(_TYPES).type_of(array, context)
