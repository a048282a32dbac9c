"""Where a process puts the arrays that it receives from other processes."""

from __future__ import annotations

from .._hither import Device, Queue, default_queue
from ..errors import Error

__all__: list[str] = []

_home: Queue | None = None


def set_home(queue: Queue | None) -> None:
    """Puts all arrays that arrive from now on on this queue. None: on the devices of the names that
    they bring."""
    global _home
    _home = queue


def home() -> Queue | None:
    """The queue for all arrays that arrive, or None."""
    return _home


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
