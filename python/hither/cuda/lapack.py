"""Factorizations by cuSOLVER, on the GPU that holds the data.

Stacks are done one matrix after the other, in the queue's stream; what cuSOLVER says of them is
read once, at the end of the call.
"""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .._hither import Array, isfinite
from .._hither import any as any_of
from ..kept import Kept
from ..matrix_library import MatrixLibrary, worth_a_device
from .dynamic_library import DynamicLibrary

__all__ = ["Library", "takes"]

LIBRARY = DynamicLibrary("cusolver", "nvidia-cusolver")
_TYPES = {"f": 0, "d": 1, "F": 4, "D": 5}  # of CUDA, for dtypes
_AS_IT_IS, _TRANSPOSE, _LOWER, _UPPER = 0, 1, 0, 1
_WITHOUT_VECTORS, _WITH_VECTORS = 0, 1


def takes(arrays: tuple[Array, ...]) -> bool:
    """Whether cuSOLVER is there, and the right one for these matrices."""
    return bool(LIBRARY) and worth_a_device(arrays[0])


class _Handle:
    """What cuSOLVER has for one stream."""

    def __init__(self, stream: int) -> None:
        self.native, self.options = ctypes.c_void_p(), ctypes.c_void_p()
        LIBRARY.call("cusolverDnCreate", ctypes.byref(self.native))
        LIBRARY.call("cusolverDnCreateParams", ctypes.byref(self.options))
        LIBRARY.call("cusolverDnSetStream", self.native, ctypes.c_void_p(stream))

    def end(self) -> None:
        LIBRARY.raw("cusolverDnDestroyParams", self.options)
        LIBRARY.raw("cusolverDnDestroy", self.native)


_handles = Kept(16, _Handle.end)
_lock = threading.Lock()


