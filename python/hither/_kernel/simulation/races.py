"""HITHER_CHECK=races: finds work-items that access one element without an order.

The arrays of a simulated kernel are of a class that notes who reads and writes which element. Two
accesses of different items have an order if a barrier that both items reach lies between them. An
atomic operation or a fence may also order a later read, so that reads after one are not reported.
"""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ... import _environment
from ...errors import KernelError
from .group import SUB_GROUP_SIZE, Place, running

__all__ = ["Watch", "note_atomic", "watch"]


_byte_bounds = getattr(np.lib, "array_utils", np).byte_bounds  # NumPy 1.26 has it in numpy
_HERE = __name__.rpartition(".")[0]


class _Access(NamedTuple):
    """An access of a work-item, and the number of barriers that it had passed."""

    item: tuple[int, ...]
    group: Any  # of items that barriers order; None in a launch without groups
    barriers: int
    sub_group: tuple[int, int]  # its number, and the number of its barriers passed
    atomic: bool
    line: str


class _Cell:
    """The last write of an element, and reads since then, at most two for each group."""

    __slots__ = ("reads", "write")

    def __init__(self) -> None:
        self.write: _Access | None = None
        self.reads: dict[Any, list[_Access]] = {}


class Memory:
    """The accesses to the memory of one array, or of arrays that overlap."""

    def __init__(self, kernel: str, name: str, array: np.ndarray) -> None:
        self._kernel = kernel
        self._names = [(name, array)]
        self._low, self._high = _byte_bounds(array)
        self._cells: dict[int, _Cell] = {}

    def overlaps(self, array: np.ndarray) -> bool:
        low, high = _byte_bounds(array)
        return low < self._high and self._low < high

    def include(self, name: str, array: np.ndarray) -> None:
        low, high = _byte_bounds(array)
        self._low, self._high = min(low, self._low), max(high, self._high)
        self._names.append((name, array))

    def note(self, array: np.ndarray, index: Any, *, write: bool, atomic: bool = False) -> None:
        """Notes an access to array[index]. Raises KernelError if another one has no order."""
        place = running()
        if place is None:
            return
        access = _access_of(place, atomic)
        for address in _addresses(array, index):
            if self._low <= address < self._high:  # a temporary array has other memory
                cell = self._cells.setdefault(address, _Cell())
                self._check(cell, access, address, write, place.has_synchronised)

    def _check(
        self, cell: _Cell, access: _Access, address: int, write: bool, synchronised: bool
    ) -> None:
        if cell.write is not None and _race(cell.write, access):
            if write:
                raise self._error(cell.write, "write", access, "writes", address)
            if not synchronised:
                raise self._error(cell.write, "write", access, "reads", address)
        if not write:
            _add(cell.reads.setdefault(access.group or access.item, []), access)
            return
        for readers in cell.reads.values():
            for reader in readers:
                if _race(reader, access) and not synchronised:
                    raise self._error(reader, "read", access, "writes", address)
        cell.write, cell.reads = access, {}

    def _error(
        self, first: _Access, did: str, second: _Access, does: str, address: int
    ) -> KernelError:
        name, index = self._element(address)
        return KernelError(
            self._kernel,
            f"work-items {first.item} and {second.item} access one element without an order: "
            f"{first.item} {'wrote' if did == 'write' else 'read'} {name}{list(index)} at "
            f"{first.line}, and {second.item} {does} it at {second.line}; use hither.atomic, or a "
            f"barrier between them if they are in one group, or write different elements",
        )

    def _element(self, address: int) -> tuple[str, tuple[int, ...]]:
        for name, array in self._names:
            found = np.argwhere(_all_addresses(array) == address)
            if len(found):
                return name, tuple(map(int, found[0]))
        return self._names[0][0], ()


def _access_of(place: Place, atomic: bool) -> _Access:
    frame = sys._getframe(1)
    while frame.f_globals["__name__"].startswith(_HERE) and frame.f_back is not None:
        frame = frame.f_back
    line = f"{frame.f_code.co_filename}:{frame.f_lineno}"
    number = place.number // SUB_GROUP_SIZE
    group = None if place.fiber is None else place.group_id
    sub_group = (number, place.sub_group_barriers)
    return _Access(place.global_id, group, place.barriers, sub_group, atomic, line)


def _race(a: _Access, b: _Access) -> bool:
    if a.item == b.item or (a.atomic and b.atomic):
        return False
    if a.group is None or a.group != b.group:
        return True
    in_sub_group = a.sub_group[0] == b.sub_group[0] and a.sub_group[1] != b.sub_group[1]
    return a.barriers == b.barriers and not in_sub_group


def _add(readers: list[_Access], access: _Access) -> None:
    """Keeps reads of two items after the last barrier: any write races with one of them."""
    if readers and readers[0][1:4] != access[1:4]:
        readers.clear()
    if len(readers) < 2 and all(access.item != r.item for r in readers):
        readers.append(access)


def _addresses(array: np.ndarray, index: Any) -> list[int]:
    """The addresses of the elements of array[index]."""
    key = index if isinstance(index, tuple) else (index,)
    if len(key) == array.ndim and all(isinstance(k, (int, np.integer)) for k in key):
        steps = zip(key, array.strides, array.shape, strict=True)
        return [array.ctypes.data + sum(int(k % n) * step for k, step, n in steps if n)]
    return np.atleast_1d(_all_addresses(array)[index]).ravel().tolist()


def _all_addresses(array: np.ndarray) -> np.ndarray:
    addresses = np.asarray(array.ctypes.data)
    for n, step in zip(array.shape, array.strides, strict=True):
        addresses = addresses[..., None] + np.arange(n) * step
    return addresses


class _Watched(np.ndarray):
    """An array whose indexed reads and writes are noted. Its views are of the class, too."""

    _memory: Memory | None = None

    def __array_finalize__(self, source: Any) -> None:
        self._memory = getattr(source, "_memory", None)

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        if self._memory is not None and not (
            isinstance(found, _Watched) and np.shares_memory(found, self)
        ):  # reads of a view's elements are noted when they happen
            self._memory.note(self, index, write=False)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        if self._memory is not None:
            self._memory.note(self, index, write=True)
        super().__setitem__(index, value)


class Watch:
    """Gives the arguments of a launch views that note accesses, if HITHER_CHECK=races is set."""

    def __init__(self, kernel: str) -> None:
        self._kernel = kernel
        self._memories: list[Memory] = []

    def argument(self, name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            items = [self.argument(f"{name}[{i}]", item) for i, item in enumerate(value)]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if not _environment.checks_races() or type(value) is not np.ndarray:
            return value
        memory = next((m for m in self._memories if m.overlaps(value)), None)
        if memory is None:
            memory = Memory(self._kernel, name, value)
            self._memories.append(memory)
        else:
            memory.include(name, value)
        return _view(value, memory)


def _view(array: np.ndarray, memory: Memory) -> np.ndarray:
    view = array.view(_Watched)
    view._memory = memory
    return view


def watch(kernel: str, name: str, array: np.ndarray) -> np.ndarray:
    """A view of local memory that notes accesses, if HITHER_CHECK=races is set."""
    return Watch(kernel).argument(name, array)


def note_atomic(array: Any, index: Any) -> np.ndarray:
    """Notes an atomic operation, and returns the array whose accesses are not noted."""
    if isinstance(array, _Watched) and array._memory is not None:
        array._memory.note(array, index, write=True, atomic=True)
        place = running()
        if place is not None:
            place.has_synchronised = True
        return array.view(np.ndarray)
    return array
