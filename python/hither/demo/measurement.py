"""Times of a call and how far a result is from the one expected."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Timing:
    """Seconds of wall-clock time: of the first call (compiles included), and of the fastest one."""

    first: float
    best: float


@dataclass(frozen=True)
class Check:
    """`error` is what was measured; the check holds when it is at most `tolerance` (and no NaN)."""

    what: str
    error: float
    tolerance: float

    @property
    def holds(self) -> bool:
        return self.error <= self.tolerance


def largest_difference(ours: np.ndarray, expected: np.ndarray) -> float:
    """The largest |ours - expected|; infinite when the shapes differ, NaN when ours has a NaN."""
    if ours.shape != expected.shape:
        return float("inf")
    return float(np.max(np.abs(ours.astype(np.float64) - expected.astype(np.float64)), initial=0.0))


def share_that_differs(ours: np.ndarray, expected: np.ndarray) -> float:
    """The share of elements that are not equal, 0 to 1; infinite when the shapes differ."""
    if ours.shape != expected.shape:
        return float("inf")
    return float(np.mean(ours != expected)) if ours.size else 0.0


def race(
    ours: Callable[[], Any], theirs: Callable[[], Any], seconds: float
) -> tuple[Any, Timing, Any, Timing]:
    """Calls the two in turns for about `seconds`, each three times at least.

    Each call must have finished its work when it returns. Returns the last result and the timing of
    each. Taking turns lets both suffer alike from whatever else the machine does.
    """
    calls = (ours, theirs)
    results: list[Any] = [None, None]
    times: list[list[float]] = [[], []]
    started = time.perf_counter()
    while len(times[0]) < 3 or time.perf_counter() - started < seconds:
        for which, call in enumerate(calls):
            results[which] = None  # what a result occupies is free again for the next one
            before = time.perf_counter()
            results[which] = call()
            times[which].append(time.perf_counter() - before)
    first, second = (Timing(t[0], min(t[1:])) for t in times)
    return results[0], first, results[1], second
