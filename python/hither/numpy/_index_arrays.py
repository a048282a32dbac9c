"""Arrays of indices: of grids, triangles and diagonals, and their flat forms."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from .. import _hither as h
from .._device_context import current_queue
from .._hither import Array, astype
from ..errors import InvalidTypeError
from ._indexing import _in_range
from ._memory_order import memory_order
from ._placement import first_array, operands, show_place

__all__ = [
    "diag_indices",
    "diag_indices_from",
    "indices",
    "ix_",
    "mask_indices",
    "ravel_multi_index",
    "tril_indices",
    "tril_indices_from",
    "triu_indices",
    "triu_indices_from",
    "unravel_index",
]


def _host_made(values: Any, place: dict[str, Any]) -> Any:
    """Index arrays that NumPy made on the host, on the call's queue."""
    from ._placement import chosen_queue

    queue = chosen_queue(place.get("queue"), place.get("device")) or current_queue()
    if isinstance(values, tuple):
        return tuple(_host_made(v, {"queue": queue, **place}) for v in values)
    return h.asarray(values, queue=queue, usm_type=place.get("usm_type"))


def indices(
    dimensions: Any, dtype: Any = int, sparse: bool = False, *, queue: Any = None,
    device: Any = None, usm_type: Any = None,
) -> Any:  # fmt: skip
    """The indices along each axis of a grid."""
    from ._placement import place_of
    from ._ranges import arange

    where_ = place_of(queue, device, usm_type)
    shape = tuple(operator.index(n) for n in dimensions)
    parts = []
    for i, extent in enumerate(shape):
        along = (1,) * i + (extent,) + (1,) * (len(shape) - i - 1)
        parts.append(h.reshape(arange(extent, dtype=dtype, **where_), along))
    if sparse:
        return tuple(parts)
    if not parts:
        return h.zeros((0,), dtype, **where_)
    grid = h.stack([h.broadcast_to(x, shape) for x in parts])
    return h.astype(grid, np.float64) if dtype is None else grid


def diag_indices(n: int, ndim: int = 2, **place: Any) -> Any:
    """The indices of the main diagonal."""
    return (_host_made(np.arange(n), place),) * ndim


def tril_indices(n: int, k: int = 0, m: Any = None, **place: Any) -> Any:
    """The indices of the lower triangle of a matrix."""
    return _host_made(np.tril_indices(n, k, m), place)


def triu_indices(n: int, k: int = 0, m: Any = None, **place: Any) -> Any:
    """The indices of the upper triangle of a matrix."""
    return _host_made(np.triu_indices(n, k, m), place)


@operands("arr")
def diag_indices_from(arr: Any) -> Any:
    """The indices of the main diagonal of an array of equal extents."""
    if arr.ndim < 2 or len(set(arr.shape)) > 1:
        raise ValueError(f"diag_indices_from: arr has shape {arr.shape}; extents must be equal")
    return diag_indices(arr.shape[0], arr.ndim, queue=arr.queue)


@operands("arr")
def tril_indices_from(arr: Any, k: int = 0) -> Any:
    """The indices of the lower triangle of a matrix of this shape."""
    return tril_indices(_matrix(arr)[0], k, arr.shape[1], queue=arr.queue)


@operands("arr")
def triu_indices_from(arr: Any, k: int = 0) -> Any:
    """The indices of the upper triangle of a matrix of this shape."""
    return triu_indices(_matrix(arr)[0], k, arr.shape[1], queue=arr.queue)


def _matrix(arr: Array) -> tuple[int, ...]:
    if arr.ndim != 2:
        raise ValueError(f"arr has {arr.ndim} dimensions, not 2")
    return arr.shape


def mask_indices(n: int, mask_func: Any, k: Any = 0, **place: Any) -> Any:
    """The indices where mask_func(ones((n, n)), k) is not 0."""
    from ._creation import ones

    return h.nonzero(mask_func(ones((n, n), int, **place), k))


show_place(diag_indices, tril_indices, triu_indices, mask_indices)


def ix_(*args: Any) -> Any:
    """Index arrays for the grid of all combinations of the vectors."""
    home = first_array(args)
    made = []
    for i, value in enumerate(args):
        given = value if isinstance(value, (Array, np.ndarray)) else np.asarray(value)
        if given.ndim != 1:
            raise ValueError(f"ix_: argument {i} has {given.ndim} dimensions, not 1")
        queue = home.queue if home is not None else current_queue()
        if not isinstance(given, Array):
            given = np.flatnonzero(given) if given.dtype == np.bool_ else given
            given = h.asarray(given.astype(np.intp) if given.size == 0 else given, queue=queue)
        elif given.dtype == np.bool_:
            given = h.nonzero(given)[0]
        made.append(h.reshape(given, (1,) * i + (-1,) + (1,) * (len(args) - i - 1)))
    return tuple(made)


@operands(sequences="multi_index")
def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    """Flat indices for a tuple of index arrays. With mode="raise" it waits for them."""
    order = memory_order("ravel_multi_index", order, "C", "CF")
    parts = list(h.unstack(multi_index)) if isinstance(multi_index, Array) else list(multi_index)
    shape = tuple(operator.index(n) for n in (dims if np.iterable(dims) else (dims,)))
    if math.prod(shape) > np.iinfo(np.intp).max:
        raise ValueError(f"ravel_multi_index: an array of shape {shape} has too many elements")
    if len(parts) != len(shape):
        raise ValueError(f"ravel_multi_index: {len(parts)} index arrays, {len(shape)} dimensions")
    modes = (mode,) * len(shape) if isinstance(mode, str) else mode
    flat: Any = 0
    axes = list(range(len(shape)))
    for i in axes if order == "C" else axes[::-1]:
        if parts[i].dtype.kind not in "iub":
            raise InvalidTypeError(
                "ravel_multi_index", f"indices are {parts[i].dtype}, not integers"
            )
        place, length = astype(parts[i], np.int64), shape[i]
        if modes[i] == "raise" and bool(h.any((place < 0) | (place >= length))):
            raise ValueError(f"ravel_multi_index: an index is not in [0, {length})")
        flat = flat * length + _in_range("ravel_multi_index", place, length, modes[i])
    return flat


@operands("indices")
def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    """The tuple of index arrays for flat indices. It waits for them, to check their range."""
    order = memory_order("unravel_index", order, "C", "CF")
    if indices.dtype.kind not in "iub":
        raise InvalidTypeError("unravel_index", f"indices are {indices.dtype}, not integers")
    extents = tuple(operator.index(n) for n in (shape if np.iterable(shape) else (shape,)))
    size = int(np.prod(extents, dtype=np.int64))
    rest = astype(indices, np.int64)
    if bool(h.any((rest < 0) | (rest >= size))):
        raise ValueError(f"unravel_index: an index is not in [0, {size})")
    found: dict[int, Array] = {}
    axes = list(range(len(extents)))
    for i in axes[::-1] if order == "C" else axes:
        found[i] = h.remainder(rest, extents[i])
        rest = h.floor_divide(rest, extents[i])
    return tuple(found[i] for i in axes)
