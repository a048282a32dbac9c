"""Factorizations by cuSOLVER, on the GPU that holds the data.

cuSOLVER has matrices by columns: it sees the transposes of ours. Stacks are done one matrix after
the other, in the queue's stream; what cuSOLVER says of them is read once, at the end of the call.
"""

from __future__ import annotations

import ctypes
import math
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither
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
from ..creation import arange, eye, tril, triu
from ..errors import LinAlgError
from .dynamic_library import DynamicLibrary, Kept

__all__ = [
    "cholesky",
    "det",
    "eigh",
    "inv",
    "lu_factor",
    "lu_solve",
    "matrix_rank",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "takes",
]

LIBRARY = DynamicLibrary("cusolver", "nvidia-cusolver")
_TYPES = {"f": 0, "d": 1, "F": 4, "D": 5}  # of CUDA, for dtypes
_AS_IT_IS, _TRANSPOSE, _LOWER, _UPPER = 0, 1, 0, 1
_WITHOUT_VECTORS, _WITH_VECTORS = 0, 1


# Matrices of fewer rows and columns, several of them, are done sooner by the host.
_SMALL = 64


def takes(arrays: tuple[Array, ...]) -> bool:
    """Whether cuSOLVER is there, and the right one for these matrices."""
    x = arrays[0]
    several = math.prod(x.shape[:-2]) > 1
    return bool(LIBRARY) and not (several and max(x.shape[-2:]) < _SMALL)


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


