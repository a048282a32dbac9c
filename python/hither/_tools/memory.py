"""hither.memory_info() and hither.release_cached(): the memory of a device."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import _hither
from .._checked_call import checked
from .._device_context import current_queue
from .._hither import Array, Context, default_queue

__all__ = ["MemoryInfo", "memory_info", "release_cached"]

_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


class MemoryInfo(NamedTuple):
    """The memory of a context, in bytes.

    Attributes
    ----------
    used : int
        Bytes of live arrays and other owners.
    cached : int
        Bytes that hither's pools keep for the next allocations.
    free : int or None
        Bytes that the system can still give. None if it does not say.
    peak : int
        The most bytes that the pools have held at once, used and cached.
    """

    used: int
    cached: int
    free: int | None
    peak: int

    def __repr__(self) -> str:
        free = "unknown" if self.free is None else readable_size(self.free)
        return (
            f"MemoryInfo(used={readable_size(self.used)}, cached={readable_size(self.cached)}, "
            f"free={free}, peak={readable_size(self.peak)})"
        )


@checked
def memory_info(device: Any = None) -> MemoryInfo:
    """The memory that is used, cached and free on a device.

    It does not wait: memory that pending work uses counts as used, or as cached if only that work
    uses it.

    Parameters
    ----------
    device : Device, Queue, Context, Array or str, optional
        Its context is reported: of a device the default context, whose pools all default queues of
        the device share. The default is the current queue's.

    Returns
    -------
    MemoryInfo
        Numbers of bytes.

    Raises
    ------
    TypeError, ValueError
        If ``device`` names no device.

    Examples
    --------
    >>> import hither as ht
    >>> x = ht.ones(1000)
    >>> ht.synchronize(x)
    >>> ht.memory_info(x).used >= 8000
    True
    """
    return MemoryInfo(*_hither.memory_info(_context_of(device)))


@checked
def release_cached(device: Any = None) -> int:
    """Returns the unused memory of a device's pools to the system.

    Work that is still running may use freed memory; that part is kept.

    Parameters
    ----------
    device : Device, Queue, Context, Array or str, optional
        As for :func:`memory_info`.

    Returns
    -------
    int
        The number of bytes returned.

    Raises
    ------
    TypeError, ValueError
        If ``device`` names no device.

    Examples
    --------
    >>> import hither as ht
    >>> ht.release_cached() >= 0
    True
    """
    context = _context_of(device)
    before = memory_info(context).cached
    _hither.trim_pools(context)
    return max(0, before - memory_info(context).cached)


def _context_of(device: Any) -> Context:
    if isinstance(device, Context):
        return device
    if isinstance(device, Array):
        return device.queue.context
    return (current_queue() if device is None else default_queue(device)).context


def readable_size(count: int) -> str:
    """A number of bytes in a unit that suits it."""
    size, unit = float(count), 0
    while size >= 1024 and unit + 1 < len(_UNITS):
        size, unit = size / 1024, unit + 1
    return f"{count} bytes" if unit == 0 else f"{size:.4g} {_UNITS[unit]}"
