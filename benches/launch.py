"""Launching a kernel that is compiled already: arguments checked, queue found, submitted."""

from __future__ import annotations

import numba_loops
import numpy as np
from timing import Budget, Effort, Row, contest

import hither as ht

COUNT = 64


@ht.kernel
def add(a, b, c):
    i = ht.get_global_id(0)
    c[i] = a[i] + b[i]


def add_in_numba(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    numba_loops.add_into(a, b, c)
    return c


def on_cpu(effort: Effort) -> Row:
    a, b, c = np.ones(COUNT), np.arange(COUNT, dtype=np.float64), np.empty(COUNT)
    x, y, z = ht.asarray(a), ht.asarray(b), ht.empty(COUNT, dtype=ht.float64)
    launch = add[ht.Range(COUNT)]

    def hither_add() -> ht.Array:
        launch(x, y, z)
        return z

    return contest(
        "three-array kernel on 64 items",
        {
            "NumPy": lambda: np.add(a, b, out=c),
            "hither": hither_add,
            "Numba": lambda: add_in_numba(a, b, c),
        },
        effort,
        Budget(0.5, "Numba"),
    )


def on_null(effort: Effort) -> Row:
    """Host time alone: the null device records the launch and runs nothing."""
    queue = ht.Queue("null")
    x, y, z = (ht.empty(COUNT, dtype=ht.float64, queue=queue) for _ in range(3))
    launch = add[ht.Range(COUNT)]
    return contest(
        "three-array kernel on the null device",
        {"hither": lambda: launch(x, y, z)},
        effort,
        Budget(1e-6, None),
    )


def without_range(effort: Effort) -> Row:
    """The range is the first array's shape."""
    queue = ht.Queue("null")
    x, y, z = (ht.empty(COUNT, dtype=ht.float64, queue=queue) for _ in range(3))
    return contest(
        "the same, add(x, y, z)", {"hither": lambda: add(x, y, z)}, effort, Budget(1e-6, None)
    )


def with_its_range(effort: Effort) -> Row:
    """The range is made and bound anew in each call."""
    queue = ht.Queue("null")
    x, y, z = (ht.empty(COUNT, dtype=ht.float64, queue=queue) for _ in range(3))
    return contest(
        "the same, add[ht.Range(n)](x, y, z)",
        {"hither": lambda: add[ht.Range(COUNT)](x, y, z)},
        effort,
        Budget(1e-6, None),
    )


def on_host_arrays(effort: Effort) -> Row:
    """Copied to the device, computed, copied back, within one call."""
    a, b, c = np.ones(COUNT), np.arange(COUNT, dtype=np.float64), np.empty(COUNT)

    def hither_add() -> np.ndarray:
        with ht.device_context("cpu"):
            add[ht.Range(COUNT)](a, b, c)
        return c

    return contest(
        "the same on NumPy arrays in a device context",
        {"NumPy": lambda: np.add(a, b, out=c), "hither": hither_add},
        effort,
    )


def rows(effort: Effort) -> list[Row]:
    cases = (on_cpu, on_null, without_range, with_its_range, on_host_arrays)
    return [case(effort) for case in cases]
