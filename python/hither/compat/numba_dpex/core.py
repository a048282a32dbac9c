"""numba_dpex.core: errors that programs catch, and types that they write signatures with."""

from __future__ import annotations

import functools
from typing import Any

import hither

__all__ = [
    "DpnpNdArray",
    "ExecutionQueueInferenceError",
    "InvalidKernelSpecializationError",
    "ItemType",
    "KernelHasReturnValueError",
    "MissingSpecializationError",
    "NdItemType",
    "usm_ndarray",
    "without_items",
]

ExecutionQueueInferenceError = hither.PlacementError
InvalidKernelSpecializationError = hither.CompileError
KernelHasReturnValueError = hither.CompileError
MissingSpecializationError = hither.CompileError


class ItemType:
    """The type of an item in a signature. hither's signatures contain only the call's arguments."""

    def __init__(self, ndim: int) -> None:
        self.ndim = ndim


class NdItemType(ItemType):
    """The type of an NdItem in a signature."""


def usm_ndarray(ndim: int, layout: str = "C", dtype: Any = None, **placement: Any) -> Any:
    """Numba's type of an array. The placement is ignored."""
    from numba import types

    return types.Array(dtype or types.float64, ndim, layout)


DpnpNdArray = usm_ndarray


def without_items(signature: Any) -> Any:
    """A signature, or a list of signatures, in the form that hither.kernel takes."""
    if isinstance(signature, list):
        return [without_items(one) for one in signature]
    if isinstance(signature, tuple):
        return tuple(one for one in signature if not isinstance(one, ItemType))
    if hasattr(signature, "return_type"):
        return signature.return_type(*without_items(tuple(signature.args)))
    return signature


@functools.cache
def numba_types() -> dict[str, Any]:
    """The names of Numba's numbers, which numba_dpex has too."""
    from numba import types

    names = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
    return {name: getattr(types, name) for name in (*names.split(), "boolean", "void")}
