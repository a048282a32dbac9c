"""numpy.linalg for arrays on devices. Factorizations are those of hither.lapack."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.linalg import LinAlgError as LinAlgError

from .. import _hither as h
from .. import lapack
from .. import linalg as standard
from .._array.dtypes import is_of_ml_dtypes, kind_of
from .._documentation import complete
from .._hither import Array, astype
from ..errors import InvalidTypeError, InvalidValueError
from ..errors import LinAlgError as MatrixError
from . import _products
from ._arguments import whole
from ._elementwise import UFUNCS
from ._placement import deliver, operands, place_like
from ._ufunc_methods import axes_of

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals",
    "eigvalsh", "inv", "lstsq", "matmul", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "multi_dot", "norm", "outer", "pinv", "qr", "slogdet", "solve", "svd",
    "svdvals", "tensordot", "tensorinv", "tensorsolve", "trace", "vecdot", "vector_norm",
]  # fmt: skip


class QRResult(NamedTuple):
    """x = Q @ R."""

    Q: Array
    R: Array


def _floating(x: Array) -> Array:
    return x if kind_of(x.dtype) in "fc" else astype(x, np.float64)


def _common(a: Array, b: Array) -> tuple[Array, Array]:
    """Both arrays in the dtype in which NumPy computes: integers count as float64."""
    if a.dtype == b.dtype and a.dtype.char in "fdFD":
        return a, b
    kind = np.result_type(_floating(a).dtype, _floating(b).dtype)
    return astype(a, kind, copy=False), astype(b, kind, copy=False)


def _check(name: str, a: Array) -> None:
    if a.dtype.char == "e" or is_of_ml_dtypes(a.dtype):
        raise InvalidTypeError(name, f"{a.dtype} is not supported; cast to float32 with astype")


def _real_if_real(function: str, values: Array, *vectors: Array) -> tuple[Array, ...]:
    """Real arrays instead of complex ones if all eigenvalues are real, as NumPy returns them."""
    if bool(h.any(values.imag != 0)):
        return (values, *vectors)
    return tuple(h.copy(x.real) for x in (values, *vectors))


@operands("a")
def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    """The lower triangular L with a = L @ L^H, or the upper one."""
    return standard.cholesky(a, upper=upper)


@operands("a")
def inv(a: Any) -> Any:
    """The inverse.

    >>> import hither.numpy as np
    >>> np.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    return standard.inv(a)


@operands("a")
def det(a: Any) -> Any:
    """The determinant."""
    return standard.det(a)


@operands("a")
def slogdet(a: Any) -> Any:
    """The sign and the logarithm of the absolute value of the determinant."""
    return standard.slogdet(a)


@operands("a b")
def solve(a: Any, b: Any) -> Any:
    """x with a @ x = b; b is a vector or a stack of matrices.

    >>> import hither.numpy as np
    >>> np.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [2.0, 2.0]).tolist()
    [1.0, 0.5]
    """
    return standard.solve(*_common(a, b))


@operands("a")
def eig(a: Any) -> Any:
    """Eigenvalues and right eigenvectors; real if all eigenvalues are, for which it waits."""
    result = standard.eig(a)
    if a.dtype.kind == "c":
        return result
    return type(result)(*_real_if_real("eig", *result))


@operands("a")
def eigvals(a: Any) -> Any:
    """Eigenvalues; real if all are, for which it waits."""
    values = standard.eigvals(a)
    return values if a.dtype.kind == "c" else _real_if_real("eigvals", values)[0]


def _lower(name: str, a: Array, UPLO: str) -> Array:  # noqa: N803 - NumPy's name
    """The matrices whose lower triangle is the triangle of a that is to be read."""
    side = UPLO.upper()
    if side not in ("L", "U"):
        raise InvalidValueError(name, f"UPLO={UPLO!r} is neither 'L' nor 'U'")
    if side == "L" or a.ndim < 2:
        return a
    mirrored = h.matrix_transpose(a)
    return h.conj(mirrored) if a.dtype.kind == "c" else mirrored


