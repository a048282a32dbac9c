"""Linear algebra of stacks of small matrices by functions of the device library.

LAPACK takes a call for each matrix, which costs more than the work of a small one. Here one item
factors one matrix (`device_library/matrices.cpp`), so that all cores work.
"""

from __future__ import annotations

import math

from .. import _hither
from .._array.creation import eye
from .._hither import Array, absolute, broadcast_to, matrix_function, prod, reshape, where
from ..errors import LinAlgError

__all__ = ["SmallMatrices", "small_matrices"]

_SIDES = (4, 8, 16, 32)  # the largest numbers of rows of the functions
# Bytes of a function's square, which GPUs reserve for each of the threads that fit the device.
_BYTES_ON_GPUS = 2048
# Rows up to which they take less time than cuBLAS's functions of stacks and the tables of addresses
# that these need (100 000 x 8 x 8 float64, H200: 0.4 and 2.3 ms).
_LARGEST_ON_CUDA = 8


def _side(rows: int) -> int:
    return next(side for side in _SIDES if rows <= side)


class SmallMatrices:
    """A call on a stack of small square matrices, the first of ``arrays``."""

    def __init__(self, function: str, arrays: tuple[Array, ...]) -> None:
        self.function, self.arrays = function, arrays
        self.rows = arrays[0].shape[-1]
        self.shape = arrays[0].shape
        self.count = math.prod(self.shape[:-2])

    def _run(self, name: str, operands: list[Array], integers: list[int], size: int) -> Array:
        items = integers[-1] if name == "solve" else self.count
        return matrix_function(
            f"{name}_{_side(self.rows)}", operands, [self.rows, *integers], items, size
        )

    def _checked(self, found: Array, count: int, complaint: str) -> Array:
        """The elements before the ``count`` statuses. Waits for these."""
        size = found.size - count
        if _hither.any(found[size:]):
            raise LinAlgError(self.function, complaint)
        return found[:size]

    def _solutions(self, right: Array, stack: tuple[int, ...]) -> Array:
        """The solutions with the matrices ``right``, in the shape of the broadcast stacks."""
        a, n, m = self.arrays[0], *right.shape[-2:]
        whole = _hither.broadcast_shapes(stack, right.shape[:-2])
        count = math.prod(whole)
        steps = []
        operands = []
        for x, own in ((a, stack), (right, right.shape[:-2])):
            single = math.prod(own) == 1
            operands.append(x if single else broadcast_to(x, (*whole, *x.shape[-2:])))
            steps.append(0 if single else math.prod(x.shape[-2:]))
        found = self._run("solve", operands, [m, *steps, count], count * (n * m + 1))
        return reshape(self._checked(found, count, "Singular matrix"), (*whole, n, m))

    def solve(self) -> Array:
        """y with a @ y = b."""
        right = self.arrays[1]
        if right.ndim == 1:
            return self._solutions(right[:, None], self.shape[:-2])[..., 0]
        return self._solutions(right, self.shape[:-2])

    def inv(self) -> Array:
        """The inverse."""
        a = self.arrays[0]
        one = eye(self.rows, dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
        return self._solutions(one, self.shape[:-2])

    def det(self) -> Array:
        """The determinant. Lazy."""
        found = self._run("det", [self.arrays[0]], [], self.count)
        return reshape(found, self.shape[:-2])

    def slogdet(self) -> tuple[Array, Array]:
        """Sign and logarithm of the determinant's absolute value. Lazy."""
        found = self._run("pivots", [self.arrays[0]], [], self.count * self.rows)
        factors = reshape(found, self.shape[:-1])
        size = absolute(factors)
        signs = where(size == 0, factors, factors / where(size == 0, 1, size))
        logarithm = _hither.sum(_hither.log(size), axis=-1)
        return prod(signs, axis=-1), logarithm

    def cholesky(self, upper: bool) -> Array:
        """The lower factor of the lower triangle, or the upper factor of the upper one."""
        a = self.arrays[0]
        given = _hither.conj(a.mT) if upper else a
        found = self._run("cholesky", [given], [self.count], self.count * (self.rows**2 + 1))
        complaint = "Matrix is not positive definite"
        factor = reshape(self._checked(found, self.count, complaint), self.shape)
        return _hither.copy(_hither.conj(factor.mT)) if upper else factor


def small_matrices(function: str, arrays: tuple[Array, ...]) -> SmallMatrices | None:
    """The call by functions of the device library, or None if LAPACK is the better one.

    The number of matrices does not matter, so that parts of a stack have the bits of the whole.
    """
    shape = arrays[0].shape
    if len(shape) == 2 or shape[-1] > _SIDES[-1] or any(x.size == 0 for x in arrays):
        return None
    backend = arrays[0].queue.backend
    if backend == "cuda" and shape[-1] > _LARGEST_ON_CUDA:
        return None
    if backend != "native_cpu" and _side(shape[-1]) ** 2 * arrays[0].itemsize > _BYTES_ON_GPUS:
        return None
    return SmallMatrices(function, arrays)
