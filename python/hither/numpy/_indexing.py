"""Selection, diagonals, and functions that write to an array.

Indices and masks do not choose the queue: they are copied to that of the array.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import result_type
from .._hither import Array, astype
from .._hither import where as _where
from ..errors import InvalidTypeError, InvalidValueError, OutOfRangeError
from ._direct import directly
from ._placement import operands, place_like
from ._ufunc_methods import axes_of

__all__ = [
    "argwhere",
    "choose",
    "compress",
    "diag",
    "diagflat",
    "diagonal",
    "extract",
    "flatnonzero",
    "nonzero",
    "piecewise",
    "select",
    "take",
    "take_along_axis",
    "trace",
    "where",
]


def _moved_in(x: Any, like: Array, dtype: Any = None) -> Array:
    """Indices, a mask or values of the host as an array on the queue of `like`."""
    if not isinstance(x, Array):
        given = np.asarray(x)
        if given.size == 0 and given.dtype.kind == "f":
            given = given.astype(np.int64)
        x = h.asarray(given, queue=like.queue)
    return x if dtype is None else astype(x, dtype, copy=False)


def _index_array(function: str, indices: Any, like: Array) -> Array:
    found = _moved_in(indices, like)
    if found.dtype.kind == "b" and function in ("put", "take"):  # 0 and 1, as in NumPy
        found = astype(found, np.int64)
    if found.dtype.kind not in "iu":
        kind = InvalidTypeError if function == "take" else OutOfRangeError  # as in NumPy
        raise kind(function, f"indices are {found.dtype}, not integers")
    return found


def _in_range(function: str, places: Array, length: int, mode: str) -> Array:
    """Indices in [0, length), by NumPy's mode: "wrap" or "clip"."""
    if mode not in ("raise", "wrap", "clip"):
        raise InvalidValueError(function, f'mode is {mode!r}; it is "raise", "wrap" or "clip"')
    if mode == "wrap":
        return h.remainder(astype(places, np.int64), length)
    if mode == "clip":
        return h.clip(astype(places, np.int64), 0, max(length - 1, 0))
    if places.size and length == 0:
        raise OutOfRangeError(function, "there are no elements to select from")
    return places


def _line(a: Array, axis: Any) -> tuple[Array, Any]:
    """a and the axis to select from: all elements without an axis, or of a number."""
    if a.ndim == 0:
        return h.reshape(a, (1,)), 0 if axis is None else axis
    return (h.reshape(a, (-1,)), 0) if axis is None else (a, axis)


@operands("a", out="stored")
def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    """The elements, or slices along an axis, at indices.

    >>> import hither.numpy as np
    >>> np.take([5, 6, 7], [2, 3], mode="wrap").tolist()
    [7, 5]
    """
    places = _index_array("take", indices, a)
    a, axis = _line(a, axis)
    (axis,) = axes_of("take", axis, a.ndim)
    places = _in_range("take", places, a.shape[axis], mode)
    result = h.take(a, h.reshape(places, (-1,)), axis=axis)
    return h.reshape(result, (*a.shape[:axis], *places.shape, *a.shape[axis + 1 :]))


@operands("arr")
def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    """The elements at one index for each line along an axis, such as argsort() gives."""
    places = _index_array("take_along_axis", indices, arr)
    if axis is None:
        arr, axis = h.reshape(arr, (-1,)), 0
    if arr.ndim != places.ndim:
        raise ValueError(
            f"take_along_axis: indices have {places.ndim} dimensions and arr has {arr.ndim}"
        )
    return h.take_along_axis(arr, places, axis=axis)


@operands("a", out="stored")
def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """The slices along an axis where `condition` is true. It waits for the condition."""
    chosen = np.asarray(h.asnumpy(condition) if isinstance(condition, Array) else condition)
    if chosen.ndim != 1:
        raise ValueError(f"compress: condition has shape {chosen.shape}; it must be a vector")
    a, axis = _line(a, axis)
    (axis,) = axes_of("compress", axis, a.ndim)
    places = np.flatnonzero(chosen)
    if places.size and places[-1] >= a.shape[axis]:
        raise IndexError(f"compress: index {places[-1]} is past the {a.shape[axis]} elements")
    return h.take(a, h.asarray(places, queue=a.queue), axis=axis)


