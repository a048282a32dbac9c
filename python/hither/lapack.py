"""Factorizations, eigenvalues and linear systems, by LAPACK.

Every function takes stacks of matrices (the last two axes) of float32, float64, complex64 or
complex128; integers and bool are converted to float64. It runs on its arrays' queue or on
``queue``, in the queue's order. It returns new arrays when the results are complete. If the device
has no LAPACK, arrays that the host cannot access are copied to it, and results back.
``hither.lapack(queue=q)`` gives the same functions bound to a queue.

Errors are raised at the call: LinAlgError (which is also NumPy's) if a matrix is not square,
singular or not positive definite, or an algorithm does not converge; InvalidTypeError for dtypes;
PlacementError.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _hither as h
from ._checked_call import check_calls
from ._compile.host_steps import make_host_steps
from ._documentation import complete
from ._hither import Array, asarray, asnumpy
from ._libraries.bound_library import LibraryModule
from ._libraries.host_call import HostCall, has_memory
from ._libraries.scipy_module import scipy_module
from .errors import InvalidValueError, LinAlgError, UnsupportedError

__all__ = [
    "cholesky",
    "det",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_solve",
    "matrix_rank",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_triangular",
    "svd",
    "svdvals",
]


class SVDResult(NamedTuple):
    """x = U @ diag(S) @ Vh."""

    U: Array
    S: Array
    Vh: Array


class QRResult(NamedTuple):
    """x = Q @ R."""

    Q: Array
    R: Array


class EighResult(NamedTuple):
    """Real eigenvalues in ascending order, and the eigenvectors in columns."""

    eigenvalues: Array
    eigenvectors: Array


class EigResult(NamedTuple):
    """Complex eigenvalues in unspecified order, and the eigenvectors in columns."""

    eigenvalues: Array
    eigenvectors: Array


class SlogdetResult(NamedTuple):
    """det(x) = sign * exp(logabsdet)."""

    sign: Array
    logabsdet: Array


class LUResult(NamedTuple):
    """x = P @ L @ U."""

    P: Array
    L: Array
    U: Array


class LUFactors(NamedTuple):
    """``lu`` has L below the diagonal, and U on and above it. Row i was exchanged with row
    ``pivots[i]``."""

    lu: Array
    pivots: Array


class LstsqResult(NamedTuple):
    """The solution, sums of squared residuals (empty if x is not of full rank), rank and singular
    values."""

    solution: Array
    residuals: Array
    rank: Array
    singular_values: Array


def scipy_linalg(function: str) -> Any:
    """The module scipy.linalg. Raises UnsupportedError if SciPy is not installed."""
    if (module := scipy_module("linalg", function)) is None:
        raise UnsupportedError(function, "needs SciPy; pip install scipy")
    return module


def _matrix_call(function: str, x: Any, queue: Any, *, square: bool = False) -> HostCall:
    return HostCall(function, x, queue=queue).matrices("x", square=square)


def _of_square(function: str, x: Any, work: Callable, queue: Any) -> Any:
    return _matrix_call(function, x, queue, square=True).of_stack(work)


def svd(x: Any, /, *, full_matrices: bool = True, queue: Any = None) -> SVDResult:
    """U, S and Vh with x = U @ diag(S) @ Vh. S is in descending order. Full U and Vh are square."""
    call = _matrix_call("svd", x, queue)
    if matrix_library := call.matrix_library():
        return SVDResult(*matrix_library.svd(*call.arrays, full_matrices, True))
    return SVDResult(*call.of_stack(lambda a: tuple(np.linalg.svd(a, full_matrices))))


def svdvals(x: Any, /, *, queue: Any = None) -> Array:
    """The singular values in descending order. Lazy for matrices of one row or column."""
    call = _matrix_call("svdvals", x, queue)
    if 1 in call.arrays[0].shape[-2:] and call.arrays[0].size:
        return _length(call.arrays[0])
    if matrix_library := call.matrix_library():
        return matrix_library.svd(*call.arrays, False, False)[1]
    return call.of_stack(lambda a: np.linalg.svd(a, compute_uv=False))


def _length(x: Array) -> Array:
    """The singular value of matrices of one row or column: the square root of the sum of squares,
    relative to the largest element, whose square may be too large or too small."""
    size = h.absolute(x)
    largest = h.max(size, axis=(-2, -1), keepdims=True)
    scale = h.where(largest > 0, largest, 1)
    length = scale * h.sqrt(h.sum(h.square(size / scale), axis=(-2, -1), keepdims=True))
    return h.reshape(length, (*x.shape[:-2], 1))


def qr(x: Any, /, *, mode: Any = "reduced", queue: Any = None) -> QRResult:
    """Q with orthonormal columns and R upper triangular; mode is "reduced" or "complete"."""
    if mode not in ("reduced", "complete"):
        raise InvalidValueError("qr", f'mode={mode!r} is neither "reduced" nor "complete"')
    call = _matrix_call("qr", x, queue)
    if matrix_library := call.matrix_library():
        return QRResult(*matrix_library.qr(*call.arrays, mode == "complete"))
    return QRResult(*call.of_stack(lambda a: tuple(np.linalg.qr(a, mode))))


def cholesky(x: Any, /, *, upper: bool = False, queue: Any = None) -> Array:
    """L with x = L @ L^H, or the upper U with x = U^H @ U.

    One triangle of x is read. Raises LinAlgError if x is not positive definite.
    """

    def factor(a: np.ndarray) -> np.ndarray:
        if not upper:
            return np.linalg.cholesky(a)
        return np.linalg.cholesky(a.swapaxes(-1, -2).conj()).swapaxes(-1, -2).conj()

    call = _matrix_call("cholesky", x, queue, square=True)
    if small := call.small_matrices():
        return small.cholesky(upper)
    if matrix_library := call.matrix_library():
        return matrix_library.cholesky(*call.arrays, upper)
    return call.of_stack(factor)


def inv(x: Any, /, *, queue: Any = None) -> Array:
    """The inverse. Raises LinAlgError for a singular matrix."""
    call = _matrix_call("inv", x, queue, square=True)
    if small := call.small_matrices():
        return small.inv()
    if matrix_library := call.matrix_library():
        return matrix_library.inv(*call.arrays)
    return call.of_stack(np.linalg.inv)


def det(x: Any, /, *, queue: Any = None) -> Array:
    """The determinant."""
    call = _matrix_call("det", x, queue, square=True)
    if small := call.small_matrices():
        return small.det()
    if matrix_library := call.matrix_library():
        return matrix_library.det(*call.arrays)
    return call.of_stack(np.linalg.det)


def slogdet(x: Any, /, *, queue: Any = None) -> SlogdetResult:
    """Sign and logarithm of the determinant's absolute value: 0 and -inf for a singular matrix."""
    call = _matrix_call("slogdet", x, queue, square=True)
    if small := call.small_matrices():
        return SlogdetResult(*small.slogdet())
    if matrix_library := call.matrix_library():
        return SlogdetResult(*matrix_library.slogdet(*call.arrays))
    return SlogdetResult(*call.of_stack(lambda a: tuple(np.linalg.slogdet(a))))


