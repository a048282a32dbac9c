"""Numbers for the slices of an array, in the order of the slices: for unique(axis=)."""

from __future__ import annotations

import math

from .._hither import (
    Array,
    any,
    argsort,
    astype,
    concat,
    cumulative_sum,
    imag,
    isnan,
    moveaxis,
    not_equal,
    ones_like,
    real,
    reshape,
    where,
    zeros,
)
from .dtypes import kind_of
from .sorting import along_axis

__all__: list[str] = []


def slice_numbers(x: Array, axis: int) -> Array:
    """For each index along the axis, an int64 from 0 on. Slices are ordered by their elements in C
    order, as their numbers are, and equal slices have one number. NaNs have one place in the order,
    but slices with a NaN are not equal.

    Columns are replaced by the numbers of their elements, and pairs of columns by the numbers of
    their pairs, until one column is left. All columns of a step are sorted together.
    """
    count = x.shape[axis]
    rows = moveaxis(x, axis, -1)
    elements = reshape(rows, (math.prod(rows.shape[:-1]), count))
    columns = _numbered(elements)
    while columns.shape[0] > 1:
        paired = columns.shape[0] // 2 * 2
        pairs = _numbered(columns[0:paired:2] * count + columns[1:paired:2])
        columns = concat([pairs, columns[paired:]]) if paired < columns.shape[0] else pairs
    if kind_of(x.dtype) in "fc":
        index = cumulative_sum(ones_like(columns), axis=1)
        alone = any(isnan(elements), axis=0, keepdims=True)
        columns = _numbered(columns * (count + 1) + where(alone, index, 0))
    return reshape(columns, (count,))


def _differ(a: Array, b: Array) -> Array:
    """Whether elements differ; NaNs do not."""
    if kind_of(a.dtype) == "c":
        return _differ(real(a), real(b)) | _differ(imag(a), imag(b))
    unequal = not_equal(a, b)
    return unequal & ~(isnan(a) & isnan(b)) if kind_of(a.dtype) == "f" else unequal


def _numbered(keys: Array) -> Array:
    """The number of each element among the different elements of its row, in ascending order."""
    order = argsort(keys, axis=-1)
    ordered = along_axis(keys, order)
    differs = astype(_differ(ordered[:, 1:], ordered[:, :-1]), order.dtype)
    start = zeros((keys.shape[0], 1), dtype=order.dtype, queue=keys.queue, usm_type=keys.usm_type)
    number = cumulative_sum(concat([start, differs], axis=1), axis=1)
    return along_axis(number, argsort(order, axis=-1))
