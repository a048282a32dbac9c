"""Eigenvalues and singular values by SciPy's ARPACK, whose products run on the queue."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...._hither import Array, asarray, asnumpy, default_queue
from ...._libraries.scipy_module import scipy_module
from ....errors import InvalidValueError, LinAlgError, UnsupportedError
from ..._generators import generator_of
from .._sparse_array import SparseArray
from ._operator import LinearOperator, MatrixOperator, aslinearoperator, operator_of

__all__ = ["ArpackError", "ArpackNoConvergence", "eigsh", "svds"]


class ArpackError(LinAlgError):
    """ARPACK reported an error."""


class ArpackNoConvergence(ArpackError):
    """Not all eigenvalues converged. `eigenvalues` and `eigenvectors` are those that did."""

    eigenvalues: Any
    eigenvectors: Any

    def __init__(self, function: str, message: str, values: Any, vectors: Any) -> None:
        super().__init__(function, message)
        self.eigenvalues, self.eigenvectors = values, vectors


def _library(function: str) -> Any:
    library = scipy_module("sparse.linalg", function)
    if library is None:
        raise UnsupportedError(function, "SciPy is not installed, whose ARPACK computes this")
    return library


def _queue_of(A: LinearOperator) -> Any:
    matrix = getattr(A, "A", None)
    return matrix.queue if isinstance(matrix, (Array, SparseArray)) else default_queue()


def _for_scipy(library: Any, A: LinearOperator, queue: Any) -> Any:
    """SciPy's operator, which copies vectors to the queue and products from it."""

    def on_queue(product: Any) -> Any:
        return lambda x: asnumpy(product(asarray(np.ascontiguousarray(x), queue=queue)))

    functions = {name: on_queue(getattr(A, name)) for name in ("rmatvec", "matmat", "rmatmat")}
    kind = A.dtype if A.dtype.kind in "fc" else np.dtype(np.float64)
    return library.LinearOperator(A.shape, on_queue(A.matvec), dtype=kind, **functions)


def _host(x: Any) -> Any:
    """An optional argument for SciPy: arrays on the host."""
    if isinstance(x, SparseArray):
        return x.get()
    return asnumpy(x) if isinstance(x, Array) else x


def _run(function: str, library: Any, queue: Any, *arguments: Any, **keywords: Any) -> Any:
    try:
        return getattr(library, function)(*arguments, **keywords)
    except library.ArpackNoConvergence as error:
        found = (asarray(x, queue=queue) for x in (error.eigenvalues, error.eigenvectors))
        raise ArpackNoConvergence(function, str(error), *found) from None
    except library.ArpackError as error:
        raise ArpackError(function, str(error)) from None


def eigsh(
    A: Any, k: int = 6, M: Any = None, sigma: float | None = None, which: str = "LM",
    v0: Any = None, ncv: int | None = None, maxiter: int | None = None, tol: float = 0,
    return_eigenvectors: bool = True, Minv: Any = None, OPinv: Any = None,
    mode: str = "normal", rng: Any = None,
) -> Any:  # fmt: skip
    """The k eigenvalues, and eigenvectors, of a symmetric or Hermitian matrix.

    SciPy's ARPACK computes them on the host from products with A, which run on A's queue. With
    `M` or `sigma`, matrices are copied to the host.
    """
    library = _library("eigsh")
    op = operator_of("eigsh", "A", A)
    if op.shape[0] != op.shape[1]:
        raise InvalidValueError("eigsh", f"A has shape {op.shape}; it must be square")
    if k <= 0:
        raise InvalidValueError("eigsh", f"k is {k}; it must be positive")
    queue = _queue_of(op)
    whole = M is not None or sigma is not None or k >= op.shape[0]
    given = _host(A) if whole and isinstance(op, MatrixOperator) else _for_scipy(library, op, queue)
    mass = _for_scipy(library, M, queue) if isinstance(M, LinearOperator) else _host(M)
    start = _first_vector("eigsh", v0, op.shape[0])
    if start is None:
        start = np.random.default_rng(rng).uniform(-1, 1, op.shape[0])
    result = _run(
        "eigsh", library, queue, given, k, mass, sigma, which,
        start.astype(given.dtype if given.dtype.kind in "fc" else np.float64), ncv, maxiter, tol,
        return_eigenvectors, _inverse(library, Minv, queue), _inverse(library, OPinv, queue), mode,
    )  # fmt: skip
    if not return_eigenvectors:
        return asarray(result, queue=queue)
    return tuple(asarray(np.ascontiguousarray(x), queue=queue) for x in result)


def _first_vector(function: str, v0: Any, size: int) -> Any:
    """The argument v0 on the host."""
    if v0 is None:
        return None
    start = np.asarray(_host(v0))
    if start.shape not in ((size,), (size, 1)):
        raise InvalidValueError(function, f"v0 has shape {start.shape}; it must be ({size},)")
    return start.reshape(-1)


def _inverse(library: Any, given: Any, queue: Any) -> Any:
    return None if given is None else _for_scipy(library, aslinearoperator(given), queue)


def svds(
    A: Any, k: int = 6, ncv: int | None = None, tol: float = 0, which: str = "LM",
    v0: Any = None, maxiter: int | None = None, return_singular_vectors: Any = True,
    solver: str = "arpack", rng: Any = None, options: Any = None, *, random_state: Any = None,
) -> Any:  # fmt: skip
    """The k largest (or with which="SM" smallest) singular values, and their vectors: u, s, vh.

    SciPy computes them on the host from products with A and its conjugate transpose, which run on
    A's queue.
    """
    library = _library("svds")
    op = operator_of("svds", "A", A)
    if int(k) != k or not 0 < k <= min(op.shape):
        raise InvalidValueError(
            "svds", f"k is {k!r}; it must be an integer from 1 to {min(op.shape)}"
        )
    queue = _queue_of(op)
    generator = generator_of("svds", rng, random_state)
    start = _first_vector("svds", v0, min(op.shape))
    if start is None and solver == "arpack":
        start = generator.standard_normal(min(op.shape))
    result = _run(
        "svds", library, queue, _for_scipy(library, op, queue), k, ncv, tol, which, start, maxiter,
        return_singular_vectors, solver, generator, options,
    )  # fmt: skip
    if not isinstance(result, tuple):
        return asarray(result, queue=queue)
    return tuple(
        None if x is None else asarray(np.ascontiguousarray(x), queue=queue) for x in result
    )
