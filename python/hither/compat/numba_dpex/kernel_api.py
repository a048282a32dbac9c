"""numba_dpex.kernel_api: ranges, items, memory and launches."""

from __future__ import annotations

from collections.abc import Iterable
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


def call_kernel_async(
    function: Any, whole: Any, dependent_events: Iterable[Event], *arguments: Any
) -> tuple[Event, Event]:
    """Launches after the events; the event of the kernel twice, where numba_dpex has one that
    keeps the arguments alive and one of the kernel."""
    kernel = getattr(function, "hither_kernel", function)
    event = hither.launch(kernel, whole, *arguments, depends_on=list(dependent_events))
    return event, event


def call_kernel(function: Any, whole: Any, *arguments: Any) -> None:
    """Launches over a Range or an NdRange, and waits."""
    call_kernel_async(function, whole, (), *arguments)[0].wait()
