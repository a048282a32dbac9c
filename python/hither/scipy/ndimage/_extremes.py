"""Minimum, maximum, median and other rank filters."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array
from ...numpy._placement import operands, place_like
from ...numpy._sorting import sorted_along
from ._arguments import Output, axes_of, converted, filter_mode, for_each, host, refuse_complex
from ._borders import along_axis, padded, shifted
from ._correlation import axis_of, spread, spread_origins
from ._smoothing import check_window, copied
from ._windows import combined

__all__ = [
    "maximum_filter", "maximum_filter1d", "median_filter", "minimum_filter", "minimum_filter1d",
    "percentile_filter", "rank_filter",
]  # fmt: skip

_MOST_COMPARED = 25  # elements of a window that a network of comparisons sorts; more are sorted
_MOST_SORTED = 1 << 24  # elements that are sorted at a time


def _extreme(
    x: Array, size: int, axis: int, origin: int, dtype: np.dtype, border: tuple[str, float],
    pick: Callable[[Array, Array], Array],
) -> Array:  # fmt: skip
    window = check_window("minimum_filter1d" if pick is h.minimum else "maximum_filter1d",
                          size, origin)  # fmt: skip
    return along_axis(x, axis, window, border, dtype,
                      lambda block: combined(pick, block, axis, size))  # fmt: skip


def _extreme_1d(
    function: str, x: Array, size: Any, axis: int, output: Any, mode: str, cval: float, origin: int,
    pick: Callable[[Array, Array], Array],
) -> Array:  # fmt: skip
    refuse_complex(function, x)
    axis = axis_of("axis", axis, x.ndim)
    check_window(function, size, origin)
    target = Output(function, output, x, x.shape)
    border = filter_mode(function, mode), float(cval)
    return target(_extreme(x, int(size), axis, origin, target.dtype, border, pick))


@operands("input")
def minimum_filter1d(
    input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect",
    cval: float = 0.0, origin: int = 0,
) -> Any:  # fmt: skip
    """The minima of windows of `size` elements along an axis."""
    return _extreme_1d("minimum_filter1d", input, size, axis, output, mode, cval, origin, h.minimum)


@operands("input")
def maximum_filter1d(
    input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect",
    cval: float = 0.0, origin: int = 0,
) -> Any:  # fmt: skip
    """The maxima of windows of `size` elements along an axis."""
    return _extreme_1d("maximum_filter1d", input, size, axis, output, mode, cval, origin, h.maximum)


def _footprint(function: str, size: Any, footprint: Any, axes: tuple[int, ...]) -> np.ndarray:
    """The window as an array of bools with one dimension for each axis."""
    if footprint is None:
        if size is None:
            raise RuntimeError(f"{function}: no footprint or filter size provided")
        sizes = [int(n) for n in for_each(function, "size", size, len(axes))]
        if min(sizes, default=1) < 0:
            raise ValueError(f"{function}: size={size} has a negative extent")
        return np.ones(sizes, dtype=bool)
    if size is not None:
        warnings.warn("ignoring size because footprint is set", UserWarning, stacklevel=5)
    return host(footprint, bool)


def _windows_of(
    function: str, footprint: np.ndarray, origin: Any, axes: tuple[int, ...], ndim: int
) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """The footprint with all dimensions, and its reach along each."""
    footprint = spread(function, "footprint", footprint, axes, ndim)
    origins = spread_origins(function, origin, axes, ndim)
    windows = []
    for start, extent in zip(origins, footprint.shape, strict=True):
        if not 0 <= extent // 2 + start < extent:
            raise ValueError(f"{function}: invalid origin: {start} moves a footprint of {extent} "
                             "elements off its element")  # fmt: skip
        windows.append((extent // 2 + start, extent - 1 - extent // 2 - start))
    return footprint, windows


def _views(x: Array, footprint: np.ndarray, windows: Any, border: tuple[str, float]) -> list[Array]:
    """For each element of the footprint, the elements of x that are there."""
    block = padded(x, windows, border)
    offsets = [k for k in np.ndindex(footprint.shape) if footprint[k]]
    return [shifted(block, k, x.shape) for k in offsets]


def _extreme_nd(
    function: str, x: Array, size: Any, footprint: Any, output: Any, mode: Any, cval: float,
    origin: Any, axes: Any, pick: Callable[[Array, Array], Array],
) -> Array:  # fmt: skip
    refuse_complex(function, x)
    axes = axes_of(function, axes, x.ndim)
    if footprint is None and size is None:
        raise RuntimeError(f"{function}: no footprint provided; give size or footprint")
    shape = _footprint(function, size, footprint, axes)
    if footprint is not None and not shape.any():
        raise ValueError(f"{function}: All-zero footprint is not supported.")
    target = Output(function, output, x, x.shape)
    if shape.all():
        sizes = tuple(for_each(function, "size", shape.shape, len(axes)))
        return target(_separable(function, x, sizes, mode, cval, origin, axes, target.dtype,
                                 pick))  # fmt: skip
    shape, windows = _windows_of(function, shape, origin, axes, x.ndim)
    border = filter_mode(function, mode), float(cval)
    if x.size == 0:
        return target(h.empty(x.shape, target.dtype, **place_like(x)))
    views = _views(x, shape, windows, border)
    result = views[0]
    for view in views[1:]:
        result = pick(result, view)
    return target(copied(result, target.dtype))


def _separable(
    function: str, x: Array, sizes: tuple[int, ...], mode: Any, cval: float, origin: Any,
    axes: tuple[int, ...], dtype: np.dtype, pick: Callable[[Array, Array], Array],
) -> Array:  # fmt: skip
    """Boxes: one axis after the other."""
    modes = for_each(function, "mode", mode, len(axes))
    origins = for_each(function, "origin", origin, len(axes))
    result = x
    for axis, size, start, extension in zip(axes, sizes, origins, modes, strict=True):
        if size > 1:
            border = filter_mode(function, extension), float(cval)
            result = _extreme(result, size, axis, int(start), dtype, border, pick)
    return result if result is not x else copied(x, dtype)


@operands("input")
def minimum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: float = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The minima of the elements in a box of `size`, or under a footprint."""
    return _extreme_nd("minimum_filter", input, size, footprint, output, mode, cval, origin, axes,
                       h.minimum)  # fmt: skip