@operands("a")
def eigh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    """Eigenvalues and eigenvectors of Hermitian matrices, of which one triangle is read."""
    return standard.eigh(_lower("eigh", a, UPLO))


@operands("a")
def eigvalsh(a: Any, UPLO: str = "L") -> Any:  # noqa: N803
    """Eigenvalues of Hermitian matrices, of which one triangle is read."""
    return standard.eigvalsh(_lower("eigvalsh", a, UPLO))


@operands("a")
def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    """The singular value decomposition U, S, Vh, or S alone."""
    if hermitian:
        return _hermitian_svd(a, compute_uv)
    if not compute_uv:
        return standard.svdvals(a)
    return standard.svd(a, full_matrices=full_matrices)


def _hermitian_svd(a: Array, compute_uv: bool) -> Any:
    values, vectors = standard.eigh(a)
    size = h.absolute(values)
    if not compute_uv:
        from ._sorting import sorted_along

        return h.copy(h.flip(sorted_along(size), -1))
    from ._sorting import order_along

    order = h.flip(order_along(size), -1)
    sign = h.take_along_axis(h.sign(values), order, axis=-1)
    sign = h.where(sign == 0, 1, sign)
    columns = h.broadcast_to(h.expand_dims(order, -2), vectors.shape)
    u = h.take_along_axis(vectors, columns, axis=-1)
    right = h.conj(u) if u.dtype.kind == "c" else u
    vh = h.matrix_transpose(right * h.expand_dims(sign, -2))
    return lapack.SVDResult(u, h.take_along_axis(size, order, axis=-1), vh)


@operands("x")
def svdvals(x: Any, /) -> Any:
    """The singular values in descending order."""
    return standard.svdvals(x)


@operands("a")
def qr(a: Any, mode: str = "reduced") -> Any:
    """Q with orthonormal columns and R upper triangular; R alone for mode="r"."""
    if mode in ("reduced", "complete"):
        return QRResult(*standard.qr(a, mode=mode))
    if mode == "r":
        return standard.qr(a)[1]
    if mode == "raw":
        from .._array.host_fallback import run_on_host

        return run_on_host("linalg.qr", np.linalg.qr, (a, mode))
    raise ValueError(f"qr: mode={mode!r} is none of 'reduced', 'complete', 'r', 'raw'")


@operands("a b")
def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """The x that makes a @ x closest to b, the sums of squared residuals, the rank of a, and its
    singular values."""
    a, b = _common(a, b)
    if is_of_ml_dtypes(a.dtype):
        _check("lstsq", a)
    if a.ndim == 2 and b.ndim and a.shape[0] != b.shape[0]:
        raise MatrixError(
            "lstsq", f"a has {a.shape[0]} rows, b has {b.shape[0]}; they must have equally many"
        )
    eps = float(np.finfo(a.dtype).eps)
    if rcond is None:
        rcond = max(a.shape[-2:]) * eps
    elif not isinstance(rcond, (int, float, Array)):
        raise InvalidTypeError("lstsq", f"rcond is {rcond!r}; it must be a number")
    return tuple(lapack.lstsq(a, b, rtol=eps if rcond < 0 else float(rcond)))


@operands("a", weak="rcond rtol")
def pinv(a: Any, rcond: Any = None, hermitian: bool = False, *, rtol: Any = np._NoValue) -> Any:
    """The pseudo-inverse; singular values up to rcond times the largest count as 0."""
    if rcond is not None and rtol is not np._NoValue:
        raise ValueError("pinv: rcond and rtol are two names of one parameter")
    if rcond is None:
        rcond = 1e-15 if rtol is np._NoValue else rtol
    if a.ndim >= 2 and 0 in a.shape[-2:]:
        shape = (*a.shape[:-2], a.shape[-1], a.shape[-2])
        return h.empty(shape, a.dtype, **place_like(a))  # as in NumPy, also integers stay
    if not hermitian or a.size == 0:
        return standard.pinv(a, rtol=rcond)
    u, s, vh = _hermitian_svd(a, True)
    limit = max(a.shape[-2:]) * float(np.finfo(s.dtype).eps) if rcond is None else rcond
    small = s <= h.max(s, axis=-1, keepdims=True) * limit
    inverse = h.where(small, 0.0, 1.0 / h.where(small, 1.0, s))
    left, right = _adjoint(vh), _adjoint(u)
    return h.matmul(left, h.expand_dims(inverse, -1) * right)


