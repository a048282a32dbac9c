"""The arguments of functions that solve A x = b."""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from .... import _hither as h
from ...._hither import Array, asarray, astype
from ....errors import InvalidTypeError, InvalidValueError
from ....numpy._placement import as_array
from ._operator import Identity, LinearOperator, MatrixOperator, operator_of

__all__: list[str] = []

_REAL = (int, float, np.integer, np.floating)


class System(NamedTuple):
    """A x = b with a preconditioner, a first guess, and the residual at which x is a solution."""

    A: LinearOperator
    M: LinearOperator
    x: Array
    b: Array
    b_norm: float
    atol: float
    starts_at_0: bool

    def residual(self) -> Array:
        """b - A x of the first guess."""
        return self.b if self.starts_at_0 else self.b - self.A.matvec(self.x)

    @property
    def is_preconditioned(self) -> bool:
        return not isinstance(self.M, Identity)


def dot(x: Array, y: Array) -> Array:
    """The product of two vectors, the first conjugated. Lazy."""
    return h.sum((h.conj(x) if x.dtype.kind == "c" else x) * y)


class EarlyNumber:
    """A real number of the device. Its copy to the host begins before work that is submitted later,
    so that the device has work while the host looks at the number."""

    def __init__(self, x: Array) -> None:
        self._copy = x.copy_to(x.queue, usm_type="host")

    def value(self) -> float:
        """Waits for the number."""
        return float(self._copy.item())


def norm(x: Array) -> float:
    """The length of a vector. It waits."""
    return math.sqrt(max(h.real(dot(x, x)).item(), 0.0))


def system(
    function: str,
    A: Any,
    M: Any,
    x0: Any,
    b: Any,
    rtol: float,
    atol: float,
) -> System:
    """The checked arguments, with vectors in the dtype in which the function computes."""
    given = operator_of(function, "A", A)
    size = given.shape[0]
    if given.shape[1] != size:
        raise InvalidValueError(function, f"A has shape {given.shape}; it must be square")
    home = given.A.data if isinstance(given, MatrixOperator) and hasattr(given.A, "nnz") else None
    if home is None:
        home = given.A if isinstance(given, MatrixOperator) else b if isinstance(b, Array) else None
    queue = None if home is None else home.queue
    b = as_array(function, "b", b, queue, home) if home is not None else asarray(b)
    if b.shape not in ((size,), (size, 1)):
        raise InvalidValueError(function, f"A has shape {given.shape}, and b has shape {b.shape}")
    kind = np.result_type(given.dtype, b.dtype)
    kind = kind if kind.char in "fdFD" else np.result_type(kind, np.float64)
    b = h.reshape(astype(b, kind, copy=False), (size,))
    if M is None:
        preconditioner: LinearOperator = Identity(size, kind)
    else:
        preconditioner = operator_of(function, "M", M)
        if preconditioner.shape != given.shape:
            raise InvalidValueError(
                function, f"A has shape {given.shape}, and M has shape {preconditioner.shape}"
            )
    if not isinstance(rtol, _REAL):
        raise InvalidTypeError(function, f"rtol is {rtol!r}; it must be a number")
    if not isinstance(atol, _REAL) or atol < 0:
        raise InvalidValueError(function, f"atol is {atol!r}; it must be a number of 0 or more")
    x = _first_guess(function, x0, b, preconditioner)
    b_norm = norm(b)
    limit = max(float(atol), float(rtol) * b_norm)
    starts_at_0 = x0 is None or not bool(h.any(x != 0))
    return System(given, preconditioner, x, b, b_norm, limit, starts_at_0)


def count_of(function: str, name: str, given: Any, default: int, least: int = 0) -> int:
    """The argument as an integer, or the default if it is None."""
    if given is None:
        return default
    try:
        count = operator.index(given)
    except TypeError:
        raise InvalidTypeError(function, f"{name} is {given!r}; it must be an integer") from None
    if count < least:
        raise InvalidValueError(function, f"{name} is {count}; it must be at least {least}")
    return count


def _first_guess(function: str, x0: Any, b: Array, M: LinearOperator) -> Array:
    if x0 is None:
        return h.zeros_like(b)
    if isinstance(x0, str):
        if x0 != "Mb":
            raise InvalidValueError(function, f'x0 is {x0!r}; it is a vector, None or "Mb"')
        return M.matvec(b)
    x = as_array(function, "x0", x0, b.queue, b)
    if x.shape not in (b.shape, (b.size, 1)):
        raise InvalidValueError(function, f"x0 has shape {x.shape}, and b has {b.size} elements")
    return h.reshape(astype(x, b.dtype), b.shape)
