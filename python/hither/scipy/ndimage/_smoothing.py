"""Gaussian and uniform filters."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...numpy._placement import operands, place_like
from ._arguments import (
    Output,
    accumulator,
    axes_of,
    check_number,
    converted,
    filter_mode,
    for_each,
)
from ._borders import along_axis
from ._correlation import axis_of, correlated
from ._windows import combined

__all__ = ["gaussian_filter", "gaussian_filter1d", "uniform_filter", "uniform_filter1d"]

_NO_BLUR = 1e-15  # sigmas up to it change nothing


def _weights(function: str, sigma: float, order: int, radius: int) -> np.ndarray:
    """The samples of a Gaussian, or of its derivative of this order."""
    if order < 0:
        raise ValueError(f"{function}: order={order}; order must be non-negative")
    x = np.arange(-radius, radius + 1)
    values = np.exp(-0.5 / (sigma * sigma) * x**2)
    values = values / values.sum()
    if order == 0:
        return values
    # The derivative is a polynomial times the Gaussian. Each differentiation is linear in the
    # coefficients q of the polynomial: (q g)' = (q' - q x / sigma^2) g.
    step = np.diag(np.arange(1, order + 1), 1) + np.diag(np.full(order, -1.0 / sigma**2), -1)
    coefficients = np.zeros(order + 1)
    coefficients[0] = 1
    for _ in range(order):
        coefficients = step.dot(coefficients)
    return (x[:, None] ** np.arange(order + 1)).dot(coefficients) * values


def _radius(function: str, sigma: float, truncate: float, radius: Any) -> int:
    if radius is None:
        radius = int(truncate * float(sigma) + 0.5)
    if not isinstance(radius, numbers.Integral) or radius < 0:
        raise ValueError(f"{function}: radius={radius!r}; Radius must be a nonnegative integer.")
    return int(radius)


@operands("input")
def gaussian_filter1d(
    input: Any, sigma: Any, axis: int = -1, order: int = 0, output: Any = None,
    mode: str = "reflect", cval: Any = 0.0, truncate: float = 4.0, *, radius: Any = None,
) -> Any:  # fmt: skip
    """The correlation with a Gaussian, or with a derivative of it, along an axis."""
    name = "gaussian_filter1d"
    check_number(name, "sigma", sigma)
    count = _radius(name, sigma, truncate, radius)
    weights = _weights(name, float(sigma), order, count)[::-1]
    target = Output(name, output, input, input.shape, input.dtype.kind == "c")
    border = filter_mode(name, mode), cval
    axis = axis_of("axis", axis, input.ndim)
    return target(correlated(input, weights, axis, target.dtype, border, 0))


@operands("input")
def gaussian_filter(
    input: Any, sigma: Any, order: Any = 0, output: Any = None, mode: Any = "reflect",
    cval: Any = 0.0, truncate: float = 4.0, *, radius: Any = None, axes: Any = None,
) -> Any:  # fmt: skip
    """A Gaussian filter over several axes, one after the other.

    Between two axes, elements have the dtype of the result.
    """
    name = "gaussian_filter"
    target = Output(name, output, input, input.shape, input.dtype.kind == "c")
    axes = axes_of(name, axes, input.ndim)
    lists = [for_each(name, n, v, len(axes)) for n, v in
             (("sigma", sigma), ("order", order), ("mode", mode), ("radius", radius))]  # fmt: skip
    result = input
    for axis, width, derivative, extension, reach in zip(axes, *lists, strict=True):
        check_number(name, "sigma", width)
        if width > _NO_BLUR:
            count = _radius(name, width, truncate, reach)
            weights = _weights(name, float(width), derivative, count)[::-1]
            border = filter_mode(name, extension), cval
            result = correlated(result, weights, axis, target.dtype, border, 0)
    return target(converted(result, target.dtype) if result is not input else
                  copied(input, target.dtype))  # fmt: skip


def copied(x: Array, dtype: np.dtype) -> Array:
    """A copy of x in the dtype of an output."""
    return astype(converted(x, dtype), dtype, copy=True)


def check_window(function: str, size: Any, origin: int) -> tuple[int, int]:
    """How many elements a window of `size` elements reaches before and after an element."""
    check_number(function, "size", size)
    if size < 1:
        raise RuntimeError(f"{function}: size={size}; incorrect filter size, it must be at least 1")
    size = int(size)
    if not 0 <= size // 2 + origin < size:
        raise ValueError(f"{function}: invalid origin: {origin} moves a window of {size} elements "
                         "off its element")  # fmt: skip
    before = size // 2 + origin
    return before, size - 1 - before


def _uniform(x: Array, size: int, axis: int, origin: int, dtype: np.dtype, border: Any) -> Array:
    window = check_window("uniform_filter1d", size, origin)
    mode, cval = border
    if x.dtype.kind == "c":
        kind = np.dtype(dtype.char.lower())
        result = h.empty(x.shape, dtype, **place_like(x))
        parts = (x.real, float(np.real(cval))), (x.imag, float(np.imag(cval)))
        result.real, result.imag = (
            _uniform(values, size, axis, origin, kind, (mode, constant))
            for values, constant in parts
        )
        return result
    work = accumulator(x)

    def means(block: Array) -> Array:
        return combined(h.add, astype(block, work, copy=False), axis, size) / float(size)

    return along_axis(x, axis, window, (mode, float(cval)), dtype, means)


@operands("input")
def uniform_filter1d(
    input: Any, size: int, axis: int = -1, output: Any = None, mode: str = "reflect",
    cval: Any = 0.0, origin: int = 0,
) -> Any:  # fmt: skip
    """The means of windows of `size` elements along an axis."""
    name = "uniform_filter1d"
    axis = axis_of("axis", axis, input.ndim)
    check_window(name, size, origin)
    target = Output(name, output, input, input.shape, input.dtype.kind == "c")
    border = filter_mode(name, mode), cval
    return target(_uniform(input, int(size), axis, origin, target.dtype, border))


@operands("input")
def uniform_filter(
    input: Any, size: Any = 3, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The means of boxes, computed along one axis after the other.

    Between two axes, elements have the dtype of the result.
    """
    name = "uniform_filter"
    target = Output(name, output, input, input.shape, input.dtype.kind == "c")
    axes = axes_of(name, axes, input.ndim)
    lists = [for_each(name, n, v, len(axes)) for n, v in
             (("size", size), ("origin", origin), ("mode", mode))]  # fmt: skip
    result = input
    for axis, extent, start, extension in zip(axes, *lists, strict=True):
        check_number(name, "size", extent)
        if extent > 1:
            border = filter_mode(name, extension), cval
            result = _uniform(result, int(extent), axis, int(start), target.dtype, border)
    return target(result if result is not input else copied(input, target.dtype))
