"""The formats: rows (CSR), columns (CSC) and coordinates (COO)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _hither as h
from ..._array.array_utils import normalize_axis_index
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError
from . import _arguments, _conversion, _rows
from ._arguments import Place
from ._rows import Coordinates, Rows
from ._sparse_array import SparseArray

__all__ = ["coo_array", "csc_array", "csr_array", "sparray"]


class sparray:  # noqa: N801 - SciPy's name
    """The class of csr_array, csc_array and coo_array, for isinstance()."""


class Compressed(SparseArray):
    """Lines of elements with their places in the lines. `indptr` tells where lines begin."""

    _indices: Array
    _indptr: Array
    # Whether the indices are known to be canonical, and the longest line, if it is known.
    _facts: tuple[bool, int | None]

    def __init__(
        self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, *,
        maxprint: int | None = None, queue: Any = None, device: Any = None, usm_type: Any = None,
    ) -> None:  # fmt: skip
        place = Place(type(self).__name__, queue, device, usm_type, dtype)
        self.maxprint: int | None = self.maxprint if maxprint is None else maxprint
        lines, own_shape = self._parsed(place, arg1, shape, copy)
        if shape is not None and _arguments.shape_of(place.function, shape) != own_shape:
            raise InvalidValueError(
                place.function, f"shape is {shape}, and the argument has the shape {own_shape}"
            )
        self._store(lines, own_shape)

    def _parsed(self, place: Place, given: Any, shape: Any, copy: bool) -> Any:
        """The lines and the shape that the first argument describes."""
        dimensions = (2,) if self._turned or self._is_matrix else (1, 2)
        if self._is_sparse(given) or _arguments.is_foreign(given):
            x = _conversion.converted(place, given, self._family(self.format), copy)
            if x.ndim not in dimensions:
                raise InvalidValueError(place.function, f"shape is {x.shape}; it needs two extents")
            return x._lines(), x.shape
        if _arguments.is_shape(given):
            own = _arguments.shape_of(place.function, given, dimensions)
            height, width = (1, own[0]) if len(own) == 1 else own
            size = (width, height) if self._turned else (height, width)
            kind = np.dtype(np.float64) if place.dtype is None else place.dtype
            return _rows.empty(*size, kind, place.like()), own
        if isinstance(given, tuple) and len(given) == 2:
            c, own = _arguments.coordinates(place, given, shape, copy)
            coo = self._family("coo")._of_coordinates(c, own)
            return coo.asformat(self.format)._lines(), own
        _arguments.refuse_shape(place.function, given)
        if isinstance(given, tuple) and len(given) == 3:
            return _arguments.compressed(place, given, shape, self._turned, copy)
        return self._of_dense_argument(place, given, dimensions)

    def _of_dense_argument(self, place: Place, given: Any, dimensions: Any) -> Any:
        rows, own = _arguments.dense(place, given)
        if len(own) not in dimensions:
            if not self._is_matrix:
                raise InvalidValueError(place.function, f"arg1 has shape {own}, not two dimensions")
            own = (1, *own)
        return (_rows.transposed(rows) if self._turned else rows), own

    def _store(self, lines: Rows, shape: tuple[int, ...]) -> None:
        """Keeps lines that are known to be right."""
        self._shape = shape
        self._data, self._indices, self._indptr = lines[:3]
        self._facts = (lines.canonical, None)

    def _lines(self) -> Rows:
        height, width = self._shape_as_2d
        size = (width, height) if self._turned else (height, width)
        return Rows._make([self._data, self._indices, self._indptr, *size, self._facts[0]])

    @property
    def indices(self) -> Array:
        """The columns of the elements, or their rows in CSC. A vector that is assigned is checked,
        which waits for it: kernels address memory by it."""
        return self._indices

    @indices.setter
    def indices(self, value: Any) -> None:
        value = _arguments.assigned("indices", value, self._indices, True)
        self._check_and_store("indices", value, self._indptr)

    @property
    def indptr(self) -> Array:
        """Where the elements of each line begin, and the number of elements. A vector that is
        assigned is checked, which waits for it. Elements that it does not name are dropped."""
        return self._indptr

    @indptr.setter
    def indptr(self, value: Any) -> None:
        value = _arguments.assigned("indptr", value, self._indptr, True)
        self._check_and_store("indptr", self._indices, value)

    def _check_and_store(self, function: str, indices: Array, indptr: Array) -> None:
        place = Place(function, None, None, None, None)
        given = (self._data, indices, indptr)
        self._store(*_arguments.compressed(place, given, self.shape, self._turned, False))

    @classmethod
    def _of_lines(cls, lines: Rows, shape: tuple[int, ...]) -> Any:
        made = cls.__new__(cls)
        made._store(lines, shape)
        return made

    def _replace(self, rows: Rows) -> None:
        self._store(_rows.transposed(rows) if self._turned else rows, self.shape)

    def _canonical(self) -> Any:
        if self._facts[0]:
            return self
        lines = _rows.canonical(self._lines())
        if lines.indices is self._indices:
            self._facts = (True, self._facts[1])
            return self
        return self._of_lines(lines, self.shape)

    def _longest_line(self) -> int:
        canonical, longest = self._facts
        if longest is None:
            longest = super()._longest_line()
            self._facts = (canonical, longest)
        return longest

    @property
    def has_sorted_indices(self) -> bool:
        """Whether the indices of each line are sorted. It waits for them.

        A value that is assigned is ignored: hither reads the indices where it needs to know.
        """
        return _rows.is_sorted(self._lines())

    @has_sorted_indices.setter
    def has_sorted_indices(self, value: bool) -> None:
        self._forget()

    @property
    def has_canonical_format(self) -> bool:
        """Whether each element has one part, and the indices are sorted. It waits for them.

        A value that is assigned is ignored: hither reads the indices where it needs to know.
        """
        return self._canonical() is self

    @has_canonical_format.setter
    def has_canonical_format(self, value: bool) -> None:
        self._forget()

    def _forget(self) -> None:
        """Reads the indices again, which may have been written."""
        self._facts = (False, None)

    def sorted_indices(self) -> Any:
        """A copy with sorted indices."""
        made = self.copy()
        made.sort_indices()
        return made

    def sort_indices(self) -> None:
        """Sorts the indices of each line in place."""
        lines = self._lines()
        if not _rows.is_sorted(lines):
            self._store(_rows.by_rows(_rows.coordinates(lines), summed=False), self.shape)

    def prune(self) -> None:
        """Does nothing: no memory is kept behind the elements."""

    def check_format(self, full_check: bool = True) -> None:
        """Raises ValueError if the arrays do not describe a matrix. It waits for them.

        Programs call it after they write into `indices` or `indptr`: what was known of the order
        of the indices is forgotten, and elements that `indptr` no longer names are dropped.
        """
        self._check_and_store("check_format", self._indices, self._indptr)


class CsrFormat(Compressed):
    format = "csr"

    def tocsr(self, copy: bool = False) -> Any:
        """The array itself, or a copy."""
        return self.copy() if copy else self


class CscFormat(Compressed):
    format = "csc"
    _turned = True

    def tocsc(self, copy: bool = False) -> Any:
        """The array itself, or a copy."""
        return self.copy() if copy else self

    def _times_dense(self, x: Array) -> Array:
        """A CPU adds the products of a vector in the order of the columns, without the rows."""
        from ...numpy._segments import sorts_numbers, tallied

        if x.ndim == 2 or sorts_numbers(x) or self.nnz == 0:
            return super()._times_dense(x)
        kind = np.result_type(self.dtype, x.dtype)
        c = self._coordinates()
        factors = h.take(astype(x, kind, copy=False), c.column, axis=0)
        return tallied(c.row, astype(c.data, kind, copy=False) * factors, self.shape[0])


class CooFormat(SparseArray):
    format = "coo"
    _coords: tuple[Array, Array]
    _is_canonical: bool  # known to be in order, with each element in one part

    def __init__(
        self, arg1: Any, shape: Any = None, dtype: Any = None, copy: bool = False, *,
        maxprint: int | None = None, queue: Any = None, device: Any = None, usm_type: Any = None,
    ) -> None:  # fmt: skip
        place = Place(type(self).__name__, queue, device, usm_type, dtype)
        self.maxprint: int | None = self.maxprint if maxprint is None else maxprint
        dimensions = (2,) if self._is_matrix else (1, 2)
        canonical = False
        _arguments.refuse_shape(place.function, arg1)
        if self._is_sparse(arg1) or _arguments.is_foreign(arg1):
            x = _conversion.converted(place, arg1, self._family("coo"), copy)
            c, own = x._coordinates(), x.shape
        elif _arguments.is_shape(arg1):
            own = _arguments.shape_of(place.function, arg1, dimensions)
            height, width = (1, own[0]) if len(own) == 1 else own
            kind = np.dtype(np.float64) if place.dtype is None else place.dtype
            c = _rows.coordinates(_rows.empty(height, width, kind, place.like()))
        elif isinstance(arg1, tuple) and len(arg1) == 2 and not np.isscalar(arg1[1]):
            c, own = _arguments.coordinates(place, arg1, shape, copy)
        else:
            rows, own = _arguments.dense(place, arg1)
            c, canonical = _rows.coordinates(rows), True
        if len(own) not in dimensions:
            own = (1, *own)
        if shape is not None and _arguments.shape_of(place.function, shape) != own:
            raise InvalidValueError(
                place.function, f"shape is {shape}, and the argument has the shape {own}"
            )
        self._store(c, own, canonical)

    def _store(self, c: Coordinates, shape: tuple[int, ...], canonical: bool = False) -> None:
        """Keeps elements that are known to be right."""
        self._shape = shape
        self._data = c.data
        self._coords = (c.row, c.column)
        self._is_canonical = canonical

    @classmethod
    def _of_coordinates(cls, c: Coordinates, shape: tuple[int, ...]) -> Any:
        made = cls.__new__(cls)
        made._store(c, shape)
        return made

    @classmethod
    def _of_lines(cls, lines: Rows, shape: tuple[int, ...]) -> Any:
        made = cls.__new__(cls)
        made._store(_rows.coordinates(lines), shape, lines.canonical)
        return made

    def _with_data(self, data: Array, canonical: bool = False) -> Any:
        whole = self._canonical() if canonical else self
        made = type(self)._of_coordinates(whole._coordinates()._replace(data=data), self.shape)
        made._is_canonical = whole._is_canonical
        return made

    def _coordinates(self) -> Coordinates:
        return Coordinates._make([self.data, *self._coords, *self._shape_as_2d])

    def _lines(self) -> Rows:
        return _rows.by_rows(self._coordinates(), ordered=self._is_canonical)

    def _canonical(self) -> Any:
        if self._is_canonical:
            return self
        return self._of_lines(self._lines(), self.shape)

    def _replace(self, rows: Rows) -> None:
        self._store(_rows.coordinates(rows), self.shape, rows.canonical)

    @property
    def coords(self) -> tuple[Array, ...]:
        """The indices of the elements, a vector for each dimension. Vectors that are assigned are
        checked, which waits for them: kernels address memory by them."""
        return self._coords[-self.ndim :]

    @coords.setter
    def coords(self, value: Any) -> None:
        self._check_and_store("coords", value)

    @property
    def row(self) -> Array:
        """The rows of the elements. A vector that is assigned is checked, as in coords."""
        return self._coords[0]

    @row.setter
    def row(self, value: Any) -> None:
        if self.ndim == 1:
            raise InvalidValueError("row", "an array of one dimension has one row; assign to col")
        self._check_and_store("row", (value, self._coords[1]))

    @property
    def col(self) -> Array:
        """The columns of the elements. A vector that is assigned is checked, as in coords."""
        return self._coords[1]

    @col.setter
    def col(self, value: Any) -> None:
        self._check_and_store("col", (*self.coords[:-1], value))

    def _check_and_store(self, function: str, given: Any) -> None:
        if not isinstance(given, (tuple, list)) or len(given) != self.ndim:
            raise InvalidTypeError(
                function, f"takes a tuple of {self.ndim} vectors, one for each dimension"
            )
        vectors = [_arguments.assigned(function, x, self._data, True) for x in given]
        place = Place(function, None, None, None, None)
        c, shape = _arguments.coordinates(place, (self._data, vectors), self.shape, False)
        self._store(c, shape)

    @property
    def has_canonical_format(self) -> bool:
        """Whether the elements are known to be in order, each in one part, as after
        sum_duplicates().

        A value that is assigned is not believed: the elements count as in any order.
        """
        return self._is_canonical

    @has_canonical_format.setter
    def has_canonical_format(self, value: bool) -> None:
        self._forget()

    def _forget(self) -> None:
        """Takes the elements to be in any order, because they may have been written."""
        self._is_canonical = False

    def check_format(self, full_check: bool = True) -> None:
        """Raises ValueError if the arrays do not describe a matrix. It waits for them.

        Programs call it after they write into `coords`: what was known of the order of the
        elements is forgotten.
        """
        self._check_and_store("check_format", self.coords)

    def tocoo(self, copy: bool = False) -> Any:
        """The array itself, or a copy."""
        return self.copy() if copy else self

    def copy(self) -> Any:
        """A copy of elements and coordinates."""
        c = self._coordinates()
        arrays = [h.copy(x) for x in c[:3]]
        made = self._of_coordinates(Coordinates._make([*arrays, *c[3:]]), self.shape)
        made._is_canonical = self._is_canonical
        return made

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """The axes in another order, by default in the reverse one. No element moves."""
        known = list(range(self.ndim))
        given = known[::-1] if axes is None else axes
        order = [normalize_axis_index(a, self.ndim) for a in given] if np.iterable(given) else []
        if sorted(order) != known:
            raise InvalidValueError("transpose", f"axes is {axes!r}; it must name each axis once")
        made = self
        if order == [1, 0]:
            c = self._coordinates()
            turned = Coordinates(c.data, c.column, c.row, c.width, c.height)
            made = self._of_coordinates(turned, self.shape[::-1])
        return made.copy() if copy else made

    def to_device(self, device: Any, *, usm_type: Any = None) -> Any:
        """The array with its elements and coordinates on another device or queue."""
        c = self._coordinates()
        arrays = [h.asarray(x, queue=device, usm_type=usm_type) for x in c[:3]]
        return self._of_coordinates(Coordinates._make([*arrays, *c[3:]]), self.shape)

    def evaluate(self) -> Any:
        """Submits the pending work for the elements and coordinates, and does not wait."""
        h.evaluate(self.data, *self._coords)
        return self

    def sum_duplicates(self) -> None:
        """Sums the parts of elements, and sorts, in place."""
        if not self._is_canonical:
            self._replace(self._lines())

    def eliminate_zeros(self) -> None:
        """Removes stored zeros in place."""
        places = h.nonzero(self.data != 0)[0]
        arrays = [h.take(x, places, axis=0) for x in (self.data, *self._coords)]
        size = self._shape_as_2d
        self._store(Coordinates._make([*arrays, *size]), self.shape, self._is_canonical)


class csr_array(CsrFormat, sparray):  # noqa: N801 - SciPy's name
    """A sparse array in rows."""


class csc_array(CscFormat, sparray):  # noqa: N801 - SciPy's name
    """A sparse array in columns."""


class coo_array(CooFormat, sparray):  # noqa: N801 - SciPy's name
    """A sparse array of elements with their coordinates."""
