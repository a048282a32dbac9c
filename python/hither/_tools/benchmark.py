"""hither.benchmark(): the time of a call, on the host and on the device."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .._checked_call import checked
from .._device_context import current_queue
from .._hither import Array, Event, Queue, counters, default_queue, evaluate, synchronize
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["Benchmark", "Times", "benchmark"]

_LEAST_CALLS = 5
_MOST_CALLS = 100_000
_MOST_WARM_UP_CALLS = 10
_UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))


class Times(NamedTuple):
    """Statistics of the times of several calls, in seconds."""

    median: float
    quartiles: tuple[float, float]
    least: float
    greatest: float

    @classmethod
    def of(cls, seconds: list[float]) -> Times:
        """The statistics of at least two times."""
        low, median, high = statistics.quantiles(seconds, n=4, method="inclusive")
        return cls(median, (low, high), min(seconds), max(seconds))

    def __repr__(self) -> str:
        low, high = self.quartiles
        return (
            f"{duration(self.median)} (half of the calls {duration(low)} to {duration(high)}, "
            f"all {duration(self.least)} to {duration(self.greatest)})"
        )


class Benchmark(NamedTuple):
    """The result of :func:`hither.benchmark`. Times are seconds.

    Attributes
    ----------
    name : str
        The function.
    device : str
        The filter string of the device whose queue was waited for.
    calls : int
        The number of measured calls.
    host : Times
        The time until the call has returned and its work has been submitted.
    total : Times
        The time until the work is complete.
    on_device : Times or None
        The time between the start and the end of the work on the device's clock. None if the queue
        has no profiling.
    """

    name: str
    device: str
    calls: int
    host: Times
    total: Times
    on_device: Times | None

    def __repr__(self) -> str:
        text = (
            f"{self.name} on {self.device}, {self.calls} calls\n"
            f"  host    {self.host!r}\n"
            f"  total   {self.total!r}"
        )
        return text if self.on_device is None else f"{text}\n  device  {self.on_device!r}"


@checked
def benchmark(
    function: Callable[..., Any], /, *arguments: Any, seconds: float = 0.5, queue: Any = None
) -> Benchmark:
    """Measures the time of ``function(*arguments)``.

    First the function is called until it compiles nothing more. Each measured call then evaluates
    the arrays that the function returns, and waits for them and for the queue. The queue is idle
    when a call begins.

    Parameters
    ----------
    function : callable
        The function. Pass keywords by a lambda: ``hither.benchmark(lambda: f(x, axis=0))``.
    *arguments
        Its arguments.
    seconds : float
        The time to spend on measured calls; at least five are made.
    queue : Queue, Device or str, optional
        The queue to wait for. The default is that of the first array among the arguments, else that
        of the first array that is returned, else the current queue. A queue with
        ``enable_profiling=True`` also gives the time on the device's clock.

    Returns
    -------
    Benchmark
        The times, with their spread. It prints as a table.

    Raises
    ------
    TypeError
        If ``function`` cannot be called.
    ValueError
        If ``seconds`` is not positive.

    Examples
    --------
    >>> import hither as ht
    >>> x = ht.ones(1000)
    >>> ht.benchmark(lambda: ht.sum(x * x), seconds=0.01).calls >= 5
    True
    """
    if not callable(function):
        raise InvalidTypeError(
            "benchmark",
            f"function is {a_type(function)}, which cannot be called; pass the function "
            "and its arguments, hither.benchmark(f, x), not the result of a call",
        )
    if not seconds > 0:
        raise InvalidValueError("benchmark", f"seconds is {seconds!r}; it has to be positive")
    where = _warm_up(function, arguments, None if queue is None else default_queue(queue))
    return _measured(function, arguments, where, seconds)


def _measured(
    function: Callable[..., Any], arguments: tuple[Any, ...], where: Queue, seconds: float
) -> Benchmark:
    host: list[float] = []
    total: list[float] = []
    events: list[tuple[Event, Event]] = []
    deadline = time.perf_counter() + seconds
    while len(total) < _LEAST_CALLS or (
        time.perf_counter() < deadline and len(total) < _MOST_CALLS
    ):
        _measure(function, arguments, where, host, total, events)
    on_device = [(e.profiling_start - b.profiling_end) * 1e-9 for b, e in events]
    return Benchmark(
        getattr(function, "__qualname__", None) or repr(function),
        where.device.filter_string,
        len(total),
        Times.of(host),
        Times.of(total),
        Times.of(on_device) if on_device else None,
    )


def _warm_up(function: Callable[..., Any], arguments: tuple[Any, ...], queue: Any) -> Queue:
    """Calls the function until a call compiles nothing. Returns the queue to wait for."""
    for call in range(_MOST_WARM_UP_CALLS):
        compiled = counters()["compiles"]
        result = function(*arguments)
        found = [*_arrays(arguments), *_arrays(result)]
        queue = queue or (found[0].queue if found else current_queue())
        synchronize(*_arrays(result))
        queue.wait()
        if call and counters()["compiles"] == compiled:
            break
    return queue


def _measure(
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    queue: Queue,
    host: list[float],
    total: list[float],
    events: list[tuple[Event, Event]],
) -> None:
    begin = queue.submit_barrier() if queue.enable_profiling else None
    started = time.perf_counter()
    result = function(*arguments)
    arrays = list(_arrays(result))
    evaluate(*arrays)
    submitted = time.perf_counter()
    end = None if begin is None else queue.submit_barrier()
    synchronize(*arrays)
    queue.wait()
    host.append(submitted - started)
    total.append(time.perf_counter() - started)
    if begin is not None and end is not None:
        events.append((begin, end))


def _arrays(value: Any) -> Iterator[Array]:
    """The arrays in a value, and in tuples, lists and dicts."""
    if isinstance(value, Array):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from _arrays(item)
    elif isinstance(value, dict):
        yield from _arrays(list(value.values()))


def duration(seconds: float, digits: int = 3) -> str:
    """Seconds in a suitable unit."""
    for scale, unit in _UNITS:
        if seconds >= scale:
            return f"{seconds / scale:.{digits}g} {unit}"
    return f"{seconds * 1e9:.{digits}g} ns"
