"""Factorizations by oneMKL on SYCL devices.

The matrices of a stack are factorized one after the other on the queue. oneMKL reports the status
of a matrix at the call, which may wait for it.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ..._hither import Array, Event
from ..matrix_library import MatrixLibrary, worth_a_device
from .plugin import call, may_wait

__all__ = ["library_for"]


def library_for(_function: str, arrays: tuple[Array, ...]) -> type[MatrixLibrary] | None:
    """The library class, or None if oneMKL cannot be called or the host is faster."""
    return Library if may_wait(arrays[0].queue) and worth_a_device(arrays[0]) else None


class _Said:
    """The statuses of the matrices of a stack."""

    def __init__(self, numbers: np.ndarray, event: Event) -> None:
        self._numbers = numbers
        self._event = event

    def any(self) -> bool:
        """Whether a status is not 0. Waits for them, and raises the errors of the arguments."""
        self._event.wait()
        return bool(self._numbers.any())


class Library(MatrixLibrary):
    """oneMKL."""

    def _each(self, name: str, count: int, arrays: tuple[Array, ...], *arguments: Any) -> _Said:
        """Calls oneMKL's function ``name`` for ``count`` matrices. Returns their statuses.

        ``arguments`` precede the addresses of the arrays.
        """
        said = np.zeros(count, dtype=np.int64)
        size = ctypes.c_int64()
        first = (ctypes.c_char(self.dtype.char.encode()), count, ctypes.c_void_p(said.ctypes.data))
        nowhere = (0,) * (len(arrays) + 1)

        def give(queue: int, *addresses: int) -> None:  # without addresses it queries the size
            call(name, queue, *first, *arguments, *(addresses or nowhere), ctypes.byref(size))

        self.queue.submit_native(give)
        work = self.new(max(1, size.value))
        return _Said(said, self.queue.submit_native(give, writes=(*arrays, work)))

    def getrf(self, a: Array) -> tuple[Array, Any]:
        count, n, _ = a.shape
        pivots = self.new(count, n, dtype=np.int64)
        return pivots, self._each("getrf", count, (a, pivots), n)

    def getrs(self, lu: Array, pivots: Array, b: Array, which: np.ndarray, transpose: bool) -> None:
        count, columns, n = b.shape
        order = (ctypes.c_int64 * count)(*which.tolist())
        self._each("getrs", count, (lu, pivots, b), transpose, n, columns, order)

    def potrf(self, a: Array) -> Any:
        return self._each("potrf", a.shape[0], (a,), a.shape[-1])

    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        count, n, _ = a.shape
        values = self.new(count, n, dtype=self.real)
        upper = True
        return values, self._each("heevd", count, (a, values), vectors, upper, n)

    def gesvd(self, a: Array, job: str) -> tuple[Array, Array, Array, Any]:
        count, n, m = a.shape  # of m rows and n columns to oneMKL
        values = self.new(count, n, dtype=self.real)
        u = self.new(count, 1, 1) if job == "N" else self.new(count, m if job == "A" else n, m)
        vh = self.new(count, 1, 1) if job == "N" else self.new(count, n, n)
        letter = ctypes.c_char(job.encode())
        said = self._each("gesvd", count, (a, values, u, vh), letter, m, n)
        return u, values, vh, said

    def geqrf(self, a: Array) -> Array:
        count, n, m = a.shape
        factors = self.new(count, min(m, n))
        self._each("geqrf", count, (a, factors), m, n)
        return factors

    def ungqr(self, q: Array, factors: Array) -> None:
        count, width, m = q.shape
        self._each("ungqr", count, (q, factors), m, width, factors.shape[1])
