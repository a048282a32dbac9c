"""Launches of kernels over the rows of sharded arrays: kernel.sharded(mesh, range, halo)."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .._checked_call import checked
from .._hither import Array, KernelDispatcher, Range
from .._kernel.language.item_parameter import item_parameter
from .._kernel.simulation.kernel import SimulatedKernel
from ..errors import InvalidTypeError, InvalidValueError, PlacementError
from .elementwise import check_operand, common_mesh, is_sharded
from .kernel_rows import RowKernel, row_kernel
from .mesh import Mesh, as_mesh
from .rows import cut, joined, moved

__all__: list[str] = []


def _extents(name: str, value: Any) -> tuple[int, ...] | None:
    if value is None:
        return None
    items: Any = value if isinstance(value, (tuple, list, Range)) else (value,)
    for item in items:
        if isinstance(item, bool) or not hasattr(item, "__index__"):
            raise InvalidTypeError(
                name, f"range contains {item!r}; pass an int, a tuple of them or a hither.Range"
            )
    found = tuple(item.__index__() for item in items)
    if not 1 <= len(found) <= 3 or min(found) < 0:
        raise InvalidValueError(name, f"range is {found}; pass one to three numbers from 0")
    return found


_signatures: WeakKeyDictionary[Callable[..., Any], inspect.Signature] = WeakKeyDictionary()


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The parameters that a call gives. Kept, because finding them reads the bytecode."""
    found = _signatures.get(function)
    if found is None:
        found = inspect.signature(function)
        if item_parameter(function) is not None:
            found = found.replace(parameters=list(found.parameters.values())[1:])
        _signatures[function] = found
    return found


class _Launch:
    """One call of a kernel with sharded arrays."""

    def __init__(self, kernel: KernelDispatcher, mesh: Mesh, halo: int, given: dict) -> None:
        self.name, self.mesh, self.halo = kernel.__name__, mesh, halo
        self.given = given
        self.arrays = {name: x for name, x in given.items() if is_sharded(x)}
        if not self.arrays:
            raise PlacementError(
                self.name, "no argument is a ShardedArray; divide one with hither.shard(x, mesh)"
            )
        if common_mesh(self.name, list(self.arrays.values())) != mesh:
            raise PlacementError(self.name, f"the arguments are not on the mesh {mesh!r}")
        first = next(iter(self.arrays.values()))
        self.axis = first.axis
        for name, x in self.arrays.items():
            if x.axis != self.axis:
                raise InvalidValueError(
                    self.name,
                    f"{name} is divided along axis {x.axis}, and another argument along "
                    f"{self.axis}; move one with x.reshard(axis)",
                )
        for value in given.values():
            if isinstance(value, (Array, np.ndarray)):
                check_operand(self.name, value, mesh)
        self.shape = first.shape
        self.kernel: RowKernel = row_kernel(kernel, self.axis, tuple(self.arrays))
        for name, value in given.items():
            if isinstance(value, Array) and name in self.kernel.stored:
                raise PlacementError(
                    self.name,
                    f"{name} is an array of one queue, and the kernel writes to it on every part; "
                    "divide it with hither.shard(x, mesh), or compute a reduction of the result",
                )
        written = [x for name, x in self.arrays.items() if name in self.kernel.stored]
        for x in written:
            x._settle()
        self.owner = (written or [first])[0]._rows()
        for x in written:
            if x._rows().bounds != self.owner.bounds:
                raise InvalidValueError(
                    self.name,
                    "the rows of two arrays that the kernel writes are on different queues; use "
                    "arrays of one shape",
                )

    def spans(self, rows: int) -> list[list[tuple[int, int]]]:
        """The ranges of rows of each part. Rows near those of other parts are separate, so that
        the others do not wait for them."""
        found = []
        bounds = list(self.owner.bounds)
        last = max((k for k in range(len(bounds) - 1) if bounds[k] < bounds[k + 1]), default=0)
        bounds[last + 1 :] = [max(rows, bounds[-1])] * (len(bounds) - last - 1)
        for start, stop in pairwise(bounds):
            low, high = min(start, rows), min(stop, rows)
            inner_low = low + self.halo if low > 0 else low
            inner_high = high - self.halo if high < rows else high
            if inner_low >= inner_high:
                found.append([(low, high)])
            else:
                spans = [(inner_low, inner_high), (low, inner_low), (inner_high, high)]
                found.append([span for span in spans if span[0] < span[1]])
        return found

    def argument(self, name: str, part: int, low: int, high: int) -> tuple[Any, int]:
        """The rows of an array that a launch uses, and the number of the first one."""
        x, queue = self.arrays[name], self.mesh[part]
        rows = x.shape[self.axis]
        if name in self.kernel.stored:
            first = self.owner.bounds[part]
            piece = x._pieces[part][0]
            start, stop = (min(k - first, piece.shape[self.axis]) for k in (low, high))
            return cut(piece, self.axis, start, stop), low
        start, stop = max(low - self.halo, 0), min(high + self.halo, rows)
        start = min(start, stop)
        return joined(x._rows().between(start, stop, queue, part), self.axis), start

    def run(self, extents: tuple[int, ...] | None) -> None:
        extents = self.shape if extents is None else extents
        if not self.axis < len(extents) <= 3:
            raise InvalidValueError(
                self.name,
                f"the range {extents} has no dimension for axis {self.axis}, which is divided",
            )
        rows = extents[self.axis]
        inner = math.prod(extents[self.axis + 1 :])
        calls: list[tuple[Range, list[Any]]] = []
        for part, spans in enumerate(self.spans(rows)):
            for low, high in spans:
                size: tuple[int, ...] = (
                    *extents[: self.axis],
                    high - low,
                    *extents[self.axis + 1 :],
                )
                if 0 in size:
                    continue
                found = {name: self.argument(name, part, low, high) for name in self.arrays}
                queue = self.mesh[part]
                values = [
                    found[name][0] if name in found
                    else moved(value, queue) if isinstance(value, Array) else value
                    for name, value in self.given.items()
                ]  # fmt: skip
                values += [low, rows, inner]
                for name, (_, first) in found.items():
                    values += [first, self.arrays[name].shape[self.axis]]
                calls.append((Range(*size), values))
        for items, values in calls:
            self.kernel.dispatcher[items](*values)


