"""Sums, means, extremes and counts of sparse arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _hither as h
from ... import numpy as hnp
from ..._array.array_utils import normalize_axis_index
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError
from ...numpy._placement import deliver
from ...numpy._segments import tallied
from . import _rows
from ._rows import Rows

__all__: list[str] = []

_NUMBERS = np.dtype(np.int64)


def sum_dtype(dtype: np.dtype) -> np.dtype:
    """The dtype of a sum, as in NumPy."""
    if dtype.kind == "u":
        return np.result_type(dtype, np.uint64)
    return np.result_type(dtype, np.int64) if dtype.kind in "bi" else dtype


class Reductions:
    """Reductions along an axis give dense arrays, and extremes sparse ones. Matrices have results
    of two dimensions."""

    def _axis(self: Any, name: str, axis: Any) -> int | None:
        """0 or 1 of the form with two dimensions, or None for all elements."""
        if axis is None:
            return None
        if isinstance(axis, tuple):
            places = {normalize_axis_index(a, self.ndim) for a in axis}
            if len(places) != len(axis):
                raise InvalidValueError(name, f"axis={axis} names an axis twice")
            if len(places) == self.ndim:
                return None
            (axis,) = places
        if isinstance(axis, (bool, float)):
            raise InvalidTypeError(name, f"axis is {axis!r}; it must be an integer")
        place = normalize_axis_index(axis, self.ndim)
        return None if self.ndim == 1 else place

    def _delivered(self: Any, name: str, result: Array, axis: int | None, out: Any) -> Array:
        if self._is_matrix and axis is not None:
            result = h.expand_dims(result, axis)
        if out is None:
            return result
        if self._is_matrix and axis is None:
            result = h.reshape(result, (1, 1))
        return deliver(name, result, out, "unsafe")

    def sum(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The sum of all elements, or the sums along an axis, as a dense array."""
        place = self._axis("sum", axis)
        kind = sum_dtype(self.dtype)
        wanted = kind if dtype is None else h.dtype_argument(dtype)
        if place is None:
            result = h.sum(self.data, axis=0, dtype=kind)
        else:
            result = self._line_sums(place, kind)
        return self._delivered("sum", astype(result, wanted, copy=False), place, out)

    def _line_sums(self: Any, axis: int, kind: Any) -> Array:
        lines: Rows = self._compressed()._lines()
        along = (axis == 1) != self._compressed()._turned
        data = astype(lines.data, kind, copy=False)
        if along:
            return _rows.sums_of(data, lines.begins, lines.ends, data.size, kind)
        return tallied(lines.indices, data, lines.width)

    def mean(self: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        """The mean of all elements, or the means along an axis, as a dense array."""
        place = self._axis("mean", axis)
        whole = self.dtype.kind in "biu"
        kind = h.dtype_argument(dtype) if dtype is not None else None
        result_kind = kind or (np.dtype(np.float64) if whole else self.dtype)
        inner = np.dtype(np.float64) if whole and (kind is None or kind.kind in "biu") else None
        inner = inner or result_kind
        height, width = self._shape_as_2d
        count = height * width if place is None else (height, width)[place]
        if count == 0:
            raise InvalidValueError("mean", "there are no elements, so that there is no mean")
        data = astype(self.data, inner, copy=False)
        if place is None:
            result = h.sum(data, axis=0) / count
        else:
            result = self._with_data(data)._line_sums(place, inner) / count
        return self._delivered("mean", astype(result, result_kind, copy=False), place, out)

    def max(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The largest element, or a sparse array of the largest along an axis. With `explicit`,
        elements that are not stored do not count."""
        return self._extreme("max", axis, out, explicit)

    def min(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The smallest element, or a sparse array of the smallest along an axis. With `explicit`,
        elements that are not stored do not count."""
        return self._extreme("min", axis, out, explicit)

    def nanmax(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """As max(), without NaNs."""
        return self._without_nans("max", explicit)._extreme("max", axis, out, explicit)

    def nanmin(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """As min(), without NaNs."""
        return self._without_nans("min", explicit)._extreme("min", axis, out, explicit)

    def _without_nans(self: Any, name: str, explicit: bool) -> Any:
        """The array with an element that never is the extreme in place of each NaN."""
        if self.dtype.kind != "f":
            return self
        data = self._canonical().data
        other = float("-inf") if name == "max" else float("inf")
        return self._with_data(h.where(h.isnan(data), other, data), canonical=True)

    def _refuse_out(self, name: str, out: Any) -> None:
        if out is not None:
            raise InvalidValueError(name, "out is not supported for sparse arrays; leave it out")

    def _extreme(self: Any, name: str, axis: Any, out: Any, explicit: bool) -> Any:
        self._refuse_out(name, out)
        place = self._axis(name, axis)
        array = self._canonical()
        if place is None:
            return self._extreme_of_all(name, array, explicit)
        lines = array._lines_along(place)
        if lines.width == 0:
            raise InvalidValueError(name, "an axis without elements has no extreme")
        values = _line_extremes(name, lines, explicit)
        line = _rows.from_dense(h.reshape(values, (1, -1)))
        family = self._family("coo")
        if not self._is_matrix:
            return family._of_lines(line, (lines.height,))
        row = family._of_lines(line, (1, lines.height))
        return row if place == 0 else row.T

    def _extreme_of_all(self: Any, name: str, array: Any, explicit: bool) -> Any:
        height, width = self._shape_as_2d
        if height * width == 0:
            raise InvalidValueError(name, "an array without elements has no extreme")
        data = array.data
        if data.size == 0:
            return _rows.zeros((), data.dtype, data)
        value = getattr(hnp, name)(data, axis=0)
        if explicit or data.size == height * width:
            return value
        return (hnp.maximum if name == "max" else hnp.minimum)(value, h.zeros_like(value))

    def argmax(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The index of the largest element, of the flattened array or along an axis."""
        return self._place_of_extreme("argmax", axis, out, explicit)

    def argmin(self: Any, axis: Any = None, out: Any = None, *, explicit: bool = False) -> Any:
        """The index of the smallest element, of the flattened array or along an axis."""
        return self._place_of_extreme("argmin", axis, out, explicit)

    def _place_of_extreme(self: Any, name: str, axis: Any, out: Any, explicit: bool) -> Any:
        self._refuse_out(name, out)
        place = self._axis(name, axis)
        height, width = self._shape_as_2d
        if (height * width if place is None else (height, width)[place]) == 0:
            raise InvalidValueError(name, "there are no elements, so that there is no extreme")
        array = self._canonical()
        lines = array._lines_along(1 if place is None else place)
        if explicit and bool(h.any(lines.ends == lines.begins)) and place is not None:
            raise InvalidValueError(name, "a line has no stored element; leave out explicit")
        if place is None:
            lines = _flattened(name, lines)
        columns = _line_places(name, lines, explicit)
        if place is None:
            return columns[0]
        return self._delivered(name, columns, place, None)

    def count_nonzero(self: Any, axis: Any = None) -> Any:
        """The number of elements that are not 0, of all or along an axis."""
        place = self._axis("count_nonzero", axis)
        array = self._canonical()
        marks = array.data != 0
        if place is None:
            return int(h.sum(marks, axis=0, dtype=np.int64)) if marks.size else 0
        return array._with_data(marks, canonical=True)._line_sums(place, _NUMBERS)

    def _getnnz(self: Any, axis: Any = None) -> Any:
        place = self._axis("getnnz", axis)
        if place is None:
            return self.data.size
        ones = h.full((self.data.size,), True, np.bool_, queue=self.queue)
        return self._with_data(ones)._line_sums(place, _NUMBERS)

    def trace(self: Any, offset: int = 0) -> Any:
        """The sum of a diagonal."""
        return h.sum(self.diagonal(k=offset), axis=0)

    def diagonal(self: Any, k: int = 0) -> Any:
        """The k-th diagonal, as a dense vector."""
        if self.ndim != 2:
            raise InvalidValueError("diagonal", f"shape is {self.shape}; it needs two dimensions")
        rows, columns = self.shape
        length = max(min(rows + min(k, 0), columns - max(k, 0)), 0)
        result = _rows.zeros((length,), self.dtype, self.data)
        if length == 0 or self.data.size == 0:
            return result
        c = self._canonical()._coordinates()
        places = h.nonzero(astype(c.column, np.int64) - astype(c.row, np.int64) == k)[0]
        first = astype(h.take(c.row, places, axis=0), np.int64) + min(k, 0)
        result[first] = h.take(c.data, places, axis=0)
        return result


def _flattened(name: str, lines: Rows) -> Rows:
    """The elements in one line."""
    _rows.check_count(name, (lines.height, lines.width))
    c = _rows.coordinates(lines)
    ends = h.asarray(np.array([0, lines.data.size]), queue=lines.data.queue)
    key = _rows.keys(c.row, c.column, lines.width)
    return Rows(lines.data, key, ends, 1, lines.height * lines.width, True)


def _reduced(name: str, data: Array, lines: Rows) -> Array:
    """A reduction of each line's values."""
    longest = int(h.max(lines.ends - lines.begins)) if lines.height else 0
    return _rows.reduced_segments(data, lines.begins, lines.ends, name, longest, data.size)


def _line_extremes(name: str, lines: Rows, explicit: bool) -> Array:
    """The extreme of each line. `lines` are canonical."""
    data = lines.data
    if data.size == 0 or lines.height == 0:
        return _rows.zeros((lines.height,), data.dtype, data)
    if data.dtype.kind == "b":
        combination = "any" if name == "max" else "all"
    elif data.dtype.kind == "c":
        raise InvalidTypeError(name, "complex elements have no order along an axis")
    else:
        combination = name
    value = _reduced(combination, data, lines)
    count = lines.ends - lines.begins
    zero = h.zeros_like(value)
    if explicit:
        return h.where(count == 0, zero, value)
    other = (h.maximum if name == "max" else h.minimum)(value, zero)
    if data.dtype.kind == "b":
        other = value if name == "max" else zero
    return h.where(count < lines.width, other, value)


def _line_places(name: str, lines: Rows, explicit: bool) -> Array:
    """The column of the first extreme of each line. `lines` are canonical."""
    data, beyond = lines.data, np.int64(lines.width)
    if data.size == 0:
        return _rows.zeros((lines.height,), np.int64, data)
    if data.dtype.kind == "b":
        lines = lines.with_data(astype(data, np.int8))
        return _line_places(name, lines, explicit)
    extreme = _line_extremes("max" if name == "argmax" else "min", lines, explicit)
    row = _rows.row_numbers(lines.indptr, data.size)
    best = h.take(extreme, row, axis=0)
    is_best = data == best
    if data.dtype.kind == "f":
        is_best = is_best | (h.isnan(data) & h.isnan(best))
    column = astype(lines.indices, np.int64)
    stored = _reduced("min", h.where(is_best, column, beyond), lines)
    if explicit:
        return stored
    # The first column without an element is where columns stop to equal their numbers.
    own = _rows.whole(data.size, data) - h.take(lines.begins, row, axis=0)
    gap = _reduced("min", h.where(column != own, own, beyond), lines)
    count = astype(lines.ends - lines.begins, np.int64)
    gap = h.minimum(gap, count)
    has_gap = (count < lines.width) & (extreme == 0)
    return h.where(has_gap, h.minimum(stored, gap), stored)
