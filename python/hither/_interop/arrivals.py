"""Where a process puts the arrays that it receives from other processes."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._hither import Array, Device, Queue, asarray, asnumpy, default_queue, received
from ..errors import Error

__all__: list[str] = []

_home: Queue | None = None
_messages: Queue | None = None


def set_home(queue: Queue | None) -> None:
    """Puts all arrays that arrive from now on on this queue. None: on the devices of the names that
    they bring."""
    global _home, _messages
    _home = _messages = queue
    if queue is not None:
        other = Queue(queue.device)
        # A queue of another context could not copy elements of arrays on `queue`.
        _messages = other if other.equivalent(queue) else queue


def home() -> Queue | None:
    """The queue for all arrays that arrive, or None."""
    return _home


def elements(x: Array) -> np.ndarray:
    """The elements of an array for a message. On the queue of a home, the copy would wait for the
    task that computes there, and other messages with it."""
    return asnumpy(x if _messages is None or x.queue != _home else x.to_device(_messages))


def arrived(values: np.ndarray, queue: Queue, usm_type: Any) -> Array:
    """The array of elements from a message, on a queue."""
    if _messages is None or queue != _home:
        return asarray(values, queue=queue, usm_type=usm_type, copy=True)
    return received(values, queue, _messages, usm_type)


def root_name(device: Device) -> str:
    """The filter string of the root device, which has the same name in every process. Sub-devices
    belong to a process."""
    while (parent := device.parent_device) is not None:
        device = parent
    return device.filter_string


def queue_for(name: str | None) -> Queue:
    """The queue of an array from a device of this name: that of the process if it has one, else of
    the device, else (no name, or no such device) the default queue."""
    if _home is not None:
        return _home
    if name is not None:
        try:
            return Device(name).default_queue
        except (Error, ValueError):
            pass
    return default_queue()
