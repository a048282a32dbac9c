"""Functions that can be suspended, each in a thread of its own. Only one runs at a time."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any


class Abandoned(BaseException):
    """Ends a suspended function whose result nobody needs."""


class Fiber:
    """A call of `work` that runs while another thread waits in resume()."""

    def __init__(self, work: Callable[[Fiber], None]) -> None:
        self.is_done = False
        self.request: Any = None  # the argument of ask(), while the function is suspended
        self.error: BaseException | None = None
        self._answer: Any = None
        self._is_abandoned = False
        self._go, self._came = threading.Semaphore(0), threading.Semaphore(0)
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=lambda: context.run(self._run, work), daemon=True)

    def resume(self, answer: Any = None) -> None:
        """Runs the function until it asks or ends. Raises the error that ended it."""
        self.request, self._answer = None, answer
        if self._thread.ident is None:
            self._thread.start()
        else:
            self._go.release()
        self._came.acquire()
        if self.error is not None:
            raise self.error

    def ask(self, request: Any) -> Any:
        """Suspends the function, which calls it. Returns the argument of the next resume()."""
        self.request = request
        self._came.release()
        self._go.acquire()
        if self._is_abandoned:
            raise Abandoned
        return self._answer

    def abandon(self) -> None:
        """Ends the function where it is suspended."""
        if self._thread.ident is not None and not self.is_done:
            self._is_abandoned = True
            self._go.release()
            self._thread.join()

    def _run(self, work: Callable[[Fiber], None]) -> None:
        try:
            work(self)
        except Abandoned:
            pass
        except BaseException as error:  # raised again in resume()
            self.error = error
        finally:
            self.is_done = True
            self._came.release()
