"""Sums of exponentials along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _hither as h
from ..._array.dtypes import kind_of, refuse_float8
from ..._hither import Array, astype, where
from ...errors import InvalidTypeError
from ...numpy._placement import operands, refuse_other_queue
from ...numpy._ufunc_methods import axes_of
from ._complex_sums import log_of_complex_sum

__all__ = ["log_softmax", "logsumexp", "softmax"]

_INF = float("inf")


def _floating(function: str, x: Array) -> Array:
    if x.dtype.kind == "c":
        raise InvalidTypeError(
            function, f"x is {x.dtype}; it has to be real, because its maximum is subtracted"
        )
    refuse_float8(function, (x,))
    return x if kind_of(x.dtype) == "f" else astype(x, np.exp.resolve_dtypes((x.dtype, None))[1])


def _of_number(x: Array, axis: Any) -> Any:
    """The axis; None for the axes that NumPy allows for an array without dimensions."""
    return None if x.ndim == 0 and axis in (0, -1) else axis


def _in_float32(x: Array) -> Array:
    """x; float16 and bfloat16 as float32, in which sums of exponentials are accurate."""
    return astype(x, np.float32) if x.dtype.itemsize == 2 else x


def _finite(x: Array) -> Array:
    return where(h.isfinite(x), x, 0.0)


@operands("x")
def softmax(x: Any, axis: Any = None) -> Any:
    """exp(x) / sum(exp(x)) along an axis or axes, by default all."""
    x = _floating("softmax", x)
    axis = _of_number(x, axis)
    wide = _in_float32(x)
    powers = h.exp(wide - h.max(wide, axis=axis, keepdims=True))
    return astype(powers / h.sum(powers, axis=axis, keepdims=True), x.dtype, copy=False)


@operands("x")
def log_softmax(x: Any, axis: Any = None) -> Any:
    """The logarithm of softmax(x), without its overflows."""
    x = _floating("log_softmax", x)
    axis = _of_number(x, axis)
    wide = _in_float32(x)
    rest = wide - _finite(h.max(wide, axis=axis, keepdims=True))
    result = rest - h.log(h.sum(h.exp(rest), axis=axis, keepdims=True))
    return astype(result, x.dtype, copy=False)


@operands("a b", weak="b")
def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """log(sum(b exp(a))) along an axis or axes, by default all, without overflow.

    With ``return_sign`` also the sign of the sum, whose absolute value the logarithm is then of;
    without it, the logarithm of a negative sum of real numbers is NaN.
    """
    if isinstance(b, Array):
        refuse_other_queue("logsumexp", "b", b, a)
    given = [getattr(x, "dtype", x) for x in (a, b) if x is not None]
    dtype = np.result_type(*given)
    dtype = dtype if kind_of(dtype) in "fc" else np.dtype(np.float64)
    wide = np.dtype(np.float32) if kind_of(dtype) == "f" and dtype.itemsize == 2 else dtype
    shape = np.broadcast_shapes(a.shape, np.shape(b)) or (1,)
    a = h.broadcast_to(astype(a, wide, copy=False), shape)
    weights = None if b is None else h.broadcast_to(h.asarray(b, wide, queue=a.queue), shape)
    axes = axes_of("logsumexp", axis, a.ndim)
    if a.size and dtype.kind == "c":
        return _delivered(log_of_complex_sum(a, weights, axes, return_sign), return_sign,
                          () if keepdims else axes)  # fmt: skip
    if a.size:
        result, sign = _log_of_sum(a, weights, axes)
    else:
        kept = tuple(1 if i in axes else n for i, n in enumerate(shape))
        result = h.full(kept, -_INF, wide, queue=a.queue)
        sign = h.sign(result)
    if not return_sign:
        result = where(sign < 0, float("nan"), result) if a.size else result
    parts = astype(result, dtype, copy=False), astype(sign, dtype, copy=False)
    return _delivered(parts, return_sign, () if keepdims else axes)


def _delivered(parts: tuple[Array, Array], both: bool, axes: tuple[int, ...]) -> Any:
    """A logarithm and a sign, or the logarithm alone, without axes of extent 1."""
    made = tuple(h.squeeze(x, axis=axes) if axes else x for x in parts)
    return made if both else made[0]


def _log_of_sum(a: Array, weights: Array | None, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """The logarithm of the absolute value of the sum, and its sign, along axes of extent 1. The
    largest terms are summed apart, so that small ones add to the logarithm's accuracy."""
    options: dict[str, Any] = {"axis": axes, "keepdims": True}
    shown = a if weights is None else where(weights == 0, -_INF, a)
    top = h.max(shown, **options)
    is_top = shown == top
    shift = _finite(top)
    terms = h.exp(shown - shift)
    terms = terms if weights is None else weights * terms
    most = h.sum(where(is_top, 1.0 if weights is None else weights, 0.0), dtype=a.dtype, **options)
    rest = h.sum(where(is_top, 0.0, terms), **options)
    ratio = where(rest == 0, rest, rest / most)
    sign = h.sign(ratio + 1) * h.sign(most)
    size = where(ratio < -1, -ratio - 2, ratio)
    result = h.log1p(size) + h.log(h.absolute(most)) + top
    # An infinite term, or a sum that is 0, is the logarithm's own affair.
    powers = h.exp(shown) if weights is None else weights * h.exp(shown)
    plain = h.sum(powers, **options)
    known = h.isfinite(result)
    return (where(known, result, h.log(h.absolute(plain))),
            where(known, sign, h.sign(plain)))  # fmt: skip
