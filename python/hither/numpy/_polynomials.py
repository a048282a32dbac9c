"""Polynomials as vectors of coefficients, the highest power first, and window functions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .. import linalg
from .._hither import Array, astype, where
from ._compiled import i0 as bessel
from ._elementwise import UFUNCS
from ._placement import operands, place_like, place_of, show_place
from ._products import convolve

__all__ = [
    "bartlett", "blackman", "hamming", "hanning", "kaiser", "poly", "polyadd", "polyder", "polydiv",
    "polyfit", "polyint", "polymul", "polysub", "polyval", "roots",
]  # fmt: skip


@operands("p x")
def polyval(p: Any, x: Any) -> Any:
    """The values of a polynomial, by Horner's rule.

    >>> import hither.numpy as np
    >>> np.polyval([3, 0, 1], [5, 2]).tolist()
    [76, 13]
    """
    result = h.zeros_like(x)
    for i in range(p.shape[0]):
        result = UFUNCS["add"](UFUNCS["multiply"](result, x), p[i])
    return result


def _vector(x: Array) -> Array:
    return h.reshape(x, (-1,)) if x.ndim == 0 else x


def _combined(name: str, a1: Array, a2: Array) -> Array:
    first, second = _vector(a1), _vector(a2)
    missing = first.size - second.size
    shorter = second if missing > 0 else first
    padding = h.zeros((abs(missing),), shorter.dtype, **place_like(shorter))
    longer = h.concat([padding, shorter]) if missing else shorter
    return UFUNCS[name](*((first, longer) if missing > 0 else (longer, second)))


@operands("a1 a2")
def polyadd(a1: Any, a2: Any) -> Any:
    """The sum of two polynomials."""
    return _combined("add", a1, a2)


@operands("a1 a2")
def polysub(a1: Any, a2: Any) -> Any:
    """The difference of two polynomials."""
    return _combined("subtract", a1, a2)


@operands("a1 a2")
def polymul(a1: Any, a2: Any) -> Any:
    """The product of two polynomials. It waits for both, to remove their leading zeros.

    >>> import hither.numpy as np
    >>> np.polymul([1, 2], [1, -2]).tolist()
    [1, 0, -4]
    """
    return convolve(_without_leading_zeros(a1), _without_leading_zeros(a2))


def _without_leading_zeros(p: Array) -> Array:
    p = _vector(p)
    return _from_first(p, p != 0)


def _from_first(p: Array, used: Array) -> Array:
    """p from the first true element of `used` on, or the last element of p. It reads `used`."""
    return p[int(h.argmax(used)) if bool(h.any(used)) else max(p.size - 1, 0) :]


@operands("u v")
def polydiv(u: Any, v: Any) -> Any:
    """The quotient and the remainder of two polynomials. It waits for the remainder, to remove its
    leading zeros.

    >>> import hither.numpy as np
    >>> [x.tolist() for x in np.polydiv([3.0, 5.0, 2.0], [2.0, 1.0])]
    [[1.5, 1.75], [0.25]]
    """
    u, v = _vector(u), _vector(v)
    kind = np.result_type(u.dtype, v.dtype, np.float16)
    kind = np.result_type(kind, 0.0 + u.dtype.type(0) + v.dtype.type(0))
    rest, divisor = astype(u, kind), astype(v, kind, copy=False)
    steps = rest.size - divisor.size + 1
    quotient = h.zeros((max(steps, 1),), kind, **place_like(u))
    scale = 1.0 / divisor[0]
    for k in range(steps):
        factor = scale * rest[k]
        quotient[k] = factor
        rest[k : k + divisor.size] -= factor * divisor
    return quotient, _from_first(rest, h.absolute(rest) > 1e-8)


@operands("p")
def polyder(p: Any, m: int = 1) -> Any:
    """The m-th derivative of a polynomial."""
    if int(m) < 0:
        raise ValueError(f"polyder: m={m} is negative")
    for _ in range(int(m)):
        powers = h.iota(max(p.size - 1, 0), p.size - 1, -1, np.int64, **place_like(p))
        p = UFUNCS["multiply"](p[:-1], powers)
    return p


@operands("p")
def polyint(p: Any, m: int = 1, k: Any = None) -> Any:
    """The m-th antiderivative of a polynomial, with the integration constants k."""
    if int(m) < 0:
        raise ValueError(f"polyint: m={m} is negative")
    constants = (
        np.zeros(m) if k is None else np.atleast_1d(h.asnumpy(k) if isinstance(k, Array) else k)
    )
    if len(constants) == 1 and m > 1:
        constants = constants[0] * np.ones(m)
    if len(constants) < m:
        raise ValueError(f"polyint: k has {len(constants)} constants, m={m} needs as many")
    for i in range(int(m)):
        powers = h.iota(p.size, p.size, -1, np.int64, **place_like(p))
        end = h.asarray(np.atleast_1d(constants[i]), **place_like(p))
        p = h.concat([UFUNCS["true_divide"](p, powers), end])
    return p


@operands("seq_of_zeros")
def poly(seq_of_zeros: Any) -> Any:
    """The polynomial with these zeros, or the characteristic polynomial of a matrix."""
    zeros = _vector(seq_of_zeros)
    if zeros.ndim == 2 and zeros.shape[0] == zeros.shape[1]:
        zeros = linalg.eigvals(zeros)
        if seq_of_zeros.dtype.kind != "c" and bool(h.all(zeros.imag == 0)):
            zeros = zeros.real
    elif zeros.ndim != 1:
        raise ValueError(f"poly: shape {zeros.shape} is neither a vector nor a square matrix")
    kind = np.dtype(np.mintypecode(zeros.dtype.char))
    result = h.ones((1,), kind, **place_like(zeros))
    for i in range(zeros.size):
        factor = h.stack(
            [h.ones((), kind, **place_like(zeros)), h.negative(astype(zeros[i], kind))]
        )
        result = convolve(result, factor)
    if result.dtype.kind == "c" and _are_conjugate(zeros):
        return h.copy(result.real)
    return result


def _are_conjugate(zeros: Array) -> bool:
    found = h.asnumpy(zeros)
    return bool(np.all(np.sort(found) == np.sort(found.conjugate())))


@operands("p")
def roots(p: Any) -> Any:
    """The zeros of a polynomial: the eigenvalues of its companion matrix. It waits for p."""
    if p.ndim > 1:
        raise ValueError(f"roots: p has {p.ndim} dimensions, not 1")
    values = h.asnumpy(_vector(p))
    used = np.flatnonzero(values)
    if used.size == 0:
        return h.zeros((0,), np.float64, **place_like(p))
    kind = np.dtype(np.float64) if p.dtype.kind not in "fc" else p.dtype
    body = values[used[0] : used[-1] + 1].astype(kind)
    tail = h.zeros((len(values) - used[-1] - 1,), kind, **place_like(p))
    if len(body) < 2:
        return tail
    companion = np.diag(np.ones(len(body) - 2, kind), -1)
    companion[0] = -body[1:] / body[0]
    found = linalg.eigvals(h.asarray(companion, **place_like(p)))
    if bool(h.all(found.imag == 0)):
        found = h.copy(found.real)
    return h.concat([found, astype(tail, found.dtype)]) if tail.size else found


@operands("x y w")
def polyfit(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: bool = False, w: Any = None, cov: Any = False
) -> Any:
    """The polynomial of degree `deg` with the least sum of squared distances to the points.

    >>> import hither.numpy as np
    >>> np.polyfit([0.0, 1.0, 2.0], [1.0, 3.0, 5.0], 1).round(12).tolist()
    [2.0, 1.0]
    """
    from ._creation import vander

    if deg < 0:
        raise ValueError(f"polyfit: deg={deg} is negative")
    if x.ndim != 1 or x.size == 0 or y.ndim not in (1, 2) or x.shape[0] != y.shape[0]:
        raise TypeError(
            f"polyfit: x and y have shapes {x.shape} and {y.shape}, not (n,) and (n, ...)"
        )
    kind = np.result_type(x.dtype, y.dtype, np.float64)
    x, y = astype(x, np.result_type(x.dtype, np.float64)), astype(y, kind)
    least = len(x) * float(np.finfo(x.dtype).eps) if rcond is None else rcond
    left, right = vander(x, int(deg) + 1), y
    if w is not None:
        weights = astype(w, np.result_type(w.dtype, np.float64))
        left = left * h.expand_dims(weights, 1)
        right = right * (h.expand_dims(weights, 1) if right.ndim == 2 else weights)
    scale = h.sqrt(h.sum(h.square(left), axis=0))
    from . import linalg as numpys

    c, residuals, rank, singular = numpys.lstsq(left / scale, right, least)
    c = h.matrix_transpose(h.matrix_transpose(c) / scale) if c.ndim == 2 else c / scale
    if full:
        limit = h.asarray(least, queue=x.queue) if rcond is None else rcond
        return c, residuals, rank, singular, limit
    if not cov:
        return c
    base = linalg.inv(h.matmul(h.matrix_transpose(left / scale), left / scale))
    base = base / (h.expand_dims(scale, 1) * scale)
    if cov == "unscaled":
        factor: Any = 1.0
    else:
        if len(x) <= deg + 1:
            raise ValueError("polyfit: cov=True needs more points than coefficients")
        factor = residuals / (len(x) - (deg + 1))
    if y.ndim == 1:
        return c, base * factor
    return c, h.expand_dims(base, 2) * factor


def _window(name: str, M: Any, place: dict[str, Any], values: Any) -> Array:  # noqa: N803
    """A window of M points; `values` gets n = 1 - M, 3 - M, ..., M - 1."""
    number = M.item() if isinstance(M, (Array, np.generic)) else M
    where_ = place_of(place.get("queue"), place.get("device"), place.get("usm_type"))
    if number < 1:
        return h.zeros((0,), np.float64, **where_)
    if number == 1:
        return h.ones((1,), np.float64, **where_)
    count = math.ceil(number)
    return values(h.iota(count, 1.0 - number, 2.0, np.float64, **where_), float(number))


def bartlett(M: Any, **place: Any) -> Array:  # noqa: N803 - NumPy's name
    """The triangular window of M points, with zeros at the ends."""
    return _window("bartlett", M, place, lambda n, m: where(
        n <= 0, 1 + n / (m - 1), 1 - n / (m - 1)))  # fmt: skip


def blackman(M: Any, **place: Any) -> Array:  # noqa: N803
    """The Blackman window of M points."""
    return _window("blackman", M, place, lambda n, m: (
        0.42 + 0.5 * h.cos(math.pi * n / (m - 1)) + 0.08 * h.cos(2.0 * math.pi * n / (m - 1))
    ))  # fmt: skip


def hamming(M: Any, **place: Any) -> Array:  # noqa: N803
    """The Hamming window of M points."""
    return _window("hamming", M, place, lambda n, m: 0.54 + 0.46 * h.cos(math.pi * n / (m - 1)))


def hanning(M: Any, **place: Any) -> Array:  # noqa: N803
    """The Hann window of M points."""
    return _window("hanning", M, place, lambda n, m: 0.5 + 0.5 * h.cos(math.pi * n / (m - 1)))


def kaiser(M: Any, beta: Any, **place: Any) -> Array:  # noqa: N803
    """The Kaiser window of M points with the shape parameter beta."""
    number = beta.item() if isinstance(beta, (Array, np.generic)) else beta
    scale = float(np.i0(float(number)))

    def values(n: Array, m: float) -> Array:
        square = h.maximum(1.0 - h.square(n / (m - 1)), 0.0)
        return bessel(h.sqrt(square) * float(number)) / scale

    return _window("kaiser", M, place, values)


show_place(bartlett, blackman, hamming, hanning, kaiser)
