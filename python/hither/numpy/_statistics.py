"""Averages, covariances, histograms, and comparisons of whole arrays."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import kind_of
from .._hither import Array, astype
from ..errors import InvalidTypeError
from ._arguments import dtype_of
from ._elementwise import UFUNCS
from ._mathematics import isclose
from ._memory_order import is_fortran
from ._placement import as_array, operands
from ._reductions import _keep, _mean
from ._ufunc_methods import axes_of

__all__ = [
    "allclose",
    "array_equal",
    "array_equiv",
    "average",
    "corrcoef",
    "cov",
    "gradient",
    "searchsorted",
    "trapezoid",
]


@operands("a weights")
def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *,
    keepdims: Any = np._NoValue,
) -> Any:  # fmt: skip
    """The weighted mean along axes; with returned=True also the sums of the weights.

    >>> import hither.numpy as np
    >>> float(np.average([1.0, 3.0], weights=[3, 1]))
    1.5
    """
    keeps = _keep(keepdims)
    axes = axes_of("average", axis, a.ndim)
    if weights is None:
        mean = _mean(a, axes, None, keeps, True)
        count = math.prod(a.shape[i] for i in axes)
        return (
            (mean, h.full(mean.shape, float(count), mean.dtype, queue=a.queue))
            if returned
            else mean
        )
    kind = np.result_type(a.dtype, weights.dtype)
    if a.dtype.kind in "biu":
        kind = np.result_type(kind, np.float64)
    factors = weights_along("average", a, axis, weights)
    scale = h.sum(astype(factors, kind), axis=axes, keepdims=keeps)
    if bool(h.any(scale == 0)):
        raise ZeroDivisionError("average: the weights sum to 0, so that there is no mean")
    total = h.sum(UFUNCS["multiply"](a, factors, dtype=kind), axis=axes, keepdims=keeps)
    mean = total / scale
    return (mean, h.copy(h.broadcast_to(scale, mean.shape))) if returned else mean


def weights_along(function: str, a: Array, axis: Any, weights: Array) -> Array:
    """The weights in the shape of a."""
    if weights.shape == a.shape:
        return weights
    axes = axes_of(function, tuple(axis) if isinstance(axis, list) else axis, a.ndim)
    if axis is None:
        raise TypeError(f"{function}: axis= is missing, since a and weights have different shapes")
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError(
            f"{function}: weights have shape {weights.shape}, which is not that of a along the axes"
        )
    order = sorted(range(len(axes)), key=lambda i: axes[i])
    ordered = h.permute_dims(weights, order)
    shape = tuple(n if i in axes else 1 for i, n in enumerate(a.shape))
    return h.broadcast_to(h.reshape(ordered, shape), a.shape)


@operands("m y fweights aweights")
def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None,
    fweights: Any = None, aweights: Any = None, *, dtype: Any = None,
) -> Any:  # fmt: skip
    """The covariance matrix of variables, which are the rows of m.

    >>> import hither.numpy as np
    >>> np.cov([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]).tolist()
    [[1.0, 2.0], [2.0, 4.0]]
    """
    if ddof is not None and ddof != int(ddof):
        raise ValueError(f"cov: ddof={ddof} is not an integer")
    kind = np.result_type(m.dtype, np.float64, *(() if y is None else (y.dtype,)))
    kind = kind if dtype is None else dtype_of("cov", dtype)
    rows = _variables(m, kind, rowvar or m.ndim == 1)
    if rows.shape[0] == 0:  # as in NumPy, of every dtype
        return h.zeros((0, 0), np.float64, queue=m.queue)
    if y is not None:
        rows = h.concat([rows, _variables(y, kind, rowvar or y.ndim == 1)])
    if ddof is None:
        ddof = 0 if bias else 1
    weights = _weights(fweights, aweights, rows.shape[1])
    if weights is None:
        total: Any = rows.shape[1]
        middle = h.sum(rows, axis=1, keepdims=True) / total if total else math.nan
        divisor = total - ddof
    else:
        total = h.sum(weights)
        middle = h.sum(rows * weights, axis=1, keepdims=True) / total
        share = 1 if aweights is None else h.sum(weights * aweights) / total
        divisor = total - ddof * share
    distance = rows - middle
    right = distance if weights is None else distance * weights
    right = h.matrix_transpose(h.conj(right) if kind.kind == "c" else right)
    if not isinstance(divisor, Array):
        divisor = float(max(divisor, 0))
    else:
        divisor = h.maximum(astype(divisor, np.float64), 0.0)
    if rows.shape[1] == 0:
        count = rows.shape[0]
        return _squeezed(h.full((count, count), math.nan, kind, queue=m.queue))
    return _squeezed(h.matmul(distance, right) / divisor)


def _squeezed(x: Array) -> Array:
    return h.reshape(x, tuple(n for n in x.shape if n != 1))


def _variables(x: Array, kind: Any, in_rows: bool) -> Array:
    if x.ndim > 2:
        raise ValueError(f"cov: an array has {x.ndim} dimensions, at most 2 are possible")
    rows = h.reshape(x, (1, -1)) if x.ndim < 2 else x
    rows = rows if in_rows or x.ndim < 2 else h.matrix_transpose(rows)
    return astype(rows, kind, copy=False)


def _weights(fweights: Any, aweights: Any, count: int) -> Any:
    for name, w in (("fweights", fweights), ("aweights", aweights)):
        if w is None:
            continue
        if w.ndim != 1 or w.size != count:
            raise RuntimeError(f"cov: {name} has shape {w.shape}, not ({count},)")
        if bool(h.any(w < 0)):
            raise ValueError(f"cov: {name} has a negative element")
    if (
        fweights is not None
        and fweights.dtype.kind == "f"
        and bool(h.any(h.round(fweights) != fweights))
    ):
        raise TypeError("cov: fweights has an element that is not a whole number")
    if fweights is None or aweights is None:
        given = fweights if aweights is None else aweights
        return None if given is None else astype(given, np.float64)
    return astype(fweights, np.float64) * aweights


@operands("x y")
def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None) -> Any:
    """The correlation coefficients of variables, which are the rows of x."""
    c = cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    from ._indexing import diagonal

    deviation = h.sqrt(h.real(diagonal(c)))
    scaled = c / h.expand_dims(deviation, 1) / deviation
    if c.dtype.kind != "c":
        return h.clip(scaled, -1.0, 1.0)
    limited = h.copy(scaled)
    limited.real = h.clip(scaled.real, -1.0, 1.0)
    limited.imag = h.clip(scaled.imag, -1.0, 1.0)
    return limited


@operands("a", weak="a b rtol atol")
def allclose(a: Any, b: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: bool = False) -> bool:
    """Whether isclose() is true for all pairs of elements. A Python bool: it waits."""
    return bool(h.all(isclose(a, b, rtol, atol, equal_nan)))


def _compares_other_values(function: Callable[..., bool]) -> Callable[..., bool]:
    """No array of numbers equals None or a string, as in `array_equal(x, previous)` at the first
    step of a loop. NumPy compares two such values with each other."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> bool:
        values = (*args[:2], *(kwargs[name] for name in ("a1", "a2") if name in kwargs))
        if any(value is None or isinstance(value, (str, bytes)) for value in values):
            if any(isinstance(value, Array) for value in values):
                return False
            return getattr(np, function.__name__)(*args, **kwargs)
        return function(*args, **kwargs)

    return call


