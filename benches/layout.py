"""Rows whose difficulty is the order of memory: strides, transposes, broadcasts."""

from __future__ import annotations

import numba_loops
import numexpr
import numpy as np
from native_loops import call
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

SIDE = 4096
POINTS, DIMENSIONS = 2048, 3


def strided(effort: Effort) -> Row:
    host = np.random.default_rng(1).random(2 * SIDE * SIDE // 4)
    x, standing = ht.asarray(host), np.empty(len(host) // 2)

    def native() -> np.ndarray:
        call("strided_sum", host, standing, len(standing))
        return standing

    return contest(
        "x[::2] + x[1::2], 8M float64",
        {
            "NumPy": lambda: host[::2] + host[1::2],
            "hither": lambda: done(x[::2] + x[1::2]),
            "numexpr": lambda: numexpr.evaluate("a + b", {"a": host[::2], "b": host[1::2]}),
            "Numba": lambda: numba_loops.strided_sum(host),
            "C++": native,
        },
        effort,
        Budget(1.05, "best"),
    )


def transposed(effort: Effort) -> Row:
    host = np.random.default_rng(1).random((SIDE, SIDE), np.float32)
    x, standing = ht.asarray(host), np.empty_like(host)

    def native() -> np.ndarray:
        call("transposed_copy", host, standing, SIDE, SIDE)
        return standing

    return contest(
        "transposed copy, 4096 x 4096 float32",
        {
            "NumPy": lambda: host.T.copy(),
            "hither": lambda: done(ht.copy(x.T)),
            "Numba": lambda: numba_loops.transposed_copy(host),
            "C++": native,
        },
        effort,
        Budget(0.35, "best"),
    )


def added_to_transpose(effort: Effort) -> Row:
    host = np.random.default_rng(1).random((SIDE, SIDE), np.float32)
    x = ht.asarray(host)
    return contest(
        "x + x.T, 4096 x 4096 float32",
        {
            "NumPy": lambda: host + host.T,
            "hither": lambda: done(x + x.T),
            "numexpr": lambda: numexpr.evaluate("a + b", {"a": host, "b": host.T}),
            "Numba": lambda: numba_loops.add(host, host.T),
        },
        effort,
        Budget(0.35, "best"),
    )


def outer(effort: Effort) -> Row:
    a, b = np.random.default_rng(1).random((2, SIDE), np.float32)
    x, y, standing = ht.asarray(a), ht.asarray(b), np.empty((SIDE, SIDE), np.float32)

    def native() -> np.ndarray:
        call("outer_add", a, b, standing, SIDE, SIDE)
        return standing

    return contest(
        "outer add, 4096 x 4096 float32",
        {
            "NumPy": lambda: a[:, None] + b,
            "hither": lambda: done(x[:, None] + y),
            "numexpr": lambda: numexpr.evaluate("a + b", {"a": a[:, None], "b": b}),
            "Numba": lambda: numba_loops.outer_add(a, b),
            "C++": native,
        },
        effort,
        Budget(0.1, "best"),
    )


def pairwise(effort: Effort) -> Row:
    host = np.random.default_rng(1).random((POINTS, DIMENSIONS), np.float32)
    x, standing = ht.asarray(host), np.empty((POINTS, POINTS), np.float32)

    def native() -> np.ndarray:
        call("pairwise_distance", host, standing, POINTS, DIMENSIONS)
        return standing

    return contest(
        "pairwise distance, 2048 points, 3 dimensions",
        {
            "NumPy": lambda: np.sqrt(np.sum((host[:, None, :] - host[None, :, :]) ** 2, axis=2)),
            "hither": lambda: done(ht.sqrt(ht.sum((x[:, None, :] - x[None, :, :]) ** 2, axis=2))),
            "Numba": lambda: numba_loops.pairwise_distance(host),
            "C++": native,
        },
        effort,
        Budget(0.15, "best"),
        tolerance=1e-5,
    )


def rows(effort: Effort) -> list[Row]:
    return [case(effort) for case in (strided, transposed, added_to_transpose, outer, pairwise)]
