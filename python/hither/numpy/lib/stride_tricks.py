"""Views whose elements may lie in the memory more than once."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _hither as h
from ..._array.manipulation import element_strides
from ..._hither import Array
from ...errors import InvalidValueError
from .._manipulation import broadcast_arrays, broadcast_to
from .._placement import operands
from .._ufunc_methods import axes_of

__all__ = ["as_strided", "broadcast_arrays", "broadcast_to", "sliding_window_view"]


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(operator.index(n) for n in (values if np.iterable(values) else (values,)))


def _read_only(x: Array) -> Array:
    return h.broadcast_to(x, x.shape)


def _overlaps(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Whether two indices may have the same place."""
    end = 1
    for stride, extent in sorted((abs(s), n) for s, n in zip(strides, shape, strict=True) if n > 1):
        if stride < end:
            return True
        end = stride * (extent - 1) + end
    return False


@operands("x")
def as_strided(
    x: Any, shape: Any = None, strides: Any = None, subok: bool = False, writeable: bool = True
) -> Any:
    """A view of a shape, whose strides are given in bytes. Unlike NumPy's it cannot reach outside
    of the memory of x.

    Parameters
    ----------
    x : array_like
        The array.
    shape : int or tuple of int, optional
        The shape of the view. Without it, that of x.
    strides : int or tuple of int, optional
        The strides in bytes, one for each axis. Without them, those of x.
    subok : bool
        Has no effect.
    writeable : bool
        Whether the view may be written. It is read-only anyway if its elements overlap.
    queue : Queue, Device or str, optional
        Runs there, instead of on the queue of the array.
    device : Device or str, optional
        Another name of ``queue``.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory of the result.

    Returns
    -------
    Array
        The view. It keeps the memory of x alive.

    Raises
    ------
    InvalidValueError
        If there is not one stride for each axis, or a stride is not a multiple of the bytes of an
        element.
    OutOfRangeError
        If the view would reach outside of the memory of x.

    Examples
    --------
    >>> import hither.numpy as np
    >>> np.lib.stride_tricks.as_strided(np.arange(4), (3, 2), (8, 8)).tolist()
    [[0, 1], [1, 2], [2, 3]]
    """
    extents = x.shape if shape is None else _numbers(shape)
    size = x.itemsize
    steps = [n * size for n in element_strides(x)] if strides is None else _numbers(strides)
    if len(extents) != len(steps):
        raise InvalidValueError(
            "as_strided", f"shape has {len(extents)} dimensions and strides has {len(steps)}"
        )
    if any(step % size for step in steps):
        raise InvalidValueError(
            "as_strided",
            f"strides={steps} are not multiples of the {size} bytes of {x.dtype}",
        )
    places = tuple(step // size for step in steps)
    if not writeable or _overlaps(extents, places):
        x = _read_only(x)
    return h.strided_view(x, extents, places)


@operands("x")
def sliding_window_view(
    x: Any, window_shape: Any, axis: Any = None, *, subok: bool = False, writeable: bool = False
) -> Any:
    """A read-only view of the windows of an array, whose elements are along new last axes.

    Parameters
    ----------
    x : array_like
        The array.
    window_shape : int or tuple of int
        The extents of a window, one for each axis of ``axis``.
    axis : int or tuple of int, optional
        The axes along which windows move. Without it, all axes.
    subok, writeable : bool
        Have no effect: the view is read-only, because its elements overlap.
    queue : Queue, Device or str, optional
        Runs there, instead of on the queue of the array.
    device : Device or str, optional
        Another name of ``queue``.
    usm_type : {"device", "shared", "host"}, optional
        The kind of memory of the result.

    Returns
    -------
    Array
        The view: first axes for the windows, last axes for the elements of a window.

    Raises
    ------
    AxisError
        If an axis is out of range.
    InvalidValueError
        If there is not one extent for each axis, or a window is larger than x.

    Examples
    --------
    >>> import hither.numpy as np
    >>> np.lib.stride_tricks.sliding_window_view(np.arange(4), 3).tolist()
    [[0, 1, 2], [1, 2, 3]]
    """
    window = _numbers(window_shape)
    axes = axes_of("sliding_window_view", None, x.ndim) if axis is None else tuple(
        axes_of("sliding_window_view", a, x.ndim)[0] for a in _numbers(axis)
    )  # fmt: skip
    if len(window) != len(axes):
        raise InvalidValueError(
            "sliding_window_view",
            f"window_shape has {len(window)} extents for {len(axes)} axes; give one for each axis",
        )
    shape, strides = list(x.shape), list(element_strides(x))
    for extent, along in zip(window, axes, strict=True):
        if extent < 0 or shape[along] < extent:
            raise InvalidValueError(
                "sliding_window_view",
                f"a window of {extent} does not fit axis {along} of {x.shape}",
            )
        shape[along] -= extent - 1
    view = (*shape, *window), (*strides, *(strides[along] for along in axes))
    return h.strided_view(_read_only(x), *view)
