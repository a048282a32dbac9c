"""Linear algebra by a LAPACK for the device, such as cuSOLVER or oneMKL.

These libraries store matrices by columns, so that they see the transposes of hither's matrices.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither
from .._array.creation import arange, eye, tril, triu
from .._hither import (
    Array,
    Queue,
    asarray,
    asnumpy,
    astype,
    broadcast_to,
    conj,
    copy,
    empty,
    matmul,
    reshape,
    where,
    zeros,
)
from ..errors import LinAlgError

__all__ = ["SMALL", "MatrixLibrary", "worth_a_device"]

# The host is faster for stacks of matrices with fewer rows and columns than this.
SMALL = 64


def worth_a_device(x: Array) -> bool:
    """Whether the device is faster than the host. The host is faster for many small matrices."""
    return not (math.prod(x.shape[:-2]) > 1 and max(x.shape[-2:]) < SMALL)


class MatrixLibrary(abc.ABC):
    """A call on dense matrices of one dtype. ``like`` is one of its arguments.

    Subclasses implement functions with LAPACK's names on stacks of shape (matrices, columns, rows).
    They return a status for each matrix: LAPACK's info, which is 0 for success.
    """

    def __init__(self, function: str, like: Array) -> None:
        self.function = function
        self.queue: Queue = like.queue
        self.usm_type = like.usm_type
        self.dtype = like.dtype
        self.real = np.dtype(like.dtype.char.lower())

    # -- functions of the library

    @abc.abstractmethod
    def getrf(self, a: Array) -> tuple[Array, Any]:
        """Overwrites a by its LU factors. Returns the row exchanges, from 1, and the status."""

    @abc.abstractmethod
    def getrs(self, lu: Array, pivots: Array, b: Array, which: np.ndarray, transpose: bool) -> None:
        """Overwrites each b[i] by the solution, with the factors at index which[i]."""

    @abc.abstractmethod
    def potrf(self, a: Array) -> Any:
        """Overwrites a by its lower Cholesky factors, by columns. Returns the status.

        Lower factors take half the time of upper ones (cuSOLVER; 1024 squared, float64, H200).
        """

    @abc.abstractmethod
    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        """Returns the eigenvalues from the upper triangles, and the status. Overwrites a by
        eigenvectors."""

    @abc.abstractmethod
    def gesvd(self, a: Array, job: str) -> tuple[Array, Array, Array, Any]:
        """U, S and V^H, by columns, and the status. Matrices have at least as many rows as columns.

        ``job``: "A" for all vectors, "S" for those of singular values, "N" for none.
        """

    @abc.abstractmethod
    def geqrf(self, a: Array) -> Array:
        """Overwrites a by R and the reflections. Returns the scalar factors of the reflections."""

    @abc.abstractmethod
    def ungqr(self, q: Array, factors: Array) -> None:
        """Overwrites q by Q, from the reflections in its first columns."""

    # -- functions composed of these

    def new(self, *shape: int, dtype: Any = None) -> Array:
        """An uninitialised array."""
        return empty(shape, dtype=dtype or self.dtype, queue=self.queue, usm_type=self.usm_type)

    def stack(self, x: Array) -> Array:
        """A copy of x as a stack with one stack axis: (matrices, rows, columns)."""
        return reshape(copy(x), (math.prod(x.shape[:-2]), *x.shape[-2:]))

    def expect_zeros(self, said: Any, complaint: str) -> None:
        """Raises LinAlgError unless all statuses are 0. Waits for them."""
        if (asnumpy(said) if isinstance(said, Array) else said).any():
            raise LinAlgError(self.function, complaint)

    def _answers(
        self, factors: Array, pivots: Array, b: Array, stack: tuple[int, ...], transpose: bool
    ) -> Array:
        """The solutions from LU factors of ``stack``'s matrices, or of their transposes."""
        n, columns = b.shape[-2:]
        whole = _hither.broadcast_shapes(stack, b.shape[:-2])
        result = self.stack(broadcast_to(b, (*whole, n, columns)).mT)
        order = np.arange(factors.shape[0]).reshape(stack)
        which = np.broadcast_to(order, whole).reshape(-1)
        self.getrs(factors, pivots, result, which, transpose)
        return copy(reshape(result, (*whole, columns, n)).mT)

    def solve(self, a: Array, b: Array) -> Array:
        """y with a @ y = b. Stacks are broadcast."""
        factors = self.stack(a)
        pivots, said = self.getrf(factors)
        result = _of_matrix(
            lambda m: self._answers(factors, pivots, m, a.shape[:-2], transpose=True), b
        )
        self.expect_zeros(said, "Singular matrix")
        return result

    def lu_factor(self, a: Array) -> tuple[Array, Array]:
        """The LU factors in one matrix, and the row exchanges, from 0."""
        factors = self.stack(a.mT)
        pivots, _ = self.getrf(factors)
        lu = copy(reshape(factors, a.shape).mT)
        return lu, reshape(astype(pivots - 1, np.int32), a.shape[:-1])

    def lu_solve(self, lu: Array, b: Array, pivots: Array) -> Array:
        """The solutions from the results of lu_factor."""
        factors = self.stack(lu.mT)
        exchanges = copy(reshape(astype(pivots, np.int64) + 1, factors.shape[:2]))
        stack = lu.shape[:-2]
        return _of_matrix(lambda m: self._answers(factors, exchanges, m, stack, transpose=False), b)

    def inv(self, a: Array) -> Array:
        """The inverse."""
        one = eye(a.shape[-1], dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
        return self.solve(a, one)

    def _factored(self, a: Array) -> tuple[Array, Array, Array, Array]:
        """The diagonals of the upper factors, whether rows were exchanged an odd number of times,
        the signs of the determinants, and the logarithms of the diagonals' sizes."""
        factors = self.stack(a)
        pivots, _ = self.getrf(factors)
        diagonal = _diagonal(factors)
        logarithms = _hither.log(_hither.absolute(diagonal))
        sign = _hither.prod(_hither.sign(diagonal), axis=-1)
        odd = _exchanges_are_odd(pivots)
        return diagonal, odd, where(odd, -sign, sign), logarithms

    def det(self, a: Array) -> Array:
        """The determinant. Lazy after the factorization."""
        diagonal, odd, sign, logarithms = self._factored(a)
        product = _hither.prod(diagonal, axis=-1)
        product = where(odd, -product, product)
        # Products of some factors may be too large or too small for the dtype.
        most = 0.95 * math.log(np.finfo(self.real).max)
        regular = _hither.sum(_hither.absolute(logarithms), axis=-1) < most
        extreme = sign * _hither.exp(_hither.sum(logarithms, axis=-1))
        result = where(regular, product, extreme)
        return reshape(result, a.shape[:-2])

    def slogdet(self, a: Array) -> tuple[Array, Array]:
        """Sign and logarithm of the determinant's absolute value."""
        _, _, sign, logarithms = self._factored(a)
        logarithm = _hither.sum(logarithms, axis=-1)
        shape = a.shape[:-2]
        return reshape(sign, shape), astype(reshape(logarithm, shape), self.real, copy=False)

    def cholesky(self, a: Array, upper: bool) -> Array:
        """L, or the upper factor."""
        factor = self.stack(a if upper else a.mT)  # with `upper`, factors of the transpose
        said = self.potrf(factor)
        self.expect_zeros(said, "Matrix is not positive definite")
        factor = reshape(factor, a.shape)
        return triu(factor) if upper else tril(factor.mT)

    def eigh(self, a: Array, vectors: bool) -> tuple[Array, Array]:
        """Eigenvalues and, in columns, eigenvectors of Hermitian matrices."""
        both = self.stack(a)
        values, said = self.heevd(both, vectors)
        self.expect_zeros(said, "Eigenvalues did not converge")
        columns = conj(reshape(both, a.shape).mT) if vectors else both
        return reshape(values, a.shape[:-1]), copy(columns)

    def svd(self, a: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
        """U, S and Vh. Without vectors only S is valid."""
        m, n = a.shape[-2:]
        wide = m <= n  # the transpose has at least as many rows as columns
        job = "N" if not vectors else "A" if full else "S"
        if not _hither.isfinite(a).all():  # oneMKL prints an error, cuSOLVER reports none
            raise LinAlgError(self.function, "SVD did not converge")
        of_rows, s, of_columns, said = self.gesvd(self.stack(a if wide else a.mT), job)
        self.expect_zeros(said, "SVD did not converge")
        u, vh = of_columns, of_rows
        if not wide and vectors:
            u, vh = copy(of_rows.mT), copy(of_columns.mT)
        u, s, vh = (reshape(x, (*a.shape[:-2], *x.shape[1:])) for x in (u, s, vh))
        return u, s, vh

    def pinv(self, a: Array, limits: Any) -> Array:
        """The pseudo-inverse. Singular values up to ``limits`` times the largest are dropped."""
        u, s, vh = self.svd(a, False, True)
        inverse = _inverses(s, _above(s, _column(limits, a)))
        return matmul(conj(vh).mT * _hither.expand_dims(inverse, -2), conj(u).mT)

    def matrix_rank(self, a: Array, limits: Any) -> Array:
        """The number of singular values above ``limits`` times the largest. Lazy after the
        decomposition."""
        s = self.svd(a, False, False)[1]
        return _hither.count_nonzero(_above(s, _column(limits, a)), axis=-1)

    def lstsq(self, a: Array, b: Array, limit: float) -> tuple[Array, ...]:
        """The solution of least norm, the sums of squared residuals, the rank and the singular
        values of one matrix. Singular values up to ``limit`` times the largest are dropped. Waits
        for the rank."""
        rows, columns = a.shape
        vectors = right = reshape(b, (rows, -1))
        core = a
        if rows > 2 * columns:  # the decomposition of a tall matrix is that of its triangle
            q, core = self.qr(a, False)
            right = matmul(conj(q).mT, right)
        u, s, vh = self.svd(core, False, True)
        kept = _above(s, limit)
        inverse = _hither.expand_dims(_inverses(s, kept), -1)
        solution = matmul(conj(vh).mT, inverse * matmul(conj(u).mT, right))
        rank = _hither.count_nonzero(kept)
        if rows > columns == int(rank):
            distance = abs(vectors - matmul(a, solution))
            residuals = _hither.sum(distance * distance, axis=0)
        else:
            residuals = empty((0,), dtype=s.dtype, queue=self.queue, usm_type=self.usm_type)
        return reshape(solution, (columns, *b.shape[1:])), residuals, astype(rank, np.int32), s

    def qr(self, a: Array, complete: bool) -> tuple[Array, Array]:
        """Q and R."""
        m, n = a.shape[-2:]
        k = min(m, n)
        width = m if complete else k
        columns = self.stack(a.mT)  # each matrix by columns
        count = columns.shape[0]
        factors = self.geqrf(columns)
        r = triu(columns.mT[:, :width, :])
        q = zeros((count, width, m), dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
        q[:, :k] = columns[:, :k]
        self.ungqr(q, factors)
        stack = a.shape[:-2]
        return reshape(copy(q.mT), (*stack, m, width)), reshape(r, (*stack, width, n))


def _of_matrix(solver: Callable[[Array], Array], b: Array) -> Array:
    """solver(b). The solver takes stacks of matrices; a b of one axis is a vector."""
    return solver(_hither.expand_dims(b, 1))[..., 0] if b.ndim == 1 else solver(b)


def _diagonal(x: Array) -> Array:
    n = x.shape[-1]
    return reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]


def _exchanges_are_odd(pivots: Array) -> Array:
    order = arange(1, pivots.shape[-1] + 1, dtype=np.int64, queue=pivots.queue)
    return _hither.count_nonzero(pivots != order, axis=-1) % 2 == 1


def _above(s: Array, limits: Any) -> Array:
    """Which singular values are above ``limits`` times the largest."""
    return s > _hither.max(s, axis=-1, keepdims=True) * limits


def _inverses(s: Array, kept: Array) -> Array:
    """The inverses of the numbers that are kept; 0 for the others."""
    return where(kept, 1 / where(kept, s, 1), 0)


def _column(limits: Any, like: Array) -> Any:
    """Limits, one for each matrix or one for all, in a shape that broadcasts to singular values."""
    column = np.asarray(limits, dtype=like.dtype.char.lower())[..., None]
    return asarray(column, queue=like.queue)
