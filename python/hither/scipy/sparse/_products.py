"""Products of sparse matrices with vectors, matrices and sparse matrices."""

from __future__ import annotations

import numpy as np

from ... import _hither as h
from ..._array.dtypes import result_type
from ..._hither import Array, Queue, astype
from ..._libraries.onemkl.plugin import may_wait
from ...numpy._segments import reduced_segments
from . import _rows
from ._rows import Coordinates, Rows

__all__: list[str] = []

# Elements of a row that one work-item multiplies, where rows are divided.
_PIECE = 512
# Products of elements that are sorted together; more are computed for parts of the rows.
_MOST_PRODUCTS = 1 << 27


def longest_row(rows: Rows) -> int:
    """The number of elements of the longest row. It waits for the pointers."""
    return int(h.max(rows.ends - rows.begins)) if rows.height else 0


def times_dense(rows: Rows, x: Array, longest: int) -> Array:
    """The product with a vector or a matrix. `longest` bounds the lengths of rows."""
    kind = result_type(rows.data, x)
    if _may_call_library(x.queue):
        found = h.library_sparse_product(rows.data, rows.indices, rows.indptr, x, kind)
        if found is not None:
            if x.queue.backend != "cuda":
                found.evaluate()  # as long as the library may be called
            return found
    if longest <= 8 * _PIECE:
        return h.sparse_product(rows.data, rows.indices, rows.begins, rows.ends, x, kind)
    first, begins, ends = _pieces(rows)
    partial = h.sparse_product(rows.data, rows.indices, begins, ends, x, kind)
    parts = -(-longest // _PIECE)
    return reduced_segments(
        partial, first[:-1], first[1:], "any" if kind.kind == "b" else "sum", parts, begins.size
    )


def _may_call_library(queue: Queue) -> bool:
    """Whether the device may have a library with sparse products, whose calls may wait."""
    return queue.backend == "cuda" or (queue.backend != "native_cpu" and may_wait(queue))


def _pieces(rows: Rows) -> tuple[Array, Array, Array]:
    """Rows in pieces: where the pieces of each row begin, and the elements of the pieces."""
    lengths = astype(rows.ends - rows.begins, np.int64)
    pieces = (lengths + (_PIECE - 1)) // _PIECE
    last = h.cumulative_sum(pieces, axis=0)
    first = h.concat([_rows.zeros((1,), np.int64, last), last])
    count = rows.data.size // _PIECE + rows.height
    number = _rows.whole(count, last)
    # Pieces behind those of the last row begin behind its end: they are empty.
    row = h.minimum(h.searchsorted(last, number, side="right"), rows.height - 1)
    begins = h.take(rows.begins, row, axis=0) + (number - h.take(first, row, axis=0)) * _PIECE
    ends = h.minimum(begins + _PIECE, h.take(rows.ends, row, axis=0))
    h.evaluate(begins, ends)
    return first, begins, ends


def times_sparse(a: Rows, b: Rows) -> Rows:
    """The product of two sparse matrices. It waits for the numbers of products and of elements."""
    kind = result_type(a.data, b.data)
    if a.data.size == 0 or b.data.size == 0:
        return _rows.empty(a.height, b.width, kind, a.data)
    lengths = h.take(b.ends - b.begins, a.indices, axis=0)
    count = int(h.sum(lengths, dtype=np.int64))
    if count == 0:
        return _rows.empty(a.height, b.width, kind, a.data)
    if count > _MOST_PRODUCTS and a.height > 1:
        half = a.height // 2
        parts = [times_sparse(_rows.span(a, *part), b) for part in ((0, half), (half, a.height))]
        return stacked(parts)
    if found := _product_of_library(a, b, kind):
        return found
    last = h.cumulative_sum(lengths, axis=0, dtype=np.int64)
    if _rows.sorts_numbers(a.data):
        return _all_products(a, b, last, count, kind)
    return _placed_products(a, b, last, count, kind)


def _product_of_library(a: Rows, b: Rows, kind: np.dtype) -> Rows | None:
    """The product by cuSPARSE, if the device has it and it takes the matrices."""
    if a.data.queue.backend != "cuda" or kind not in ("f4", "f8", "c8", "c16"):
        return None
    if max(a.data.size, b.data.size, a.width, b.width) >= 2**31:
        return None
    # Matrices with elements in many parts, which cuSPARSE refuses.
    if any(rows.data.size > rows.height * rows.width for rows in (a, b)):
        return None

    def parts(rows: Rows) -> tuple[Array, Array, Array]:
        indices, indptr = (astype(x, np.int32, copy=False) for x in (rows.indices, rows.indptr))
        return astype(rows.data, kind, copy=False), indices, indptr

    found = h.library_sparse_matrices(parts(a), parts(b), a.width, b.width)
    if found is None:
        return None
    data, indices, indptr = found
    if a.indices.dtype == np.int64 or b.indices.dtype == np.int64:
        indices, indptr = (astype(x, np.int64) for x in (indices, indptr))
    return Rows(data, indices, indptr, a.height, b.width)


def _placed_products(a: Rows, b: Rows, last: Array, count: int, kind: np.dtype) -> Rows:
    """Finds the place of each product, and adds the products there. An item has a chunk of the
    rows, and a table with a word for each column. The columns of a row are in no order."""
    t = np.int32 if a.indices.dtype == b.indices.dtype == np.int32 and count < 2**30 else np.int64
    lines = [astype(x, t, copy=False) for x in (a.indptr, a.indices, b.indptr, b.indices)]
    units = a.data.device.max_compute_units
    chunks = max(1, min(4 * units, a.height, 4 * count // max(b.width, 1)))
    words = chunks * b.width
    shape = [a.height, b.width]
    sizes = h.row_function("product_sizes", lines, [*shape, chunks], chunks, a.height + words)
    zero = _rows.zeros((1,), t, sizes)
    indptr = h.concat([zero, h.cumulative_sum(sizes[: a.height], axis=0, dtype=t)])
    size = int(indptr[-1])
    begins = h.concat([_rows.zeros((1,), np.int64, last), last])
    firsts = astype(h.take(begins, a.indptr, axis=0), t)
    operands, integers = [indptr, firsts, *lines], [*shape, size, count, chunks]
    found = h.row_function("product_places", operands, integers, chunks, size + count + words)
    place = found[size : size + count]
    structure = [indptr, firsts, *lines, place]
    data = h.sparse_sums(a.data, b.data, structure, size, kind)
    return Rows(data, found[:size], indptr, a.height, b.width)


def _all_products(a: Rows, b: Rows, last: Array, count: int, kind: np.dtype) -> Rows:
    """All products of an element of a and an element of b, which are then summed."""
    begins = h.concat([_rows.zeros((1,), np.int64, last), last])
    factor, other, product = _expanded(a, b, begins, count, kind)
    row = h.take(_rows.row_numbers(a.indptr, a.data.size), factor, axis=0)
    column = h.take(b.indices, other, axis=0)
    return _rows.by_rows(Coordinates(product, row, column, a.height, b.width))


def _expanded(
    a: Rows, b: Rows, begins: Array, count: int, kind: np.dtype
) -> tuple[Array, Array, Array]:
    """For each product, the element of a, that of b, and its value. The products of an element k of
    a begin at begins[k]."""
    factor = _rows.row_numbers(begins, count)
    shift = h.take(b.begins, a.indices, axis=0) - begins[:-1]
    other = _rows.whole(count, begins) + h.take(shift, factor, axis=0)
    left, right = h.take(a.data, factor, axis=0), h.take(b.data, other, axis=0)
    return factor, other, astype(left, kind, copy=False) * astype(right, kind, copy=False)


def stacked(parts: list[Rows]) -> Rows:
    """Matrices of one width below each other."""
    size = sum(part.data.size for part in parts)
    height, width = sum(part.height for part in parts), parts[0].width
    kinds = {part.indptr.dtype for part in parts} | {part.indices.dtype for part in parts}
    wide = np.dtype(np.int64) in kinds or _rows.index_dtype(size, width) == np.int64
    kind = np.int64 if wide else np.int32
    pointers, before = [], 0
    for part in parts:
        pointers.append(astype(part.begins, kind, copy=False) + before)
        before += part.data.size
    end = h.full((1,), size, kind, queue=parts[0].data.queue, usm_type=parts[0].data.usm_type)
    indptr = h.concat([*pointers, end])
    dtype = result_type(*(part.data for part in parts))
    data = h.concat([astype(part.data, dtype, copy=False) for part in parts])
    indices = h.concat([astype(part.indices, kind, copy=False) for part in parts])
    return Rows(data, indices, indptr, height, width)
