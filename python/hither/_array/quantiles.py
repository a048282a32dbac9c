"""Medians, percentiles and quantiles along axes, from sorted elements."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither
from .._hither import (
    Array,
    asarray,
    asnumpy,
    astype,
    full,
    isnan,
    logical_not,
    mean,
    moveaxis,
    reshape,
    sort,
    sum,
    take_in_range,
    where,
)
from ..errors import InvalidTypeError, InvalidValueError
from .dtypes import kind_of, result_type
from .sorting import along_axis, normalized_axis, placed

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = ["median", "percentile", "quantile"]

# Hyndman and Fan (1996): the place of quantile q among n sorted elements, counted from 0, is
# n q + alpha + q (1 - alpha - beta) - 1.
_CONTINUOUS = {
    "interpolated_inverted_cdf": (0.0, 1.0),
    "hazen": (0.5, 0.5),
    "weibull": (0.0, 0.0),
    "linear": (1.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3),
    "normal_unbiased": (3 / 8, 3 / 8),
}
DISCRETE = ("inverted_cdf", "closest_observation", "lower", "higher", "nearest")
_METHODS = (*_CONTINUOUS, *DISCRETE, "averaged_inverted_cdf", "midpoint")


def _places(method: str, n: Any, q: Any) -> tuple[Any, Any]:
    """The index of the lower element of each quantile, and the weight of the element above it.

    n and q are NumPy's numbers and arrays, or hither's arrays if n differs between rows.
    """
    m: Any = _hither if isinstance(n, Array) else np
    if method in _CONTINUOUS:
        alpha, beta = _CONTINUOUS[method]
        place = (n - 1) * q if method == "linear" else n * q + (alpha + q * (1 - alpha - beta)) - 1
    elif method in ("inverted_cdf", "averaged_inverted_cdf"):
        place = n * q - 1
    elif method == "closest_observation":
        place = n * q - 1.5
    else:
        place = (n - 1) * q
    place = m.minimum(m.maximum(place, 0.0), n - 1)
    lower = m.floor(place)
    weight = place - lower
    is_between = weight > 0
    if method == "averaged_inverted_cdf":
        # Where the distribution function reaches q, the mean of that element and the next one.
        weight = m.where(is_between, 1.0, m.where((n * q >= 1) & (n * q < n), 0.5, 0.0))
    elif method in ("inverted_cdf", "higher"):
        weight = m.where(is_between, 1.0, 0.0)
    elif method == "closest_observation":
        # The nearer element; of two, that with an even number, counted from 1.
        raw = n * q - 1.5
        takes_lower = (raw < 0) | ((weight == 0) & (lower % 2 == 1))
        weight = m.where(takes_lower, 0.0, 1.0)
    elif method == "lower":
        weight = m.zeros_like(weight)
    elif method == "nearest":
        weight = m.round(place) - lower
    elif method == "midpoint":
        weight = m.where(is_between, 0.5, 0.0)
    return lower.astype(np.int64), weight


def _elements(ordered: Array, *places: Any) -> list[Array]:
    """The elements of sorted rows at each of the places, which are equal for all rows if they are
    NumPy's."""
    if isinstance(places[0], Array):
        return [along_axis(ordered, p) for p in places]
    # In one dimension, because the rows may have as many as an array can have.
    every = take_in_range(ordered, asarray(np.concatenate(places), queue=ordered.queue), axis=-1)
    count = len(places[0])
    return [every[..., i * count : (i + 1) * count] for i in range(len(places))]


def _known(ordered: Array) -> Array:
    """The number of elements of each row that are not NaN, as float64."""
    count = sum(logical_not(isnan(ordered)), axis=-1, keepdims=True)
    return astype(count, np.float64)


def _as_rows(function: str, x: Array, axis: Any) -> tuple[Array, tuple[int, ...], tuple[int, ...]]:
    """x with the reduced axes merged into the last one; the other extents; and x's shape with
    extent 1 for each reduced axis."""
    if axis is None:
        axes = tuple(range(x.ndim))
    else:
        given = axis if isinstance(axis, tuple) else (axis,)
        axes = tuple(normalized_axis(function, a, x.ndim) for a in given)
        if len(set(axes)) < len(axes):
            raise InvalidValueError(function, f"axis {axis} names an axis twice")
    outer = tuple(extent for d, extent in enumerate(x.shape) if d not in axes)
    kept = tuple(1 if d in axes else extent for d, extent in enumerate(x.shape))
    if axes:
        x = moveaxis(x, axes, tuple(range(-len(axes), 0)))
    length = math.prod(x.shape[len(outer) :])
    return reshape(x, (*outer, length)), outer, kept


def _with_nans(result: Array, last: Array) -> Array:
    """result, and NaN for rows that contain a NaN, which is then their last element."""
    if kind_of(last.dtype) not in "fc":
        return result
    return where(isnan(last), astype(last, result.dtype, copy=False), result)


