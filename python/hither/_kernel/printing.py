"""Writes what compiled kernels print to sys.stdout.

A kernel writes the numbers that it prints to a buffer of its launch, from which they are taken
when the launch has ended: in waits, in reads of arrays, after launches, and when the process ends.
"""

from __future__ import annotations

import ast
import atexit
import os
import sys
import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from .. import _hither

__all__ = ["show_printed"]


_MOST_SECONDS = 1.0
_printing = threading.RLock()  # sys.stdout may compute with arrays
os.register_at_fork(after_in_child=_printing._at_fork_reinit)


def show_printed(wait: bool = False, after_others: bool = True) -> None:
    """Prints what kernels that have ended wrote; with `wait`, what all kernels write.

    If another thread is printing, the lines of this thread's kernels may be among its lines. With
    `after_others` this thread waits for it, but not for long, because sys.stdout may wait for this
    thread.
    """
    is_alone = False
    try:
        is_alone = _printing.acquire(timeout=_MOST_SECONDS if after_others else 0)
        if is_alone or after_others:
            _show_all(wait)
    finally:
        if is_alone:
            _printing.release()


def _show_all(wait: bool) -> None:
    while printed := _hither.take_printed(wait):
        for kernel, calls, data, left_out in printed:
            _show([_parsed(call) for call in calls], iter(np.frombuffer(data, np.uint64)))
            if left_out:
                print(
                    f"hither: {left_out} more calls of print in kernel {kernel} had no room in the "
                    "buffer of the launch (1 MiB)",
                    file=sys.stderr,
                )
        if sys.stdout is not None:
            sys.stdout.flush()


_parsed = cache(ast.literal_eval)


def _show(calls: list[tuple], words: Iterator[np.uint64]) -> None:
    for number in words:
        if number == 0:
            return
        print(*[_value(item, words) for item in calls[int(number) - 1]])


def _value(item: Any, words: Iterator[np.uint64]) -> Any:
    """The value of an item, as lower_print.py describes it."""
    if item is None:
        return None
    if isinstance(item, list):
        return item[0]
    if isinstance(item, tuple):
        return tuple(_value(part, words) for part in item)
    if item == "complex":
        return complex(_value("float64", words), _value("float64", words))
    number = next(words).reshape(1).view(item)[0].item()
    # The shortest decimal number that is the same float32.
    return float(str(np.float32(number))) if item == "float32" else number


atexit.register(show_printed, wait=True)
