"""Shapes, joins, splits and copies of parts of arrays. All are composed of hither's operations and
run where the arrays are."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidTypeError
from ._arguments import whole
from ._direct import direct
from ._memory_order import axes_in_memory, is_fortran, memory_order, ordered
from ._placement import operands
from ._ufunc_methods import axes_of

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "ravel",
    "repeat",
    "reshape",
    "roll",
    "rollaxis",
    "rot90",
    "squeeze",
    "swapaxes",
    "tile",
    "transpose",
]


def extents_of(shape: Any) -> tuple[int, ...]:
    """A shape that is an integer, a sequence or an array of integers, as a tuple."""
    if isinstance(shape, Array):
        shape = shape.tolist()
    return tuple(map(operator.index, shape if np.iterable(shape) else (shape,)))


@direct(h.reshape, positional=1)
@operands("a")
def reshape(a: Any, /, shape: Any, order: str = "C", *, copy: Any = None) -> Any:
    """The elements in another shape, in C or Fortran order; a view if possible.

    >>> import hither.numpy as np
    >>> np.reshape(np.arange(6), (2, 3), order="F").tolist()
    [[0, 2, 4], [1, 3, 5]]
    """
    extents = extents_of(shape)
    order = memory_order("reshape", order, "C", "CFA")
    if order == "F" or (order == "A" and is_fortran(a)):
        return h.reshape(a.T, extents[::-1], copy=copy).T
    return h.reshape(a, extents, copy=copy)


@operands("a")
def ravel(a: Any, order: str = "C") -> Any:
    """The elements along one axis; a view if possible."""
    axes = axes_in_memory(a, memory_order("ravel", order, "C"))
    return ordered(h.reshape(a if axes is None else h.permute_dims(a, axes), (-1,)), "C")


@operands("a")
def transpose(a: Any, axes: Any = None) -> Any:
    """A view with the axes in the given or in reverse order."""
    if isinstance(axes, (Array, np.ndarray)):
        axes = axes.tolist()
    return h.permute_dims(a, range(a.ndim)[::-1] if axes is None else axes)


permute_dims = transpose


@operands("x")
def matrix_transpose(x: Any, /) -> Any:
    """A view with the last two axes exchanged."""
    return h.matrix_transpose(x)


@operands("a")
def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """A view with two axes exchanged."""
    (first,), (second,) = axes_of("swapaxes", axis1, a.ndim), axes_of("swapaxes", axis2, a.ndim)
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    return h.permute_dims(a, order)


@operands("a")
def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    """A view with the axes `source` at the positions `destination`."""
    return h.moveaxis(a, source, destination)


@operands("a")
def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """A view with `axis` moved back until it is before the axis `start`."""
    (axis,) = axes_of("rollaxis", axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    if not 0 <= start <= a.ndim:
        raise np.exceptions.AxisError(f"rollaxis: start={start} is not in [{-a.ndim}, {a.ndim}]")
    return h.moveaxis(a, axis, start - 1 if axis < start else start)


@operands("a")
def expand_dims(a: Any, axis: Any) -> Any:
    """A view with axes of extent 1 at the positions `axis` of the result."""
    return h.expand_dims(a, tuple(axis) if isinstance(axis, list) else axis)


@operands("a")
def squeeze(a: Any, axis: Any = None) -> Any:
    """A view without these axes, or without all axes, of extent 1."""
    if axis is None:
        axis = tuple(i for i, extent in enumerate(a.shape) if extent == 1)
    elif a.ndim == 0 and axis in (0, -1):  # as NumPy's
        return a
    return h.squeeze(a, axis)


@operands("array")
def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    """A read-only view that repeats the array to `shape`."""
    return h.broadcast_to(array, extents_of(shape))


@operands("*args")
def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    """The arrays as views of their common shape. None becomes NumPy's array of None."""
    shape = h.broadcast_shapes(*(x.shape for x in args if x is not None))

    def broadcast(x: Any) -> Any:
        if x is None:
            return np.broadcast_to(np.array(None), shape)
        return x if x.shape == shape else h.broadcast_to(x, shape)

    return tuple(map(broadcast, args))


