"""Correlations and convolutions with weights along one axis or over several."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...numpy._placement import operands, place_like
from ._arguments import (
    Output,
    accumulator,
    axes_of,
    converted,
    filter_mode,
    for_each,
    host,
)
from ._borders import along_axis, padded, shifted

__all__ = ["convolve", "convolve1d", "correlate", "correlate1d"]

_NOTHING = float(np.finfo(np.float64).eps)  # weights up to it are treated as 0


def axis_of(function: str, axis: Any, ndim: int) -> int:
    """The axis as a number from 0 to ndim - 1."""
    return int(np.lib.array_utils.normalize_axis_index(axis, ndim, function))


def _window(function: str, origin: int, length: int) -> tuple[int, int]:
    """How many elements the weights reach before and after an element."""
    if not -(length // 2) <= origin <= (length - 1) // 2:
        raise ValueError(
            f"{function}: Invalid origin; origin={origin} must satisfy -({length} // 2) <= origin "
            f"<= ({length} - 1) // 2 for {length} weights"
        )
    before = length // 2 + origin
    return before, length - 1 - before


def _symmetry(weights: np.ndarray) -> int:
    """1 for weights that are the same in both directions, -1 for opposite ones, and else 0."""
    if len(weights) % 2 == 0:
        return 0
    half = len(weights) // 2
    first, last = weights[:half][::-1], weights[half + 1 :]
    if (np.abs(last - first) <= _NOTHING).all():
        return 1
    return -1 if (np.abs(last + first) <= _NOTHING).all() else 0


def weighted(block: Array, axis: int, weights: np.ndarray, dtype: np.dtype) -> Array:
    """The sums of products of weights and the windows of a block, in SciPy's order of addition."""
    count = len(weights)
    outputs = block.shape[axis] - count + 1

    def view(k: int) -> Array:
        key = (slice(None),) * axis + (slice(k, k + outputs),)
        return astype(block[key], dtype, copy=False)

    symmetry, half = _symmetry(weights), count // 2
    factors = [float(w) for w in weights]
    if symmetry:
        total = view(half) * factors[half]
        for k in range(half):
            pair = view(k) + view(-k - 1 + count) if symmetry > 0 else view(k) - view(count - 1 - k)
            total = total + pair * factors[k]
        return total
    total = view(count - 1) * factors[-1]
    for k in range(count - 1):
        total = total + view(k) * factors[k]
    return total


def correlated(
    x: Array, weights: np.ndarray, axis: int, dtype: np.dtype, border: tuple[str, Any], origin: int
) -> Array:
    """The correlation of a real or complex array with real or complex weights, along an axis."""
    window = _window("correlate1d", origin, len(weights))
    work = accumulator(x)

    def real(values: Array, factors: np.ndarray, cval: float, kind: np.dtype) -> Array:
        mode = border[0]
        return along_axis(values, axis, window, (mode, cval), kind,
                          lambda block: weighted(block, axis, factors, work))  # fmt: skip

    return _in_parts(x, weights, border[1], dtype, real)


def _in_parts(x: Array, weights: np.ndarray, cval: Any, dtype: np.dtype, real: Any) -> Array:
    """real(x, weights, cval, dtype) for the parts of complex arrays and weights."""
    if x.dtype.kind != "c" and weights.dtype.kind != "c":
        return real(x, weights, float(cval), dtype)
    kind = np.dtype(dtype.char.lower())
    low, high = float(np.real(cval)), float(np.imag(cval))
    result = h.empty(x.shape, dtype, **place_like(x))
    if weights.dtype.kind != "c":
        result.real = real(x.real, weights, low, kind)
        result.imag = real(x.imag, weights, high, kind)
    elif x.dtype.kind != "c":
        result.real = real(x, weights.real, low, kind)
        result.imag = real(x, weights.imag, low, kind)
    else:
        result.real = real(x.real, weights.real, low, kind) - real(x.imag, weights.imag, high, kind)
        result.imag = real(x.real, weights.imag, low, kind) + real(x.imag, weights.real, high, kind)
    return result


def _check_constant(function: str, x: Array, cval: Any) -> None:
    if x.dtype.kind != "c" and np.iscomplexobj(cval):
        raise ValueError(f"{function}: Cannot provide a complex-valued cval when the input is "
                         "real.")  # fmt: skip


def _real_or_complex(weights: Any) -> np.ndarray:
    values = host(weights)
    return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64)