@operands("arr")
def extract(condition: Any, arr: Any) -> Any:
    """The elements of the flattened array where `condition` is true."""
    mask = h.reshape(_moved_in(condition, arr, np.bool_), (-1,))
    flat = h.reshape(arr, (-1,))
    return flat[mask] if mask.size == flat.size else h.take(flat, h.nonzero(mask)[0], axis=0)


def _chosen_where(condition: Any, x: Any, y: Any) -> Any:
    """hither's where(), if it converts x and y as NumPy's does."""
    if not isinstance(condition, Array) or condition.dtype.kind != "b":
        return None
    kind = result_type(x, y)
    return _where if _where(condition, x, y).dtype == kind else None


@directly(_chosen_where, operands=3)
@operands("condition x y", weak="x y")
def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    """The elements of x where the condition is true, else those of y; nonzero() without both.

    >>> import hither.numpy as np
    >>> np.where(np.asarray([1, 5]) > 2, 10, [0, 1]).tolist()
    [0, 10]
    """
    if (x is None) != (y is None):
        raise ValueError("where: give both x and y, or neither")
    if x is None:
        return h.nonzero(h.reshape(condition, (1,)) if condition.ndim == 0 else condition)
    truth = condition if condition.dtype.kind == "b" else condition != 0
    if not isinstance(x, Array) and not isinstance(y, Array):
        kind = result_type(x, y)
        return astype(_where(truth, h.full((), x, kind, queue=truth.queue), y), kind, copy=False)
    kind = result_type(x, y)
    x, y = (astype(v, kind, copy=False) if isinstance(v, Array) else v for v in (x, y))
    return astype(_where(truth, x, y), kind, copy=False)


@operands("a")
def nonzero(a: Any) -> Any:
    """The indices of the elements that are not 0, an array for each dimension."""
    if a.ndim == 0:
        raise ValueError("nonzero: a has no dimension; use atleast_1d(a)")
    return h.nonzero(a)


@operands("a")
def argwhere(a: Any) -> Any:
    """The indices of the elements that are not 0, a row for each element."""
    if a.ndim == 0:
        return argwhere(h.reshape(a, (1,)))[:, :0]
    return h.stack(h.nonzero(a), axis=-1)


@operands("a")
def flatnonzero(a: Any) -> Any:
    """The indices of the elements of the flattened array that are not 0."""
    return h.nonzero(h.reshape(a, (-1,)))[0]


def _common(values: Sequence[Any], like: Array) -> tuple[list[Array], np.dtype[Any]]:
    """Arrays and numbers as arrays, and the dtype to which they promote."""
    kind = result_type(*values)
    place = place_like(like)
    return [v if isinstance(v, Array) else h.full((), v, kind, **place) for v in values], kind


@operands("a", weak="choices", sequences="choices", out="unsafe")
def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """For each element of a, the element of the array among `choices` that it numbers.

    With mode="raise" it waits for a.
    """
    parts = list(h.unstack(choices)) if isinstance(choices, Array) else choices
    if not np.can_cast(a.dtype, np.int64):
        raise InvalidTypeError("choose", f"a is {a.dtype}, which int64 does not hold")
    number = astype(a, np.int64)
    if mode == "raise" and a.size and bool(h.any((number < 0) | (number >= len(parts)))):
        raise ValueError(f"choose: an element of a is not in [0, {len(parts)})")
    number = _in_range("choose", number, len(parts), mode)
    parts, kind = _common(parts, a)
    shape = h.broadcast_shapes(a.shape, *(x.shape for x in parts))
    result = h.broadcast_to(astype(parts[0], kind, copy=False), shape)
    for i, part in enumerate(parts[1:], 1):
        result = _where(number == i, astype(part, kind, copy=False), result)
    return h.copy(result)


