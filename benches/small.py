"""Small arrays: the overhead of an operation."""

from __future__ import annotations

import numba_loops
import numpy as np
from timing import Budget, Effort, Row, contest

import hither as ht


def chain_of_ten(v):
    """Ten operations on one array."""
    y = v * 1.5
    y = (y + v) * 0.5
    y = (y - 0.25) * v
    y = (y + 1.0) * 0.75
    y = (y - v) * 1.25
    return y + 2.0


def done(x: ht.Array) -> ht.Array:
    x.synchronize()
    return x


def rows(effort: Effort) -> list[Row]:
    host = np.linspace(0.0, 1.0, 1000)
    other = host[::-1].copy()
    x, y = ht.asarray(host), ht.asarray(other)
    return [
        contest(
            "add, 1k float64",
            {
                "NumPy": lambda: host + other,
                "hither": lambda: done(x + y),
                "Numba": lambda: numba_loops.add(host, other),
            },
            effort,
            Budget(1.0, "NumPy"),
            timed={"hither": lambda: (x + y).synchronize()},
        ),
        contest(
            "chain of ten, 1k float64",
            {
                "NumPy": lambda: chain_of_ten(host),
                "hither": lambda: done(chain_of_ten(x)),
                "Numba": lambda: numba_loops.chain_of_ten(host),
            },
            effort,
            Budget(0.4, "NumPy"),
            timed={"hither": lambda: chain_of_ten(x).synchronize()},
        ),
        contest(
            "sum, 1k float64, to a Python float",
            {"NumPy": lambda: float(host.sum()), "hither": lambda: float(ht.sum(x))},
            effort,
        ),
        contest(
            "read one element",
            {"NumPy": lambda: float(host[7]), "hither": lambda: float(x[7])},
            effort,
        ),
        contest(
            "asarray, 1k float64",
            {"NumPy": lambda: np.array(host), "hither": lambda: ht.asarray(host)},
            effort,
        ),
    ]
