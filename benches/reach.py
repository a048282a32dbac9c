"""Dask's workers with hither's chunks, compared with NumPy's chunks in the same workers;
and several workers of one core, compared with one such worker."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import dask
import dask.array as da
import distributed
import numpy as np
from timing import Budget, Effort, Row, contest

import hither as ht
import hither.dask

FASTER = Budget(1 / 3, "NumPy")
AS_FAST = Budget(1.0, "NumPy")
EFFICIENCY = 0.85
ONE = "one worker"
QUICK = 0.5  # seconds of effort below which arrays are a sixteenth as large


def chain(x: Any) -> Any:
    """Ten element-wise operations in one task, as a program has them in a function of a block."""
    xp = ht if isinstance(x, ht.Array) else np
    y = xp.sqrt(x * x + 1) - x
    return xp.exp(-y) * xp.sin(y) + 0.5 * y


def five_points(x: Any) -> Any:
    """One step of Jacobi's iteration; the edges are those of the neighbours."""
    y = x + 0
    y[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return y


CASES: dict[str, tuple[Callable[[Any], Any], int, Budget]] = {
    "ten operations": (lambda x: x.map_blocks(chain, meta=x._meta).sum(), 8192, FASTER),
    "five-point stencil": (
        lambda x: x.map_overlap(five_points, depth=1, boundary=0.0, meta=x._meta).sum(),
        8192, FASTER,
    ),
    "matmul": (lambda x: (x @ x).sum(), 4096, AS_FAST),
}  # fmt: skip


def connect(stack: ExitStack, count: int) -> distributed.Client:
    """A client of this number of workers, with one core each."""
    cpu = ht.Device("cpu")
    parts = cpu.create_sub_devices(1)[:count] if cpu.max_compute_units > 1 else [cpu]
    cluster = hither.dask.local_cluster(parts, silence_logs=logging.ERROR)
    stack.enter_context(cluster)
    return stack.enter_context(distributed.Client(cluster, set_as_default=False))


def prepared(client: distributed.Client, backend: str, case: str, scale: int) -> Any:
    """A call that computes the case on operands that the workers have."""
    work, side, _ = CASES[case]
    side //= scale
    with dask.config.set({"array.backend": "numpy"}):
        made = da.random.default_rng(1).random((side, side), chunks=side // 4)
    x = client.persist(made.to_backend(backend))
    with client.as_current():
        distributed.wait(x)
    expression = work(x)
    # A fused stencil would get whole chunks of its neighbours from other workers, not their edges.
    fusion = {"optimization.fuse.active": False if "stencil" in case else None}

    def call() -> float:
        with dask.config.set(fusion):
            return float(client.compute(expression).result())

    return call


def rows(effort: Effort) -> list[Row]:
    scale = 4 if effort.seconds < QUICK else 1
    found = []
    with ExitStack() as stack:
        single = connect(stack, 1)
        counts = [p for p in (2, 4, 8) if p <= ht.Device("cpu").max_compute_units]
        for count in counts or [1]:
            with ExitStack() as inner:
                several = connect(inner, count)
                for case, (_, _, budget) in CASES.items():
                    contestants = {
                        "NumPy": prepared(several, "numpy", case, scale),
                        "hither": prepared(several, "hither", case, scale),
                        ONE: prepared(single, "hither", case, scale),
                    }
                    row = contest(f"{case}, {count} workers", contestants, effort, budget, 1e-9)
                    found.append(row)
                    if count > 1:
                        times = {name: row.times[name] for name in (ONE, "hither")}
                        against = Budget(1 / (EFFICIENCY * count), ONE)
                        found.append(Row(f"{case}, {count} against 1", times, against))
    return found
