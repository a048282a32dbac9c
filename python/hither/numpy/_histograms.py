"""Histograms, and counts of numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.host_fallback import run_on_host
from .._hither import Array, astype, where
from ._arguments import whole
from ._placement import operands, place_like, refuse_other_queue
from ._reductions import max as most
from ._reductions import min as least
from ._segments import tallied
from ._statistics import searchsorted

__all__ = ["bincount", "digitize", "histogram", "histogram2d", "histogram_bin_edges", "histogramdd"]

# On CPUs NumPy counts up to so many elements, as many as a kernel's launch is worth.
_FEW_ELEMENTS = 1000
_LARGEST_ON_HOST = 10000


def _edges_on_host(bins: Any) -> np.ndarray:
    return h.asnumpy(bins) if isinstance(bins, Array) else np.asarray(bins)


@operands("x")
def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """The number of the bin of each element; `bins` increase or decrease."""
    given = bins if isinstance(bins, Array) and bins.queue == x.queue else _edges_on_host(bins)
    if given.dtype.kind == "c":
        raise TypeError("digitize: bins are complex; they must be real")
    if x.dtype.kind == "c":
        raise TypeError("digitize: x is complex; it takes real numbers")
    if given.ndim != 1:
        raise ValueError(f"digitize: bins have {given.ndim} dimensions; they must be a vector")
    edges, side = h.asarray(given, queue=x.queue), "left" if right else "right"
    if given is bins and edges.dtype == x.dtype:
        places = h.search_if_ascending(edges, x, not right)
        if places is not None:
            return places
    on_host = _edges_on_host(given)
    if _rises(on_host):
        return searchsorted(edges, x, side)
    # As in NumPy, NaN at the end of falling bins is less than all numbers.
    count = len(given) - int(np.argmax((on_host == on_host)[::-1]))
    found = count - searchsorted(edges[:count][::-1], x, side)
    return found if count == len(given) else where(found == count, len(given), found)


def _rises(edges: np.ndarray) -> bool:
    """Whether bins increase. As in NumPy, equal bins do, and NaN is neither above nor below."""
    first, second = edges[:-1], edges[1:]
    changes = np.flatnonzero(first != second)
    if not len(changes):
        return True
    start = changes[0]
    rises = bool(first[start] < second[start])
    wrong = first > second if rises else first < second
    if wrong[start + 1 :].any():
        raise ValueError("digitize: bins neither increase nor decrease")
    return rises


def _counted_on_host(x: Array, weights: Array | None, minlength: int) -> Array | None:
    """bincount() of a few elements by NumPy, or None if the general form is needed. Both wait for
    x."""
    numbers = h.asnumpy(x).astype(np.int64, copy=False)
    if numbers.max() > _LARGEST_ON_HOST or minlength > _LARGEST_ON_HOST:
        return None
    summed = None
    if weights is not None:
        if weights.dtype.kind == "c":
            return None
        summed = h.asnumpy(weights).astype(np.float64, copy=False)
    try:
        counts = np.bincount(numbers, summed, minlength)
    except ValueError:  # a number is negative
        return None
    return h.asarray(counts, **place_like(x))


@operands("x weights")
def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    """How often each of the numbers 0, 1, ... occurs, or the sum of its weights. It waits for x.

    >>> import hither.numpy as np
    >>> np.bincount([1, 1, 3]).tolist()
    [0, 2, 0, 1]
    """
    if x.ndim != 1:
        raise ValueError(f"bincount: x has shape {x.shape}; it must be a vector")
    if x.size == 0 and x.dtype.kind == "f":  # an empty list
        x = astype(x, np.int64)
    if x.dtype.kind not in "biu":
        raise TypeError(f"bincount: x is {x.dtype}; it must be of integers")
    if minlength is None:
        raise TypeError("bincount: minlength is None; 0 is no limit")
    if isinstance(minlength, bool):
        raise TypeError(f"bincount: minlength={minlength}; pass an int")
    minlength = whole("bincount", "minlength", minlength)
    if minlength < 0:
        raise ValueError(f"bincount: minlength={minlength} is negative")
    if weights is not None and weights.shape != x.shape:
        raise ValueError(f"bincount: weights have shape {weights.shape}, x has {x.shape}")
    if weights is not None:
        refuse_other_queue("bincount", "weights", weights, x)
    if 0 < x.size <= _FEW_ELEMENTS and x.queue.backend == "native_cpu":
        counted = _counted_on_host(x, weights, minlength)
        if counted is not None:
            return counted
    count = minlength
    if x.size:
        # Negative numbers are the large ones of the unsigned dtype.
        high = int(h.max(astype(x, np.dtype(f"u{x.dtype.itemsize}"), copy=False)))
        if x.dtype.kind == "i" and high > np.iinfo(x.dtype).max:
            low = int(h.min(x))
            raise ValueError(f"bincount: x contains {low}; all elements must be 0 or more")
        count = max(count, high + 1)
    if weights is not None and x.size:  # as in NumPy, no elements give integers
        if weights.dtype.kind == "c":
            raise TypeError("bincount: weights are complex; they must be real")
        weights = astype(weights, np.float64, copy=False)
    return tallied(x, weights if x.size else None, count)


@operands("a weights")
def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The limits of the bins of histogram()."""
    return h.asarray(_bin_edges(a, bins, range, weights), queue=a.queue)


