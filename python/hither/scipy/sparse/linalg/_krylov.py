"""Iterations that solve A x = b by products with A: cg, bicgstab, gmres and minres.

Vectors stay on the queue. An iteration waits for the numbers that decide how it goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .... import _hither as h
from ...._hither import Array, asarray
from ....errors import InvalidValueError
from ._system import EarlyNumber, System, count_of, dot, norm, system

__all__ = ["bicgstab", "cg", "gmres"]

# Multiples of epsilon, relative to a matrix, that are 0 but for rounding.
_SMALLEST = 16


def cg(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
    maxiter: int | None = None, M: Any = None,
    callback: Callable[[Array], Any] | None = None,
) -> tuple[Array, int]:  # fmt: skip
    """Solves A x = b by conjugate gradients. A is symmetric or Hermitian, and positive definite."""
    s = system("cg", A, M, x0, b, rtol, atol)
    limit = count_of("cg", "maxiter", maxiter, 10 * s.b.size)
    if s.b_norm == 0:
        return s.b, 0
    x, r = s.x, s.residual()
    p: Any = None
    before: Any = None
    for _ in range(limit):
        z = s.M.matvec(r) if s.is_preconditioned else r
        rho = dot(r, z)
        # Without a preconditioner rho is the square of the residual: one reduction serves both.
        square = EarlyNumber(h.real(dot(r, r) if s.is_preconditioned else rho))
        p = z if p is None else z + (rho / before) * p
        h.evaluate(x, p)  # in one kernel, because x takes a multiple of the last p
        if math.sqrt(max(square.value(), 0.0)) < s.atol:
            return x, 0
        q = s.A.matvec(p)
        step = rho / dot(p, q)
        x = x + step * p
        r = r - step * q
        before = rho
        if callback is not None:
            callback(x)
    return x, limit


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
    maxiter: int | None = None, M: Any = None,
    callback: Callable[[Array], Any] | None = None,
) -> tuple[Array, int]:  # fmt: skip
    """Solves A x = b by the stabilised biconjugate gradients, for a general square A."""
    s = system("bicgstab", A, M, x0, b, rtol, atol)
    limit = count_of("bicgstab", "maxiter", maxiter, 10 * s.b.size)
    if s.b_norm == 0:
        return s.b, 0
    smallest = np.finfo(s.b.dtype).eps ** 2
    x, r = s.x, s.residual()
    shadow = r
    p: Any = None
    v: Any = None
    before = step = weight = 1.0
    for _ in range(limit):
        if norm(r) < s.atol:
            return x, 0
        rho = dot(shadow, r).item()
        if abs(rho) < smallest:
            return x, -10
        if p is not None:
            if abs(weight) < smallest:
                return x, -11
            p = r + (rho / before) * (step / weight) * (p - weight * v)
        else:
            p = r
        moved = s.M.matvec(p)
        v = s.A.matvec(moved)
        along = dot(shadow, v).item()
        if along == 0:
            return x, -11
        step = rho / along
        r = r - step * v
        if norm(r) < s.atol:
            return x + step * moved, 0
        second = s.M.matvec(r)
        t = s.A.matvec(second)
        weight = (dot(t, r) / dot(t, t)).item()
        x = x + step * moved + weight * second
        r = r - weight * t
        before = rho
        x.evaluate()
        if callback is not None:
            callback(x)
    return x, limit


def gmres(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0,
    restart: int | None = None, maxiter: int | None = None, M: Any = None,
    callback: Callable[[Any], Any] | None = None, callback_type: str | None = None,
) -> tuple[Array, int]:  # fmt: skip
    """Solves A x = b by generalised minimal residuals, for a general square A.

    `maxiter` counts restarts after `restart` (20) products. `callback` gets the residual
    (callback_type "pr_norm" or "legacy") after each product, or x (callback_type "x") after each
    restart. With "legacy", the default, `maxiter` counts products. The second result is 0 if the
    residual is small enough. It is `maxiter` if not, also when A is singular and no x is better.
    """
    kind = "legacy" if callback_type is None else callback_type
    if kind not in ("x", "pr_norm", "legacy"):
        raise InvalidValueError(
            "gmres", f'callback_type is {kind!r}; it is "x", "pr_norm" or "legacy"'
        )
    kind = "" if callback is None else kind
    s = system("gmres", A, M, x0, b, rtol, atol)
    limit = count_of("gmres", "maxiter", maxiter, 10 * s.b.size)
    width = min(count_of("gmres", "restart", restart, 20, least=1), s.b.size)
    if s.b_norm == 0:
        return s.b, 0
    x, r = s.x, s.residual()
    length = norm(r)
    if length < s.atol:
        return x, 0
    preconditioned = norm(s.M.matvec(s.b))
    goal, factor = preconditioned * min(1.0, s.atol / s.b_norm), 1.0
    products = 0
    for _ in range(limit):
        most = min(width, limit - products) if kind == "legacy" else width
        told = callback if kind in ("legacy", "pr_norm") else None
        run = _Arnoldi(s, r, most, goal, told)
        products += run.columns
        old, x = x, x + run.correction()
        r = s.b - s.A.matvec(x)
        before, length = length, norm(r)
        if kind == "legacy" and products == limit:
            return x, 0 if length <= s.atol else limit
        if kind == "x" and callback is not None:
            callback(x)
        if length <= s.atol:
            return x, 0
        # The basis cannot grow, and the next one would be no better: A is singular, or x is as
        # exact as rounding allows.
        if run.broke_down and not length < before / 2:
            return x if length <= before else old, limit
        # The preconditioned residual was small enough, and the residual is not.
        factor = max(1e-16, 0.25 * factor) if run.residual <= goal else min(1.5 * factor, 1.0)
        goal = run.residual * min(factor, s.atol / length)
    return x, limit


class _Arnoldi:
    """An orthonormal basis of r, A r, A A r, ..., and the x of least residual in it."""

    def __init__(self, s: System, r: Array, most: int, goal: float, told: Any) -> None:
        first = s.M.matvec(r)
        length = norm(first)
        self.broke_down = length == 0
        self.columns, self.residual = 0, length
        kind = s.b.dtype
        self.basis = h.zeros((most + 1, s.b.size), kind, queue=s.b.queue)
        self.matrix = np.zeros((most + 1, most), kind)
        self.right = np.zeros(most + 1, kind)
        self.right[0] = length
        if self.broke_down:
            return
        self.basis[0] = first / length
        rotations: list[Any] = []
        for k in range(most):
            self._next_column(s, k)
            self.residual = abs(_rotate(self.matrix, self.right, rotations, k))
            self.columns = k + 1
            self.broke_down = self.broke_down or self.matrix[k, k] == 0
            if told is not None:
                told(self.residual / s.b_norm)
            if self.residual <= goal or self.broke_down:
                return

    def _next_column(self, s: System, k: int) -> None:
        """Orthogonalises the next product, twice, so that rounding does not spoil the basis."""
        w = s.M.matvec(s.A.matvec(self.basis[k]))
        size = norm(w)
        known = self.basis[: k + 1]
        total = np.zeros(k + 1, self.matrix.dtype)
        for _ in range(2):
            part = (h.conj(known) if known.dtype.kind == "c" else known) @ w
            w = w - part @ known
            total += h.asnumpy(part)
        self.matrix[: k + 1, k] = total
        rest = norm(w)
        if rest <= np.finfo(s.b.dtype).eps * size:
            self.broke_down = True
        else:
            self.matrix[k + 1, k] = rest
            self.basis[k + 1] = w / rest

    def correction(self) -> Array:
        """What is added to x."""
        n = self.columns
        if n == 0:
            return h.zeros_like(self.basis[0])
        triangle = self.matrix[:n, :n]
        if self.broke_down:  # the triangle is singular if A is
            smallest = _SMALLEST * np.finfo(triangle.dtype).eps
            weights = np.linalg.lstsq(triangle, self.right[:n], rcond=smallest)[0]
        else:
            weights = np.linalg.solve(triangle, self.right[:n])
        return asarray(weights, queue=self.basis.queue) @ self.basis[:n]


def _rotate(matrix: np.ndarray, right: np.ndarray, rotations: list[Any], k: int) -> Any:
    """Makes column k upper triangular. Returns the element of the right side below it."""
    for i, (c, s) in enumerate(rotations):
        high, low = matrix[i, k], matrix[i + 1, k]
        matrix[i, k], matrix[i + 1, k] = c * high + s * low, -np.conj(s) * high + c * low
    high, low = matrix[k, k], matrix[k + 1, k]
    length = math.hypot(abs(high), abs(low))
    size = np.linalg.norm(matrix[: k + 2, : k + 1])
    if length <= _SMALLEST * np.finfo(matrix.dtype).eps * size:
        # The column is of no use, but for rounding: the residual stays, below it.
        high = low = matrix.dtype.type(0)
        c, s = 0.0, matrix.dtype.type(1)
    elif high == 0:
        c, s = 0.0, np.conj(low) / abs(low)
    else:
        c, s = abs(high) / length, high / abs(high) * np.conj(low) / length
    rotations.append((c, s))
    matrix[k, k], matrix[k + 1, k] = c * high + s * low, 0
    right[k + 1] = -np.conj(s) * right[k]
    right[k] = c * right[k]
    return right[k + 1]
