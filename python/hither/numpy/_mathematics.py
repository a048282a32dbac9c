"""Functions of elements that are no ufuncs in NumPy. They are lazy and fuse with their readers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import finfo, kind_of, result_type
from .._hither import Array, astype, where
from ..errors import InvalidTypeError
from . import _compiled
from ._arguments import whole
from ._elementwise import UFUNCS
from ._placement import operands, place_like

__all__ = [
    "angle", "around", "clip", "fix", "i0", "imag", "interp", "isclose", "iscomplex", "isneginf",
    "isposinf", "isreal", "nan_to_num", "real", "real_if_close", "round", "sinc", "unwrap",
]  # fmt: skip


def _inexact(x: Array) -> Array:
    return x if kind_of(x.dtype) in "fc" else astype(x, np.float64)


@operands("z")
def angle(z: Any, deg: bool = False) -> Any:
    """The angle of complex numbers, in radians or degrees.

    >>> import hither.numpy as np
    >>> np.angle(np.asarray([1j, -1 + 0j]), deg=True).tolist()
    [90.0, 180.0]
    """
    if z.dtype.kind == "c":
        radians = h.atan2(h.imag(z), h.real(z))
    else:
        z = astype(z, np.float64) if z.dtype.kind == "b" else z
        radians = h.atan2(h.zeros_like(z), z)
    return radians * (180 / math.pi) if deg else radians


@operands("val")
def real(val: Any) -> Any:
    """The real part: a new array for complex arrays, and real arrays themselves."""
    return val.real if val.dtype.kind == "c" else val


@operands("val")
def imag(val: Any) -> Any:
    """The imaginary part: a new array, of zeros for real arrays."""
    return val.imag if val.dtype.kind == "c" else h.zeros_like(val)


@operands("a", weak="a_min a_max min max")
def clip(
    a: Any, a_min: Any = np._NoValue, a_max: Any = np._NoValue, out: Any = None, *,
    min: Any = np._NoValue, max: Any = np._NoValue, **kwargs: Any,
) -> Any:  # fmt: skip
    """The elements of a, limited to the interval [a_min, a_max], or [min, max].

    >>> import hither.numpy as np
    >>> np.clip([1, 5, 9], 2, 6).tolist()
    [2, 5, 6]
    """
    if a_min is np._NoValue and a_max is np._NoValue:
        low = None if min is np._NoValue else min
        high = None if max is np._NoValue else max
    elif a_min is np._NoValue or a_max is np._NoValue:
        missing = "a_min" if a_min is np._NoValue else "a_max"
        raise TypeError(f"clip: {missing} is missing; give both, or None for one of them")
    elif min is not np._NoValue or max is not np._NoValue:
        raise ValueError("clip: a_min and a_max are other names of min and max; give one pair")
    else:
        low, high = a_min, a_max
    if a.dtype.kind in "iu":  # a limit that no element can reach has no effect
        limits = np.iinfo(a.dtype)
        low = None if type(low) is int and low <= limits.min else low
        high = None if type(high) is int and high >= limits.max else high
    stored = {"where": kwargs.pop("where")} if "where" in kwargs else {}  # of the last step
    if out is not None:
        stored["out"] = out
    if low is None and high is None:
        return UFUNCS["positive"](a, **kwargs, **stored)
    if low is not None:
        a = UFUNCS["maximum"](a, low, **kwargs, **(stored if high is None else {}))
    return a if high is None else UFUNCS["minimum"](a, high, **kwargs, **stored)


@operands("a", out="same_kind")
def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    """The elements rounded to `decimals` decimals, halves to the even neighbour.

    Decimals other than 0 are rounded after a multiplication by a power of ten, as in NumPy.

    >>> import hither.numpy as np
    >>> np.round([1.25, 2.5], 1).tolist()
    [1.2, 2.5]
    """
    decimals = whole("round", "decimals", decimals)
    if a.dtype.kind == "b":
        if decimals:
            raise InvalidTypeError("round", "bools have no decimals; cast them with astype")
        return astype(a, np.float16)
    if a.dtype.kind in "iu":
        if decimals >= 0:
            return h.copy(a)
        if decimals < -308:  # no element reaches half of the unit
            return h.zeros_like(a)
        unit = 10.0**-decimals
        return astype(h.round(astype(a, np.float64) / unit) * unit, a.dtype)
    if decimals == 0:
        return h.round(a)
    if a.dtype.kind == "c":
        parts = h.reshape(h.copy(a), (-1,)).view(a.real.dtype)
        return h.reshape(round(parts, decimals).view(a.dtype), a.shape)
    scale = 10.0 ** abs(decimals)
    return h.round(a * scale) / scale if decimals > 0 else h.round(a / scale) * scale


around = round


@operands("x")
def fix(x: Any, out: Any = None) -> Any:
    """The elements rounded towards zero."""
    return UFUNCS["trunc"](x, out=out)


@operands("x")
def iscomplex(x: Any) -> Any:
    """Whether the imaginary part of each element differs from 0."""
    return x.imag != 0 if x.dtype.kind == "c" else h.zeros_like(x, dtype=np.bool_)


@operands("x")
def isreal(x: Any) -> Any:
    """Whether the imaginary part of each element is 0."""
    return x.imag == 0 if x.dtype.kind == "c" else h.ones_like(x, dtype=np.bool_)


def _infinite(name: str, x: Array, sign: Any, out: Any) -> Any:
    if x.dtype.kind == "c":
        raise InvalidTypeError(name, f"x is {x.dtype}, whose infinities have no sign")
    signs = UFUNCS["signbit"](x) == sign if kind_of(x.dtype) == "f" else False
    return UFUNCS["logical_and"](UFUNCS["isinf"](x), signs, out=out)


@operands("x")
def isposinf(x: Any, out: Any = None) -> Any:
    """Whether each element is positive infinity."""
    return _infinite("isposinf", x, False, out)


@operands("x")
def isneginf(x: Any, out: Any = None) -> Any:
    """Whether each element is negative infinity."""
    return _infinite("isneginf", x, True, out)


def _beside(other: Array, number: Any) -> Array:
    """The Python number as an array of the dtype that it has in an operation with `other`.
    Integers become floats, as in NumPy's isclose."""
    number = float(number) if isinstance(number, int) else number
    return h.full((), number, result_type(other, number), **place_like(other))


