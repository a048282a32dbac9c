"""Functions that write to an array. Values and indices on the host are copied to its queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _hither as h
from .._array import host_values
from .._hither import Array, astype
from .._hither import where as _where
from .._names import a_type
from ..errors import InvalidTypeError
from ._indexing import _index_array, _moved_in
from ._placement import first_array
from ._ufunc_methods import axes_of

__all__ = ["copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask"]


def _target(function: str, a: Any) -> Array:
    if not isinstance(a, Array):
        raise InvalidTypeError(function, f"writes to a hither.Array, not to {a_type(a)}")
    return a


def put(a: Array, ind: Any, v: Any, mode: str = "raise") -> None:
    """Sets the elements at the flat indices to the values, which are repeated if they are fewer."""
    host_values.put(_target("put", a), ind, v, mode)


def copyto(dst: Array, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    """Copies the elements of src to dst, where `where` is true."""
    if isinstance(src, (list, tuple)) and first_array(src) is not None:
        src = h.asarray(src, queue=dst.queue)
    host_values.copyto(_target("copyto", dst), src, casting, where)


def _as_elements(function: str, values: Any, target: Array) -> Array:
    """The values, in one dimension. Arrays need a dtype that the target's can hold."""
    is_array = isinstance(values, (Array, np.ndarray))
    if is_array and not np.can_cast(values.dtype, target.dtype, "safe"):
        raise InvalidTypeError(
            function,
            f"the values have dtype {values.dtype}, which {target.dtype} cannot hold; cast them "
            "with astype",
        )
    if not is_array:
        host_values.check_integers(function, values, target.dtype)
    return h.reshape(_moved_in(values, target, target.dtype), (-1,))


def putmask(a: Array, mask: Any, values: Any) -> None:
    """Sets the elements where the mask is true to the values, which are repeated to a's size."""
    a = _target("putmask", a)
    truth = h.asarray(_moved_in(mask, a, np.bool_), queue=a.queue)
    if truth.shape != a.shape and truth.size != a.size:
        raise ValueError(f"putmask: mask has shape {truth.shape}, a has shape {a.shape}")
    given = _as_elements("putmask", values, a)
    if given.size == 0:
        return
    spread = given
    if given.size not in (1, a.size):
        spread = h.tile(given, (-(-a.size // given.size),))[: a.size]
    spread = h.reshape(spread, a.shape) if spread.size == a.size else spread
    a[...] = _where(h.reshape(truth, a.shape), spread, a)


def place(arr: Array, mask: Any, vals: Any) -> None:
    """Sets the elements where the mask is true to the values, one after the other, repeated."""
    arr = _target("place", arr)
    truth = h.asarray(_moved_in(mask, arr, np.bool_), queue=arr.queue)
    truth = h.reshape(truth, (-1,))
    given = _as_elements("place", vals, arr)
    if truth.size != arr.size:
        raise ValueError(f"place: mask has {truth.size} elements, arr has {arr.size}")
    if given.size == 0:
        if bool(h.any(truth)):
            raise ValueError("place: vals is empty")
        return
    number = h.cumulative_sum(astype(truth, np.int64), axis=0) - 1
    source = h.take(given, h.remainder(h.maximum(number, 0), given.size), axis=0)
    arr[...] = h.reshape(_where(truth, source, h.reshape(arr, (-1,))), arr.shape)


def put_along_axis(arr: Array, indices: Any, values: Any, axis: Any) -> None:
    """Sets the elements at one index for each line along an axis."""
    arr = _target("put_along_axis", arr)
    places = _index_array("put_along_axis", indices, arr)
    if axis is None:
        if places.ndim != 1:
            raise ValueError(
                f"put_along_axis: indices have {places.ndim} dimensions; without an axis they "
                "need one"
            )
        put(arr, places, h.broadcast_to(_moved_in(values, arr, arr.dtype), places.shape))
        return
    if places.ndim != arr.ndim:
        raise ValueError(
            f"put_along_axis: indices have {places.ndim} dimensions and arr has {arr.ndim}"
        )
    (axis,) = axes_of("put_along_axis", axis, arr.ndim)
    key: list[Any] = []
    for i, extent in enumerate(arr.shape):
        along = [1] * arr.ndim
        along[i] = extent
        key.append(places if i == axis else h.reshape(
            h.iota(extent, 0, 1, np.int64, queue=arr.queue), tuple(along)))  # fmt: skip
    arr[tuple(key)] = values if np.isscalar(values) else _moved_in(values, arr, arr.dtype)


def fill_diagonal(a: Array, val: Any, wrap: bool = False) -> None:
    """Sets the diagonal of a square or taller matrix, or the main diagonal of an array.

    >>> import hither.numpy as np
    >>> x = np.zeros((2, 2))
    >>> np.fill_diagonal(x, [3, 4])
    >>> x.tolist()
    [[3.0, 0.0], [0.0, 4.0]]
    """
    a = _target("fill_diagonal", a)
    if a.ndim < 2:
        raise ValueError(f"fill_diagonal: a has {a.ndim} dimensions, at least 2 are needed")
    if a.ndim > 2 and len(set(a.shape)) > 1:
        raise ValueError(f"fill_diagonal: a has shape {a.shape}; its extents must be equal")
    step = (
        a.shape[1] + 1
        if a.ndim == 2
        else 1 + sum(int(np.prod(a.shape[1 : i + 1])) for i in range(1, a.ndim))
    )
    end = a.size if a.ndim > 2 or wrap else a.shape[1] * a.shape[1]
    places = np.arange(0, min(end, a.size), step)
    host_values.put(a, places, val)
