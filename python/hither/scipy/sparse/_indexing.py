"""Elements, rows, columns and parts of sparse arrays, and assignment to them."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, asarray, astype
from ...errors import InvalidTypeError, InvalidValueError, OutOfRangeError, ScalarOverflowError
from . import _combination, _rows
from ._rows import Coordinates, Rows

__all__: list[str] = []


class Key:
    """A key in normal form: for each axis an integer, a slice or an array of integers.

    `shape` is the shape that the result has in NumPy.
    """

    def __init__(self, key: Any, shape: tuple[int, ...], like: Array) -> None:
        given = list(key) if isinstance(key, tuple) else [key]
        self.parts: list[Any] = []
        self.like = like
        result: list[int] = []
        self.advanced_at: int | None = None
        self.advanced: list[Array] = []
        for entry in _expanded(given, len(shape)):
            if entry is None:
                result.append(1)
                continue
            extents = shape[len(self.parts) :]
            for part in self._normal(entry, extents):
                self._append(part, extents[0], result)
                extents = extents[1:]
        if self.advanced:
            try:
                common = np.broadcast_shapes(*(x.shape for x in self.advanced))
            except ValueError:
                shapes = " and ".join(str(x.shape) for x in self.advanced)
                raise OutOfRangeError(
                    "indexing", f"index arrays of shapes {shapes} do not fit each other"
                ) from None
            result[self.advanced_at : self.advanced_at] = common
        self.shape = tuple(result)

    def _append(self, part: Any, extent: int, result: list[int]) -> None:
        self.parts.append(part)
        if isinstance(part, slice):
            result.append(len(range(*part.indices(extent))))
        elif isinstance(part, Array):
            self.advanced.append(part)
            if self.advanced_at is None:
                self.advanced_at = len(result)

    def _normal(self, entry: Any, extents: tuple[int, ...]) -> list[Any]:
        if isinstance(entry, slice):
            return [slice(*map(_integer_or_none, (entry.start, entry.stop, entry.step)))]
        if _is_integer(entry):
            return [_wrapped(operator.index(entry), extents[0])]
        x = entry if isinstance(entry, Array) else np.asarray(entry)
        if x.dtype.kind == "b":
            return self._places_of(x, extents)
        if x.size == 0 and x.dtype.kind == "f" and not isinstance(x, Array):
            x = x.astype(np.int64)
        if x.dtype.kind not in "iu":
            raise OutOfRangeError("indexing", f"an index has dtype {x.dtype}, not integers")
        if x.ndim > 2:
            raise OutOfRangeError("indexing", f"an index array has {x.ndim} dimensions")
        if x.size:
            low, high = int(x.min()), int(x.max())
            if low < -extents[0] or high >= extents[0]:
                wrong = low if low < -extents[0] else high
                raise OutOfRangeError(
                    "indexing", f"index ({wrong}) out of range for an axis of {extents[0]} elements"
                )
        x = asarray(x, queue=self.like.queue)
        x = astype(x, np.int64, copy=False)
        return [h.where(x < 0, x + extents[0], x)]

    def _places_of(self, mask: Any, extents: tuple[int, ...]) -> list[Any]:
        if tuple(mask.shape) != extents[: mask.ndim] or mask.ndim == 0:
            raise OutOfRangeError(
                "indexing", f"a mask has shape {mask.shape}, and the axes {extents[: mask.ndim]}"
            )
        mask = asarray(mask, queue=self.like.queue)
        return list(h.nonzero(mask))


def _broadcast(x: Array, y: Array) -> tuple[Array, Array]:
    shape = h.broadcast_shapes(x.shape, y.shape)
    return h.broadcast_to(x, shape), h.broadcast_to(y, shape)


def _expanded(given: list[Any], ndim: int) -> list[Any]:
    """The entries with slices in place of an ellipsis and at the end."""
    taken = 0
    for entry in given:
        if entry is None or entry is Ellipsis:
            continue
        is_mask = not isinstance(entry, slice) and not _is_integer(entry)
        x: Any = entry if isinstance(entry, Array) or not is_mask else np.asarray(entry)
        taken += x.ndim if is_mask and x.dtype.kind == "b" else 1
    if taken > ndim:
        raise OutOfRangeError(
            "indexing", f"there are {taken} indices, and the array has {ndim} dimensions"
        )
    ellipses = sum(entry is Ellipsis for entry in given)
    if ellipses > 1:
        raise OutOfRangeError("indexing", "an index can only have a single ellipsis")
    rest = [slice(None)] * (ndim - taken)
    if not ellipses:
        return [*given, *rest]
    at = next(i for i, entry in enumerate(given) if entry is Ellipsis)
    return [*given[:at], *rest, *given[at + 1 :]]


def _is_integer(value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return False
    if isinstance(value, (Array, np.ndarray)):
        return value.ndim == 0 and value.dtype.kind in "iu"
    return hasattr(value, "__index__")


def _integer_or_none(value: Any) -> int | None:
    return None if value is None else operator.index(value)


def _wrapped(index: int, extent: int) -> int:
    if not -extent <= index < extent:
        raise OutOfRangeError(
            "indexing", f"index ({index}) out of range for an axis of {extent} elements"
        )
    return index + extent if index < 0 else index


class Indexing:
    """x[key] gives an element as an array without dimensions, or a sparse array, which is a copy or
    shares memory. The indices of an axis may be an integer, a slice, or an array of integers or of
    bools. As in SciPy, vectors of rows and of columns give the elements as a dense array, and so
    does a mask."""

    def __getitem__(self: Any, key: Any) -> Any:
        key = self._mask_key(key)
        k = Key(key, self.shape, self.data)
        if len(k.shape) > 2:
            raise OutOfRangeError(
                "indexing", f"the result would have {len(k.shape)} dimensions; at most 2 are stored"
            )
        parts = [0, *k.parts] if self.ndim == 1 else k.parts
        if not any(isinstance(part, slice) for part in parts):
            return self._elements_at(parts, k.shape)
        whole = self._compressed()
        lines = whole._lines()
        for axis in (0, 1):
            lines = _selected(lines, parts[axis], axis != whole._turned)
        turned = whole._turned
        shape = (lines.width, lines.height) if turned else (lines.height, lines.width)
        result = whole._of_lines(lines, shape)
        wanted = k.shape
        if self._is_matrix and len(wanted) < 2:
            wanted = shape
        return result if wanted == shape else result.reshape(wanted)

    def _mask_key(self: Any, key: Any) -> Any:
        if not self._is_sparse(key):
            if isinstance(key, tuple) and any(map(self._is_sparse, key)):
                raise OutOfRangeError("indexing", "sparse arrays cannot be indices, only a mask")
            return key
        if key.dtype.kind != "b" or key.shape != self.shape:
            raise OutOfRangeError(
                "indexing",
                f"a sparse index is a mask: bool and of shape {self.shape}, not {key.dtype} and "
                f"{key.shape}",
            )
        return key.nonzero()

    def _elements_at(self: Any, parts: list[Any], shape: tuple[int, ...]) -> Any:
        whole = self._compressed()
        if all(isinstance(part, int) for part in parts):
            value = _element(whole._lines(), parts[::-1] if whole._turned else parts)
            return value if shape == () else self._of_dense(h.reshape(value, shape))
        row, column = self._arrays(parts)
        is_column = row.ndim == 2 and row.shape[1] == 1
        if is_column and (column.ndim == 1 or column.shape[0] == 1) and column.ndim:
            return self._outer(row, column)
        row, column = (h.reshape(x, (-1,)) for x in _broadcast(row, column))
        if whole._turned:
            row, column = column, row
        values = _combination.matched(whole._lines(), row, column)
        wanted = shape
        if len(shape) == 1 and all(isinstance(part, Array) for part in parts):
            return h.reshape(values, (1, -1)) if self._is_matrix else values
        if self._is_matrix and len(shape) == 1:
            wanted = (*shape, 1) if isinstance(parts[1], int) else (1, *shape)
        return self._of_dense(h.reshape(values, wanted))

    def _arrays(self: Any, parts: list[Any]) -> list[Array]:
        """The indices of rows and of columns as arrays."""
        return [
            p if isinstance(p, Array) else asarray(np.int64(p), queue=self.queue) for p in parts
        ]

    def _outer(self: Any, row: Array, column: Array) -> Any:
        """The matrix of all pairs of a row and a column."""
        whole = self._compressed()
        lines = whole._lines()
        rows, columns = (h.reshape(x, (-1,)) for x in (row, column))
        lines = _selected(lines, rows, whole._turned)
        lines = _selected(lines, columns, not whole._turned)
        return whole._of_lines(lines, (rows.size, columns.size))

    def __setitem__(self: Any, key: Any, value: Any) -> None:
        k = Key(self._mask_key(key), self.shape, self.data)
        row, column = self._grid([0, *k.parts] if self.ndim == 1 else k.parts)
        if row.size == 0:
            return
        values = self._values_for(value, k.shape)
        flat = [h.reshape(x, (-1,)) for x in _broadcast(row, column)]
        height, width = self._shape_as_2d
        kind = _rows.index_dtype(height, width)
        flat = [astype(x, kind, copy=False) for x in flat]
        given = Coordinates._make([h.reshape(values, (-1,)), *flat, height, width])
        self._replace(_assigned(self._canonical()._coordinates(), given))

    def _grid(self: Any, parts: list[Any]) -> list[Array]:
        """The rows and columns of a key's elements, which broadcast to the key's shape."""
        extents = self._shape_as_2d
        slices = [isinstance(part, slice) for part in parts]
        found = []
        for axis, part in enumerate(parts):
            if isinstance(part, slice):
                numbers = np.arange(*part.indices(extents[axis]), dtype=np.int64)
                x = asarray(numbers, queue=self.queue)
            else:
                x = self._arrays([part])[0]
            found.append(x)
        row, column = found
        if slices[1] and not isinstance(parts[0], int):
            row = h.expand_dims(row, -1)
        elif slices[0] and isinstance(parts[1], Array):
            row = h.reshape(row, (*row.shape, *(1,) * column.ndim))
        return [row, column]

    def _values_for(self: Any, value: Any, shape: tuple[int, ...]) -> Array:
        if self._is_sparse(value):
            value = value.toarray()
        if not isinstance(value, Array):
            value = asarray(_on_host(value, self.dtype), queue=self.queue)
        if value.dtype.kind == "c" and self.dtype.kind not in "cb":
            raise InvalidTypeError("assignment", f"a complex value does not fit {self.dtype}")
        x = astype(value, self.dtype, copy=False)
        if [n for n in x.shape if n != 1] == [n for n in shape if n != 1]:
            return h.reshape(x, shape)
        while x.ndim > len(shape) and x.shape[0] == 1:
            x = h.reshape(x, x.shape[1:])
        try:
            return h.broadcast_to(x, shape)
        except ValueError:
            raise InvalidValueError(
                "assignment", f"a value of shape {x.shape} does not fit the key's shape {shape}"
            ) from None

    def setdiag(self: Any, values: Any, k: int = 0) -> None:
        """Sets the k-th diagonal to a number or to the elements of a vector."""
        if self.ndim != 2:
            raise InvalidValueError("setdiag", f"shape is {self.shape}; it needs two dimensions")
        rows, columns = self.shape
        length = min(rows + min(k, 0), columns - max(k, 0))
        if (k > 0 and k >= columns) or (k < 0 and -k >= rows):
            raise InvalidValueError("setdiag", f"k={k} exceeds array dimensions {self.shape}")
        x = values if isinstance(values, Array) else _on_host(values, self.dtype)
        if x.ndim:
            length = min(length, x.size)
            x = x.reshape(-1)[: max(length, 0)]
        if length <= 0:
            return
        place = np.arange(length)
        self[place - min(k, 0), place + max(k, 0)] = x


def _on_host(value: Any, dtype: np.dtype) -> np.ndarray:
    """The value of an assignment as an array on the host. As for dense arrays, numbers that an
    integer dtype cannot hold are refused; arrays wrap around."""
    x = np.asarray(value)
    is_array = hasattr(value, "ndim") and value.ndim > 0
    if is_array or dtype.kind not in "iu" or x.dtype.kind not in "iufO":
        return x
    limits = np.iinfo(dtype)
    for number in x.ravel().tolist():
        if not limits.min - 1 < number < limits.max + 1:
            raise ScalarOverflowError(
                "assignment",
                f"the number {number} does not fit {dtype}; cast the sparse array to a wider "
                "dtype first",
            )
    return x.astype(dtype)


def _element(lines: Rows, index: list[int]) -> Array:
    line, place = index
    begin, end = int(lines.indptr[line]), int(lines.indptr[line + 1])
    found = lines.indices[begin:end] == place
    data = lines.data[begin:end]
    if data.dtype.kind == "b":
        return h.any(found & data, axis=0)
    return h.sum(h.where(found, data, h.zeros_like(data)), axis=0, dtype=data.dtype)


def _selected(lines: Rows, part: Any, across: bool) -> Rows:
    """Lines (or, with `across`, places in all lines) of a key's part."""
    extent = lines.width if across else lines.height
    if isinstance(part, int):
        part = slice(part, part + 1)
    if isinstance(part, slice):
        begin, stop, step = part.indices(extent)
        if step == 1:
            stop = max(stop, begin)
            cut = _rows.columns_between if across else _rows.span
            return cut(lines, begin, stop)
        numbers = np.arange(begin, stop, step, dtype=np.int64)
        part = asarray(numbers, queue=lines.data.queue)
    if not across:
        return _rows.taken(lines, part)
    return _rows.transposed(_rows.taken(_rows.transposed(lines), part))


def _assigned(old: Coordinates, new: Coordinates) -> Rows:
    """The elements, of which the last one that is given with a row and a column counts."""
    lines = [old.row, new.row, old.column, new.column]
    lines = _rows.with_common_dtype(lines, old.height, old.width)
    row, column = h.concat(lines[:2]), h.concat(lines[2:])
    data = h.concat([old.data, new.data])
    order = _rows.order_of(row, column, old.width, old.height)
    row, column, data = (h.take(x, order, axis=0) for x in (row, column, data))
    following = h.full((1,), True, np.bool_, queue=data.queue, usm_type=data.usm_type)
    last = h.concat([_rows._starts((row, column))[1:], following])
    places = h.nonzero(last)[0]
    data, row, column = (h.take(x, places, axis=0) for x in (data, row, column))
    c = Coordinates(data, row, column, old.height, old.width)
    return _rows.by_rows(c, summed=False, ordered=True)
