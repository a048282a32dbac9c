"""The rows of sharded arrays: blocks, and the movement of rows between the parts of a mesh.

A row is an index of the sharded axis. Part i of an array has the rows from bounds[i] to
bounds[i + 1], in one or more pieces: hither's arrays that follow each other along the axis.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import Any

from .. import _hither as h
from .._hither import Array, Queue
from .mesh import Mesh

__all__: list[str] = []

Pieces = list[list[Array]]

_FEWEST_CHUNKS = 512
_LARGEST_CHUNK = 4096


def rows_of_chunk(rows: int) -> int:
    """The rows that a reduction combines first, a power of two. It depends on the whole array
    alone, and blocks are multiples of it, so that results do not depend on the number of parts."""
    chunk = 1
    while chunk < _LARGEST_CHUNK and rows // (2 * chunk) >= _FEWEST_CHUNKS:
        chunk *= 2
    return chunk


def block_of(rows: int, parts: int) -> int:
    """The rows of each part but the last ones."""
    chunk = rows_of_chunk(rows)
    return -(-rows // (parts * chunk)) * chunk


def uniform_bounds(rows: int, parts: int) -> tuple[int, ...]:
    """The bounds of equal blocks. The last parts have fewer rows, or none."""
    block = block_of(rows, parts)
    return tuple(min(rows, i * block) for i in range(parts + 1))


def middle_bounds(bounds: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The bounds in the middle of several ones. The middle of x[:-2] and x[2:] is that of
    x[1:-1], so that the result of a stencil is where its rows are."""
    return tuple((min(k) + max(k)) // 2 for k in zip(*bounds, strict=True))


def bounds_of(pieces: Pieces, axis: int) -> tuple[int, ...]:
    """The bounds of the parts that have these pieces."""
    return (0, *accumulate(sum(piece.shape[axis] for piece in part) for part in pieces))


def cut(x: Array, axis: int, start: int, stop: int) -> Array:
    """Rows of a piece, as a view."""
    if start == 0 and stop == x.shape[axis]:
        return x
    return x[(slice(None),) * axis + (slice(start, stop),)]


def moved(x: Array, queue: Queue) -> Array:
    """The array on a queue. It is the same memory if the queue has the same context."""
    return x if x.queue is queue or x.queue.equivalent(queue) else x.to_device(queue)


class Rows:
    """The rows of a sharded array, by their numbers."""

    __slots__ = ("axis", "bounds", "pieces")

    def __init__(self, pieces: Pieces, axis: int) -> None:
        self.pieces, self.axis = pieces, axis
        self.bounds = bounds_of(pieces, axis)

    def between(self, start: int, stop: int, queue: Queue) -> list[Array]:
        """The rows from start to stop on a queue; at least one piece, which may be empty. Rows of
        other devices are copied, without waiting."""
        found: list[Array] = []
        part = min(max(bisect_right(self.bounds, start) - 1, 0), len(self.pieces) - 1)
        while part < len(self.pieces) and (self.bounds[part] < stop or not found):
            first = self.bounds[part]
            for piece in self.pieces[part]:
                length = piece.shape[self.axis]
                low, high = max(start - first, 0), min(stop - first, length)
                if low < high:
                    found.append(moved(cut(piece, self.axis, low, high), queue))
                first += length
            part += 1
            if start >= stop:
                break
        if not found:
            found.append(moved(cut(self.pieces[0][0], self.axis, 0, 0), queue))
        return found

    def aligned(self, bounds: tuple[int, ...], mesh: Mesh) -> Pieces:
        """The pieces of parts with these bounds. Only rows that change their part move."""
        if bounds == self.bounds:
            return self.pieces
        ends = zip(bounds[:-1], bounds[1:], mesh, strict=True)
        return [self.between(start, stop, queue) for start, stop, queue in ends]


def joined(pieces: Sequence[Array], axis: int) -> Array:
    """One array of the pieces of a part."""
    if len(pieces) == 1:
        return pieces[0]
    filled = [piece for piece in pieces if piece.shape[axis] > 0] or [pieces[0]]
    return filled[0] if len(filled) == 1 else h.concat(filled, axis=axis)


def cuts(operands: Iterable[tuple[list[Array], int]]) -> list[tuple[int, int]]:
    """The ranges of rows of a part in which each operand, pieces and their axis, has one piece."""
    ends: set[int] = set()
    for pieces, axis in operands:
        ends.update(accumulate(piece.shape[axis] for piece in pieces))
    order = sorted(ends)
    found = list(zip([0, *order[:-1]], order, strict=True))
    return [(a, b) for a, b in found if a < b] or [(0, 0)]


def within(pieces: list[Array], axis: int, start: int, stop: int) -> Array:
    """The rows from start to stop of a part, which are in one of its pieces."""
    first = 0
    for piece in pieces:
        length = piece.shape[axis]
        if start < first + length or (start == stop and start <= first + length):
            return cut(piece, axis, start - first, stop - first)
        first += length
    raise AssertionError("the rows are in no piece")


def is_same_place(x: Any, mesh: Mesh) -> bool:
    """Whether an array is on one of the queues of a mesh."""
    return any(x.queue.equivalent(queue) for queue in mesh)
