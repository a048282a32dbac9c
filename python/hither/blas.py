"""BLAS: products of vectors and matrices.

Functions have BLAS's names and scalars, and return new arrays (``y[...] = blas.axpy(2.0, x, y)``
writes to y). All except trsm and trsv are lazy. Products use the BLAS of the device (see
``hither.blas_name``); additions and scalings fuse. dtypes promote as in hither's other functions.
Matrices may be stacks. The functions run on their arrays' queue; ``hither.blas(queue=q)`` binds
them to a queue.

``trans``: "N" for the matrix, "T" for its transpose, "C" for its conjugate transpose.

Errors are raised at the call: InvalidValueError for shapes and flags, LinAlgError, PlacementError.
"""

from __future__ import annotations

import sys
from typing import Any

from . import _hither
from ._array.creation import tril, triu
from ._checked_call import check_calls
from ._documentation import complete
from ._hither import Array, conj, expand_dims, matmul
from ._libraries.bound_library import LibraryModule
from ._libraries.host_call import place
from .errors import InvalidValueError
from .lapack import solve_triangular

__all__ = [
    "asum",
    "axpy",
    "dot",
    "dotc",
    "gemm",
    "gemv",
    "ger",
    "hemm",
    "herk",
    "iamax",
    "nrm2",
    "scal",
    "symm",
    "symv",
    "syrk",
    "trmm",
    "trsm",
    "trsv",
]


def _arrays(function: str, queue: Any, *arguments: Any) -> tuple[Array, ...]:
    """The arrays on the call's queue, without arguments that are None."""
    return place(function, tuple(a for a in arguments if a is not None), queue)[2]


def _vectors(function: str, queue: Any, *arguments: Any) -> tuple[Array, ...]:
    arrays = _arrays(function, queue, *arguments)
    for x in arrays:
        if x.ndim != 1 or x.shape != arrays[0].shape:
            shapes = " and ".join(str(a.shape) for a in arrays)
            raise InvalidValueError(function, f"takes vectors of equal length, not {shapes}")
    return arrays


def _op(function: str, a: Array, trans: str) -> Array:
    if a.ndim < 2:
        raise InvalidValueError(function, f"a has shape {a.shape}; a matrix has two axes")
    if trans not in ("N", "T", "C"):
        raise InvalidValueError(function, f'trans={trans!r} is none of "N", "T", "C"')
    if trans == "N":
        return a
    return a.mT if trans == "T" or a.dtype.kind != "c" else conj(a).mT


def _scaled(value: Array, factor: Any) -> Array:
    """value * factor, or value if the factor is the number 1."""
    return value if isinstance(factor, (int, float)) and factor == 1 else value * factor


def _sum(function: str, product: Array, alpha: Any, beta: Any, c: tuple[Array, ...]) -> Array:
    """alpha * product, plus beta * c if c is given."""
    result = _scaled(product, alpha)
    if not c:
        return result
    if c[0].shape != product.shape:
        raise InvalidValueError(
            function, f"the addend has shape {c[0].shape}, the product {product.shape}"
        )
    return result + _scaled(c[0], beta)


def dot(x: Any, y: Any, /, *, queue: Any = None) -> Array:
    """sum(x * y)."""
    x, y = _vectors("dot", queue, x, y)
    return matmul(x, y)


def dotc(x: Any, y: Any, /, *, queue: Any = None) -> Array:
    """sum(conj(x) * y)."""
    x, y = _vectors("dotc", queue, x, y)
    return _hither.vecdot(x, y)


def axpy(alpha: Any, x: Any, y: Any, /, *, queue: Any = None) -> Array:
    """alpha * x + y."""
    x, y = _vectors("axpy", queue, x, y)
    return _scaled(x, alpha) + y


def scal(alpha: Any, x: Any, /, *, queue: Any = None) -> Array:
    """alpha * x."""
    return _vectors("scal", queue, x)[0] * alpha


def nrm2(x: Any, /, *, queue: Any = None) -> Array:
    """sqrt(sum(|x| ** 2)), without overflow or underflow of the squares."""
    (x,) = _vectors("nrm2", queue, x)
    size = _hither.absolute(x)
    if size.size == 0:
        return _hither.sqrt(_hither.sum(size))
    largest = _hither.max(size)
    scale = _hither.where((largest > 0) & _hither.isfinite(largest), largest, 1)
    scaled = size / scale
    return scale * _hither.sqrt(_hither.sum(scaled * scaled))


