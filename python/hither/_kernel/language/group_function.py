"""Group functions: convergent operations of the work-items of a group or sub-group.

`group` is the result of `get_group()`, `get_sub_group()`, or of an NdItem's methods of these names.
All items of the group must execute the same call. `op` is "add", "mul", "min", "max", "and", "or"
or "xor", or the corresponding function: operator.add, operator.mul, min, max and so on. Values are
booleans, integers and floats.
"""

from __future__ import annotations

from typing import Any

from .scope import MemFence, MemoryOrder, MemoryScope
from .work_item import only_in_kernels


def barrier(fence: int = MemFence.LOCAL | MemFence.GLOBAL) -> None:
    """Waits until all items of the work-group have arrived. Afterwards they see each other's writes
    to the memory that `fence` names."""
    only_in_kernels("barrier")


def group_barrier(group: Any, fence_scope: int = MemoryScope.WORK_GROUP) -> None:
    """Waits until all items of the group or sub-group have arrived. Afterwards they see each
    other's writes."""
    only_in_kernels("group_barrier")


def mem_fence(fence: int = MemFence.LOCAL | MemFence.GLOBAL) -> None:
    """Orders this item's accesses before the fence and after it, for the work-group. It does not
    wait for other items."""
    only_in_kernels("mem_fence")


def atomic_fence(memory_order: int, memory_scope: int = MemoryScope.DEVICE) -> None:
    """Orders the accesses before and after the fence, as an atomic operation of this order and
    scope does."""
    only_in_kernels("atomic_fence")


def group_reduce(group: Any, x: Any, op: Any) -> Any:
    """Combines the `x` of all items and returns the result to every item."""
    only_in_kernels("group_reduce")


def group_inclusive_scan(group: Any, x: Any, op: Any) -> Any:
    """Combines the `x` of this item and of all items with lower linear ids."""
    only_in_kernels("group_inclusive_scan")


def group_exclusive_scan(group: Any, x: Any, op: Any) -> Any:
    """Combines the `x` of all items with lower linear ids. The first item gets the identity of
    `op`."""
    only_in_kernels("group_exclusive_scan")


def group_broadcast(group: Any, x: Any, local_id: int = 0) -> Any:
    """The `x` of the item whose linear id in the group is `local_id`, which must be the same value
    for all items."""
    only_in_kernels("group_broadcast")


def group_any_of(group: Any, condition: Any) -> bool:
    """Whether the condition holds for any item."""
    only_in_kernels("group_any_of")


def group_all_of(group: Any, condition: Any) -> bool:
    """Whether the condition holds for all items."""
    only_in_kernels("group_all_of")


def group_none_of(group: Any, condition: Any) -> bool:
    """Whether the condition holds for no item."""
    only_in_kernels("group_none_of")


def shuffle(group: Any, x: Any, local_id: int) -> Any:
    """The `x` of the item of the sub-group whose local id is `local_id`. Items may pass different
    ids. The result is undefined for an id outside the sub-group."""
    only_in_kernels("shuffle")


def shuffle_xor(group: Any, x: Any, mask: int) -> Any:
    """The `x` of the item whose local id is this one's with the bits of `mask` flipped."""
    only_in_kernels("shuffle_xor")


def shuffle_up(group: Any, x: Any, delta: int) -> Any:
    """The `x` of the item whose local id is smaller by `delta`; undefined if there is none."""
    only_in_kernels("shuffle_up")


def shuffle_down(group: Any, x: Any, delta: int) -> Any:
    """The `x` of the item whose local id is larger by `delta`; undefined if there is none."""
    only_in_kernels("shuffle_down")


__all__ = [
    "MemFence",
    "MemoryOrder",
    "MemoryScope",
    "atomic_fence",
    "barrier",
    "group_all_of",
    "group_any_of",
    "group_barrier",
    "group_broadcast",
    "group_exclusive_scan",
    "group_inclusive_scan",
    "group_none_of",
    "group_reduce",
    "mem_fence",
    "shuffle",
    "shuffle_down",
    "shuffle_up",
    "shuffle_xor",
]
