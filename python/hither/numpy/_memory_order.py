"""The memory order of results: NumPy's order="C", "F", "A" and "K"."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidTypeError, InvalidValueError

__all__: list[str] = []


def memory_order(function: str, order: Any, default: str, allowed: str = "CFAK") -> str:
    """The order as a capital letter; `default` for None."""
    if order is None:
        return default
    if not isinstance(order, str):
        raise InvalidTypeError(function, f"order={order!r} is not a string")
    letter = order.upper()
    if len(letter) != 1 or letter not in allowed:
        names = ", ".join(map(repr, allowed))
        raise InvalidValueError(function, f"order={order!r}; it is one of {names}")
    return letter


def is_fortran(x: Any) -> bool:
    """Whether the memory of a hither or a NumPy array is in Fortran order and not in C order."""
    return x.ndim > 1 and x.flags.f_contiguous and not x.flags.c_contiguous


def axes_in_memory(x: Any, order: str) -> list[int] | None:
    """The axes of x in the order of the memory of a copy in `order`, the outermost first. None
    where this is the order of the axes, so that the copy is in C order."""
    if order == "C" or x.ndim < 2 or (order == "A" and not is_fortran(x)):
        return None
    if order == "K":
        if x.flags.c_contiguous:
            return None
        axes = sorted(range(x.ndim), key=lambda axis: -abs(x.strides[axis]))
        return None if axes == list(range(x.ndim)) else axes
    return list(range(x.ndim))[::-1]


def back(x: Array, axes: list[int] | None) -> Array:
    """x, whose axes are in the order `axes`, with its axes in order: a view."""
    return x if axes is None else h.permute_dims(x, np.argsort(axes).tolist())


def copied(x: Array, order: str) -> Array:
    """A copy in a memory order."""
    axes = axes_in_memory(x, order)
    return h.copy(x) if axes is None else back(h.copy(h.permute_dims(x, axes)), axes)


def fits(x: Any, order: str) -> bool:
    """Whether the memory of a hither or a NumPy array is in the order."""
    return order in "AK" or bool(x.flags.f_contiguous if order == "F" else x.flags.c_contiguous)


def ordered(x: Array, order: str) -> Array:
    """x itself if its memory is in the order, else a copy."""
    return x if fits(x, order) else copied(x, order)
