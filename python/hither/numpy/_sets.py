"""Unique elements and set operations with NumPy's parameters, by hither's functions."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither as h
from .._array import sets
from .._array.unique_slices import slice_numbers
from .._checked_call import checked
from .._hither import Array
from ._placement import operands, place_like
from ._ufunc_methods import axes_of

__all__ = [
    "intersect1d", "isin", "setdiff1d", "setxor1d", "union1d", "unique", "unique_all",
    "unique_counts", "unique_inverse", "unique_values",
]  # fmt: skip


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
    options = {"inverse": return_inverse, "counts": return_counts}
    if axis is None or (ar.ndim == 1 and axis in (0, -1)):
        results = sets.unique_parts(ar, indices=return_index, equal_nan=equal_nan, **options)
    else:
        (axis,) = axes_of("unique", axis, ar.ndim)
        results = _unique_slices(ar, axis, return_index, options)
    return results[0] if len(results) == 1 else results


def _unique_slices(
    ar: Array, axis: int, return_index: bool, options: dict[str, bool]
) -> tuple[Array, ...]:
    if ar.size == 0:  # NumPy has the rules for shapes without elements
        made: Any = np.unique(  # type: ignore[call-overload]
            np.empty(ar.shape, ar.dtype), return_index, *options.values(), axis
        )
        parts = made if isinstance(made, tuple) else (made,)
        return tuple(h.asarray(part, **place_like(ar)) for part in parts)
    _, index, *rest = sets.unique_parts(slice_numbers(ar, axis), indices=True, **options)
    values = h.take(ar, index, axis=axis)
    return (values, index, *rest) if return_index else (values, *rest)


@operands("x")
def unique_all(x: Any) -> Any:
    """The unique elements, their first places, the places of x's elements among them, counts."""
    return sets.unique_all(x)


@operands("x")
def unique_counts(x: Any) -> Any:
    """The unique elements and how often each occurs."""
    return sets.unique_counts(x)


@operands("x")
def unique_inverse(x: Any) -> Any:
    """The unique elements and the places of x's elements among them."""
    return sets.unique_inverse(x)


@operands("x")
def unique_values(x: Any) -> Any:
    """The unique elements."""
    return sets.unique_values(x)


def _storable(element: Any, tests: Any) -> Any:
    """The test elements without the ints beyond 64 bits to which no element can be equal."""
    values = list(tests) if type(tests) in (list, tuple) else [tests]
    if not any(type(v) is int and not -(2**63) <= v < 2**64 for v in values):
        return tests
    kind = element.dtype.kind if isinstance(element, Array) else np.asarray(element).dtype.kind
    if kind not in "fc":
        return [v for v in values if type(v) is not int or -(2**63) <= v < 2**64]
    most = sys.float_info.max
    return [
        float(v) if type(v) is int else v
        for v in values
        if type(v) is not int or (-most <= v <= most and float(v) == v)
    ]


def _with_storable(isin: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(isin)
    def call(element: Any, test_elements: Any, *options: Any, **keywords: Any) -> Any:
        return isin(element, _storable(element, test_elements), *options, **keywords)

    return checked(call)


@_with_storable
@operands("element test_elements")
def isin(
    element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False, *,
    kind: Any = None,
) -> Any:  # fmt: skip
    """Whether each element is among test_elements. It waits for these if there are more than 32,
    and both arrays hold integers or bools.

    >>> import hither.numpy as np
    >>> np.isin([1, 2, 3], [3, 1]).tolist()
    [True, False, True]
    """
    if kind not in (None, "sort", "table"):
        raise ValueError(f"isin: kind={kind!r} is none of None, 'sort' and 'table'")
    return sets.isin(element, test_elements, invert=invert)


@operands("ar1 ar2")
def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    """The sorted elements that are in both arrays."""
    if return_indices:
        return sets.intersection_with_indices(ar1, ar2, assume_unique)
    return sets.intersect1d(ar1, ar2, assume_unique=assume_unique)


@operands("ar1 ar2")
def union1d(ar1: Any, ar2: Any) -> Any:
    """The sorted elements that are in one of the arrays."""
    return sets.union1d(ar1, ar2)


@operands("ar1 ar2")
def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The elements of ar1 that are not in ar2."""
    return sets.setdiff1d(ar1, ar2, assume_unique=assume_unique)


@operands("ar1 ar2")
def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    """The sorted elements that are in exactly one of the arrays."""
    return sets.setxor1d(ar1, ar2, assume_unique=assume_unique)