@_compares_other_values
@operands("a1 a2")
def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> bool:
    """Whether two arrays have the same shape and elements. A Python bool: it waits.

    >>> import hither.numpy as np
    >>> np.array_equal([1, 2], [1, 2])
    True
    """
    if a1.shape != a2.shape:
        return False
    same = UFUNCS["equal"](a1, a2)
    if equal_nan:
        same = same | (UFUNCS["isnan"](a1) & UFUNCS["isnan"](a2))
    return bool(h.all(same))


@_compares_other_values
@operands("a1 a2")
def array_equiv(a1: Any, a2: Any) -> bool:
    """Whether two arrays are equal after broadcasting. A Python bool: it waits."""
    try:
        np.broadcast_shapes(a1.shape, a2.shape)
    except ValueError:
        return False
    return bool(h.all(UFUNCS["equal"](a1, a2)))


@operands("y x", weak="dx")
def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    """The integral of y along an axis by the trapezoidal rule.

    >>> import hither.numpy as np
    >>> float(np.trapezoid([1, 2, 3]))
    4.0
    """
    (axis,) = axes_of("trapezoid", axis, y.ndim)
    if x is not None:
        dx = h.diff(x, axis=0 if x.ndim == 1 else axis)
        if x.ndim == 1:
            dx = h.reshape(dx, (1,) * axis + (-1,) + (1,) * (y.ndim - axis - 1))
    front = (slice(None),) * axis
    pairs = UFUNCS["add"](y[(*front, slice(1, None))], y[(*front, slice(None, -1))])
    return UFUNCS["add"].reduce(UFUNCS["divide"](UFUNCS["multiply"](pairs, dx), 2.0), axis)


