"""HITHER_CHECK=races: finds work-items that access one element without an order.

The arrays of a simulated kernel are of a class that notes who reads and writes which element. Two
accesses of different items have an order if a barrier that both items reach lies between them. An
atomic operation or a fence may order what an item does after it, so that this is not checked.
"""

from __future__ import annotations

import itertools
import sys
from typing import Any, NamedTuple

import numpy as np

from ... import _environment
from ..._array.array_utils import byte_bounds
from ...errors import KernelError
from .group import SUB_GROUP_SIZE, Place, running

__all__ = ["Watch", "note_atomic", "watch"]

_NOT_OF_KERNELS = (f"{__name__.split('.')[0]}._kernel.", "numpy.")


class _Access(NamedTuple):
    """An access of a work-item, and the number of barriers that it had passed."""

    item: tuple[int, ...]
    group: Any  # of items that barriers order; None in a launch without groups
    sub_group: int
    barriers: int
    sub_group_barriers: int
    atomic: bool
    line: str

    @property
    def place(self) -> Any:
        """What is the same for items whose barriers are the same."""
        return self.item if self.group is None else (self.group, self.sub_group)

    def races_with(self, other: _Access) -> bool:
        if self.item == other.item or (self.atomic and other.atomic):
            return False
        if self.group is None or self.group != other.group:
            return True
        is_near = self.sub_group == other.sub_group
        if is_near and self.sub_group_barriers != other.sub_group_barriers:
            return False
        return self.barriers == other.barriers


class _Accesses:
    """The last accesses of each place: those of two items, so that any other one races with one."""

    def __init__(self) -> None:
        self._found: dict[Any, list[_Access]] = {}

    def add(self, access: _Access) -> None:
        found = self._found.setdefault(access.place, [])
        since = (access.barriers, access.sub_group_barriers)
        if found and (found[0].barriers, found[0].sub_group_barriers) != since:
            found.clear()
        if len(found) < 2 and all(access.item != other.item for other in found):
            found.append(access)

    def first_race(self, access: _Access) -> _Access | None:
        all_found = itertools.chain.from_iterable(self._found.values())
        return next((other for other in all_found if other.races_with(access)), None)


class _Element:
    """The last write of an element that was not atomic, and the other accesses since then."""

    def __init__(self) -> None:
        self.write: _Access | None = None
        self.atomic_writes, self.reads = _Accesses(), _Accesses()

    def race(self, access: _Access, write: bool) -> tuple[str, _Access] | None:
        """An earlier access that has no order with this one, and what it did."""
        if self.write is not None and self.write.races_with(access):
            return "wrote", self.write
        other = self.atomic_writes.first_race(access)
        if other is not None:
            return "wrote", other
        other = self.reads.first_race(access) if write else None
        return None if other is None else ("read", other)

    def note(self, access: _Access, write: bool) -> None:
        if not write:
            self.reads.add(access)
        elif access.atomic:
            self.atomic_writes.add(access)
        else:
            self.write, self.atomic_writes, self.reads = access, _Accesses(), _Accesses()


class Watch:
    """The accesses to the arrays of a launch, or to a local array of a group. It gives kernels
    views that note them, if HITHER_CHECK=races is set."""

    items = "work-items"
    advice = (
        "use hither.atomic, or a barrier between the two if the items are in one group, or "
        "different elements"
    )

    def __init__(self, kernel: str) -> None:
        self._kernel = kernel
        self._arrays: list[tuple[str, np.ndarray]] = []
        self._bounds: list[tuple[int, int]] = []
        self._elements: dict[int, _Element] = {}  # by address: arguments may share memory

    def argument(self, name: str, value: Any) -> Any:
        if isinstance(value, tuple):
            items = [self.argument(f"{name}[{i}]", item) for i, item in enumerate(value)]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if not _environment.checks_races() or type(value) is not np.ndarray:
            return value
        self._arrays.append((name, value))
        self._bounds.append(byte_bounds(value))
        view = value.view(_Watched)
        view._watch = self
        return view

    def note(self, array: np.ndarray, index: Any, *, write: bool, atomic: bool = False) -> None:
        """Notes an access to array[index]. Raises KernelError for a data race."""
        place = running()
        if place is None:
            return
        access = _access_of(place, atomic)
        for address in _addresses(array.view(np.ndarray), index):
            if not any(low <= address < high for low, high in self._bounds):
                return  # a temporary array has other memory
            element = self._elements.setdefault(address, _Element())
            if not place.has_synchronised:
                found = element.race(access, write)
                if found is not None:
                    raise self._error(*found, access, "writes" if write else "reads", address)
            if write or not place.has_synchronised:
                element.note(access, write)

    def _error(
        self, did: str, first: _Access, second: _Access, does: str, address: int
    ) -> KernelError:
        return KernelError(
            self._kernel,
            f"data race of {self.items} {first.item} and {second.item}: {first.item} {did} "
            f"{self._element(address)} at {first.line}, and {second.item} {does} it at "
            f"{second.line}; {self.advice}",
        )

    def _element(self, address: int) -> str:
        for name, array in self._arrays:
            found = np.argwhere(_addresses_of(array) == address)
            if len(found):
                index = ", ".join(map(str, found[0].tolist()))
                return f"element [{index}] of {name}" if index else name
        return "an element"


