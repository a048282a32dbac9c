"""Reductions and scans that leave out NaN."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import kind_of
from .._hither import Array, where
from ..errors import InvalidValueError
from ._arguments import dtype_of
from ._placement import operands
from ._reductions import (
    _NONE,
    _extreme,
    _keep,
    _mask,
    _mean,
    _reduced,
    _root,
    _scan,
    _searched,
    _variance,
    _where_given,
)
from ._ufunc_methods import axes_of

__all__ = [
    "nanargmax",
    "nanargmin",
    "nancumprod",
    "nancumsum",
    "nanmax",
    "nanmean",
    "nanmin",
    "nanprod",
    "nanstd",
    "nansum",
    "nanvar",
]


def _without_nan(a: Array, value: Any) -> Array:
    return where(h.isnan(a), value, a) if kind_of(a.dtype) in "fc" else a


def _numbers(function: str, a: Array, mask: Any) -> Array:
    """Where a is not NaN, and `mask` is true if it is given."""
    known = (
        h.logical_not(h.isnan(a)) if kind_of(a.dtype) in "fc" else h.ones_like(a, dtype=np.bool_)
    )
    return known & _mask(function, mask, a) if _where_given(mask) else known


@operands("a", out="of out")
def nansum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE,
    initial: Any = _NONE, where: Any = _NONE,
) -> Any:  # fmt: skip
    """The sum of the elements that are not NaN.

    >>> import hither.numpy as np
    >>> float(np.nansum([1.0, np.nan, 3.0]))
    4.0
    """
    return _reduced("add", _without_nan(a, 0), axis, dtype, keepdims, initial, where)


@operands("a", out="of out")
def nanprod(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE,
    initial: Any = _NONE, where: Any = _NONE,
) -> Any:  # fmt: skip
    """The product of the elements that are not NaN."""
    return _reduced("multiply", _without_nan(a, 1), axis, dtype, keepdims, initial, where)


def _nan_extreme(name: str, a: Array, axis: Any, keepdims: Any, initial: Any, mask: Any) -> Array:
    if kind_of(a.dtype) not in "fc":
        return _extreme(name, a, axis, keepdims, initial, mask)
    neutral = -math.inf if name == "maximum" else math.inf
    result = _reduced(name, _without_nan(a, neutral), axis, None, keepdims, initial, mask)
    if initial is not _NONE:
        return result
    axes = axes_of(name, axis, a.ndim, of_number=True)
    found = h.any(_numbers(name, a, mask), axis=axes, keepdims=_keep(keepdims))
    return where(found, result, math.nan)


@operands("a", out="of out")
def nanmax(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, initial: Any = _NONE,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The largest element that is not NaN; NaN if there is none."""
    return _nan_extreme("maximum", a, axis, keepdims, initial, where)


@operands("a", out="of out")
def nanmin(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = _NONE, initial: Any = _NONE,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The smallest element that is not NaN; NaN if there is none."""
    return _nan_extreme("minimum", a, axis, keepdims, initial, where)


@operands("a", out="unsafe")
def nanmean(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: Any = _NONE, *,
    where: Any = _NONE,
) -> Any:  # fmt: skip
    """The mean of the elements that are not NaN."""
    mask = where
    if kind_of(a.dtype) in "fc":
        if dtype is not None and kind_of(dtype_of("nanmean", dtype)) not in "fc":
            raise TypeError(f"nanmean: dtype={dtype!r} cannot hold the mean of {a.dtype}")
        mask, axis = _numbers("nanmean", a, where), axes_of("nanmean", axis, a.ndim, of_number=True)
    return _mean(_without_nan(a, 0), axis, dtype, keepdims, mask)


def _nan_variance(
    name: str, a: Array, axis: Any, dtype: Any, ddof: Any, keepdims: Any, mask: Any, mean: Any,
    correction: Any,
) -> Array:  # fmt: skip
    if kind_of(a.dtype) not in "fc":
        return _variance(name, a, axis, dtype, ddof, keepdims, mask, mean, correction)
    if dtype is not None and kind_of(dtype_of(name, dtype)) not in "fc":
        raise TypeError(f"{name}: dtype={dtype!r} cannot hold the variance of {a.dtype}")
    if correction is not _NONE:
        if ddof != 0:
            raise ValueError(f"{name}: ddof and correction can't be provided simultaneously.")
        ddof, correction = correction, _NONE
    known = _numbers(name, a, mask)
    axis = axes_of(name, axis, a.ndim, of_number=True)
    result = _variance(name, _without_nan(a, 0), axis, dtype, ddof, keepdims, known, mean, _NONE)
    axes = axes_of(name, axis, a.ndim)
    count = h.sum(known, axis=axes, keepdims=_keep(keepdims))
    return where(count > ddof, result, math.nan)


@operands("a", out="unsafe")
def nanvar(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = _NONE, *, where: Any = _NONE, mean: Any = _NONE, correction: Any = _NONE,
) -> Any:  # fmt: skip
    """The variance of the elements that are not NaN."""
    return _nan_variance("nanvar", a, axis, dtype, ddof, keepdims, where, mean, correction)


@operands("a", out="unsafe")
def nanstd(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0,
    keepdims: Any = _NONE, *, where: Any = _NONE, mean: Any = _NONE, correction: Any = _NONE,
) -> Any:  # fmt: skip
    """The standard deviation of the elements that are not NaN."""
    args = a, axis, dtype, ddof, keepdims, where, mean, correction
    return _root(_nan_variance("nanstd", *args))


def _nan_searched(
    name: str, search: Any, a: Array, axis: Any, keepdims: Any, neutral: float
) -> Array:
    if a.ndim == 0 and axis in (0, -1):  # NumPy allows it for numbers
        axis = None
    if kind_of(a.dtype) not in "fc" or a.size == 0:
        return _searched(search, a, axis, keepdims)
    if bool(h.any(h.all(h.isnan(a), axis=axis))):
        raise InvalidValueError(name, "All-NaN slice encountered")
    return _searched(search, _without_nan(a, neutral), axis, keepdims)


@operands("a", out="copied")
def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NONE) -> Any:
    """argmax() of the elements that are not NaN. It reads the array for slices of NaN alone."""
    return _nan_searched("nanargmax", h.argmax, a, axis, keepdims, -math.inf)


@operands("a", out="copied")
def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = _NONE) -> Any:
    """argmin() of the elements that are not NaN. It reads the array for slices of NaN alone."""
    return _nan_searched("nanargmin", h.argmin, a, axis, keepdims, math.inf)


@operands("a", out="of out")
def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The partial sums, in which NaN counts as 0."""
    return _scan(h.cumulative_sum, _without_nan(a, 0), axis, dtype)


@operands("a", out="of out")
def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """The partial products, in which NaN counts as 1."""
    return _scan(h.cumulative_prod, _without_nan(a, 1), axis, dtype)
