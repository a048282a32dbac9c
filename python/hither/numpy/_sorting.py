"""Sorting. The functions are composed of hither's sort() and argsort()."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _hither as h
from .._array import sorting
from .._hither import Array, astype
from ..errors import InvalidTypeError
from ._placement import operands
from ._ufunc_methods import as_vector, axes_of

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "sort_complex"]


def sorted_along(x: Array, axis: int = -1) -> Array:
    """x in ascending order along an axis, NaN last."""
    return h.sort(x, axis=axis)


def order_along(x: Array, axis: int = -1) -> Array:
    """The indices that sort x along an axis; equal elements keep their order."""
    return h.argsort(x, axis=axis, stable=True)


def _line(function: str, a: Array, axis: Any) -> tuple[Array, int]:
    """The array and axis to sort: the flattened array for None."""
    if axis is None:
        return h.reshape(a, (-1,)), 0
    if a.ndim == 0:
        raise np.exceptions.AxisError(f"{function}: a has no dimension, so that it has no axis")
    return a, axes_of(function, axis, a.ndim)[0]


def _check_order(function: str, order: Any) -> None:
    if order is not None:
        raise InvalidTypeError(function, "order= names fields, which only numpy's arrays have")


def _check_kind(function: str, kind: Any, stable: Any) -> None:
    if kind is not None and stable is not None:
        raise ValueError(f"{function}: kind and stable are both given; give one of them")
    if kind is not None and str(kind)[:1].lower() not in ("q", "h", "m", "s"):
        raise ValueError(
            f"{function}: kind={kind!r}; it is quicksort, heapsort, mergesort or stable"
        )


@operands("a")
def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    """A copy in ascending order along an axis; NaN is last.

    >>> import hither.numpy as np
    >>> np.sort([3, 1, 2]).tolist()
    [1, 2, 3]
    """
    _check_order("sort", order)
    _check_kind("sort", kind, stable)
    return sorted_along(*_line("sort", a, axis))


@operands("a")
def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    """The indices that sort an array along an axis.

    >>> import hither.numpy as np
    >>> np.argsort([3, 1, 2]).tolist()
    [1, 2, 0]
    """
    _check_order("argsort", order)
    _check_kind("argsort", kind, stable)
    return order_along(*_line("argsort", as_vector(a), axis))


def _check_kth(function: str, kth: Any, line: Array, axis: int) -> None:
    length = line.shape[axis]
    given = h.asnumpy(kth) if isinstance(kth, Array) else np.asarray(kth)
    for k in given.reshape(-1).tolist():
        if not -length <= operator.index(k) < length and line.size:
            raise ValueError(f"{function}: kth={k} is out of range for {length} elements")


@operands("a")
def partition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """A copy in which the elements of the places `kth` are those of the sorted array, after smaller
    and before larger ones. The array is sorted completely."""
    _check_order("partition", order)
    line, axis = _line("partition", a, axis)
    _check_kth("partition", kth, line, axis)
    return sorted_along(line, axis)


@operands("a")
def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: str = "introselect", order: Any = None
) -> Any:
    """The indices of partition()."""
    _check_order("argpartition", order)
    line, axis = _line("argpartition", as_vector(a), axis)
    _check_kth("argpartition", kth, line, axis)
    return order_along(line, axis)


@operands(sequences="keys")
def lexsort(keys: Any, axis: int = -1) -> Any:
    """The indices that sort by several keys; the last one is compared first.

    >>> import hither.numpy as np
    >>> np.lexsort(([1, 0, 0], [2, 2, 1])).tolist()
    [2, 1, 0]
    """
    parts = list(h.unstack(keys)) if isinstance(keys, Array) else list(keys)
    if not parts:
        raise TypeError("lexsort: there are no keys")
    if parts[0].ndim == 0:
        return h.zeros((), np.int64, queue=parts[0].queue)
    return sorting.lexsort(tuple(parts), axis=axis)


@operands("a")
def sort_complex(a: Any) -> Any:
    """The sorted array, converted to complex numbers."""
    result = sorted_along(*_line("sort_complex", a, -1))
    if result.dtype.kind == "c":
        return result
    return astype(result, np.complex64 if result.dtype.char in "bhBH" else np.complex128)
