"""Contestants that submit work and wait for it separately, as programs of GPUs do."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from timing import BATCH_SECONDS, Budget, Effort, Row, agrees, best_of_rounds

MANY = 1 << 23  # elements above which only a part of a result is compared


@dataclass(frozen=True)
class Contestant:
    call: Callable[[], Any]
    wait: Callable[[], None]
    answer: Callable[[], Any] | None = None
    """The result of the call, as NumPy arrays."""


def batch(contestant: Contestant, count: int, until_done: bool) -> float:
    """Seconds a call."""
    call, wait = contestant.call, contestant.wait
    wait()
    started = time.perf_counter()
    for _ in range(count):
        call()
    if until_done:
        wait()
    took = (time.perf_counter() - started) / count
    wait()
    return took


def thin(answer: Any) -> Any:
    """Some million elements of a large result: to compare all of them takes NumPy seconds."""
    if isinstance(answer, tuple):
        return tuple(thin(a) for a in answer)
    found = np.asarray(answer)
    return found.reshape(-1)[:: 67 if found.size > MANY else 1] if found.ndim else found


def contest(
    case: str, contestants: dict[str, Contestant], effort: Effort, budget: Budget | None = None,
    tolerance: float = 1e-5, until_done: bool = True,
) -> Row:  # fmt: skip
    """The fastest of several batches of each contestant; the contestants alternate, in another
    order each time.

    The last contestant with an answer gives the expected result; it is never hither.
    """
    answers = {name: c.answer() for name, c in contestants.items() if c.answer}
    expected = next(reversed(answers.values()), None)
    wrong = [n for n, a in answers.items() if not agrees(thin(a), thin(expected), tolerance)]
    del answers, expected
    counts = {}
    for name, contestant in contestants.items():
        batch(contestant, 3, until_done=True)
        took = batch(contestant, 3, until_done=True)
        counts[name] = min(200, max(3, int(BATCH_SECONDS / took)))

    def measure(name: str) -> tuple[float, int]:
        contestants[name].call()
        return batch(contestants[name], counts[name], until_done), counts[name]

    right = [name for name in contestants if name not in wrong]
    best = best_of_rounds(right, measure, effort, at_least=5)
    return Row(case, best, budget, wrong)
