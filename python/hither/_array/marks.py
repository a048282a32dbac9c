"""Integers of a short interval, found by marks in a table."""

from __future__ import annotations

from .._hither import (
    Array,
    astype,
    cumulative_sum,
    iota,
    occurrences,
    reshape,
    stack,
    take_in_range,
)
from .._hither import max as max_of
from .._hither import min as min_of

# Numbers of elements from which on marking the integers that occur takes less time than a sort.
_WORTH_MARKS, _WORTH_MARKS_ON_GPU = 16384, 2**21
_SAMPLE = 64


def limits_of(flat: Array) -> tuple[int, int] | None:
    """The least and the greatest of integers if they are marked faster than sorted, else None.
    It waits for the elements."""
    if flat.size < (_WORTH_MARKS_ON_GPU if flat.device.device_type == "gpu" else _WORTH_MARKS):
        return None
    # A few elements show that most long intervals are long.
    few = flat[:: flat.size // _SAMPLE].tolist()
    if max(few) - min(few) >= flat.size:
        return None
    low, high = stack([min_of(flat), max_of(flat)]).tolist()
    is_short = high - low < flat.size and -(2**63) <= low <= high < 2**63
    return (low, high) if is_short else None


def marked(x: Array, low: int, high: int) -> tuple[Array, Array]:
    """The different elements of integers between two limits, and the index of each element among
    them, without a sort."""
    flat = reshape(x, (-1,))
    marks = occurrences(flat, low, high - low + 1)
    every = iota(high - low + 1, low, 1, dtype=x.dtype, queue=x.queue, usm_type=x.usm_type)
    numbers = cumulative_sum(marks, dtype="int64") - 1
    # The offsets of narrow integers would overflow.
    offsets = astype(flat, "int64", copy=False) - low
    return every[marks], reshape(take_in_range(numbers, offsets), x.shape)
