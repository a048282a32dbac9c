"""Functions that join sparse arrays."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np

from ... import _hither as h
from ..._array.dtypes import result_type
from ..._checked_call import check_functions
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError
from . import _rows
from ._construction import _as_sparse, eye_array
from ._formats import coo_array
from ._matrices import coo_matrix
from ._rows import Coordinates

__all__ = ["block_array", "block_diag", "bmat", "hstack", "kron", "kronsum", "vstack"]


def _family(parts: list[Any]) -> Any:
    """The class of the result: a matrix if all sparse parts are matrices."""
    return coo_matrix if parts and all(part._is_matrix for part in parts) else coo_array


def kron(A: Any, B: Any, format: Any = None) -> Any:
    """The Kronecker product: B times each element of A."""
    a, b = (_as_sparse("kron", x, (A, B)) for x in (A, B))
    first, second = a._coordinates(), b._coordinates()
    height, width = first.height * second.height, first.width * second.width
    _rows.check_extents("kron", "the shape of the product of A and B", (height, width))
    kind = result_type(a.data, b.data)
    t = _rows.index_dtype(height, width)

    def pairs(x: Array, y: Array, scale: int) -> Array:
        x, y = astype(x, t), astype(y, t)
        return h.reshape(h.expand_dims(x, 1) * scale + y, (-1,))

    row = pairs(first.row, second.row, second.height)
    column = pairs(first.column, second.column, second.width)
    factors = (astype(x.data, kind, copy=False) for x in (first, second))
    left, right = factors
    data = h.reshape(h.expand_dims(left, 1) * right, (-1,))
    shape = (height, width) if max(a.ndim, b.ndim) == 2 else (width,)
    c = Coordinates(data, row, column, height, width)
    sparse_ones = [x for x in (A, B) if hasattr(x, "_is_matrix")]
    return _family(sparse_ones)._of_coordinates(c, shape).asformat(format)


def kronsum(A: Any, B: Any, format: Any = None) -> Any:
    """The Kronecker sum of two square arrays: kron(I, A) + kron(B, I)."""
    a, b = (_as_sparse("kronsum", x, (A, B)) for x in (A, B))
    for name, x in (("A", a), ("B", b)):
        if x.ndim != 2 or x.shape[0] != x.shape[1]:
            raise InvalidValueError("kronsum", f"{name} has shape {x.shape}; it must be square")
    kind = result_type(a.data, b.data)
    ones = [eye_array(x.shape[0], dtype=kind, queue=a.queue) for x in (b, a)]
    total = kron(ones[0], a) + kron(b, ones[1])
    if not a._is_matrix or not b._is_matrix:
        return total.asformat(format)
    return coo_matrix(total).asformat(format or "csr")


def hstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """Arrays next to each other."""
    return _stacked("hstack", [list(blocks)], format, dtype)


def vstack(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """Arrays below each other."""
    return _stacked("vstack", [[block] for block in blocks], format, dtype)


def block_array(blocks: Any, *, format: Any = None, dtype: Any = None) -> Any:
    """The array of a grid of blocks; None is a block of zeros."""
    return _stacked("block_array", [list(line) for line in blocks], format, dtype)


def bmat(blocks: Any, format: Any = None, dtype: Any = None) -> Any:
    """The matrix of a grid of blocks. New programs use block_array()."""
    return _stacked("bmat", [list(line) for line in blocks], format, dtype)


def block_diag(mats: Any, format: Any = None, dtype: Any = None) -> Any:
    """The array with blocks on its diagonal."""
    given = list(mats)
    parts = [
        _as_sparse("block_diag", x if hasattr(x, "shape") else np.atleast_2d(x).tolist(), given)
        for x in given
    ]
    grid: list[list[Any]] = [[None] * len(parts) for _ in parts]
    for i, part in enumerate(parts):
        grid[i][i] = part if part.ndim == 2 else part.reshape((1, -1))
    return _stacked("block_diag", grid, format, dtype)


def _stacked(function: str, given: list[list[Any]], format: Any, dtype: Any) -> Any:
    if not given or not given[0] or any(len(line) != len(given[0]) for line in given):
        raise InvalidValueError(function, "blocks must be rows of equal length, and not empty")
    others = [b for line in given for b in line]
    grid = [
        [None if b is None else _as_sparse(function, b, others) for b in line] for line in given
    ]
    for line in grid:
        for j, block in enumerate(line):
            if block is not None and block.ndim == 1:
                line[j] = block.reshape((1, -1))
    heights = _extents(function, grid, 0)
    widths = _extents(function, [list(line) for line in zip(*grid, strict=True)], 1)
    tops, lefts = (list(accumulate(x, initial=0)) for x in (heights, widths))
    _rows.check_extents(function, "the shape of the joined blocks", (tops[-1], lefts[-1]))
    parts = [
        (block, tops[i], lefts[j])
        for i, line in enumerate(grid)
        for j, block in enumerate(line)
        if block is not None
    ]
    c = _joined(function, parts, tops[-1], lefts[-1], dtype)
    sparse_ones = [b for line in given for b in line if hasattr(b, "_is_matrix")]
    made = _family(sparse_ones)._of_coordinates(c, (c.height, c.width))
    return made.asformat(format or _common_format(grid))


def _common_format(grid: list[list[Any]]) -> str:
    """CSR for blocks in rows below each other, CSC for those in columns next to each other."""
    formats = {block.format for line in grid for block in line if block is not None}
    if formats == {"csr"} and len(grid[0]) == 1:
        return "csr"
    return "csc" if formats == {"csc"} and len(grid) == 1 else "coo"


def _extents(function: str, lines: list[list[Any]], axis: int) -> list[int]:
    """The extent along the axis of each line's blocks."""
    result = []
    for i, line in enumerate(lines):
        found = {block.shape[axis] for block in line if block is not None}
        if len(found) != 1:
            name = ("row", "column")[axis]
            reason = f"blocks of extents {sorted(found)}" if found else "no block but None"
            raise InvalidValueError(
                function, f"{name} {i} of blocks has {reason}; it needs one extent"
            )
        result.append(found.pop())
    return result


def _joined(
    function: str, parts: list[tuple[Any, int, int]], height: int, width: int, dtype: Any
) -> Coordinates:
    if not parts:
        raise InvalidTypeError(function, "all blocks are None")
    kind = result_type(*(part.data for part, _, _ in parts))
    if dtype is not None:
        kind = h.dtype_argument(dtype)
    t = _rows.index_dtype(height, width)
    data, row, column = [], [], []
    for part, top, left in parts:
        c = part._coordinates()
        data.append(astype(c.data, kind, copy=False))
        row.append(astype(c.row, t) + top)
        column.append(astype(c.column, t) + left)
    return Coordinates(h.concat(data), h.concat(row), h.concat(column), height, width)


check_functions(globals(), __all__)
