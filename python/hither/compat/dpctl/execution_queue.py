"""dpctl.utils: the queue and the USM type for a function of several arrays."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import hither
from hither._names import a_type
from hither.compat import _flavour

__all__ = [
    "ExecutionPlacementError",
    "SequentialOrderManager",
    "get_coerced_usm_type",
    "get_execution_queue",
    "intel_device_info",
    "onetrace_enabled",
    "validate_usm_type",
]

ExecutionPlacementError = hither.PlacementError

_ORDER = ("device", "shared", "host")


def get_execution_queue(queues: Sequence[hither.Queue]) -> hither.Queue | None:
    """The first queue if all are equivalent, else None. Flavour "dpctl-0.21": if all are equal."""
    _check_sequence("queues", queues)
    if not queues or None in queues:
        return None
    first = queues[0]
    return first if all(_flavour.same_queue(first, other) for other in queues[1:]) else None


def get_coerced_usm_type(usm_types: Sequence[str]) -> str | None:
    """The strongest type: device over shared over host. None if there is none or an unknown one."""
    _check_sequence("usm_types", usm_types)
    if not usm_types or any(kind not in _ORDER for kind in usm_types):
        return None
    return min(usm_types, key=_ORDER.index)


def _check_sequence(name: str, given: Any) -> None:
    if not isinstance(given, list | tuple):
        raise hither.InvalidTypeError(name, f"is {a_type(given)}, not a list or a tuple")


def validate_usm_type(usm_type: str | None, /, *, allow_none: bool = True) -> None:
    """Raises TypeError if it is not a str, and ValueError if it is not a USM type."""
    if usm_type is None and allow_none:
        return
    if not isinstance(usm_type, str):
        raise hither.InvalidTypeError("usm_type", f"{usm_type!r} is not a str")
    if usm_type not in _ORDER:
        raise hither.InvalidValueError("usm_type", f"{usm_type!r} is none of {', '.join(_ORDER)}")


def intel_device_info(device: hither.Device) -> dict[str, int]:
    """Intel's device descriptors. hither does not query them, so the dict is empty."""
    if not isinstance(device, hither.Device):
        raise hither.InvalidTypeError("device", f"{device!r} is not a device")
    return {}


@contextmanager
def onetrace_enabled() -> Iterator[None]:
    """Sets PTI_ENABLE_COLLECTION=1, which makes Intel's onetrace record the block."""
    name = "PTI_ENABLE_COLLECTION"
    before = os.environ.get(name)
    os.environ[name] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[name]
        else:
            os.environ[name] = before


class _OrderOfQueue:
    """Events that a program added for a queue. hither's work is in the queue's order anyway."""

    def __init__(self, queue: hither.Queue, before: Sequence[Any] = ((), ())) -> None:
        self._queue = queue
        self._host, self._submitted = map(list, before)

    @property
    def host_task_events(self) -> list[hither.Event]:
        """The first of each pair."""
        return list(self._host)

    @property
    def submitted_events(self) -> list[hither.Event]:
        """The second of each pair: the dependencies of the next task."""
        return list(self._submitted)

    @property
    def num_host_task_events(self) -> int:
        """How many there are."""
        return len(self._host)

    @property
    def num_submitted_events(self) -> int:
        """How many there are."""
        return len(self._submitted)

    def add_event_pair(self, host_task_event: Any, comp_event: Any) -> None:
        """Adds an event or a list to each. Complete events are dropped."""
        for kept, added in ((self._host, host_task_event), (self._submitted, comp_event)):
            both = [*kept, *(added if isinstance(added, list | tuple) else [added])]
            kept[:] = [event for event in both if not event.is_complete]

    def wait(self) -> None:
        """Waits for all of them and for the queue."""
        for event in (*self._submitted, *self._host):
            event.wait()
        self._host, self._submitted = [], []
        self._queue.wait()

    def __copy__(self) -> _OrderOfQueue:
        return _OrderOfQueue(self._queue, (self._host, self._submitted))


class _OrderOfQueues:
    """``SequentialOrderManager[queue]``."""

    def __init__(self) -> None:
        self._orders: dict[hither.Queue, _OrderOfQueue] = {}

    def __getitem__(self, queue: hither.Queue) -> _OrderOfQueue:
        if not isinstance(queue, hither.Queue):
            raise hither.InvalidTypeError("queue", f"{queue!r} is not a queue")
        return self._orders.setdefault(queue, _OrderOfQueue(queue))

    def clear(self) -> None:
        """Waits for the events of all queues and drops them."""
        for order in self._orders.values():
            order.wait()
        self._orders.clear()


SequentialOrderManager: _OrderOfQueues = _OrderOfQueues()