def _adjoint(x: Array) -> Array:
    return h.matrix_transpose(h.conj(x) if x.dtype.kind == "c" else x)


@operands("A", weak="tol rtol")
def matrix_rank(
    A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None  # noqa: N803
) -> Any:  # fmt: skip
    """The number of singular values above tol, or above rtol times the largest."""
    if rtol is not None and tol is not None:
        raise ValueError("matrix_rank: tol and rtol are both given; give one of them")
    if A.ndim < 2:
        return astype(h.logical_not(h.all(A == 0)), np.int64)
    s = svd(A, compute_uv=False, hermitian=hermitian)
    if tol is None:
        share = max(A.shape[-2:]) * float(np.finfo(s.dtype).eps) if rtol is None else rtol
        share = h.expand_dims(share, -1) if isinstance(share, Array) else share
        tol = _largest(s, -1, keepdims=True) * share
    elif isinstance(tol, Array):
        tol = h.expand_dims(tol, -1)
    return h.count_nonzero(s > tol, axis=-1)


@operands("x")
def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """The norm of vectors or matrices; of the flattened array without ord and axis.

    >>> import hither.numpy as np
    >>> float(np.linalg.norm([3.0, 4.0]))
    5.0
    """
    x = _floating(x)
    if axis is None:
        if ord is None or (ord in ("f", "fro") and x.ndim == 2) or (ord == 2 and x.ndim == 1):
            flat = h.reshape(x, (-1,))
            result = _root_of_squares(flat, None, False)
            return h.reshape(result, (1,) * x.ndim) if keepdims else result
        axis = tuple(range(x.ndim))
    axes = axes_of("norm", axis, x.ndim)
    if len(axes) == 1:
        if ord in ("f", "fro", "nuc"):
            raise ValueError(f"norm: ord={ord!r} is a norm of matrices, not of vectors")
        return _vector_norm(x, ord, axes, keepdims)
    if len(axes) != 2:
        raise ValueError(f"norm: {len(axes)} axes; vectors have one and matrices two")
    return _matrix_norm(x, ord, axes, keepdims)


def _root_of_squares(x: Array, axis: Any, keepdims: bool) -> Array:
    complex_ = x.dtype.kind == "c"
    square = h.square(x.real) + h.square(x.imag) if complex_ else h.square(x)
    return h.sqrt(h.sum(square, axis=axis, keepdims=keepdims, dtype=square.dtype))


def _largest(x: Array, axis: Any, keepdims: bool = False) -> Array:
    """The maximum of elements that are 0 or more, and 0 for no elements, as NumPy has it."""
    lengths = (x.shape[i] for i in (axis if isinstance(axis, tuple) else (axis,)))
    pick = h.max if all(lengths) else h.sum
    return pick(x, axis=axis, keepdims=keepdims)


def _vector_norm(x: Array, order: Any, axes: tuple[int, ...], keepdims: bool) -> Array:
    if order is None or order == 2:
        return _root_of_squares(x, axes, keepdims)
    if order == 0:
        return h.sum(astype(x != 0, x.real.dtype), axis=axes, keepdims=keepdims, dtype=x.real.dtype)
    size = h.absolute(x)
    if order == np.inf:
        return _largest(size, axes, keepdims)
    if order == -np.inf:
        return h.min(size, axis=axes, keepdims=keepdims)
    if order == 1:
        return h.sum(size, axis=axes, keepdims=keepdims, dtype=size.dtype)
    if isinstance(order, str):
        raise ValueError(f"norm: ord={order!r} is unknown for vectors; pass a number or inf")
    total = h.sum(size**order, axis=axes, keepdims=keepdims, dtype=size.dtype)
    return total ** (1.0 / order)


