"""hither.profile(): a table and a trace of what a program computes, copies and waits for."""

from __future__ import annotations

import importlib.util
import json
import operator
import os
from collections import defaultdict
from collections.abc import Iterator
from typing import IO, Any

from .. import _hither
from .._checked_call import checked
from .._hither import ProfileEvent
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError
from .benchmark import duration

__all__ = ["Profile", "profile"]

_HOST, _DEVICES = 1, 2  # processes of the trace
_ROWS_SHOWN = 40
_LONGEST_NAME = 48
_SIZES = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
# How long the end of a block that raised an exception waits for the recorded work.
_WAIT_AFTER_ERROR = 1.0


class Profile:
    """A profile: a context manager that records its block. :func:`hither.profile` makes it.

    After the block, ``seconds`` is the time from its beginning to its end, and ``dropped`` is the
    number of events beyond the limit, which are not in ``events``.

    Parameters
    ----------
    path : str or None
        The file for a trace.
    limit : int
        The number of events to record.

    Examples
    --------
    >>> import hither as ht
    >>> with ht.profile() as p:
    ...     ht.synchronize(ht.ones(1000) + 1)
    >>> p.dropped, p.seconds > 0
    (0, True)
    """

    def __init__(self, path: str | None, limit: int) -> None:
        self._path = path
        self._limit = limit
        self._file: IO[str] | None = None
        self._events: list[ProfileEvent] | None = None
        self.dropped: int = 0
        self.seconds: float = 0.0

    @property
    def events(self) -> list[ProfileEvent]:
        """The events, after the block: in the order of their submission or, for work on the host,
        of their end."""
        if self._events is None:
            raise InvalidValueError("profile", "the block has not ended yet, so it has no events")
        return self._events

    def __enter__(self) -> Profile:
        file = None if self._path is None else open(self._path, "w", encoding="utf-8")
        try:
            _hither.begin_profile(self._limit, _skipped())
        except BaseException:
            if file is not None:
                file.close()
            raise
        self._file = file
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: Any) -> None:
        try:
            if kind is None:
                while not _hither.end_profile(0.1):  # Ctrl-C is handled in between
                    pass
        finally:
            _hither.end_profile(_WAIT_AFTER_ERROR if kind is not None else 0.0)
            self._events, self.dropped, nanoseconds = _hither.take_profile()
            self.seconds = nanoseconds * 1e-9
            if self._file is not None:
                with self._file as file:
                    _write(file, self._events, self.dropped)
                self._file = None

    def table(self, rows: int | None = None) -> str:
        """A table of the names, in the order of their total times.

        Parameters
        ----------
        rows : int, optional
            The greatest number of names; the default shows all.

        Returns
        -------
        str
            Kind, name, number of calls, total and mean time, bytes, bandwidth, and the share of
            the time of the block. Shares of work that overlaps add up to more than 100 %.

        Examples
        --------
        >>> import hither as ht
        >>> with ht.profile() as p:
        ...     ht.synchronize(ht.ones(1000) + 1)
        >>> p.table().splitlines()[0].split()
        ['kind', 'name', 'calls', 'total', 'mean', 'bytes', 'GB/s', 'share']
        """
        groups: dict[tuple[str, str], list[ProfileEvent]] = defaultdict(list)
        for event in self.events:
            groups[event.kind, event.name].append(event)
        sums = [_Sum(kind, name, group) for (kind, name), group in groups.items()]
        sums.sort(key=lambda s: -s.total)
        lines: list[tuple[str, ...]] = [
            ("kind", "name", "calls", "total", "mean", "bytes", "GB/s", "share")
        ]
        lines += [s.row(self.seconds) for s in sums[:rows]]
        text = _aligned(lines)
        if rows is not None and len(sums) > rows:
            text += f"\n... and {len(sums) - rows} more names"
        return f"{text}\n{self._summary()}"

    def _summary(self) -> str:
        text = f"{len(self.events)} events in {duration(self.seconds, 4)}"
        if any(event.clock == "host" for event in self.events):
            text += "; ~ times that the host has observed, since the queue does not measure"
        if self.dropped:
            text += f"; {self.dropped} later events are missing: pass a greater limit"
        return text

    def __repr__(self) -> str:
        if self._events is None:
            return "<hither.profile that has not ended>"
        return self.table(_ROWS_SHOWN)


class _Sum:
    """The sum of events of one kind and name."""

    def __init__(self, kind: str, name: str, events: list[ProfileEvent]) -> None:
        self.kind, self.name, self.calls = kind, name, len(events)
        self.total = sum(_interval(e)[1] for e in events)
        self.bytes = sum(e.bytes for e in events)
        self.observed = any(e.clock == "host" for e in events)

    def row(self, seconds: float) -> tuple[str, ...]:
        name = self.name
        if len(name) > _LONGEST_NAME:
            name = name[: _LONGEST_NAME - 3] + "..."
        about = "~" if self.observed else ""
        return (
            self.kind,
            name,
            str(self.calls),
            about + duration(self.total * 1e-9, 4),
            about + duration(self.total / self.calls * 1e-9, 4),
            _size(self.bytes) if self.bytes else "",
            f"{self.bytes / self.total:.3g}" if self.bytes and self.total else "",
            f"{self.total / (seconds * 1e9):.1%}" if seconds else "",
        )


