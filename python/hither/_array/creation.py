"""Creation functions that are composed of others. They are lazy and fuse with their readers."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from .._checked_call import check_calls
from .._hither import (
    Array,
    asarray,
    astype,
    broadcast_shapes,
    broadcast_to,
    copy,
    dtype_argument,
    empty,
    empty_like,
    expand_dims,
    floor,
    from_dlpack,
    full,
    full_like,
    iota,
    on_queue,
    ones,
    ones_like,
    where,
    zeros,
    zeros_like,
)
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError, ScalarOverflowError

__all__ = [
    "arange",
    "asarray",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "linspace",
    "meshgrid",
    "ones",
    "ones_like",
    "tril",
    "triu",
    "zeros",
    "zeros_like",
]


_SMALL = 2**62  # sums and differences of such integers are int64s


def _number(value: Any, name: str) -> Any:
    if isinstance(value, (int, float, complex)):
        return value
    if isinstance(value, (Array, np.generic)):
        return value.item()
    raise InvalidTypeError(name, f"it is {a_type(value)}, not a number; pass a number")


def _count(start: Any, stop: Any, step: Any) -> int:
    """The number of elements of arange(start, stop, step)."""
    for value, name in ((start, "start"), (stop, "stop"), (step, "step")):
        if isinstance(value, complex):
            raise InvalidTypeError("arange", f"{name} is complex; it must be a real number")
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidValueError("arange", f"{name} is {value}; it must be a finite number")
    if step == 0:
        raise InvalidValueError("arange", "step is 0; it must be positive or negative")
    if all(isinstance(v, int) for v in (start, stop, step)):
        count = -((start - stop) // step)
    else:
        count = math.ceil((stop - start) / step)
    if count >= 2**63:
        raise InvalidValueError("arange", f"{count} elements are more than an array can have")
    return max(0, count)


@functools.cache
def _limits(dtype: np.dtype) -> tuple[int, int]:
    limits = np.iinfo(dtype)
    return limits.min, limits.max


def _check_range(first: Any, last: Any, dtype: np.dtype) -> None:
    """Checks that the numbers from first to last are in the range of dtype."""
    least, largest = _limits(dtype)
    for value in (first, last):
        if not least <= int(value) <= largest:
            raise ScalarOverflowError("arange", f"{value} does not fit {dtype.name}")


def are_small_integers(start: Any, stop: Any, step: Any) -> bool:
    """Whether arange() of these numbers is a range of int64 that needs no check."""
    return (
        type(start) is type(stop) is type(step) is int
        and -_SMALL < start < _SMALL
        and -_SMALL < stop < _SMALL
        and step != 0
    )


def arange(
    start: Any,
    /,
    stop: Any = None,
    step: Any = 1,
    dtype: Any = None,
    *,
    device: Any = None,
    queue: Any = None,
    sycl_queue: Any = None,
    usm_type: Any = None,
) -> Array:
    """Numbers from `start` up to but not including `stop`, with step `step`. With one argument,
    that is `stop`, and `start` is 0.

    The default dtype is int64 if all are ints, else float64. Raises OverflowError if an integer
    dtype cannot represent one of them.
    """
    if stop is None:
        start, stop = 0, start
    where_ = {"device": device, "queue": queue, "sycl_queue": sycl_queue, "usm_type": usm_type}
    if dtype is None and are_small_integers(start, stop, step):
        return iota(max(0, -((start - stop) // step)), start, step, np.int64, **where_)
    start, stop, step = _number(start, "start"), _number(stop, "stop"), _number(step, "step")
    count = _count(start, stop, step)
    integers = all(isinstance(v, int) for v in (start, stop, step))
    if dtype is None:
        dtype = np.int64 if integers else np.float64
    wanted = dtype_argument(dtype)
    if wanted.kind in "iu" and count > 0:
        _check_range(start, start + (count - 1) * step, wanted)
    if not integers and wanted.kind in "iu":
        return astype(iota(count, start, step, np.float64, **where_), dtype)
    return iota(count, start, step, dtype, **where_)


def linspace(
    start: Any,
    stop: Any,
    /,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    *,
    device: Any = None,
    queue: Any = None,
    sycl_queue: Any = None,
    usm_type: Any = None,
) -> Any:
    """`num` evenly spaced numbers from `start` to `stop`, which is excluded with endpoint=False.

    The default dtype is float64, or complex128 for complex bounds. For an integer dtype the numbers
    are rounded down. With retstep=True the result is a tuple of the array and the step.
    """
    if num < 0:
        raise InvalidValueError("linspace", f"num is {num}; it must not be negative")
    start, stop = _number(start, "start"), _number(stop, "stop")
    is_complex = isinstance(start, complex) or isinstance(stop, complex)
    wide = np.complex128 if is_complex else np.float64
    wanted = dtype_argument(wide if dtype is None else dtype)
    to_number = complex if is_complex else float
    start, stop = to_number(start), to_number(stop)
    intervals = num - 1 if endpoint else num
    step = (stop - start) / intervals if intervals > 0 else to_number(math.nan)
    where_ = {"device": device, "queue": queue, "sycl_queue": sycl_queue, "usm_type": usm_type}
    if step == 0 != stop - start:  # the step is below the least number
        values = iota(num, 0, 1, wide, **where_) / intervals * (stop - start) + start
    else:
        values = _evenly_spaced(num, start, 0 if intervals <= 0 else step, wide, where_)
    if endpoint and num > 1:
        values = where(iota(num, 0, 1, np.int64, **where_) == num - 1, stop, values)
    if wanted.kind in "iu" and not is_complex:
        values = floor(values)
    values = astype(values, wanted, copy=False)
    return (values, step) if retstep else values


def _evenly_spaced(count: int, start: Any, step: Any, dtype: Any, where_: dict[str, Any]) -> Array:
    if isinstance(start, complex):
        return iota(count, 0, 1, dtype, **where_) * step + start
    return iota(count, start, step, dtype, **where_)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    k: int = 0,
    dtype: Any = None,
    *,
    device: Any = None,
    queue: Any = None,
    sycl_queue: Any = None,
    usm_type: Any = None,
) -> Array:
    """Ones on the k-th diagonal and zeros elsewhere. The default dtype is float64."""
    n_cols = n_rows if n_cols is None else n_cols
    where_ = {"device": device, "queue": queue, "sycl_queue": sycl_queue, "usm_type": usm_type}
    k = max(-n_rows, min(k, n_cols))  # outside this interval there is no diagonal
    rows = expand_dims(iota(n_rows, k, 1, np.int64, **where_), 1)
    columns = iota(n_cols, 0, 1, np.int64, **where_)
    return astype(rows == columns, np.float64 if dtype is None else dtype)


def _below(x: Array, k: Any, name: str, offset: int = 0) -> Array:
    """Where the elements are on the diagonal k + offset or below it."""
    try:
        k = operator.index(k) + offset
    except TypeError:
        raise InvalidTypeError(name, f"k is of type {type(k).__name__}; pass an int") from None
    if x.ndim < 2:
        raise ValueError(f"{name}: x has {x.ndim} dimensions, at least 2 are needed")
    where_: dict[str, Any] = {"queue": x.queue, "usm_type": x.usm_type}
    k = max(-x.shape[-2] - 1, min(k, x.shape[-1]))  # larger values have the same effect
    rows = expand_dims(iota(x.shape[-2], k, 1, np.int64, **where_), 1)
    return iota(x.shape[-1], 0, 1, np.int64, **where_) <= rows


def tril(x: Array, /, k: int = 0, *, queue: Any = None) -> Array:
    """x with zeros above the k-th diagonal of its last two axes."""
    x = on_queue(x, queue, "tril")
    return where(_below(x, k, "tril"), x, False)


def triu(x: Array, /, k: int = 0, *, queue: Any = None) -> Array:
    """x with zeros below the k-th diagonal of its last two axes."""
    x = on_queue(x, queue, "triu")
    return where(_below(x, k, "triu", -1), False, x)


def meshgrid(*arrays: Array, indexing: str = "xy", queue: Any = None) -> tuple[Array, ...]:
    """An array of coordinates for each of the one-dimensional `arrays`.

    With indexing="ij", axis i corresponds to array i. With "xy" the first two axes are exchanged.
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f'meshgrid: indexing={indexing!r} is neither "xy" nor "ij"')
    if any(x.ndim > 1 for x in arrays):
        raise ValueError("meshgrid: the arrays must have one dimension")
    arrays = tuple(on_queue(x, queue, "meshgrid") for x in arrays)
    swap = indexing == "xy" and len(arrays) > 1
    places = [1, 0, *range(2, len(arrays))] if swap else list(range(len(arrays)))
    spread = []
    for x, place in zip(arrays, places, strict=True):
        row = expand_dims(x, 0) if x.ndim == 0 else x
        axes = tuple(axis for axis in range(len(arrays)) if axis != place)
        spread.append(expand_dims(row, axes) if axes else row)
    shape = broadcast_shapes(*(x.shape for x in spread))
    return tuple(copy(broadcast_to(x, shape)) for x in spread)


check_calls(globals(), __all__)
