"""Calls of libraries that compute on the host: NumPy's LAPACK, pocketfft, SciPy.

This is where a call chooses its library: on NVIDIA GPUs :mod:`hither.cuda` has others and on SYCL
devices :mod:`hither.onemkl`, which work where the data is.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither
from .._array.dtypes import result_type
from .._hither import Array, asarray, asnumpy, astype
from ..errors import ExchangeError, InvalidTypeError, LinAlgError, PlacementError

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = ["HostCall", "computable", "has_memory", "in_order_of", "place"]


# The package with libraries of a back end's devices.
_PACKAGES = {"cuda": "cuda", "opencl": "onemkl", "level_zero": "onemkl"}
_STRONGEST_FIRST = ("device", "shared", "host")


def has_memory(argument: Any) -> bool:
    """Whether the argument is an array, of hither's or of another kind."""
    return (
        isinstance(argument, (Array, np.ndarray))
        or hasattr(argument, "__sycl_usm_array_interface__")
        or hasattr(argument, "__cuda_array_interface__")
    )


def _corner(array: Any) -> Any:
    """An empty part of an array: it is placed as the array is, and costs nothing to compute."""
    return array[(slice(0, 0),) * array.ndim]


def place(function: str, arguments: tuple, queue: Any) -> tuple[Queue, str, tuple[Array, ...]]:
    """Where a function of these arrays runs, its result's USM type, and the arrays as seen there.

    By the table of placement: PlacementError if the arrays disagree, if ``queue`` cannot access
    them, or if they are on the host and neither ``queue`` nor a device context says where to run.
    """
    if queue is None and all(isinstance(x, Array) for x in arguments):
        home = arguments[0].queue
        if all(x.queue == home for x in arguments[1:]):
            return home, _strongest(arguments), arguments
    arrays = tuple(map(_seen, arguments))
    parts = [_corner(x) if has_memory(x) else x for x in arrays]
    try:
        # Placement belongs to the core; these nodes of no elements are how it is asked.
        nodes = [_hither.add(parts[0], part, queue=queue) for part in parts[1:] or parts]
    except (PlacementError, InvalidTypeError) as error:
        raise type(error)(function, error.message) from None
    for x in arrays:
        if not has_memory(x):
            raise InvalidTypeError(function, f"takes arrays, not a {type(x).__name__}")
    where = nodes[0].queue
    return where, _strongest(nodes), tuple(asarray(x, queue=where) for x in arrays)


def _strongest(arrays: Iterable[Array]) -> str:
    kinds = {x.usm_type for x in arrays}
    return next(kind for kind in _STRONGEST_FIRST if kind in kinds)


def _seen(argument: Any) -> Any:
    """The argument as an array of hither's or of NumPy's, over the same memory, if it is one."""
    if isinstance(argument, (Array, np.ndarray, np.generic)):
        return argument
    if has_memory(argument):
        return asarray(argument)
    try:
        return np.asarray(memoryview(argument))
    except TypeError:
        return argument


def computable(function: str, arrays: tuple[Array, ...]) -> tuple[Array, ...]:
    """The arrays in the one floating dtype that they promote to; integers become float64."""
    if len({x.dtype for x in arrays}) == 1 and arrays[0].dtype.char in "fdFD":
        return arrays
    dtype = result_type(*arrays)
    if dtype.kind in "biu":
        dtype = np.dtype(np.float64)
    if dtype.char == "e":
        raise InvalidTypeError(function, "float16 is not supported; cast to float32 with astype")
    return tuple(astype(x, dtype, copy=False) for x in arrays)


def in_order_of(queue: Queue, function: str, work: Callable[[], Any]) -> Any:
    """What work() returns or raises, called on the host in the queue's order; blocks until then."""
    outcome: list[tuple[Any, BaseException | None]] = []

    def task() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as error:
            outcome.append((None, error))

    queue.submit_host(task).wait()
    result, error = outcome.pop()
    if isinstance(error, np.linalg.LinAlgError):
        raise LinAlgError(function, str(error)) from None
    if error is not None:
        raise error
    return result


@functools.cache
def _module(name: str) -> Any:
    return importlib.import_module(name, __package__)


class HostCall:
    """One call of a library on the host: arguments placed and checked, work done, results wrapped.

    The work reads the arrays' own memory; only where the host cannot see it are they copied.
    """

    def __init__(self, function: str, *arguments: Any, queue: Any = None) -> None:
        self.function = function
        self.in_place = True  # what run() hands over is the arrays' own memory
        self.queue, self.usm_type, self.arrays = place(function, arguments, queue)

    def matrices(self, *names: str, square: bool = False) -> HostCall:
        """Checks that arguments are stacks of (square) matrices and gives all one floating dtype.

        ``names`` are those of the first arguments; LinAlgError, InvalidTypeError.
        """
        for name, x in zip(names, self.arrays, strict=False):
            if x.ndim < 2:
                raise LinAlgError(
                    self.function, f"{name} has {x.ndim} dimensions; a matrix has two or more"
                )
            if square and x.shape[-1] != x.shape[-2]:
                raise LinAlgError(
                    self.function, f"{name} has shape {x.shape}; its last two axes must be equal"
                )
        self.arrays = computable(self.function, self.arrays)
        return self

    def device_module(self, name: str) -> Any:
        """The module of that name for the device's own library, if it takes the call; or None.

        Then all arrays are of the result's USM type.
        """
        module = self._device_module(name)
        if module is None or not module.takes(self.arrays):
            return None
        self._unify()
        return module

    def _device_module(self, name: str) -> Any:
        package = _PACKAGES.get(self.queue.backend)
        if package is None or any(x.size == 0 for x in self.arrays):
            return None
        return _module(f".{package}.{name}")

    def _unify(self) -> None:
        self.arrays = tuple(asarray(x, usm_type=self.usm_type) for x in self.arrays)

    def matrix_library(self) -> Any:
        """The device's own LAPACK, a MatrixLibrary, if it takes the call; or None."""
        module = self._device_module("lapack")
        library = module and module.library_for(self.function, self.arrays)
        if not library:
            return None
        self._unify()
        return library(self.function, self.arrays[0])

    def run(self, work: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """work(*memory of the arrays, *arguments, **keywords), as NumPy returned it."""
        views = [self._view(x) for x in self.arrays]
        return in_order_of(self.queue, self.function, lambda: work(*views, *arguments, **keywords))

    def _view(self, x: Array) -> np.ndarray:
        """The array's memory once it is written; a copy where the host cannot see it."""
        try:
            return np.asarray(x)
        except ExchangeError:
            self.in_place = False
            return asnumpy(x)

    def array(self, result: Any) -> Array:
        """A NumPy result as an array of the call's queue and USM type."""
        return asarray(np.asarray(result), queue=self.queue, usm_type=self.usm_type)

    def __call__(self, work: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """run(), with arrays in place of NumPy's: one, or a tuple as long as the work returned."""
        result = self.run(work, *arguments, **keywords)
        if isinstance(result, tuple):
            return tuple(self.array(item) for item in result)
        return self.array(result)
