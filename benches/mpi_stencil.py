"""A program for the ranks of MPI: the five-point stencil on parts of a grid. benches/mpi.py starts
it. Rank 0 prints the seconds of a step with hither's arrays, with NumPy's, and of no exchange.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from mpi4py import MPI

import hither as ht

COMM = MPI.COMM_WORLD
ABOVE = COMM.rank - 1 if COMM.rank > 0 else MPI.PROC_NULL
BELOW = COMM.rank + 1 if COMM.rank + 1 < COMM.size else MPI.PROC_NULL
EDGES = ((1, ABOVE, -1, BELOW), (-2, BELOW, 0, ABOVE))


def exchange_hither(x: ht.Array) -> None:
    for row, to, halo, source in EDGES:
        received = ht.asarray(x[halo], usm_type="host")
        COMM.Sendrecv(ht.asarray(x[row], usm_type="host"), to, recvbuf=received, source=source)
        x[halo] = ht.asarray(received, usm_type=x.usm_type)


def exchange_numpy(x: np.ndarray) -> None:
    for row, to, halo, source in EDGES:
        COMM.Sendrecv(x[row], to, recvbuf=x[halo], source=source)


def step(x: Any, exchange: Callable[[Any], None]) -> None:
    exchange(x)
    x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])


def seconds(x: Any, exchange: Callable[[Any], None], steps: int) -> float:
    """The best of three times of a step, of the slowest rank."""
    best = float("inf")
    for _ in range(4):
        COMM.Barrier()
        started = time.perf_counter()
        for _ in range(steps):
            step(x, exchange)
        if isinstance(x, ht.Array):
            ht.synchronize(x)
        took = COMM.allreduce(time.perf_counter() - started, op=MPI.MAX)
        best = min(best, took / steps)
    return best


def main(side: int, steps: int) -> None:
    host = np.random.default_rng(COMM.rank).random((side // COMM.size + 2, side))
    x = ht.asarray(host)
    times = seconds(x, exchange_hither, steps), seconds(host, exchange_numpy, steps)
    assert np.array_equal(ht.asnumpy(x), host), "hither and NumPy differ"
    if COMM.rank == 0:
        print(*times)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
