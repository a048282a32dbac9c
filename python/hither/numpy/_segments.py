"""Combinations of elements by number: ufunc.at, ufunc.reduceat, and the counts of histograms.

Elements with one number are combined in an order that depends on the sizes alone, never by atomic
updates, so that a device gives the same bits each time. CPUs write to tables, one for each chunk of
the elements, and then reduce the tables. GPUs sort by the numbers, and reduce segments.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither as h
from .._array.array_utils import normalize_axis_index
from .._array.host_fallback import run_on_host
from .._compile.traced_number import untraced
from .._hither import Array, astype
from ..errors import InvalidTypeError, InvalidValueError, OutOfRangeError
from ._arguments import dtype_of
from ._placement import NUMBERS, as_array, deliver, place_like

if TYPE_CHECKING:
    from ._ufunc import ufunc

__all__: list[str] = []

# The reduction that combines elements as a function does.
COMBINATIONS = {
    "add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max", "logical_or": "any",
    "logical_and": "all",
}  # fmt: skip
# Of bools, sums and products are logical functions.
_OF_BOOLS = {"sum": "any", "prod": "all"}
# A work-item combines up to this number of elements one after another.
_PIECE = 512
_MOST_CHUNKS = 64
_WORTH_CHUNKS = 1 << 14
# GPUs compare all elements with each number where there are at most so many numbers.
_FEW_NUMBERS = 64


def sorts_numbers(x: Array) -> bool:
    """Whether the device has too many work-items for a table each, so that it sorts instead."""
    return x.device.device_type == "gpu"


def reduced_segments(
    x: Array, begins: Array, ends: Array, reduction: str, longest: int, total: int,
    dtype: Any = None,
) -> Array:  # fmt: skip
    """The reductions of x[begins[s]:ends[s]]. `longest` bounds the lengths of the segments, and
    `total` their sum.

    Long segments are divided into pieces, whose results are reduced again.
    """
    if longest <= 8 * _PIECE:
        return h.segment_reduce(x, begins, ends, reduction, dtype)
    pieces = (h.maximum(ends - begins, 0) + (_PIECE - 1)) // _PIECE
    limits = h.cumulative_sum(pieces, axis=0, include_initial=True)
    first, last = limits[:-1], limits[1:]
    count = total // _PIECE + begins.size
    number = h.iota(count, 0, 1, np.int64, **place_like(x))
    # Pieces behind those of the last segment begin behind its end: they are empty.
    segment = h.searchsorted(limits[1:-1], number, side="right")
    begin = h.take_in_range(begins - first * _PIECE, segment) + number * _PIECE
    end = h.minimum(begin + _PIECE, h.take_in_range(ends, segment))
    partial = h.segment_reduce(x, begin, end, reduction, dtype)
    return reduced_segments(partial, first, last, reduction, -(-longest // _PIECE), count)


def tallied(numbers: Array, values: Any, count: int) -> Array:
    """For each of the numbers 0 to count - 1, how often it occurs, or the sum of its values.

    The numbers are a vector and are not checked. Counts are int64; sums have the values' dtype.
    """
    kind = values.dtype if isinstance(values, Array) else np.dtype(np.int64)
    if count == 0 or numbers.size == 0:
        return h.zeros((count,), kind, **place_like(numbers))
    if sorts_numbers(numbers):
        return _tallied_by_sort(numbers, values, count)
    return _tallied_in_tables(numbers, 1 if values is None else values, count, kind)


def _tallied_in_tables(numbers: Array, values: Any, count: int, kind: Any) -> Array:
    size = numbers.size
    # The tables of more chunks would take a large part of the time.
    chunks = max(1, min(_MOST_CHUNKS, size // (4 * count))) if size >= _WORTH_CHUNKS else 1
    tables = h.zeros((chunks, count), kind, **place_like(numbers))
    whole = size // chunks * chunks
    for rows, begin, end in ((chunks, 0, whole), (1, whole, size)):
        if begin < end:
            keys, given = (_rows_of(x, rows, begin, end) for x in (numbers, values))
            h.scatter_rows(tables[:rows], keys, given, "sum")
    return h.reshape(tables, (count,)) if chunks == 1 else h.sum(tables, axis=0, dtype=kind)


def _rows_of(x: Any, rows: int, begin: int, end: int) -> Any:
    if not isinstance(x, Array):
        return x
    return h.reshape(x if end - begin == x.size else x[begin:end], (rows, -1))


def _tallied_by_sort(numbers: Array, values: Any, count: int) -> Array:
    # The time of a sort is that of the bytes of a key.
    keys = astype(numbers, np.min_scalar_type(count), copy=False)
    if values is None and count <= _FEW_NUMBERS:
        every = h.expand_dims(h.iota(count, 0, 1, keys.dtype, **place_like(keys)), 1)
        return h.sum(keys == every, axis=1, dtype=np.int64)
    if values is None:
        return h.diff(_limits(h.sort(keys), count))
    order = h.argsort(keys)
    limits = _limits(h.take_in_range(keys, order), count)
    moved = h.take_in_range(values, order)
    return reduced_segments(moved, limits[:-1], limits[1:], "sum", numbers.size, numbers.size)


def _limits(ordered: Array, count: int) -> Array:
    """Where each of the numbers 0 to `count`, which is not less than any, begins."""
    return h.searchsorted(ordered, h.iota(count + 1, 0, 1, ordered.dtype, **place_like(ordered)))


def _combination(name: str, dtype: Any) -> str | None:
    """The reduction for elements of a dtype, or None if there is none."""
    reduction = COMBINATIONS.get(name)
    if dtype.kind == "c" and reduction in ("min", "max"):
        return None
    return _OF_BOOLS.get(reduction or "", reduction) if dtype.kind == "b" else reduction


def combined_at(function: ufunc, a: Array, key: Any, b: Any) -> None:
    """function.at(a, key, b)."""
    name, b = function.__name__, untraced(b)
    if type(b) not in NUMBERS:
        b = as_array(f"{name}.at", "b", b, a.queue, a)
    kind = b.dtype if isinstance(b, Array) else np.dtype(bool) if type(b) is bool else type(b)
    # NumPy converts each result to a's dtype, whatever the kinds of the two are.
    result = function._loop((a.dtype, kind), None, None, "unsafe")[-1]
    name = "add" if name == "subtract" and a.dtype.kind != "b" else name
    kinds = a.dtype.kind + result.kind
    wraps = kinds in ("ii", "iu", "ui", "uu") and name in ("add", "multiply")
    reduction = _combination(name, a.dtype)
    logical = name.startswith("logical") and a.dtype.kind != "b"
    if reduction is None or logical or not (result == a.dtype or kinds in ("ff", "cc") or wraps):
        arguments = (a, key, b)
        run_on_host(f"{function.__name__}.at", function.numpy_ufunc.at, arguments, writes=True)
        return
    negated = name != function.__name__
    if isinstance(b, Array):
        b = astype(b, a.dtype, copy=False)
    elif negated:  # of unsigned dtypes as well
        b = h.full((), b, a.dtype, **place_like(a))
    if negated:
        b = h.negative(b)
    combine: Any = h.add if negated else function
    if sorts_numbers(a):
        _combine_by_sort(combine, a, key, b, reduction)
    elif not h.scatter_combined(a, key, b, reduction):
        a[key] = combine(a[key], b)


def _combine_by_sort(combine: Any, a: Array, key: Any, b: Any, reduction: str) -> None:
    """The same in kernels whose time does not depend on how often an index occurs."""
    numbers = h.iota(a.size, 0, 1, np.min_scalar_type(a.size), **place_like(a))
    numbers.evaluate()  # then GPUs read while they check the indices
    places = h.reshape(numbers, a.shape)[key]
    values = b if isinstance(b, Array) else h.full((), b, a.dtype, **place_like(a))
    differ = values.size > 1
    values = h.reshape(h.broadcast_to(values, places.shape), (-1,))
    places, size = h.reshape(places, (-1,)), places.size
    if size == 0:
        return
    if differ:
        order = h.argsort(places)
        places, values = (h.take_in_range(x, order) for x in (places, values))
    else:
        places = h.sort(places)
    flat = h.reshape(a, (-1,))
    if a.size <= size:  # all elements of a are stored
        limits = _limits(places, a.size)
        results = reduced_segments(values, limits[:-1], limits[1:], reduction, size, size)
        results = h.where(limits[:-1] < limits[1:], combine(flat, results), flat)
        a[...] = h.reshape(results, a.shape)
        return
    # The first of equal indices has their result, which all of them store: the number of different
    # indices is not read, so that a function with @hither.compile may do this.
    first, last = (h.searchsorted(places, places, side=side) for side in ("left", "right"))
    leads = first == h.iota(size, 0, 1, first.dtype, **place_like(a))
    results = reduced_segments(values, first, h.where(leads, last, first), reduction, size, size)
    results = h.take_in_range(results, first)
    h.put_in_range(flat, places, combine(h.take_in_range(flat, places), results))
    if not a.flags["C_CONTIGUOUS"]:  # then `flat` is a copy
        a[...] = h.reshape(flat, a.shape)


def reduced_at(function: ufunc, x: Array, indices: Any, axis: Any, dtype: Any, out: Any) -> Array:
    """function.reduceat(x, indices, axis, dtype, out)."""
    if dtype is None and isinstance(out, Array):
        dtype = out.dtype
    result = _reduced_at(function, x, indices, axis, dtype)
    if result is NotImplemented:
        name = f"{function.__name__}.reduceat"
        keywords = {"axis": axis, "dtype": dtype}
        result = run_on_host(name, function.numpy_ufunc.reduceat, (x, indices), keywords)
    return result if out is None else deliver(function.__name__, result, out, "unsafe")


def _reduced_at(function: ufunc, x: Array, indices: Any, axis: Any, dtype: Any) -> Any:
    name = f"{function.__name__}.reduceat"
    if x.ndim == 0:
        raise InvalidTypeError(name, "an array of no dimension has no axis")
    place = normalize_axis_index(axis, x.ndim, name)
    kind = _kind_of(function, x, dtype)
    reduction = None if kind is None else _combination(function.__name__, kind)
    if reduction is None or kind is None:
        return NotImplemented
    begins, ends, longest, total = _segments(name, indices, x.shape[place], x)
    rows = h.moveaxis(astype(x, kind, copy=False), place, 0)
    inner = math.prod(rows.shape[1:])
    if inner == 0 or begins.size == 0:
        result = h.zeros((begins.size, *rows.shape[1:]), kind, **place_like(x))
    else:
        result = reduced_segments(rows, begins, ends, reduction, longest, total)
    return h.copy(h.moveaxis(result, 0, place)) if place else result


def _kind_of(function: ufunc, x: Array, dtype: Any) -> Any:
    """The dtype in which elements are combined, or None if results have another one."""
    name = function.__name__
    if name.startswith("logical"):
        return np.dtype(np.bool_) if dtype is None or dtype == np.bool_ else None
    if dtype is not None:
        return dtype_of(name, dtype)
    if name in ("add", "multiply") and x.dtype.kind in "biu":
        return np.result_type(x.dtype, np.uint64 if x.dtype.kind == "u" else np.int64)
    return x.dtype


def _segments(name: str, indices: Any, extent: int, x: Array) -> tuple[Array, Array, int, int]:
    """The begins and ends of reduceat's segments, and the largest and the sum of their lengths, for
    which indices on a device are waited for."""
    on_host = not isinstance(indices, Array)
    given: Any = np.asarray(indices) if on_host else h.asarray(indices, queue=x.queue)
    if given.ndim != 1 or (given.size and given.dtype.kind not in "biu"):
        raise InvalidValueError(name, "indices must be a vector of integers")
    begins = given.astype(np.int64)
    if begins.size == 0:
        empty = h.zeros((0,), np.int64, **place_like(x))
        return empty, empty, 0, 0
    wrong = ((begins < 0) | (begins >= extent)).any()
    if bool(wrong):
        raise OutOfRangeError(name, f"indices contain numbers that are not in [0, {extent})")
    if on_host:
        following: Any = np.append(begins[1:], extent)
        ends: Any = np.where(following > begins, following, begins + 1)
    else:
        following = h.concat([begins[1:], h.full((1,), extent, np.int64, **place_like(x))])
        ends = h.where(following > begins, following, begins + 1)
    lengths = ends - begins
    longest, total = int(lengths.max()), int(lengths.sum())
    if on_host:
        begins, ends = (h.asarray(v, **place_like(x)) for v in (begins, ends))
    return begins, ends, longest, total
