"""hither.AtomicRef."""

from __future__ import annotations

from typing import Any

from .scope import AddressSpace, MemoryOrder, MemoryScope
from .work_item import only_in_kernels


class AtomicRef:
    """An element of an array, through which a kernel reads and writes it atomically.

    The order, the scope and the address space are constants. The methods return the old value,
    `store` nothing. `compare_exchange(expected, desired)` stores `desired` if the element equals
    `expected` bit for bit and returns the old value;
    `compare_exchange(array, desired, index)` takes what it expects from `array[index]`, puts the
    old value there if it differs, and returns whether it stored.
    """

    def __init__(
        self,
        ref: Any,
        index: Any = 0,
        memory_order: int = MemoryOrder.RELAXED,
        memory_scope: int = MemoryScope.DEVICE,
        address_space: int = AddressSpace.GENERIC,
    ) -> None:
        only_in_kernels("AtomicRef")

    def load(self) -> Any:
        """The element."""
        only_in_kernels("AtomicRef.load")

    def store(self, value: Any) -> None:
        """Stores `value`."""
        only_in_kernels("AtomicRef.store")

    def exchange(self, value: Any) -> Any:
        """Stores `value`."""
        only_in_kernels("AtomicRef.exchange")

    def compare_exchange(self, expected_ref: Any, desired: Any, expected_idx: Any = 0) -> Any:
        """Stores `desired` if the element is what is expected."""
        only_in_kernels("AtomicRef.compare_exchange")

    def fetch_add(self, value: Any) -> Any:
        """Adds `value`."""
        only_in_kernels("AtomicRef.fetch_add")

    def fetch_sub(self, value: Any) -> Any:
        """Subtracts `value`."""
        only_in_kernels("AtomicRef.fetch_sub")

    def fetch_min(self, value: Any) -> Any:
        """Keeps the smaller one."""
        only_in_kernels("AtomicRef.fetch_min")

    def fetch_max(self, value: Any) -> Any:
        """Keeps the larger one."""
        only_in_kernels("AtomicRef.fetch_max")

    def fetch_and(self, value: Any) -> Any:
        """Keeps the bits that are also in `value`."""
        only_in_kernels("AtomicRef.fetch_and")

    def fetch_or(self, value: Any) -> Any:
        """Sets the bits of `value`."""
        only_in_kernels("AtomicRef.fetch_or")

    def fetch_xor(self, value: Any) -> Any:
        """Flips the bits of `value`."""
        only_in_kernels("AtomicRef.fetch_xor")
