"""Functions that can be suspended, each in a thread. Only one runs at a time."""

from __future__ import annotations

import contextlib
import contextvars
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any


class Abandoned(BaseException):
    """Ends a suspended function whose result nobody needs."""


def _taken_lock() -> threading.Lock:
    """A lock on which a thread waits until another one releases it: faster than a semaphore, which
    is made of several."""
    lock = threading.Lock()
    lock.acquire()
    return lock


class _Worker:
    """A thread that runs fibers one after the other."""

    def __init__(self) -> None:
        self.go = _taken_lock()
        self.fiber: Fiber | None = None
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        self.go.acquire()
        while self.fiber is not None:
            self.fiber._run()
            self.go.acquire()


class Threads:
    """The threads of fibers. A fiber that has ended leaves its thread to the next one."""

    def __init__(self) -> None:
        self._idle: list[_Worker] = []

    def take(self) -> _Worker:
        return self._idle.pop() if self._idle else _Worker()

    def leave(self, worker: _Worker) -> None:
        self._idle.append(worker)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *raised: object) -> None:
        for worker in self._idle:
            worker.fiber = None
            worker.go.release()
            worker.thread.join()


class Fiber:
    """A call of `work` that runs while another thread waits in resume()."""

    def __init__(self, work: Callable[[Fiber], None], threads: Threads) -> None:
        self.is_done = False
        self.request: Any = None  # the argument of ask(), while the function is suspended
        self.error: BaseException | None = None
        self._work, self._threads = work, threads
        self._worker: _Worker | None = None
        self._context = contextvars.copy_context()
        self._answer: Any = None
        self._is_abandoned = False
        self._came = _taken_lock()

    def resume(self, answer: Any = None) -> None:
        """Runs the function until it asks or ends. Raises the error that ended it."""
        self.request, self._answer = None, answer
        if self._worker is None:
            self._worker = self._threads.take()
            self._worker.fiber = self
        self._worker.go.release()
        self._came.acquire()
        if self.is_done:
            self._threads.leave(self._worker)
        if self.error is not None:
            raise self.error

    def ask(self, request: Any) -> Any:
        """Suspends the function, which calls it. Returns the argument of the next resume()."""
        assert self._worker is not None
        if self._is_abandoned:
            raise Abandoned
        self.request = request
        self._came.release()
        self._worker.go.acquire()
        if self._is_abandoned:
            raise Abandoned
        return self._answer

    def abandon(self) -> None:
        """Ends the function where it is suspended, or will be if an interruption came first."""
        if self._worker is not None and not self.is_done:
            self._is_abandoned = True
            if self.request is not None:
                self._worker.go.release()
            self._came.acquire()
            self._threads.leave(self._worker)

    def _run(self) -> None:
        try:
            self._context.run(self._work, self)
        except Abandoned:
            pass
        except BaseException as error:  # raised again in resume()
            self.error = error
        finally:
            self.is_done = True
            self._came.release()


@contextlib.contextmanager
def on_one_cpu() -> Iterator[None]:
    """Keeps this thread, and those that it starts, on one CPU where the system can do that. Threads
    that run in turn wake each other up ten times as fast there."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {sorted(before)[os.getpid() % len(before)]})
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, before)