class _Call:
    """Work on stacks of dense matrices that cuSOLVER overwrites."""

    def __init__(self, function: str, like: Array) -> None:
        self.function = function
        self.queue: Queue = like.queue
        self.usm_type = like.usm_type
        self.dtype = like.dtype
        self.type = _TYPES[like.dtype.char]
        self.real = np.dtype(like.dtype.char.lower())

    def new(self, *shape: int, dtype: Any = None) -> Array:
        """Memory without values."""
        return empty(shape, dtype=dtype or self.dtype, queue=self.queue, usm_type=self.usm_type)

    def copy(self, x: Array) -> Array:
        """x in new memory, as a stack of one axis: (matrices, rows, columns)."""
        fresh = copy(x)
        return reshape(fresh, (math.prod(x.shape[:-2]), *x.shape[-2:]))

    def each(
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

        self.submit(ask)
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

        self.submit(give, (*arrays, said, work))
        return said

    def submit(self, give: Callable, writes: tuple[Array, ...] = ()) -> None:
        """Calls give(handle, *addresses), which puts work into the stream."""

        def with_handle(stream: int, *addresses: int) -> None:
            with _lock:  # a handle is one thread's at a time
                key = (stream, self.queue.device.filter_string)
                give(_handles.get_or_make(key, lambda: _Handle(stream)), *addresses)

        self.queue.submit_native(with_handle, writes=writes)

    def expect_zeros(self, said: Array, complaint: str) -> None:
        """LinAlgError unless cuSOLVER found nothing amiss."""
        if asnumpy(said).any():
            raise LinAlgError(self.function, complaint)


def _lu(function: str, x: Array) -> tuple[_Call, Array, Array, Array]:
    """LU factors of the transposes, their exchanges of rows (from 1), and what cuSOLVER said."""
    call = _Call(function, x)
    factors = call.copy(x)
    count, n, _ = factors.shape
    pivots = call.new(count, n, dtype=np.int64)
    said = call.each(
        "Xgetrf",
        (factors, pivots),
        lambda a, exchanges: (n, n, call.type, a, n, exchanges),
        lambda a, exchanges: (n, n, call.type, a, n),
    )
    return call, factors, pivots, said


def _answers(
    call: _Call, factors: Array, pivots: Array, b: Array, stack: tuple[int, ...], trans: int
) -> Array:
    """The systems' answers from LU factors of ``stack``'s matrices, or of their transposes."""
    n, columns = b.shape[-2:]
    whole = _hither.broadcast_shapes(stack, b.shape[:-2])
    result = call.copy(broadcast_to(b, (*whole, n, columns)).mT)
    said = call.new(result.shape[0], dtype=np.int32)
    order = np.arange(factors.shape[0]).reshape(stack)
    which = np.broadcast_to(order, whole).reshape(-1).tolist()
    item, ours = call.dtype.itemsize, call.type

    def give(handle: _Handle, lu: int, exchanges: int, to: int, to_say: int) -> None:
        for i, k in enumerate(which):
            LIBRARY.call(
                "cusolverDnXgetrs", handle.native, handle.options, trans, n, columns, ours,
                lu + k * n * n * item, n, exchanges + k * n * 8, ours,
                to + i * n * columns * item, n, to_say + 4 * i,
            )  # fmt: skip

    call.submit(give, (factors, pivots, result, said))
    return copy(reshape(result, (*whole, columns, n)).mT)


def _of_matrix(solver: Callable[[Array], Array], b: Array) -> Array:
    """solver(b), which takes stacks of matrices; a b of one axis is a vector."""
    return solver(_hither.expand_dims(b, 1))[..., 0] if b.ndim == 1 else solver(b)


def solve(function: str, a: Array, b: Array) -> Array:
    """y with a @ y = b; stacks broadcast."""
    call, factors, pivots, said = _lu(function, a)
    stack = a.shape[:-2]
    result = _of_matrix(
        lambda m: _answers(call, factors, pivots, m, stack, _TRANSPOSE), b
    )  # fmt: skip
    call.expect_zeros(said, "Singular matrix")
    return result


def lu_factor(function: str, a: Array) -> tuple[Array, Array]:
    """LU factors in one matrix, and the rows that were exchanged, from 0."""
    _, factors, pivots, _ = _lu(function, a.mT)
    lu = copy(reshape(factors, a.shape).mT)
    return lu, reshape(astype(pivots - 1, np.int32), a.shape[:-1])


def lu_solve(function: str, lu: Array, b: Array, pivots: Array) -> Array:
    """The answers from what lu_factor gave."""
    call = _Call(function, lu)
    n = lu.shape[-1]
    factors = call.copy(lu.mT)
    exchanges = copy(reshape(astype(pivots, np.int64) + 1, (factors.shape[0], n)))
    stack = lu.shape[:-2]
    return _of_matrix(lambda m: _answers(call, factors, exchanges, m, stack, _AS_IT_IS), b)


def inv(function: str, a: Array) -> Array:
    """The inverse."""
    one = eye(a.shape[-1], dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
    return solve(function, a, one)


def _diagonal(x: Array) -> Array:
    n = x.shape[-1]
    return reshape(x, (*x.shape[:-2], n * n))[..., :: n + 1]


def _exchanges_are_odd(pivots: Array) -> Array:
    order = arange(1, pivots.shape[-1] + 1, dtype=np.int64, queue=pivots.queue)
    return _hither.count_nonzero(pivots != order, axis=-1) % 2 == 1


def det(function: str, a: Array) -> Array:
    """The determinant. Lazy after the factorization."""
    _, factors, pivots, _ = _lu(function, a)
    product = _hither.prod(_diagonal(factors), axis=-1)
    result = where(_exchanges_are_odd(pivots), -product, product)
    return reshape(result, a.shape[:-2])


def slogdet(function: str, a: Array) -> tuple[Array, Array]:
    """Sign and logarithm of the determinant's absolute value."""
    call, factors, pivots, _ = _lu(function, a)
    diagonal = _diagonal(factors)
    size = _hither.absolute(diagonal)
    signs = where(size == 0, diagonal, diagonal / where(size == 0, 1, size))
    sign = _hither.prod(signs, axis=-1)
    sign = where(_exchanges_are_odd(pivots), -sign, sign)
    logarithm = _hither.sum(_hither.log(size), axis=-1)
    shape = a.shape[:-2]
    return reshape(sign, shape), astype(reshape(logarithm, shape), call.real, copy=False)


def cholesky(function: str, a: Array, upper: bool) -> Array:
    """L, or the upper factor."""
    call = _Call(function, a)
    factor = call.copy(a)
    n = a.shape[-1]
    side = _LOWER if upper else _UPPER  # of the transpose
    said = call.each("Xpotrf", (factor,), lambda x: (side, n, call.type, x, n))
    call.expect_zeros(said, "Matrix is not positive definite")
    return (triu if upper else tril)(reshape(factor, a.shape))


def eigh(function: str, a: Array, vectors: bool) -> tuple[Array, Array]:
    """Eigenvalues and, in columns, eigenvectors of Hermitian matrices."""
    call = _Call(function, a)
    both = call.copy(a)
    n = a.shape[-1]
    values = call.new(both.shape[0], n, dtype=call.real)
    job = _WITH_VECTORS if vectors else _WITHOUT_VECTORS
    real = _TYPES[call.real.char]
    said = call.each(
        "Xsyevd", (both, values), lambda x, w: (job, _UPPER, n, call.type, x, n, real, w)
    )
    call.expect_zeros(said, "Eigenvalues did not converge")
    columns = conj(reshape(both, a.shape).mT) if vectors else both
    return reshape(values, a.shape[:-1]), copy(columns)


def _svd_of_wide(call: _Call, x: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
    """U, S and Vh of matrices with as many columns as rows or more; x is overwritten."""
    count, m, n = x.shape  # cuSOLVER sees n rows and m columns: at least as many rows
    values = call.new(count, m, dtype=call.real)
    of_rows = call.new(count, n if full else m, n) if vectors else call.new(count, 1, 1)
    of_columns = call.new(count, m, m) if vectors else call.new(count, 1, 1)
    job = ctypes.c_byte(ord("N" if not vectors else "A" if full else "S"))
    ours, real = call.type, _TYPES[call.real.char]
    said = call.each(
        "Xgesvd",
        (x, values, of_rows, of_columns),
        lambda a, s, u, vt: (job, job, n, m, ours, a, n, real, s, ours, u, n, ours, vt, m),
    )
    call.expect_zeros(said, "SVD did not converge")
    return of_columns, values, of_rows


def svd(function: str, a: Array, full: bool, vectors: bool) -> tuple[Array, Array, Array]:
    """U, S and Vh; without vectors only S is theirs."""
    call = _Call(function, a)
    m, n = a.shape[-2:]
    wide = m <= n
    u, s, vh = _svd_of_wide(call, call.copy(a if wide else a.mT), full, vectors)
    if not wide and vectors:
        u, vh = copy(vh.mT), copy(u.mT)
    u, s, vh = (reshape(x, (*a.shape[:-2], *x.shape[1:])) for x in (u, s, vh))
    return u, s, vh


def pinv(function: str, a: Array, limits: Any) -> Array:
    """The pseudo-inverse, without singular values up to ``limits`` times the largest."""
    u, s, vh = svd(function, a, False, True)
    kept = s > _hither.max(s, axis=-1, keepdims=True) * _column(limits, a)
    inverse = where(kept, 1 / where(kept, s, 1), 0)
    return matmul(conj(vh).mT * _hither.expand_dims(inverse, -2), conj(u).mT)


def matrix_rank(function: str, a: Array, limits: Any) -> Array:
    """How many singular values are above ``limits`` times the largest. Lazy after these."""
    s = svd(function, a, False, False)[1]
    above = s > _hither.max(s, axis=-1, keepdims=True) * _column(limits, a)
    return _hither.count_nonzero(above, axis=-1)


def _column(limits: Any, like: Array) -> Any:
    """Limits, one each matrix of a stack or one for all, beside the stack's singular values."""
    column = np.asarray(limits, dtype=like.dtype.char.lower())[..., None]
    return asarray(column, queue=like.queue)


def qr(function: str, a: Array, complete: bool) -> tuple[Array, Array]:
    """Q and R."""
    call = _Call(function, a)
    m, n = a.shape[-2:]
    k = min(m, n)
    width = m if complete else k
    columns = call.copy(a.mT)  # each matrix by columns
    count = columns.shape[0]
    factors = call.new(count, k)
    call.each("Xgeqrf", (columns, factors), lambda x, tau: (m, n, call.type, x, m, call.type, tau))
    r = triu(columns.mT[:, :width, :])
    q = zeros((count, width, m), dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
    q[:, :k] = columns[:, :k]
    _expand(call, q, factors, m, width, k)
    stack = a.shape[:-2]
    return (
        reshape(copy(q.mT), (*stack, m, width)),
        reshape(r, (*stack, width, n)),
    )


def _expand(call: _Call, q: Array, factors: Array, m: int, width: int, k: int) -> None:
    """Q in full, from its reflections. These functions have a name for each type."""
    letter = {"f": "Sor", "d": "Dor", "F": "Cun", "D": "Zun"}[call.dtype.char]
    name = f"cusolverDn{letter}gqr"
    elements = ctypes.c_int()

    def ask(handle: _Handle) -> None:
        LIBRARY.call(
            f"{name}_bufferSize", handle.native, m, width, k, None, m, None, ctypes.byref(elements)
        )

    call.submit(ask)
    count = q.shape[0]
    work = call.new(max(1, elements.value))
    said = call.new(count, dtype=np.int32)
    item = call.dtype.itemsize

    def give(handle: _Handle, to: int, tau: int, to_work: int, to_say: int) -> None:
        for i in range(count):
            LIBRARY.call(
                name, handle.native, m, width, k, to + i * m * width * item, m,
                tau + i * k * item, to_work, elements.value, to_say + 4 * i,
            )  # fmt: skip

    call.submit(give, (q, factors, work, said))
