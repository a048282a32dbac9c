"""The method of minimal residuals for symmetric matrices."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _hither as h
from ...._hither import Array
from ....errors import InvalidValueError
from ._system import count_of, dot, norm, system

__all__ = ["minres"]


def minres(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, shift: float = 0.0,
    maxiter: int | None = None, M: Any = None,
    callback: Callable[[Array], Any] | None = None, show: bool = False, check: bool = False,
) -> tuple[Array, int]:  # fmt: skip
    """Solves (A - shift I) x = b by minimal residuals. A is real and symmetric, and may be
    indefinite. It ends when the residual is at most rtol * norm(A) * norm(x) + rtol * norm(b).

    `check` tests first whether A and M are symmetric; `show` prints the residuals.
    """
    s = system("minres", A, M, x0, b, rtol, 0.0)
    if s.b.dtype.kind == "c":
        raise InvalidValueError("minres", "A or b is complex; gmres takes complex systems")
    limit = count_of("minres", "maxiter", maxiter, 5 * s.b.size)
    if s.b_norm == 0:
        return s.b, 0
    if check:
        _check_symmetry("A", s.A, s.b)
        _check_symmetry("M", s.M, s.b)
    r = s.b - (s.A.matvec(s.x) - shift * s.x) if not s.starts_at_0 else s.b
    run = _Lanczos(s, r, shift)
    x = s.x
    for k in range(limit):
        if run.residual <= s.atol:
            return x, 0
        x = run.step(x)
        x.evaluate()
        if show:
            print(f"minres {k + 1}: residual {run.residual:.6e}")
        if callback is not None:
            callback(x)
        if run.residual <= rtol * (run.size * norm(x) + s.b_norm):
            return x, 0
    return x, limit


def _check_symmetry(name: str, operator: Any, b: Array) -> None:
    y = operator.matvec(b)
    z = operator.matvec(y)
    first, second = dot(y, y).item(), dot(b, z).item()
    if abs(first - second) > (first + 1e-30) * np.finfo(b.dtype).eps ** (1 / 3):
        raise InvalidValueError("minres", f"{name} is not symmetric")


class _Lanczos:
    """The tridiagonal matrix of A in the basis of its products, made triangular step by step."""

    def __init__(self, s: Any, r: Array, shift: float) -> None:
        self.s, self.shift = s, shift
        self.before, self.here = h.zeros_like(r), r
        self.y = s.M.matvec(r)
        square = dot(r, self.y).item()
        if square < 0:
            raise InvalidValueError("minres", "M is not positive definite")
        self.beta = math.sqrt(square)
        self.residual = self.beta
        self.old_beta = 0.0
        self.c, self.sine = -1.0, 0.0
        self.delta_bar = self.epsilon = 0.0
        self.w, self.w_before = h.zeros_like(r), h.zeros_like(r)
        self.squares = 0.0

    @property
    def size(self) -> float:
        """An estimate of the Frobenius norm of A."""
        return math.sqrt(self.squares)

    def step(self, x: Array) -> Array:
        """The next x."""
        v = self.y / self.beta
        y = self.s.A.matvec(v) - self.shift * v
        if self.old_beta:
            y = y - (self.beta / self.old_beta) * self.before
        alpha = dot(v, y).item()
        y = y - (alpha / self.beta) * self.here
        self.before, self.here = self.here, y
        self.y = self.s.M.matvec(y)
        self.old_beta = self.beta
        self.beta = math.sqrt(max(dot(y, self.y).item(), 0.0))
        self.squares += alpha**2 + self.old_beta**2 + self.beta**2
        old_epsilon = self.epsilon
        delta = self.c * self.delta_bar + self.sine * alpha
        gamma_bar = self.sine * self.delta_bar - self.c * alpha
        self.epsilon = self.sine * self.beta
        self.delta_bar = -self.c * self.beta
        gamma = max(math.hypot(gamma_bar, self.beta), np.finfo(x.dtype).eps)
        self.c, self.sine = gamma_bar / gamma, self.beta / gamma
        length = self.c * self.residual
        self.residual = abs(self.sine * self.residual)
        w = (v - old_epsilon * self.w_before - delta * self.w) / gamma
        self.w_before, self.w = self.w, w
        if self.beta == 0:
            self.beta = np.finfo(x.dtype).tiny
        return x + length * w