def _with_axes(dimensions: int, x: Array | None) -> Array:
    if x is None:
        raise InvalidTypeError(
            f"atleast_{dimensions}d", "an argument is None; hither's arrays hold numbers"
        )
    if x.ndim >= dimensions:
        return x
    if x.ndim == 0:  # a number in NumPy, which writes to the array leave
        return h.reshape(h.copy(x), (1,) * dimensions)
    if dimensions == 3:
        return x[None, :, None] if x.ndim == 1 else x[:, :, None]
    return h.reshape(x, (1,) * (dimensions - x.ndim) + x.shape)


def _several(dimensions: int, arys: tuple[Any, ...]) -> Any:
    made = tuple(_with_axes(dimensions, x) for x in arys)
    return made[0] if len(made) == 1 else made


@operands("*arys")
def atleast_1d(*arys: Any) -> Any:
    """The arrays with at least one axis."""
    return _several(1, arys)


@operands("*arys")
def atleast_2d(*arys: Any) -> Any:
    """The arrays with at least two axes; new ones are in front."""
    return _several(2, arys)


@operands("*arys")
def atleast_3d(*arys: Any) -> Any:
    """The arrays with at least three axes."""
    return _several(3, arys)


@operands("m")
def flip(m: Any, axis: Any = None) -> Any:
    """A view with the elements reversed along axes."""
    return h.flip(m, axis)


@operands("m")
def fliplr(m: Any) -> Any:
    """flip() along the second axis."""
    return h.flip(m, 1)


@operands("m")
def flipud(m: Any) -> Any:
    """flip() along the first axis."""
    return h.flip(m, 0)


@operands("m")
def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    """A view rotated by k right angles in the plane of two axes.

    >>> import hither.numpy as np
    >>> np.rot90([[1, 2], [3, 4]]).tolist()
    [[2, 4], [1, 3]]
    """
    found = axes_of("rot90", tuple(axes), m.ndim)
    if len(found) != 2:
        raise ValueError(f"rot90: axes={axes} are not two axes")
    k %= 4
    if k == 0:
        return m[...]
    if k == 2:
        return h.flip(m, found)
    order = list(range(m.ndim))
    order[found[0]], order[found[1]] = found[1], found[0]
    if k == 1:
        return h.permute_dims(h.flip(m, found[1]), order)
    return h.flip(h.permute_dims(m, order), found[1])


@operands("a")
def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    """The elements moved along axes, those past the end to the front."""
    shift = shift.tolist() if isinstance(shift, (Array, np.ndarray)) else shift
    if isinstance(axis, (tuple, list)) or isinstance(shift, (tuple, list)):
        if axis is None:
            shift = sum(shift)
        else:
            shifts, axes = np.broadcast_arrays(shift, axis)
            for one, place in zip(shifts.ravel(), axes.ravel(), strict=True):
                a = h.roll(a, int(one), int(place))
            return a
    shift = whole("roll", "shift", shift)
    if not -(2**63) <= shift < 2**63 and axis is None:
        shift %= max(a.size, 1)
    return h.roll(a, shift, axis)


def _host_counts(values: Any) -> Any:
    """Counts or indices as a NumPy array."""
    return h.asnumpy(values) if isinstance(values, Array) else np.asarray(values)


@operands("a")
def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element, or slice along `axis`, several times: as often as `repeats` says."""
    if a.ndim == 0 and axis is not None:
        axes_of("repeat", axis, 1)
        a = h.reshape(a, (1,))
    # NumPy converts numbers, which results are, and lists of them to integers, and no floats in
    # arrays.
    given = repeats.item() if isinstance(repeats, Array) and repeats.ndim == 0 else repeats
    if not isinstance(given, (Array, np.ndarray)):
        given = np.asarray(given, np.intp)
    if not np.can_cast(given.dtype, np.int64):
        raise InvalidTypeError("repeat", f"repeats is {given.dtype}, which int64 does not hold")
    if isinstance(given, np.ndarray) and given.size == 1:
        return h.repeat(a, int(given.reshape(())), axis)
    counts = h.asarray(given, queue=a.queue)
    return h.repeat(a, h.astype(counts, np.int64) if counts.dtype.kind == "b" else counts, axis)


@operands("A")
def tile(A: Any, reps: Any) -> Any:  # noqa: N803 - NumPy's name
    """The array repeated along each axis."""
    counts = _host_counts(reps).reshape(-1).tolist()
    return h.tile(A, tuple(counts))
