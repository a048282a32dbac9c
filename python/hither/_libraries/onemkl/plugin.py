"""hither's plugin for oneMKL, whose functions put work into a queue of SYCL."""

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
    # The driver has opened it, as blas_name() says.
    plugin = ctypes.CDLL(_NAME, mode=os.RTLD_NOLOAD | os.RTLD_LAZY)
    plugin.hither_onemkl_message.restype = ctypes.c_char_p
    return plugin


def is_there(queue: Queue) -> bool:
    """Whether oneMKL is installed, and for the queue's device."""
    return blas_name(queue.device).startswith("oneMKL")


def may_wait(queue: Queue) -> bool:
    """Whether oneMKL is there, and for work in which it waits.

    On CPUs such work is host tasks of SYCL's, which oneMKL waits for with SYCL's graph locked. Host
    tasks of others, such as dpctl's, may keep all of SYCL's threads, waiting for the GIL, while who
    has it waits for the graph: neither would ever end.
    """
    if expects_host_tasks() and queue.device.device_type == "cpu":
        return False
    return is_there(queue)


def call(function: str, *arguments: Any) -> None:
    """Calls hither_onemkl_``function``; every int is passed as 64 bits. DeviceError if it fails."""
    plugin = _opened()
    words = (ctypes.c_int64(x) if isinstance(x, int) else x for x in arguments)
    if getattr(plugin, f"hither_onemkl_{function}")(*words):
        raise DeviceError(function, plugin.hither_onemkl_message().decode(errors="replace"))
