"""Arrays that are joined, and parts of arrays."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _hither as h
from .._hither import Array
from ..errors import InvalidTypeError
from ._manipulation import _with_axes
from ._placement import all_placed, moved, operands
from ._ufunc_methods import axes_of

__all__ = [
    "array_split",
    "block",
    "column_stack",
    "concat",
    "concatenate",
    "dsplit",
    "dstack",
    "hsplit",
    "hstack",
    "row_stack",
    "split",
    "stack",
    "unstack",
    "vsplit",
    "vstack",
]


def _cast(function: str, parts: list[Array], dtype: Any, casting: str) -> list[Array]:
    if dtype is None:
        np.can_cast(np.int8, np.int8, casting)  # type: ignore[arg-type] # refuses other rules
        return parts
    for x in parts:
        if not np.can_cast(x.dtype, dtype, casting):  # type: ignore[arg-type]
            raise TypeError(
                f"{function}: {x.dtype} cannot be cast to {dtype} by casting={casting!r}"
            )
    return [h.astype(x, dtype, copy=False) for x in parts]


def _parts(function: str, arrays: Any) -> list[Array]:
    if isinstance(arrays, Array) and arrays.ndim == 0:
        raise InvalidTypeError(function, "a list or tuple of arrays is needed, not a number")
    parts = list(arrays) if not isinstance(arrays, Array) else list(h.unstack(arrays))
    if not parts:
        raise ValueError(f"{function}: there are no arrays to join")
    return parts


@operands(sequences="arrays", out="same_kind")
def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """The arrays joined along an axis; flattened first for axis=None.

    >>> import hither.numpy as np
    >>> np.concatenate([[1, 2], [3]]).tolist()
    [1, 2, 3]
    """
    if isinstance(axis, Array) and axis.ndim > 0:
        raise InvalidTypeError(
            "concatenate", "axis is an array; pass the arrays as one list or tuple"
        )
    parts = _parts("concatenate", arrays)
    if dtype is None and casting == "same_kind":
        return h.concat(parts, axis)
    return h.concat(_cast("concatenate", parts, dtype, casting), axis)


concat = concatenate


@operands(sequences="arrays", out="same_kind")
def stack(
    arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """The arrays joined along a new axis."""
    return h.stack(_cast("stack", _parts("stack", arrays), dtype, casting), axis)


def _joined(function: str, parts: list[Array], axis: int, dtype: Any, casting: str) -> Array:
    return h.concat(_cast(function, parts, dtype, casting), axis)


@operands(sequences="tup")
def hstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """The arrays joined along the second axis, or the first axis of vectors."""
    parts = [_with_axes(1, x) for x in _parts("hstack", tup)]
    return _joined("hstack", parts, 0 if parts[0].ndim == 1 else 1, dtype, casting)


@operands(sequences="tup")
def vstack(tup: Any, *, dtype: Any = None, casting: str = "same_kind") -> Any:
    """The arrays joined along the first axis; vectors are rows."""
    return _joined("vstack", [_with_axes(2, x) for x in _parts("vstack", tup)], 0, dtype, casting)


row_stack = vstack


@operands(sequences="tup")
def dstack(tup: Any) -> Any:
    """The arrays joined along the third axis."""
    return h.concat([_with_axes(3, x) for x in _parts("dstack", tup)], 2)


@operands(sequences="tup")
def column_stack(tup: Any) -> Any:
    """Vectors as columns, and matrices, joined along the second axis."""
    parts = [x if x.ndim > 1 else h.reshape(x, (-1, 1)) for x in _parts("column_stack", tup)]
    return h.concat(parts, 1)


def block(arrays: Any, *, queue: Any = None, device: Any = None, usm_type: Any = None) -> Any:
    """Blocks of a nested list of arrays, joined: the innermost lists along the last axis.

    >>> import hither.numpy as np
    >>> np.block([[np.eye(2), np.zeros((2, 1))]]).shape
    (2, 3)
    """
    depth = _depth(arrays)

    def leaves(item: Any) -> list[Any]:
        if isinstance(item, list):
            return [leaf for part in item for leaf in leaves(part)]
        return [item]

    flat = all_placed("block", leaves(arrays), queue, device)
    dimensions = max([depth, *(x.ndim for x in flat)])
    given = iter(flat)

    def joined(item: Any, level: int) -> Array:
        if isinstance(item, list):
            return h.concat([joined(part, level + 1) for part in item], level - depth)
        return _with_leading_axes(dimensions, next(given))

    result = joined(arrays, 0) if isinstance(arrays, list) else h.copy(flat[0])
    return moved(result, usm_type)


def _with_leading_axes(dimensions: int, x: Array) -> Array:
    return h.reshape(x, (1,) * (dimensions - x.ndim) + x.shape)


def _depth(item: Any) -> int:
    if not isinstance(item, list):
        return 0
    if not item:
        raise ValueError("block: a list is empty")
    depths = {_depth(part) for part in item}
    if len(depths) > 1:
        raise ValueError("block: the lists are nested to different depths")
    return 1 + depths.pop()


def _sections(x: Array, indices_or_sections: Any, axis: int, equal: bool) -> list[Array]:
    length = x.shape[axis]
    given = indices_or_sections
    if isinstance(given, (Array, np.ndarray)):
        given = given.tolist()
    if isinstance(given, Sequence):
        limits = [0, *(operator.index(i) for i in given), length]
    else:
        count = int(given)
        if count <= 0:
            raise ValueError(f"split: {count} sections; it must be 1 or more")
        if equal and length % count:
            raise ValueError(f"split: {length} elements cannot be divided into {count} equal parts")
        each, extra = divmod(length, count)
        limits = [0]
        for i in range(count):
            limits.append(limits[-1] + each + (i < extra))
    front = (slice(None),) * (axis % x.ndim)
    ends = itertools.pairwise(limits)
    return [x[(*front, slice(start, stop))] for start, stop in ends]


@operands("ary")
def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Views of parts along an axis, at indices or in a number of parts of nearly equal length."""
    (axis,) = axes_of("array_split", axis, ary.ndim)
    return _sections(ary, indices_or_sections, axis, False)


@operands("ary")
def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """Views of parts along an axis, at indices or in a number of parts of equal length.

    >>> import hither.numpy as np
    >>> [x.tolist() for x in np.split(np.arange(4), 2)]
    [[0, 1], [2, 3]]
    """
    (axis,) = axes_of("split", axis, ary.ndim)
    return _sections(ary, indices_or_sections, axis, True)


def _split_along(name: str, ary: Array, indices_or_sections: Any, axis: int, least: int) -> Any:
    if ary.ndim < least:
        raise ValueError(f"{name}: ary has {ary.ndim} dimensions, at least {least} are needed")
    return _sections(ary, indices_or_sections, axis, True)


@operands("ary")
def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    """split() along the second axis, or the first axis of a vector."""
    return _split_along("hsplit", ary, indices_or_sections, 1 if ary.ndim > 1 else 0, 1)


@operands("ary")
def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    """split() along the first axis."""
    return _split_along("vsplit", ary, indices_or_sections, 0, 2)


@operands("ary")
def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    """split() along the third axis."""
    return _split_along("dsplit", ary, indices_or_sections, 2, 3)


@operands("x")
def unstack(x: Any, /, *, axis: int = 0) -> Any:
    """The views along `axis`, without that axis, as a tuple."""
    return h.unstack(x, axis)
