"""numba_dpex.kernel_api: ranges, items, memory and launches."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from types import FunctionType
from typing import Any

import hither
from hither import (
    AddressSpace,
    AtomicRef,
    Event,
    Group,
    Item,
    LocalAccessor,
    MemoryOrder,
    MemoryScope,
    NdItem,
    NdRange,
    Range,
    atomic_fence,
    group_barrier,
)

__all__ = [
    "AddressSpace",
    "AtomicRef",
    "Group",
    "Item",
    "LocalAccessor",
    "MemoryOrder",
    "MemoryScope",
    "NdItem",
    "NdRange",
    "PrivateArray",
    "Range",
    "atomic_fence",
    "call_kernel",
    "call_kernel_async",
    "group_barrier",
]

PrivateArray = hither.private.array


_plain_kernel = functools.lru_cache(hither.kernel)


def call_kernel_async(
    function: Any, whole: Any, dependent_events: Iterable[Event], *arguments: Any
) -> tuple[Event, Event]:
    """Launches after the events; the event of the kernel twice, where numba_dpex has one that
    keeps the arguments alive and one of the kernel.

    A plain Python function, which numba_dpex interprets, is compiled too. NumPy arrays alone go to
    the current queue and back then.
    """
    kernel, queue = getattr(function, "hither_kernel", function), None
    if isinstance(function, FunctionType):
        kernel = _plain_kernel(function)
        if not any(isinstance(argument, hither.Array) for argument in arguments):
            queue = hither.current_queue()
    events = list(dependent_events)
    event = hither.launch(kernel, whole, *arguments, depends_on=events, queue=queue)
    return event, event


def call_kernel(function: Any, whole: Any, *arguments: Any) -> None:
    """Launches over a Range or an NdRange, and waits."""
    call_kernel_async(function, whole, (), *arguments)[0].wait()
