"""SciPy's older matrices: * is the matrix product, and results have two dimensions."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...errors import InvalidTypeError, InvalidValueError
from ._arithmetic import is_number
from ._formats import CooFormat, CscFormat, CsrFormat

__all__ = [
    "coo_matrix", "csc_matrix", "csr_matrix", "isspmatrix", "isspmatrix_coo", "isspmatrix_csc",
    "isspmatrix_csr", "spmatrix",
]  # fmt: skip


class spmatrix:  # noqa: N801 - SciPy's name
    """The class of csr_matrix, csc_matrix and coo_matrix, for isinstance()."""

    _is_matrix = True

    def __mul__(self: Any, other: Any) -> Any:
        return self.multiply(other) if is_number(other) else self._product("__mul__", other)

    def __rmul__(self: Any, other: Any) -> Any:
        return self.multiply(other) if is_number(other) else self.__rmatmul__(other)

    def __pow__(self: Any, other: Any) -> Any:
        rows, columns = self.shape
        if rows != columns:
            raise InvalidTypeError("__pow__", f"shape is {self.shape}; the matrix must be square")
        if is_number(other) and (np.iscomplexobj(other) or int(other) != other):
            raise InvalidValueError("__pow__", f"the power is {other}; it must be an integer")
        power = operator.index(other) if not isinstance(other, float) else int(other)
        if power < 0:
            raise InvalidValueError("__pow__", f"the power is {power}; it must not be negative")
        if power == 0:
            from ._construction import eye_array

            one = eye_array(rows, dtype=self.dtype, format="csr", queue=self.queue)
            return type(self)(one)
        if power == 1:
            return self.copy()
        half = self ** (power // 2)
        return self @ half @ half if power % 2 else half @ half

    def getnnz(self: Any, axis: Any = None) -> Any:
        """The number of stored elements, of all or along an axis."""
        return self._getnnz(axis)

    def getformat(self: Any) -> str:
        """The format: "csr", "csc" or "coo"."""
        return self.format

    def getmaxprint(self: Any) -> int:
        """The number of elements that are printed."""
        return self.maxprint or 50

    def get_shape(self: Any) -> tuple[int, ...]:
        """The extents."""
        return self._shape

    def set_shape(self: Any, shape: Any) -> None:
        """Gives the matrix other extents, and the same number of elements."""
        made = self.reshape(shape)
        self._shape = made.shape
        self._replace(made._by_rows())

    shape: property = property(get_shape, set_shape, doc="The extents, which can be assigned.")

    def asfptype(self: Any) -> Any:
        """The matrix with floating-point elements."""
        if self.dtype.kind in "fc":
            return self
        return self.astype(np.result_type(self.dtype, np.float32))

    def getH(self: Any) -> Any:  # noqa: N802 - SciPy's name
        """The conjugate transpose."""
        return self.conjugate().transpose()

    def getrow(self: Any, i: int) -> Any:
        """Row i as a matrix of one row."""
        return self[i, :]

    def getcol(self: Any, j: int) -> Any:
        """Column j as a matrix of one column."""
        return self[:, j]


class csr_matrix(spmatrix, CsrFormat):  # noqa: N801 - SciPy's name
    """A sparse matrix in rows. New programs use csr_array."""


class csc_matrix(spmatrix, CscFormat):  # noqa: N801 - SciPy's name
    """A sparse matrix in columns. New programs use csc_array."""


class coo_matrix(spmatrix, CooFormat):  # noqa: N801 - SciPy's name
    """A sparse matrix of elements with their coordinates. New programs use coo_array."""


def isspmatrix(x: Any) -> bool:
    """Whether x is a sparse matrix of hither, not an array."""
    return isinstance(x, spmatrix)


def isspmatrix_csr(x: Any) -> bool:
    """Whether x is a csr_matrix."""
    return isinstance(x, csr_matrix)


def isspmatrix_csc(x: Any) -> bool:
    """Whether x is a csc_matrix."""
    return isinstance(x, csc_matrix)


def isspmatrix_coo(x: Any) -> bool:
    """Whether x is a coo_matrix."""
    return isinstance(x, coo_matrix)