def _matrix_norm(x: Array, order: Any, axes: tuple[int, ...], keepdims: bool) -> Array:
    if order is None or order in ("f", "fro"):
        return _root_of_squares(x, axes, keepdims)
    if order in (2, -2, "nuc"):
        values = standard.svdvals(h.moveaxis(x, axes, (-2, -1)))
        pick: Any = {2: _largest, -2: h.min, "nuc": h.sum}[order]
        result = pick(values, axis=-1)
    elif order in (1, -1, np.inf, -np.inf):
        summed = axes[0] if order in (1, -1) else axes[1]
        sums = h.sum(h.absolute(x), axis=summed, keepdims=True, dtype=x.real.dtype)
        result = (_largest if order > 0 else h.min)(sums, axis=axes, keepdims=False)
    else:
        raise ValueError(
            f"norm: ord={order!r} is unknown for matrices; pass 'fro', 'nuc', 1, 2 or inf"
        )
    return h.expand_dims(result, tuple(sorted(axes))) if keepdims else result


@operands("x")
def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    """The norm of vectors along axes, or of the flattened array."""
    x = _floating(x)
    axes = axes_of("vector_norm", tuple(axis) if isinstance(axis, list) else axis, x.ndim)
    return _vector_norm(x, ord, axes, keepdims)


@operands("x")
def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    """The norm of matrices."""
    x = _floating(x)
    return _matrix_norm(x, ord, axes_of("matrix_norm", (-2, -1), x.ndim), keepdims)


