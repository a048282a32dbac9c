"""Spline coefficients of arrays, and kernels that evaluate splines at coordinates."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, Range

__all__: list[str] = []

# Ways to extend an array, as the kernels know them.
MODES = {
    "nearest": 0, "wrap": 1, "reflect": 2, "grid-mirror": 2, "mirror": 3, "constant": 4,
    "grid-wrap": 5, "grid-constant": 6,
}  # fmt: skip
_MIRROR, _REFLECT, _GRID_WRAP = 0, 1, 2  # the ends of a line of coefficients

_POLES = {
    2: (math.sqrt(8.0) - 3.0,),
    3: (math.sqrt(3.0) - 2.0,),
    4: (
        math.sqrt(664.0 - math.sqrt(438976.0)) + math.sqrt(304.0) - 19.0,
        math.sqrt(664.0 + math.sqrt(438976.0)) - math.sqrt(304.0) - 19.0,
    ),
    5: (
        math.sqrt(67.5 - math.sqrt(4436.25)) + math.sqrt(26.25) - 6.5,
        math.sqrt(67.5 + math.sqrt(4436.25)) - math.sqrt(26.25) - 6.5,
    ),
}


def ends_of(mode: int) -> int:
    """How the spline of a mode continues the line of coefficients."""
    if mode == MODES["grid-wrap"]:
        return _GRID_WRAP
    return _REFLECT if mode in (MODES["reflect"], MODES["nearest"]) else _MIRROR


@functools.cache
def _line_filter() -> Any:
    """The kernel that filters the columns of an array in place, for one pole."""
    from ..._kernel.language.decorator import kernel
    from ..._kernel.language.work_item import get_global_id

    @kernel(fma=False)
    def filter_lines(c: Any, z: float, gain: float, ends: int) -> None:
        j = get_global_id(0)
        n = c.shape[0]
        for i in range(n):
            c[i, j] *= gain
        step = z
        first = c[0, j]
        if ends == 0:
            power = z ** (n - 1)
            first += power * c[n - 1, j]
            for i in range(1, n - 1):
                first += step * (c[i, j] + power * c[n - 1 - i, j])
                step *= z
            first /= 1.0 - power * power
        elif ends == 1:
            power = z**n
            first += power * c[n - 1, j]
            for i in range(1, n):
                first += step * (c[i, j] + power * c[n - 1 - i, j])
                step *= z
            first = first * (z / (1.0 - power * power)) + c[0, j]
        else:
            for i in range(1, n):
                first += step * c[n - i, j]
                step *= z
            first /= 1.0 - step
        c[0, j] = first
        for i in range(1, n):
            c[i, j] += z * c[i - 1, j]
        if ends == 0:
            c[n - 1, j] = (z * c[n - 2, j] + c[n - 1, j]) * z / (z * z - 1.0)
        elif ends == 1:
            c[n - 1, j] *= z / (z - 1.0)
        else:
            step = z
            last = c[n - 1, j]
            for i in range(n - 1):
                last += step * c[i, j]
                step *= z
            c[n - 1, j] = last * (z / (step - 1.0))
        for i in range(n - 2, -1, -1):
            c[i, j] = z * (c[i + 1, j] - c[i, j])

    return filter_lines


def coefficients(x: Array, order: int, axis: int, mode: int) -> Array:
    """The coefficients of splines along an axis; a new array of x's floating-point dtype."""
    lines = h.moveaxis(x, axis, 0)
    shape = lines.shape
    columns = h.copy(h.reshape(lines, (shape[0], math.prod(shape[1:]))))
    if shape[0] > 1 and x.size:
        for number, z in enumerate(_POLES[order]):
            # All poles' gains are applied with the first pole, as SciPy does.
            gain = 1.0 if number else math.prod((1 - p) * (1 - 1 / p) for p in _POLES[order])
            _line_filter()[Range(columns.shape[1])](columns, z, gain, ends_of(mode))
    return h.moveaxis(h.reshape(columns, shape), 0, axis)


@functools.cache
def _mapped() -> Callable[[float, int, int], float]:
    """The function that moves a coordinate into an axis of n elements."""
    from ..._kernel.language.device_func import device_func

    @device_func
    def mapped(at: float, n: int, mode: int) -> float:
        if 0 <= at <= n - 1 or mode == 6:
            return at
        if mode == 4:
            return -1.0
        if mode == 0:
            return 0.0 if at < 0 else n - 1.0
        if n <= 1:
            return 0.0
        if mode == 1:
            size = n - 1.0
            return at + size * (math.floor(-at / size) + 1.0) if at < 0 else (
                at - size * math.floor(at / size))  # fmt: skip
        if mode == 5:
            return at + n * (math.floor((-1.0 - at) / n) + 1.0) if at < 0 else (
                at - n * math.floor(at / n))  # fmt: skip
        if mode == 3:
            size = 2.0 * n - 2.0
            if at < 0:
                at += size * math.floor(-at / size)
                return at + size if at <= 1 - n else -at
            at -= size * math.floor(at / size)
            return size - at if at >= n else at
        size = 2.0 * n
        if at < 0:
            if at < -size:
                at += size * math.floor(-at / size)
            if at < -n:
                return at + size
            return (1e-15 if at > -1e-15 else -at) - 1.0
        at -= size * math.floor(at / size)
        return size - at - 1.0 if at >= n else at

    return mapped


