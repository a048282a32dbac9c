"""Atomic operations on elements of arrays, for use inside kernels.

Each atomically reads the element at `index` (an integer or a tuple of integers), replaces it, and
returns the old value. The memory order is relaxed; an AtomicRef has others. Elements are integers
of any width, or floats of 32 or 64 bits (not for the bitwise operations), in global or local
memory.
"""

from __future__ import annotations

from typing import Any, NoReturn

from ..._documentation import complete


def _only_in_kernels(name: str) -> NoReturn:
    raise TypeError(f"atomic.{name} works only inside a function decorated with @hither.kernel")


def add(array: Any, index: Any, value: Any) -> Any:
    """Adds `value`."""
    _only_in_kernels("add")


def sub(array: Any, index: Any, value: Any) -> Any:
    """Subtracts `value`."""
    _only_in_kernels("sub")


def min(array: Any, index: Any, value: Any) -> Any:
    """Stores the smaller of the element and `value`."""
    _only_in_kernels("min")


def max(array: Any, index: Any, value: Any) -> Any:
    """Stores the larger of the element and `value`."""
    _only_in_kernels("max")


def and_(array: Any, index: Any, value: Any) -> Any:
    """Stores the bitwise and of the element and `value`."""
    _only_in_kernels("and_")


def or_(array: Any, index: Any, value: Any) -> Any:
    """Stores the bitwise or of the element and `value`."""
    _only_in_kernels("or_")


def xor(array: Any, index: Any, value: Any) -> Any:
    """Stores the bitwise exclusive or of the element and `value`."""
    _only_in_kernels("xor")


def load(array: Any, index: Any) -> Any:
    """Reads the element without changing it."""
    _only_in_kernels("load")


def store(array: Any, index: Any, value: Any) -> None:
    """Stores `value`, and returns nothing."""
    _only_in_kernels("store")


def exch(array: Any, index: Any, value: Any) -> Any:
    """Stores `value`."""
    _only_in_kernels("exch")


def cas(array: Any, index: Any, expected: Any, value: Any) -> Any:
    """Stores `value` if the element equals `expected` bit for bit."""
    _only_in_kernels("cas")


exchange = exch
compare_exchange = compare_and_swap = cas


complete("atomic", globals())