@operands("a", weak="a b rtol atol")
def isclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> Any:
    """Whether \\|a - b\\| <= atol + rtol * \\|b\\|, for each pair of elements.

    >>> import hither.numpy as np
    >>> np.isclose([1.0, 2.0], [1.0 + 1e-9, 2.1]).tolist()
    [True, False]
    """
    if not isinstance(a, Array):
        home = next(x for x in (b, rtol, atol) if isinstance(x, Array))
        a = _beside(home, a)
    if not isinstance(b, Array):
        b = _beside(a, b)
    if kind_of(b.dtype) not in "fc":
        b = astype(b, np.float64)
    finite = UFUNCS["isfinite"](b)
    near = UFUNCS["abs"](UFUNCS["subtract"](a, b)) <= UFUNCS["abs"](b) * rtol + atol
    result = (near & finite) | (a == b)
    if equal_nan:
        result = result | (UFUNCS["isnan"](a) & h.isnan(b))
    return result


@operands("x", weak="nan posinf neginf")
def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    """The elements with NaN and infinities replaced: infinities by the dtype's limits by default.

    >>> import hither.numpy as np
    >>> np.nan_to_num([np.nan, 1.0, -np.inf], neginf=-5).tolist()
    [0.0, 1.0, -5.0]
    """
    if kind_of(x.dtype) not in "fc":
        return h.copy(x) if copy else x
    if x.dtype.kind == "c":
        real_part = _finite(x.real, nan, posinf, neginf)
        imag_part = _finite(x.imag, nan, posinf, neginf)
        result = h.copy(x)
        result.real, result.imag = real_part, imag_part
    else:
        result = _finite(x, nan, posinf, neginf)
    if result.shape != x.shape:
        raise ValueError(f"nan_to_num: the values do not broadcast to the shape {x.shape}")
    if copy:
        return result
    x[...] = result
    return x


def _finite(x: Array, nan: Any, posinf: Any, neginf: Any) -> Array:
    limits = finfo(x.dtype)
    high = float(limits.max) if posinf is None else posinf
    low = float(limits.min) if neginf is None else neginf
    fits = [astype(v, x.dtype) if isinstance(v, Array) else v for v in (nan, high, low)]
    endless = where(h.isinf(x), where(h.signbit(x), fits[2], fits[1]), x)
    return astype(where(h.isnan(x), fits[0], endless), x.dtype, copy=False)


