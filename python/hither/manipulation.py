"""Manipulation functions that are made of others. All return views unless they say otherwise."""

from __future__ import annotations

import operator
from typing import Any

from ._hither import (
    Array,
    astype,
    broadcast_shapes,
    broadcast_to,
    copy,
    expand_dims,
    permute_dims,
    reshape,
    squeeze,
)

__all__ = [
    "astype",
    "broadcast_arrays",
    "broadcast_shapes",
    "broadcast_to",
    "copy",
    "expand_dims",
    "flip",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "reshape",
    "squeeze",
    "tile",
    "unstack",
]


def _axes(axis: Any, ndim: int, name: str) -> list[int]:
    given = axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = []
    for value in given:
        index = operator.index(value)
        if not -ndim <= index < ndim:
            raise IndexError(f"{name}: axis {index} is out of bounds for {ndim} dimensions")
        axes.append(index % ndim)
    if len(set(axes)) != len(axes):
        raise ValueError(f"{name}: an axis is named twice in {axis}")
    return axes


def flip(x: Array, /, *, axis: Any = None) -> Array:
    """x with its elements reversed along `axis` (an int, a tuple, or None for all axes)."""
    axes = range(x.ndim) if axis is None else _axes(axis, x.ndim, "flip")
    return x[tuple(slice(None, None, -1 if i in axes else 1) for i in range(x.ndim))]


def moveaxis(x: Array, source: Any, destination: Any, /) -> Array:
    """x with the axes `source` moved to the places `destination`; the others keep their order."""
    sources = _axes(source, x.ndim, "moveaxis")
    places = _axes(destination, x.ndim, "moveaxis")
    if len(sources) != len(places):
        raise ValueError("moveaxis: source and destination have different lengths")
    order = [axis for axis in range(x.ndim) if axis not in sources]
    for place, axis in sorted(zip(places, sources, strict=True)):
        order.insert(place, axis)
    return permute_dims(x, order)


def matrix_transpose(x: Array, /) -> Array:
    """x with its last two axes exchanged."""
    return x.mT


def unstack(x: Array, /, *, axis: int = 0) -> tuple[Array, ...]:
    """The views of x along `axis`, without that axis."""
    (place,) = _axes(axis, x.ndim, "unstack")
    before = (slice(None),) * place
    return tuple(x[(*before, i)] for i in range(x.shape[place]))


def broadcast_arrays(*arrays: Array) -> tuple[Array, ...]:
    """The arrays, repeated to the shape that they all broadcast to."""
    shape = broadcast_shapes(*(x.shape for x in arrays))
    return tuple(broadcast_to(x, shape) for x in arrays)


def tile(x: Array, repetitions: tuple[int, ...], /) -> Array:
    """x repeated along each axis, in new memory."""
    counts = tuple(repetitions) if isinstance(repetitions, (tuple, list)) else (repetitions,)
    rank = max(x.ndim, len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    shape = (1,) * (rank - x.ndim) + x.shape
    pairs = reshape(x, tuple(n for extent in shape for n in (1, extent)))
    spread = tuple(n for pair in zip(counts, shape, strict=True) for n in pair)
    result = tuple(count * extent for count, extent in zip(counts, shape, strict=True))
    return reshape(broadcast_to(pairs, spread), result, copy=True)
