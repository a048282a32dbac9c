"""Sorting and selection along an axis. ``sort`` and ``argsort`` are written in C++."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._hither import Array, argsort, iota, reshape, sort, take_in_range
from ..errors import AxisError, InvalidTypeError, InvalidValueError

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = ["argpartition", "argsort", "lexsort", "partition", "sort", "top_k"]


class TopKResult(NamedTuple):
    """The result of top_k()."""

    values: Array
    indices: Array


def placed(function: str, *arrays: Any, queue: Queue | None = None) -> tuple[Array, ...]:
    """The arrays on the queue of the call. Raises PlacementError or InvalidTypeError."""
    from .._libraries.host_call import place

    return place(function, arrays, queue)[2]


def normalized_axis(function: str, axis: int, dimensions: int) -> int:
    """The axis, counted from the front. Raises AxisError."""
    axis = operator.index(axis)
    if not -dimensions <= axis < dimensions:
        raise AxisError(
            function, f"axis {axis} is out of range for an array of {dimensions} dimensions"
        )
    return axis % dimensions


def along_axis(x: Array, indices: Array, axis: int = -1) -> Array:
    """take_along_axis() of indices that are in range, which is not checked."""
    axis %= x.ndim
    if x.ndim == 1:
        return take_in_range(x, indices)

    def line(count: int, step: int, shape: tuple[int, ...]) -> Array:
        numbers = iota(count, 0, step, np.int64, queue=x.queue, usm_type=x.usm_type)
        return reshape(numbers, shape)

    before, after = x.shape[:axis], x.shape[axis + 1 :]
    inner = math.prod(after)
    starts = line(math.prod(before), x.shape[axis] * inner, (*before, 1, *(1 for _ in after)))
    if inner != 1:
        starts, indices = starts + line(inner, 1, after), indices * inner
    return take_in_range(reshape(x, (-1,)), starts + indices)


def _part(x: Array, axis: int, first: int, end: int) -> Array:
    return x[(slice(None),) * axis + (slice(first, end),)]


def top_k(
    x: Any, k: int, /, *, axis: int = -1, mode: str = "largest", queue: Queue | None = None
) -> TopKResult:
    """The k largest or smallest elements along an axis, and their indices.

    Parameters
    ----------
    x : Array
        An array with one dimension or more.
    k : int
        The number of elements; at most x's extent along the axis.
    axis : int
        The axis; negative ones count from the end.
    mode : {"largest", "smallest"}
        Which elements are returned.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    values, indices : Array
        The elements, best first, and their int64 indices. Of equal elements, those that come first
        in x are returned first. NaNs are returned after all other elements.

    Raises
    ------
    InvalidValueError
        If ``k`` is not from 0 to the extent along the axis, or ``mode`` has another value.
    AxisError
        If x does not have this axis.

    Examples
    --------
    >>> ht.top_k(ht.asarray([3, 1, 2], device="native_cpu"), 2).indices
    Array([0, 2])
    """
    if mode not in ("largest", "smallest"):
        raise InvalidValueError("top_k", f'mode is {mode!r}; it is "largest" or "smallest"')
    (x,) = placed("top_k", x, queue=queue)
    axis = normalized_axis("top_k", axis, x.ndim)
    if not 0 <= k <= x.shape[axis]:
        raise InvalidValueError(
            "top_k", f"k is {k}; axis {axis} has {x.shape[axis]} elements to choose from"
        )
    order = argsort(x, axis=axis, descending=mode == "largest")
    indices = _part(order, axis, 0, k)
    return TopKResult(along_axis(x, indices, axis), indices)


def _check_places(function: str, kth: int | Sequence[int], length: int) -> None:
    for place in kth if isinstance(kth, Sequence) else (kth,):
        try:
            place = operator.index(place)
        except TypeError:
            raise InvalidTypeError(
                function, f"kth has type {type(place).__name__}; it is an integer, or several"
            ) from None
        if not -length <= place < length:
            raise InvalidValueError(
                function, f"kth is {place}; the axis has {length} elements, counted from 0"
            )


def partition(
    x: Any, kth: int | Sequence[int], /, *, axis: int = -1, queue: Queue | None = None
) -> Array:
    """The elements along an axis, with those at the places ``kth`` where a sort puts them.

    Smaller elements are before each of these places, and larger ones after it.

    Parameters
    ----------
    x : Array
        An array with one dimension or more.
    kth : int or sequence of ints
        Places along the axis; negative ones count from the end.
    axis : int
        The axis; negative ones count from the end.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        An array of x's shape and dtype. All of it is sorted, which programs should not rely on.

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidValueError
        If ``kth`` is out of range, or ``queue`` names no device.

    Examples
    --------
    >>> ht.partition(ht.asarray([3, 1, 2], device="native_cpu"), 1)
    Array([1, 2, 3])
    """
    (x,) = placed("partition", x, queue=queue)
    _check_places("partition", kth, x.shape[normalized_axis("partition", axis, x.ndim)])
    return sort(x, axis=axis)


def argpartition(
    x: Any, kth: int | Sequence[int], /, *, axis: int = -1, queue: Queue | None = None
) -> Array:
    """The indices along an axis that give the elements in the order of partition().

    Parameters
    ----------
    x : Array
        An array with one dimension or more.
    kth : int or sequence of ints
        Places along the axis; negative ones count from the end.
    axis : int
        The axis; negative ones count from the end.
    queue : Queue, optional
        Runs there instead of on the queue of x.

    Returns
    -------
    Array
        int64 indices of x's shape.

    Raises
    ------
    AxisError
        If the axis is out of range.
    InvalidValueError
        If ``kth`` is out of range, or ``queue`` names no device.

    Examples
    --------
    >>> ht.argpartition(ht.asarray([3, 1, 2], device="native_cpu"), 1)
    Array([1, 2, 0])
    """
    (x,) = placed("argpartition", x, queue=queue)
    _check_places("argpartition", kth, x.shape[normalized_axis("argpartition", axis, x.ndim)])
    return argsort(x, axis=axis)


def lexsort(keys: Any, /, *, axis: int = -1, queue: Queue | None = None) -> Array:
    """The indices that sort by several keys. The last key is the first to be compared.

    Parameters
    ----------
    keys : Array or sequence of Arrays
        The keys have one shape. An array is a sequence of keys along its first axis.
    axis : int
        The axis of each key; negative ones count from the end.
    queue : Queue, optional
        Runs there instead of on the queue of the keys.

    Returns
    -------
    Array
        int64 indices of the shape of a key. The sort is stable.

    Raises
    ------
    InvalidValueError
        If there is no key, or the keys have different shapes.
    AxisError
        If a key does not have this axis.

    Examples
    --------
    >>> names, ages = ht.asarray([[2, 1, 1], [30, 30, 20]], device="native_cpu")
    >>> ht.lexsort((names, ages))
    Array([2, 1, 0])
    """
    parts = placed("lexsort", *keys, queue=queue) if len(keys) else ()
    if not parts:
        raise InvalidValueError("lexsort", "keys is empty; it needs at least one key")
    if any(key.shape != parts[0].shape for key in parts):
        shapes = ", ".join(str(key.shape) for key in parts)
        raise InvalidValueError("lexsort", f"the keys have the shapes {shapes}; they must be equal")
    axis = normalized_axis("lexsort", axis, parts[0].ndim)
    order = argsort(parts[0], axis=axis)
    for key in parts[1:]:
        order = along_axis(order, argsort(along_axis(key, order, axis), axis=axis), axis)
    return order