@operands("input")
def maximum_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: float = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The maxima of the elements in a box of `size`, or under a footprint."""
    return _extreme_nd("maximum_filter", input, size, footprint, output, mode, cval, origin, axes,
                       h.maximum)  # fmt: skip


def _comparisons(count: int) -> list[tuple[int, int]]:
    """The pairs of Batcher's odd-even merge sort of `count` elements, in order."""
    pairs = []
    p = 1
    while p < count:
        k = p
        while k >= 1:
            for j in range(k % p, count - k, 2 * k):
                for i in range(min(k, count - j - k)):
                    if (i + j) // (2 * p) == (i + j + k) // (2 * p):
                        pairs.append((i + j, i + j + k))
            k //= 2
        p *= 2
    return pairs


def _selected(views: list[Array], rank: int) -> Array:
    """The element of this rank among the views' elements, by comparisons in one kernel."""
    needed, steps = {rank}, []
    for low, high in reversed(_comparisons(len(views))):
        if low in needed or high in needed:
            steps.append((low, high, low in needed, high in needed))
            needed |= {low, high}
    values = list(views)
    for low, high, keep_low, keep_high in reversed(steps):
        a, b = values[low], values[high]
        if keep_low:
            values[low] = h.minimum(a, b)
        if keep_high:
            values[high] = h.maximum(a, b)
    return values[rank]


def _sorted(views: list[Array], rank: int, dtype: np.dtype) -> Array:
    """The same by sorting, for some rows at a time."""
    shape = views[0].shape
    flat = len(shape) == 0
    if flat:
        views = [h.reshape(view, (1,)) for view in views]
    result = h.empty(views[0].shape, dtype, **place_like(views[0]))
    rows = views[0].shape[0]
    row = max(1, views[0].size // max(1, rows)) * len(views)
    step = max(1, _MOST_SORTED // row)
    for start in range(0, rows, step):
        stack = h.stack([view[start : start + step] for view in views], axis=-1)
        result[start : start + step] = converted(sorted_along(stack)[..., rank], dtype)
    return h.reshape(result, shape) if flat else result


def _ranked(
    function: str, x: Array, rank: Any, size: Any, footprint: Any, output: Any, mode: Any,
    cval: float, origin: Any, axes: Any,
) -> Array:  # fmt: skip
    """`rank` is a function of the number of elements in the footprint."""
    refuse_complex(function, x)
    axes = axes_of(function, axes, x.ndim)
    shape = _footprint(function, size, footprint, axes)
    count = int(shape.sum())
    place = rank(count)
    if place < 0:
        place += count
    if not 0 <= place < count:
        raise RuntimeError(f"{function}: rank not within filter footprint size, which is {count}")
    if place in (0, count - 1):
        pick = h.minimum if place == 0 else h.maximum
        return _extreme_nd(function, x, None, shape, output, mode, cval, origin, axes, pick)
    shape, windows = _windows_of(function, shape, origin, axes, x.ndim)
    target = Output(function, output, x, x.shape)
    border = filter_mode(function, mode), float(cval)
    if x.size == 0:
        return target(h.empty(x.shape, target.dtype, **place_like(x)))
    views = _views(x, shape, windows, border)
    if count <= _MOST_COMPARED:
        return target(copied(_selected(views, place), target.dtype))
    return target(_sorted(views, place, target.dtype))


@operands("input")
def rank_filter(
    input: Any, rank: int, size: Any = None, footprint: Any = None, output: Any = None,
    mode: Any = "reflect", cval: float = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The element of a rank among the elements in a box of `size`, or under a footprint.

    The smallest element has rank 0, and the largest rank -1.
    """
    place = operator.index(rank)
    return _ranked("rank_filter", input, lambda count: place, size, footprint, output, mode, cval,
                   origin, axes)  # fmt: skip


@operands("input")
def median_filter(
    input: Any, size: Any = None, footprint: Any = None, output: Any = None, mode: Any = "reflect",
    cval: float = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The medians of the elements in a box of `size`, or under a footprint."""
    return _ranked("median_filter", input, lambda count: count // 2, size, footprint, output, mode,
                   cval, origin, axes)  # fmt: skip


@operands("input")
def percentile_filter(
    input: Any, percentile: float, size: Any = None, footprint: Any = None, output: Any = None,
    mode: Any = "reflect", cval: float = 0.0, origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """A percentile of the elements in a box of `size`, or under a footprint: one of them."""
    share = percentile + 100.0 if percentile < 0.0 else float(percentile)
    if not 0 <= share <= 100:
        raise RuntimeError(f"percentile_filter: percentile={percentile}; invalid percentile, it "
                           "must be from -100 to 100")  # fmt: skip

    def place(count: int) -> int:
        return count - 1 if share == 100.0 else int(float(count) * share / 100.0)

    return _ranked("percentile_filter", input, place, size, footprint, output, mode, cval, origin,
                   axes)  # fmt: skip
