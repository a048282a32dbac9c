"""Calls of libraries that compute on the host: NumPy's LAPACK, pocketfft, SciPy.

A call chooses its library here. NVIDIA GPUs and SYCL devices have libraries that compute on the
device: :mod:`hither._libraries.cuda` and :mod:`hither._libraries.onemkl`.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither
from .._array.dtypes import result_type
from .._array.manipulation import byte_strides
from .._hither import Array, asarray, asnumpy, astype, borrowed_host_data, refuse_recording
from .._names import a_type
from ..errors import ExchangeError, InvalidTypeError, LinAlgError, PlacementError
from . import host_stacks
from .small_matrices import SmallMatrices, small_matrices

if TYPE_CHECKING:
    from .._hither import Queue

__all__ = ["HostCall", "computable", "has_memory", "in_order_of", "place"]


# Back end -> the package with the libraries of its devices.
_PACKAGES = {"cuda": "cuda", "opencl": "onemkl", "level_zero": "onemkl"}
# Elements of an array of the built-in CPU device of which a copy takes less time than a view.
_COPIED = 1024
_STRONGEST_FIRST = ("device", "shared", "host")


def has_memory(argument: Any) -> bool:
    """Whether the argument is an array of hither or another package."""
    return (
        isinstance(argument, (Array, np.ndarray))
        or hasattr(argument, "__sycl_usm_array_interface__")
        or hasattr(argument, "__cuda_array_interface__")
    )


def _corner(array: Any) -> Any:
    """An empty part of an array. It has the array's placement, and computing it costs nothing."""
    return array[(slice(0, 0),) * array.ndim]


def place(function: str, arguments: tuple, queue: Any) -> tuple[Queue, Any, tuple[Array, ...]]:
    """The queue of a function of these arrays, the USM type of its result, and the arrays on that
    queue.

    The rules are those of placement. Raises PlacementError if the arrays disagree, if ``queue``
    cannot access them, or if they are on the host and there is neither ``queue`` nor a device
    context.
    """
    if queue is None and (found := _shared_place(arguments)):
        return (*found, arguments)
    arrays = tuple(map(_seen, arguments))
    parts = [_corner(x) if has_memory(x) else x for x in arrays]
    try:
        # The core decides placement: these additions of empty arrays query it.
        nodes = [_hither.add(parts[0], part, queue=queue) for part in parts[1:] or parts]
    except (PlacementError, InvalidTypeError) as error:
        message = error.message
        if len(arguments) == 1:
            message = re.sub(r"\bx1\b|\bx2\b", "x", message)
        raise type(error)(function, message) from None
    for x in arrays:
        if not has_memory(x) and not isinstance(x, np.generic):
            gather = "; gather it with hither.gather(x)" if hasattr(x, "_is_sharded") else ""
            raise InvalidTypeError(function, f"takes arrays, not {a_type(x)}{gather}")
    where = nodes[0].queue
    return where, _strongest(nodes), tuple(asarray(x, queue=where) for x in arrays)


def _shared_place(arguments: tuple) -> tuple[Queue, Any] | None:
    """The queue and USM type of arrays, or None if they are not all of one queue."""
    first = arguments[0]
    if not isinstance(first, Array):
        return None
    home, usm_type = first.queue, first.usm_type
    for x in arguments[1:]:
        if not isinstance(x, Array) or x.queue != home:
            return None
        if x.usm_type != usm_type:
            usm_type = _strongest(arguments)
    return home, usm_type


def _strongest(arrays: Iterable[Array]) -> Any:
    kinds = {x.usm_type for x in arrays}
    return next(kind for kind in _STRONGEST_FIRST if kind in kinds)


def _seen(argument: Any) -> Any:
    """The argument as a hither or NumPy array over the same memory, if it is an array."""
    if isinstance(argument, (Array, np.ndarray, np.generic)):
        return argument
    if has_memory(argument):
        return asarray(argument)
    try:
        return np.asarray(memoryview(argument))
    except TypeError:
        return argument


def computable(function: str, arrays: tuple[Array, ...]) -> tuple[Array, ...]:
    """The arrays in the floating dtype that they promote to. Integers become float64."""
    dtype = arrays[0].dtype
    if dtype.char in "fdFD" and all(x.dtype == dtype for x in arrays[1:]):
        return arrays
    dtype = result_type(*arrays)
    if dtype.kind in "biu":
        dtype = np.dtype(np.float64)
    if dtype.char not in "fdFD":
        raise InvalidTypeError(function, f"{dtype} is not supported; cast to float32 with astype")
    return tuple(astype(x, dtype, copy=False) for x in arrays)


