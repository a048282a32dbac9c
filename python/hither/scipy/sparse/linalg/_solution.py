"""Norms, and systems that SciPy solves on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import _hither as h
from .... import numpy as hnp
from ...._hither import Array, asarray
from ...._libraries.host_call import HostCall
from ...._libraries.scipy_module import scipy_module
from ....errors import InvalidTypeError, InvalidValueError, LinAlgError, UnsupportedError
from ....numpy._placement import as_array
from .._formats import csc_array
from .._sparse_array import SparseArray
from ._eigen import svds

__all__ = ["inv", "norm", "spsolve"]


def norm(x: Any, ord: Any = None, axis: Any = None) -> Array:
    """The norm of a sparse matrix, or the norms of its rows or columns, as a dense array."""
    if not isinstance(x, SparseArray):
        raise InvalidTypeError("norm", "x is not sparse; hither.numpy.linalg.norm takes arrays")
    if axis is None and ord in (None, "fro", "f"):
        return _frobenius(x)
    axes = tuple(range(x.ndim)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    if any(not isinstance(a, (int, np.integer)) for a in axes):
        raise InvalidTypeError("norm", f"axis is {axis!r}; it is None, an integer or two of them")
    if any(not -x.ndim <= a < x.ndim for a in axes):
        raise InvalidValueError("norm", f"axis={axis} is out of range for shape {x.shape}")
    if len(axes) == 2:
        if axes[0] % x.ndim == axes[1] % x.ndim:
            raise InvalidValueError("norm", f"axis={axis} names an axis twice")
        return _matrix_norm(x, ord, *axes)
    if len(axes) != 1:
        raise InvalidValueError("norm", f"axis={axis} has {len(axes)} entries, not 1 or 2")
    result = _vector_norms(x, ord, axes[0])
    result = result.toarray() if isinstance(result, SparseArray) else result
    return h.reshape(result, (-1,)) if result.ndim else result


def _frobenius(x: Any) -> Array:
    data = x._canonical().data
    return h.sqrt(h.sum(h.square(h.absolute(hnp.asarray(data, dtype=_floating(data))))))


def _floating(data: Array) -> Any:
    return data.dtype if data.dtype.kind in "fc" else np.dtype(np.float64)


def _matrix_norm(x: Any, ord: Any, row: int, column: int) -> Array:
    if ord in (None, "f", "fro"):
        return _frobenius(x)
    if ord == 2:
        return svds(x.astype(_floating(x.data)), k=1, return_singular_vectors=False, rng=0)[0]
    if ord == -2:
        raise UnsupportedError("norm", "the smallest singular value is not computed (as in SciPy)")
    if ord in (1, -1, np.inf, -np.inf):
        sums = abs(x).sum(axis=row if abs(ord) == 1 else column)
        return h.max(sums) if ord > 0 else h.min(sums)
    raise InvalidValueError(
        "norm", f"ord is {ord!r}; of a matrix it is 1, 2, inf or their opposites"
    )


def _vector_norms(x: Any, ord: Any, axis: int) -> Any:
    if ord == np.inf:
        return abs(x).max(axis=axis)
    if ord == -np.inf:
        return abs(x).min(axis=axis)
    if ord == 0:
        return (x != 0).sum(axis=axis)
    if ord == 1:
        return abs(x).sum(axis=axis)
    if ord in (2, None):
        return hnp.sqrt(abs(x).power(2).sum(axis=axis))
    if not isinstance(ord, (int, float)):
        raise InvalidValueError("norm", f"ord is {ord!r}; of a vector it is a number")
    return hnp.power(abs(x).power(ord).sum(axis=axis), 1 / ord)


def spsolve(
    A: Any,
    b: Any,
    permc_spec: str | None = None,
    use_umfpack: bool = True,
) -> Any:
    """Solves A x = b for a sparse square A. SciPy's SuperLU computes it on the host.

    The result has one dimension if b has one or is a column.
    """
    b_sparse = isinstance(b, SparseArray)
    several = b_sparse and b.ndim == 2 and b.shape[1] != 1
    right = b.toarray() if b_sparse else b
    found = _solved("spsolve", A, right, several, permc_spec, use_umfpack)
    return type(b)(found) if several else found


class _SingularMatrixError(LinAlgError, RuntimeError):
    """A is singular. It is a RuntimeError, too, as SciPy's error."""


def _solved(
    function: str, A: Any, b: Any, refuses: bool, permc_spec: Any, use_umfpack: Any
) -> Array:
    """The solution for a dense b. A singular A is an error with `refuses`. Without it SciPy warns,
    and the elements of the solution are NaN."""
    matrix = A if isinstance(A, SparseArray) else csc_array(A)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise InvalidValueError(function, f"A has shape {matrix.shape}; it must be square")
    matrix = matrix.tocsc()
    matrix.sum_duplicates()
    right = as_array(function, "b", b, matrix.queue, matrix.data)
    if right.ndim not in (1, 2) or right.shape[0] != matrix.shape[0]:
        raise InvalidValueError(
            function, f"A has shape {matrix.shape}, and b has shape {right.shape}"
        )
    library, formats = scipy_module("sparse.linalg", function), scipy_module("sparse", function)
    if library is None or formats is None:
        raise UnsupportedError(function, "SciPy is not installed, whose SuperLU computes this")

    def work(data: Any, indices: Any, indptr: Any, right: Any) -> Any:
        given = formats.csc_array((data, indices, indptr), shape=matrix.shape)
        kind = np.result_type(data.dtype, right.dtype, np.float32)
        given, right = given.astype(kind), right.astype(kind)
        if refuses:
            return library.splu(given, permc_spec).solve(right)
        return library.spsolve(given, right, permc_spec, use_umfpack)

    call = HostCall(function, matrix.data, matrix.indices, matrix.indptr, right)
    is_vector = right.ndim == 1 or right.shape[1] == 1
    try:
        return h.reshape(call(work), (-1,) if is_vector else right.shape)
    except RuntimeError as error:
        if type(error) is RuntimeError:  # SuperLU's "Factor is exactly singular"
            raise _SingularMatrixError(function, f"A: {error}") from None
        raise


def inv(A: Any) -> Any:
    """The inverse of a sparse square matrix, which seldom is sparse."""
    if not isinstance(A, SparseArray):
        raise InvalidTypeError("inv", "A is not sparse; hither.numpy.linalg.inv takes arrays")
    one = np.eye(A.shape[0], dtype=_floating(A.data))
    kind: Any = type(A)
    found = _solved("inv", A, asarray(one, queue=A.queue), True, None, True)
    return kind(h.reshape(found, A.shape))  # SciPy's has one dimension if A has one row