@operands(sequences="condlist choicelist", weak="choicelist default")
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """The elements of the first choice whose condition is true, else `default`.

    >>> import hither.numpy as np
    >>> x = np.arange(4)
    >>> np.select([x < 1, x > 2], [x - 9, x * x], 5).tolist()
    [-9, 5, 5, 9]
    """
    # The conditions and choices are also the rows of arrays.
    condlist, choicelist = (
        list(h.unstack(x)) if isinstance(x, Array) else x for x in (condlist, choicelist)
    )
    if len(condlist) != len(choicelist):
        raise ValueError(f"select: {len(condlist)} conditions, {len(choicelist)} choices")
    if not condlist:
        raise ValueError("select: there are no conditions")
    for i, condition in enumerate(condlist):
        if condition.dtype != np.bool_:
            raise TypeError(f"select: condlist[{i}] has dtype {condition.dtype}, not bool")
    (*choicelist, last), kind = _common([*choicelist, default], condlist[0])
    shape = h.broadcast_shapes(*(x.shape for x in (*condlist, *choicelist, last)))
    result = h.broadcast_to(astype(last, kind, copy=False), shape)
    for condition, choice in zip(condlist[::-1], choicelist[::-1], strict=True):
        result = _where(condition, astype(choice, kind, copy=False), result)
    return h.copy(result)


@operands("x")
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Values of functions, or numbers, on the parts of x where their conditions are true.

    A function gets the elements of its part, as in NumPy. It waits for the conditions.
    """
    if isinstance(condlist, (Array, np.ndarray)):
        conditions = [condlist] if condlist.ndim == x.ndim else list(condlist)
    elif np.isscalar(condlist) or (condlist and _ndim(condlist[0]) == 0 and x.ndim != 0):
        conditions = [condlist]
    else:
        conditions = list(condlist)
    masks = [_moved_in(c, x, np.bool_) for c in conditions]
    count = len(funclist)
    if count == len(masks) + 1:
        rest = masks[0]
        for mask in masks[1:]:
            rest = rest | mask
        masks.append(h.logical_not(rest))
    elif count != len(masks):
        raise ValueError(f"piecewise: {len(masks)} conditions, {count} functions")
    result = h.zeros(x.shape, x.dtype, **place_like(x))
    for mask, function in zip(masks, funclist, strict=True):
        if callable(function):
            part = x[mask]
            if part.size:
                result[mask] = astype(_beside(function(part, *args, **kw), x), x.dtype)
        else:
            result[mask] = function
    return result


def _ndim(value: Any) -> int:
    return value.ndim if isinstance(value, Array) else np.ndim(value)


def _beside(value: Any, x: Array) -> Array:
    return value if isinstance(value, Array) else h.asarray(value, **place_like(x))


@operands("v")
def diag(v: Any, k: int = 0) -> Any:
    """The k-th diagonal of a matrix, or the matrix with a vector on it.

    >>> import hither.numpy as np
    >>> np.diag([1, 2]).tolist()
    [[1, 0], [0, 2]]
    """
    if v.ndim == 2:
        return diagonal(v, k)
    if v.ndim != 1:
        raise ValueError(f"diag: v has {v.ndim} dimensions, not 1 or 2")
    size = v.size + abs(k)
    places = h.iota(size, 0, 1, np.int64, **place_like(v))
    rows, padded = h.expand_dims(places, 1), v
    if k:
        rows = rows + k
        zeros = h.zeros((abs(k),), v.dtype, **place_like(v))
        padded = h.concat([zeros, v] if k > 0 else [v, zeros])
    return _where(rows == places, padded, False if v.dtype.kind == "b" else 0)


@operands("v")
def diagflat(v: Any, k: int = 0) -> Any:
    """The matrix with the flattened array on its k-th diagonal."""
    return diag(h.reshape(v, (-1,)), k)


@operands("a")
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """The diagonals of the planes of two axes; a view if possible."""
    from .. import linalg

    return linalg.diagonal(_planes("diagonal", a, axis1, axis2), offset=offset)


def _planes(name: str, a: Array, axis1: int, axis2: int) -> Array:
    if a.ndim < 2:
        raise ValueError(f"{name}: a has {a.ndim} dimensions, at least 2 are needed")
    axes_of(name, (axis1, axis2), a.ndim)
    return h.moveaxis(a, (axis1, axis2), (-2, -1))


@operands("a", out="unsafe")
def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    """The sums of the diagonals of the planes of two axes."""
    return h.sum(diagonal(_planes("trace", a, axis1, axis2), offset, -2, -1), axis=-1, dtype=dtype)