class Library(MatrixLibrary):
    """cuSOLVER."""

    def __init__(self, function: str, like: Array) -> None:
        super().__init__(function, like)
        self.type = _TYPES[like.dtype.char]

    def _each(
        self,
        name: str,
        arrays: tuple[Array, ...],
        arguments: Callable[..., tuple],
        sizing: Callable[..., tuple] | None = None,
    ) -> Array:
        """Calls cuSOLVER's function ``name`` for every matrix; gives what it says of them.

        ``arguments`` makes, from the addresses of a matrix's part of each array, what the function
        takes between its options and its computing type; ``sizing`` those of its question how
        much memory it needs, where they are others.
        """
        count = arrays[0].shape[0]
        said = self.new(count, dtype=np.int32)
        steps = [x.nbytes // count for x in arrays]
        device_bytes, host_bytes = ctypes.c_size_t(), ctypes.c_size_t()

        def ask(handle: _Handle) -> None:
            LIBRARY.call(
                f"cusolverDn{name}_bufferSize", handle.native, handle.options,
                *(sizing or arguments)(*([None] * len(arrays))), self.type,
                ctypes.byref(device_bytes), ctypes.byref(host_bytes),
            )  # fmt: skip

        self._submit(ask)
        work = self.new(max(1, device_bytes.value), dtype=np.uint8)
        host = ctypes.create_string_buffer(max(1, host_bytes.value))

        def give(handle: _Handle, *addresses: int) -> None:
            *parts, to_say, to_work = addresses
            for i in range(count):
                now = arguments(*(a + i * step for a, step in zip(parts, steps, strict=True)))
                LIBRARY.call(
                    f"cusolverDn{name}", handle.native, handle.options, *now, self.type, to_work,
                    device_bytes.value, host, host_bytes.value, to_say + 4 * i,
                )  # fmt: skip

        self._submit(give, (*arrays, said, work))
        return said

    def _submit(self, give: Callable, writes: tuple[Array, ...] = ()) -> None:
        """Calls give(handle, *addresses), which puts work into the stream."""

        def with_handle(stream: int, *addresses: int) -> None:
            with _lock:  # a handle is one thread's at a time
                key = (stream, self.queue.device.filter_string)
                give(_handles.get_or_make(key, lambda: _Handle(stream)), *addresses)

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

    def getrs(
        self, lu: Array, pivots: Array, b: Array, which: Sequence[int], transpose: bool
    ) -> None:
        _, columns, n = b.shape
        said = self.new(b.shape[0], dtype=np.int32)
        item, ours = self.dtype.itemsize, self.type
        trans = _TRANSPOSE if transpose else _AS_IT_IS

        def give(handle: _Handle, factors: int, exchanges: int, to: int, to_say: int) -> None:
            for i, k in enumerate(which):
                LIBRARY.call(
                    "cusolverDnXgetrs", handle.native, handle.options, trans, n, columns, ours,
                    factors + k * n * n * item, n, exchanges + k * n * 8, ours,
                    to + i * n * columns * item, n, to_say + 4 * i,
                )  # fmt: skip

        self._submit(give, (lu, pivots, b, said))

    def potrf(self, a: Array) -> Any:
        n = a.shape[-1]
        return self._each("Xpotrf", (a,), lambda x: (_LOWER, n, self.type, x, n))

    def heevd(self, a: Array, vectors: bool) -> tuple[Array, Any]:
        n = a.shape[-1]
        values = self.new(a.shape[0], n, dtype=self.real)
        job = _WITH_VECTORS if vectors else _WITHOUT_VECTORS
        real = _TYPES[self.real.char]
        said = self._each(
            "Xsyevd", (a, values), lambda x, w: (job, _UPPER, n, self.type, x, n, real, w)
        )
        return values, said

    def gesvd(self, a: Array, job: str) -> tuple[Array, Array, Array, Any]:
        count, n, m = a.shape  # of m rows and n columns to cuSOLVER
        values = self.new(count, n, dtype=self.real)
        u = self.new(count, 1, 1) if job == "N" else self.new(count, m if job == "A" else n, m)
        vh = self.new(count, 1, 1) if job == "N" else self.new(count, n, n)
        letter = ctypes.c_byte(ord(job))
        ours, real = self.type, _TYPES[self.real.char]
        said = self._each(
            "Xgesvd",
            (a, values, u, vh),
            lambda x, s, left, right: (
                letter, letter, m, n, ours, x, m, real, s, ours, left, m, ours, right, n,
            ),
        )  # fmt: skip
        # Of what is not finite it makes NaN, and says nothing.
        return u, values, vh, said + any_of(~isfinite(values), axis=-1)

    def geqrf(self, a: Array) -> Array:
        count, n, m = a.shape
        factors = self.new(count, min(m, n))
        self._each(
            "Xgeqrf", (a, factors), lambda x, tau: (m, n, self.type, x, m, self.type, tau)
        )  # fmt: skip
        return factors

    def ungqr(self, q: Array, factors: Array) -> None:
        """These functions have a name for each type."""
        count, width, m = q.shape
        k = factors.shape[1]
        letter = {"f": "Sor", "d": "Dor", "F": "Cun", "D": "Zun"}[self.dtype.char]
        name = f"cusolverDn{letter}gqr"
        elements = ctypes.c_int()

        def ask(handle: _Handle) -> None:
            LIBRARY.call(
                f"{name}_bufferSize", handle.native, m, width, k, None, m, None,
                ctypes.byref(elements),
            )  # fmt: skip

        self._submit(ask)
        work = self.new(max(1, elements.value))
        said = self.new(count, dtype=np.int32)
        item = self.dtype.itemsize

        def give(handle: _Handle, to: int, tau: int, to_work: int, to_say: int) -> None:
            for i in range(count):
                LIBRARY.call(
                    name, handle.native, m, width, k, to + i * m * width * item, m,
                    tau + i * k * item, to_work, elements.value, to_say + 4 * i,
                )  # fmt: skip

        self._submit(give, (q, factors, work, said))
