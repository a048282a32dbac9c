"""The linear algebra extension of the Array API standard (2025.12).

Products, norms and views are lazy operations on the device that holds the data. Factorizations are
those of :mod:`hither.lapack`. ``hither.linalg(queue=q)`` gives the same functions bound to a queue.

https://data-apis.org/array-api/2025.12/extensions/linear_algebra_functions.html
"""

from __future__ import annotations

import operator
import sys
from typing import Any

import numpy as np

from . import _hither
from ._array.creation import eye
from ._array.manipulation import element_strides
from ._checked_call import check_calls
from ._documentation import complete
from ._hither import (
    Array,
    broadcast_to,
    expand_dims,
    matmul,
    tensordot,
    vecdot,
)
from ._libraries.bound_library import LibraryModule
from ._libraries.host_call import computable, place
from .errors import AxisError, InvalidValueError, LinAlgError
from .lapack import (
    cholesky,
    det,
    eig,
    eigh,
    eigvals,
    eigvalsh,
    inv,
    matrix_rank,
    pinv,
    qr,
    slogdet,
    solve,
    svd,
    svdvals,
)

__all__ = [
    "cholesky",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "inv",
    "matmul",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "matrix_transpose",
    "outer",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "svd",
    "svdvals",
    "tensordot",
    "trace",
    "vecdot",
    "vector_norm",
]


def _matrices(function: str, x: Any, queue: Any) -> Array:
    x = place(function, (x,), queue)[2][0]
    if x.ndim < 2:
        raise LinAlgError(function, f"x has {x.ndim} dimensions; a matrix has two or more")
    return x


def matrix_transpose(x: Any, /, *, queue: Any = None) -> Array:
    """x with its last two axes exchanged; a view."""
    return _hither.matrix_transpose(_matrices("matrix_transpose", x, queue))


def cross(x1: Any, x2: Any, /, *, axis: int = -1, queue: Any = None) -> Array:
    """Cross products of vectors of three elements along ``axis``. Lazy."""
    a, b = place("cross", (x1, x2), queue)[2]
    least = min(a.ndim, b.ndim)
    if not -least <= axis < least:
        shapes = f"{a.shape} and {b.shape}"
        raise AxisError("cross", f"axis={axis} is out of range for shapes {shapes}")
    for x in (a, b):
        if x.shape[axis] != 3:
            raise InvalidValueError("cross", f"axis {axis} of shape {x.shape} must have 3 elements")
    return _hither.cross(a, b, axis - max(a.ndim, b.ndim) if axis >= 0 else axis)


def outer(x1: Any, x2: Any, /, *, queue: Any = None) -> Array:
    """x1[i] * x2[j] of two vectors. Lazy."""
    a, b = place("outer", (x1, x2), queue)[2]
    for x in (a, b):
        if x.ndim != 1:
            raise InvalidValueError("outer", f"takes vectors, not an array of shape {x.shape}")
    return expand_dims(a, 1) * b


def diagonal(x: Any, /, *, offset: int = 0, queue: Any = None) -> Array:
    """The diagonals of the matrices, ``offset`` columns above the main diagonal (below it, if
    negative): a view of x."""
    x = _matrices("diagonal", x, queue)
    offset = operator.index(offset)
    x = x[..., offset:] if offset > 0 else x[..., -offset:, :]
    *outer, row, column = element_strides(x)
    shape = (*x.shape[:-2], min(x.shape[-2:]))
    return _hither.strided_view(x, shape, (*outer, row + column))


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None, queue: Any = None) -> Array:
    """Sums of the diagonals. Lazy."""
    return _hither.sum(diagonal(x, offset=offset, queue=queue), axis=-1, dtype=dtype)


def matrix_power(x: Any, n: int, /, *, queue: Any = None) -> Array:
    """x @ x @ ..., n times. For a negative n the inverse is used; for 0 the result is the
    identity."""
    x = _matrices("matrix_power", x, queue)
    n = operator.index(n)
    if x.shape[-1] != x.shape[-2]:
        raise LinAlgError("matrix_power", f"x has shape {x.shape}; its last two axes must be equal")
    if n == 0:
        one = eye(x.shape[-1], dtype=x.dtype, queue=x.queue, usm_type=x.usm_type)
        return _hither.copy(broadcast_to(one, x.shape))
    power = _hither.copy(x) if n > 0 else inv(x)
    rest = abs(n)
    while rest % 2 == 0:
        power, rest = matmul(power, power), rest // 2
    result = power
    while rest := rest // 2:
        power = matmul(power, power)
        if rest % 2:
            result = matmul(result, power)
    return result


def _reduced_norm(x: Array, order: Any, axis: Any, keepdims: bool) -> Array:
    """The norm of order ``order`` of the elements along ``axis``."""
    size = _hither.absolute(x)
    if order == np.inf:
        return _hither.max(size, axis=axis, keepdims=keepdims)
    if order == -np.inf:
        return _hither.min(size, axis=axis, keepdims=keepdims)
    if order == 0:
        nonzero = _hither.count_nonzero(x, axis=axis, keepdims=keepdims)
        return _hither.astype(nonzero, size.dtype)
    if order == 1:
        return _hither.sum(size, axis=axis, keepdims=keepdims)
    if order == 2:
        return _hither.sqrt(_hither.sum(size * size, axis=axis, keepdims=keepdims))
    return _hither.sum(size**order, axis=axis, keepdims=keepdims) ** (1.0 / order)


def vector_norm(
    x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2, queue: Any = None
) -> Array:
    """sum(|x| ** ord) ** (1 / ord) along ``axis`` (an int, several, or None for all). Lazy.

    With ord=inf or -inf it is the largest or smallest absolute value, and with 0 the number of
    nonzero elements.
    """
    if queue is not None or not hasattr(x, "_is_sharded"):  # a ShardedArray has its queues
        (x,) = place("vector_norm", (x,), queue)[2]
    (x,) = computable("vector_norm", (x,))
    if not isinstance(ord, (int, float)):
        raise InvalidValueError("vector_norm", f"ord={ord!r} is not a number")
    return _reduced_norm(x, ord, axis, keepdims)


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro", queue: Any = None) -> Array:
    """Norms of matrices: ord is "fro", "nuc", 1, -1, 2, -2, inf or -inf, as in NumPy.

    "nuc", 2 and -2 compute singular values; the others are lazy.
    """
    (x,) = computable("matrix_norm", (_matrices("matrix_norm", x, queue),))
    if ord == "fro":
        return _reduced_norm(x, 2, (-2, -1), keepdims)
    if ord in (1, -1, np.inf, -np.inf):
        summed = -2 if ord in (1, -1) else -1
        sums = _hither.sum(_hither.absolute(x), axis=summed, keepdims=True)
        norm = (_hither.max if ord > 0 else _hither.min)(sums, axis=(-2, -1), keepdims=keepdims)
    elif ord in ("nuc", 2, -2):
        values = svdvals(x)
        reduce = _hither.sum if ord == "nuc" else _hither.max if ord == 2 else _hither.min
        norm = reduce(values, axis=-1)
        if keepdims:
            norm = expand_dims(norm, (-2, -1))
    else:
        raise InvalidValueError(
            "matrix_norm", f'ord={ord!r} is none of "fro", "nuc", 1, -1, 2, -2, inf, -inf'
        )
    return norm


check_calls(globals(), __all__)
complete("linalg", globals())
sys.modules[__name__].__class__ = LibraryModule
