"""dpctl.memory: USM allocations."""

from __future__ import annotations

from typing import Any

import hither
from hither import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared
from hither._hither import memory_over

__all__ = [
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "USMAllocationError",
    "as_usm_memory",
    "memcpy",
]

USMAllocationError = hither.Error
KINDS: dict[str, Any] = {
    "device": MemoryUSMDevice,
    "shared": MemoryUSMShared,
    "host": MemoryUSMHost,
}


def as_usm_memory(obj: Any) -> hither.Memory:
    """The memory of an object with ``__sycl_usm_array_interface__``, without a copy."""
    return obj if isinstance(obj, hither.Memory) else memory_over(obj)


def memcpy(to: Any, from_: Any, nbytes: int) -> None:
    """Copies bytes between USM and buffers; blocks until it is done."""
    queue = next(
        (o.queue for o in (to, from_) if isinstance(o, hither.Memory)), hither.current_queue()
    )
    queue.copy(to, from_, nbytes).wait()


def restored(usm_type: str, content: bytes) -> hither.Memory:
    """Unpickles memory: an allocation on the default device with this content."""
    if usm_type not in KINDS:
        raise hither.InvalidValueError("memory", f"usm_type={usm_type!r} is none of {list(KINDS)}")
    memory = KINDS[usm_type](len(content))
    memory.copy_from_host(content)
    return memory
