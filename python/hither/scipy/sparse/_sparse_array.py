"""What the formats of sparse arrays have in common."""

from __future__ import annotations

import math
import operator
from types import GenericAlias
from typing import Any, ClassVar

import numpy as np

from ... import _hither as h
from ..._hither import Array, astype
from ..._libraries.scipy_module import absent_attribute
from ...errors import InvalidTypeError, InvalidValueError
from ...numpy._memory_order import ordered
from ...numpy._placement import deliver
from . import _products, _rows
from ._arguments import assigned, shape_of
from ._arithmetic import Arithmetic
from ._indexing import Indexing
from ._reductions import Reductions
from ._rows import Coordinates, Rows

__all__: list[str] = []

_FAMILIES: dict[tuple[bool, str], type[SparseArray]] = {}
_MOST_PRINTED = 50


class SparseArray(Arithmetic, Indexing, Reductions):
    """A sparse array of one or two dimensions.

    A format defines `_lines`, `_of_lines`, `_coordinates`, `_replace` and the arrays it stores. The
    *lines* of a format are its rows, or with `_turned` its columns.
    """

    format: ClassVar[str] = ""
    _is_matrix: ClassVar[bool] = False
    _turned: ClassVar[bool] = False
    _shape: tuple[int, ...]
    _data: Array
    maxprint: int | None = _MOST_PRINTED
    __class_getitem__: ClassVar[Any] = classmethod(GenericAlias)

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        if cls.format and cls.__name__.startswith(cls.format):
            _FAMILIES.setdefault((cls._is_matrix, cls.format), cls)

    def __getattr__(self, name: str) -> Any:
        """Names of SciPy's class that are absent are errors that tell SciPy's name."""
        raise absent_attribute(type(self), name)

    # -- the contract of a format

    def _lines(self) -> Rows:
        raise NotImplementedError

    @classmethod
    def _of_lines(cls, lines: Rows, shape: tuple[int, ...]) -> Any:
        raise NotImplementedError

    def _replace(self, rows: Rows) -> None:
        """Stores the elements of `rows`, a matrix by rows, in this array."""
        raise NotImplementedError

    def _with_data(self, data: Array, canonical: bool = False) -> Any:
        """An array with other elements at the same places, those of _canonical() if `canonical`."""
        whole = self._canonical() if canonical else self
        return whole._of_lines(whole._lines().with_data(data), self.shape)

    # -- forms

    @classmethod
    def _family(cls, format: str) -> Any:
        return _FAMILIES[cls._is_matrix, format]

    @staticmethod
    def _is_sparse(value: Any) -> bool:
        return isinstance(value, SparseArray)

    def _compressed(self) -> Any:
        """The array by rows or by columns."""
        return self.tocsr() if self.format == "coo" else self

    def _canonical(self) -> Any:
        """The array with each element in one part, in order."""
        lines = self._lines()
        return self if lines.canonical else self._of_lines(_rows.canonical(lines), self.shape)

    def _lines_like(self, other: SparseArray) -> Rows:
        """The lines of another format's kind: by rows or by columns."""
        lines = self._lines()
        return lines if self._turned == other._turned else _rows.transposed(lines)

    def _lines_along(self, axis: int) -> Rows:
        """Lines that are reduced along an axis: rows for 1, columns for 0. Canonical."""
        lines = self._canonical()._lines()
        return lines if (axis == 0) == self._turned else _rows.transposed(lines)

    def _by_rows(self) -> Rows:
        lines = self._lines()
        return _rows.transposed(lines) if self._turned else lines

    def _coordinates(self) -> Coordinates:
        c = _rows.coordinates(self._lines())
        if not self._turned:
            return c
        return Coordinates(c.data, c.column, c.row, c.width, c.height)

    def _of_dense(self, x: Array) -> Any:
        """A dense array in this format."""
        matrix = h.reshape(x, (1, -1)) if x.ndim < 2 else x
        if self._is_matrix and x.ndim < 2:
            x = matrix
        kind = type(self) if self.format != "coo" else self._family("csr")
        lines = _rows.from_dense(h.permute_dims(matrix, (1, 0)) if self._turned else matrix)
        if x.ndim == 1 and self._turned:
            return self._family("csr")._of_lines(_rows.from_dense(matrix), x.shape)
        return kind._of_lines(lines, x.shape)

    def _without_zeros(self) -> Any:
        return self._of_lines(_rows.without_zeros(self._lines()), self.shape)

    def _longest_line(self) -> int:
        return _products.longest_row(self._lines())

    def _times_dense(self, x: Array) -> Array:
        """The product of the form with two dimensions and x, whose extents fit."""
        whole = self.tocsr()
        lines = whole._lines()
        return _products.times_dense(lines, x, whole._longest_line())

    # -- properties

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents."""
        return self._shape

    @property
    def _shape_as_2d(self) -> tuple[int, int]:
        shape = self._shape
        return (1, shape[0]) if len(shape) == 1 else (shape[0], shape[1])

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._shape)

    @property
    def data(self) -> Array:
        """The stored elements. A vector that is assigned has as many elements, of any dtype."""
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        x = assigned("data", value, self._data)
        if x.shape != self._data.shape:
            raise InvalidValueError(
                "data", f"the value has shape {x.shape}, and there are {self.nnz} stored elements; "
                "make another sparse array to change their number",
            )  # fmt: skip
        self._data = x

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the elements."""
        return self.data.dtype

    @property
    def queue(self) -> Any:
        """The queue of the arrays, on which calls run."""
        return self.data.queue

    @property
    def device(self) -> Any:
        """The device of the arrays."""
        return self.data.device

    @property
    def usm_type(self) -> str:
        """The kind of memory of the elements."""
        return self.data.usm_type

    @property
    def nnz(self) -> int:
        """The number of stored elements, zeros included."""
        return self.data.size

    @property
    def size(self) -> int:
        """The number of stored elements, zeros included."""
        return self.data.size

    @property
    def T(self) -> Any:  # noqa: N802 - NumPy's name
        """The transpose."""
        return self.transpose()

    @property
    def real(self) -> Any:
        """The real parts."""
        return self._with_data(h.real(self.data)) if self.dtype.kind == "c" else self.copy()

    @property
    def imag(self) -> Any:
        """The imaginary parts."""
        data = h.imag(self.data) if self.dtype.kind == "c" else h.zeros_like(self.data)
        return self._with_data(data)

    def __len__(self) -> int:
        raise InvalidTypeError("len", "the length of a sparse array is not defined; use A.shape")

    def __bool__(self) -> bool:
        if math.prod(self.shape) == 1:
            return self.count_nonzero() == 1
        raise InvalidValueError(
            "bool", "an array of several elements is neither true nor false; use A.nnz"
        )

    def __iter__(self) -> Any:
        return (self[i] for i in range(self.shape[0]))

    def __repr__(self) -> str:
        names = {"csr": "Compressed Sparse Row", "csc": "Compressed Sparse Column"}
        kind = "matrix" if self._is_matrix else "array"
        return (
            f"<hither {names.get(self.format, 'COOrdinate')} sparse {kind} of dtype "
            f"'{self.dtype}'\n\twith {self.nnz} stored elements and shape {self.shape} on "
            f"{self.device.filter_string}>"
        )

    def __str__(self) -> str:
        c = self.tocoo()
        shown = min(self.nnz, self.maxprint or _MOST_PRINTED)
        lines = [h.asnumpy(x[:shown]).tolist() for x in (*c.coords, c.data)]
        text = [f"  {tuple(row[:-1])}\t{row[-1]}" for row in zip(*lines, strict=True)]
        rest = [] if shown == self.nnz else ["  :\t:"]
        return "\n".join([repr(self), "  Coords\tValues", *text, *rest])

    # -- conversions

    def toarray(self, order: Any = None, out: Any = None) -> Any:
        """The array with all its elements. Elements in several parts are summed."""
        if order not in (None, "C", "F"):
            raise InvalidValueError("toarray", f'order is {order!r}; it is "C" or "F"')
        result = _rows.dense(self._lines())
        if self._turned:
            result = h.permute_dims(result, (1, 0))
        result = h.reshape(result, self.shape)
        if out is not None:
            return deliver("toarray", result, out, "unsafe")
        return result if order is None else ordered(result, order)

    todense = toarray

    def get(self) -> Any:
        """A copy on the host, as SciPy's sparse array of the same format."""
        from ._conversion import to_scipy

        return to_scipy(self)

    def asformat(self, format: Any, copy: bool = False) -> Any:
        """The array in the format "csr", "csc" or "coo"."""
        if format is None or format == self.format:
            return self.copy() if copy else self
        if format not in ("csr", "csc", "coo"):
            raise InvalidValueError(
                "asformat", f'{format!r} is not "csr", "csc" or "coo"; A.get() gives SciPy\'s array'
            )
        return getattr(self, f"to{format}")(copy=copy)

    def tocsr(self, copy: bool = False) -> Any:
        """The array in rows. Elements in several parts are summed if the format was COO."""
        return self._family("csr")._of_lines(self._by_rows(), self.shape)

    def tocsc(self, copy: bool = False) -> Any:
        """The array in columns."""
        if self.ndim == 1:
            raise InvalidValueError("tocsc", "an array of one dimension has no columns")
        return self._family("csc")._of_lines(_rows.transposed(self._by_rows()), self.shape)

    def tocoo(self, copy: bool = True) -> Any:
        """The array as elements with their coordinates."""
        return self._family("coo")._of_coordinates(self._coordinates(), self.shape)

    def astype(self, dtype: Any, casting: str = "unsafe", copy: bool = True) -> Any:
        """The array with elements of another dtype."""
        kind = h.dtype_argument(dtype)
        if not np.can_cast(self.dtype, kind, casting):  # type: ignore[arg-type]
            raise InvalidTypeError(
                "astype", f"casting={casting!r} does not allow {self.dtype} to become {kind}"
            )
        if kind == self.dtype:
            return self.copy() if copy else self
        return self._with_data(astype(self.data, kind))

    def to_device(self, device: Any, *, usm_type: Any = None) -> Any:
        """The array with its elements and indices on another device or queue."""
        lines = self._lines()
        arrays = [
            h.asarray(x, queue=device, usm_type=usm_type)
            for x in (lines.data, lines.indices, lines.indptr)
        ]
        return self._of_lines(Rows._make([*arrays, *lines[3:]]), self.shape)

    def evaluate(self) -> Any:
        """Submits the pending work for the elements and indices, and does not wait."""
        h.evaluate(*self._lines()[:3])
        return self

    def copy(self) -> Any:
        """A copy of elements and indices."""
        lines = self._lines()
        data, indices, indptr = (h.copy(x) for x in lines[:3])
        return self._of_lines(Rows._make([data, indices, indptr, *lines[3:]]), self.shape)

    def conjugate(self, copy: bool = True) -> Any:
        """The complex conjugates of the elements."""
        if self.dtype.kind == "c":
            return self._with_data(h.conj(self.data))
        return self.copy() if copy else self

    conj = conjugate

    def transpose(self, axes: Any = None, copy: bool = False) -> Any:
        """The transpose: rows become columns. No element moves."""
        turned = tuple(range(self.ndim))[::-1]
        if axes is not None and (not np.iterable(axes) or tuple(axes) != turned):
            raise InvalidValueError(
                "transpose", f"axes is {axes!r}; leave it out: it would be {(1, 0)[-self.ndim :]}"
            )
        whole = self.copy() if copy else self
        if self.ndim == 1:
            return whole
        other = {"csr": "csc", "csc": "csr"}[self.format]
        return self._family(other)._of_lines(whole._lines(), self.shape[::-1])

    def nonzero(self) -> tuple[Array, ...]:
        """The coordinates of the elements that are not 0, in C order."""
        c = _rows.coordinates(_rows.without_zeros(_rows.canonical(self._by_rows())))
        return (c.row, c.column)[-self.ndim :]

    def reshape(self, *shape: Any, order: str = "C", copy: bool = False) -> Any:
        """The array with other extents; one of them may be -1."""
        given = shape[0] if len(shape) == 1 and np.iterable(shape[0]) else shape
        wanted = self._wanted_shape(tuple(map(operator.index, given)))
        if order not in ("C", "F"):
            raise InvalidValueError("reshape", f'order is {order!r}; it is "C" or "F"')
        if wanted == self.shape:
            return self.copy() if copy else self
        _rows.check_count("reshape", self.shape)
        c = self._coordinates()
        height, width = (1, wanted[0]) if len(wanted) == 1 else wanted
        if order == "C":
            key = _rows.keys(c.row, c.column, c.width)
            row, column = (key // width, key % width) if width else (key, key)
        else:
            key = _rows.keys(c.column, c.row, c.height)
            row, column = (key % height, key // height) if height else (key, key)
        kind = _rows.index_dtype(height, width, self.nnz)
        row, column = astype(row, kind), astype(column, kind)
        moved_ones = Coordinates(c.data, row, column, height, width)
        coo = self._family("coo")._of_coordinates(moved_ones, wanted)
        if copy:
            coo = coo.copy()
        return coo.asformat("csr" if len(wanted) == 1 and self._turned else self.format)

    def _wanted_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        count = math.prod(self.shape)
        if -1 in shape:
            rest = -math.prod(shape)
            if shape.count(-1) > 1 or rest == 0 or count % rest:
                raise InvalidValueError(
                    "reshape", f"an array of {count} elements does not have the shape {shape}"
                )
            shape = tuple(count // rest if n == -1 else n for n in shape)
        if self._is_matrix and len(shape) == 1:
            shape = (1, *shape)
        wanted = shape_of("reshape", shape)
        if math.prod(wanted) != count:
            raise InvalidValueError(
                "reshape", f"an array of {count} elements does not have the shape {shape}"
            )
        return wanted

    def resize(self, *shape: Any) -> None:
        """Changes the extents in place. Elements outside of the new ones are dropped."""
        given = shape[0] if len(shape) == 1 and np.iterable(shape[0]) else shape
        wanted = shape_of("resize", given, (self.ndim,))
        c = self._coordinates()
        height, width = (1, wanted[0]) if len(wanted) == 1 else wanted
        places = h.nonzero((c.row < height) & (c.column < width))[0]
        arrays = (h.take(x, places, axis=0) for x in (c.data, c.row, c.column))
        self._shape = wanted
        self._replace(_rows.by_rows(Coordinates._make([*arrays, height, width]), summed=False))

    def _broadcast_to(self, shape: tuple[int, ...], copy: bool = False) -> Any:
        if shape == self.shape:
            return self.copy() if copy else self
        height, width = self._shape_as_2d
        tall, wide = (1, *shape) if len(shape) == 1 else shape
        if height not in (1, tall) or width not in (1, wide):
            raise InvalidValueError(
                "broadcast", f"an array of shape {self.shape} does not fit the shape {shape}"
            )
        rows = self._by_rows()
        if height != tall:
            rows = _rows.taken(rows, _rows.zeros((tall,), np.int64, rows.data))
        if width != wide:
            columns = _rows.zeros((wide,), np.int64, rows.data)
            rows = _rows.transposed(_rows.taken(_rows.transposed(rows), columns))
        csr = self._family("csr")._of_lines(rows, shape)
        return csr.asformat("csc") if self._turned and len(shape) == 2 else csr

    def sum_duplicates(self) -> None:
        """Sums the parts of elements, and sorts, in place."""
        if not self._lines().canonical:
            self._replace(_rows.canonical(self._by_rows()))

    def eliminate_zeros(self) -> None:
        """Removes stored zeros in place."""
        self._replace(_rows.without_zeros(self._by_rows()))