@checked
def sharded(
    self: KernelDispatcher, mesh: Any, range: Any = None, *, halo: int = 0
) -> Callable[..., None]:
    """The kernel over sharded arrays: ``kernel.sharded(mesh, range, halo=1)(*arguments)``.

    Ids and indices are those of the whole range and the whole arrays. Each queue runs the items
    whose rows it has. An item may write to its own row only, and read up to ``halo`` rows before
    and after it; kernels with debug=True check this. Only these rows move between queues, while
    the other items run. All sharded arguments are divided along one axis, which is that dimension
    of the range too. Other arrays are copied to every queue, and are read only.

    Parameters
    ----------
    mesh : Mesh or sequence of Queue, Device or str
        The mesh of the sharded arguments.
    range : int, tuple of int or Range, optional
        The items; without it one for each element of the first sharded argument.
    halo : int
        The rows before and after its own that an item reads.

    Returns
    -------
    callable
        A function of the kernel's arguments.

    Examples
    --------
    >>> @ht.kernel
    ... def differences(x, y):
    ...     i = ht.get_global_id(0)
    ...     if i + 1 < x.shape[0]:
    ...         y[i] = x[i + 1] - x[i]
    >>> mesh = ht.Mesh("cpu", parts=2)
    >>> x = ht.shard([1, 4, 9, 16, 25], mesh)
    >>> y = ht.shard([0, 0, 0, 0, 0], mesh)
    >>> differences.sharded(mesh, halo=1)(x, y)
    >>> ht.gather(y)
    Array([3, 5, 7, 9, 0])
    """
    if isinstance(halo, bool) or not isinstance(halo, int):
        raise InvalidTypeError(self.__name__, f"halo is {halo!r}; pass an int")
    if halo < 0:
        raise InvalidValueError(self.__name__, f"halo is {halo}; pass 0 or more")
    place, extents = as_mesh(self.__name__, mesh), _extents(self.__name__, range)

    def launch(*arguments: Any, **keywords: Any) -> None:
        try:
            bound = _signature(self.py_func).bind(*arguments, **keywords)
        except TypeError as error:
            raise InvalidTypeError(self.__name__, f"{error}") from None
        bound.apply_defaults()
        _Launch(self, place, halo, dict(bound.arguments)).run(extents)

    return launch


KernelDispatcher.sharded = sharded  # type: ignore[attr-defined]
SimulatedKernel.sharded = sharded  # type: ignore[attr-defined]
