"""NumPy's element-wise functions: its ufuncs, and the functions that are composed of them."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import kind_of, result_type
from .._hither import Array, astype, where
from . import _compiled
from ._cores import cores_of_result
from ._direct import ByDtype
from ._ufunc import ufunc

__all__: list[str] = ["ufunc"]


def _is_nan(x: Any) -> Any:
    return h.isnan(x) if isinstance(x, Array) else x != x


def _one_of(first: Any, second: Any, chosen: Any) -> Any:
    """`chosen`, or the other operand where one of both is NaN."""
    return where(_is_nan(first), second, where(_is_nan(second), first, chosen))


def _fmax(x1: Any, x2: Any) -> Any:
    result = _maximum(x1, x2)
    return _one_of(x1, x2, result) if kind_of(result.dtype) in "fc" else result


def _fmin(x1: Any, x2: Any) -> Any:
    result = _minimum(x1, x2)
    return _one_of(x1, x2, result) if kind_of(result.dtype) in "fc" else result


def _fmod(x1: Any, x2: Any) -> Any:
    """The remainder with the sign of x1, by that of the absolute values."""
    kind = result_type(x1, x2).kind
    if kind in "bu":
        return h.remainder(x1, x2)
    if kind == "i":
        remainder = h.remainder(x1, x2)
        crossed = h.logical_and(h.not_equal(remainder, 0), h.less(h.bitwise_xor(x1, x2), 0))
        return where(crossed, h.subtract(remainder, x2), remainder)
    # The name abs is a ufunc in this module, which makes arrays of float64 from numbers.
    size = h.absolute(x2) if isinstance(x2, Array) else operator.abs(x2)
    left = h.absolute(x1) if isinstance(x1, Array) else operator.abs(x1)
    result = h.copysign(h.remainder(left, size), x1)
    endless = h.logical_and(_flag(h.isinf, x2, result), _flag(h.isfinite, x1, result))
    return where(endless, x1, result)


def _flag(function: Any, x: Any, like: Array) -> Array:
    return function(x if isinstance(x, Array) else h.full((), x, like.dtype, queue=like.queue))


def _heaviside(x1: Any, x2: Any) -> Any:
    if not isinstance(x1, Array):
        x1 = h.full((), x1, result_type(x2, x1), queue=x2.queue)
    step = where(h.less(x1, 0), 0.0, where(h.equal(x1, 0), x2, 1.0))
    return where(_is_nan(x1), x1, step)


def _logaddexp2(x1: Any, x2: Any) -> Any:
    if _is_float16(x1) or _is_float16(x2):  # the parts of a small sum are larger than it
        return _logaddexp2(_widened(x1), _widened(x2))
    ln2 = math.log(2)
    high, low = h.maximum(x1, x2), h.minimum(x1, x2)
    gap = h.subtract(low, high)
    sum_ = h.add(high, h.multiply(h.log1p(h.exp2(gap)), 1 / ln2))
    return where(h.equal(x1, x2), h.add(high, 1.0), sum_)


def _is_float16(x: Any) -> bool:
    return isinstance(x, Array) and x.dtype == np.float16


def _widened(x: Any) -> Any:
    return astype(x, np.float32) if isinstance(x, Array) else float(np.float16(x))


def _modf(x: Array) -> tuple[Array, Array]:
    whole = h.trunc(x)
    rest = where(h.isinf(x), 0.0, h.subtract(x, whole))
    return h.copysign(rest, x), whole


def _radians(x: Array) -> Array:
    return h.multiply(x, math.pi / 180)


def _degrees(x: Array) -> Array:
    return h.multiply(x, 180 / math.pi)


def _divmod(x1: Any, x2: Any) -> tuple[Array, Array]:
    return h.floor_divide(x1, x2), h.remainder(x1, x2)


def _bitwise_count(x: Array) -> Array:
    bits = x.dtype.itemsize * 8
    unsigned = np.dtype(f"u{x.dtype.itemsize}")
    # The magnitude of the least integer is itself, which is right as an unsigned number.
    rest = astype(h.absolute(x) if x.dtype.kind == "i" else x, unsigned, copy=False)
    mask = [int("01" * 32, 2), int("0011" * 16, 2), int("00001111" * 8, 2)]
    limit = 2**bits - 1
    rest = rest - h.bitwise_and(h.bitwise_right_shift(rest, 1), mask[0] & limit)
    pairs = h.bitwise_and(h.bitwise_right_shift(rest, 2), mask[1] & limit)
    rest = h.bitwise_and(rest, mask[1] & limit) + pairs
    rest = h.bitwise_and(rest + h.bitwise_right_shift(rest, 4), mask[2] & limit)
    shift = 8
    while shift < bits:
        rest = rest + h.bitwise_right_shift(rest, shift)
        shift *= 2
    return astype(h.bitwise_and(rest, 0x7F), np.uint8)


def _same(x: Array) -> Array:
    return h.copy(x)


def _never(x: Array) -> Array:
    return h.zeros_like(x, dtype=np.bool_)


def _less_than(x1: Any, x2: Any) -> Any:
    """The order of complex numbers: by real part, then by imaginary part."""
    r1, r2, i1, i2 = *map(_real, (x1, x2)), *map(_imag, (x1, x2))
    known = h.logical_not(h.logical_or(_is_nan(i1), _is_nan(i2)))
    tied = h.logical_and(h.equal(r1, r2), h.less(i1, i2))
    return h.logical_or(h.logical_and(h.less(r1, r2), known), tied)


def _real(x: Any) -> Any:
    return h.real(x) if isinstance(x, Array) else x.real


def _imag(x: Any) -> Any:
    return h.imag(x) if isinstance(x, Array) else x.imag


def _complex_order(function: Any, ordered: Any) -> ByDtype:
    return ByDtype("c", ordered, function, any)


def _complex_extreme(name: str) -> Any:
    def call(x1: Any, x2: Any) -> Any:
        later = _less_than(x1, x2) if name == "maximum" else _less_than(x2, x1)
        chosen = where(later, x2, x1)
        return where(_is_nan(x1), x1, where(_is_nan(x2), x2, chosen))

    return call


_maximum = ByDtype("b", h.logical_or, _complex_order(h.maximum, _complex_extreme("maximum")))
_minimum = ByDtype("b", h.logical_and, _complex_order(h.minimum, _complex_extreme("minimum")))


def _matvec(x1: Array, x2: Array) -> Array:
    cores_of_result("matvec", "(m,n),(n)->(m)", (x1, x2))
    return h.matmul(x1, x2[..., None])[..., 0]


def _vecmat(x1: Array, x2: Array) -> Array:
    cores_of_result("vecmat", "(n),(n,m)->(m)", (x1, x2))
    vector = h.conj(x1) if x1.dtype.kind == "c" else x1
    return h.matmul(vector[..., None, :], x2)[..., 0, :]


# Ufuncs that are operations of hither with the same or another name.
_NATIVE: dict[str, Any] = {
    name: getattr(h, name)
    for name in (
        "add subtract multiply divide floor_divide remainder power negative positive absolute sign "
        "square reciprocal sqrt cbrt exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh "
        "tanh hypot logaddexp copysign nextafter floor ceil trunc equal not_equal logical_and "
        "logical_or "
        "logical_xor logical_not bitwise_and bitwise_or bitwise_xor isnan isinf isfinite signbit "
        "matmul vecdot"
    ).split()
} | {
    "arccos": h.acos, "arccosh": h.acosh, "arcsin": h.asin, "arcsinh": h.asinh, "arctan": h.atan,
    "arctan2": h.atan2, "arctanh": h.atanh, "invert": h.bitwise_invert, "rint": h.round,
    "left_shift": h.bitwise_left_shift, "right_shift": h.bitwise_right_shift,
    "conjugate": ByDtype("c", h.conj, h.positive), "fabs": h.absolute,
}  # fmt: skip
_COMPOSED: dict[str, Any] = {
    "add": ByDtype("b", h.logical_or, h.add),
    "multiply": ByDtype("b", h.logical_and, h.multiply),
    "absolute": ByDtype("b", _same, h.absolute),
    "floor": ByDtype("b", _same, h.floor), "ceil": ByDtype("b", _same, h.ceil),
    "trunc": ByDtype("b", _same, h.trunc),
    "maximum": _maximum, "minimum": _minimum, "fmax": _fmax, "fmin": _fmin, "fmod": _fmod,
    "less": _complex_order(h.less, _less_than),
    "greater": _complex_order(h.greater, lambda a, b: _less_than(b, a)),
    "less_equal": _complex_order(
        h.less_equal, lambda a, b: h.logical_or(_less_than(a, b), h.equal(a, b))
    ),
    "greater_equal": _complex_order(
        h.greater_equal, lambda a, b: h.logical_or(_less_than(b, a), h.equal(a, b))
    ),
    "bitwise_count": _bitwise_count,
    "exp2": ByDtype("c", lambda x: h.exp(h.multiply(x, math.log(2))), h.exp2),
    "reciprocal": ByDtype("iu", lambda x: where(h.equal(x, 0), 0, h.reciprocal(x)), h.reciprocal),
    "deg2rad": _radians, "radians": _radians, "rad2deg": _degrees, "degrees": _degrees,
    "divmod": _divmod, "float_power": h.power, "frexp": _compiled.frexp, "gcd": _compiled.gcd,
    "lcm": _compiled.lcm,
    "spacing": _compiled.spacing, "heaviside": _heaviside,
    "ldexp": _compiled.ldexp, "logaddexp2": _logaddexp2, "matvec": _matvec, "modf": _modf,
    "vecmat": _vecmat, "isnan": ByDtype("biu", _never, h.isnan),
    "isinf": ByDtype("biu", _never, h.isinf),
    "isfinite": ByDtype("biu", lambda x: h.ones_like(x, dtype=np.bool_), h.isfinite),
}  # fmt: skip


# What ufuncs do that are not one operation of hither.
_SUMMARIES = {
    "bitwise_count": "The number of ones in the binary form of |x|.",
    "conjugate": "Complex conjugate.",
    "deg2rad": "Degrees as radians.",
    "degrees": "Radians as degrees.",
    "divmod": "floor_divide(x1, x2) and remainder(x1, x2).",
    "fabs": "|x| in floating point.",
    "float_power": "x1 ** x2 in float64 or complex128.",
    "fmax": "The larger one; the other one if one is NaN.",
    "fmin": "The smaller one; the other one if one is NaN.",
    "fmod": "The remainder of x1 / x2, with the sign of x1.",
    "frexp": "Mantissa and exponent: x is mantissa * 2 ** exponent.",
    "gcd": "The greatest common divisor.",
    "heaviside": "0 for negative x1, 1 for positive x1, and x2 for 0.",
    "isnat": "Refused: arrays hold numbers, and no dates.",
    "lcm": "The least common multiple.",
    "ldexp": "x1 * 2 ** x2.",
    "logaddexp2": "log2(2 ** x1 + 2 ** x2) without overflow.",
    "matmul": "Matrix product over the last two axes; the others broadcast.",
    "matvec": "Products of matrices and vectors.",
    "modf": "The fraction of x and its integer part.",
    "rad2deg": "Radians as degrees.",
    "radians": "Degrees as radians.",
    "spacing": "The distance to the next representable number.",
    "vecdot": "Sums of conj(x1) * x2 along the last axis.",
    "vecmat": "Products of conjugated vectors and matrices.",
}


def _summary(name: str) -> str:
    native = _NATIVE.get(name) or getattr(h, name, None)
    return _SUMMARIES.get(name) or (native.__doc__ or "").partition("\n")[0]


def _instances() -> dict[str, ufunc]:
    """A ufunc for each of NumPy's, also under NumPy's alternative names."""
    natives = _NATIVE | _COMPOSED
    made: dict[str, ufunc] = {}
    found: dict[str, ufunc] = {}
    for name in dir(np):
        numpys = getattr(np, name)
        if isinstance(numpys, np.ufunc):
            own = numpys.__name__
            if own not in made:
                made[own] = ufunc(numpys, natives.get(own), _summary(own))
            found[name] = made[own]
    return found


UFUNCS = _instances()
globals().update(UFUNCS)
__all__ += list(UFUNCS)
