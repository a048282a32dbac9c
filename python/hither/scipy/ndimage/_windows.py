"""Sums, minima and maxima of all windows of a size, in a number of steps that is its logarithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._hither import Array

__all__: list[str] = []

_DIRECT = 16  # windows of so many elements are combined in one kernel


def combined(
    operation: Callable[[Array, Array], Array], block: Array, axis: int, size: int
) -> Array:
    """operation() of the elements of each window of a block; the operation is associative."""
    outputs = block.shape[axis] - size + 1

    def view(x: Array, start: int, count: int) -> Array:
        key: tuple[Any, ...] = (slice(None),) * axis + (slice(start, start + count),)
        return x[key]

    if size <= _DIRECT:
        result = view(block, 0, outputs)
        for k in range(1, size):
            result = operation(result, view(block, k, outputs))
        return result
    # `powers` has the windows of `length` elements, a power of two, and the result those of the
    # lower bits of the size, which begin at the same element.
    powers, length, done = block, 1, 0
    total: Array | None = None
    rest = size
    while True:
        if rest & 1:
            piece = view(powers, done, outputs)
            total = piece if total is None else operation(total, piece)
            done += length
        rest >>= 1
        if not rest:
            break
        count = powers.shape[axis] - length
        powers = operation(view(powers, 0, count), view(powers, length, count))
        powers.evaluate()  # else each use would compute it again
        length *= 2
    assert total is not None
    return total
