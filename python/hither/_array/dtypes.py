"""Data types, which are NumPy's objects, and the Array API's functions on them."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from .._hither import Array, dtype_argument

if TYPE_CHECKING:
    from .dtype_limits import FloatInfo, IntInfo

__all__ = [
    "bool",
    "can_cast",
    "complex64",
    "complex128",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "result_type",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

bool = np.bool_
int8 = np.int8
int16 = np.int16
int32 = np.int32
int64 = np.int64
uint8 = np.uint8
uint16 = np.uint16
uint32 = np.uint32
uint64 = np.uint64
float16 = np.float16
float32 = np.float32
float64 = np.float64
complex64 = np.complex64
complex128 = np.complex128


def _dtype_of(type_or_array: Any) -> np.dtype:
    if isinstance(type_or_array, Array):
        return type_or_array.dtype
    return dtype_argument(type_or_array)


def finfo(type: Any, /) -> FloatInfo:
    """Limits of a floating-point dtype, or of the dtype of an array."""
    from .dtype_limits import FloatInfo

    info = np.finfo(_dtype_of(type))
    return FloatInfo(
        bits=int(info.bits),
        eps=float(info.eps),
        max=float(info.max),
        min=float(info.min),
        smallest_normal=float(info.smallest_normal),
        dtype=info.dtype,
    )


def iinfo(type: Any, /) -> IntInfo:
    """Limits of an integer dtype, or of the dtype of an array."""
    from .dtype_limits import IntInfo

    info = np.iinfo(_dtype_of(type))
    return IntInfo(bits=int(info.bits), max=int(info.max), min=int(info.min), dtype=info.dtype)


def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    """Whether a conversion from a dtype, or an array's dtype, to `to` preserves all values."""
    return np.can_cast(_dtype_of(from_), _dtype_of(to))


def isdtype(dtype: Any, kind: Any) -> builtins.bool:
    """Whether `dtype` is of a kind: a dtype, "bool", "signed integer", "unsigned integer",
    "integral", "real floating", "complex floating", "numeric", or a tuple of these.
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return any(_is_of_kind(dtype_argument(dtype), k) for k in kinds)


# The kinds of the standard, as the kinds of NumPy's dtypes.
_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}


def _is_of_kind(dtype: np.dtype, kind: Any) -> builtins.bool:
    if not isinstance(kind, str):
        return dtype == dtype_argument(kind)
    if kind not in _KINDS:
        raise ValueError(f"isdtype: {kind!r} is no kind; the kinds are {', '.join(_KINDS)}")
    return dtype.kind in _KINDS[kind]


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """The dtype that an operation on these arrays, dtypes and Python numbers computes in."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: needs at least one array or dtype")
    weak = (int, float, complex)
    found = [
        item if type(item) in weak or item is True or item is False else _dtype_of(item)
        for item in arrays_and_dtypes
    ]
    return dtype_argument(np.result_type(*found))
