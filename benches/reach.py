"""Dask's workers with hither's chunks, compared with NumPy's chunks in the same workers;
and several workers of one core, compared with one such worker.

`python benches/reach.py cuda:gpu:0 cuda:gpu:1 ...` compares several devices with the first one, a
worker each.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import dask
import dask.array as da
import distributed
import numpy as np
from table import compare_devices
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


def parts_of_the_cpu(count: int) -> list[ht.Device]:
    """This number of cores, a device each."""
    cpu = ht.Device("cpu")
    return cpu.create_sub_devices(1)[:count] if cpu.max_compute_units > 1 else [cpu]


def connect(stack: ExitStack, devices: list[Any]) -> distributed.Client:
    """A client with a worker for each device."""
    cluster = hither.dask.local_cluster(devices, silence_logs=logging.ERROR)
    stack.enter_context(cluster)
    return stack.enter_context(distributed.Client(cluster, set_as_default=False))


def prepared(client: distributed.Client, backend: str, case: str, scale: float) -> Any:
    """A call that computes the case on operands that the workers have."""
    work, side, _ = CASES[case]
    side = int(side / scale)
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
        single = connect(stack, parts_of_the_cpu(1))
        counts = [p for p in (2, 4, 8) if p <= ht.Device("cpu").max_compute_units]
        for count in counts or [1]:
            with ExitStack() as inner:
                several = connect(inner, parts_of_the_cpu(count))
                for case, (_, _, budget) in CASES.items():
                    contestants = {
                        "NumPy": prepared(several, "numpy", case, scale),
                        "hither": prepared(several, "hither", case, scale),
                        ONE: prepared(single, "hither", case, scale),
                    }
                    row = contest(f"{case}, {count} workers", contestants, effort, budget, 1e-9)
                    found.append(row)
                    if count > 1:
                        found.append(efficiency(case, count, row.times))
    return found


def efficiency(case: str, count: int, times: dict[str, float]) -> Row:
    """The row of `count` workers against one."""
    own = {name: times[name] for name in (ONE, "hither")}
    return Row(f"{case}, {count} against 1", own, Budget(1 / (EFFICIENCY * count), ONE))


def rows_of_devices(names: list[str], effort: Effort, scale: float) -> list[Row]:
    """2, 4, ... of the devices, compared with the first."""
    found = []
    with ExitStack() as stack:
        single = connect(stack, names[:1])
        for count in (p for p in (2, 4, 8) if p <= len(names)):
            with ExitStack() as inner:
                several = connect(inner, names[:count])
                for case in CASES:
                    both = {"hither": prepared(several, "hither", case, scale),
                            ONE: prepared(single, "hither", case, scale)}  # fmt: skip
                    times = contest(case, both, effort, None, 1e-9).times
                    found.append(efficiency(case, count, times))
    return found


if __name__ == "__main__":
    sys.exit(compare_devices("reach", __doc__, rows_of_devices, 0.25))
