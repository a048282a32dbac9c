"""Unique elements and set operations, composed of sorts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._array.host_fallback import run_on_host
from .._array.sets import (
    UniqueAllResult,
    UniqueCountsResult,
    UniqueInverseResult,
    first_of_equals,
)
from .._hither import Array, astype
from ._placement import operands
from ._sorting import order_along, sorted_along

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all",
    "unique_counts", "unique_inverse", "unique_values",
]  # fmt: skip


def _unique(
    ar: Array, index: bool, inverse: bool, counts: bool, equal_nan: bool
) -> tuple[Array, ...]:
    flat = h.reshape(ar, (-1,))
    order = order_along(flat) if index or inverse else None
    ordered = sorted_along(flat) if order is None else h.take(flat, order, axis=0)
    firsts = first_of_equals(ordered, equal_nan)
    results = [ordered[firsts]]
    if index and order is not None:
        results.append(order[firsts])
    if inverse and order is not None:
        number = h.cumulative_sum(astype(firsts, np.int64), axis=0) - 1
        places = h.empty((flat.size,), np.int64, queue=ar.queue, usm_type=ar.usm_type)
        if flat.size:
            places[order] = number
        results.append(h.reshape(places, ar.shape))
    if counts:
        starts = h.nonzero(firsts)[0]
        end = h.full((1,), flat.size, np.int64, queue=ar.queue)
        results.append(h.diff(h.concat([starts, end])))
    return tuple(results)


@operands("ar")
def unique(
    ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False,
    axis: Any = None, *, equal_nan: bool = True, sorted: bool = True,
) -> Any:  # fmt: skip
    """The elements without repetitions, in ascending order. Its size waits for the elements.

    >>> import hither.numpy as np
    >>> values, counts = np.unique([3, 1, 3], return_counts=True)
    >>> values.tolist(), counts.tolist()
    ([1, 3], [1, 2])
    """
    if axis is not None and not (ar.ndim == 1 and axis in (0, -1)):
        args = (ar, return_index, return_inverse, return_counts, axis)
        return run_on_host("unique", np.unique, args, {"equal_nan": equal_nan})
    results = _unique(ar, return_index, return_inverse, return_counts, equal_nan)
    return results[0] if len(results) == 1 else results


@operands("x")
def unique_all(x: Any) -> Any:
    """The unique elements, their first places, the places of x's elements among them, counts."""
    return UniqueAllResult(*_unique(x, True, True, True, False))


@operands("x")
def unique_counts(x: Any) -> Any:
    """The unique elements and how often each occurs."""
    return UniqueCountsResult(*_unique(x, False, False, True, False))


@operands("x")
def unique_inverse(x: Any) -> Any:
    """The unique elements and the places of x's elements among them."""
    return UniqueInverseResult(*_unique(x, False, True, False, False))


@operands("x")
def unique_values(x: Any) -> Any:
    """The unique elements."""
    return _unique(x, False, False, False, False)[0]


def _is_in(element: Array, test: Array, invert: bool) -> Array:
    kind = np.result_type(element.dtype, test.dtype)
    kind = np.dtype(np.uint8) if kind.kind == "b" else kind
    values = h.reshape(astype(element, kind, copy=False), (-1,))
    flat = h.reshape(astype(test, kind, copy=False), (-1,))
    if flat.size == 0 or values.size == 0:
        made = h.ones if invert else h.zeros
        return made(element.shape, np.bool_, queue=element.queue, usm_type=element.usm_type)
    if kind.kind == "c":
        return run_on_host("isin", np.isin, (element, test), {"invert": invert})
    ordered = sorted_along(flat)
    places = h.clip(h.searchsorted(ordered, values), 0, flat.size - 1)
    found = h.take(ordered, places, axis=0) == values
    return h.reshape(h.logical_not(found) if invert else found, element.shape)


@operands("element test_elements")
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *,
    kind: Any = None,
) -> Any:  # fmt: skip
    """Whether each element is among test_elements.

    >>> import hither.numpy as np
    >>> np.isin([1, 2, 3], [3, 1]).tolist()
    [True, False, True]
    """
    return _is_in(element, test_elements, invert)


def _pair(ar1: Array, ar2: Array) -> tuple[Array, Array]:
    kind = np.result_type(ar1.dtype, ar2.dtype)
    flat = [h.reshape(astype(x, kind, copy=False), (-1,)) for x in (ar1, ar2)]
    return flat[0], flat[1]


@operands("ar1 ar2")
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The sorted elements that are in both arrays."""
    first, second = _pair(ar1, ar2)
    places = []
    if not assume_unique:
        found = [_unique(x, return_indices, False, False, True) for x in (first, second)]
        first, second = found[0][0], found[1][0]
        places = [f[1] for f in found] if return_indices else []
    joined = h.concat([first, second])
    order = order_along(joined)
    ordered = h.take(joined, order, axis=0)
    both = ordered[1:] == ordered[:-1]
    common = ordered[:-1][both]
    if not return_indices:
        return common
    one, two = order[:-1][both], order[1:][both] - first.size
    if places:
        one, two = h.take(places[0], one, axis=0), h.take(places[1], two, axis=0)
    return common, one, two


@operands("ar1 ar2")
def union1d(ar1: Any, ar2: Any) -> Any:
    """The sorted elements that are in one of the arrays."""
    return _unique(h.concat(list(_pair(ar1, ar2))), False, False, False, True)[0]


@operands("ar1 ar2")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The elements of ar1 that are not in ar2."""
    flat = h.reshape(ar1, (-1,))
    values = flat if assume_unique else _unique(flat, False, False, False, True)[0]
    return values[_is_in(values, ar2, True)]


@operands("ar1 ar2")
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The sorted elements that are in exactly one of the arrays."""
    first, second = _pair(ar1, ar2)
    if not assume_unique:
        first, second = (_unique(x, False, False, False, True)[0] for x in (first, second))
    joined = h.concat([first, second])
    if joined.size == 0:
        return joined
    ordered = sorted_along(joined)
    edge = h.ones((1,), np.bool_, queue=joined.queue)
    differs = h.concat([edge, ordered[1:] != ordered[:-1], edge])
    return ordered[differs[1:] & differs[:-1]]
