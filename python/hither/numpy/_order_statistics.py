"""Medians, percentiles and quantiles, from sorted lines."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.host_fallback import run_on_host
from .._hither import Array, astype, where
from ._placement import operands, place_like
from ._sorting import sorted_along
from ._ufunc_methods import axes_of

__all__ = ["median", "nanmedian", "nanpercentile", "nanquantile", "percentile", "quantile"]

# The place of quantile q among n sorted elements, for methods that interpolate.
_PLACES: dict[str, Any] = {
    "linear": lambda n, q: (n - 1) * q,
    "interpolated_inverted_cdf": lambda n, q: n * q - 1,
    "hazen": lambda n, q: n * q - 0.5,
    "weibull": lambda n, q: n * q + q - 1,
    "median_unbiased": lambda n, q: n * q + (1 / 3 + q * (1 / 3)) - 1,
    "normal_unbiased": lambda n, q: n * q + (3 / 8 + q * (1 / 4)) - 1,
}
_NEAREST = ("lower", "higher", "midpoint", "nearest")
_ON_HOST = ("inverted_cdf", "averaged_inverted_cdf", "closest_observation")


def _lines(name: str, a: Array, axis: Any) -> tuple[Array, tuple[int, ...]]:
    """The elements along the axes as the last axis, and the axes."""
    axes = axes_of(name, tuple(axis) if isinstance(axis, list) else axis, a.ndim)
    last = h.moveaxis(a, axes, tuple(range(a.ndim - len(axes), a.ndim)))
    count = math.prod(a.shape[i] for i in axes)
    return h.reshape(last, (*last.shape[: a.ndim - len(axes)], count)), axes


def _kept(result: Array, axes: tuple[int, ...], keepdims: Any, leading: int = 0) -> Array:
    if keepdims is np._NoValue or not keepdims:
        return result
    return h.expand_dims(result, tuple(a + leading for a in sorted(axes))) if axes else result


def _median(name: str, a: Array, axis: Any, keepdims: Any, skips_nan: bool) -> Array:
    lines, axes = _lines(name, a, axis)
    kind = lines.dtype if lines.dtype.kind in "fc" else np.dtype(np.float64)
    if lines.shape[-1] == 0:
        return _kept(h.full(lines.shape[:-1], math.nan, kind, **place_like(a)), axes, keepdims)
    if skips_nan and lines.dtype.kind in "fc":
        return _kept(_at_places(sorted_along(lines), 0.5, "linear", kind, True), axes, keepdims)
    ordered, n = sorted_along(lines), lines.shape[-1]
    if n % 2:
        result = astype(ordered[..., n // 2], kind, copy=False)
    else:
        pair = astype(ordered[..., n // 2 - 1 : n // 2 + 1], kind, copy=False)
        result = h.mean(pair, axis=-1)
    if lines.dtype.kind in "fc":
        result = where(h.isnan(ordered[..., -1]), ordered[..., -1], result)
    return _kept(h.copy(result), axes, keepdims)


@operands("a", out="same_kind")
def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> Any:
    """The middle element of each line, or the mean of the two middle ones; NaN if there is one.

    >>> import hither.numpy as np
    >>> float(np.median([1, 9, 3, 5]))
    4.0
    """
    return _median("median", a, axis, keepdims, False)


@operands("a", out="same_kind")
def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    keepdims: Any = np._NoValue,
) -> Any:  # fmt: skip
    """The median of the elements that are not NaN."""
    return _median("nanmedian", a, axis, keepdims, True)


def _at_places(ordered: Array, q: float, method: str, kind: Any, skips_nan: bool) -> Array:
    """The quantile q of sorted lines. NaNs, which are last, are left out or decide."""
    length = ordered.shape[-1]
    if skips_nan and ordered.dtype.kind == "f":
        known = h.sum(h.logical_not(h.isnan(ordered)), axis=-1, keepdims=True)
        n: Any = astype(known, np.float64)
    else:
        n = length
    if method in _NEAREST:
        return _at_nearest(ordered, n, q, method, kind)
    place = _PLACES[method](n, q)
    if isinstance(place, Array):
        place = h.clip(place, 0.0, None)
        place = h.minimum(place, h.maximum(n - 1.0, 0.0))
        low = h.floor(place)
        high = h.minimum(low + 1.0, h.maximum(n - 1.0, 0.0))
        below, above = (_element(ordered, p) for p in (low, high))
        share: Any = (place - low)[..., 0]
    else:
        place = min(max(place, 0.0), length - 1.0)
        low, share = math.floor(place), place - math.floor(place)
        below, above = ordered[..., low], ordered[..., min(low + 1, length - 1)]
    return _between(astype(below, kind, copy=False), astype(above, kind, copy=False), share)


def _between(below: Array, above: Array, share: Any) -> Array:
    """below + (above - below) * share, from the nearer end."""
    gap = above - below
    if isinstance(share, Array):
        share = astype(share, below.real.dtype)
        far = above - gap * (1.0 - share)
        result = where(share >= 0.5, far, below + gap * share)
    else:
        result = above - gap * (1 - share) if share >= 0.5 else below + gap * share
    return where(below == above, below, result)


def _element(ordered: Array, place: Array) -> Array:
    return h.take_along_axis(ordered, astype(place, np.int64), axis=-1)[..., 0]


def _at_nearest(ordered: Array, n: Any, q: float, method: str, kind: Any) -> Array:
    place = (n - 1) * q
    if isinstance(place, Array):
        place = h.maximum(place, 0.0)
        ends = h.floor(place), h.ceil(place)
        if method == "nearest":
            return _element(ordered, h.round(place))
        low, high = (_element(ordered, p) for p in ends)
    else:
        low, high = ordered[..., math.floor(place)], ordered[..., math.ceil(place)]
        if method == "nearest":
            return ordered[..., round(place)]
        if math.floor(place) == math.ceil(place):
            return astype(low, kind, copy=False) if method == "midpoint" else low
    if method == "midpoint":
        return _between(astype(low, kind, copy=False), astype(high, kind, copy=False), 0.5)
    return low if method == "lower" else high


def _quantiles(
    name: str, a: Array, q: Any, scale: float, axis: Any, method: str, keepdims: Any, weights: Any,
    skips_nan: bool,
) -> Array:  # fmt: skip
    if a.dtype.kind == "c":
        raise TypeError(f"{name}: a is {a.dtype}; it must be an array of real numbers")
    if weights is not None or method in _ON_HOST:
        keywords = {"axis": axis, "method": method, "keepdims": keepdims, "weights": weights}
        return run_on_host(name, getattr(np, name), (a, q), keywords)
    if method not in _PLACES and method not in _NEAREST:
        known = ", ".join((*_PLACES, *_NEAREST, *_ON_HOST))
        raise ValueError(f"{name}: method={method!r} is none of {known}")
    if a.dtype.kind == "b":
        raise TypeError(f"{name}: a is bool; bools have no differences, so cast them with astype")
    given = h.asnumpy(q) if isinstance(q, Array) else np.asarray(q)
    fractions = given / scale
    if fractions.size and not ((fractions >= 0) & (fractions <= 1)).all():
        raise ValueError(f"{name}: q must be in [0, {scale:g}]")
    kind = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
    if not isinstance(q, (int, float)):
        kind = np.result_type(kind, fractions.dtype)
    lines, axes = _lines(name, a, axis)
    if lines.shape[-1] == 0:
        made = h.full((*given.shape, *lines.shape[:-1]), math.nan, kind, **place_like(a))
        return _kept(made, axes, keepdims, given.ndim)
    ordered = sorted_along(lines)
    parts = [_at_places(ordered, float(f), method, kind, skips_nan) for f in fractions.reshape(-1)]
    if a.dtype.kind == "f" and not skips_nan:
        last = ordered[..., -1]
        parts = [where(h.isnan(last), astype(last, x.dtype), x) for x in parts]
    if given.ndim == 0:
        return _kept(h.copy(parts[0]), axes, keepdims)
    result = h.stack(parts) if parts else h.zeros((0, *lines.shape[:-1]), kind, **place_like(a))
    result = h.reshape(result, (*given.shape, *lines.shape[:-1]))
    return _kept(result, axes, keepdims, given.ndim)


@operands("a weights", out="same_kind")
def percentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The values below which q percent of the elements of each line are.

    >>> import hither.numpy as np
    >>> np.percentile([1.0, 2.0, 3.0], [0, 75]).tolist()
    [1.0, 2.5]
    """
    return _quantiles("percentile", a, q, 100.0, axis, method, keepdims, weights, False)


@operands("a weights", out="same_kind")
def quantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: bool = False, *, weights: Any = None,
) -> Any:  # fmt: skip
    """The values below which a share q of the elements of each line is."""
    return _quantiles("quantile", a, q, 1.0, axis, method, keepdims, weights, False)


@operands("a weights", out="same_kind")
def nanpercentile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: Any = np._NoValue, *, weights: Any = None,
) -> Any:  # fmt: skip
    """percentile() of the elements that are not NaN."""
    return _quantiles("nanpercentile", a, q, 100.0, axis, method, keepdims, weights, True)


@operands("a weights", out="same_kind")
def nanquantile(
    a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False,
    method: str = "linear", keepdims: Any = np._NoValue, *, weights: Any = None,
) -> Any:  # fmt: skip
    """quantile() of the elements that are not NaN."""
    return _quantiles("nanquantile", a, q, 1.0, axis, method, keepdims, weights, True)
