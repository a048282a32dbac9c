"""hither's plugin for oneMKL, whose functions submit work to a SYCL queue."""

from __future__ import annotations

import ctypes
import functools
import os
from typing import Any

from ..._hither import Queue, blas_name, expects_host_tasks
from ...errors import DeviceError

__all__ = ["call", "is_there", "may_wait"]

_NAME = "libhither_onemkl.so"


@functools.cache
def _opened() -> ctypes.CDLL:
    # The driver has opened it if blas_name() names oneMKL.
    plugin = ctypes.CDLL(_NAME, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    plugin.hither_onemkl_message.restype = ctypes.c_char_p
    return plugin


def is_there(queue: Queue) -> bool:
    """Whether oneMKL is installed and supports the queue's device."""
    return blas_name(queue.device).startswith("oneMKL")


def may_wait(queue: Queue) -> bool:
    """Whether functions of oneMKL that wait can be called.

    On CPUs these functions submit SYCL host tasks and wait for them while SYCL's graph is locked.
    Host tasks of other packages, such as dpctl, may occupy all of SYCL's threads while they wait
    for the GIL. If the thread that holds the GIL waits for the graph, that is a deadlock.
    """
    if expects_host_tasks() and queue.device.device_type == "cpu":
        return False
    return is_there(queue)


def call(function: str, *arguments: Any) -> None:
    """Calls hither_onemkl_``function``. Every int is passed as 64 bits. Raises DeviceError on
    failure."""
    plugin = _opened()
    words = (ctypes.c_int64(x) if isinstance(x, int) else x for x in arguments)
    if getattr(plugin, f"hither_onemkl_{function}")(*words):
        raise DeviceError(function, plugin.hither_onemkl_message().decode(errors="replace"))
