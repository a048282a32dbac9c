"""Reductions of sharded arrays, whose bits do not depend on the number of parts.

Sums, products and extremes of floating-point numbers combine chunks of the whole array
(rows.rows_of_chunk()) on the queue that has them. One reduction on the first queue combines the
results, whose number depends on the whole array. Chunks do not cross blocks. Other reductions
are exact in any order.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import AxisError, InvalidTypeError, InvalidValueError
from .rows import cut, joined, moved, rows_of_chunk, uniform_bounds

if TYPE_CHECKING:
    from .sharded_array import ShardedArray

__all__: list[str] = []

# GPUs choose the order of a reduction by the extents of the other axes too, but not that of a
# reduction of up to this many elements (array/plan/reduce_plan.h: kShortExtent).
_IN_ORDER = 16
_INEXACT = ("sum", "prod", "max", "min")


def axes_of(name: str, axis: Any, ndim: int) -> tuple[int, ...]:
    """The argument `axis` of a reduction as numbers from 0."""
    if axis is None:
        return tuple(range(ndim))
    given = tuple(axis) if isinstance(axis, (list, tuple)) else (axis,)
    found = []
    for number in given:
        if isinstance(number, bool) or not hasattr(number, "__index__"):
            raise InvalidTypeError(name, f"axis contains {number!r}; pass an int or several")
        place = number.__index__()
        if not -ndim <= place < ndim:
            raise AxisError(name, f"axis {place} is out of range for an array of {ndim} dimensions")
        found.append(place % ndim)
    if len(set(found)) != len(found):
        raise InvalidValueError(name, f"axis {axis} names an axis twice")
    return tuple(sorted(found))


def orders_by_all_extents(x: Array) -> bool:
    """Whether the order of a reduction depends on the extents of axes before the reduced one."""
    return x.queue.device.device_type == "gpu"


def _reduction(name: str, dtype: np.dtype) -> Callable[..., Array]:
    """The reduction of arrays of this dtype. Only NumPy orders complex numbers."""
    of_numpy = dtype.kind == "c" and name in ("max", "min", "argmax", "argmin")
    return getattr(importlib.import_module("hither.numpy") if of_numpy else h, name)


def _reduced(name: str, x: Array, axis: int, options: dict[str, Any]) -> Array:
    """The reduction, submitted now on GPUs: one kernel for it and for what reads it could have
    another order."""
    result = _reduction(name, x.dtype)(x, axis=axis, **options)
    if orders_by_all_extents(x):
        result.evaluate()
    return result


def _along(name: str, x: Array, axis: int, options: dict[str, Any]) -> Array:
    """The reduction of one axis in an order that depends on the extents of this axis and of those
    after it."""
    if orders_by_all_extents(x):
        while x.shape[axis] > _IN_ORDER:
            before, extent, after = x.shape[:axis], x.shape[axis], x.shape[axis + 1 :]
            groups = extent // _IN_ORDER
            whole = cut(x, axis, 0, groups * _IN_ORDER)
            parts = h.reshape(whole, (*before, _IN_ORDER, groups, *after))
            folded = _reduced(name, parts, axis, options)
            rest = cut(x, axis, groups * _IN_ORDER, extent)
            if rest.shape[axis] > 0:
                rest = h.astype(rest, folded.dtype, copy=False)
                folded = h.concat([folded, rest], axis=axis)
            x = folded
    return _reduced(name, x, axis, options)


def _rows_first(piece: Array, axis: int) -> Array:
    """The piece in C order with the rows as the first axis, so that the order of its reductions
    cannot depend on the number of rows."""
    x = h.moveaxis(piece, axis, 0) if axis else piece
    return x if x.flags.c_contiguous else x.copy(order="C")


def _chunks(name: str, x: Array, size: int, options: dict[str, Any]) -> list[Array]:
    """The reductions of each chunk of rows, and of a last chunk that is shorter."""
    if size == 1 or x.shape[0] == 0:
        return [x]
    groups = x.shape[0] // size
    found = []
    if groups:
        whole = h.reshape(cut(x, 0, 0, groups * size), (groups, size, *x.shape[1:]))
        found.append(_along(name, whole, 1, options))
    if groups * size < x.shape[0]:
        last = h.reshape(cut(x, 0, groups * size, x.shape[0]), (1, -1, *x.shape[1:]))
        found.append(_along(name, last, 1, options))
    return found


def _inner(name: str, x: Array, axes: tuple[int, ...], options: dict[str, Any]) -> Array:
    """The reductions of axes other than that of the rows, one after the other."""
    for axis in sorted(axes, reverse=True):
        x = _along(name, x, axis, options)
    return x


def _inexact(
    name: str, x: ShardedArray, axes: tuple[int, ...], options: dict[str, Any]
) -> ShardedArray | Array:
    from .sharded_array import ShardedArray

    mesh, rows = x.mesh, x.shape[x.axis]
    bounds = uniform_bounds(rows, len(mesh))
    first = [joined(part, x.axis) for part in x._rows().aligned(bounds, mesh)]
    others = [axis for axis in range(x.ndim) if axis != x.axis]
    local = tuple(1 + others.index(axis) for axis in axes if axis != x.axis)
    pieces = [_inner(name, _rows_first(piece, x.axis), local, options) for piece in first]
    if x.axis not in axes:
        place = sum(1 for axis in range(x.axis) if axis not in axes)
        return ShardedArray._of(mesh, place, [[h.moveaxis(p, 0, place)] for p in pieces])
    size = rows_of_chunk(rows)
    found = [
        chunk
        for piece in pieces
        if piece.shape[0] > 0 or rows == 0
        for chunk in _chunks(name, piece, size, options)
    ]
    together = h.concat([moved(chunk, mesh[0]) for chunk in found[: None if rows else 1]], axis=0)
    return _reduction(name, together.dtype)(together, axis=0, **options)


def _exact(
    name: str, x: ShardedArray, axes: tuple[int, ...], options: dict[str, Any]
) -> ShardedArray | Array:
    """Reductions whose results do not depend on the order."""
    from .sharded_array import ShardedArray

    reduction = getattr(h, name)
    rows = x._rows()
    parts = [[reduction(p, axis=axes, keepdims=True, **options) for p in part]
             for part in (rows.pieces if x.axis not in axes else _filled(rows.pieces, x.axis))
            ]  # fmt: skip
    if x.axis not in axes:
        place = sum(1 for axis in range(x.axis) if axis not in axes)
        return ShardedArray._of(x.mesh, place, [[h.squeeze(p, axis=axes) for p in part]
                                                for part in parts])  # fmt: skip
    together = h.concat([moved(p, x.mesh[0]) for part in parts for p in part], axis=x.axis)
    then = "sum" if name == "count_nonzero" else name
    same = {"dtype": together.dtype} if then in ("sum", "prod") else {}
    kept = getattr(h, then)(together, axis=x.axis, keepdims=True, **same)
    return h.squeeze(kept, axis=axes)


def _filled(pieces: list[list[Array]], axis: int) -> list[list[Array]]:
    """The pieces that have rows, or one if none has."""
    found = [[p for p in part if p.shape[axis] > 0] for part in pieces]
    return found if any(found) else [pieces[0][:1]]


def _index(name: str, x: ShardedArray, axis: Any) -> ShardedArray | Array:
    """argmax and argmin: those of the parts, and then the first part that has the extreme."""
    from .sharded_array import ShardedArray

    if axis is None:
        if x.axis != 0:
            x = x.reshard(0)
        flat = [[h.reshape(p, (-1,)) for p in part] for part in x._pieces]
        x = ShardedArray._of(x.mesh, 0, flat)
        axis = 0
    (place,) = axes_of(name, axis, x.ndim)
    reduction = _reduction(name, x.dtype)
    if place != x.axis:
        pieces = [[reduction(p, axis=place) for p in part] for part in x._pieces]
        return ShardedArray._of(x.mesh, x.axis - (place < x.axis), pieces)
    values, indices, first = [], [], 0
    extreme = _reduction("max" if name == "argmax" else "min", x.dtype)
    for part in _filled(x._pieces, place):
        for piece in part:
            values.append(moved(extreme(piece, axis=place, keepdims=True), x.mesh[0]))
            found = reduction(piece, axis=place, keepdims=True) + first
            indices.append(moved(found, x.mesh[0]))
            first += piece.shape[place]
    chosen = reduction(h.concat(values, axis=place), axis=place, keepdims=True)
    every = h.concat(indices, axis=place)
    return h.squeeze(h.take_along_axis(every, chosen, axis=place), axis=place)


def reduce(name: str, x: ShardedArray, axis: Any = None, **options: Any) -> Any:
    """One of hither's reductions, without keepdims. The result is an array on the first queue of
    the mesh if the divided axis is reduced, else a sharded array."""
    if name in ("argmax", "argmin"):
        return _index(name, x, axis)
    axes = axes_of(name, axis, x.ndim)
    if not axes:
        reduction = _reduction(name, x.dtype)
        pieces = [[reduction(p, axis=(), **options) for p in part] for part in x._pieces]
        return type(x)._of(x.mesh, x.axis, pieces)
    dtype = options.pop("dtype", None)
    kind = np.dtype(x.dtype if dtype is None else dtype)
    if name not in _INEXACT or kind.kind not in "fc":
        return _exact(name, x, axes, options if dtype is None else {"dtype": kind})
    if name in ("sum", "prod"):
        wide = x.astype(_accumulator(kind), copy=False)
        return _inexact(name, wide, axes, options).astype(kind, copy=False)
    return _inexact(name, x, axes, options)


def mean(x: ShardedArray, axis: Any, dtype: Any = None) -> Any:
    """The mean, as the sum divided by the number of elements."""
    axes = axes_of("mean", axis, x.ndim)
    number = math.prod(x.shape[i] for i in axes)
    kind = np.dtype(dtype) if dtype is not None else _real_dtype(x.dtype)
    total = reduce("sum", x, axes, dtype=_accumulator(kind))
    result = total / number  # NaN if there are none
    return result.astype(kind)


def var(x: ShardedArray, axis: Any, dtype: Any = None, correction: float = 0) -> Any:
    """The variance, in two passes."""
    axes = axes_of("var", axis, x.ndim)
    kind = np.dtype(dtype) if dtype is not None else _real_dtype(x.dtype)
    wide = x.astype(_accumulator(kind), copy=False)
    centre = mean(wide, axes)
    for axis_number in axes:
        centre = expanded(centre, axis_number)
    gap = wide - centre
    squares = gap * gap if kind.kind == "f" else gap.real * gap.real + gap.imag * gap.imag
    number = max(math.prod(x.shape[i] for i in axes) - correction, 0)
    total = reduce("sum", squares, axes)
    result = total / number  # NaN if there are none
    return result.astype(np.empty(0, kind).real.dtype)


def expanded(x: Any, axis: int) -> Any:
    """x with a new axis of extent 1."""
    return x[(slice(None),) * axis + (None,)]


def _real_dtype(dtype: np.dtype) -> np.dtype:
    return dtype if dtype.kind in "fc" else np.dtype(np.float64)


def _accumulator(kind: np.dtype) -> np.dtype:
    return np.dtype(np.float32) if kind == np.float16 else kind
