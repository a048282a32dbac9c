"""hither.shard and hither.gather."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._checked_call import checked
from .._hither import Array, asarray, default_queue
from ..errors import AxisError, InvalidTypeError
from .mesh import as_mesh
from .rows import cut, uniform_bounds
from .sharded_array import ShardedArray

__all__ = ["gather", "shard"]


def one_axis(function: str, axis: Any, ndim: int) -> int:
    """The argument `axis` as a number from 0."""
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise InvalidTypeError(function, f"axis is {axis!r}; pass an int")
    number = axis.__index__()
    if not -ndim <= number < ndim:
        raise AxisError(
            function, f"axis {number} is out of range for an array of {ndim} dimensions"
        )
    return number % ndim


@checked
def shard(x: Any, mesh: Any, axis: int = 0) -> ShardedArray:
    """Copies an array to the queues of a mesh: blocks of equal numbers of rows, one for each queue.

    A row is an index of `axis`. The last blocks have fewer rows, or none, if the rows cannot be
    divided equally. Blocks of large arrays are multiples of the chunks that reductions
    combine.

    Parameters
    ----------
    x : array_like
        An array of NumPy or hither, or nested lists of numbers. It has at least one dimension.
    mesh : Mesh or sequence of Queue, Device or str
        The queues.
    axis : int, optional
        The axis to divide; negative ones count from the end.

    Returns
    -------
    ShardedArray
        The copy.

    Raises
    ------
    AxisError
        If x does not have such an axis.

    Examples
    --------
    >>> x = ht.shard([[1.0, 2.0], [3.0, 4.0]], ht.Mesh("cpu", parts=2))
    >>> x.shape, len(x.parts)
    ((2, 2), 2)
    >>> float(x.sum())
    10.0
    """
    mesh = as_mesh("shard", mesh)
    if isinstance(x, ShardedArray):
        x = gather(x)
    if not isinstance(x, Array):
        if hasattr(x, "__sycl_usm_array_interface__") or hasattr(x, "__dlpack__"):
            x = x if isinstance(x, np.ndarray) else asarray(x)
        else:
            x = np.asarray(x)
    along = one_axis("shard", axis, x.ndim)
    bounds = uniform_bounds(x.shape[along], len(mesh))
    if not isinstance(x, Array):
        asarray(x[(slice(None),) * along + (slice(0, 0),)], queue=mesh[0])  # checks the dtype
    pieces = []
    for start, stop, queue in zip(bounds[:-1], bounds[1:], mesh, strict=True):
        rows = cut(x, along, start, stop)
        if isinstance(rows, Array):
            pieces.append([h.copy(rows) if rows.queue.equivalent(queue) else rows.copy_to(queue)])
        else:
            pieces.append([asarray(np.ascontiguousarray(rows), queue=queue, copy=True)])
    return ShardedArray._of(mesh, along, pieces)


@checked
def gather(x: Any, queue: Any = None, *, device: Any = None) -> Array:
    """Copies a sharded array to one queue.

    Parameters
    ----------
    x : ShardedArray
        The array.
    queue : Queue, Device or str, optional
        The queue of the result; without it the first queue of the mesh.
    device : Device or str, optional
        Another name of ``queue``.

    Returns
    -------
    Array
        All rows, in memory of their own.

    Raises
    ------
    InvalidValueError
        If ``queue`` names no device.
    InvalidTypeError
        If x is not a ShardedArray, or ``queue`` and ``device`` are both given.

    Examples
    --------
    >>> x = ht.shard([1, 2, 3], ht.Mesh("cpu", parts=2))
    >>> ht.gather(x + 1)
    Array([2, 3, 4])
    """
    if not isinstance(x, ShardedArray):
        raise InvalidTypeError(
            "gather", f"x is of type {type(x).__name__}; pass a ShardedArray, which ht.shard makes"
        )
    if queue is not None and device is not None:
        raise InvalidTypeError("gather", "queue= and device= are both given; give one of them")
    asked = device if queue is None else queue
    return x._gathered(x.mesh[0] if asked is None else default_queue(asked))
