"""Functions of hither.numpy that NumPy's programs use, compared with NumPy's.

Each is called with an array of about a million elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from small import done
from timing import Budget, Effort, Row, contest

import hither.numpy as hnp

BUDGET = Budget(1.05, "best")
# The arrays of `samples`: v and w are vectors, i indices, k small integers, m a square matrix,
# p points (rows of three), c an image of bytes.
CALLS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "every second element": lambda np, x: x["v"][::2] * 2.0,
    "stack of columns": lambda np, x: np.stack([x["v"], x["w"]], axis=1),
    "grey values of an image": lambda np, x: np.mean(x["c"], axis=2),
    "take": lambda np, x: x["v"][x["i"]],
    "mask": lambda np, x: x["v"][x["v"] > 0.5],
    "where": lambda np, x: np.where(x["v"] > 0.5, x["v"], x["w"]),
    "isin, 5 integers": lambda np, x: np.isin(x["k"], [1, 5, 7, 50, 80]),
    "isin, 1000 integers": lambda np, x: np.isin(x["i"], x["i"][:1000]),
    "bincount": lambda np, x: np.bincount(x["k"]),
    "histogram": lambda np, x: np.histogram(x["v"], bins=100)[0],
    "digitize": lambda np, x: np.digitize(x["v"], np.linspace(0, 1, 50)),
    "searchsorted": lambda np, x: np.searchsorted(np.linspace(0, 1, 1000), x["v"]),
    "interp": lambda np, x: np.interp(x["v"], np.linspace(0, 1, 100), np.linspace(1, 2, 100)),
    "convolve, 100 factors": lambda np, x: np.convolve(x["v"], x["w"][:100], "same"),
    "cumsum, axis 1": lambda np, x: np.cumsum(x["m"], axis=1),
    "diff": lambda np, x: np.diff(x["v"]),
    "gradient": lambda np, x: np.gradient(x["m"])[0],
    "trapezoid": lambda np, x: np.trapezoid(x["m"], axis=1),
    "roll": lambda np, x: np.roll(x["m"], 1, axis=0),
    "pad, edge": lambda np, x: np.pad(x["m"], 1, mode="edge"),
    "tile": lambda np, x: np.tile(x["m"], (2, 2)),
    "repeat": lambda np, x: np.repeat(x["v"], 3),
    "median": lambda np, x: np.median(x["v"]),
    "percentile": lambda np, x: np.percentile(x["v"], [5, 50, 95]),
    "std, axis 0": lambda np, x: np.std(x["p"], axis=0),
    "norms of points": lambda np, x: np.linalg.norm(x["p"], axis=1),
    "cross": lambda np, x: np.cross(x["p"], x["p"][::-1]),
    "einsum of rows": lambda np, x: np.einsum("ij,ij->i", x["p"], x["p"]),
    "cov": lambda np, x: np.cov(x["m"][:100]),
    "add.at": lambda np, x: _counted(np, x["k"]),
    "unique with inverse": lambda np, x: np.unique(x["k"], return_inverse=True)[1],
    "complex exponentials": lambda np, x: np.abs(np.exp(x["v"] * 1j)),
}


def _counted(np: Any, indices: Any) -> Any:
    counts = np.zeros(100)
    np.add.at(counts, indices, 1.0)
    return counts


def samples() -> dict[str, np.ndarray]:
    random = np.random.default_rng(0)
    count = 1_000_000
    return {
        "v": random.random(count), "w": random.random(count),
        "i": random.integers(0, count, count), "k": random.integers(0, 100, count),
        "m": random.random((1000, 1000)), "p": random.random((count // 3, 3)),
        "c": random.integers(0, 256, (600, 600, 3), dtype=np.uint8),
    }  # fmt: skip


def rows(effort: Effort) -> list[Row]:
    host = samples()
    own = {name: hnp.asarray(x) for name, x in host.items()}
    return [
        contest(
            name,
            {
                "NumPy": lambda call=call: call(np, host),
                "hither": lambda call=call: done(call(hnp, own)),
            },
            effort,
            BUDGET,
            tolerance=1e-9,
        )
        for name, call in CALLS.items()
    ]
