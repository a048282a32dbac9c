"""Dask's workers with hither's chunks, compared with NumPy's chunks in the same workers;
and several workers of one core, compared with one such worker.

What Dask's messages and the memory of the machine allow is measured by a graph of the same tasks
and transfers, whose functions of blocks only copy: with p workers, the work that is more than these
copies can take 1 / p of the time of one worker, and the copies take as long as they do.

`python benches/reach.py cuda:gpu:0 cuda:gpu:1 ...` compares several devices with the first one, a
worker each.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
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
ALLOWED = "copies allow"
LIMIT = 500.0  # seconds for all cases
START = 120.0  # seconds for the start of each worker
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


def copied(x: Any) -> Any:
    return x.copy()


def of_blocks(function: Callable[[Any], Any], x: Any) -> Any:
    return x.map_blocks(function, meta=x._meta).sum()


def of_neighbours(function: Callable[[Any], Any], x: Any) -> Any:
    return x.map_overlap(function, depth=1, boundary=0.0, meta=x._meta).sum()


def of_pairs(function: Callable[[Any, Any], Any], x: Any) -> Any:
    """The tasks and transfers of a product of chunks."""

    def pair(a: Any, b: Any) -> Any:
        return function(a, b)[:, None, :]

    made = da.blockwise(
        pair, "ikj", x, "ik", x, "kj", adjust_chunks={"k": 1}, meta=x._meta[:, None, :]
    )
    return made.sum(axis=1).sum()


@dataclass(frozen=True)
class Case:
    work: Callable[[Any], Any]
    copies: Callable[[Any], Any]
    """The graph of `work` with copies in its tasks."""
    side: int
    chunks: int  # along each axis, of workers of one core
    budget: Budget


CASES = {
    "ten operations": Case(partial(of_blocks, chain), partial(of_blocks, copied), 16384, 8, FASTER),
    "five-point stencil": Case(
        partial(of_neighbours, five_points), partial(of_neighbours, copied), 16384, 4, FASTER
    ),
    "matmul": Case(
        lambda x: (x @ x).sum(), partial(of_pairs, lambda a, b: a.copy()), 4096, 4, AS_FAST
    ),
}


class Progress:
    """Says on stderr what begins and how long it took, and ends a bench that takes too long."""

    def __init__(self, limit: float) -> None:
        self._started = time.perf_counter()
        self._limit = limit

    def left(self) -> float:
        """The seconds until the limit; at least one, so that a call can say that it is late."""
        return max(1.0, self._limit - (time.perf_counter() - self._started))

    @contextmanager
    def phase(self, what: str) -> Iterator[None]:
        """Names a phase. A phase that does not end in time is an error that names it."""
        began = time.perf_counter()
        print(f"reach: {began - self._started:5.1f} s  {what} ... ", end="", file=sys.stderr)
        sys.stderr.flush()
        try:
            yield
        except TimeoutError:
            raise SystemExit(f"\nreach: not within {self._limit:g} s: {what}") from None
        except ht.DeviceError as error:
            raise SystemExit(f"\nreach: {what}: {error}") from None
        print(f"{time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)


def parts_of_the_cpu(count: int) -> list[ht.Device]:
    """This number of cores, a device each."""
    cpu = ht.Device("cpu")
    return cpu.create_sub_devices(1)[:count] if cpu.max_compute_units > 1 else [cpu]


class Workers:
    """A cluster with a worker for each device, and its operands."""

    def __init__(self, stack: ExitStack, devices: list[Any], progress: Progress) -> None:
        self._progress = progress
        self._operands: dict[tuple[str, int, int], Any] = {}
        with progress.phase(f"start workers: {len(devices)}"):
            patience = f"{min(START, progress.left()):.0f}s"
            cluster = hither.dask.local_cluster(
                devices, silence_logs=logging.ERROR, death_timeout=patience
            )
            stack.enter_context(cluster)
            self._client = stack.enter_context(
                distributed.Client(cluster, set_as_default=False, timeout=patience)
            )
            stack.callback(self._operands.clear)

    def operand(self, backend: str, side: int, chunks: int, made_by: str) -> Any:
        """A random matrix, which the workers keep. `made_by`: NumPy's numbers are the same for all
        backends, and hither's are drawn on the devices."""
        place = (backend, side, chunks)
        if place not in self._operands:
            with dask.config.set({"array.backend": made_by}):
                made = da.random.default_rng(1).random((side, side), chunks=side // chunks)
            x = self._client.persist(made.to_backend(backend))
            with self._client.as_current():
                distributed.wait(x, timeout=self._progress.left())
            self._operands[place] = x
        return self._operands[place]

    def prepared(
        self, backend: str, case: str, scale: float, copies: bool = False, on_gpus: bool = False
    ) -> Callable[[], float]:
        """A call that computes the case, or its copies, on operands that the workers have."""
        known = CASES[case]
        chunks, made_by = (4, "hither") if on_gpus else (known.chunks, "numpy")
        operand = self.operand(backend, int(known.side / scale), chunks, made_by)
        expression = (known.copies if copies else known.work)(operand)
        # A fused stencil would get whole chunks of its neighbours from others, not their edges.
        fusion = {"optimization.fuse.active": False if "stencil" in case else None}

        def call() -> float:
            with dask.config.set(fusion):
                future = self._client.compute(expression)
                return float(future.result(timeout=self._progress.left()))

        return call


def rows(effort: Effort) -> list[Row]:
    scale = 4 if effort.seconds < QUICK else 1
    progress = Progress(LIMIT)
    found = []
    with ExitStack() as stack:
        single = Workers(stack, parts_of_the_cpu(1), progress)
        counts = [p for p in (2, 4, 8) if p <= ht.Device("cpu").max_compute_units]
        for count in counts or [1]:
            with ExitStack() as inner:
                several = Workers(inner, parts_of_the_cpu(count), progress)
                for case, known in CASES.items():
                    with progress.phase(f"{case}, {count} workers"):
                        contestants = {
                            "NumPy": several.prepared("numpy", case, scale),
                            "hither": several.prepared("hither", case, scale),
                            ONE: single.prepared("hither", case, scale),
                        }
                        title = f"{case}, {count} workers"
                        row = contest(title, contestants, effort, known.budget, 1e-9)
                    found.append(row)
                    if count > 1:
                        with progress.phase(f"copies of {case}, {count} workers"):
                            allowed = time_allowed(
                                count, row.times[ONE],
                                several.prepared("hither", case, scale, copies=True),
                                single.prepared("hither", case, scale, copies=True), effort,
                            )  # fmt: skip
                        found.append(efficiency(case, count, row.times | {ALLOWED: allowed}))
    return found


def time_allowed(
    count: int, one: float, copies: Callable[[], float], copies_of_one: Callable[[], float],
    effort: Effort,
) -> float:  # fmt: skip
    """The seconds of `count` workers, of which one takes the seconds `one`."""
    times = contest("", {"several": copies, "one": copies_of_one}, effort, None, 1e-9).times
    return max(0.0, one - times["one"]) / count + times["several"]


def efficiency(case: str, count: int, times: dict[str, float]) -> Row:
    """The row of `count` workers against one, or against what copies allow."""
    own = {name: times[name] for name in (ONE, ALLOWED, "hither") if name in times}
    budget = Budget(1 / EFFICIENCY, ALLOWED)
    if ALLOWED not in own or own[ALLOWED] <= own[ONE] / count:
        budget = Budget(1 / (EFFICIENCY * count), ONE)
    return Row(f"{case}, {count} against 1", own, budget)


def rows_of_devices(names: list[str], effort: Effort, scale: float) -> list[Row]:
    """2, 4, ... of the devices, compared with the first."""
    progress = Progress(LIMIT)
    found = []
    with ExitStack() as stack:
        single = Workers(stack, names[:1], progress)
        for count in (p for p in (2, 4, 8) if p <= len(names)):
            with ExitStack() as inner:
                several = Workers(inner, names[:count], progress)
                for case in CASES:
                    with progress.phase(f"{case}, {count} workers"):
                        both = {
                            "hither": several.prepared("hither", case, scale, on_gpus=True),
                            ONE: single.prepared("hither", case, scale, on_gpus=True),
                        }
                        times = contest(case, both, effort, None, 1e-9).times
                    found.append(efficiency(case, count, times))
    return found


if __name__ == "__main__":
    sys.exit(compare_devices("reach", __doc__, rows_of_devices, 0.25))
