"""numba_dpex.kernel_api: ranges, items, memory and launches."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
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
from hither._kernel.language.item_parameter import DIMENSIONS

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

PrivateArray: Callable[..., Any] = hither.private.PrivateArray


_plain_kernel = functools.lru_cache(hither.kernel)


@functools.lru_cache
def _kernel_with_item(function: FunctionType, item: type, dimensions: int) -> Any:
    """The kernel of a function whose first parameter is an item, for ranges of `dimensions`."""
    first = function.__code__.co_varnames[0]
    annotated = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__,
        function.__closure__,
    )  # fmt: skip
    annotated.__module__, annotated.__qualname__ = function.__module__, function.__qualname__
    annotated.__annotations__ = {first: item, **function.__annotations__}
    setattr(annotated, DIMENSIONS, dimensions)
    return hither.kernel(annotated)


def _takes_an_item(function: Any, arguments: tuple[Any, ...]) -> bool:
    """Whether the first parameter is the item: the function has one more parameter than arguments,
    and the first one has no annotation, or its `dimensions` are used."""
    if not isinstance(function, FunctionType):
        return False
    code = function.__code__
    first = code.co_varnames[0] if code.co_argcount else ""
    unsaid = first not in function.__annotations__ or "dimensions" in code.co_names
    return code.co_argcount == len(arguments) + 1 and unsaid


def call_kernel_async(
    function: Any, whole: Any, dependent_events: Iterable[Event], *arguments: Any
) -> tuple[Event, Event]:
    """Launches a kernel after the events. Returns the kernel's event twice, where numba_dpex
    returns an event that keeps the arguments alive and the kernel's event.

    If a kernel has one more parameter than there are arguments, the first one is its item. A plain
    Python function, which numba_dpex interprets, is compiled too. If all arrays are NumPy's, they
    are then copied to the current queue and back.
    """
    kernel, queue = getattr(function, "hither_kernel", function), None
    plain = getattr(function, "__wrapped__", function)
    if _takes_an_item(plain, arguments):
        in_groups = isinstance(whole, NdRange)
        ndim = len(whole.global_range if in_groups else whole)
        kernel = _kernel_with_item(plain, NdItem if in_groups else Item, ndim)
    elif isinstance(function, FunctionType):
        kernel = _plain_kernel(function)
    on_host = not any(isinstance(argument, hither.Array) for argument in arguments)
    if isinstance(function, FunctionType) and on_host:
        queue = hither.current_queue()
    events = list(dependent_events)
    event = hither.launch(kernel, whole, *arguments, depends_on=events, queue=queue)
    return event, event


def call_kernel(function: Any, whole: Any, *arguments: Any) -> None:
    """Launches over a Range or an NdRange, and waits."""
    call_kernel_async(function, whole, (), *arguments)[0].wait()
