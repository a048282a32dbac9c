"""Factorizations by cuSOLVER on NVIDIA GPUs.

The matrices of a stack are factorized one after the other on the queue's stream. For many small
matrices, cuBLAS computes all LU factors at once, and :mod:`.stacks` has the other factorizations.
The statuses are read at the end of the call.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._hither import Array, asarray, astype, take
from ..handle_cache import Kept
from ..matrix_library import MatrixLibrary, worth_a_device
from .dynamic_library import DynamicLibrary

__all__ = [
    "LIBRARY",
    "TYPES",
    "UPPER",
    "WITHOUT_VECTORS",
    "WITH_VECTORS",
    "Handle",
    "Library",
    "library_for",
]

LIBRARY = DynamicLibrary("cusolver", "nvidia-cusolver")
_cublas = DynamicLibrary("cublas", "nvidia-cublas")
_cuda = DynamicLibrary("cuda", "(it comes with NVIDIA's driver)")
TYPES = {"f": 0, "d": 1, "F": 4, "D": 5}  # cudaDataType for dtypes
_AS_IT_IS, _TRANSPOSE, _LOWER, UPPER = 0, 1, 0, 1
WITHOUT_VECTORS, WITH_VECTORS = 0, 1


# Calls that need only LU factors.
_BY_FACTORS = frozenset(("det", "inv", "lu_factor", "lu_solve", "slogdet", "solve"))
# Calls that need singular values. For matrices of at most so many rows and columns LAPACK is faster
# than cuSOLVER's function of one matrix (docs/design/0021-cuda-libraries.md).
_BY_SINGULAR_VALUES = frozenset(("lstsq", "matrix_rank", "pinv", "svd", "svdvals"))
_FASTER_ON_HOST = 256


def library_for(function: str, arrays: tuple[Array, ...]) -> type[MatrixLibrary] | None:
    """The library class for the function on these matrices, or None if the host is faster."""
    sides = arrays[0].shape[-2:]
    if worth_a_device(arrays[0]):
        on_host = function in _BY_SINGULAR_VALUES and max(sides) <= _FASTER_ON_HOST
        return Library if LIBRARY and not on_host else None
    if function in _BY_FACTORS:
        return _Batched if _cublas else None
    from .stacks import Stacks, takes

    return Stacks if takes(function, arrays[0]) else None


class Handle:
    """A handle of cuSOLVER for a stream."""

    def __init__(self, stream: int) -> None:
        self.native, self.options = ctypes.c_void_p(), ctypes.c_void_p()
        LIBRARY.call("cusolverDnCreate", ctypes.byref(self.native))
        LIBRARY.call("cusolverDnCreateParams", ctypes.byref(self.options))
        LIBRARY.call("cusolverDnSetStream", self.native, ctypes.c_void_p(stream))

    def end(self) -> None:
        LIBRARY.raw("cusolverDnDestroyParams", self.options)
        LIBRARY.raw("cusolverDnDestroy", self.native)


_lock = threading.Lock()


class Library(MatrixLibrary):
    """cuSOLVER."""

    handle_type: Any = Handle
    handles = Kept(16, Handle.end)

    def __init__(self, function: str, like: Array) -> None:
        super().__init__(function, like)
        self.type = TYPES[like.dtype.char]

    def _each(
        self,
        name: str,
        arrays: tuple[Array, ...],
        arguments: Callable[..., tuple],
        sizing: Callable[..., tuple] | None = None,
    ) -> Array:
        """Calls cuSOLVER's function ``name`` for every matrix. Returns the statuses.

        ``arguments`` maps the addresses of a matrix's part of each array to the function's
        arguments between its options and its computing type. ``sizing`` does so for the function
        that computes the size of the work memory, if its arguments are different.
        """
        count = arrays[0].shape[0]
        said = self.new(count, dtype=np.int32)
        steps = [x.nbytes // count for x in arrays]
        device_bytes, host_bytes = ctypes.c_size_t(), ctypes.c_size_t()

        def ask(handle: Handle) -> None:
            LIBRARY.call(
                f"cusolverDn{name}_bufferSize", handle.native, handle.options,
                *(sizing or arguments)(*([None] * len(arrays))), self.type,
                ctypes.byref(device_bytes), ctypes.byref(host_bytes),
            )  # fmt: skip

        self.submit(ask)
        work = self.new(max(1, device_bytes.value), dtype=np.uint8)
        host = ctypes.create_string_buffer(max(1, host_bytes.value))

        def give(handle: Handle, *addresses: int) -> None:
            *parts, to_say, to_work = addresses
            for i in range(count):
                now = arguments(*(a + i * step for a, step in zip(parts, steps, strict=True)))
                LIBRARY.call(
                    f"cusolverDn{name}", handle.native, handle.options, *now, self.type, to_work,
                    device_bytes.value, host, host_bytes.value, to_say + 4 * i,
                )  # fmt: skip

        self.submit(give, (*arrays, said, work))
        return said

    def submit(self, give: Callable, writes: tuple[Array, ...] = ()) -> None:
        """Submits a call of give(handle, *addresses), which adds work to the stream."""

        def with_handle(stream: int, *addresses: int) -> None:
            with _lock:  # a handle is not thread-safe
                key = (stream, self.queue.device.filter_string)
                give(self.handles.get_or_make(key, lambda: self.handle_type(stream)), *addresses)

        self.queue.submit_native(with_handle, writes=writes)

    def getrf(self, a: Array) -> tuple[Array, Any]:
        count, n, _ = a.shape
        pivots = self.new(count, n, dtype=np.int64)
        said = self._each(
            "Xgetrf",
            (a, pivots),
            lambda x, exchanges: (n, n, self.type, x, n, exchanges),
            lambda x, exchanges: (n, n, self.type, x, n),
        )
        return pivots, said

    def getrs(self, lu: Array, pivots: Array, b: Array, which: np.ndarray, transpose: bool) -> None:
        _, columns, n = b.shape
        said = self.new(b.shape[0], dtype=np.int32)
        item, data_type = self.dtype.itemsize, self.type
        trans = _TRANSPOSE if transpose else _AS_IT_IS

        def give(handle: Handle, factors: int, exchanges: int, to: int, to_say: int) -> None:
            for i, k in enumerate(which.tolist()):
                LIBRARY.call(
                    "cusolverDnXgetrs", handle.native, handle.options, trans, n, columns, data_type,
                    factors + k * n * n * item, n, exchanges + k * n * 8, data_type,
                    to + i * n * columns * item, n, to_say + 4 * i,
                )  # fmt: skip

        self.submit(give, (lu, pivots, b, said))

    def potrf(self, a: Array) -> Any:
        n = a.shape[-1]
        return self._each("Xpotrf", (a,), lambda x: (_LOWER, n, self.type, x, n))

    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        n = a.shape[-1]
        values = self.new(a.shape[0], n, dtype=self.real)
        job = WITH_VECTORS if vectors else WITHOUT_VECTORS
        real = TYPES[self.real.char]
        said = self._each(
            "Xsyevd", (a, values), lambda x, w: (job, UPPER, n, self.type, x, n, real, w)
        )
        return values, said

    def gesvd(self, a: Array, job: str) -> tuple[Array, Array, Array, Any]:
        count, n, m = a.shape  # of m rows and n columns to cuSOLVER
        values = self.new(count, n, dtype=self.real)
        u = self.new(count, 1, 1) if job == "N" else self.new(count, m if job == "A" else n, m)
        vh = self.new(count, 1, 1) if job == "N" else self.new(count, n, n)
        letter = ctypes.c_byte(ord(job))
        data_type, real = self.type, TYPES[self.real.char]
        said = self._each(
            "Xgesvd",
            (a, values, u, vh),
            lambda x, s, left, right: (
                letter, letter, m, n, data_type, x, m, real, s, data_type, left, m, data_type,
                right, n,
            ),
        )  # fmt: skip
        return u, values, vh, said

    def geqrf(self, a: Array) -> Array:
        count, n, m = a.shape
        factors = self.new(count, min(m, n))
        self._each(
            "Xgeqrf", (a, factors), lambda x, tau: (m, n, self.type, x, m, self.type, tau)
        )  # fmt: skip
        return factors

    def ungqr(self, q: Array, factors: Array) -> None:
        """Overwrites q by Q. These functions have a name for each type."""
        count, width, m = q.shape
        k = factors.shape[1]
        letter = {"f": "Sor", "d": "Dor", "F": "Cun", "D": "Zun"}[self.dtype.char]
        name = f"cusolverDn{letter}gqr"
        elements = ctypes.c_int()

        def ask(handle: Handle) -> None:
            LIBRARY.call(
                f"{name}_bufferSize", handle.native, m, width, k, None, m, None,
                ctypes.byref(elements),
            )  # fmt: skip

        self.submit(ask)
        work = self.new(max(1, elements.value))
        said = self.new(count, dtype=np.int32)
        item = self.dtype.itemsize

        def give(handle: Handle, to: int, tau: int, to_work: int, to_say: int) -> None:
            for i in range(count):
                LIBRARY.call(
                    name, handle.native, m, width, k, to + i * m * width * item, m,
                    tau + i * k * item, to_work, elements.value, to_say + 4 * i,
                )  # fmt: skip

        self.submit(give, (q, factors, work, said))


class _BlasHandle:
    """A handle of cuBLAS for a stream."""

    def __init__(self, stream: int) -> None:
        self.native, self.stream = ctypes.c_void_p(), ctypes.c_void_p(stream)
        _cublas.call("cublasCreate_v2", ctypes.byref(self.native))
        _cublas.call("cublasSetStream_v2", self.native, self.stream)

    def end(self) -> None:
        _cublas.raw("cublasDestroy_v2", self.native)

    def write(self, to: int, addresses: np.ndarray) -> None:
        """Copies the addresses to GPU memory. CUDA has read them when this returns."""
        _cuda.call("cuMemcpyHtoDAsync_v2", to, addresses.ctypes.data, addresses.nbytes, self.stream)


class _Batched(Library):
    """Computes LU factors of many matrices at once by cuBLAS, which takes tables of addresses."""

    handle_type: Any = _BlasHandle
    handles = Kept(4, _BlasHandle.end)  # each needs a few megabytes

    def __init__(self, function: str, like: Array) -> None:
        super().__init__(function, like)
        self.letter = {"f": "S", "d": "D", "F": "C", "D": "Z"}[like.dtype.char]

    def getrf(self, a: Array) -> tuple[Array, Any]:
        count, n, _ = a.shape
        pivots, said = self.new(count, n, dtype=np.int32), self.new(count, dtype=np.int32)
        table = self.new(count, dtype=np.uint64)
        places = np.arange(count, dtype=np.uint64) * np.uint64(a.nbytes // count)

        def give(handle: _BlasHandle, at: int, exchanges: int, to_say: int, to_table: int) -> None:
            handle.write(to_table, places + np.uint64(at))
            _cublas.call(
                f"cublas{self.letter}getrfBatched",
                handle.native, n, to_table, n, exchanges, to_say, count,
            )  # fmt: skip

        self.submit(give, (a, pivots, said, table))
        return pivots, said

    def getrs(self, lu: Array, pivots: Array, b: Array, which: np.ndarray, transpose: bool) -> None:
        count, columns, n = b.shape
        pivots = astype(pivots, np.int32, copy=False)
        if not np.array_equal(which, np.arange(count)):
            pivots = take(pivots, asarray(which, queue=self.queue), axis=0)
        item = self.dtype.itemsize
        factors = which.astype(np.uint64) * np.uint64(n * n * item)
        places = np.arange(count, dtype=np.uint64) * np.uint64(n * columns * item)
        table, others = (self.new(count, dtype=np.uint64) for _ in range(2))
        trans = _TRANSPOSE if transpose else _AS_IT_IS
        wrong = ctypes.c_int()

        def give(handle: _BlasHandle, *addresses: int) -> None:
            at, exchanges, to, to_table, to_others = addresses
            handle.write(to_table, factors + np.uint64(at))
            handle.write(to_others, places + np.uint64(to))
            _cublas.call(
                f"cublas{self.letter}getrsBatched",
                handle.native, trans, n, columns, to_table, n, exchanges, to_others, n,
                ctypes.byref(wrong), count,
            )  # fmt: skip

        self.submit(give, (lu, pivots, b, table, others))