@functools.cache
def _basis(order: int) -> Any:
    """The function that stores the weights of B-splines at x, and the offsets of their coefficients
    along an axis; -1 for those that are constant."""
    from ..._kernel.language.device_func import device_func

    mapped = _mapped()
    width = order + 1

    @device_func
    def store(
        weights: Any, offsets: Any, base: int, x: float, n: int, stride: int, mode: int, ends: int
    ) -> None:
        low = math.floor(x) if order % 2 else math.floor(x + 0.5)
        u = x - low if order % 2 else x + 0.5 - low
        weights[base] = 1.0
        for d in range(1, width):
            saved = 0.0
            for r in range(d):
                share = weights[base + r] / d
                weights[base + r] = saved + (r + 1 - u) * share
                saved = (u + (d - 1 - r)) * share
            weights[base + d] = saved
        for k in range(width):
            position = int(low) - order // 2 + k
            if 0 <= position < n:
                offsets[base + k] = position * stride
            elif mode == 6:
                offsets[base + k] = -1
            else:
                offsets[base + k] = int(mapped(float(position), n, ends)) * stride

    return store


@functools.cache
def _coordinate(ndim: int, kind: str) -> Any:
    """The function that makes the coordinate of an output along an axis of the input. It is given
    the indices of the output."""
    from ..._kernel.language.device_func import device_func

    of_points, of_table = kind == "points", kind == "table"

    @device_func
    def coordinate(places: Any, extents: Any, at: Any, a: int, i: int, count: int) -> float:
        if of_points:
            return float(places[a * count + i])
        if of_table:
            start = at[a]
            for b in range(a):
                start += extents[b]
            return float(places[start])
        x = float(places[ndim * ndim + a])
        for b in range(ndim):
            x += places[a * ndim + b] * at[b]
        return x

    return coordinate


@functools.cache
def _evaluation(order: int, ndim: int, kind: str) -> Any:
    """The kernel that evaluates a spline, for coordinates of a kind: "points" are given one by one,
    "table" for each axis, and "matrix" by an affine map of the indices."""
    from ..._kernel.language import private
    from ..._kernel.language.decorator import kernel
    from ..._kernel.language.work_item import get_global_id

    mapped, store, coordinate = _mapped(), _basis(order), _coordinate(ndim, kind)
    width = order + 1
    terms, pieces = width**ndim, width * ndim
    has_indices = kind != "points"

    @kernel(fma=False)
    def evaluate(
        c: Any, shape: Any, extents: Any, places: Any, pad: float, mode: int, ends: int,
        cval: float, result: Any,
    ) -> None:  # fmt: skip
        i = get_global_id(0)
        at = private.array(ndim, np.int64)
        rest = i
        if has_indices:
            for g in range(ndim):
                at[ndim - 1 - g] = rest % extents[ndim - 1 - g]
                rest = rest // extents[ndim - 1 - g]
        weights = private.array(pieces, np.float64)
        offsets = private.array(pieces, np.int64)
        inside = True
        stride = 1
        for g in range(ndim):
            a = ndim - 1 - g
            n = shape[a]
            x = coordinate(places, extents, at, a, i, result.shape[0]) + pad
            # Beyond the ends of mode "nearest" all coefficients are the last one.
            x = min(max(x, -8.0), n + 8.0) if mode == 0 else mapped(x, n, mode)
            if mode == 0 or mode == 6 or x > -1.0:
                store(weights, offsets, a * width, x, n, stride, mode, ends)
            else:
                inside = False
            stride *= n
        total = 0.0 if inside else cval
        for t in range(terms if inside else 0):
            offset = 0
            divisor = terms // width
            for a in range(ndim):
                k = a * width + t // divisor % width
                divisor //= width
                offset = -1 if offset < 0 or offsets[k] < 0 else offset + offsets[k]
            value = float(c[offset]) if offset >= 0 else cval
            divisor = terms // width
            for a in range(ndim):  # in SciPy's order
                value *= weights[a * width + t // divisor % width]
                divisor //= width
            total += value
        result[i] = total

    return evaluate


def evaluated(
    c: Array, kind: str, places: Array, shape: tuple[int, ...], order: int, mode: str, pad: int,
    cval: float,
) -> Array:  # fmt: skip
    """The spline with coefficients c at an output's coordinates, in the dtype of coefficients."""
    work = np.dtype(np.float32 if c.dtype == np.float32 and not _has_double(c) else np.float64)
    result = h.empty((math.prod(shape),), work, queue=c.queue, usm_type=c.usm_type)
    if result.size:
        code = MODES[mode]
        # Beyond the ends of the array, splines of these modes are continued by reflection.
        ends = MODES["mirror"] if mode in ("constant", "wrap") else code
        sizes = [h.asarray(np.array(s, np.int64), queue=c.queue) for s in (c.shape, shape)]
        flat = h.reshape(c, (-1,))
        flat = h.astype(flat, np.uint8) if c.dtype.kind == "b" else flat
        flat = h.astype(flat, np.float32) if c.dtype.char == "e" else flat
        _evaluation(order, c.ndim, kind)[Range(result.size)](
            h.copy(flat) if not flat.flags["C_CONTIGUOUS"] else flat, *sizes, places, float(pad),
            code, ends, float(cval), result,
        )  # fmt: skip
    return h.reshape(result, shape)


def _has_double(x: Array) -> bool:
    return x.queue.device.has_aspect_fp64
