"""Interpolation by splines: coordinates, affine maps, shifts, zooms and rotations."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError
from ...numpy._placement import operands, place_like, refuse_other_queue
from ._arguments import (
    Output,
    accumulator,
    check_memory,
    check_number,
    converted,
    for_each,
    host,
)
from ._borders import extended
from ._correlation import axis_of
from ._splines import MODES, coefficients, evaluated

__all__ = [
    "affine_transform", "map_coordinates", "rotate", "shift", "spline_filter", "spline_filter1d",
    "zoom",
]  # fmt: skip

_PADDING = 12  # elements around an array whose extension has no exact spline


def _check_order(function: str, order: int, least: int = 0) -> None:
    if not least <= order <= 5:
        raise RuntimeError(f"{function}: order={order}; spline order not supported, it must be "
                           f"{least} to 5")  # fmt: skip


def _check_mode(function: str, mode: str) -> str:
    if mode not in MODES:
        raise RuntimeError(f"{function}: mode={mode!r}; boundary mode not supported, it must be "
                           f"one of {', '.join(map(repr, MODES))}")  # fmt: skip
    return mode


def _parts(
    x: Array, shape: tuple[int, ...], dtype: np.dtype, compute: Callable[[Array, bool], Array]
) -> Array:
    """compute(x, False), or for complex x its results for both parts; the second one with True."""
    if x.dtype.kind != "c":
        return compute(x, False)
    result = h.empty(shape, dtype, **place_like(x))
    result.real, result.imag = compute(x.real, False), compute(x.imag, True)
    return result


@operands("input")
def spline_filter1d(
    input: Any, order: int = 3, axis: int = -1, output: Any = np.float64, mode: str = "mirror"
) -> Any:
    """The coefficients of splines through the elements, along an axis."""
    _check_order("spline_filter1d", order)
    _check_mode("spline_filter1d", mode)
    is_complex = input.dtype.kind == "c"
    target = Output("spline_filter1d", output, input, input.shape, is_complex)
    axis = axis_of("axis", axis, input.ndim) if input.ndim else 0

    def compute(x: Array, imaginary: bool) -> Array:
        if order < 2:
            return astype(x, x.dtype, copy=True)
        return coefficients(astype(x, accumulator(x), copy=False), order, axis, MODES[mode])

    result = _parts(input, input.shape, target.dtype, compute)
    return target(converted(result, target.dtype))


@operands("input")
def spline_filter(
    input: Any, order: int = 3, output: Any = np.float64, mode: str = "mirror"
) -> Any:
    """The coefficients of splines through the elements, along all axes."""
    _check_order("spline_filter", order, 2)
    target = Output("spline_filter", output, input, input.shape, input.dtype.kind == "c")
    result = input
    for axis in range(input.ndim):
        result = spline_filter1d(result, order, axis, target.dtype, mode)
    return target(converted(result, target.dtype) if result is not input else
                  astype(input, target.dtype, copy=True))  # fmt: skip


def _filtered(x: Array, order: int, mode: str, cval: float, prefilter: bool) -> tuple[Array, int]:
    """The coefficients to evaluate, and the number of elements that they have before x."""
    if not prefilter or order < 2:
        return x, 0
    pad = 0
    if mode in ("nearest", "grid-constant") and x.size:
        pad = _PADDING
        name = "nearest" if mode == "nearest" else "constant"
        for axis in range(x.ndim):
            x = extended(x, axis, -pad, x.shape[axis] + pad, name, cval)
    x = astype(x, accumulator(x), copy=False)
    for axis in range(x.ndim):
        x = coefficients(x, order, axis, MODES[mode])
    return x, pad


def _rounded(x: Array, dtype: np.dtype) -> Array:
    """Interpolated numbers in the dtype of an output: integers are the nearest ones in range."""
    if dtype.kind == "b" and x.dtype.kind == "f":
        # Splines through ones are 1 but for the rounding, which must not decide.
        margin = 1e-9 if x.dtype.itemsize == 8 else 1e-4
        return converted(x + h.copysign(margin, x), dtype)
    if dtype.kind not in "iu":
        return converted(x, dtype)
    limits = np.iinfo(dtype)
    nearest = h.trunc(h.where(x > 0, x + 0.5, x - 0.5))
    inside = h.clip(nearest, float(limits.min), float(limits.max))
    if dtype.itemsize < 8:
        return astype(inside, dtype)
    # The largest integer is no floating-point number: the next one below is converted.
    return h.where(nearest >= float(limits.max), limits.max, astype(
        h.minimum(inside, np.nextafter(float(limits.max), 0.0)), dtype))  # fmt: skip


def _interpolated(
    function: str, x: Array, kind: str, places: Array, shape: tuple[int, ...], output: Output,
    options: tuple[int, str, Any, bool],
) -> Array:  # fmt: skip
    """The result of an interpolation at places, with options order, mode, cval and prefilter."""
    order, mode, cval, prefilter = options
    if x.ndim < 1 or len(shape) < 1:
        raise RuntimeError(f"{function}: input and output rank must be > 0")
    if x.size == 0 and 0 not in shape:
        raise ValueError(f"{function}: input of shape {x.shape} has no elements to interpolate")
    if x.dtype.kind != "c" and np.iscomplexobj(cval):
        raise ValueError(f"{function}: cval={cval} is complex and the input is real")
    kind_of_parts = np.dtype(output.dtype.char.lower()) if x.dtype.kind == "c" else output.dtype

    def compute(values: Array, imaginary: bool) -> Array:
        constant = float(np.imag(cval) if imaginary else np.real(cval))
        c, pad = _filtered(values, order, mode, constant, prefilter)
        return _rounded(evaluated(c, kind, places, shape, order, mode, pad, constant),
                        kind_of_parts)  # fmt: skip

    return output(_parts(x, shape, output.dtype, compute))


def _on_device(values: np.ndarray, x: Array) -> Array:
    return h.asarray(np.ascontiguousarray(values, accumulator(x)), queue=x.queue)


@operands("input coordinates")
def map_coordinates(
    input: Any, coordinates: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """The values of the array at coordinates between its elements."""
    name = "map_coordinates"
    refuse_other_queue(name, "coordinates", coordinates, input)
    _check_order(name, order)
    _check_mode(name, mode)
    if coordinates.dtype.kind == "c":
        raise InvalidTypeError(name, "coordinates are complex: Complex type not supported")
    shape = coordinates.shape[1:]
    if input.ndim < 1 or len(shape) < 1:
        raise RuntimeError(f"{name}: input and output rank must be > 0")
    if coordinates.shape[0] != input.ndim:
        raise RuntimeError(f"{name}: invalid shape for coordinate array: {coordinates.shape}; the "
                           f"first extent must be {input.ndim}, one for each axis")  # fmt: skip
    target = Output(name, output, input, shape, input.dtype.kind == "c")
    places = h.reshape(astype(coordinates, accumulator(input), copy=False), (-1,))
    return _interpolated(name, input, "points", h.copy(places), shape, target,
                         (order, mode, cval, prefilter))  # fmt: skip


def _by_axis(x: Array, shape: tuple[int, ...], steps: np.ndarray, starts: np.ndarray) -> Array:
    """The coordinates (k + start) * step of each axis, one axis after the other."""
    lines = [(np.arange(n) + start) * step
             for n, step, start in zip(shape, steps, starts, strict=True)]  # fmt: skip
    return _on_device(np.concatenate(lines) if lines else np.zeros(0), x)


@operands("input")
def affine_transform(
    input: Any, matrix: Any, offset: Any = 0.0, output_shape: Any = None, output: Any = None,
    order: int = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """The array at matrix @ index + offset, for each index of the result."""
    name = "affine_transform"
    _check_order(name, order)
    _check_mode(name, mode)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, Array) else input.shape
    shape = tuple(int(n) for n in output_shape)
    if input.ndim < 1 or len(shape) < 1:
        raise RuntimeError(f"{name}: input and output rank must be > 0")
    target = Output(name, output, input, shape, input.dtype.kind == "c")
    matrix, offset = _affine(name, host(matrix, np.float64), offset, input.ndim)
    if matrix.ndim == 2 and matrix.shape[1] != len(shape):
        raise RuntimeError(f"{name}: affine matrix has wrong number of columns: "
                           f"{matrix.shape[1]}, and the result {len(shape)} axes")  # fmt: skip
    options = order, mode, cval, prefilter
    if matrix.ndim == 1:
        starts = offset / matrix
        return _interpolated(name, input, "table", _by_axis(input, shape, matrix, starts), shape,
                             target, options)  # fmt: skip
    if len(shape) != input.ndim:
        indices = np.indices(shape).reshape(len(shape), -1)
        points = matrix @ indices + offset[:, None]
        places = _on_device(points.reshape(-1), input)
        return _interpolated(name, input, "points", places, shape, target, options)
    places = _on_device(np.concatenate([matrix.reshape(-1), offset]), input)
    return _interpolated(name, input, "matrix", places, shape, target, options)


def _affine(name: str, matrix: np.ndarray, offset: Any, ndim: int) -> tuple[np.ndarray, np.ndarray]:
    """The matrix and offset of an affine map, also from homogeneous coordinates."""
    if matrix.ndim not in (1, 2) or matrix.shape[0] < 1:
        raise RuntimeError(f"{name}: no proper affine matrix provided: shape {matrix.shape}")
    homogeneous = matrix.ndim == 2 and matrix.shape[1] == ndim + 1
    if homogeneous and matrix.shape[0] in (ndim, ndim + 1):
        if matrix.shape[0] == ndim + 1 and not np.all(matrix[ndim] == [0] * ndim + [1]):
            raise ValueError(f"{name}: Expected homogeneous transformation matrix, but the bottom "
                             f"row was {matrix[ndim].tolist()}")  # fmt: skip
        offset = matrix[:ndim, ndim]
        matrix = matrix[:ndim, :ndim]
    if matrix.shape[0] != ndim:
        raise RuntimeError(f"{name}: affine matrix has wrong number of rows: {matrix.shape[0]} for "
                           f"an input of {ndim} dimensions")  # fmt: skip
    values = np.asarray(for_each(name, "offset", offset, ndim), np.float64)
    if values.ndim != 1 or values.shape[0] < 1:
        raise RuntimeError(f"{name}: no proper offset provided")
    return matrix, values


@operands("input")
def shift(
    input: Any, shift: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """The array moved by a number of elements along each axis, which need not be whole."""
    _check_order("shift", order)
    _check_mode("shift", mode)
    if input.ndim < 1:
        raise RuntimeError("shift: input and output rank must be > 0")
    target = Output("shift", output, input, input.shape, input.dtype.kind == "c")
    moves = -np.asarray(for_each("shift", "shift", shift, input.ndim), np.float64)
    places = _by_axis(input, input.shape, np.ones(input.ndim), moves)
    return _interpolated("shift", input, "table", places, input.shape, target,
                         (order, mode, cval, prefilter))  # fmt: skip


@operands("input")
def zoom(
    input: Any, zoom: Any, output: Any = None, order: int = 3, mode: str = "constant",
    cval: Any = 0.0, prefilter: bool = True, *, grid_mode: bool = False,
) -> Any:  # fmt: skip
    """The array with another number of elements along each axis: zoom times as many."""
    _check_order("zoom", order)
    _check_mode("zoom", mode)
    if input.ndim < 1:
        raise RuntimeError("zoom: input and output rank must be > 0")
    factors = for_each("zoom", "zoom", zoom, input.ndim)
    for factor in factors:
        check_number("zoom", "zoom", factor)
        if not 0 <= factor < math.inf:
            raise InvalidValueError("zoom", f"zoom is {factor}; it must be finite and not negative")
    shape = tuple(round(n * f) for n, f in zip(input.shape, factors, strict=True))
    target = Output("zoom", output, input, shape, input.dtype.kind == "c")
    if all(f == 1 for f in factors) and prefilter:
        return target(astype(converted(input, target.dtype), target.dtype, copy=True))
    if grid_mode and mode in ("constant", "wrap"):
        warnings.warn(f"It is recommended to use mode = grid-{mode} instead of {mode} when "
                      "grid_mode is True.", stacklevel=3)  # fmt: skip
    check_memory("zoom", shape, target.dtype, input)
    less = 0 if grid_mode else 1
    steps = [(n - less) / (m - less) if m != less else 1.0
             for n, m in zip(input.shape, shape, strict=True)]  # fmt: skip
    lines = [(np.arange(m) + 0.5) * s - 0.5 if grid_mode else np.arange(m) * s
             for m, s in zip(shape, steps, strict=True)]  # fmt: skip
    return _interpolated("zoom", input, "table", _on_device(np.concatenate(lines), input), shape,
                         target, (order, mode, cval, prefilter))  # fmt: skip


def _cosine_and_sine(angle: float) -> tuple[float, float]:
    """Of degrees, exact for multiples of 90."""
    degrees = angle % 360.0
    if degrees % 90.0 == 0:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[int(degrees // 90) % 4]
    return math.cos(math.radians(degrees)), math.sin(math.radians(degrees))


@operands("input")
def rotate(
    input: Any, angle: float, axes: Any = (1, 0), reshape: bool = True, output: Any = None,
    order: int = 3, mode: str = "constant", cval: Any = 0.0, prefilter: bool = True,
) -> Any:  # fmt: skip
    """The array rotated by an angle in degrees, in the plane of two axes."""
    name = "rotate"
    _check_order(name, order)
    _check_mode(name, mode)
    if input.ndim < 2:
        raise ValueError(f"{name}: input array should be at least 2D, not {input.ndim}D")
    axes = list(axes)
    if len(axes) != 2:
        raise ValueError(f"{name}: axes should contain exactly two values, not {len(axes)}")
    if not all(float(axis).is_integer() for axis in axes):
        raise ValueError(f"{name}: axes should contain only integer values, not {axes}")
    first, second = sorted(int(a) + (input.ndim if a < 0 else 0) for a in axes)
    if first < 0 or second >= input.ndim or first == second:
        raise ValueError(f"{name}: invalid rotation plane specified: axes={axes} of "
                         f"{input.ndim} dimensions")  # fmt: skip
    cosine, sine = _cosine_and_sine(float(angle))
    plane = np.array([[cosine, sine], [-sine, cosine]])
    given = np.array([input.shape[first], input.shape[second]])
    extents = given
    if reshape:
        height, width = given
        corners = plane @ [[0, 0, height, height], [0, width, 0, width]]
        extents = (np.ptp(corners, axis=1) + 0.5).astype(int)
    centre = (given - 1) / 2 - plane @ ((extents - 1) / 2)
    matrix, offset, shape = np.eye(input.ndim), np.zeros(input.ndim), list(input.shape)
    matrix[np.ix_([first, second], [first, second])] = plane
    offset[[first, second]] = centre
    shape[first], shape[second] = (int(n) for n in extents)
    target = Output(name, output, input, shape, input.dtype.kind == "c")
    return _rotated(input, (first, second), plane, centre, matrix, offset, tuple(shape), target,
                    (order, mode, cval, prefilter))  # fmt: skip


def _rotated(
    x: Array, axes: tuple[int, int], plane: np.ndarray, centre: np.ndarray, matrix: np.ndarray,
    offset: np.ndarray, shape: tuple[int, ...], target: Output,
    options: tuple[int, str, Any, bool],
) -> Array:  # fmt: skip
    """One affine map; of more than two dimensions, one of each plane, as splines of planes."""
    if x.ndim == 2:
        places = _on_device(np.concatenate([matrix.reshape(-1), offset]), x)
        return _interpolated("rotate", x, "matrix", places, shape, target, options)
    order, mode, cval, prefilter = options
    result = h.empty(shape, target.dtype, **place_like(x))
    rest = [i for i in range(x.ndim) if i not in axes]
    extents = tuple(shape[i] for i in axes)
    for place in np.ndindex(*(shape[i] for i in rest)):
        key: list[Any] = [slice(None)] * x.ndim
        for i, k in zip(rest, place, strict=True):
            key[i] = k
        result[tuple(key)] = affine_transform(
            x[tuple(key)], plane, centre, extents, target.dtype, order, mode, cval, prefilter
        )
    return target(result)
