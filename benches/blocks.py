"""hither.stream(): arrays on the host in blocks, compared with the copies of the same bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from timing import Budget, Effort, Row, contest

import hither as ht

COUNT = 64_000_000
QUICK = 0.5  # seconds of effort below which arrays are an eighth as large
RATE = 0.8  # of the copies
COPIES = "copies"


def scaled(x: ht.Array) -> ht.Array:
    return 2 * x + 1


def chain(x: ht.Array) -> ht.Array:
    return ht.sqrt(x * x + 1) * ht.where(x > 0.5, x, 2)


def rows(effort: Effort) -> list[Row]:
    count = COUNT // 8 if effort.seconds < QUICK else COUNT
    host = np.random.default_rng(0).random(count, dtype=np.float32)
    out, queue = np.zeros_like(host), ht.default_queue()

    def at_once(f: Any) -> np.ndarray:
        queue.copy(out, f(ht.asarray(host, queue=queue))).wait()
        return out

    copies = contest(COPIES, {COPIES: lambda: at_once(lambda x: x)}, effort)
    found = []
    for case, f in (("2 x + 1", scaled), ("six operations", chain)):
        contestants = {
            "at once": lambda f=f: at_once(f),
            "hither": lambda f=f: ht.stream(f, host, out=out, queue=queue),
        }
        row = contest(f"{case}, {count // 1_000_000}M float32", contestants, effort)
        times = {**copies.times, **row.times}
        found.append(Row(row.case, times, Budget(1 / RATE, COPIES), row.wrong))
    return found
