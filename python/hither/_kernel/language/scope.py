"""Memory orders, scopes and fences with SYCL's names. Inside kernels they are constants."""

from __future__ import annotations

from enum import IntEnum


class MemoryOrder(IntEnum):
    """The memory order of an atomic operation."""

    RELAXED = 0
    ACQUIRE = 1
    RELEASE = 2
    ACQ_REL = 3
    SEQ_CST = 4


class MemoryScope(IntEnum):
    """The work-items for which an order holds."""

    WORK_ITEM = 0
    SUB_GROUP = 1
    WORK_GROUP = 2
    DEVICE = 3
    SYSTEM = 4


class MemFence(IntEnum):
    """The memory that a barrier or a fence orders; `LOCAL | GLOBAL` is both."""

    LOCAL = 1
    GLOBAL = 2


class AddressSpace(IntEnum):
    """The address space of an AtomicRef's element. The compiler infers it; the argument is accepted
    and ignored."""

    GLOBAL = 1
    LOCAL = 3
    GENERIC = 0


LOCAL_MEM_FENCE = MemFence.LOCAL
GLOBAL_MEM_FENCE = MemFence.GLOBAL

ENUMERATIONS = (MemoryOrder, MemoryScope, MemFence, AddressSpace)
