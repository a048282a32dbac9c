"""Eigenvalues, singular values and QR factors of stacks of small matrices on NVIDIA GPUs.

cuSOLVER computes the eigenvalues or singular values of many matrices in one call, by Jacobi's
rotations or by an algorithm of its own. Each matrix has a status. QR factors, of which cuBLAS makes
only the reflections, are computed by a kernel.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ... import _hither
from ..._array.creation import tril
from ..._hither import Array, asarray, asnumpy, conj, copy, matmul, reshape, where
from ...errors import LinAlgError
from ..handle_cache import Kept
from ..reflections import has_kernel, qr_of_stack
from .lapack import (
    LIBRARY,
    TYPES,
    UPPER,
    WITH_VECTORS,
    WITHOUT_VECTORS,
    Handle,
    Library,
)

__all__ = ["Stacks", "takes"]

# The largest number of rows and columns of gesvdjBatched, and up to which syevjBatched takes two
# thirds of XsyevBatched's time.
_ROTATED = 32
# The matrices of one call. XsyevBatched has refused more than about 32 000, and others
# count their work memory in 32 bits.
_AT_ONCE = 1 << 14
_OF_64_BITS = "cusolverDnXsyevBatched"


def takes(function: str, a: Array) -> bool:
    """Whether the device is faster than the host for the function of the stack of small matrices.

    For singular values of more than 32 rows and columns cuSOLVER has functions of one matrix, and
    one for stacks that computes from squares, with half of the digits.
    """
    low, high = sorted(a.shape[-2:])
    if function == "qr":
        return has_kernel()
    if function in ("eigh", "eigvalsh"):
        return bool(LIBRARY)
    if function in ("svd", "svdvals", "pinv", "matrix_rank"):
        return bool(LIBRARY) and low <= _ROTATED and (high <= _ROTATED or has_kernel())
    return False


class _StackHandle(Handle):
    """A handle of cuSOLVER with the parameters of Jacobi's algorithm, which are the defaults."""

    def __init__(self, stream: int) -> None:
        super().__init__(stream)
        self.eigen, self.singular = ctypes.c_void_p(), ctypes.c_void_p()
        LIBRARY.call("cusolverDnCreateSyevjInfo", ctypes.byref(self.eigen))
        LIBRARY.call("cusolverDnCreateGesvdjInfo", ctypes.byref(self.singular))

    def end(self) -> None:
        LIBRARY.raw("cusolverDnDestroyGesvdjInfo", self.singular)
        LIBRARY.raw("cusolverDnDestroySyevjInfo", self.eigen)
        super().end()


