"""Derivatives of arrays: Sobel's and Prewitt's operators, Laplacians and gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ... import _hither as h
from ..._hither import Array
from ...numpy._placement import operands
from ._arguments import Output, axes_of, check_modes, converted, for_each
from ._correlation import axis_of, correlate1d
from ._smoothing import copied, gaussian_filter

__all__ = [
    "gaussian_gradient_magnitude", "gaussian_laplace", "generic_gradient_magnitude",
    "generic_laplace", "laplace", "prewitt", "sobel",
]  # fmt: skip


def _edges(
    function: str, x: Array, axis: int, output: Any, mode: Any, cval: Any, across: list[int]
) -> Array:
    """Differences along an axis, smoothed along the other axes."""
    axis = axis_of("axis", axis, x.ndim)
    target = Output(function, output, x, x.shape, x.dtype.kind == "c")
    modes = for_each(function, "mode", mode, x.ndim)
    check_modes(function, modes)
    result = correlate1d(x, [-1, 0, 1], axis, target.dtype, modes[axis], cval, 0)
    for other in range(x.ndim):
        if other != axis:
            result = correlate1d(result, across, other, target.dtype, modes[other], cval, 0)
    return target(result)


@operands("input")
def prewitt(
    input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:
    """Prewitt's operator: differences along an axis, summed over three lines."""
    return _edges("prewitt", input, axis, output, mode, cval, [1, 1, 1])


@operands("input")
def sobel(
    input: Any, axis: int = -1, output: Any = None, mode: Any = "reflect", cval: Any = 0.0
) -> Any:
    """Sobel's operator: differences along an axis, smoothed along the others."""
    return _edges("sobel", input, axis, output, mode, cval, [1, 2, 1])


def _over_axes(
    function: str, x: Array, one: Callable[[int, str], Array], output: Output, mode: Any, axes: Any,
    finish: Callable[[Array], Array],
) -> Array:  # fmt: skip
    """The sum of one(axis, mode) over axes, in the dtype of the output."""
    axes = axes_of(function, axes, x.ndim)
    if not axes:
        return output(copied(x, output.dtype))
    modes = for_each(function, "mode", mode, len(axes))
    parts = [one(axis, m) for axis, m in zip(axes, modes, strict=True)]
    total = parts[0]
    for piece in parts[1:]:
        total = total + piece
    return output(converted(finish(total), output.dtype))


@operands("input")
def generic_laplace(
    input: Any, derivative2: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    extra_arguments: Any = (), extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The sum of what derivative2(input, axis, output, mode, cval) computes for each axis."""
    target = Output("generic_laplace", output, input, input.shape, input.dtype.kind == "c")

    def one(axis: int, extension: str) -> Array:
        return derivative2(input, axis, target.dtype, extension, cval, *extra_arguments,
                           **(extra_keywords or {}))  # fmt: skip

    return _over_axes("generic_laplace", input, one, target, mode, axes, lambda total: total)


@operands("input")
def laplace(
    input: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *, axes: Any = None
) -> Any:
    """The sum of second differences."""

    check_modes("laplace", mode)

    def second(x: Array, axis: int, dtype: Any, extension: str, constant: Any) -> Array:
        return correlate1d(x, [1, -2, 1], axis, dtype, extension, constant, 0)

    return generic_laplace(input, second, output, mode, cval, axes=axes)


def _sigmas(function: str, sigma: Any, axes: Any, ndim: int) -> list[float]:
    """A sigma for each dimension; 0 for those that are not filtered."""
    axes = axes_of(function, axes, ndim)
    given = dict(zip(axes, for_each(function, "sigma", sigma, len(axes)), strict=True))
    return [given.get(axis, 0) for axis in range(ndim)]


@operands("input")
def gaussian_laplace(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
    axes: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """The sum of second derivatives of Gaussian filters.

    Further keywords go to gaussian_filter().
    """
    sigmas = _sigmas("gaussian_laplace", sigma, axes, input.ndim)

    def second(x: Array, axis: int, dtype: Any, extension: str, constant: Any) -> Array:
        orders = [2 if i == axis else 0 for i in range(x.ndim)]
        return gaussian_filter(x, sigmas, orders, dtype, extension, constant, **kwargs)

    return generic_laplace(input, second, output, mode, cval, axes=axes)


@operands("input")
def generic_gradient_magnitude(
    input: Any, derivative: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0,
    extra_arguments: Any = (), extra_keywords: Any = None, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The root of the sum of squared derivatives, which derivative(input, axis, output, mode, cval)
    computes."""
    name = "generic_gradient_magnitude"
    target = Output(name, output, input, input.shape, input.dtype.kind == "c")

    def one(axis: int, extension: str) -> Array:
        slope = derivative(input, axis, target.dtype, extension, cval, *extra_arguments,
                           **(extra_keywords or {}))  # fmt: skip
        return slope * slope

    return _over_axes(name, input, one, target, mode, axes, h.sqrt)


@operands("input")
def gaussian_gradient_magnitude(
    input: Any, sigma: Any, output: Any = None, mode: Any = "reflect", cval: Any = 0.0, *,
    axes: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """The length of the gradient, by derivatives of Gaussian filters. Further keywords go to
    gaussian_filter()."""
    sigmas = _sigmas("gaussian_gradient_magnitude", sigma, axes, input.ndim)

    def first(x: Array, axis: int, dtype: Any, extension: str, constant: Any) -> Array:
        orders = [1 if i == axis else 0 for i in range(x.ndim)]
        return gaussian_filter(x, sigmas, orders, dtype, extension, constant, **kwargs)

    return generic_gradient_magnitude(input, first, output, mode, cval, axes=axes)