def _real_sizes(x: Array) -> Array:
    """|re| + |im|, BLAS's measure of a complex number."""
    if x.dtype.kind != "c":
        return _hither.absolute(x)
    return _hither.absolute(_hither.real(x)) + _hither.absolute(_hither.imag(x))


def asum(x: Any, /, *, queue: Any = None) -> Array:
    """The sum of |x|, or of |re| + |im| for complex elements."""
    return _hither.sum(_real_sizes(_vectors("asum", queue, x)[0]))


def iamax(x: Any, /, *, queue: Any = None) -> Array:
    """The index, from 0, of the first element with the largest |x|, or |re| + |im|."""
    return _hither.argmax(_real_sizes(_vectors("iamax", queue, x)[0]))


def gemv(
    a: Any,
    x: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    y: Any = None,
    trans: str = "N",
    queue: Any = None,
) -> Array:
    """alpha * op(a) @ x + beta * y."""
    a, x, *added = _arrays("gemv", queue, a, x, y)
    return _sum("gemv", matmul(_op("gemv", a, trans), x), alpha, beta, tuple(added))


def ger(alpha: Any, x: Any, y: Any, /, *, a: Any = None, queue: Any = None) -> Array:
    """alpha * x y^T + a."""
    x, y, *added = _arrays("ger", queue, x, y, a)
    if x.ndim != 1 or y.ndim != 1:
        raise InvalidValueError("ger", f"takes vectors, not shapes {x.shape} and {y.shape}")
    return _sum("ger", expand_dims(x, 1) * y, alpha, 1, tuple(added))


def gemm(
    a: Any,
    b: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    c: Any = None,
    trans_a: str = "N",
    trans_b: str = "N",
    queue: Any = None,
    precision: str | None = None,
) -> Array:
    """alpha * op(a) @ op(b) + beta * c; `precision` as in `hither.matmul`."""
    a, b, *added = _arrays("gemm", queue, a, b, c)
    product = matmul(_op("gemm", a, trans_a), _op("gemm", b, trans_b), precision=precision)
    return _sum("gemm", product, alpha, beta, tuple(added))


def _rank_k(
    function: str, a: Any, alpha: Any, beta: Any, c: Any, trans: str, other: str, queue: Any
) -> Array:
    a, *added = _arrays(function, queue, a, c)
    left, right = (trans, other) if trans == "N" else (other, "N")
    product = matmul(_op(function, a, left), _op(function, a, right))
    return _sum(function, product, alpha, beta, tuple(added))


def syrk(
    a: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    c: Any = None,
    trans: str = "N",
    queue: Any = None,
) -> Array:
    """alpha * a @ a^T + beta * c, both triangles; a^T @ a with trans="T"."""
    if trans not in ("N", "T"):
        raise InvalidValueError("syrk", f'trans={trans!r} is neither "N" nor "T"')
    return _rank_k("syrk", a, alpha, beta, c, trans, "T", queue)


def herk(
    a: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    c: Any = None,
    trans: str = "N",
    queue: Any = None,
) -> Array:
    """alpha * a @ a^H + beta * c, both triangles; a^H @ a with trans="C"."""
    if trans not in ("N", "C"):
        raise InvalidValueError("herk", f'trans={trans!r} is neither "N" nor "C"')
    return _rank_k("herk", a, alpha, beta, c, trans, "C", queue)


def _triangle(function: str, a: Array, upper: bool, unit_diagonal: bool) -> Array:
    """The triangle of a that is read, with ones on the diagonal if ``unit_diagonal``."""
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise InvalidValueError(function, f"a has shape {a.shape}; it must be square")
    part = triu(a, k=int(unit_diagonal)) if upper else tril(a, k=-int(unit_diagonal))
    if not unit_diagonal:
        return part
    one = _hither.ones(a.shape[-1], dtype=a.dtype, queue=a.queue, usm_type=a.usm_type)
    ones = triu(tril(_hither.broadcast_to(one, a.shape)))
    return part + ones


