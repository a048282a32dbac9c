"""Dtypes and whole numbers among the arguments, with errors that name the argument."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .._array.host_fallback import DTYPES
from .._hither import Array
from .._names import did_you_mean
from ..errors import InvalidTypeError

__all__: list[str] = []


def dtype_of(function: str, given: Any) -> np.dtype[Any]:
    """The dtype that the argument `dtype` names."""
    if isinstance(given, Array):
        raise InvalidTypeError(function, "dtype is an array; pass its attribute dtype")
    try:
        return np.dtype(given)
    except TypeError:
        known = sorted({np.dtype(c).name for c in DTYPES} | {"int", "float", "complex"})
        proposal = did_you_mean(given, known) if isinstance(given, str) else ""
        raise InvalidTypeError(
            function,
            f"dtype={given!r} is not a dtype{proposal or '; pass a name or type of NumPy'}",
        ) from None


def whole(function: str, name: str, given: Any) -> int:
    """The argument `name` as an int."""
    try:
        return operator.index(given)
    except TypeError:
        raise InvalidTypeError(
            function,
            f"{name} is of type {type(given).__name__}; pass an int",
        ) from None
