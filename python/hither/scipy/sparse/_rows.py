"""A sparse matrix stored by rows, and what is computed with the stored arrays.

A matrix that is stored by columns is the transpose of one that is stored by rows, so that these
functions serve both. Results depend on sizes and values alone: no atomic updates are used.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ...errors import InvalidValueError
from ...numpy._placement import place_like
from ...numpy._segments import reduced_segments, sorts_numbers, tallied

__all__: list[str] = []

# The largest number that indices and keys, which are int64, can have.
_MOST = 2**63 - 1


class Rows(NamedTuple):
    """The elements of row r and their columns are at indptr[r] to indptr[r + 1]. Columns may be in
    any order, and an element may be given in several parts, whose sum it is."""

    data: Array
    indices: Array
    indptr: Array
    height: int
    width: int
    canonical: bool = False  # known to have sorted columns and each element in one part

    @property
    def begins(self) -> Array:
        return self.indptr[:-1]

    @property
    def ends(self) -> Array:
        return self.indptr[1:]

    def with_data(self, data: Array) -> Rows:
        return self._replace(data=data)


class Coordinates(NamedTuple):
    """Elements with their rows and columns, in any order; an element may be given in parts."""

    data: Array
    row: Array
    column: Array
    height: int
    width: int


def index_dtype(*numbers: int) -> Any:
    """The dtype of indices up to these numbers: int32 where it suffices, as in SciPy."""
    return np.int32 if max(numbers, default=0) < 2**31 else np.int64


def with_common_dtype(lines: list[Array], *numbers: int) -> list[Array]:
    """Indices in a dtype that has all of them, and these numbers."""
    is_wide = any(x.dtype == np.int64 for x in lines)
    kind = np.int64 if is_wide else index_dtype(*numbers)
    return [astype(x, kind, copy=False) for x in lines]


def whole(size: int, like: Array, kind: Any = np.int64) -> Array:
    """0, 1, ..., size - 1, on the queue of `like`."""
    return h.iota(size, 0, 1, kind, **place_like(like))


def zeros(shape: Any, kind: Any, like: Array) -> Array:
    return h.zeros(shape, kind, **place_like(like))


def row_numbers(indptr: Array, size: int, kind: Any = None) -> Array:
    """For each of the `size` elements, the number of its row."""
    kind = indptr.dtype if kind is None else kind
    if size == 0 or indptr.size <= 2:
        return zeros((size,), kind, indptr)
    if sorts_numbers(indptr):  # a row may have most of the elements, and a GPU's item is slow
        found = h.searchsorted(indptr[1:], whole(size, indptr, indptr.dtype), side="right")
    else:
        found = h.row_function("rows", [indptr], [size], indptr.size - 1, size)
    return astype(found, kind, copy=False)


def coordinates(rows: Rows) -> Coordinates:
    """The elements in the order of the rows."""
    row = row_numbers(rows.indptr, rows.data.size, rows.indices.dtype)
    return Coordinates(rows.data, row, rows.indices, rows.height, rows.width)


def pointers(sorted_rows: Array, height: int, kind: Any) -> Array:
    """Where the elements of each row begin, and the number of elements."""
    if sorted_rows.size == 0:
        return zeros((height + 1,), kind, sorted_rows)
    places = whole(height + 1, sorted_rows, sorted_rows.dtype)
    return astype(h.searchsorted(sorted_rows, places, side="left"), kind)


def counted(numbers: Array, count: int) -> tuple[Array, Array]:
    """The stable order of numbers below `count`, and where each begins in it. On CPUs: one item
    counts them."""
    size = numbers.size
    kind = index_dtype(size + count)
    total = h.cumulative_sum(tallied(numbers, None, count), axis=0, dtype=np.int64)
    starts = astype(h.concat([zeros((1,), np.int64, numbers), total]), kind, copy=False)
    given = [astype(numbers, kind, copy=False), starts[:-1]]
    return h.row_function("order", given, [size, count], 1, size + count)[:size], starts


def counts_well(numbers: Array, count: int) -> bool:
    """Whether counting is faster than sorting: on CPUs, if there are not many more numbers."""
    return numbers.size > 1 and 0 < count <= 8 * numbers.size + 65536 and not sorts_numbers(numbers)


def order_of(row: Array, column: Array, width: int, height: int) -> Array:
    """The stable order by rows, and in a row by columns."""
    if counts_well(row, height) and counts_well(column, width):
        first = counted(column, width)[0]
        return h.take(first, counted(h.take(row, first, axis=0), height)[0], axis=0)
    if height * width <= _MOST:
        return h.argsort(keys(row, column, width))
    first = h.argsort(column)
    return h.take(first, h.argsort(h.take(row, first, axis=0)), axis=0)


def check_extents(function: str, name: str, shape: tuple[int, ...]) -> None:
    """Refuses extents that int64 indices do not reach."""
    if max(shape, default=0) > _MOST:
        raise InvalidValueError(
            function, f"{name} is {shape}, and indices are int64: an extent is at most 2**63 - 1; "
            "work on smaller parts",
        )  # fmt: skip


def check_count(function: str, shape: tuple[int, ...]) -> None:
    """Refuses an array whose elements int64 cannot number, stored or not."""
    if math.prod(shape) > _MOST:
        raise InvalidValueError(
            function, f"the array has the shape {shape}, of more than 2**63 - 1 elements, which "
            "cannot be numbered; take smaller parts of it",
        )  # fmt: skip


def keys(row: Array, column: Array, width: int) -> Array:
    """The numbers of elements in C order. The caller has checked that int64 has all of them."""
    return astype(row, np.int64) * width + astype(column, np.int64)


def by_rows(c: Coordinates, summed: bool = True, ordered: bool = False) -> Rows:
    """The matrix by rows, with sorted columns. Without `summed`, elements in several parts stay so,
    and nothing is waited for. `ordered`: the elements are in the order of rows and columns."""
    kind = index_dtype(c.data.size, c.height, c.width) if _is_short(c) else np.int64
    data, row, column = c.data, c.row, c.column
    ordered = ordered or (summed and data.size > 1 and _increase(row, column))
    summed = summed and not ordered
    if not ordered and data.size > 1:
        order = order_of(row, column, c.width, c.height)
        data, row, column = (h.take(x, order, axis=0) for x in (data, row, column))
    if summed and data.size > 1:
        data, row, column = _summed(data, row, column)
    indptr = pointers(row, c.height, kind)
    unique = summed or ordered or data.size < 2
    return Rows(data, astype(column, kind, copy=False), indptr, c.height, c.width, unique)


def _increase(row: Array, column: Array) -> bool:
    """Whether the elements are in the order of rows and columns, each in one part."""
    lower = (row[1:] == row[:-1]) & (column[1:] > column[:-1])
    return bool(h.all((row[1:] > row[:-1]) | lower))


def _is_short(c: Coordinates) -> bool:
    return c.row.dtype != np.int64 and c.column.dtype != np.int64


def _summed(data: Array, row: Array, column: Array) -> tuple[Array, Array, Array]:
    """The sums of neighbours with one row and column. It waits for their number."""
    starts = _starts((row, column))
    places = h.nonzero(starts)[0]
    size = data.size
    if places.size == size:
        return data, row, column
    end = h.full((1,), size, np.int64, **place_like(data))
    ends = h.concat([places[1:], end])
    sums = sums_of(data, places, ends, size)
    return sums, h.take(row, places, axis=0), h.take(column, places, axis=0)


def _starts(lines: tuple[Array, ...]) -> Array:
    """Whether an element differs from the one before it in any of the lines."""
    differs = lines[0][1:] != lines[0][:-1]
    for line in lines[1:]:
        differs = differs | (line[1:] != line[:-1])
    first = h.full((1,), True, np.bool_, **place_like(lines[0]))
    return h.concat([first, differs])


def sums_of(data: Array, begins: Array, ends: Array, longest: int, kind: Any = None) -> Array:
    """The sums of data[begins[s]:ends[s]], whose lengths are at most `longest`."""
    kind = data.dtype if kind is None else np.dtype(kind)
    if begins.size == 0 or data.size == 0:
        return zeros((begins.size, *data.shape[1:]), kind, data)
    name = "any" if kind.kind == "b" else "sum"
    given = astype(data, kind, copy=False)
    if longest > 4096:
        longest = int(h.max(ends - begins))
    return reduced_segments(given, begins, ends, name, longest, data.size)


def transposed(rows: Rows) -> Rows:
    """The matrix's transpose by rows, with sorted columns. Elements in parts stay so."""
    c = coordinates(rows)
    if not counts_well(c.column, c.width):
        return by_rows(Coordinates(c.data, c.column, c.row, c.width, c.height), summed=False)
    order, starts = counted(c.column, c.width)
    data, row = (h.take(x, order, axis=0) for x in (c.data, c.row))
    starts = astype(starts, row.dtype, copy=False)
    return Rows(data, row, starts, c.width, c.height, rows.canonical)


