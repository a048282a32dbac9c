"""Elements that are added to an array or left out."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ._manipulation import _host_counts, extents_of
from ._placement import operands, place_like
from ._ufunc_methods import axes_of

__all__ = ["append", "delete", "insert", "resize", "trim_zeros"]

_FEW_INDICES = 64  # more indices to delete are marked in a mask on the device
_MOST_PIECES = 8  # more parts of an array are gathered by indices


@operands("a")
def resize(a: Any, new_shape: Any) -> Any:
    """The elements in a new shape, repeated or cut off.

    >>> import hither.numpy as np
    >>> np.resize([1, 2, 3], (2, 2)).tolist()
    [[1, 2], [3, 1]]
    """
    shape = extents_of(new_shape)
    if any(n < 0 for n in shape):
        raise ValueError(f"resize: new_shape={shape} has a negative extent")
    size = int(np.prod(shape, dtype=np.int64))
    if a.size == 0 or size == 0:
        return h.zeros(shape, a.dtype, **place_like(a))
    flat = h.reshape(a, (-1,))
    if size > a.size:
        flat = h.tile(flat, (-(-size // a.size),))
    return h.reshape(flat[:size], shape)


@operands("arr values")
def append(arr: Any, values: Any, axis: Any = None) -> Any:
    """arr with values at the end of an axis; both flattened for axis=None."""
    if axis is None:
        arr, values, axis = h.reshape(arr, (-1,)), h.reshape(values, (-1,)), 0
    return h.concat([arr, values], axis)


def _places(obj: Any, length: int) -> Any:
    """Indices along an axis as a NumPy array of non-negative numbers, and whether it was one
    number."""
    if isinstance(obj, slice):
        return np.arange(length)[obj], False
    given = _host_counts(obj)
    single = given.ndim == 0 and given.dtype != np.bool_
    if given.dtype == np.bool_:
        return given, single
    if given.size == 0 and isinstance(obj, (list, tuple)):
        given = given.astype(np.intp)
    if given.dtype.kind not in "iu":
        raise IndexError(f"the indices are {given.dtype}; they must be integers or a mask")
    given = given.reshape(-1)
    if given.dtype.kind in "iu":
        given = given.astype(np.int64)
    outside = given[(given < -length) | (given > length)]
    if outside.size:
        raise IndexError(f"index {outside[0]} is out of bounds for an axis of {length} elements")
    return np.where(given < 0, given + length, given), single


def _along(x: Array, axis: int, places: Any) -> Array:
    return h.take(x, h.asarray(np.asarray(places, np.int64), queue=x.queue), axis=axis)


def _part(x: Array, axis: int, start: int, stop: int) -> Array:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _joined(x: Array, axis: int, starts: Any, stops: Any) -> Array:
    """The parts of x between these indices, one after the other."""
    parts = [_part(x, axis, a, b) for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
    return h.concat(parts, axis)


def _kept(arr: Array, obj: Any, length: int) -> Array | None:
    """A mask of the slices that delete() keeps, or None for few indices and for wrong ones."""
    if isinstance(obj, slice):
        count = len(range(length)[obj])
    else:
        obj = obj if isinstance(obj, Array) else np.asarray(obj)
        count = obj.size if obj.dtype.kind in "iu" or obj.shape == (length,) else 0
    if count <= _FEW_INDICES or (not isinstance(obj, slice) and obj.dtype.kind not in "biu"):
        return None
    kept = h.ones((length,), np.bool_, **place_like(arr))
    kept[obj if isinstance(obj, slice) else h.reshape(h.asarray(obj, queue=arr.queue), (-1,))] = (
        False
    )
    return kept


@operands("arr")
def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    """arr without the slices at the indices `obj` of an axis; flattened for axis=None.

    >>> import hither.numpy as np
    >>> np.delete([5, 6, 7, 8], [0, 2]).tolist()
    [6, 8]
    """
    if axis is None:
        arr, axis = h.reshape(arr, (-1,)), 0
    (axis,) = axes_of("delete", axis, arr.ndim)
    length = arr.shape[axis]
    if (mask := _kept(arr, obj, length)) is not None:
        return arr[mask] if arr.ndim == 1 else h.take(arr, h.nonzero(mask)[0], axis=axis)
    places, _ = _places(obj, length)
    if places.dtype == np.bool_ and places.shape != (length,):
        raise ValueError(f"delete: the mask has shape {places.shape}, the axis {length} elements")
    if places.dtype != np.bool_ and places.size and places.max() >= length:
        raise IndexError(f"delete: index {places.max()} is out of bounds for {length} elements")
    if places.dtype == np.bool_:
        places = np.flatnonzero(places)
    gone = np.unique(places)
    if gone.size == 0:
        return h.copy(arr)
    last = np.flatnonzero(np.diff(gone, append=length + 1) != 1)  # of each run of indices
    if last.size <= _MOST_PIECES:
        starts = np.concatenate([[0], gone[last] + 1])
        stops = np.append(gone[np.append(0, last[:-1] + 1)], length)
        return _joined(arr, axis, starts, stops)
    kept = np.ones(length, bool)
    kept[gone] = False
    return _along(arr, axis, np.flatnonzero(kept))


@operands("arr", weak="values")
def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    """arr with values before the indices `obj` of an axis; flattened for axis=None.

    >>> import hither.numpy as np
    >>> np.insert([1, 2, 3], 1, 9).tolist()
    [1, 9, 2, 3]
    """
    if axis is None:
        arr, axis = h.reshape(arr, (-1,)), 0
    (axis,) = axes_of("insert", axis, arr.ndim)
    length = arr.shape[axis]
    places, single = _places(obj, length)
    if np.ndim(obj) > 1 or (places.dtype == np.bool_ and places.ndim == 0):
        raise ValueError(
            f"insert: obj has {np.ndim(obj)} dimensions; it must be a number or have one dimension"
        )
    if places.dtype == np.bool_:
        places = np.flatnonzero(places)
    given = (
        values
        if isinstance(values, Array)
        else h.asarray(values, dtype=arr.dtype, **place_like(arr))
    )
    given = h.astype(given, arr.dtype, copy=False)
    if given.ndim < arr.ndim:
        given = h.reshape(given, (1,) * (arr.ndim - given.ndim) + given.shape)
    if single:
        given = h.moveaxis(given, 0, axis)
    if places.size == 1:
        count = given.shape[axis]
        before = np.full(count, int(places[0]))
    else:
        count, before = places.size, places
    shape = (*arr.shape[:axis], count, *arr.shape[axis + 1 :])
    given = h.broadcast_to(given, shape)
    if (before == before[:1]).all():  # before one element
        first = int(before[0]) if count else 0
        ends = [_part(arr, axis, 0, first), _part(arr, axis, first, length)]
        return h.concat([ends[0], given, ends[1]], axis)
    order = np.argsort(before, kind="stable")
    targets = np.empty(count, np.int64)
    targets[order] = before[order] + np.arange(count)
    old = np.ones(length + count, bool)
    old[targets] = False
    sources = np.empty(length + count, np.int64)
    sources[old] = np.arange(length)
    sources[targets] = length + np.arange(count)
    return _along(h.concat([arr, given], axis), axis, sources)


@operands("filt")
def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    """A view without the zeros at the front ("f") and back ("b") of each axis. It reads the
    array."""
    sides = trim.lower()
    if sides not in ("f", "b", "fb", "bf"):
        raise ValueError(f"trim_zeros: trim={trim!r}; it contains 'f' and 'b'")
    axes = axes_of("trim_zeros", axis, filt.ndim)
    parts = [slice(None)] * filt.ndim
    for place in axes:
        others = tuple(i for i in range(filt.ndim) if i != place)
        used = h.any(filt != 0, axis=others) if others else filt != 0
        length = filt.shape[place]
        start, stop = 0, length
        if length and not bool(h.any(used)):
            start, stop = (length, length) if "f" in sides else (0, 0)
        elif length:
            mark = h.astype(used, np.uint8)
            start = int(h.argmax(mark)) if "f" in sides else 0
            stop = length - int(h.argmax(h.flip(mark))) if "b" in sides else length
        parts[place] = slice(start, stop)
    return filt[tuple(parts)]
