"""Operators of arrays and conversions to numbers, with dpctl's errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hither

__all__ = ["OPERATORS", "InPlaceError"]

_IN_PLACE = "add sub mul truediv floordiv mod pow matmul lshift rshift and or xor"
_NUMBERS = "bool int float complex"


class InPlaceError(hither.InvalidTypeError, ValueError):
    """A result that does not fit in place: a TypeError as in NumPy, a ValueError as in dpctl."""


def _in_place(name: str) -> Callable[[hither.Array, Any], Any]:
    """hither's operator, with an error for an unsuitable dtype that is dpctl's too."""
    had = vars(hither.Array)[f"__i{name}__"]

    def operator(x: hither.Array, other: Any) -> Any:
        try:
            return had(x, other)
        except hither.InvalidTypeError as error:
            raise InPlaceError(error.where, error.message) from None

    return operator


def _to_number(name: str) -> Callable[[hither.Array], Any]:
    """hither's conversion, also for arrays of one element, with dpctl's error for other arrays."""
    had = vars(hither.Array)[f"__{name}__"]

    def convert(x: hither.Array) -> Any:
        if x.size != 1:
            raise hither.InvalidValueError(
                name, f"takes an array of one element, not one of shape {x.shape}"
            )
        return had(hither.reshape(x, ()))

    return convert


OPERATORS: dict[str, Any] = {
    **{f"__i{name}__": _in_place(name) for name in _IN_PLACE.split()},
    **{f"__{name}__": _to_number(name) for name in _NUMBERS.split()},
}