def quantiles(
    function: str, x: Any, q: np.ndarray, keeps_dtype: bool, axis: Any, method: str,
    keepdims: bool, queue: Queue | None = None, *, skips_nan: bool = False,
    allows_empty: bool = False,
) -> Array:  # fmt: skip
    """The quantiles q, from 0 to 1. With `skips_nan` they are those of the elements that are not
    NaN. They are NaN for rows without such elements, and, with `allows_empty`, without elements."""
    if method not in _METHODS:
        raise InvalidValueError(function, f"method is {method!r}; it is one of {sorted(_METHODS)}")
    (x,) = placed(function, x, queue=queue)
    if x.dtype.kind == "c":
        raise InvalidTypeError(function, f"x is {x.dtype}; complex numbers have no quantiles")
    rows, outer, kept = _as_rows(function, x, axis)
    shape = q.shape + (kept if keepdims else outer)
    dtype = x.dtype if kind_of(x.dtype) == "f" else np.dtype(np.float64)
    if not keeps_dtype:
        given = q.dtype if q.dtype.kind == "f" else np.float64
        dtype = result_type(dtype if kind_of(x.dtype) == "f" else x.dtype, given)
    if rows.shape[-1] == 0:
        if not allows_empty:
            text = f"x has shape {x.shape}; it has no elements along axis"
            raise InvalidValueError(function, text)
        return full(shape, math.nan, dtype=dtype, queue=x.queue, usm_type=x.usm_type)
    ordered = sort(rows)
    n: Any = rows.shape[-1]
    fractions: Any = q.reshape(-1).astype(np.float64)
    if skips_nan and kind_of(x.dtype) == "f":
        known = _known(ordered)
        n, fractions = _hither.maximum(known, 1.0), asarray(fractions, queue=x.queue)
    lower, weight = _places(method, n, fractions)
    m, end = (_hither, astype(n, np.int64)) if isinstance(n, Array) else (np, n)
    ends = m.broadcast_to(end - 1, lower.shape)
    if method in DISCRETE:
        result, last = _elements(ordered, lower + weight.astype(np.int64), ends)
    else:
        below, above, last = _elements(ordered, lower, m.minimum(lower + 1, ends), ends)
        result = _interpolated(below, above, weight, dtype)
    if not isinstance(n, Array):
        result = _with_nans(result, last)
    else:
        result = where(known == 0, math.nan, result)
    return reshape(moveaxis(result, -1, 0), shape)


def _interpolated(below: Array, above: Array, weight: Any, dtype: Any) -> Array:
    below, above = astype(below, dtype, copy=False), astype(above, dtype, copy=False)
    part = weight if isinstance(weight, Array) else asarray(weight, queue=below.queue)
    part = astype(part, dtype, copy=False)
    step = above - below
    # Each element is exact where its weight is one, and the result grows with the weight.
    result = where(part < 0.5, below + step * part, above - step * (1 - part))
    return where(part == 0, below, result)  # also where the next element is infinite


def weighted_quantiles(
    function: str, x: Array, q: np.ndarray, axis: Any, keepdims: bool, weights: Array, *,
    skips_nan: bool = False,
) -> Array:  # fmt: skip
    """The first elements up to which the sum of the weights reaches the shares q of the whole sum.

    The weights have x's shape. The call waits for them, to refuse sums that are not positive.
    """
    if bool(_hither.any(weights < 0)):
        raise InvalidValueError(function, "the weights must not be negative")
    rows, outer, kept = _as_rows(function, x, axis)
    order = _hither.argsort(rows)
    ordered = along_axis(rows, order)
    factors = along_axis(_as_rows(function, weights, axis)[0], order)
    if skips_nan and kind_of(x.dtype) == "f":
        factors = where(isnan(ordered), 0, factors)
    sums = _hither.cumulative_sum(factors, axis=-1, dtype=np.float64)
    shares = sums / sums[..., -1:]
    if not skips_nan and bool(_hither.any(isnan(shares[..., -1:]))):
        raise InvalidValueError(function, "Weights included NaN, inf or were all zero")
    if q.dtype.kind == "f":
        shares = astype(shares, q.dtype, copy=False)
    # A quantile 0 is the first element with a weight.
    shares = where(shares == 0, -1.0, shares)
    below = shares[..., None, :] < asarray(q.reshape(-1, 1), queue=x.queue)
    places = _hither.minimum(sum(below, axis=-1), rows.shape[-1] - 1)
    result = _hither.take_along_axis(ordered, places, axis=-1)  # refuses rows without elements
    if not skips_nan:
        result = _with_nans(result, ordered[..., -1:])
    return reshape(moveaxis(result, -1, 0), q.shape + (kept if keepdims else outer))