@operands("f")
def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The derivatives along axes, by central differences inside and one-sided ones at the ends.

    ``varargs`` are the distances, one for each axis, or the coordinates along an axis. One array
    for one axis, else a tuple of arrays.

    >>> import hither.numpy as np
    >>> np.gradient(np.asarray([1.0, 4.0, 9.0])).tolist()
    [3.0, 4.0, 5.0]
    """
    axes = axes_of("gradient", tuple(axis) if isinstance(axis, list) else axis, f.ndim)
    if len(varargs) not in (0, 1, len(axes)):
        raise TypeError(f"gradient: {len(varargs)} distances for {len(axes)} axes")
    steps = (
        [1.0] * len(axes)
        if not varargs
        else list(varargs) * (len(axes) if len(varargs) == 1 else 1)
    )
    if edge_order not in (1, 2):
        raise ValueError(f"gradient: edge_order={edge_order} is neither 1 nor 2")
    if f.dtype.kind == "b":
        raise TypeError("gradient: f is bool; bools have no differences, so cast them with astype")
    y = f if kind_of(f.dtype) in "fc" else astype(f, np.float64)
    turned = is_fortran(f)  # the results have f's memory order
    lines = h.permute_dims(y, range(f.ndim)[::-1]) if turned else y
    results = []
    for place, step in zip(axes, steps, strict=True):
        if f.shape[place] < edge_order + 1:
            raise ValueError(f"gradient: axis {place} has {f.shape[place]} elements, too few")
        axis = f.ndim - 1 - place if turned else place
        slopes = _slopes(lines, _distance(step, f, place), edge_order, axis)
        slopes = astype(slopes, y.dtype, copy=False)  # also with distances of a wider dtype
        results.append(h.permute_dims(slopes, range(f.ndim)[::-1]) if turned else slopes)
    return results[0] if len(axes) == 1 else tuple(results)


def _distance(step: Any, f: Array, axis: int) -> Any:
    """The distance as a number or an array of no dimension, or the vector of the distances of
    neighbours."""
    if isinstance(step, (bool, int, float, complex, np.generic)):
        return step.item() if isinstance(step, np.generic) else step
    x = as_array("gradient", "a distance", step, f.queue, f)
    if x.ndim == 0:
        return x
    if x.ndim != 1 or x.size != f.shape[axis]:
        raise ValueError(
            f"gradient: coordinates have shape {x.shape}, axis {axis} {f.shape[axis]} elements"
        )
    return h.diff(astype(x, np.float64) if x.dtype.kind in "iu" else x)


def _slopes(f: Array, step: Any, edge_order: int, axis: int) -> Array:
    def y(*bounds: int | None) -> Array:
        return f[(slice(None),) * axis + (slice(*bounds),)]

    if not isinstance(step, Array) or step.ndim == 0:
        inner = (y(2, None) - y(-2)) / (2.0 * step)
        first, last = (y(1, 2) - y(1)) / step, (y(-1, None) - y(-2, -1)) / step
        if edge_order == 2:
            first = (-1.5 / step) * y(1) + (2.0 / step) * y(1, 2) + (-0.5 / step) * y(2, 3)
            last = (0.5 / step) * y(-3, -2) + (-2.0 / step) * y(-2, -1) + (1.5 / step) * y(-1, None)
        return h.concat([first, inner, last], axis)
    step = h.reshape(step, (-1,) + (1,) * (f.ndim - 1 - axis))
    left, right = step[:-1], step[1:]
    a = -right / (left * (left + right))
    b = (right - left) / (left * right)
    c = left / (right * (left + right))
    inner = a * y(-2) + b * y(1, -1) + c * y(2, None)
    first, last = (y(1, 2) - y(1)) / step[:1], (y(-1, None) - y(-2, -1)) / step[-1:]
    if edge_order == 2:
        d1, d2 = step[:1], step[1:2]
        first = (-(2.0 * d1 + d2) / (d1 * (d1 + d2)) * y(1) + (d1 + d2) / (d1 * d2) * y(1, 2)
                 - d1 / (d2 * (d1 + d2)) * y(2, 3))  # fmt: skip
        d1, d2 = step[-2:-1], step[-1:]
        last = (d2 / (d1 * (d1 + d2)) * y(-3, -2) - (d2 + d1) / (d1 * d2) * y(-2, -1)
                + (2.0 * d2 + d1) / (d2 * (d1 + d2)) * y(-1, None))  # fmt: skip
    return h.concat([first, inner, last], axis)


@operands("a v", weak="v")
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    """The places at which to insert values into a sorted vector.

    >>> import hither.numpy as np
    >>> np.searchsorted([1, 3, 5], [0, 3, 9]).tolist()
    [0, 1, 3]
    """
    if side not in ("left", "right"):
        raise ValueError(f"searchsorted: side={side!r} is neither 'left' nor 'right'")
    if not isinstance(v, Array):
        kind = np.result_type(a.dtype, np.asarray(v).dtype)
        v = h.full((), v, kind, queue=a.queue)
    if a.dtype != v.dtype:
        kind = np.result_type(a.dtype, v.dtype)
        a, v = astype(a, kind, copy=False), astype(v, kind, copy=False)
    if a.dtype.kind == "b":
        a, v = astype(a, np.uint8), astype(v, np.uint8)
    if sorter is not None and not isinstance(sorter, Array):
        sorter = h.asarray(np.asarray(sorter), queue=a.queue)
    if sorter is not None and sorter.dtype.kind not in "iu":
        raise InvalidTypeError("searchsorted", f"sorter is {sorter.dtype}, not integers")
    flat = h.reshape(v, (-1,))
    return h.reshape(h.searchsorted(a, flat, side=side, sorter=sorter), v.shape)
