"""Stacks of small matrices that NumPy's LAPACK computes, divided among threads of the host.

LAPACK computes the matrices of a stack one after the other, on the thread of the call and without
the GIL. The result of a matrix does not depend on the others, so that parts of a stack, which
threads compute side by side, have the bits of the whole.
"""

from __future__ import annotations

import collections
import ctypes
import functools
import math
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = ["computed", "is_one_small", "threads_of"]

# OpenBLAS uses threads of its own in LAPACK's functions of matrices with more rows or columns. They
# take longer to wait for each other than to compute: eigh of 32 x 32 took 0.16 ms without them and
# 1 to 16 ms with them, on two cores that other programs used too.
_WITHOUT_THREADS = 25
# Up to so many rows and columns one thread is faster than several: svd of 128 x 128 took 2.2 ms
# with one and 3.2 with two.
_ONE_THREAD = 128
# The least time of a matrix in microseconds is about _LEAST + _OF_AN_ELEMENT * elements: that of QR
# factors. A part of a stack takes at least _PART microseconds, so that it is worth a thread.
_LEAST, _OF_AN_ELEMENT, _PART = 0.1, 0.03, 1000.0
_PARTS_OF_A_THREAD = 4  # a thread that other programs interrupt leaves parts to the others


def threads_of(queue: Queue) -> int:
    """How many threads of the host may compute for the queue."""
    if queue.backend == "native_cpu":
        return queue.device.max_compute_units
    return len(os.sched_getaffinity(0))


def is_one_small(a: Any) -> bool:
    """Whether computed() of this array is only work(a): it is one matrix, and OpenBLAS uses no
    threads."""
    return a.ndim == 2 and max(a.shape) <= _WITHOUT_THREADS


def computed(work: Callable[[np.ndarray], Any], a: np.ndarray, threads: int) -> Any:
    """work(a), an array or a tuple of arrays with an element for each matrix of the stack a."""
    side = max(a.shape[-2:])
    if side > _ONE_THREAD:
        return work(a)
    if side <= _WITHOUT_THREADS:
        return _divided(work, a, threads)
    limit = _limit()
    if limit is None:
        return work(a)
    with limit:
        return _divided(work, a, threads)


def _divided(work: Callable[[np.ndarray], Any], a: np.ndarray, threads: int) -> Any:
    *stack, rows, columns = a.shape
    count = math.prod(stack)
    microseconds = count * (_LEAST + _OF_AN_ELEMENT * rows * columns)
    number = min(_PARTS_OF_A_THREAD * threads, int(microseconds / _PART))
    if threads < 2 or number < 2:
        return work(a)
    flat = a.reshape(count, rows, columns)
    none = work(flat[:0])
    several = isinstance(none, tuple)
    kinds = none if several else (none,)
    results = [np.empty((count, *x.shape[1:]), x.dtype) for x in kinds]

    def compute(i: int) -> None:
        part = slice(count * i // number, count * (i + 1) // number)
        found = work(flat[part])
        for result, x in zip(results, found if several else (found,), strict=True):
            result[part] = x

    _on_threads(compute, number, threads)
    shaped = tuple(x.reshape(*stack, *x.shape[1:]) for x in results)
    return shaped if several else shaped[0]


def _on_threads(compute: Callable[[int], None], number: int, threads: int) -> None:
    """Calls compute(0) to compute(number - 1) on this thread and on others.

    After an error no further part begins. Raises the error of the first part that has one.
    """
    waiting = collections.deque(range(number))
    errors: list[tuple[int, BaseException]] = []

    def take_parts() -> None:
        while True:
            try:
                i = waiting.popleft()
            except IndexError:
                return
            try:
                compute(i)
            except BaseException as error:
                errors.append((i, error))
                waiting.clear()

    others = []
    for _ in range(min(threads, number) - 1):
        other = threading.Thread(target=take_parts, name="hither-lapack", daemon=True)
        try:
            other.start()
        except RuntimeError:  # the interpreter ends, or the process has too many threads
            break
        others.append(other)
    take_parts()
    for other in others:
        other.join()
    if errors:
        raise min(errors, key=lambda pair: pair[0])[1]


class _Limit:
    """While it is entered, NumPy's OpenBLAS computes on the threads of its callers only."""

    def __init__(self, read: Callable[[], int], write: Callable[[int], object]) -> None:
        self._read, self._write = read, write
        self._lock = threading.Lock()
        self._users = 0
        self._before = 1

    def __enter__(self) -> None:
        with self._lock:
            if self._users == 0:
                self._before = self._read()
                self._write(1)
            self._users += 1

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            self._users -= 1
            if self._users == 0:
                self._write(self._before)


@functools.cache
def _limit() -> _Limit | None:
    """The limit of the OpenBLAS in NumPy's wheels, or None with another BLAS.

    Programs may share an OpenBLAS of the system with others, who change its number of threads too.
    """
    try:
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    except (AttributeError, OSError):
        return None
    for suffix in ("64_", ""):
        read = getattr(library, f"scipy_openblas_get_num_threads{suffix}", None)
        write = getattr(library, f"scipy_openblas_set_num_threads{suffix}", None)
        if read is not None and write is not None:
            return _Limit(read, write)
    return None