def quantile(
    x: Any,
    q: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    method: str = "linear",
    keepdims: bool = False,
    queue: Queue | None = None,
) -> Array:
    """Quantiles of the elements along axes.

    Parameters
    ----------
    x : Array
        A real array.
    q : float or array of floats
        Probabilities from 0 to 1. They are read on the host.
    axis : int, tuple of ints, or None
        The axes over which quantiles are taken; all of them by default.
    method : str
        One of NumPy's methods: "linear" interpolates between the two nearest elements; also
        "inverted_cdf", "averaged_inverted_cdf", "closest_observation",
        "interpolated_inverted_cdf", "hazen", "weibull", "median_unbiased", "normal_unbiased",
        "lower", "higher", "midpoint" and "nearest".
    keepdims : bool
        The reduced axes stay, with extent 1.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        The axes of q come first. Floating; methods that choose an element keep x's dtype. NaN where
        an element along the axes is NaN.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidTypeError
        If x is complex, or ``q`` is no real number.
    InvalidValueError
        If ``q`` is out of range, x has no elements, ``method`` has another value, or ``queue``
        names no device.

    Examples
    --------
    >>> ht.quantile(ht.asarray([1.0, 2.0, 4.0], device="native_cpu"), 0.75)
    Array(3.)
    """
    numbers, is_number = probabilities("quantile", q, 1)
    return quantiles("quantile", x, numbers, is_number, axis, method, keepdims, queue)


def percentile(
    x: Any,
    q: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    method: str = "linear",
    keepdims: bool = False,
    queue: Queue | None = None,
) -> Array:
    """Percentiles of the elements along axes: quantile() of q / 100.

    Parameters
    ----------
    x : Array
        A real array.
    q : float or array of floats
        Percentages from 0 to 100. They are read on the host.
    axis : int, tuple of ints, or None
        The axes over which percentiles are taken; all of them by default.
    method : str
        As for quantile().
    keepdims : bool
        The reduced axes stay, with extent 1.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        As for quantile().

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidTypeError
        If x is complex, or ``q`` is no real number.
    InvalidValueError
        As for quantile().

    Examples
    --------
    >>> ht.percentile(ht.asarray([1.0, 2.0, 4.0], device="native_cpu"), 75)
    Array(3.)
    """
    numbers, is_number = probabilities("percentile", q, 100)
    return quantiles("percentile", x, numbers, is_number, axis, method, keepdims, queue)


def probabilities(function: str, q: Any, whole: int) -> tuple[np.ndarray, bool]:
    """q divided by `whole`, and whether it is a Python number, which has no dtype of its own."""
    numbers = np.asarray(asnumpy(q) if isinstance(q, Array) else q)
    if numbers.dtype.kind not in "fiu":
        raise InvalidTypeError(function, f"q is {numbers.dtype}; it must be a real number")
    numbers = numbers / whole
    if not np.all((numbers >= 0) & (numbers <= 1)):
        raise InvalidValueError(function, f"q must be from 0 to {whole}")
    return numbers, type(q) in (int, float)


def median(
    x: Any,
    /,
    *,
    axis: int | tuple[int, ...] | None = None,
    keepdims: bool = False,
    queue: Queue | None = None,
) -> Array:
    """The median of the elements along axes: the middle one, or the mean of the two middle ones.

    Parameters
    ----------
    x : Array
        A real array.
    axis : int, tuple of ints, or None
        The axes over which the median is taken; all of them by default.
    keepdims : bool
        The reduced axes stay, with extent 1.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        A floating array: float64 for integers, else of x's dtype. NaN where an element along the
        axes is NaN, and where there are no elements.

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidValueError
        If ``queue`` names no device.
    InvalidTypeError
        If x is complex.

    Examples
    --------
    >>> ht.median(ht.asarray([4, 1, 3, 2], device="native_cpu"))
    Array(2.5)
    """
    if hasattr(x, "_is_sharded"):
        from .._sharded.functions import call_own

        options = {"axis": axis, "keepdims": keepdims, "queue": queue}
        return call_own("median", median, [x], options)
    (x,) = placed("median", x, queue=queue)
    if x.dtype.kind == "c":
        raise InvalidTypeError("median", f"x is {x.dtype}; complex numbers have no median")
    return median_of("median", x, axis, keepdims)


def median_of(
    function: str, x: Array, axis: Any, keepdims: bool, *, skips_nan: bool = False
) -> Array:
    """The median; NaN for rows with no elements or, with `skips_nan`, with NaNs alone."""
    rows, outer, kept = _as_rows(function, x, axis)
    shape = kept if keepdims else outer
    dtype = x.dtype if kind_of(x.dtype) in "fc" else np.dtype(np.float64)
    n = rows.shape[-1]
    if n == 0:
        return full(shape, math.nan, dtype=dtype, queue=x.queue, usm_type=x.usm_type)
    ordered = sort(rows)
    if skips_nan and kind_of(x.dtype) in "fc":
        known = _known(ordered)
        last = astype(_hither.maximum(known, 1.0), np.int64) - 1
        low, high = _elements(ordered, last // 2, (last + 1) // 2)
        result = where(last % 2 == 0, low, low * 0.5 + high * 0.5)
        return reshape(where(known == 0, math.nan, result), shape)
    middle = astype(ordered[..., (n - 1) // 2 : n // 2 + 1], dtype, copy=False)
    return reshape(_with_nans(mean(middle, axis=-1, keepdims=True), ordered[..., -1:]), shape)
