"""The memory of a device: what is used, cached and free, its release, and its limit."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from .. import _hither
from .._checked_call import checked
from .._device_context import current_queue
from .._hither import Array, Context, default_queue
from ..errors import InvalidTypeError, InvalidValueError

__all__ = ["MemoryInfo", "memory_info", "release_cached", "set_memory_limit"]

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
    limit : int or None
        The limit of :func:`set_memory_limit` or HITHER_MEMORY_LIMIT for the device, of several
        devices the lowest. None if there is none. What all contexts and sub-devices of the device
        use counts, also where ``used`` leaves it out because another context uses it.
    """

    used: int
    cached: int
    free: int | None
    peak: int
    limit: int | None = None

    def __repr__(self) -> str:
        free = "unknown" if self.free is None else readable_size(self.free)
        limit = "none" if self.limit is None else readable_size(self.limit)
        return (
            f"MemoryInfo(used={readable_size(self.used)}, cached={readable_size(self.cached)}, "
            f"free={free}, peak={readable_size(self.peak)}, limit={limit})"
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


@checked
def set_memory_limit(bytes: int | None, device: Any = None) -> None:
    """Limits the memory that this process uses of a device.

    Arrays and other owners of all contexts count, in device, shared and host USM. An allocation
    beyond the limit raises OutOfMemoryError. Cached memory is released before used and cached
    memory together exceed the limit. HITHER_MEMORY_LIMIT sets the limit of every device at first.

    Parameters
    ----------
    bytes : int or None
        The largest number of bytes. None ends the limit.
    device : Device, Queue, Context, Array or str, optional
        As for :func:`memory_info`. Sub-devices count as their root device. Of a context all devices
        get the limit, each for itself.

    Raises
    ------
    TypeError, ValueError
        If ``bytes`` is no positive int, or ``device`` names no device.

    Examples
    --------
    >>> import hither as ht
    >>> ht.set_memory_limit(10**9)
    >>> ht.memory_info().limit
    1000000000
    >>> ht.set_memory_limit(None)
    """
    if bytes is not None:
        try:
            bytes = operator.index(bytes)
        except TypeError:
            raise InvalidTypeError(
                "set_memory_limit", f"bytes is {bytes!r}; give an int, or None for no limit"
            ) from None
        if not 0 < bytes < 2**63:
            raise InvalidValueError(
                "set_memory_limit",
                f"bytes is {bytes}; give a positive int below 2**63, or None for no limit",
            )
    for each in _context_of(device).devices:
        _hither.set_memory_limit(each, bytes)


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
