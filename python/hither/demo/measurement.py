"""Measures times of calls and differences of results."""

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
    """A check holds if the measured `error` is at most `tolerance` and not NaN."""

    what: str
    error: float
    tolerance: float

    @property
    def holds(self) -> bool:
        return self.error <= self.tolerance


def largest_difference(result: np.ndarray, expected: np.ndarray) -> float:
    """The largest |result - expected|; infinite if shapes differ, NaN if the result has a NaN."""
    if result.shape != expected.shape:
        return float("inf")
    return float(
        np.max(np.abs(result.astype(np.float64) - expected.astype(np.float64)), initial=0.0)
    )


def share_that_differs(result: np.ndarray, expected: np.ndarray) -> float:
    """The fraction of elements that are not equal, 0 to 1; infinite if the shapes differ."""
    if result.shape != expected.shape:
        return float("inf")
    return float(np.mean(result != expected)) if result.size else 0.0


def race(
    first_call: Callable[[], Any], second_call: Callable[[], Any], seconds: float
) -> tuple[Any, Timing, Any, Timing]:
    """Alternates calls of the two for about `seconds`, at least three calls each.

    A call must have finished its work when it returns. Returns the last result and the timing of
    each. Alternating exposes both to the same load of the machine.
    """
    calls = (first_call, second_call)
    results: list[Any] = [None, None]
    times: list[list[float]] = [[], []]
    started = time.perf_counter()
    while len(times[0]) < 3 or time.perf_counter() - started < seconds:
        for which, call in enumerate(calls):
            results[which] = None  # frees the memory of the previous result
            before = time.perf_counter()
            results[which] = call()
            times[which].append(time.perf_counter() - before)
    first, second = (Timing(t[0], min(t[1:])) for t in times)
    return results[0], first, results[1], second