class Stacks(Library):
    """Stacks of matrices with fewer than 64 rows and columns."""

    handle_type: Any = _StackHandle
    handles = Kept(16, _StackHandle.end)

    def _in_parts(self, arrays: tuple[Array, ...], ask: Callable, give: Callable) -> Array:
        """Calls cuSOLVER for some matrices of each array at once. Returns the statuses.

        ``ask(handle, addresses, matrices)`` returns the bytes of the work memory, on the device and
        on the host. ``give(handle, addresses, work, status, matrices)`` gets the addresses of the
        parts, the two work memories as (address, bytes), and the address of the statuses.
        """
        count = arrays[0].shape[0]
        most = min(count, _AT_ONCE)
        steps = [x.nbytes // count for x in arrays]
        sizes: list[int] = []
        self.submit(lambda handle, *to: sizes.extend(ask(handle, to, most)), arrays)
        work = self.new(max(1, sizes[0]), dtype=np.uint8)
        host = ctypes.create_string_buffer(max(1, sizes[1]))
        said = self.new(count, dtype=np.int32)

        def give_all(handle: Handle, *addresses: int) -> None:
            *parts, to_say, to_work = addresses
            memories = (to_work, sizes[0]), (host, sizes[1])
            for i in range(0, count, most):
                now = [x + i * step for x, step in zip(parts, steps, strict=True)]
                give(handle, now, memories, to_say + 4 * i, min(most, count - i))

        self.submit(give_all, (*arrays, said, work))
        return said

    def _by_rotations(
        self, name: str, info: str, arrays: tuple[Array, ...], arguments: Callable[..., tuple]
    ) -> Array:
        """Calls a function of Jacobi's algorithm, whose parameters are the handle's ``info``.

        ``arguments`` maps the addresses of the arrays to the arguments before the work memory,
        which the function counts in elements.
        """
        item = self.dtype.itemsize

        def ask(handle: Any, to: tuple[int, ...], count: int) -> tuple[int, int]:
            elements = ctypes.c_int()
            LIBRARY.call(
                f"{name}_bufferSize", handle.native, *arguments(*to), ctypes.byref(elements),
                getattr(handle, info), count,
            )  # fmt: skip
            return elements.value * item, 0

        def give(handle: Any, to: list[int], work: Any, status: int, count: int) -> None:
            (device, size), _ = work
            LIBRARY.call(
                name, handle.native, *arguments(*to), device, size // item, status,
                getattr(handle, info), count,
            )  # fmt: skip

        return self._in_parts(arrays, ask, give)

    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        n = a.shape[-1]
        values = self.new(a.shape[0], n, dtype=self.real)
        job = WITH_VECTORS if vectors else WITHOUT_VECTORS
        if n <= _ROTATED or not LIBRARY.has(_OF_64_BITS):
            letters = {"f": "Ssy", "d": "Dsy", "F": "Che", "D": "Zhe"}[self.dtype.char]
            said = self._by_rotations(
                f"cusolverDn{letters}evjBatched", "eigen", (a, values),
                lambda x, w: (job, UPPER, n, x, n, w),
            )  # fmt: skip
            return values, said
        kind = self.type
        same = (job, UPPER, n, kind)
        real = TYPES[self.real.char]

        def ask(handle: Handle, to: tuple[int, ...], count: int) -> tuple[int, int]:
            sizes = ctypes.c_size_t(), ctypes.c_size_t()
            LIBRARY.call(
                f"{_OF_64_BITS}_bufferSize", handle.native, handle.options, *same, to[0], n, real,
                to[1], kind, *map(ctypes.byref, sizes), count,
            )  # fmt: skip
            return sizes[0].value, sizes[1].value

        def give(handle: Handle, to: list[int], work: Any, status: int, count: int) -> None:
            device, host = work
            LIBRARY.call(
                _OF_64_BITS, handle.native, handle.options, *same, to[0], n, real, to[1], kind,
                *device, *host, status, count,
            )  # fmt: skip

        return values, self._in_parts((a, values), ask, give)

    def _scaled(self, a: Array, part: Array, complaint: str) -> tuple[Array, Array]:
        """a with ordinary elements, and the scales, one for each matrix.

        Squares of very large or small elements are not numbers, so that these matrices are divided
        by the largest size in ``part``, the elements that count. Raises LinAlgError if one of them
        is NaN or infinite, which a status does not always tell.
        """
        largest = _hither.max(_hither.absolute(part), axis=(-2, -1), keepdims=True)
        if not _hither.isfinite(largest).all():
            raise LinAlgError(self.function, complaint)
        limits = np.finfo(self.real)
        low = math.sqrt(limits.tiny) / float(limits.eps)
        high = math.sqrt(limits.max) * 1e-3
        ordinary = (largest == 0) | ((largest > low) & (largest < high))
        scale = where(ordinary, 1, largest)
        return a / scale, scale[..., 0]

    def eigh(self, a: Array, vectors: bool) -> tuple[Array, Array]:
        if a.shape[-1] == 1:  # LAPACK takes NaN here
            return super().eigh(a, vectors)
        given, scale = self._scaled(a, tril(a), "Eigenvalues did not converge")
        values, columns = super().eigh(given, vectors)
        return copy(values * scale), columns

    def svd(self, a: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
        rows, columns = a.shape[-2:]
        given, scale = self._scaled(a, a, "SVD did not converge")
        if max(rows, columns) <= _ROTATED:
            u, s, vh = self._rotated(given, full, vectors)
        elif rows > columns:
            u, s, vh = self._from_triangle(given, full, vectors)
        else:
            right, s, left = self._from_triangle(conj(given).mT, full, vectors)
            u, vh = copy(conj(left).mT), copy(conj(right).mT)
        return u, copy(s * scale), vh

    def _rotated(self, a: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
        """The decomposition of matrices of at most 32 rows and columns."""
        rows, columns = a.shape[-2:]
        x = self.stack(a)  # cuSOLVER sees its transposes, U S V^H. The matrices are conj(V) S U^T.
        count, k = x.shape[0], min(rows, columns)
        values = self.new(count, k, dtype=self.real)
        u, v = self.new(count, columns, columns), self.new(count, rows, rows)
        job = WITH_VECTORS if vectors else WITHOUT_VECTORS
        letter = {"f": "S", "d": "D", "F": "C", "D": "Z"}[self.dtype.char]
        said = self._by_rotations(
            f"cusolverDn{letter}gesvdjBatched", "singular", (x, values, u, v),
            lambda a, s, u, v: (job, columns, rows, a, columns, s, u, columns, v, rows),
        )  # fmt: skip
        if asnumpy(said).any():
            return self._by_lapack(a, full)
        left = copy(conj(v).mT if full else conj(v[:, :k]).mT)
        right = u if full or k == columns else copy(u[:, :k])
        stack = a.shape[:-2]
        return (
            reshape(left, (*stack, *left.shape[1:])),
            reshape(values, (*stack, k)),
            reshape(right, (*stack, *right.shape[1:])),
        )

    def _by_lapack(self, a: Array, full: bool) -> tuple[Array, Array, Array]:
        """The decomposition on the host, by an algorithm that converges for more matrices."""
        try:
            found = np.linalg.svd(asnumpy(a), full)
        except np.linalg.LinAlgError as error:
            raise LinAlgError(self.function, str(error)) from None
        u, s, vh = (asarray(x, queue=self.queue, usm_type=self.usm_type) for x in found)
        return u, s, vh

    def _from_triangle(self, a: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
        """The decomposition of taller matrices, from that of their triangles R."""
        columns = a.shape[-1]
        q, r = self.qr(a, full)
        u, s, vh = self._rotated(r[..., :columns, :], full, vectors)
        if not vectors:
            return u, s, vh
        u = matmul(q[..., :columns], u)
        return _hither.concat([u, q[..., columns:]], axis=-1) if full else u, s, vh

    def qr(self, a: Array, complete: bool) -> tuple[Array, Array]:
        q, r = qr_of_stack(self.stack(a), complete)
        stack = a.shape[:-2]
        return reshape(q, (*stack, *q.shape[1:])), reshape(r, (*stack, *r.shape[1:]))