def _mirrored(function: str, a: Array, upper: bool, conjugate: bool) -> Array:
    """The symmetric or Hermitian matrix given by one triangle."""
    part = _triangle(function, a, upper, False)
    across = _op(function, part, "C" if conjugate else "T")
    inner = triu(across, k=1) if not upper else tril(across, k=-1)
    if not conjugate or a.dtype.kind != "c":
        return part + inner
    # The diagonal of a Hermitian matrix is real: its imaginary parts are ignored.
    strict = triu(part, k=1) if upper else tril(part, k=-1)
    return strict + triu(tril(_hither.real(part))) + inner


def _mirrored_product(
    function: str, a: Any, b: Any, options: dict[str, Any], conjugate: bool
) -> Array:
    a, b, *added = _arrays(function, options["queue"], a, b, options["c"])
    whole = _mirrored(function, a, options["upper"], conjugate)
    product = matmul(whole, b) if _is_left(function, options["side"]) else matmul(b, whole)
    return _sum(function, product, options["alpha"], options["beta"], tuple(added))


def _is_left(function: str, side: str) -> bool:
    if side not in ("L", "R"):
        raise InvalidValueError(function, f'side={side!r} is neither "L" nor "R"')
    return side == "L"


def symm(
    a: Any,
    b: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    c: Any = None,
    side: str = "L",
    upper: bool = False,
    queue: Any = None,
) -> Array:
    """alpha * a @ b + beta * c (b @ a for side="R"); one triangle of the symmetric a is read."""
    return _mirrored_product("symm", a, b, locals(), conjugate=False)


def hemm(
    a: Any,
    b: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    c: Any = None,
    side: str = "L",
    upper: bool = False,
    queue: Any = None,
) -> Array:
    """:func:`symm` for a Hermitian a."""
    return _mirrored_product("hemm", a, b, locals(), conjugate=True)


def symv(
    a: Any,
    x: Any,
    /,
    *,
    alpha: Any = 1,
    beta: Any = 1,
    y: Any = None,
    upper: bool = False,
    queue: Any = None,
) -> Array:
    """alpha * a @ x + beta * y; one triangle of the symmetric a is read."""
    a, x, *added = _arrays("symv", queue, a, x, y)
    product = matmul(_mirrored("symv", a, upper, False), x)
    return _sum("symv", product, alpha, beta, tuple(added))


def trmm(
    a: Any,
    b: Any,
    /,
    *,
    alpha: Any = 1,
    side: str = "L",
    upper: bool = False,
    trans: str = "N",
    unit_diagonal: bool = False,
    queue: Any = None,
) -> Array:
    """alpha * op(a) @ b (b @ op(a) for side="R"); one triangle of a is read."""
    a, b = _arrays("trmm", queue, a, b)
    part = _op("trmm", _triangle("trmm", a, upper, unit_diagonal), trans)
    product = matmul(part, b) if _is_left("trmm", side) else matmul(b, part)
    return _scaled(product, alpha)


def trsm(
    a: Any,
    b: Any,
    /,
    *,
    alpha: Any = 1,
    side: str = "L",
    upper: bool = False,
    trans: str = "N",
    unit_diagonal: bool = False,
    queue: Any = None,
) -> Array:
    """The x with op(a) @ x = alpha * b (x @ op(a) for side="R"); one triangle of a is read.

    SciPy computes it at the call.
    """
    a, b = _arrays("trsm", queue, a, b)
    if _is_left("trsm", side):
        x = solve_triangular(a, b, upper=upper, trans=trans, unit_diagonal=unit_diagonal)
    else:
        # x op(a) = b is op(a)^T x^T = b^T, conjugated if op conjugates.
        swapped, right = {"N": "T", "T": "N", "C": "N"}.get(trans, trans), b.mT
        if trans == "C":
            right = conj(right) if right.dtype.kind == "c" else right
        x = solve_triangular(a, right, upper=upper, trans=swapped, unit_diagonal=unit_diagonal).mT
        if trans == "C" and x.dtype.kind == "c":
            x = conj(x)
    return _scaled(x, alpha)


def trsv(
    a: Any,
    x: Any,
    /,
    *,
    upper: bool = False,
    trans: str = "N",
    unit_diagonal: bool = False,
    queue: Any = None,
) -> Array:
    """The y with op(a) @ y = x; one triangle of a is read. SciPy computes it at the call."""
    a, x = _arrays("trsv", queue, a, x)
    return solve_triangular(a, x, upper=upper, trans=trans, unit_diagonal=unit_diagonal)


check_calls(globals(), __all__)
complete("blas", globals())
sys.modules[__name__].__class__ = LibraryModule
