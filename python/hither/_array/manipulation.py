"""Functions that change shapes, join arrays, or use index arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._hither import (
    Array,
    astype,
    broadcast_shapes,
    broadcast_to,
    concat,
    copy,
    expand_dims,
    flip,
    full,
    matrix_transpose,
    moveaxis,
    permute_dims,
    repeat,
    reshape,
    roll,
    squeeze,
    stack,
    take,
    take_along_axis,
    tile,
    unstack,
)
from .._names import a_type
from ..errors import InvalidTypeError

__all__ = [
    "astype",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "concat",
    "copy",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "repeat",
    "reshape",
    "roll",
    "squeeze",
    "stack",
    "take",
    "take_along_axis",
    "tile",
    "unstack",
]


# The strides in bytes: hither.compat may replace the attribute by one that counts elements.
_BYTES = Array.strides


def byte_strides(x: Array) -> tuple[int, ...]:
    """The strides of x, in bytes."""
    return _BYTES.__get__(x)


def element_strides(x: Array) -> tuple[int, ...]:
    """The strides of x, in elements."""
    return tuple(step // x.itemsize for step in byte_strides(x))


def broadcast_arrays(*arrays: Any) -> tuple[Array, ...]:
    """The arrays and numbers, broadcast to their common shape.

    Arrays that have this shape are returned unchanged, and others as read-only views.
    """
    like = next((x for x in arrays if isinstance(x, Array)), None)
    if arrays and like is None:
        raise InvalidTypeError("broadcast_arrays", "needs at least one hither.Array")
    converted = [_array(x, i, like) for i, x in enumerate(arrays)]
    shape = broadcast_shapes(*(x.shape for x in converted))
    return tuple(x if x.shape == shape else broadcast_to(x, shape) for x in converted)


def _array(value: Any, place: int, like: Any) -> Array:
    if isinstance(value, Array):
        return value
    if isinstance(value, (bool, int, float, complex, np.generic)):
        return full((), value, queue=like.queue, usm_type=like.usm_type)
    raise InvalidTypeError(
        "broadcast_arrays",
        f"arrays[{place}] is {a_type(value)}; give arrays and numbers, and convert other "
        "data by hither.asarray(..., queue=x.queue)",
    )