@operands("x")
def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), and 1 at 0.

    >>> import hither.numpy as np
    >>> np.sinc([0.0, 0.5]).tolist()[0]
    1.0
    """
    x = _inexact(x)
    tiny = finfo(x.dtype).eps if kind_of(x.dtype) == "f" else 1e-20
    y = where(x == 0, tiny, x) * math.pi
    return h.sin(y) / y


@operands("a")
def real_if_close(a: Any, tol: float = 100) -> Any:
    """The real parts if all imaginary parts are smaller than `tol`, in units of the precision if it
    is above 1. It reads the array."""
    if a.dtype.kind != "c":
        return a
    if tol > 1:
        tol = float(np.finfo(a.dtype).eps) * tol
    return a.real if bool(h.all(h.absolute(a.imag) < tol)) else a


@operands("p")
def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Any:
    """Angles without jumps: differences along `axis` of more than half a period are reduced by
    multiples of it.

    >>> import hither.numpy as np
    >>> np.unwrap([0, 1, 2, -1, 0], period=4).tolist()
    [0, 1, 2, 3, 4]
    """
    steps = h.diff(p, axis=axis)
    if discont is None:
        discont = period / 2
    kind = result_type(p, period)
    if kind.kind in "iu":
        high, remainder = divmod(period, 2)
        on_boundary = remainder == 0
    else:
        high, on_boundary = period / 2, True
    low = -high
    wrapped = h.remainder(steps - low, period) + low
    if on_boundary:
        wrapped = where((wrapped == low) & (steps > 0), high, wrapped)
    jumps = where(h.absolute(steps) < discont, 0, wrapped - steps)
    rest = h.cumulative_sum(astype(jumps, kind), axis=axis)
    result = h.copy(astype(p, kind))
    part = [slice(None)] * p.ndim
    part[axis] = slice(1, None)
    result[tuple(part)] = p[tuple(part)] + rest
    return result


@operands("x")
def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind and order 0."""
    if x.dtype.kind == "c":
        raise InvalidTypeError("i0", "x is complex; it takes real numbers")
    result = _compiled.i0(x)
    return astype(result, x.dtype, copy=False) if kind_of(x.dtype) == "f" else result


@operands("x xp fp", weak="left right period")
def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """Values at x of the piecewise linear function through the points (xp, fp); xp increases.

    >>> import hither.numpy as np
    >>> np.interp([0.5, 9], [0, 1, 2], [0, 10, 20]).tolist()
    [5.0, 20.0]
    """
    if xp.ndim != 1 or fp.ndim != 1 or xp.shape != fp.shape:
        raise ValueError(f"interp: xp and fp have shapes {xp.shape} and {fp.shape}, not (n,)")
    if xp.size == 0:
        raise ValueError("interp: xp is empty")
    if "c" in (x.dtype.kind, xp.dtype.kind):
        raise TypeError("interp: x and xp are places, which must be real")
    if period is not None:
        x, xp, fp = _periodic(x, xp, fp, abs(period))
        left = right = None
    limits = [v for v in (left, right) if v is not None]
    if fp.dtype.kind == "c" or any(map(np.iscomplexobj, limits)):
        ends = [(None, None) if v is None else (v.real, v.imag) for v in (left, right)]
        result = h.empty(x.shape, np.complex128, **place_like(x))
        result.real = _interpolated(x, xp, h.real(fp), ends[0][0], ends[1][0])
        imaginary = _interpolated(x, xp, h.imag(fp), ends[0][1], ends[1][1])
        result.imag = where(h.isnan(x), 0.0, imaginary) if xp.size > 1 else imaginary
        return result
    return _interpolated(x, xp, fp, left, right)


def _interpolated(x: Array, xp: Array, fp: Array, left: Any, right: Any) -> Array:
    x, xp, fp = (astype(v, np.float64, copy=False) for v in (x, xp, fp))
    result = h.interpolate(x, xp, fp)
    if left is not None:
        result = where(x < xp[0], left, result)
    if right is not None:
        result = where(x > xp[-1], right, result)
    return result


def _periodic(x: Array, xp: Array, fp: Array, period: Any) -> tuple[Array, Array, Array]:
    """x and the points in one period, with a point of the neighbouring periods at both ends."""
    from ._sorting import order_along

    if not period:
        raise ValueError("interp: period is 0")
    x, xp = (h.remainder(astype(v, np.float64), period) for v in (x, xp))
    order = order_along(xp)
    xp, fp = h.take(xp, order, axis=0), h.take(fp, order, axis=0)
    return (x, h.concat([xp[-1:] - period, xp, xp[:1] + period]),
            h.concat([fp[-1:], fp, fp[:1]]))  # fmt: skip