def _access_of(place: Place, atomic: bool) -> _Access:
    frame = sys._getframe(1)
    while frame.f_globals.get("__name__", "").startswith(_NOT_OF_KERNELS):
        if frame.f_back is None:
            break
        frame = frame.f_back
    return _Access(
        place.global_id, None if place.fiber is None else place.group_id,
        place.number // SUB_GROUP_SIZE, place.barriers, place.sub_group_barriers, atomic,
        f"{frame.f_code.co_filename}:{frame.f_lineno}",
    )  # fmt: skip


def _addresses(array: np.ndarray, index: Any) -> list[int]:
    """The addresses of the elements of array[index]; none if the index is not valid."""
    key = index if isinstance(index, tuple) else (index,)
    if len(key) == array.ndim and all(
        isinstance(k, (int, np.integer)) and not isinstance(k, bool) for k in key
    ):
        address = array.ctypes.data
        for k, n, step in zip(map(int, key), array.shape, array.strides, strict=True):
            if not -n <= k < n:
                return []
            address += k % n * step
        return [address]
    try:
        part = array[index]
        if isinstance(part, np.ndarray) and np.may_share_memory(part, array):
            return _addresses_of(part).ravel().tolist()
        return np.ravel(_addresses_of(array)[index]).tolist()
    except IndexError:
        return []


def _addresses_of(array: np.ndarray) -> np.ndarray:
    addresses = np.asarray(array.ctypes.data)
    for n, step in zip(array.shape, array.strides, strict=True):
        addresses = addresses[..., None] + np.arange(n) * step
    return addresses


class _Watched(np.ndarray):
    """An array whose indexed reads and writes are noted. Its views are of the class, too."""

    _watch: Watch | None = None

    def __array_finalize__(self, source: Any) -> None:
        self._watch = getattr(source, "_watch", None)

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        is_view = isinstance(found, _Watched) and np.may_share_memory(found, self)
        if self._watch is not None and not is_view:  # a view notes the reads of its elements
            self._watch.note(self, index, write=False)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        _note_all(value, write=False)
        if self._watch is not None:
            self._watch.note(self, index, write=True)
        super().__setitem__(index, value)

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        """Operators, functions and reductions of whole arrays and views."""
        # `total += v` of a whole array is a reduction of a prange loop.
        total = out[0] if out and inputs[0] is out[0] and _is_whole(out[0]) else None
        for value in inputs:
            if value is not total:
                _note_all(value, write=False)
        if out is not None:
            for value in out:
                if value is not total:
                    _note_all(value, write=True)
            options["out"] = tuple(map(_plain, out))
        result = getattr(ufunc, method)(*map(_plain, inputs), **options)
        return result if out is None or isinstance(result, tuple) else out[0]


def _is_whole(value: Any) -> bool:
    """Whether it is an array that a Watch has been given, not a part of one."""
    if not isinstance(value, _Watched) or value._watch is None:
        return False
    return any(
        array.ctypes.data == value.ctypes.data and array.shape == value.shape
        for _, array in value._watch._arrays
    )


def _note_all(value: Any, *, write: bool) -> None:
    if isinstance(value, _Watched) and value._watch is not None:
        value._watch.note(value, ..., write=write)


def _plain(value: Any) -> Any:
    return value.view(np.ndarray) if isinstance(value, _Watched) else value


def watch(kernel: str, name: str, array: np.ndarray) -> np.ndarray:
    """A view of local memory that notes accesses, if HITHER_CHECK=races is set."""
    return Watch(kernel).argument(name, array)


def note_atomic(array: Any, index: Any, *, write: bool = True) -> Any:
    """Notes an atomic operation. Returns a view whose accesses are not noted."""
    if not isinstance(array, _Watched) or array._watch is None:
        return array
    array._watch.note(array, index, write=write, atomic=True)
    place = running()
    if place is not None:
        place.has_synchronised = True
    return array.view(np.ndarray)
