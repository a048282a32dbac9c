"""Waits of tests for what other threads do soon."""

from __future__ import annotations

import time
from collections.abc import Callable

LOOKS = 2000  # 20 seconds, more on a machine that has other work


def comes_true(condition: Callable[[], bool]) -> bool:
    """Whether the condition holds within a time that no machine needs.

    The thread that ran a task tells those who wait for it first, and then drops what the task used.
    """
    for _ in range(LOOKS):
        if condition():
            return True
        time.sleep(0.01)
    return condition()
