"""Data types, which are objects of NumPy and ml_dtypes, and the Array API's functions on them."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .._hither import Array, can_cast_safely, dtype_argument, promote_types
from ..errors import InvalidTypeError

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


def is_of_ml_dtypes(dtype: np.dtype) -> builtins.bool:
    """Whether a dtype that arrays can hold is bfloat16 or float8, which NumPy itself lacks."""
    return dtype.isbuiltin == 2


def kind_of(dtype: np.dtype) -> str:
    """The letter of the kind of a dtype that arrays can hold, "f" also for bfloat16 and float8."""
    return "f" if is_of_ml_dtypes(dtype) else dtype.kind


def refuse_float8(function: str, arrays: Iterable[Any]) -> None:
    """Raises TypeError if one of the arrays has a dtype in which nothing is computed."""
    for x in arrays:
        if isinstance(x, Array) and is_of_ml_dtypes(x.dtype) and x.dtype.itemsize == 1:
            raise InvalidTypeError(
                function,
                f"{x.dtype} is a dtype for storage, in which nothing is computed; cast the array "
                "to float16, bfloat16 or float32 with astype first",
            )


def finfo(type: Any, /) -> FloatInfo:
    """Limits of a floating-point dtype, or of the dtype of an array."""
    from .dtype_limits import FloatInfo

    dtype = _dtype_of(type)
    info: Any
    if is_of_ml_dtypes(dtype):
        import ml_dtypes

        info = ml_dtypes.finfo(dtype)
    else:
        info = np.finfo(dtype)
    return FloatInfo(
        bits=int(info.bits),
        eps=float(info.eps),
        max=float(info.max),
        min=float(info.min),
        smallest_normal=float(info.smallest_normal),
        dtype=np.dtype(info.dtype),
    )


def iinfo(type: Any, /) -> IntInfo:
    """Limits of an integer dtype, or of the dtype of an array."""
    from .dtype_limits import IntInfo

    info = np.iinfo(_dtype_of(type))
    return IntInfo(bits=int(info.bits), max=int(info.max), min=int(info.min), dtype=info.dtype)


def can_cast(from_: Any, to: Any, /) -> builtins.bool:
    """Whether a conversion from a dtype, or an array's dtype, to `to` preserves all values."""
    source, target = _dtype_of(from_), _dtype_of(to)
    if is_of_ml_dtypes(source) or is_of_ml_dtypes(target):
        return can_cast_safely(source, target)
    return np.can_cast(source, target)


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
    return kind_of(dtype) in _KINDS[kind]


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """The dtype that an operation on these arrays, dtypes and Python numbers computes in."""
    if not arrays_and_dtypes:
        raise ValueError("result_type: needs at least one array or dtype")
    weak = (int, float, complex)
    found = [
        item if type(item) in weak or item is True or item is False else _dtype_of(item)
        for item in arrays_and_dtypes
    ]
    if any(isinstance(item, np.dtype) and is_of_ml_dtypes(item) for item in found):
        return _promoted(found)
    return dtype_argument(np.result_type(*found))


def _promoted(found: list[Any]) -> np.dtype:
    """result_type() with dtypes of ml_dtypes, which have no Python numbers' rules in NumPy."""
    dtypes = [item for item in found if isinstance(item, np.dtype)]
    result = functools.reduce(promote_types, dtypes)
    if any(type(item) is complex for item in found) and kind_of(result) != "c":
        return np.dtype(np.complex64 if result.itemsize <= 4 else np.complex128)
    return result
