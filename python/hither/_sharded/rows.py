"""The rows of sharded arrays: blocks, and the movement of rows between the parts of a mesh.

A row is an index of the sharded axis. Part i of an array has the rows from bounds[i] to
bounds[i + 1], in one or more pieces: hither's arrays that follow each other along the axis.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from .. import _hither as h
from .._hither import Array, Queue
from .mesh import Mesh

__all__: list[str] = []

Pieces = list[list[Array]]
Lengths = tuple[tuple[int, ...], ...]  # the rows of each piece of each part

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


def lengths_of(pieces: Pieces, axis: int) -> Lengths:
    """The rows of pieces."""
    return tuple([tuple([piece.shape[axis] for piece in part]) for part in pieces])


# What follows from numbers of rows alone is kept: a program repeats its operations, and finding the
# pieces anew takes longer than submitting work.
_kept = lru_cache(maxsize=4096)


@_kept
def bounds_of(lengths: Lengths) -> tuple[int, ...]:
    """The bounds of the parts that have these pieces."""
    return (0, *accumulate(map(sum, lengths)))


@_kept
def places_of(lengths: Lengths, start: int, stop: int) -> tuple[tuple[int, int, int, int], ...]:
    """Where the rows from start to stop are: part, piece, and the rows of the piece. At least one
    place, which may be empty."""
    bounds = bounds_of(lengths)
    found = []
    part = min(max(bisect_right(bounds, start) - 1, 0), len(lengths) - 1)
    while start < stop and part < len(lengths) and bounds[part] < stop:
        first = bounds[part]
        for k, length in enumerate(lengths[part]):
            low, high = max(start - first, 0), min(stop - first, length)
            if low < high:
                found.append((part, k, low, high))
            first += length
        part += 1
    return tuple(found) or ((0, 0, 0, 0),)


@_kept
def ranges_of(
    operands: tuple[Lengths, ...], start: int, stop: int
) -> tuple[tuple[tuple[int, int, int], ...], ...]:
    """The ranges of rows between start and stop in which each operand has one piece. For each
    operand of a range: the number of the piece, among those of `places_of`, and its rows."""
    sizes = [[high - low for _, _, low, high in places_of(x, start, stop)] for x in operands]
    ends = sorted({0, *(end for size in sizes for end in accumulate(size))})
    return tuple(
        tuple(_piece_with(size, low, high) for size in sizes)
        for low, high in list(pairwise(ends)) or [(0, 0)]
    )


@_kept
def stepped_places(
    lengths: Lengths, start: int, stop: int, step: int
) -> tuple[tuple[tuple[int, slice], ...], ...]:
    """The rows of a slice with a positive step: for each part its pieces, and the rows of each. A
    part without rows has none of its first piece."""
    parts, first = [], 0
    for part in lengths:
        found = []
        for k, length in enumerate(part):
            low = max(start, start + -(-(first - start) // step) * step)
            if low < min(stop, first + length):
                high = min(stop - first, length)
                whole = low == first and high == length and step == 1
                found.append((k, slice(None) if whole else slice(low - first, high, step)))
            first += length
        parts.append(tuple(found) or ((0, slice(0, 0)),))
    return tuple(parts)


@_kept
def common_ranges(
    x: tuple[int, ...], y: tuple[int, ...]
) -> tuple[tuple[int, int, int, int, int, int], ...]:
    """The ranges of rows of a part that are in one piece of x, and in one of y: the number of the
    piece and its rows, for x and for y."""
    found, first = [], 0
    for k, length in enumerate(x):
        low = 0
        for m, size in enumerate(y):
            a, b = max(first, low), min(first + length, low + size)
            if a < b:
                found.append((k, a - first, b - first, m, a - low, b - low))
            low += size
        first += length
    return tuple(found)


def _piece_with(sizes: list[int], start: int, stop: int) -> tuple[int, int, int]:
    """The piece that has the rows from start to stop, and its rows."""
    first = 0
    for k, size in enumerate(sizes):
        if start < first + size or start == stop:
            return k, start - first, stop - first
        first += size
    raise AssertionError("the rows are in no piece")


@_kept
def middle_bounds(operands: tuple[Lengths, ...]) -> tuple[int, ...]:
    """The bounds in the middle of those of operands. The middle of x[:-2] and x[2:] is that of
    x[1:-1], so that the result of a stencil is where its rows are."""
    bounds = map(bounds_of, operands)
    return tuple((min(k) + max(k)) // 2 for k in zip(*bounds, strict=True))


class Place(NamedTuple):
    """Rows of a piece of a part."""

    part: int
    piece: int
    key: tuple[slice, ...] | None  # the index that selects the rows; None for all

    def of(self, pieces: Pieces, part: int, queue: Queue) -> Array:
        """The rows on the queue of a part."""
        found = pieces[self.part][self.piece]
        if self.key is not None:
            found = found[self.key]
        return found if self.part == part else moved(found, queue)


class Plan(NamedTuple):
    """How a function of each element runs on operands with the same rows."""

    parts: tuple[tuple[tuple[Place, ...], ...], ...]  # ranges of a part, and a place per operand
    lengths: Lengths  # of the result
    is_plain: bool  # each part of each operand is one piece, with the rows of the result


@_kept
def plan_of(operands: tuple[Lengths, ...], axis: int) -> Plan:
    """The ranges of rows of each part of the result in which every operand has one piece."""
    bounds = middle_bounds(operands)
    parts, lengths = [], []
    for start, stop in pairwise(bounds):
        held = [places_of(x, start, stop) for x in operands]
        ranges = ranges_of(operands, start, stop)
        parts.append(
            tuple(
                tuple(
                    _place(x, held[i][k], axis, low, high)
                    for i, (x, (k, low, high)) in enumerate(zip(operands, places, strict=True))
                )
                for places in ranges
            )
        )
        lengths.append(tuple(places[0][2] - places[0][1] for places in ranges))
    plain = len(set(operands)) == 1 and all(len(part) == 1 for part in operands[0])
    return Plan(tuple(parts), tuple(lengths), plain)


def _place(
    lengths: Lengths, held: tuple[int, int, int, int], axis: int, low: int, high: int
) -> Place:
    """The rows from low to high of those that are held."""
    part, k, first, _ = held
    low, high = first + low, first + high
    whole = low == 0 and high == lengths[part][k]
    return Place(part, k, None if whole else (slice(None),) * axis + (slice(low, high),))


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

    __slots__ = ("axis", "lengths", "pieces")

    def __init__(self, pieces: Pieces, axis: int, lengths: Lengths) -> None:
        self.pieces, self.axis, self.lengths = pieces, axis, lengths

    @property
    def bounds(self) -> tuple[int, ...]:
        """The number of the first row of each part, and that of all rows."""
        return bounds_of(self.lengths)

    def between(self, start: int, stop: int, queue: Queue, own: int = -1) -> list[Array]:
        """The rows from start to stop on a queue, that of the part `own`; at least one piece, which
        may be empty. Rows of other devices are copied, without waiting."""
        if own >= 0 and self.bounds[own : own + 2] == (start, stop):
            return self.pieces[own]
        found = []
        for part, k, low, high in places_of(self.lengths, start, stop):
            piece = cut(self.pieces[part][k], self.axis, low, high)
            found.append(piece if part == own else moved(piece, queue))
        return found

    def aligned(self, bounds: tuple[int, ...], mesh: Mesh) -> Pieces:
        """The pieces of parts with these bounds. Only rows that change their part move."""
        if bounds == self.bounds:
            return self.pieces
        ends = enumerate(zip(bounds[:-1], bounds[1:], mesh, strict=True))
        return [self.between(start, stop, queue, own) for own, (start, stop, queue) in ends]


def joined(pieces: Sequence[Array], axis: int) -> Array:
    """One array of the pieces of a part."""
    if len(pieces) == 1:
        return pieces[0]
    filled = [piece for piece in pieces if piece.shape[axis] > 0] or [pieces[0]]
    return filled[0] if len(filled) == 1 else h.concat(filled, axis=axis)


def is_same_place(x: Any, mesh: Mesh) -> bool:
    """Whether an array is on one of the queues of a mesh."""
    return any(x.queue.equivalent(queue) for queue in mesh)
