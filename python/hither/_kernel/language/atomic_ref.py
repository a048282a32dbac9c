"""hither.AtomicRef."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .scope import AddressSpace, MemoryOrder, MemoryScope


class AtomicRef:
    """An element of an array, through which a kernel reads and writes it atomically.

    The order, the scope and the address space are constants. The methods return the old value,
    `store` nothing. `compare_exchange(expected, desired)` stores `desired` if the element equals
    `expected` bit for bit and returns the old value;
    `compare_exchange(array, desired, index)` takes what it expects from `array[index]`, puts the
    old value there if it differs, and returns whether it stored.

    Outside of kernels, where kernels are tried out as functions, the methods do the same one after
    the other: there nothing is atomic.
    """

    def __init__(
        self,
        ref: Any,
        index: Any = 0,
        memory_order: int = MemoryOrder.RELAXED,
        memory_scope: int = MemoryScope.DEVICE,
        address_space: int = AddressSpace.GENERIC,
    ) -> None:
        self._ref = ref
        self._index = index
        self.memory_order = memory_order
        self.memory_scope = memory_scope
        self.address_space = address_space

    @property
    def ref(self) -> Any:
        """The element, on the host."""
        return self.load()

    def load(self) -> Any:
        """The element."""
        return self._ref[self._index]

    def store(self, value: Any) -> None:
        """Stores `value`."""
        self._ref[self._index] = value

    def exchange(self, value: Any) -> Any:
        """Stores `value`."""
        return self._replace(lambda old: value)

    def compare_exchange(self, expected_ref: Any, desired: Any, expected_idx: Any = None) -> Any:
        """Stores `desired` if the element is what is expected."""
        array = hasattr(expected_ref, "__setitem__")
        index = 0 if expected_idx is None else expected_idx
        expected = expected_ref[index] if array else expected_ref
        old = self._replace(lambda old: desired if old == expected else old)
        if not array:
            return old
        if stored := bool(old == expected):
            return stored
        expected_ref[index] = old
        return stored

    def fetch_add(self, value: Any) -> Any:
        """Adds `value`."""
        return self._replace(lambda old: old + value)

    def fetch_sub(self, value: Any) -> Any:
        """Subtracts `value`."""
        return self._replace(lambda old: old - value)

    def fetch_min(self, value: Any) -> Any:
        """Keeps the smaller one."""
        return self._replace(lambda old: min(old, value))

    def fetch_max(self, value: Any) -> Any:
        """Keeps the larger one."""
        return self._replace(lambda old: max(old, value))

    def fetch_and(self, value: Any) -> Any:
        """Keeps the bits that are also in `value`."""
        return self._replace(lambda old: old & value)

    def fetch_or(self, value: Any) -> Any:
        """Sets the bits of `value`."""
        return self._replace(lambda old: old | value)

    def fetch_xor(self, value: Any) -> Any:
        """Flips the bits of `value`."""
        return self._replace(lambda old: old ^ value)

    def _replace(self, change: Callable[[Any], Any]) -> Any:
        old = self.load()
        self.store(change(old))
        return old