@operands("input")
def correlate1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: str = "reflect",
    cval: Any = 0.0, origin: int = 0,
) -> Any:  # fmt: skip
    """The correlation with weights along an axis."""
    factors = _real_or_complex(weights)
    is_complex = "c" in (input.dtype.kind, factors.dtype.kind)
    _check_constant("correlate1d", input, cval)
    target = Output("correlate1d", output, input, input.shape, is_complex)
    if factors.ndim != 1 or factors.size == 0:
        raise RuntimeError("correlate1d: no filter weights given; weights must be a sequence")
    axis = axis_of("axis", axis, input.ndim)
    border = filter_mode("correlate1d", mode), cval
    if factors.dtype.kind == "c":
        factors = factors.conj()
    return target(correlated(input, factors, axis, target.dtype, border, origin))


@operands("input")
def convolve1d(
    input: Any, weights: Any, axis: int = -1, output: Any = None, mode: str = "reflect",
    cval: Any = 0.0, origin: int = 0,
) -> Any:  # fmt: skip
    """The convolution with weights along an axis."""
    factors = host(weights)[::-1]
    origin = -origin - (1 if factors.shape[0] % 2 == 0 else 0)
    if factors.dtype.kind == "c":
        factors = factors.conj()  # correlate1d takes the conjugates again
    return correlate1d(input, factors, axis, output, mode, cval, origin)


def spread(
    function: str, name: str, values: np.ndarray, axes: tuple[int, ...], ndim: int
) -> np.ndarray:
    """Weights or a footprint for some axes, with an axis of one element for each other axis."""
    if values.ndim != len(axes):
        raise RuntimeError(f"{function}: {name}.ndim ({values.ndim}) must match len(axes) "
                           f"({len(axes)})")  # fmt: skip
    rest = tuple(axis for axis in range(ndim) if axis not in axes)
    return np.expand_dims(values, rest) if rest else values


def spread_origins(function: str, origin: Any, axes: tuple[int, ...], ndim: int) -> list[int]:
    """An origin for each dimension; 0 for those that are not filtered."""
    given = dict(zip(axes, for_each(function, "origin", origin, len(axes)), strict=True))
    return [int(given.get(axis, 0)) for axis in range(ndim)]


def _over_axes(
    function: str, x: Array, weights: Any, output: Any, mode: Any, cval: Any, origin: Any,
    axes: Any,
) -> Array:  # fmt: skip
    convolution = function == "convolve"
    factors = _real_or_complex(weights)
    is_complex = "c" in (x.dtype.kind, factors.dtype.kind)
    if factors.dtype.kind == "c" and not convolution:
        factors = factors.conj()
    _check_constant(function, x, cval)
    target = Output(function, output, x, x.shape, is_complex)
    axes = axes_of(function, axes, x.ndim)
    factors = spread(function, "weights", factors, axes, x.ndim)
    if factors.size == 0:
        raise RuntimeError(f"{function}: no filter weights given")
    origins = spread_origins(function, origin, axes, x.ndim)
    if convolution:
        factors = np.flip(factors)
        origins = [-o - (n % 2 == 0) for o, n in zip(origins, factors.shape, strict=True)]
    windows = [_window(function, o, n) for o, n in zip(origins, factors.shape, strict=True)]
    name, work = filter_mode(function, mode), accumulator(x)

    def real(values: Array, w: np.ndarray, constant: float, kind: np.dtype) -> Array:
        if values.size == 0:
            return h.empty(values.shape, kind, **place_like(values))
        block = padded(values, windows, (name, constant))
        total: Array | None = None
        for offsets in np.ndindex(w.shape):
            if abs(w[offsets]) > _NOTHING:
                view = astype(shifted(block, offsets, values.shape), work, copy=False)
                term = view * float(w[offsets])
                total = term if total is None else total + term
        if total is None:
            return h.zeros(values.shape, kind, **place_like(values))
        return converted(total, kind)

    return target(_in_parts(x, factors, cval, target.dtype, real))


@operands("input")
def correlate(
    input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The correlation with weights of several dimensions."""
    return _over_axes("correlate", input, weights, output, mode, cval, origin, axes)


@operands("input")
def convolve(
    input: Any, weights: Any, output: Any = None, mode: str = "reflect", cval: Any = 0.0,
    origin: Any = 0, *, axes: Any = None,
) -> Any:  # fmt: skip
    """The convolution with weights of several dimensions."""
    return _over_axes("convolve", input, weights, output, mode, cval, origin, axes)
