"""Types of arguments, for type checkers. The stubs name them; nothing imports them at run time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np

from ._hither import Array, Device, Queue

__all__ = [
    "Axes", "DType", "DTypeName", "Maker", "Nested", "Operand", "Shape", "UsmType", "Where",
]  # fmt: skip


class UsmObject(Protocol):
    """An array of another library in USM."""

    @property
    def __sycl_usm_array_interface__(self) -> dict[str, Any]: ...


# Names of the dtypes that arrays can have.
DTypeName: TypeAlias = Literal[
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "float32", "float64", "complex64", "complex128", "int", "float", "complex",
    "bfloat16", "float8_e4m3fn", "float8_e5m2",
    "?", "b", "h", "i", "l", "q", "B", "H", "I", "L", "Q", "e", "f", "d", "F", "D",
    "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16",
]  # fmt: skip
DType: TypeAlias = (
    DTypeName | np.dtype[Any] | type[bool] | type[int] | type[float] | type[complex]
    | type[np.generic]
)  # fmt: skip
Number: TypeAlias = bool | int | float | complex | np.generic
# Of functions of elements. NumPy arrays are allowed in device contexts.
Operand: TypeAlias = Array | Number | np.ndarray[Any, Any] | UsmObject
# What arrays are made from.
Nested: TypeAlias = Operand | Sequence["Nested"]
Shape: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
Axes: TypeAlias = SupportsIndex | Sequence[SupportsIndex]
UsmType: TypeAlias = Literal["device", "shared", "host"]
# A queue, or what names one.
Where: TypeAlias = Queue | Device | str


class Maker(Protocol):
    """A function such as hither.numpy.zeros."""

    def __call__(
        self,
        shape: Shape,
        dtype: DType | None = None,
        order: str = "C",
        *,
        device: Where | None = None,
        like: Array | None = None,
        queue: Where | None = None,
        usm_type: UsmType | None = None,
    ) -> Array: ...