@checked
def profile(path: Any = None, *, limit: int = 300_000) -> Profile:
    """Records what a block computes, copies, compiles and waits for, in all threads.

    It records kernels, also those of offloaded loops, copies, fills, products and sorts of
    libraries, host tasks, compilations, waits, and functions that NumPy computes on the host. No
    queue changes, and nothing waits for work before the end of the block, which waits for the
    recorded work. Array operations are lazy: evaluate or synchronize arrays inside the block.

    Parameters
    ----------
    path : str or os.PathLike, optional
        The file for a trace in JSON, which https://ui.perfetto.dev and chrome://tracing open. It
        is written also if the block raises an exception. The default writes none.
    limit : int
        The number of events to record. Later events are counted, but not kept.

    Returns
    -------
    Profile
        A context manager. After the block it prints as a table, ``table()`` returns the table,
        and ``events`` are the events.

    Raises
    ------
    TypeError
        If ``path`` is no path or ``limit`` is no integer.
    ValueError
        If ``limit`` is not positive, or if a profile is already running when the block begins:
        profiles do not nest.
    OSError
        If the file cannot be opened when the block begins.

    Examples
    --------
    >>> import hither as ht
    >>> with ht.profile() as p:
    ...     ht.synchronize(ht.sqrt(ht.ones(1000)))
    >>> sum(event.bytes for event in p.events if event.kind == "kernel") >= 8000
    True
    """
    if path is not None and not isinstance(path, (str, os.PathLike)):
        raise InvalidTypeError(
            "profile",
            f"path is {a_type(path)}; pass the name of a file, as in "
            'with hither.profile("trace.json") as p',
        )
    try:
        limit = operator.index(limit)
    except TypeError:
        raise InvalidTypeError("profile", f"limit is {limit!r}; it has to be an integer") from None
    if limit <= 0:
        raise InvalidValueError("profile", f"limit is {limit}; it has to be positive")
    return Profile(None if path is None else os.fsdecode(path), limit)


def _skipped() -> list[str]:
    """The folders whose lines are not the program's own."""
    folders = [os.path.dirname(os.path.dirname(__file__))]
    numba = importlib.util.find_spec("numba")
    if numba is not None:
        folders += numba.submodule_search_locations or []
    return [os.path.join(folder, "") for folder in folders]


def _interval(event: ProfileEvent) -> tuple[int, int]:
    """The start and the length of the work: in its queue, or on the host if it has no queue."""
    if event.start >= 0:
        return event.start, event.end - event.start
    return event.host_start, event.host_end - event.host_start


def _write(file: IO[str], events: list[ProfileEvent], dropped: int) -> None:
    """The trace in Chrome's format, one event a line."""
    file.write('{"displayTimeUnit": "ns",\n')
    file.write(f'"otherData": {json.dumps({"hither": _hither.version, "dropped": dropped})},\n')
    file.write('"traceEvents": [\n')
    for number, line in enumerate(_trace(events)):
        file.write((",\n" if number else "") + json.dumps(line))
    file.write("\n]}\n")


def _trace(events: list[ProfileEvent]) -> Iterator[dict[str, Any]]:
    yield _named("process_name", _HOST, 0, "host")
    yield _named("process_name", _DEVICES, 0, "devices")
    for thread in sorted({event.thread for event in events}):
        yield _named("thread_name", _HOST, thread, f"thread {thread}")
    for event in events:
        start, end = event.host_start, event.host_end
        if event.start < 0:
            yield _slice(event, event.name, event.kind, start, end, _HOST, event.thread)
        else:
            name = f"submit {event.name}"
            yield _slice(event, name, "submission", start, end, _HOST, event.thread)
    yield from _device_tracks(events)


def _device_tracks(events: list[ProfileEvent]) -> Iterator[dict[str, Any]]:
    """The tracks of the queues. Tasks of a queue that overlap get tracks of their own, because
    the events of one track must not overlap."""
    ends: dict[int, list[int]] = defaultdict(list)  # of each track of a queue
    numbers: dict[tuple[int, int], int] = {}
    for event in sorted((e for e in events if e.start >= 0), key=lambda e: e.start):
        queue = ends[event.queue_number]
        lane = next((i for i, end in enumerate(queue) if end <= event.start), len(queue))
        queue[lane : lane + 1] = [event.end]
        track = numbers.get((event.queue_number, lane))
        if track is None:
            track = numbers[event.queue_number, lane] = len(numbers) + 1
            name = f"{event.queue}, queue {event.queue_number}"
            yield _named("thread_name", _DEVICES, track, name)
        yield _slice(event, event.name, event.kind, event.start, event.end, _DEVICES, track)


def _named(what: str, process: int, thread: int, name: str) -> dict[str, Any]:
    return {"ph": "M", "name": what, "pid": process, "tid": thread, "args": {"name": name}}


def _slice(
    event: ProfileEvent, name: str, kind: str, start: int, end: int, process: int, thread: int
) -> dict[str, Any]:
    args: dict[str, Any] = {}
    if event.items:
        args["items"] = event.items
    if event.bytes:
        args["bytes"] = event.bytes
        length = _interval(event)[1]
        if length:
            args["GB/s"] = round(event.bytes / length, 3)
    for key in ("line", "source", "queue", "clock"):
        if getattr(event, key):
            args[key] = getattr(event, key)
    return {
        "ph": "X",
        "name": name,
        "cat": kind,
        "ts": start / 1e3,
        "dur": (end - start) / 1e3,
        "pid": process,
        "tid": thread,
        "args": args,
    }


def _aligned(rows: list[tuple[str, ...]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)


def _size(count: int) -> str:
    for scale, unit in _SIZES:
        if count >= scale:
            return f"{count / scale:.4g} {unit}"
    return f"{count} B"