def _bin_edges(a: Array, bins: Any, limits: Any, weights: Any) -> np.ndarray:
    if isinstance(bins, str):
        edges = run_on_host(
            "histogram_bin_edges", np.histogram_bin_edges, (a, bins, limits, weights)
        )
        return h.asnumpy(edges)
    edges = _edges_on_host(bins)
    if edges.ndim == 1:
        return np.histogram_bin_edges(np.zeros(0), edges, limits)
    if edges.ndim > 1:
        raise ValueError(f"bins have shape {edges.shape}; they must be a number or a vector")
    if edges.dtype.kind not in "biu":
        raise TypeError(f"bins={bins!r} is neither an integer, a text nor a vector")
    if limits is not None:
        return np.histogram_bin_edges(np.zeros(0, _number_dtype(a)), int(edges), limits)
    if a.size == 0:
        return np.histogram_bin_edges(np.zeros(0, a.dtype), int(edges))
    values = astype(a, np.uint8) if a.dtype.kind == "b" else a
    ends = least(values), most(values)
    h.evaluate(*ends)  # before one is waited for
    return np.histogram_bin_edges(np.array([x.item() for x in ends], a.dtype), int(edges))


def _number_dtype(a: Array) -> Any:
    return np.uint8 if a.dtype.kind == "b" else a.dtype


@operands("a weights")
def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """The number of elements in each bin, or the sums of their weights, and the bins' limits.

    It waits for the elements if the limits depend on them.

    >>> import hither.numpy as np
    >>> counts, edges = np.histogram([1, 2, 1], bins=[0, 1, 2, 3])
    >>> counts.tolist(), edges.tolist()
    ([0, 2, 1], [0, 1, 2, 3])
    """
    if weights is not None and weights.shape != a.shape:
        raise ValueError(f"histogram: weights have shape {weights.shape}, a has {a.shape}")
    host_edges = _bin_edges(a, bins, range, weights)
    edges = h.asarray(host_edges, queue=a.queue, usm_type=a.usm_type)
    values = h.reshape(astype(a, np.uint8) if a.dtype.kind == "b" else a, (-1,))
    places = _bins_of(values, edges, host_edges if np.ndim(bins) == 0 else None)
    factors = None if weights is None else h.reshape(weights, (-1,))
    if factors is not None:
        wide = np.complex128 if factors.dtype.kind == "c" else np.float64
        factors = astype(factors, wide, copy=False)
    counts: Any = tallied(places, factors, edges.size + 1)[1:-1]
    if weights is not None and weights.dtype.kind in "biu":
        counts = astype(counts, np.int64 if weights.dtype.kind == "b" else weights.dtype)
    elif weights is not None:
        counts = astype(counts, weights.dtype, copy=False)
    if density:
        widths = astype(h.diff(edges), np.float64)
        return counts / widths / h.sum(counts), edges
    return counts, edges


def _bins_of(values: Array, edges: Array, even: np.ndarray | None) -> Array:
    """The bin of each value from 1 on; 0 and the last number are outside. The last bin includes its
    upper limit. `even` has the edges on the host if the bins have one width."""
    kind = np.result_type(values.dtype, edges.dtype)
    values, edges = astype(values, kind, copy=False), astype(edges, kind, copy=False)
    if even is not None and kind.kind != "c":
        return _even_bins_of(values, edges, even)
    places = h.searchsorted(edges, values, side="right")
    if kind.kind in "fc":
        places = where(h.isnan(values), edges.size, places)
    return where(values == edges[-1], edges.size - 1, places)


