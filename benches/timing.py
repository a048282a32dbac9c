"""Measurement: contestants alternate, and their results are compared before they are timed."""

from __future__ import annotations

import random
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

LIMIT = "C++"  # the machine's limit, not a peer
HITHER = "hither"
# Threads of OpenMP keep their cores for some milliseconds after a call, and slow the next
# contestant down. After the pause, a call that is not timed wakes the contestant's own threads.
PAUSE_SECONDS = 0.02
# Calls within one reading of the clock: the first ones after a pause find cold caches and threads
# that sleep.
BATCH_SECONDS = 5e-3


@dataclass(frozen=True)
class Budget:
    """hither may take `at_most` times as long as `against`: a contestant, or "best" of the peers.

    `against` None makes it seconds.
    """

    at_most: float
    against: str | None

    def reference(self, times: dict[str, float]) -> float | None:
        """The seconds that `at_most` multiplies; None if that contestant was not measured."""
        if self.against is None:
            return 1.0
        if self.against == "best":
            peers = [t for name, t in times.items() if name not in (HITHER, LIMIT)]
            return min(peers, default=None)
        return times.get(self.against)

    def __str__(self) -> str:
        if self.against is None:
            return f"<= {duration(self.at_most)}"
        return f"<= {self.at_most:g} {self.against}"


@dataclass(frozen=True)
class Row:
    """One case: the seconds per call of each contestant, the fastest of several."""

    case: str
    times: dict[str, float]
    budget: Budget | None = None
    wrong: list[str] = field(default_factory=list)
    """Contestants whose result differs from NumPy's; they are not timed."""


@dataclass(frozen=True)
class Effort:
    """How long to measure: seconds per case, without the pauses and the calls that come first."""

    seconds: float


def duration(seconds: float) -> str:
    """Three digits and the unit that suits them."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns"


def agrees(answer: Any, expected: Any, tolerance: float) -> bool:
    """Whether a result (an array, a number, or a tuple of them) is close to the expected one."""
    if isinstance(expected, tuple):
        return all(agrees(a, e, tolerance) for a, e in zip(answer, expected, strict=True))
    found, wanted = np.asarray(answer), np.asarray(expected)
    if found.shape != wanted.shape:
        return False
    return bool(np.allclose(found, wanted, rtol=tolerance, atol=tolerance))


def contest(
    case: str,
    contestants: dict[str, Callable[[], Any]],
    effort: Effort,
    budget: Budget | None = None,
    tolerance: float = 1e-12,
    timed: dict[str, Callable[[], Any]] | None = None,
) -> Row:
    """Times each contestant's call, which returns its complete result.

    The first contestant's result is the expected one. Calls that take less than five milliseconds
    are repeated within one reading of the clock. After the comparison, `timed` replaces calls that
    would need additional time to return their result.
    """
    expected = None
    wrong = []
    for position, (name, call) in enumerate(list(contestants.items())):
        answer = call()
        if position == 0:
            expected = answer
        elif not agrees(answer, expected, tolerance):
            wrong.append(name)
    del expected, answer
    calls = contestants | (timed or {})
    best = fastest({name: call for name, call in calls.items() if name not in wrong}, effort)
    return Row(case, best, budget, wrong)


def fastest(calls: dict[str, Callable[[], Any]], effort: Effort) -> dict[str, float]:
    """The seconds of the fastest of several calls of each; they alternate, in another order each
    time."""
    timers = {name: timeit.Timer(call) for name, call in calls.items()}
    counts = {}
    for name, timer in timers.items():
        took = timer.timeit(1)
        took = timer.timeit(10) / 10 if took < 1e-3 else took
        counts[name] = max(1, int(BATCH_SECONDS / took))

    def measure(name: str) -> tuple[float, int]:
        timers[name].timeit(1)
        return timers[name].timeit(counts[name]) / counts[name], counts[name]

    return best_of_rounds(list(timers), measure, effort, at_least=3)


def best_of_rounds(
    names: list[str], measure: Callable[[str], tuple[float, int]], effort: Effort, at_least: int
) -> dict[str, float]:
    """The least seconds a call of each; they alternate, in another order each round. measure(name)
    is called after a pause, and returns the seconds a call and the number of calls."""
    best = dict.fromkeys(names, float("inf"))
    rounds, measured = 0, 0.0
    while rounds < at_least or (measured < effort.seconds and rounds < 1000):
        for name in random.Random(rounds).sample(names, len(names)):
            time.sleep(PAUSE_SECONDS)
            took, count = measure(name)
            measured += took * count
            best[name] = min(best[name], took)
        rounds += 1
    return best