def is_sorted(rows: Rows) -> bool:
    """Whether the columns of each row increase or stay. It waits for them."""
    return rows.canonical or _all_neighbours(rows, rows.indices[1:] >= rows.indices[:-1])


def is_canonical(rows: Rows) -> bool:
    """Whether the columns of each row increase. It waits for them."""
    return rows.canonical or _all_neighbours(rows, rows.indices[1:] > rows.indices[:-1])


def _all_neighbours(rows: Rows, good: Array) -> bool:
    """Whether the test of each element and the one before it holds inside of all rows."""
    size = rows.indices.size
    if size < 2:
        return True
    begins = zeros((size + 1,), np.bool_, rows.indices)
    begins[rows.indptr] = True
    return bool(h.all(good | begins[1:size]))


def canonical(rows: Rows) -> Rows:
    """The same matrix with sorted columns and each element in one part."""
    if is_canonical(rows):
        return rows._replace(canonical=True)
    return by_rows(coordinates(rows))


def selected(rows: Rows, kept: Array) -> Rows:
    """The matrix of the elements for which `kept` is true. It waits for their number."""
    if bool(h.all(kept)):
        return rows
    places = h.nonzero(kept)[0]
    kind = rows.indptr.dtype
    before = h.concat([zeros((1,), kind, kept), h.cumulative_sum(kept, axis=0, dtype=kind)])
    indptr = h.take(before, rows.indptr, axis=0)
    data, indices = (h.take(x, places, axis=0) for x in (rows.data, rows.indices))
    return Rows(data, indices, indptr, rows.height, rows.width, rows.canonical)