def _even_bins_of(values: Array, edges: Array, host_edges: np.ndarray) -> Array:
    """The bins by division, which rounding may put one off, so that the edges correct them."""
    count, first, last = edges.size - 1, float(host_edges[0]), float(host_edges[-1])
    inside = (values >= edges[0]) & (values <= edges[-1])
    place = (astype(values, np.float64, copy=False) - first) * (count / (last - first))
    # Differences of edges that overflow give places that are not numbers.
    bins = h.clip(astype(where(inside, place, 0.0), np.int64), 0, count - 1)
    low, high = (h.take_in_range(edges[k:], bins) for k in (0, 1))
    bins = bins - (values < low) + ((values >= high) & (bins < count - 1))
    return where(inside, bins + 1, count + 1)


@operands("weights", sequences="sample")
def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """The histogram of points, and a tuple of the bins' limits.

    The points are the rows of an array, or the coordinates of a list of arrays, one for each
    dimension.
    """
    if isinstance(sample, (list, tuple)):
        lines = h.stack(sample)
        sample = h.matrix_transpose(h.expand_dims(lines, 0) if lines.ndim == 1 else lines)
    if sample.ndim > 2:
        raise ValueError(f"histogramdd: sample has {sample.ndim} dimensions, at most 2 are allowed")
    points = sample if sample.ndim == 2 else h.reshape(sample, (-1, 1))
    dimensions = points.shape[1]
    if isinstance(bins, (Array, np.ndarray)) and bins.ndim:
        bins = list(h.asnumpy(bins) if isinstance(bins, Array) else bins)
    given = bins if isinstance(bins, (list, tuple)) else (bins,) * dimensions
    if len(given) != dimensions:
        raise ValueError(f"histogramdd: {len(given)} bins for {dimensions} dimensions")
    limits = range if range is not None else (None,) * dimensions
    if len(limits) != dimensions:
        raise ValueError(f"histogramdd: {len(limits)} ranges for {dimensions} dimensions")
    flat: Any = 0
    outside: Any = False
    edges, shape = [], []
    for i in np.arange(dimensions):
        column = points[:, int(i)]
        within = limits[i]
        like = column if within is None else h.zeros((0,), np.float64, **place_like(sample))
        host_edges = _bin_edges(like, given[i], within, None)
        edges.append(h.asarray(host_edges, queue=sample.queue))
        even = host_edges if np.ndim(given[i]) == 0 else None
        place = _bins_of(column, edges[-1], even)
        count = len(host_edges) - 1
        outside = (place < 1) | (place > count) | outside
        flat = flat * count + (place - 1)
        shape.append(count)
    size = math.prod(shape)
    if weights is not None:
        weights = astype(weights, np.float64, copy=False)
    counts = tallied(where(outside, size, flat), weights, size + 1)[:-1]
    counts = astype(h.reshape(counts, tuple(shape)), np.float64)
    if density:
        total = h.sum(counts)
        for i, edge in enumerate(edges):
            widths = h.reshape(h.diff(edge), (-1,) + (1,) * (dimensions - i - 1))
            counts = counts / widths
        counts = counts / total
    return counts, tuple(edges)


@operands("x y weights")
def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    """The histogram of the points (x, y), and the limits of the bins along both axes."""
    if x.shape != y.shape:
        raise ValueError(f"histogram2d: x has shape {x.shape}, y has {y.shape}")
    if x.ndim > 1:
        raise ValueError(f"histogram2d: x has {x.ndim} dimensions; it must be a vector")
    if isinstance(bins, (Array, np.ndarray)) and bins.ndim == 1:
        pair: Any = (bins, bins)
    elif isinstance(bins, (list, tuple)) and len(bins) not in (1, 2):
        pair = (np.asarray(bins),) * 2
    else:
        pair = bins if not isinstance(bins, (list, tuple)) or len(bins) == 2 else bins * 2
    counts, edges = histogramdd(h.stack([x, y], axis=1), pair, range, density, weights)
    return counts, edges[0], edges[1]