def in_order_of(queue: Queue, function: str, work: Callable[[], Any]) -> Any:
    """Calls work() on the host in the queue's order, waits, and returns or raises its outcome."""
    outcome: list[tuple[Any, BaseException | None]] = []

    def task() -> None:
        try:
            outcome.append((work(), None))
        except BaseException as error:
            outcome.append((None, error))

    task.__name__ = function  # for profiles
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


class _Borrowed:
    """The elements of an array for a call. The array does not escape, so that later work on it is
    what it would be without the call."""

    def __init__(self, x: Array) -> None:
        # HITHER_STRICT_USM=1 keeps memory of the built-in CPU device from programs, not from the
        # libraries that compute for the device.
        address, self._owner = borrowed_host_data(x, own=x.queue.backend == "native_cpu")
        self.__array_interface__ = {
            "version": 3, "shape": x.shape, "typestr": x.dtype.str, "strides": byte_strides(x),
            "data": (address, False),
        }  # fmt: skip


class HostCall:
    """A call of a library on the host: places and checks arguments, runs it, and wraps results.

    The library reads the arrays' memory directly. Arrays are copied only if the host cannot access
    them, or if they are small.
    """

    def __init__(self, function: str, *arguments: Any, queue: Any = None) -> None:
        refuse_recording(f"{function} calls a library")
        self.function = function
        self.in_place = True  # run() passes the arrays' memory; set to False where it copies one
        self._may_copy = all(isinstance(x, Array) for x in arguments)
        self.queue, self.usm_type, self.arrays = place(function, arguments, queue)

    def matrices(self, *names: str, square: bool = False) -> HostCall:
        """Checks that arguments are stacks of (square) matrices and converts all to one floating
        dtype.

        ``names`` are the names of the first arguments. Raises LinAlgError or InvalidTypeError.
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
        """The module of this name for the device's library if it supports the call, else None.

        If there is one, all arrays get the result's USM type.
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
        """The device's LAPACK, a MatrixLibrary, if it supports the call, else None."""
        module = self._device_module("lapack")
        library = module and module.library_for(self.function, self.arrays)
        if not library:
            return None
        self._unify()
        return library(self.function, self.arrays[0])

    def small_matrices(self) -> SmallMatrices | None:
        """The device library's functions of small square matrices, if they suit the call."""
        found = small_matrices(self.function, self.arrays)
        if found:
            self._unify()
            found.arrays = self.arrays
        return found

    def run(self, work: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """Returns work(*memory of the arrays, *arguments, **keywords), with NumPy arrays."""
        views = [self._view(x) for x in self.arrays]
        return in_order_of(self.queue, self.function, lambda: work(*views, *arguments, **keywords))

    def _view(self, x: Array) -> np.ndarray:
        """The array's memory after pending writes, or a copy if the host cannot access it, or if
        the copy takes less time. Arrays of other packages are read in place."""
        is_small = x.size <= _COPIED and x.queue.backend == "native_cpu"
        if self._may_copy and is_small and x.flags.c_contiguous:
            self.in_place = False
            return asnumpy(x)
        try:
            return np.asarray(_Borrowed(x))
        except ExchangeError:
            self.in_place = False
            return asnumpy(x)

    def array(self, result: Any) -> Array:
        """Converts a NumPy result to an array of the call's queue and USM type."""
        return asarray(np.asarray(result), queue=self.queue, usm_type=self.usm_type)

    def __call__(self, work: Callable[..., Any], *arguments: Any, **keywords: Any) -> Any:
        """run() with results converted to hither's arrays: an array, or a tuple of arrays."""
        result = self.run(work, *arguments, **keywords)
        if isinstance(result, tuple):
            return tuple(self.array(item) for item in result)
        return self.array(result)

    def of_stack(self, work: Callable[[np.ndarray], Any]) -> Any:
        """The call of work(a), which has a result for each matrix of the stack a. Several threads
        of the host compute a large stack of small matrices."""
        if host_stacks.is_one_small(self.arrays[0]):
            return self(work)
        threads = host_stacks.threads_of(self.queue)
        return self(lambda a: host_stacks.computed(work, a, threads))
