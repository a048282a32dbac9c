"""logsumexp of complex numbers, by SciPy's formulas."""

from __future__ import annotations

import math

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype, where

__all__: list[str] = []


def log_of_complex_sum(
    a: Array, weights: Array | None, axes: tuple[int, ...], return_sign: bool
) -> tuple[Array, Array]:
    """The logarithm of the sum along axes of extent 1, and the sum's sign, which is a number of
    absolute value 1. With `return_sign` the logarithm is that of the absolute value."""
    powers = h.exp(a) if weights is None else weights * h.exp(a)
    plain = h.sum(powers, axis=axes, keepdims=True)
    result, sign = _shifted(a, weights, axes)
    if return_sign:
        result = astype(result.real, a.dtype)
    # An infinite term, or a sum that is 0, is the logarithm's own affair.
    known = h.isfinite(result)
    direct = h.log(astype(h.absolute(plain), a.dtype)) if return_sign else h.log(plain)
    result = where(known, result, direct)
    sign = where(known, sign, h.sign(plain))
    if return_sign:
        return result.real, _wrapped(sign)
    return _wrapped(result), sign


def _shifted(a: Array, weights: Array | None, axes: tuple[int, ...]) -> tuple[Array, Array]:
    """The logarithm and the sign, computed relative to the term with the largest real part."""
    if weights is not None:
        a = where(weights == 0, -math.inf, a)
    # One of the terms of the largest real part.
    real = a.real
    count = h.reshape(h.iota(a.size, 0, 1, np.int64, queue=a.queue), a.shape)
    number = where(real == h.max(real, axis=axes, keepdims=True), count, -1)
    is_top = number == h.max(number, axis=axes, keepdims=True)
    top = h.sum(where(is_top, a, 0.0), axis=axes, keepdims=True)
    most = h.sum(
        astype(where(is_top, 1.0 if weights is None else weights, 0.0), a.dtype),
        axis=axes, keepdims=True,
    )  # fmt: skip
    terms = h.exp(where(is_top, -math.inf, a) - top)
    terms = terms if weights is None else weights * terms
    rest = h.sum(terms, axis=axes, keepdims=True)
    ratio = where(rest == 0, rest, rest / most)
    sign = h.sign(ratio + 1.0) * h.sign(most) * h.exp(top.imag * 1j)
    return h.log1p(ratio) + h.log(most) + top, sign


def _wrapped(x: Array) -> Array:
    """The same real parts, and imaginary parts in (-pi, pi]."""
    angle = x.imag
    around = -((math.pi - angle) % (2 * math.pi) - math.pi)
    return x.real + where(h.absolute(angle) < math.pi, angle, around) * 1j
