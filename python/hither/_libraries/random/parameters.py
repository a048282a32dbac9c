"""Checks of the parameters of distributions. A check of an array waits for the array."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _hither
from ..._array.dtypes import kind_of
from ..._hither import Array
from ...errors import InvalidTypeError, InvalidValueError, ScalarOverflowError

__all__ = [
    "at_least_zero", "count", "floating", "inside", "number_of", "positive", "refuse_where",
]  # fmt: skip


def refuse_where(bad: Any, function: str, message: str) -> None:
    """Raises InvalidValueError if bad, or any element of it, is true."""
    if bool(bad.any() if isinstance(bad, (Array, np.ndarray)) else bad):
        raise InvalidValueError(function, message)


def number_of(function: str, name: str, value: int) -> int | float:
    """A Python integer, or the nearest float if it does not fit int64."""
    if -(2**63) <= value < 2**63:
        return value
    try:
        return float(value)
    except OverflowError:
        raise ScalarOverflowError(function, f"{name} is an integer beyond float64") from None


def count(function: str, name: str, value: Any) -> Any:
    """The parameter as an int, or as an array of int64. As in NumPy, numbers lose their fractions,
    and those that are NaN or do not fit int64 are refused."""
    if isinstance(value, int):
        return value
    is_array = isinstance(value, (Array, np.ndarray))
    x = value if is_array else np.asarray(value)
    if kind_of(x.dtype) == "f":
        refuse_where(x != x, function, f"{name} is NaN; it must be an integer")
        too_large = (x >= 2.0**63) | (x < -(2.0**63))
    else:
        too_large = x > 2**63 - 1 if x.dtype == np.uint64 else np.False_
    if bool(too_large.any()):
        raise ScalarOverflowError(function, f"{name} does not fit int64")
    return x.astype(np.int64) if is_array else math.trunc(value)


def at_least_zero(function: str, name: str, value: Any) -> None:
    """Checks that the parameter, or every element of it, is not negative."""
    refuse_where(value < 0, function, f"{name} is negative")


def positive(function: str, name: str, value: Any) -> None:
    """Checks that the parameter, or every element of it, is positive."""
    refuse_where(value <= 0, function, f"{name} is not positive")


def inside(function: str, name: str, value: Any, low: float, high: float, ends: str) -> None:
    """Checks that the parameter, or every element of it, is between low and high. `ends` are the
    brackets of the interval. NaN is outside."""
    above = value >= low if ends[0] == "[" else value > low
    below = value <= high if ends[1] == "]" else value < high
    fits = above & below if isinstance(value, Array) else bool(above) and bool(below)
    bad = _hither.logical_not(fits) if isinstance(fits, Array) else not fits
    refuse_where(bad, function, f"{name} is not in {ends[0]}{low:g}, {high:g}{ends[1]}")


def floating(function: str, dtype: Any) -> np.dtype:
    """float32 or float64."""
    try:
        wanted = np.dtype(dtype)
    except TypeError:  # such as bfloat16 while ml_dtypes is not imported
        wanted = dtype
    if isinstance(wanted, np.dtype) and wanted in (np.float32, np.float64):
        return wanted
    raise InvalidTypeError(function, f"dtype={wanted} is neither float32 nor float64")
