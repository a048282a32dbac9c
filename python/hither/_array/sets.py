"""Functions of sets: unique elements, membership, unions and differences.

They sort, and their results' shapes depend on the elements, so they wait.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .._hither import (
    Array,
    argsort,
    astype,
    concat,
    cumulative_sum,
    diff,
    empty,
    equal,
    expand_dims,
    first_of_runs,
    full,
    isnan,
    logical_not,
    not_equal,
    ones,
    put_in_range,
    reshape,
    searchsorted,
    sort,
    take_in_range,
    where,
    zeros,
)
from .._hither import any as any_of
from .._hither import max as max_of
from .._hither import min as min_of
from ..errors import InvalidTypeError
from .dtypes import kind_of, result_type
from .marks import limits_of, marked
from .sorting import placed

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = [
    "intersect1d",
    "isin",
    "setdiff1d",
    "setxor1d",
    "union1d",
    "unique_all",
    "unique_counts",
    "unique_inverse",
    "unique_values",
]


class UniqueAllResult(NamedTuple):
    """The result of unique_all()."""

    values: Array
    indices: Array
    inverse_indices: Array
    counts: Array


class UniqueCountsResult(NamedTuple):
    """The result of unique_counts()."""

    values: Array
    counts: Array


class UniqueInverseResult(NamedTuple):
    """The result of unique_inverse()."""

    values: Array
    inverse_indices: Array


def _flat(x: Array) -> Array:
    return reshape(x, (-1,))


def _differs(ordered: Array, equal_nan: bool = False) -> Array:
    """A mask of the elements of a sorted 1-D array, without the first one, that differ from the
    element before them. NaNs differ from each other, unless ``equal_nan``."""
    differs = not_equal(ordered[1:], ordered[:-1])
    if equal_nan and kind_of(ordered.dtype) in "fc":
        differs = differs & logical_not(isnan(ordered[:-1]) & isnan(ordered[1:]))
    return differs


def unique_parts(
    x: Array, *, indices: bool = False, inverse: bool = False, counts: bool = False,
    equal_nan: bool = False,
) -> tuple[Array, ...]:  # fmt: skip
    """The different elements in ascending order, then what is asked for: the indices in the
    flattened x at which they occur first, the index among them of each element, their counts."""
    flat = _flat(x)
    if x.dtype.kind in "iu" and not (indices or counts) and (limits := limits_of(flat)):
        return marked(x, *limits)[: 1 + inverse]
    order = argsort(flat) if indices or inverse else None
    ordered = sort(flat) if order is None else take_in_range(flat, order)
    if x.size < 2:
        zero = zeros(x.size, dtype="int64", queue=x.queue, usm_type=x.usm_type)
        return (
            ordered,
            *[zero] * indices,
            *[reshape(zero, x.shape) + 0] * inverse,
            *[zero + 1] * counts,
        )
    differs = _differs(ordered, equal_nan)
    parts = first_of_runs(differs, [ordered] + [order] * indices + [None] * counts)
    if counts:
        end = full((1,), x.size, dtype="int64", queue=x.queue, usm_type=x.usm_type)
        parts[-1] = diff(parts[-1], append=end)
    if inverse and order is not None:
        numbers = cumulative_sum(differs, dtype=order.dtype, include_initial=True)
        of_x = empty(x.size, dtype=order.dtype, queue=x.queue, usm_type=x.usm_type)
        put_in_range(of_x, order, numbers)
        parts.insert(1 + indices, reshape(of_x, x.shape))
    return tuple(parts)


def unique_values(x: Any, /, *, queue: Queue | None = None) -> Array:
    """The different elements of an array, in ascending order.

    Parameters
    ----------
    x : Array
        An array of any shape and dtype, which is flattened.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        A 1-D array of x's dtype. Every NaN is an element of its own. -0.0 and 0.0 are equal, and
        one of them is returned.
    """
    (x,) = placed("unique_values", x, queue=queue)
    return unique_parts(x)[0]


def unique_counts(x: Any, /, *, queue: Queue | None = None) -> UniqueCountsResult:
    """The different elements of an array, and how often each occurs.

    Parameters
    ----------
    x : Array
        An array of any shape and dtype, which is flattened.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    values, counts : Array
        The elements as unique_values() gives them, and their int64 counts.
    """
    (x,) = placed("unique_counts", x, queue=queue)
    return UniqueCountsResult(*unique_parts(x, counts=True))


def unique_inverse(x: Any, /, *, queue: Queue | None = None) -> UniqueInverseResult:
    """The different elements of an array, and the indices that give the array back.

    Parameters
    ----------
    x : Array
        An array of any shape and dtype.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    values, inverse_indices : Array
        The elements as unique_values() gives them, and int64 indices of x's shape, so that
        ``values[inverse_indices]`` equals x.
    """
    (x,) = placed("unique_inverse", x, queue=queue)
    return UniqueInverseResult(*unique_parts(x, inverse=True))


def unique_all(x: Any, /, *, queue: Queue | None = None) -> UniqueAllResult:
    """The different elements of an array with their first indices, inverse indices and counts.

    Parameters
    ----------
    x : Array
        An array of any shape and dtype.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    values, indices, inverse_indices, counts : Array
        The elements as unique_values() gives them; the index in the flattened x at which each
        occurs first; int64 indices of x's shape, so that ``values[inverse_indices]`` equals x; and
        the counts of the elements.
    """
    (x,) = placed("unique_all", x, queue=queue)
    return UniqueAllResult(*unique_parts(x, indices=True, inverse=True, counts=True))


def isin(x1: Any, x2: Any, /, *, invert: bool = False, queue: Queue | None = None) -> Array:
    """Whether each element of an array is one of the elements of another.

    Parameters
    ----------
    x1 : Array or number
        The elements to look for.
    x2 : Array or number
        The elements among which they are looked for, of any shape.
    invert : bool
        Whether the result is negated.
    queue : Queue, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A bool array of x1's shape. NaN is not equal to any element. The call waits for x2 if both
        arrays hold integers or bools and are not small.
    """
    x1, x2 = _both("isin", x1, x2, queue)
    if x2.size <= 1 or x1.size == 0:
        if x2.size == 1:
            found = equal(x1, reshape(x2, ()))
        else:
            found = zeros(x1.shape, dtype=bool, queue=x1.queue, usm_type=x1.usm_type)
    else:
        found = _is_in(x1, x2)
    return logical_not(found) if invert else found


def _both(function: str, x1: Any, x2: Any, queue: Queue | None) -> tuple[Array, Array]:
    """Both arguments as arrays. A number gets the dtype that it would have in an operation."""
    numbers = [isinstance(x, (bool, int, float, complex)) for x in (x1, x2)]
    if not any(numbers):
        first, second = placed(function, x1, x2, queue=queue)
        return first, second
    if all(numbers):
        raise InvalidTypeError(function, "takes an array and an array or a number")
    (array,) = placed(function, x2 if numbers[0] else x1, queue=queue)
    number = x1 if numbers[0] else x2
    dtype = result_type(array, number)
    if dtype.kind in "iu" and not _holds(dtype, number):
        dtype = result_type(float)
    converted = full((), number, dtype=dtype, queue=array.queue, usm_type=array.usm_type)
    return (converted, array) if numbers[0] else (array, converted)


def _holds(dtype: Any, number: int) -> bool:
    bits = 8 * dtype.itemsize
    low, high = (-(1 << bits - 1), 1 << bits - 1) if dtype.kind == "i" else (0, 1 << bits)
    return low <= number < high


_FEW = 32  # elements with which each one is compared
_LARGE = 4096  # elements from which on a table is worth the wait for its bounds
_SORTED = 16  # GPUs sort x2 if x1 has as many times its elements


def sorts_others(x1: Array, x2: Array) -> bool:
    """Whether a sort of x2 is faster than a table and the wait for its bounds."""
    return x1.device.device_type == "gpu" and x1.size >= _SORTED * x2.size


def _is_in(x1: Array, x2: Array) -> Array:
    if x2.size <= _FEW:
        others = reshape(x2, (x2.size,) + (1,) * x1.ndim)
        return any_of(equal(expand_dims(x1, 0), others), axis=0)
    dtype = result_type(x1, x2)
    if x1.dtype.kind in "biu" and x2.dtype.kind in "biu" and x1.size + x2.size >= _LARGE:
        # Float64, to which int64 and uint64 promote, does not have all of their numbers.
        found = _by_table(x1, x2) if dtype.kind == "f" or not sorts_others(x1, x2) else None
        if found is not None:
            return found
    wanted = astype(x1, dtype, copy=False)
    ordered = sort(_flat(astype(x2, dtype, copy=False)))
    # The last of the elements that are not larger, or the first one.
    places = searchsorted(ordered[1:], _flat(wanted), side="right")
    return equal(reshape(take_in_range(ordered, places), x1.shape), wanted)


def _by_table(x1: Array, x2: Array) -> Array | None:
    """isin() by a table with a bool for each number from the least to the largest element of x2, or
    None if they are far apart."""
    low, high = int(min_of(x2)), int(max_of(x2))
    if x1.dtype.kind == "u":
        low = max(low, 0)  # large numbers are negative as int64
    extent = high - low + 1
    if extent > 6 * (x1.size + x2.size) or high >= 2**63:
        return None
    if extent <= 0:
        return zeros(x1.shape, dtype=bool, queue=x1.queue, usm_type=x1.usm_type)
    wide, places = astype(x1, "int64", copy=False), astype(_flat(x2), "int64", copy=False)
    table = zeros(extent + 2, dtype=bool, queue=x2.queue, usm_type=x2.usm_type)
    table[where(places >= low, places - low, extent)] = True
    inside = (wide >= low) & (wide <= high)
    index = where(inside, wide - low, extent + 1)
    return reshape(take_in_range(table, _flat(index)), x1.shape)


def distinct(x: Array) -> Array:
    """The different elements of the flattened x in ascending order; all NaNs are one element."""
    return unique_parts(x, equal_nan=True)[0]


def _two(function: str, x1: Any, x2: Any, assume_unique: bool, queue: Any) -> tuple[Array, Array]:
    first, second = placed(function, x1, x2, queue=queue)
    if assume_unique:
        return _flat(first), _flat(second)
    return distinct(first), distinct(second)


def intersect1d(
    x1: Any, x2: Any, /, *, assume_unique: bool = False, queue: Queue | None = None
) -> Array:
    """The different elements that are in both of two arrays, in ascending order.

    Parameters
    ----------
    x1, x2 : Array
        Arrays of any shape, which are flattened.
    assume_unique : bool
        The elements of each array are different, which saves time.
    queue : Queue, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A 1-D array of the dtype to which x1 and x2 promote. NaN is in no result.
    """
    first, second = _two("intersect1d", x1, x2, assume_unique, queue)
    ordered = sort(concat([first, second]))
    return ordered[:-1][equal(ordered[1:], ordered[:-1])]


def intersection_with_indices(
    x1: Array, x2: Array, assume_unique: bool
) -> tuple[Array, Array, Array]:
    """intersect1d(x1, x2), and the first indices of its elements in the flattened x1 and x2."""
    found = [
        (_flat(x), None) if assume_unique else unique_parts(x, indices=True, equal_nan=True)
        for x in (x1, x2)
    ]
    joined = concat([values for values, _ in found])
    order = argsort(joined)
    ordered = take_in_range(joined, order)
    both = equal(ordered[1:], ordered[:-1])
    places = [order[:-1][both], order[1:][both] - found[0][0].size]
    places = [
        place if index is None else take_in_range(index, place)
        for place, (_, index) in zip(places, found, strict=True)
    ]
    return ordered[:-1][both], places[0], places[1]


def union1d(x1: Any, x2: Any, /, *, queue: Queue | None = None) -> Array:
    """The different elements that are in one of two arrays or both, in ascending order.

    Parameters
    ----------
    x1, x2 : Array
        Arrays of any shape, which are flattened.
    queue : Queue, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A 1-D array of the dtype to which x1 and x2 promote. All NaNs are one element.
    """
    first, second = placed("union1d", x1, x2, queue=queue)
    return distinct(concat([_flat(first), _flat(second)]))


def setdiff1d(
    x1: Any, x2: Any, /, *, assume_unique: bool = False, queue: Queue | None = None
) -> Array:
    """The different elements of one array that are not in another.

    Parameters
    ----------
    x1, x2 : Array
        Arrays of any shape, which are flattened.
    assume_unique : bool
        The elements of each array are different, which saves time. They are then returned in x1's
        order.
    queue : Queue, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A 1-D array of x1's dtype, in ascending order.
    """
    first, second = _two("setdiff1d", x1, x2, assume_unique, queue)
    return first[isin(first, second, invert=True)]


def setxor1d(
    x1: Any, x2: Any, /, *, assume_unique: bool = False, queue: Queue | None = None
) -> Array:
    """The different elements that are in exactly one of two arrays, in ascending order.

    Parameters
    ----------
    x1, x2 : Array
        Arrays of any shape, which are flattened.
    assume_unique : bool
        The elements of each array are different, which saves time.
    queue : Queue, optional
        Runs there instead of on the queue of the arrays.

    Returns
    -------
    Array
        A 1-D array of the dtype to which x1 and x2 promote.
    """
    first, second = _two("setxor1d", x1, x2, assume_unique, queue)
    ordered = sort(concat([first, second]))
    differs = ones(ordered.size + 1, dtype=bool, queue=ordered.queue, usm_type=ordered.usm_type)
    differs[1:-1] = _differs(ordered)
    return ordered[differs[:-1] & differs[1:]]
