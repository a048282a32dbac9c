"""dpctl.memory: USM allocations."""

from __future__ import annotations

from typing import Any

import hither
from hither import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared

__all__ = ["MemoryUSMDevice", "MemoryUSMHost", "MemoryUSMShared", "as_usm_memory", "memcpy"]

_KINDS = {"device": MemoryUSMDevice, "shared": MemoryUSMShared, "host": MemoryUSMHost}


def as_usm_memory(obj: Any) -> hither.Memory:
    """New memory of the same kind and queue, holding a copy of ``obj``.

    ``obj`` has ``__sycl_usm_array_interface__`` and is C-contiguous. A Memory is returned itself.
    """
    if isinstance(obj, hither.Memory):
        return obj
    view = hither.UsmView(obj)
    size = view.dtype.itemsize
    for extent in view.shape:
        size *= extent
    memory = _KINDS[view.usm_type](size, queue=view.queue)
    memory.copy_from_device(obj)
    return memory


def memcpy(to: Any, from_: Any, nbytes: int) -> None:
    """Copies bytes between USM and buffers; blocks until it is done."""
    queue = next(
        (o.queue for o in (to, from_) if isinstance(o, hither.Memory)), hither.current_queue()
    )
    queue.copy(to, from_, nbytes).wait()
