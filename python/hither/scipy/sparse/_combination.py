"""Functions of the elements of two sparse matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from . import _rows
from ._rows import Rows

__all__: list[str] = []

# Elements of two rows up to which a GPU's item merges them faster than all elements are sorted.
_LONGEST_MERGED = 256


def combined(a: Rows, b: Rows, function: Callable[[Any, Any], Array]) -> Rows:
    """The matrix function(a, b), element by element, without its zeros. function(0, 0) is 0.

    It waits for the numbers of elements.
    """
    a, b = _rows.canonical(a), _rows.canonical(b)
    if a.data.size == 0 or b.data.size == 0:
        given, swapped = (a, False) if a.data.size else (b, True)
        other = _rows.zeros((given.data.size,), (a if swapped else b).data.dtype, given.data)
        pair = (other, given.data) if swapped else (given.data, other)
        return _rows.without_zeros(given.with_data(function(*pair)))
    if a.indices is b.indices and a.indptr is b.indptr:
        return _rows.without_zeros(a.with_data(function(a.data, b.data)))
    if _merges_well(a, b):
        return _rows.without_zeros(_merged(a, b, function))
    row, column, order, places = _united(a, b)
    left, right = _values(a.data, b.data, order, places, row, column)
    row, column = h.take(row, places, axis=0), h.take(column, places, axis=0)
    data = function(left, right)
    c = _rows.Coordinates(data, row, column, a.height, a.width)
    return _rows.without_zeros(_rows.by_rows(c, summed=False, ordered=True))


def _merges_well(a: Rows, b: Rows) -> bool:
    """Whether items that merge a row each are faster than sorting all elements. On GPUs one long
    row would keep all others waiting. Compilers of SPIR-V refuse the kernel that merges."""
    if a.data.device.backend == "cuda":
        longest = h.max(a.ends - a.begins) + h.max(b.ends - b.begins)
        return int(longest) <= _LONGEST_MERGED
    return a.data.device.backend == "native_cpu" and not _rows.sorts_numbers(a.data)


def _merged(a: Rows, b: Rows, function: Callable[[Any, Any], Array]) -> Rows:
    """The function of both matrices' elements. An item merges the columns of a row."""
    small = a.data.size + b.data.size < 2**31
    kind = np.int32 if small and a.indices.dtype == b.indices.dtype == np.int32 else np.int64
    lines = [astype(x, kind, copy=False) for x in (a.indptr, a.indices, b.indptr, b.indices)]
    sizes = h.row_function("union_sizes", lines, [], a.height, a.height)
    first = _rows.zeros((1,), kind, sizes)
    indptr = h.concat([first, h.cumulative_sum(sizes, axis=0, dtype=kind)])
    total = int(indptr[-1])
    found = h.row_function("union", [indptr, *lines], [total], a.height, 3 * total)
    left, right = (
        h.where(place < 0, _zero(data), h.take(data, h.maximum(place, 0), axis=0))
        for place, data in ((found[total : 2 * total], a.data), (found[2 * total :], b.data))
    )
    return Rows(function(left, right), found[:total], indptr, a.height, a.width, True)


def _united(a: Rows, b: Rows) -> tuple[Array, Array, Array, Array]:
    """The rows and columns of both matrices' elements in C order, their order before, and the
    places of those that begin another element."""
    first, second = _rows.coordinates(a), _rows.coordinates(b)
    lines = [first.row, second.row, first.column, second.column]
    lines = _rows.with_common_dtype(lines, a.height, a.width)
    row, column = h.concat(lines[:2]), h.concat(lines[2:])
    order = _rows.order_of(row, column, a.width, a.height)
    row, column = h.take(row, order, axis=0), h.take(column, order, axis=0)
    return row, column, order, h.nonzero(_rows._starts((row, column)))[0]


def _values(
    a: Array, b: Array, order: Array, places: Array, row: Array, column: Array
) -> tuple[Array, Array]:
    """The elements of both matrices at the places, with zeros where a matrix has no element."""
    size = order.size
    here = h.take(order, places, axis=0)
    following = h.minimum(places + 1, size - 1)
    # An element of both matrices has a's part first, because the order is stable.
    same = (places + 1 < size) & (h.take(row, following, axis=0) == h.take(row, places, axis=0))
    same = same & (h.take(column, following, axis=0) == h.take(column, places, axis=0))
    in_a = here < a.size
    left = h.where(in_a, h.take(a, h.minimum(here, a.size - 1), axis=0), _zero(a))
    there = h.where(in_a, h.take(order, following, axis=0), here) - a.size
    found = h.take(b, h.clip(there, 0, b.size - 1), axis=0)
    right = h.where(h.logical_not(in_a) | same, found, _zero(b))
    return left, right


def _zero(x: Array) -> Array:
    return _rows.zeros((), x.dtype, x)


def matched(rows: Rows, row: Array, column: Array) -> Array:
    """The elements at pairs of a row and a column, with zeros where the matrix has none. All are in
    range."""
    c = _rows.canonical(rows)
    size = c.data.size
    if size == 0 or row.size == 0:
        return _rows.zeros(row.shape, rows.data.dtype, rows.data)
    _rows.check_count("indexing", (c.height, c.width))
    own = _rows.coordinates(c)
    stored = _rows.keys(own.row, own.column, c.width)
    wanted = _rows.keys(row, column, c.width)
    place = h.minimum(h.searchsorted(stored, wanted), size - 1)
    found = h.take(stored, place, axis=0) == wanted
    return h.where(found, h.take(c.data, place, axis=0), _zero(c.data))
