"""Memory orders, scopes and fences, as SYCL names them. Inside kernels they are constants."""

from __future__ import annotations

from enum import IntEnum


class MemoryOrder(IntEnum):
    """How other memory accesses are ordered around an atomic operation."""

    RELAXED = 0
    ACQUIRE = 1
    RELEASE = 2
    ACQ_REL = 3
    SEQ_CST = 4


class MemoryScope(IntEnum):
    """The work-items that see the order."""

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
    """Where an AtomicRef's element is. It is found out anyway; for programs that say it."""

    GLOBAL = 1
    LOCAL = 3
    GENERIC = 0


LOCAL_MEM_FENCE = MemFence.LOCAL
GLOBAL_MEM_FENCE = MemFence.GLOBAL

ENUMERATIONS = (MemoryOrder, MemoryScope, MemFence, AddressSpace)
