"""Filters over windows that slide along one axis or several, with the input extended at its ends.

Windows are shifted views, and what is computed of them is one fused kernel. Along one axis, only
the ends are copied: the windows in the middle are views of the input itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...numpy._placement import place_like
from ._arguments import accumulator, check_memory, converted

__all__: list[str] = []

_LONG_WINDOW = 16  # its elements take several kernels
_MANY = 2**12  # positions that the host computes at a time
# Blocks of rows on CPUs: for each core so many elements that three arrays of them fit in its cache.
_ROWS, _ELEMENTS = 16, 2**15

# Of blocks of an axis: makes an output for each window of the block.
Combine = Callable[[Array], Array]


def _positions(start: int, stop: int, length: int, mode: str) -> np.ndarray:
    """The elements of an axis of `length` elements that stand at positions start to stop."""
    at = np.arange(start, stop)
    if mode == "wrap":
        return at % length
    if mode == "reflect":
        at = at % (2 * length)
        return np.where(at < length, at, 2 * length - 1 - at)
    if mode == "mirror":
        if length == 1:
            return np.zeros_like(at)
        at = at % (2 * length - 2)
        return np.where(at < length, at, 2 * length - 2 - at)
    return np.clip(at, 0, length - 1)


def part(axis: int, start: int, stop: int) -> tuple[Any, ...]:
    """The index of a part of an axis."""
    return (slice(None),) * axis + (slice(start, stop),)


def extended(x: Array, axis: int, start: int, stop: int, mode: str, cval: float) -> Array:
    """The elements at positions start to stop of an axis that is continued at both ends.

    A constant that x's dtype does not hold makes an array of floating-point numbers.
    """
    length = x.shape[axis]
    shape = (*x.shape[:axis], stop - start, *x.shape[axis + 1 :])
    check_memory("filter", shape, x.dtype, x)
    if mode != "constant":
        first, last = max(0, -start), max(0, stop - length)
        pieces = []
        if first:
            pieces.append(_taken(x, axis, start, min(0, stop), mode))
        if max(start, 0) < min(stop, length):
            pieces.append(x[part(axis, max(start, 0), min(stop, length))])
        if last:
            pieces.append(_taken(x, axis, max(start, length), stop, mode))
        return pieces[0] if len(pieces) == 1 else h.concat(pieces, axis)
    if x.dtype.kind in "biu" and not _holds(x.dtype, cval):
        x = astype(x, accumulator(x))
    value = bool(cval) if x.dtype.kind == "b" else int(cval) if x.dtype.kind in "iu" else cval
    result = h.full(shape, value, x.dtype, **place_like(x))
    low, high = max(start, 0), min(stop, length)
    if low < high:
        result[part(axis, low - start, high - start)] = x[part(axis, low, high)]
    return result


def _taken(x: Array, axis: int, start: int, stop: int, mode: str) -> Array:
    length, count = x.shape[axis], stop - start
    period = {"wrap": length, "reflect": 2 * length, "mirror": max(1, 2 * length - 2)}.get(mode, 1)
    if count <= max(_MANY, 2 * period):
        places = h.asarray(_positions(start, stop, length, mode), queue=x.queue)
        return h.take(x, places, axis=axis)
    one = _taken(x, axis, start, start + period, mode)  # which the extension repeats
    before, after = x.shape[:axis], x.shape[axis + 1 :]
    repeats = -(-count // period)
    several = h.broadcast_to(h.expand_dims(one, axis), (*before, repeats, period, *after))
    return h.reshape(several, (*before, repeats * period, *after))[part(axis, 0, count)]


def _holds(dtype: np.dtype, value: float) -> bool:
    if dtype.kind == "b":
        return value in (0, 1)
    limits = np.iinfo(dtype)
    return bool(np.isfinite(value)) and value == int(value) and limits.min <= value <= limits.max


def along_axis(
    x: Array, axis: int, window: tuple[int, int], border: tuple[str, float], dtype: np.dtype,
    combine: Combine,
) -> Array:  # fmt: skip
    """combine() of the windows that reach `window` elements before and after each element.

    combine() takes a block of the axis and makes an output for each whole window in it.
    """
    before, after = window
    length = x.shape[axis]
    result = h.empty(x.shape, dtype, **place_like(x))
    if x.size == 0:
        return result
    middle = length - before - after
    if middle <= 0 or before + after == 0:
        whole = x if before + after == 0 else extended(x, axis, -before, length + after, *border)
        result[...] = converted(combine(whole), dtype)
        return result
    _store_in_blocks(result[part(axis, before, before + middle)], x, axis, before + after, combine)
    if before:
        block = extended(x, axis, -before, before + after, *border)
        result[part(axis, 0, before)] = converted(combine(block), dtype)
    if after:
        block = extended(x, axis, length - before - after, length + after, *border)
        result[part(axis, length - after, length)] = converted(combine(block), dtype)
    return result


def _store_in_blocks(target: Array, x: Array, axis: int, reach: int, combine: Combine) -> None:
    """target[...] = combine(x).

    A long window is several kernels. CPUs compute blocks of rows, so that what one kernel leaves
    for the next one is in their caches.
    """
    rows, device = target.shape[0], x.queue.device
    count = rows
    if reach >= _LONG_WINDOW and device.has_aspect_cpu:
        elements = _ELEMENTS * device.max_compute_units
        count = max(_ROWS, elements * rows // max(target.size, 1))
        if axis == 0:  # combine() may walk over all rows of a block
            count = max(count, 4 * reach)
    for first in range(0, rows, count):
        last = min(first + count, rows)
        block = x[first : last + reach] if axis == 0 else x[first:last]
        target[first:last] = converted(combine(block), target.dtype)


def padded(x: Array, windows: list[tuple[int, int]], border: tuple[str, float]) -> Array:
    """x continued along all axes, for windows of several axes."""
    for axis, (before, after) in enumerate(windows):
        if before or after:
            x = extended(x, axis, -before, x.shape[axis] + after, *border)
    return x


def shifted(block: Array, offsets: tuple[int, ...], shape: tuple[int, ...]) -> Array:
    """The elements of a padded array that are at an offset from each element of the input."""
    return block[tuple(slice(k, k + n) for k, n in zip(offsets, shape, strict=True))]
