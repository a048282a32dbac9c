"""Memory-bound rows: new results must be as fast as results in existing memory."""

from __future__ import annotations

import numba_loops
import numexpr
import numpy as np
from native_loops import call
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

COUNT = 8_000_000


def rows(effort: Effort) -> list[Row]:
    random = np.random.default_rng(1)
    a, b = random.random(COUNT), random.random(COUNT)
    x, y = ht.asarray(a), ht.asarray(b)
    standing = np.empty_like(a)

    def native() -> np.ndarray:
        call("triad", a, b, 3.0, standing, COUNT)
        return standing

    def in_place() -> ht.Array:
        out[...] = x + 3.0 * y
        return done(out)

    out = ht.empty(COUNT, dtype=ht.float64)
    peers = {
        "NumPy": lambda: a + 3.0 * b,
        "numexpr": lambda: numexpr.evaluate("a + 3.0 * b", {"a": a, "b": b}),
        "Numba": lambda: numba_loops.triad(a, b, 3.0),
        "C++": native,
    }
    return [
        contest(
            "triad into a fresh result, 8M float64",
            peers | {"hither": lambda: done(x + 3.0 * y)},
            effort,
            Budget(1.1, "C++"),
        ),
        contest(
            "triad into standing memory, 8M float64",
            peers | {"hither": in_place},
            effort,
            Budget(1.1, "C++"),
        ),
    ]
