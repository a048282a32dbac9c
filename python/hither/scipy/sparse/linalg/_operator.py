"""Linear operators: matrices that are known by their products."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from .... import _hither as h
from ...._checked_call import checked
from ...._hither import Array, asarray
from ...._names import a_type
from ....errors import InvalidTypeError, InvalidValueError, UnsupportedError
from .._arguments import refuse_foreign
from .._arithmetic import is_number
from .._sparse_array import SparseArray

__all__ = ["LinearOperator", "aslinearoperator"]


class LinearOperator:
    """A matrix of which only products are known.

    ``LinearOperator(shape, matvec, rmatvec=None, matmat=None, dtype=None, rmatmat=None)`` takes
    functions of arrays. A subclass defines `_matvec` or `_matmat`, and `_rmatvec` or `_adjoint` for
    products with the conjugate transpose. Without dtype, a product with random numbers on the
    default queue tells it.
    """

    ndim = 2
    __array_ufunc__ = None
    dtype: Any
    shape: tuple[int, int]

    def __new__(cls, *args: Any, **keywords: Any) -> Any:
        return super().__new__(_Functions if cls is LinearOperator else cls)

    def __init__(self, dtype: Any, shape: Any) -> None:
        try:
            found = tuple(map(operator.index, shape))
        except TypeError:
            raise InvalidTypeError(
                "LinearOperator", f"shape is {shape!r}; it needs two extents"
            ) from None
        if len(found) != 2 or min(found) < 0:
            raise InvalidValueError("LinearOperator", f"shape is {shape!r}; it needs two extents")
        self.dtype = None if dtype is None else h.dtype_argument(dtype)
        self.shape = found

    def _find_dtype(self) -> None:
        if self.dtype is None:
            numbers = np.random.default_rng(0).standard_normal(self.shape[1])
            self.dtype = self.matvec(asarray(numbers)).dtype

    # -- what a subclass defines

    def _matvec(self, x: Any) -> Any:
        return self.matmat(h.reshape(x, (-1, 1)))

    def _matmat(self, X: Any) -> Any:
        columns = [h.reshape(self.matvec(X[:, j]), (-1, 1)) for j in range(X.shape[1])]
        return h.concat(columns, axis=1) if columns else h.zeros((self.shape[0], 0), X.dtype)

    def _rmatvec(self, x: Any) -> Any:
        if type(self)._adjoint is LinearOperator._adjoint:
            raise UnsupportedError(
                "rmatvec", "the operator defines neither rmatvec nor its adjoint"
            )
        return self.H.matvec(x)

    def _rmatmat(self, X: Any) -> Any:
        if type(self)._adjoint is not LinearOperator._adjoint:
            return self.H.matmat(X)
        columns = [h.reshape(self.rmatvec(X[:, j]), (-1, 1)) for j in range(X.shape[1])]
        return h.concat(columns, axis=1) if columns else h.zeros((self.shape[1], 0), X.dtype)

    def _adjoint(self) -> LinearOperator:
        return _Adjoint(self)

    # -- products

    def _vector(self, name: str, x: Any, function: Any, before: int, after: int) -> Any:
        x = _array(name, x)
        if x.shape not in ((before,), (before, 1)):
            raise InvalidValueError(
                name, f"x has shape {x.shape}; an operator of shape {self.shape} takes ({before},)"
            )
        result = _array(name, function(x))
        if result.size != after:
            raise InvalidValueError(
                name,
                f"the function gave an array of shape {result.shape}; an operator of shape "
                f"{self.shape} gives ({after},)",
            )
        return h.reshape(result, (after,) if x.ndim == 1 else (after, 1))

    def matvec(self, x: Any) -> Any:
        """The product with a vector."""
        return self._vector("matvec", x, self._matvec, self.shape[1], self.shape[0])

    def rmatvec(self, x: Any) -> Any:
        """The product of the conjugate transpose with a vector."""
        return self._vector("rmatvec", x, self._rmatvec, self.shape[0], self.shape[1])

    def _matrix(self, name: str, given: Any, function: Any, before: int) -> Any:
        x = given if isinstance(given, SparseArray) else _array(name, given)
        if x.ndim != 2 or x.shape[0] != before:
            raise InvalidValueError(
                name,
                f"X has shape {x.shape}; an operator of shape {self.shape} takes ({before}, n)",
            )
        return function(x)

    def matmat(self, X: Any) -> Any:
        """The product with a matrix."""
        return self._matrix("matmat", X, self._matmat, self.shape[1])

    def rmatmat(self, X: Any) -> Any:
        """The product of the conjugate transpose with a matrix."""
        return self._matrix("rmatmat", X, self._rmatmat, self.shape[0])

    def dot(self, x: Any) -> Any:
        """The product with an operator, a number, a vector or a matrix."""
        if isinstance(x, LinearOperator):
            return _Product(self, x)
        if is_number(x):
            return _Scaled(self, x)
        if not isinstance(x, SparseArray):
            x = _array("dot", x)
        if x.ndim == 1 or x.shape[1:] == (1,):
            return self.matvec(x)
        return self.matmat(x)

    def __call__(self, x: Any) -> Any:
        return self * x

    def __mul__(self, x: Any) -> Any:
        return self.dot(x)

    def __rmul__(self, x: Any) -> Any:
        return _Scaled(self, x) if is_number(x) else self._from_left(x)

    def __matmul__(self, x: Any) -> Any:
        if is_number(x):
            raise InvalidValueError("__matmul__", "an operand is a number; use * instead of @")
        return self.dot(x)

    def __rmatmul__(self, x: Any) -> Any:
        if is_number(x):
            raise InvalidValueError("__matmul__", "an operand is a number; use * instead of @")
        return self._from_left(x)

    def _from_left(self, given: Any) -> Any:
        x = _array("__matmul__", given)
        turned = self.T.dot(x if x.ndim == 1 else h.permute_dims(x, (1, 0)))
        return turned if x.ndim == 1 else h.permute_dims(turned, (1, 0))

    def __truediv__(self, x: Any) -> Any:
        if not is_number(x):
            raise InvalidValueError("__truediv__", "an operator can only be divided by a number")
        return _Scaled(self, 1.0 / x)

    def __pow__(self, p: Any) -> Any:
        return _Power(self, p) if is_number(p) else NotImplemented

    def __add__(self, x: Any) -> Any:
        return _Sum(self, x) if isinstance(x, LinearOperator) else NotImplemented

    def __neg__(self) -> Any:
        return _Scaled(self, -1)

    def __sub__(self, x: Any) -> Any:
        return self + (-x) if isinstance(x, LinearOperator) else NotImplemented

    def adjoint(self) -> LinearOperator:
        """The conjugate transpose."""
        return self._adjoint()

    def transpose(self) -> LinearOperator:
        """The transpose."""
        return _Transpose(self)

    @property
    def H(self) -> LinearOperator:  # noqa: N802 - SciPy's name
        """The conjugate transpose."""
        return self.adjoint()

    @property
    def T(self) -> LinearOperator:  # noqa: N802 - SciPy's name
        """The transpose."""
        return self.transpose()

    def __repr__(self) -> str:
        kind = "unspecified dtype" if self.dtype is None else f"dtype={self.dtype}"
        return f"<{self.shape[0]}x{self.shape[1]} {type(self).__name__} with {kind}>"


def _array(name: str, x: Any) -> Array:
    if isinstance(x, Array):
        return x
    if isinstance(x, (list, tuple, np.ndarray)) or hasattr(x, "__sycl_usm_array_interface__"):
        return asarray(x)
    raise InvalidTypeError(name, f"takes arrays, not {a_type(x)}")


class _Functions(LinearOperator):
    """An operator of functions."""

    def __init__(
        self, shape: Any, matvec: Any, rmatvec: Any = None, matmat: Any = None, dtype: Any = None,
        rmatmat: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(dtype, shape)
        if not callable(matvec):
            raise InvalidTypeError("LinearOperator", f"matvec is {a_type(matvec)}, not a function")
        self.functions = {
            "matvec": matvec, "rmatvec": rmatvec, "matmat": matmat, "rmatmat": rmatmat,
        }  # fmt: skip
        self._find_dtype()

    def _matvec(self, x: Any) -> Any:
        return self.functions["matvec"](x)

    def _matmat(self, X: Any) -> Any:
        given = self.functions["matmat"]
        return super()._matmat(X) if given is None else given(X)

    def _rmatvec(self, x: Any) -> Any:
        if self.functions["rmatvec"] is None:
            raise UnsupportedError("rmatvec", "the operator was made without rmatvec=")
        return self.functions["rmatvec"](x)

    def _rmatmat(self, X: Any) -> Any:
        given = self.functions["rmatmat"]
        if given is not None:
            return given(X)
        columns = [h.reshape(self.rmatvec(X[:, j]), (-1, 1)) for j in range(X.shape[1])]
        return h.concat(columns, axis=1)

    def _adjoint(self) -> LinearOperator:
        f = self.functions
        return _Functions(
            self.shape[::-1], f["rmatvec"], f["matvec"], f["rmatmat"], self.dtype, f["matmat"]
        )


_Functions.__init__.__qualname__ = "LinearOperator"  # which errors of calls name
_Functions.__init__ = checked(_Functions.__init__)  # type: ignore[method-assign]


class MatrixOperator(LinearOperator):
    """The operator of a matrix, dense or sparse. The conjugate transpose is made once."""

    def __init__(self, A: Any, turned: MatrixOperator | None = None) -> None:
        super().__init__(A.dtype, A.shape)
        # Products use the rows of a sparse matrix.
        self.A = A.tocsr() if isinstance(A, SparseArray) else A
        self._turned_operator = turned

    def _matvec(self, x: Any) -> Any:
        return self.A @ x

    def _matmat(self, X: Any) -> Any:
        return self.A @ X

    def _adjoint(self) -> LinearOperator:
        if self._turned_operator is None:
            turned = self.A.T.conj() if self.A.dtype.kind == "c" else self.A.T
            self._turned_operator = MatrixOperator(turned, self)
        return self._turned_operator


class Identity(LinearOperator):
    """The operator that changes nothing."""

    def __init__(self, size: int, dtype: Any) -> None:
        super().__init__(dtype, (size, size))

    def _matvec(self, x: Any) -> Any:
        return x

    def _matmat(self, X: Any) -> Any:
        return X

    def _adjoint(self) -> LinearOperator:
        return self


class _Adjoint(LinearOperator):
    def __init__(self, A: LinearOperator) -> None:
        super().__init__(A.dtype, A.shape[::-1])
        self.A = A

    def _matvec(self, x: Any) -> Any:
        return self.A._rmatvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.A._rmatmat(X)

    def _adjoint(self) -> LinearOperator:
        return self.A


class _Transpose(LinearOperator):
    def __init__(self, A: LinearOperator) -> None:
        super().__init__(A.dtype, A.shape[::-1])
        self.A = A

    def _matvec(self, x: Any) -> Any:
        return h.conj(self.A.rmatvec(h.conj(x)))

    def _matmat(self, X: Any) -> Any:
        return h.conj(self.A.rmatmat(h.conj(X)))

    def _adjoint(self) -> LinearOperator:
        return _Conjugate(self.A)


class _Conjugate(LinearOperator):
    def __init__(self, A: LinearOperator) -> None:
        super().__init__(A.dtype, A.shape)
        self.A = A

    def _matvec(self, x: Any) -> Any:
        return h.conj(self.A.matvec(h.conj(x)))

    def _adjoint(self) -> LinearOperator:
        return self.A.T


def _common(*values: Any) -> Any:
    kinds = [getattr(v, "dtype", v) for v in values]
    return np.result_type(*(k for k in kinds if k is not None))


class _Sum(LinearOperator):
    def __init__(self, A: LinearOperator, B: LinearOperator) -> None:
        if A.shape != B.shape:
            raise InvalidValueError("__add__", f"operators of shapes {A.shape} and {B.shape}")
        super().__init__(_common(A, B), A.shape)
        self.A, self.B = A, B

    def _matvec(self, x: Any) -> Any:
        return self.A.matvec(x) + self.B.matvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.A.matmat(X) + self.B.matmat(X)

    def _adjoint(self) -> LinearOperator:
        return self.A.H + self.B.H


class _Product(LinearOperator):
    def __init__(self, A: LinearOperator, B: LinearOperator) -> None:
        if A.shape[1] != B.shape[0]:
            raise InvalidValueError("dot", f"operators of shapes {A.shape} and {B.shape}")
        super().__init__(_common(A, B), (A.shape[0], B.shape[1]))
        self.A, self.B = A, B

    def _matvec(self, x: Any) -> Any:
        return self.A.matvec(self.B.matvec(x))

    def _matmat(self, X: Any) -> Any:
        return self.A.matmat(self.B.matmat(X))

    def _adjoint(self) -> LinearOperator:
        return self.B.H * self.A.H


class _Scaled(LinearOperator):
    def __init__(self, A: LinearOperator, factor: Any) -> None:
        super().__init__(_common(A, factor), A.shape)
        self.A, self.factor = A, factor

    def _matvec(self, x: Any) -> Any:
        return self.factor * self.A.matvec(x)

    def _matmat(self, X: Any) -> Any:
        return self.factor * self.A.matmat(X)

    def _adjoint(self) -> LinearOperator:
        return self.A.H * np.conjugate(self.factor)


class _Power(LinearOperator):
    def __init__(self, A: LinearOperator, power: Any) -> None:
        if A.shape[0] != A.shape[1] or int(power) != power or power < 0:
            raise InvalidValueError(
                "__pow__", f"needs a square operator and an integer of 0 or more, not {A.shape} "
                f"and {power}",
            )  # fmt: skip
        super().__init__(A.dtype, A.shape)
        self.A, self.power = A, int(power)

    def _matvec(self, x: Any) -> Any:
        for _ in range(self.power):
            x = self.A.matvec(x)
        return h.copy(x) if self.power == 0 else x

    def _adjoint(self) -> LinearOperator:
        return self.A.H**self.power


def aslinearoperator(A: Any) -> LinearOperator:
    """The operator of a sparse or dense matrix, or of an object with shape and matvec."""
    return operator_of("aslinearoperator", "A", A)


def operator_of(function: str, name: str, A: Any) -> LinearOperator:
    """The operator for the argument `name` of a function."""
    if isinstance(A, LinearOperator):
        return A
    if isinstance(A, (SparseArray, Array, np.ndarray, list)):
        x = A if isinstance(A, SparseArray) else asarray(A)
        if x.ndim != 2:
            raise InvalidValueError(function, f"{name} has shape {x.shape}, not two extents")
        return MatrixOperator(x)
    refuse_foreign(function, name, A)
    if hasattr(A, "shape") and hasattr(A, "matvec"):
        keywords = {
            name: getattr(A, name) for name in ("rmatvec", "rmatmat", "dtype") if hasattr(A, name)
        }
        return LinearOperator(A.shape, A.matvec, **keywords)
    raise InvalidTypeError(function, f"{name} is {a_type(A)}; it must be a matrix or an operator")
