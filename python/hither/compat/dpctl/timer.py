"""dpctl.SyclTimer, which measures the time of a block on the host and on the device."""

from __future__ import annotations

import timeit
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import hither

__all__ = ["SyclTimer"]


class HostDeviceDuration(NamedTuple):
    """Times in the timer's unit."""

    host_dt: float
    device_dt: float


class SyclTimer:
    """``with timer(queue): ...`` adds the time of its block; ``timer.dt`` is the sum.

    The queue needs enable_profiling. Times are seconds times ``time_scale``. ``device_timer`` is
    "queue_barrier" or "order_manager", which are equivalent, because queues are in order.
    """

    def __init__(
        self,
        host_timer: Callable[[], float] = timeit.default_timer,
        device_timer: str | None = None,
        time_scale: float = 1,
    ) -> None:
        if device_timer not in (None, "queue_barrier", "order_manager"):
            raise hither.InvalidValueError(
                "SyclTimer",
                f'device_timer={device_timer!r} is neither "queue_barrier" nor "order_manager"',
            )
        self.timer = host_timer
        self.time_scale = time_scale
        self._host = 0.0
        self._events: list[tuple[hither.Event, hither.Event]] = []

    def __call__(self, queue: Any = None) -> Any:
        """The block's context. Raises TypeError without a queue, ValueError without profiling."""
        if not isinstance(queue, hither.Queue):
            raise hither.InvalidTypeError("SyclTimer", f"queue={queue!r} is not a queue")
        if not queue.enable_profiling:
            raise hither.InvalidValueError(
                "SyclTimer", 'the queue has no profiling; make it with property="enable_profiling"'
            )
        return self._timed(queue)

    @contextmanager
    def _timed(self, queue: hither.Queue) -> Iterator[SyclTimer]:
        begin = queue.submit_barrier()
        started = self.timer()
        try:
            yield self
        finally:
            self._host += self.timer() - started
            self._events.append((begin, queue.submit_barrier()))

    @property
    def dt(self) -> HostDeviceDuration:
        """Host time and device time of all blocks. Waits for their work."""
        nanoseconds = 0
        for begin, end in self._events:
            end.wait()
            nanoseconds += end.profiling_start - begin.profiling_end
        return HostDeviceDuration(
            self._host * self.time_scale, nanoseconds * 1e-9 * self.time_scale
        )