def eigh(x: Any, /, *, queue: Any = None) -> EighResult:
    """Eigenvalues and eigenvectors of Hermitian matrices; the lower triangle is read."""
    call = _matrix_call("eigh", x, queue, square=True)
    if matrix_library := call.matrix_library():
        return EighResult(*matrix_library.eigh(*call.arrays, True))
    return EighResult(*call.of_stack(lambda a: tuple(np.linalg.eigh(a))))


def eigvalsh(x: Any, /, *, queue: Any = None) -> Array:
    """Eigenvalues of Hermitian matrices in ascending order; the lower triangle is read."""
    call = _matrix_call("eigvalsh", x, queue, square=True)
    if matrix_library := call.matrix_library():
        return matrix_library.eigh(*call.arrays, False)[0]
    return call.of_stack(np.linalg.eigvalsh)


def _to_complex(a: np.ndarray) -> np.ndarray:
    return a.astype(np.result_type(a, np.complex64), copy=False)


def eig(x: Any, /, *, queue: Any = None) -> EigResult:
    """Eigenvalues and right eigenvectors, with complex dtype even if all are real."""

    def both(a: np.ndarray) -> tuple[np.ndarray, ...]:
        return tuple(_to_complex(part) for part in np.linalg.eig(a))

    return EigResult(*_of_square("eig", x, both, queue))


def eigvals(x: Any, /, *, queue: Any = None) -> Array:
    """Eigenvalues, with complex dtype even if all are real."""
    return _of_square("eigvals", x, lambda a: _to_complex(np.linalg.eigvals(a)), queue)