def without_zeros(rows: Rows) -> Rows:
    return selected(rows, rows.data != 0) if rows.data.size else rows


def dense(rows: Rows) -> Array:
    """The matrix as an array with all its elements."""
    shape = (rows.height, rows.width)
    result = zeros(shape, rows.data.dtype, rows.data)
    if rows.data.size == 0 or 0 in shape:
        return result
    r = canonical(rows)
    row = row_numbers(r.indptr, r.data.size, np.int64)
    flat = h.reshape(result, (-1,))
    flat[keys(row, r.indices, r.width)] = r.data
    return h.reshape(flat, shape)


def from_dense(x: Array) -> Rows:
    """The elements of a matrix that are not 0. It waits for their number."""
    height, width = x.shape
    kind = index_dtype(x.size, height, width)
    if x.size == 0:
        return empty(height, width, x.dtype, x)
    row, column = h.nonzero(x)
    data = x[row, column]
    return Rows(data, astype(column, kind), pointers(row, height, kind), height, width, True)


def empty(height: int, width: int, dtype: Any, like: Array) -> Rows:
    """A matrix without elements."""
    kind = index_dtype(height, width)
    data, indices, indptr = (
        zeros((size,), t, like) for size, t in ((0, dtype), (0, kind), (height + 1, kind))
    )
    return Rows(data, indices, indptr, height, width, True)


def taken(rows: Rows, numbers: Array) -> Rows:
    """The rows with these numbers, which are in range. It waits for the number of elements."""
    begins = h.take(rows.begins, numbers, axis=0)
    lengths = h.take(rows.ends, numbers, axis=0) - begins
    before = h.cumulative_sum(lengths, axis=0, dtype=np.int64)
    size = int(before[-1]) if numbers.size else 0
    first = zeros((1,), np.int64, lengths)
    indptr = h.concat([first, before]) if numbers.size else first
    number = row_numbers(indptr, size)
    shift = begins - indptr[:-1]
    places = whole(size, begins) + h.take(shift, number, axis=0)
    data, indices = (h.take(x, places, axis=0) for x in (rows.data, rows.indices))
    indptr = astype(indptr, np.int64 if size >= 2**31 else rows.indptr.dtype, copy=False)
    return Rows(data, indices, indptr, numbers.size, rows.width, rows.canonical)


def span(rows: Rows, begin: int, end: int) -> Rows:
    """The rows from begin to end, over the same memory. It waits for two pointers."""
    if begin >= end:
        return empty(0, rows.width, rows.data.dtype, rows.data)
    if (begin, end) == (0, rows.height):
        return rows
    first, last = int(rows.indptr[begin]), int(rows.indptr[end])
    indptr = rows.indptr[begin : end + 1] - first if first else rows.indptr[begin : end + 1]
    data, indices = rows.data[first:last], rows.indices[first:last]
    return Rows(data, indices, indptr, end - begin, rows.width, rows.canonical)


def columns_between(rows: Rows, begin: int, end: int) -> Rows:
    """The columns from begin to end. It waits for the number of elements."""
    if (begin, end) == (0, rows.width):
        return rows
    kept = selected(rows, (rows.indices >= begin) & (rows.indices < end))
    indices = kept.indices - begin if begin else kept.indices
    return kept._replace(indices=indices, width=max(end - begin, 0))
