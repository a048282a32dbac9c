"""Linear algebra by a LAPACK of the device's own, such as cuSOLVER or oneMKL, where the data is.

Such libraries have matrices by columns: they see the transposes of ours.
"""

from __future__ import annotations

import abc
import math
from collections.abc import Callable, Sequence
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

__all__ = ["MatrixLibrary", "worth_a_device"]

# Matrices of fewer rows and columns, several of them, are done sooner by the host.
_SMALL = 64


def worth_a_device(x: Array) -> bool:
    """Whether matrices are not so small and so many that the host is done with them sooner."""
    return not (math.prod(x.shape[:-2]) > 1 and max(x.shape[-2:]) < _SMALL)


class MatrixLibrary(abc.ABC):
    """One call on dense matrices of one dtype; ``like`` is one of its arguments.

    A library gives the functions that LAPACK names, over stacks of one axis (matrices, columns,
    rows), and says of each matrix where it failed, zero being well.
    """

    def __init__(self, function: str, like: Array) -> None:
        self.function = function
        self.queue: Queue = like.queue
        self.usm_type = like.usm_type
        self.dtype = like.dtype
        self.real = np.dtype(like.dtype.char.lower())

    # -- what a library does

    @abc.abstractmethod
    def getrf(self, a: Array) -> tuple[Array, Any]:
        """LU factors in a's place; the exchanges of rows, from 1, and what is said."""

    @abc.abstractmethod
    def getrs(
        self, lu: Array, pivots: Array, b: Array, which: Sequence[int], transpose: bool
    ) -> None:
        """Answers in the place of each of b, by the factors number which[i]."""

    @abc.abstractmethod
    def potrf(self, a: Array) -> Any:
        """Lower Cholesky factors, by columns, in a's place; what is said.

        GPUs take half of the time of the upper ones (cuSOLVER; 1024 squared, float64, H200).
        """

    @abc.abstractmethod
    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        """Eigenvalues from the upper triangles, vectors in a's place; and what is said."""

    @abc.abstractmethod
    def gesvd(self, a: Array, job: str) -> tuple[Array, Array, Array, Any]:
        """U, S and V^H by columns of matrices with as many rows as columns or more; what is said.

        ``job``: "A" for all vectors, "S" for those of singular values, "N" for none.
        """

    @abc.abstractmethod
    def geqrf(self, a: Array) -> Array:
        """R and reflections in a's place; the reflections' factors."""

    @abc.abstractmethod
    def ungqr(self, q: Array, factors: Array) -> None:
        """Q in q's place, from the reflections in its first columns."""

    # -- what is made of it

    def new(self, *shape: int, dtype: Any = None) -> Array:
        """Memory without values."""
        return empty(shape, dtype=dtype or self.dtype, queue=self.queue, usm_type=self.usm_type)

    def stack(self, x: Array) -> Array:
        """x in new memory, as a stack of one axis: (matrices, rows, columns)."""
        return reshape(copy(x), (math.prod(x.shape[:-2]), *x.shape[-2:]))

    def expect_zeros(self, said: Any, complaint: str) -> None:
        """LinAlgError unless nothing was amiss. Waits."""
        if (asnumpy(said) if isinstance(said, Array) else said).any():
            raise LinAlgError(self.function, complaint)

    def _answers(
        self, factors: Array, pivots: Array, b: Array, stack: tuple[int, ...], transpose: bool
    ) -> Array:
        """The systems' answers from LU factors of ``stack``'s matrices, or of their transposes."""
        n, columns = b.shape[-2:]
        whole = _hither.broadcast_shapes(stack, b.shape[:-2])
        result = self.stack(broadcast_to(b, (*whole, n, columns)).mT)
        order = np.arange(factors.shape[0]).reshape(stack)
        which = np.broadcast_to(order, whole).reshape(-1).tolist()
        self.getrs(factors, pivots, result, which, transpose)
        return copy(reshape(result, (*whole, columns, n)).mT)

    def solve(self, a: Array, b: Array) -> Array:
        """y with a @ y = b; stacks broadcast."""
        factors = self.stack(a)
        pivots, said = self.getrf(factors)
        result = _of_matrix(
            lambda m: self._answers(factors, pivots, m, a.shape[:-2], transpose=True), b
        )
        self.expect_zeros(said, "Singular matrix")
        return result

    def lu_factor(self, a: Array) -> tuple[Array, Array]:
        """LU factors in one matrix, and the rows that were exchanged, from 0."""
        factors = self.stack(a.mT)
        pivots, _ = self.getrf(factors)
        lu = copy(reshape(factors, a.shape).mT)
        return lu, reshape(astype(pivots - 1, np.int32), a.shape[:-1])

    def lu_solve(self, lu: Array, b: Array, pivots: Array) -> Array:
        """The answers from what lu_factor gave."""
        factors = self.stack(lu.mT)
        exchanges = copy(reshape(astype(pivots, np.int64) + 1, factors.shape[:2]))
        stack = lu.shape[:-2]
        return _of_matrix(lambda m: self._answers(factors, exchanges, m, stack, transpose=False), b)

    def inv(self, a: Array) -> Array:
        """The inverse."""
        one = eye(a.shape[-1], dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
        return self.solve(a, one)

    def det(self, a: Array) -> Array:
        """The determinant. Lazy after the factorization."""
        factors = self.stack(a)
        pivots, _ = self.getrf(factors)
        product = _hither.prod(_diagonal(factors), axis=-1)
        result = where(_exchanges_are_odd(pivots), -product, product)
        return reshape(result, a.shape[:-2])

    def slogdet(self, a: Array) -> tuple[Array, Array]:
        """Sign and logarithm of the determinant's absolute value."""
        factors = self.stack(a)
        pivots, _ = self.getrf(factors)
        diagonal = _diagonal(factors)
        size = _hither.absolute(diagonal)
        signs = where(size == 0, diagonal, diagonal / where(size == 0, 1, size))
        sign = _hither.prod(signs, axis=-1)
        sign = where(_exchanges_are_odd(pivots), -sign, sign)
        logarithm = _hither.sum(_hither.log(size), axis=-1)
        shape = a.shape[:-2]
        return reshape(sign, shape), astype(reshape(logarithm, shape), self.real, copy=False)

    def cholesky(self, a: Array, upper: bool) -> Array:
        """L, or the upper factor."""
        factor = self.stack(a if upper else a.mT)  # where `upper` they are of the transpose
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
        """U, S and Vh; without vectors only S is theirs."""
        m, n = a.shape[-2:]
        wide = m <= n  # the transpose has as many rows as columns or more
        job = "N" if not vectors else "A" if full else "S"
        if not _hither.isfinite(a).all():  # oneMKL prints that, and cuSOLVER says nothing
            raise LinAlgError(self.function, "SVD did not converge")
        of_rows, s, of_columns, said = self.gesvd(self.stack(a if wide else a.mT), job)
        self.expect_zeros(said, "SVD did not converge")
        u, vh = of_columns, of_rows
        if not wide and vectors:
            u, vh = copy(of_rows.mT), copy(of_columns.mT)
        u, s, vh = (reshape(x, (*a.shape[:-2], *x.shape[1:])) for x in (u, s, vh))
        return u, s, vh

    def pinv(self, a: Array, limits: Any) -> Array:
        """The pseudo-inverse, without singular values up to ``limits`` times the largest."""
        u, s, vh = self.svd(a, False, True)
        kept = s > _hither.max(s, axis=-1, keepdims=True) * _column(limits, a)
        inverse = where(kept, 1 / where(kept, s, 1), 0)
        return matmul(conj(vh).mT * _hither.expand_dims(inverse, -2), conj(u).mT)

    def matrix_rank(self, a: Array, limits: Any) -> Array:
        """How many singular values are above ``limits`` times the largest. Lazy after these."""
        s = self.svd(a, False, False)[1]
        above = s > _hither.max(s, axis=-1, keepdims=True) * _column(limits, a)
        return _hither.count_nonzero(above, axis=-1)

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
    """solver(b), which takes stacks of matrices; a b of one axis is a vector."""
    return solver(_hither.expand_dims(b, 1))[..., 0] if b.ndim == 1 else solver(b)


def _diagonal(x: Array) -> Array:
    n = x.shape[-1]
    return reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]


def _exchanges_are_odd(pivots: Array) -> Array:
    order = arange(1, pivots.shape[-1] + 1, dtype=np.int64, queue=pivots.queue)
    return _hither.count_nonzero(pivots != order, axis=-1) % 2 == 1


def _column(limits: Any, like: Array) -> Any:
    """Limits, one each matrix of a stack or one for all, beside the stack's singular values."""
    column = np.asarray(limits, dtype=like.dtype.char.lower())[..., None]
    return asarray(column, queue=like.queue)