def _solve(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # A vector is passed as a matrix of one column: NumPy 1 and 2 define vectors differently.
    if b.ndim == 1:
        return np.linalg.solve(a, b[:, None])[..., 0]
    return np.linalg.solve(a, b)


def solve(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """y with x1 @ y = x2; x2 is a vector (one axis) or a stack of matrices. x1's stack broadcasts.

    Raises LinAlgError for a singular matrix.
    """
    call = HostCall("solve", x1, x2, queue=queue).matrices("x1", square=True)
    _check_rows("solve", *call.arrays)
    if small := call.small_matrices():
        return small.solve()
    if matrix_library := call.matrix_library():
        return matrix_library.solve(*call.arrays)
    return call(_solve)


def _check_rows(function: str, x1: Array, x2: Array) -> None:
    rows = x2.shape[-2:][0] if x2.ndim else None
    if rows != x1.shape[-2]:
        raise InvalidValueError(
            function, f"x1 has {x1.shape[-2]} rows (shape {x1.shape}), x2 has shape {x2.shape}"
        )


def lstsq(x1: Any, x2: Any, /, *, rtol: float | None = None, queue: Any = None) -> LstsqResult:
    """The y of least norm that makes x1 @ y closest to x2; x1 is one matrix, x2 has 1 or 2 axes.

    Singular values below rtol times the largest are treated as zero. The default is the dtype's
    epsilon times the larger extent.
    """
    call = HostCall("lstsq", x1, x2, queue=queue).matrices("x1")
    first, second = call.arrays
    if first.ndim != 2 or second.ndim not in (1, 2):
        raise LinAlgError(
            "lstsq", "x1 must be a matrix and x2 a vector or a matrix; stacks are not supported"
        )
    _check_rows("lstsq", first, second)
    limit = _rank_tolerance(first) if rtol is None else float(rtol)
    if limit < 0:
        raise InvalidValueError("lstsq", f"rtol={rtol} is negative")
    if first.size and second.size and (matrix_library := call.matrix_library()):
        return LstsqResult(*matrix_library.lstsq(*call.arrays, limit))
    return LstsqResult(*call(lambda a, b: tuple(np.linalg.lstsq(a, b, limit))))


def _rank_tolerance(x: Array) -> float:
    return max(x.shape[-2:]) * float(np.finfo(x.dtype).eps)


def _limits(rtol: Any, x: Array) -> Any:
    """rtol in NumPy's form: a number, or an array with one for each matrix of the stack."""
    if rtol is None:
        return _rank_tolerance(x)
    return asnumpy(rtol) if has_memory(rtol) else rtol


def pinv(x: Any, /, *, rtol: Any = None, queue: Any = None) -> Array:
    """The pseudo-inverse. Singular values up to rtol times the largest are treated as zero.

    rtol is a number, or an array with one for each matrix. The default is the dtype's epsilon times
    the larger extent.
    """
    call = _matrix_call("pinv", x, queue)
    limits = _limits(rtol, call.arrays[0])
    if matrix_library := call.matrix_library():
        return matrix_library.pinv(*call.arrays, limits)
    if np.ndim(limits):
        return call(np.linalg.pinv, limits)
    return call.of_stack(lambda a: np.linalg.pinv(a, limits))


def matrix_rank(x: Any, /, *, rtol: Any = None, queue: Any = None) -> Array:
    """The number of singular values above rtol times the largest (default as for pinv), int64."""
    call = _matrix_call("matrix_rank", x, queue)
    limits = np.asarray(_limits(rtol, call.arrays[0]))
    if matrix_library := call.matrix_library():
        return matrix_library.matrix_rank(*call.arrays, limits)

    def ranks(a: np.ndarray) -> np.ndarray:
        values = np.linalg.svd(a, compute_uv=False)
        largest = values.max(axis=-1, keepdims=True, initial=0)
        return np.count_nonzero(values > largest * limits[..., None], axis=-1)

    return call(ranks) if limits.ndim else call.of_stack(ranks)


def lu(x: Any, /, *, queue: Any = None) -> LUResult:
    """P, L and U with x = P @ L @ U: a permutation matrix, a unit lower triangular matrix and an
    upper triangular matrix. Needs SciPy."""
    return LUResult(*_matrix_call("lu", x, queue)(scipy_linalg("lu").lu))


def lu_factor(x: Any, /, *, queue: Any = None) -> LUFactors:
    """The LU factors of a square matrix, for :func:`lu_solve`. On the host it needs SciPy."""
    call = _matrix_call("lu_factor", x, queue, square=True)
    if matrix_library := call.matrix_library():
        return LUFactors(*matrix_library.lu_factor(*call.arrays))
    work = scipy_linalg("lu_factor").lu_factor
    return LUFactors(*call(lambda a: tuple(work(a))))


def lu_solve(factors: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """y with x @ y = x2, from lu_factor(x). On the host it needs SciPy."""
    matrix, pivots = factors
    call = HostCall("lu_solve", matrix, x2, queue=queue).matrices("factors", square=True)
    _check_rows("lu_solve", *call.arrays)
    if (matrix_library := call.matrix_library()) and has_memory(pivots):
        return matrix_library.lu_solve(*call.arrays, asarray(pivots, queue=call.queue))
    work = scipy_linalg("lu_solve").lu_solve
    exchanges = asnumpy(pivots)
    return call(lambda a, b: work((a, exchanges), b))


def solve_triangular(
    x1: Any,
    x2: Any,
    /,
    *,
    upper: bool = False,
    trans: str = "N",
    unit_diagonal: bool = False,
    queue: Any = None,
) -> Array:
    """y with op(x1) @ y = x2. One triangle of x1 is read. Needs SciPy.

    ``trans`` determines op: "N" for x1, "T" for its transpose, "C" for its conjugate transpose.
    """
    work = scipy_linalg("solve_triangular").solve_triangular
    call = HostCall("solve_triangular", x1, x2, queue=queue).matrices("x1", square=True)
    if trans not in ("N", "T", "C"):
        raise InvalidValueError("solve_triangular", f'trans={trans!r} is none of "N", "T", "C"')
    _check_rows("solve_triangular", *call.arrays)
    return call(lambda a, b: work(a, b, trans=trans, lower=not upper, unit_diagonal=unit_diagonal))


check_calls(globals(), __all__)
make_host_steps(globals(), __all__)
complete("lapack", globals())
sys.modules[__name__].__class__ = LibraryModule
