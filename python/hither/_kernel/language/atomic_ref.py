"""hither.AtomicRef."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .scope import AddressSpace, MemoryOrder, MemoryScope


class AtomicRef:
    """A reference to an element of an array, for atomic accesses in kernels.

    The order, the scope and the address space are constants. The methods return the old value,
    except `store`, which returns None. `compare_exchange(expected, desired)` stores `desired` if
    the element equals `expected` bit for bit, and returns the old value.
    `compare_exchange(array, desired, index)` reads the expected value from `array[index]`, stores
    the old value there if the values differ, and returns whether it stored `desired`.

    Outside kernels, where kernels can be tested as functions, the methods are not atomic.
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
        """Stores `desired` if the element equals the expected value."""
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
        """Stores the smaller of the element and `value`."""
        return self._replace(lambda old: min(old, value))

    def fetch_max(self, value: Any) -> Any:
        """Stores the larger of the element and `value`."""
        return self._replace(lambda old: max(old, value))

    def fetch_and(self, value: Any) -> Any:
        """Stores the bitwise and of the element and `value`."""
        return self._replace(lambda old: old & value)

    def fetch_or(self, value: Any) -> Any:
        """Stores the bitwise or of the element and `value`."""
        return self._replace(lambda old: old | value)

    def fetch_xor(self, value: Any) -> Any:
        """Stores the bitwise exclusive or of the element and `value`."""
        return self._replace(lambda old: old ^ value)

    def _replace(self, change: Callable[[Any], Any]) -> Any:
        old = self.load()
        self.store(change(old))
        return old
