"""Checks of the parameters of distributions. A check of an array waits for the array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array
from ...errors import InvalidTypeError, InvalidValueError

__all__ = ["at_least_zero", "floating", "inside", "positive", "refuse_where"]


def refuse_where(bad: Any, function: str, message: str) -> None:
    """Raises InvalidValueError if bad, or any element of it, is true."""
    if bool(_hither.any(bad) if isinstance(bad, Array) else bad):
        raise InvalidValueError(function, message)


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
    wanted = np.dtype(dtype)
    if wanted not in (np.dtype(np.float32), np.dtype(np.float64)):
        raise InvalidTypeError(function, f"dtype={wanted} is neither float32 nor float64")
    return wanted