@operands("x")
def cond(x: Any, p: Any = None) -> Any:
    """The condition number of matrices."""
    if x.ndim < 2:
        raise MatrixError("cond", f"x has {x.ndim} dimensions; a matrix has two or more")
    if 0 in x.shape[-2:]:
        raise MatrixError("cond", f"cond is not defined on empty arrays; x has shape {x.shape}")
    if p not in (None, "fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        raise InvalidValueError("cond", f"p is {p!r}; it is None, 'fro', 'nuc', 1, 2 or inf")
    x = _floating(x)
    if p in (None, 2, -2):
        s = standard.svdvals(x)
        result = s[..., 0] / s[..., -1] if p != -2 else s[..., -1] / s[..., 0]
    elif x.shape[-2] != x.shape[-1]:
        raise MatrixError("cond", f"x has shape {x.shape}; its last two axes must be equal")
    else:
        result = norm(x, p, (-2, -1)) * norm(_inverses(x), p, (-2, -1))
    unknown = h.isnan(result) & h.logical_not(h.any(h.isnan(x), axis=(-2, -1)))
    return h.where(unknown, np.inf, result)


def _inverses(x: Array) -> Array:
    """The inverse of each matrix; NaN for those that have none."""
    try:
        return standard.inv(x)
    except MatrixError:
        if x.ndim == 2:
            return h.full(x.shape, np.nan, x.dtype, **place_like(x))
    stack = h.reshape(x, (-1, *x.shape[-2:]))
    return h.reshape(h.stack([_inverses(stack[i]) for i in range(stack.shape[0])]), x.shape)


@operands("a")
def matrix_power(a: Any, n: int) -> Any:
    """The product of n factors a; of its inverse for a negative n."""
    return standard.matrix_power(a, whole("matrix_power", "n", n))


@operands(sequences="arrays")
def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    """The product of matrices, in the order that needs the fewest multiplications."""
    parts = list(arrays)
    if len(parts) < 2:
        raise ValueError(f"multi_dot: {len(parts)} arrays; it takes two or more")
    first_vector, last_vector = parts[0].ndim == 1, parts[-1].ndim == 1
    if first_vector:
        parts[0] = h.expand_dims(parts[0], 0)
    if last_vector:
        parts[-1] = h.expand_dims(parts[-1], 1)
    for i, x in enumerate(parts):
        if x.ndim != 2:
            raise MatrixError("multi_dot", f"arrays[{i}] has {x.ndim} dimensions, not 2")
    result = _ordered_product(parts, _best_splits(parts), 0, len(parts) - 1)
    result = result[0] if first_vector else result
    result = result[..., 0] if last_vector else result
    return result if out is None else deliver("multi_dot", result, out, "no")


def _best_splits(parts: list[Array]) -> dict[tuple[int, int], int]:
    """Where to divide each product: the classical dynamic program."""
    extents = [x.shape[0] for x in parts] + [parts[-1].shape[1]]
    count = len(parts)
    cost = {(i, i): 0 for i in range(count)}
    split: dict[tuple[int, int], int] = {}
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            prices = {
                k: cost[i, k] + cost[k + 1, j] + extents[i] * extents[k + 1] * extents[j + 1]
                for k in range(i, j)
            }
            split[i, j] = min(prices, key=prices.__getitem__)
            cost[i, j] = prices[split[i, j]]
    return split


def _ordered_product(parts: list[Array], split: Any, i: int, j: int) -> Array:
    if i == j:
        return parts[i]
    k = split[i, j]
    return h.matmul(_ordered_product(parts, split, i, k), _ordered_product(parts, split, k + 1, j))


@operands("a b")
def tensorsolve(a: Any, b: Any, axes: Any = None) -> Any:
    """x with tensordot(a, x, x.ndim) = b."""
    if axes is not None:
        order = [i for i in range(a.ndim) if i not in axes_of("tensorsolve", tuple(axes), a.ndim)]
        a = h.permute_dims(a, (*order, *axes_of("tensorsolve", tuple(axes), a.ndim)))
    shape = a.shape[b.ndim :]
    size = int(np.prod(shape))
    if a.size != size * size:
        raise MatrixError("tensorsolve", f"a has shape {a.shape}, which is not square for b")
    solution = solve(h.reshape(a, (size, size)), h.reshape(b, (-1,)))
    return h.reshape(solution, shape)


@operands("a")
def tensorinv(a: Any, ind: int = 2) -> Any:
    """The inverse of a with respect to tensordot over `ind` axes."""
    if ind <= 0:
        raise ValueError(f"tensorinv: ind={ind}; it must be positive")
    shape = (*a.shape[ind:], *a.shape[:ind])
    size = int(np.prod(a.shape[ind:]))
    return h.reshape(standard.inv(h.reshape(a, (size, -1))), shape)


@operands("x1 x2")
def matmul(x1: Any, x2: Any, /) -> Any:
    """The matrix product."""
    return UFUNCS["matmul"](x1, x2)


@operands("x1 x2")
def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The products of vectors along an axis; those of x1 are conjugated."""
    return UFUNCS["vecdot"](x1, x2, axis=axis)


@operands("x1 x2")
def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    """The sum of products over axes of both arrays."""
    return _products.tensordot(x1, x2, axes)


@operands("x")
def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    """The sums of the diagonals of matrices."""
    return standard.trace(x, offset=offset, dtype=dtype)


@operands("x")
def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    """The diagonals of matrices."""
    return standard.diagonal(x, offset=offset)


@operands("x1 x2")
def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    """The cross products of vectors of three elements along an axis."""
    return standard.cross(x1, x2, axis=axis)


@operands("x1 x2")
def outer(x1: Any, x2: Any, /) -> Any:
    """The products of all pairs of elements of two vectors."""
    return standard.outer(x1, x2)


@operands("x")
def matrix_transpose(x: Any, /) -> Any:
    """A view with the last two axes exchanged."""
    return standard.matrix_transpose(x)


complete("numpy.linalg", globals())
