"""Convolutions and correlations of arrays, by transforms or by sums of products."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any

import numpy as np

from ... import _hither as h
from ... import fft as transforms
from ..._array.manipulation import element_strides
from ..._hither import Array, astype
from ...errors import InvalidValueError
from ...numpy._elementwise import UFUNCS
from ...numpy._placement import operands, place_like, place_of
from ..ndimage._arguments import host
from ..ndimage._borders import extended

__all__ = [
    "choose_conv_method", "convolve", "convolve2d", "correlate", "correlate2d", "correlation_lags",
    "fftconvolve", "oaconvolve",
]  # fmt: skip

_MODES = ("full", "same", "valid")
_BOUNDARIES = {
    "fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap",
    "symm": "reflect", "symmetric": "reflect",
}  # fmt: skip
# Nanoseconds of a product and of a step of a transform, of which one element needs log2(n).
_PRODUCT, _STEP = 0.3, 1.5
_MOST_EXACT = 2**51  # larger integers are not exact in transforms of float64


def check_mode(function: str, mode: Any) -> str:
    """The part of a convolution that is returned."""
    if mode not in _MODES:
        raise ValueError(f"{function}: mode={mode!r}; acceptable mode flags are 'valid', 'same', "
                         "or 'full'")  # fmt: skip
    return mode


def _swapped(function: str, mode: str, a: tuple[int, ...], b: tuple[int, ...], axes: Any) -> bool:
    """Whether the second operand is the larger one, for mode "valid"."""
    if mode != "valid" or not a:
        return False
    if all(a[i] >= b[i] for i in axes):
        return False
    if all(b[i] >= a[i] for i in axes):
        return True
    raise ValueError(f"{function}: For 'valid' mode, one must be at least as large as the other in "
                     f"every dimension; the shapes are {a} and {b}")  # fmt: skip


def _same_dimensions(function: str, in1: Array, in2: Array) -> None:
    if in1.ndim != in2.ndim:
        raise ValueError(f"{function}: in1 and in2 should have the same dimensionality, not "
                         f"{in1.ndim} and {in2.ndim}")  # fmt: skip


def _centred(x: Array, shape: tuple[int, ...]) -> Array:
    """The part of this shape in the middle of x."""
    starts = [(n - m) // 2 for n, m in zip(x.shape, shape, strict=True)]
    return x[tuple(slice(s, s + m) for s, m in zip(starts, shape, strict=True))]


def _fast_length(n: int) -> int:
    """The smallest product of 2, 3 and 5 that is at least n."""
    best = 1 << max(0, (n - 1).bit_length())
    five = 1
    while five < best:
        three = five
        while three < best:
            least = -(-n // three)
            best = min(best, three << max(0, (least - 1).bit_length()))
            three *= 3
        five *= 5
    return best


def _transformed_axes(function: str, in1: Array, in2: Array, axes: Any) -> list[int]:
    """The axes along which both have several elements. Along the others they are broadcast."""
    if axes is None:
        given = list(range(in1.ndim))
    else:
        listed = [axes] if isinstance(axes, (int, np.integer)) else list(axes)
        if not listed:
            raise ValueError(f"{function}: when provided, axes cannot be empty")
        for axis in listed:
            if not isinstance(axis, (int, np.integer)):
                raise ValueError(f"{function}: axes={axes!r}; axes must be a scalar or iterable of "
                                 "integers")  # fmt: skip
            if not -in1.ndim <= axis < in1.ndim:
                raise ValueError(f"{function}: axes exceeds dimensionality of input: {axis}")
        given = [int(axis) % in1.ndim for axis in listed]
        if len(set(given)) < len(given):
            raise ValueError(f"{function}: axes={axes!r}; all axes must be unique")
    found = [a for a in given if in1.shape[a] != 1 and in2.shape[a] != 1]
    for a in range(in1.ndim):
        if a not in found and in1.shape[a] != in2.shape[a] and 1 not in (in1.shape[a],
                                                                         in2.shape[a]):  # fmt: skip
            raise ValueError(f"{function}: incompatible shapes for in1 and in2: {in1.shape} and "
                             f"{in2.shape}")  # fmt: skip
    return found


def _by_transforms(in1: Array, in2: Array, axes: list[int]) -> Array:
    if not axes:
        return UFUNCS["multiply"](in1, in2)
    a, b = (x if x.dtype.kind in "fc" else astype(x, np.float64) for x in (in1, in2))
    is_complex = "c" in (a.dtype.kind, b.dtype.kind)
    shape = [max(n, m) if i not in axes else n + m - 1
             for i, (n, m) in enumerate(zip(a.shape, b.shape, strict=True))]  # fmt: skip
    lengths = tuple(_fast_length(shape[i]) for i in axes)
    forward, inverse = ((transforms.fftn, transforms.ifftn) if is_complex
                        else (transforms.rfftn, transforms.irfftn))  # fmt: skip
    product = UFUNCS["multiply"](forward(a, s=lengths, axes=axes), forward(b, s=lengths, axes=axes))
    result = inverse(product, s=lengths, axes=axes)
    return result[tuple(slice(0, n) for n in shape)]


def _fft_convolution(function: str, in1: Array, in2: Array, mode: str, axes: Any) -> Array:
    if in1.ndim == in2.ndim == 0:
        return UFUNCS["multiply"](in1, in2)
    _same_dimensions(function, in1, in2)
    if in1.size == 0 or in2.size == 0:
        return h.zeros((0,), np.float64, **place_like(in1))
    found = _transformed_axes(function, in1, in2, axes)
    check_mode(function, mode)
    if _swapped(function, mode, in1.shape, in2.shape, found):
        in1, in2 = in2, in1
    result = _by_transforms(in1, in2, found)
    if mode == "same":
        result = _centred(result, in1.shape)
    elif mode == "valid":
        result = _centred(result, tuple(
            in1.shape[i] - in2.shape[i] + 1 if i in found else n
            for i, n in enumerate(result.shape)
        ))  # fmt: skip
    return h.copy(result)


@operands("in1 in2")
def fftconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """The convolution of two arrays, by fast Fourier transforms."""
    return _fft_convolution("fftconvolve", in1, in2, mode, axes)


@operands("in1 in2")
def oaconvolve(in1: Any, in2: Any, mode: str = "full", axes: Any = None) -> Any:
    """The convolution of two arrays, by fast Fourier transforms of the whole arrays.

    SciPy transforms the longer one in parts. The result is the same but for rounding.
    """
    return _fft_convolution("oaconvolve", in1, in2, mode, axes)


def _reversed(x: Array) -> Array:
    x = h.flip(x)
    return h.conj(x) if x.dtype.kind == "c" else x


def sliding(x: Array, weights: Array) -> Array:
    """The sums of weights times each window of x, over all axes."""
    kind = np.result_type(x.dtype, weights.dtype)
    if kind.char == "e":  # the products of float16 are added in float32
        return astype(sliding(astype(x, np.float32), weights), kind)
    x, weights = h.copy(astype(x, kind, copy=False)), astype(weights, kind, copy=False)
    outputs = tuple(n - m + 1 for n, m in zip(x.shape, weights.shape, strict=True))
    if min(outputs) <= 0 or weights.size == 0:
        return h.zeros(tuple(max(0, n) for n in outputs), kind, **place_like(x))
    steps = element_strides(x)
    windows = h.strided_view(x, (*weights.shape, *outputs), (*steps, *steps))
    factors = h.reshape(weights, weights.shape + (1,) * x.ndim)
    axes = tuple(range(x.ndim))
    if kind.kind == "b":
        return h.any(windows & factors, axis=axes)
    return h.sum(windows * factors, axis=axes, dtype=kind)


def _directly(in1: Array, weights: Array, mode: str) -> Array:
    """The correlation of in1 with weights, in1 continued by zeros."""
    x = in1
    for axis, m in enumerate(weights.shape):
        before, after = {"full": (m - 1, m - 1), "valid": (0, 0)}.get(mode, (m // 2, (m - 1) // 2))
        if before or after:
            x = extended(x, axis, -before, x.shape[axis] + after, "constant", 0)
    return sliding(x, weights)


def _direct_convolution(in1: Array, in2: Array, mode: str) -> Array:
    """The convolution. Of mode "same", the part of the shape of in1 in the middle."""
    if mode == "same" and any(m > n for n, m in zip(in1.shape, in2.shape, strict=True)):
        return h.copy(_centred(_direct_convolution(in1, in2, "full"), in1.shape))
    if in2.size > in1.size and mode == "full":
        in1, in2 = in2, in1
    return _directly(in1, h.flip(in2), mode)


def _method(in1: Array, in2: Array, mode: str) -> str:
    """The method that is exact, and else the faster one by the number of operations."""
    kinds = in1.dtype.kind + in2.dtype.kind
    if kinds == "bb":
        return "direct"
    if set(kinds) & set("iu") and in1.size and in2.size:
        largest = [float(h.max(h.absolute(astype(x, np.float64)))) for x in (in1, in2)]
        if largest[0] * largest[1] * min(in1.size, in2.size) > _MOST_EXACT:
            return "direct"
    full = math.prod(n + m - 1 for n, m in zip(in1.shape, in2.shape, strict=True))
    small = min(in1.size, in2.size)
    outputs = {"full": full, "same": in1.size}.get(mode, max(1, abs(in1.size - in2.size) + 1))
    by_transforms = 3 * full * math.log2(max(2, full)) * _STEP
    return "fft" if by_transforms < outputs * small * _PRODUCT else "direct"


@operands("in1 in2")
def choose_conv_method(in1: Any, in2: Any, mode: str = "full", measure: bool = False) -> Any:
    """The faster method of convolve() for these arrays: "fft" or "direct".

    With `measure` both are run, and the result also has a dict of their times in seconds.
    """
    check_mode("choose_conv_method", mode)
    if not measure:
        return _method(in1, in2, mode)
    times = {}
    for method in ("fft", "direct"):
        h.synchronize(convolve(in1, in2, mode, method))  # compiles
        start = time.perf_counter()
        h.synchronize(convolve(in1, in2, mode, method))
        times[method] = time.perf_counter() - start
    return ("fft" if times["fft"] < times["direct"] else "direct"), times


def _check_method(function: str, method: str) -> None:
    if method not in ("auto", "direct", "fft"):
        raise ValueError(f"{function}: method={method!r}; acceptable method flags are 'auto', "
                         "'direct', or 'fft'")  # fmt: skip


def _convolution(function: str, in1: Array, in2: Array, mode: str, method: str) -> Array:
    if in1.ndim == in2.ndim == 0:
        return UFUNCS["multiply"](in1, in2)
    _same_dimensions(function, in1, in2)
    check_mode(function, mode)
    _check_method(function, method)
    if in1.ndim == 1 and method != "fft":
        if in2.size == 0:
            raise InvalidValueError(function, "in2 has no elements")
        if in1.size == 0 and mode != "same":
            raise InvalidValueError(function, "in1 has no elements")
    if _swapped(function, mode, in1.shape, in2.shape, range(in1.ndim)):
        in1, in2 = in2, in1
    if method == "auto":
        method = _method(in1, in2, mode)
    if method == "direct":
        return _direct_convolution(in1, in2, mode)
    kind = np.result_type(in1.dtype, in2.dtype)
    result = _fft_convolution(function, in1, in2, mode, None)
    if kind.kind in "iu":
        result = h.round(result)
    if result.size and not bool(h.isfinite(h.reshape(result, (-1,))[0])):
        warnings.warn("Use of fft convolution on input with NAN or inf results in NAN or inf "
                      "output. Consider using method='direct' instead.", RuntimeWarning,
                      stacklevel=4)  # fmt: skip
    return astype(result, kind, copy=False)


@operands("in1 in2")
def convolve(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """The convolution of two arrays."""
    return _convolution("convolve", in1, in2, mode, method)


@operands("in1 in2")
def correlate(in1: Any, in2: Any, mode: str = "full", method: str = "auto") -> Any:
    """The cross-correlation of two arrays."""
    if in1.ndim == in2.ndim == 0:
        return UFUNCS["multiply"](in1, h.conj(in2) if in2.dtype.kind == "c" else in2)
    _same_dimensions("correlate", in1, in2)
    return _convolution("correlate", in1, _reversed(in2), mode, method)


def correlation_lags(
    in1_len: int, in2_len: int, mode: str = "full", *, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Array:  # fmt: skip
    """The lags of the elements of correlate(), for vectors of two lengths."""
    if mode not in _MODES:
        raise ValueError(f"correlation_lags: Mode {mode} is invalid; it is 'full', 'same' or "
                         "'valid'")  # fmt: skip
    first, count = 1 - in2_len, in1_len + in2_len - 1
    if mode == "same":
        first, count = first + count // 2 - in1_len // 2, in1_len
    elif mode == "valid":
        first, count = min(0, in1_len - in2_len), abs(in1_len - in2_len) + 1
    place = place_of(queue, device, usm_type)
    return h.iota(max(0, count), first, 1, np.int64, **place)


def _fill(function: str, value: np.ndarray, kind: np.dtype) -> Any:
    """The value beyond the edges, in the dtype of the result."""
    if value.size != 1:
        raise ValueError(f"{function}: `fillvalue` must be scalar or an array with one element, "
                         f"not of shape {value.shape}")  # fmt: skip
    number = value.reshape(())[()]
    fits = value.dtype.kind in "biuf" or (value.dtype.kind == "c" and kind.kind == "c")
    if fits and kind.kind in "iu":
        limits = np.iinfo(kind)
        fits = bool(np.isfinite(number)) and limits.min <= int(number) <= limits.max
    if not fits:
        raise ValueError(f"{function}: fillvalue={number!r}: could not cast `fillvalue` directly "
                         f"to the output type, {kind}")  # fmt: skip
    return value.reshape(()).astype(kind)[()]


def _planes(
    function: str, in1: Array, in2: Array, mode: str, boundary: str, fillvalue: Any,
    convolution: bool,
) -> Array:  # fmt: skip
    if not in1.ndim == in2.ndim == 2:
        raise ValueError(f"{function} inputs must both be 2-D arrays, not {in1.ndim}-D and "
                         f"{in2.ndim}-D")  # fmt: skip
    check_mode(function, mode)
    if boundary not in _BOUNDARIES:
        raise ValueError(f"{function}: boundary={boundary!r}; acceptable boundary flags are "
                         "'fill', 'circular' (or 'wrap'), and 'symmetric' (or 'symm')")  # fmt: skip
    swapped = _swapped(function, mode, in1.shape, in2.shape, range(2))
    if swapped:
        in1, in2 = in2, in1
    weights = h.flip(in2) if convolution else in2
    if not convolution and in2.dtype.kind == "c":
        weights = h.conj(weights)
    x, kind = in1, np.result_type(in1.dtype, in2.dtype)
    fillvalue = _fill(function, host(fillvalue), kind) if boundary in ("fill", "pad") else 0
    x = astype(x, kind, copy=False)
    for axis, m in enumerate(weights.shape):
        half = m // 2 if convolution else (m - 1) // 2
        before, after = {"full": (m - 1, m - 1), "valid": (0, 0)}.get(mode, (half, m - 1 - half))
        if before or after:
            x = _continued(x, axis, before, after, _BOUNDARIES[boundary], fillvalue)
    result = sliding(x, weights)
    return h.copy(h.flip(result)) if swapped and not convolution else result


def _continued(x: Array, axis: int, before: int, after: int, mode: str, value: Any) -> Array:
    if x.dtype.kind != "c" or mode != "constant":
        constant = x.dtype.type(value) if mode == "constant" else 0
        return extended(x, axis, -before, x.shape[axis] + after, mode, constant)
    shape = (*x.shape[:axis], x.shape[axis] + before + after, *x.shape[axis + 1 :])
    result = h.full(shape, complex(value), x.dtype, **place_like(x))
    result[(slice(None),) * axis + (slice(before, before + x.shape[axis]),)] = x
    return result


@operands("in1 in2")
def convolve2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    """The convolution of two matrices, of which in1 is continued at its edges."""
    return _planes("convolve2d", in1, in2, mode, boundary, fillvalue, True)


@operands("in1 in2")
def correlate2d(
    in1: Any, in2: Any, mode: str = "full", boundary: str = "fill", fillvalue: Any = 0
) -> Any:
    """The cross-correlation of two matrices, of which in1 is continued at its edges."""
    return _planes("correlate2d", in1, in2, mode, boundary, fillvalue, False)
