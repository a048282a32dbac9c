"""The names of numba.cuda that have a meaning on any device. Porting a kernel changes one import.

    from hither.compat import numba_cuda as cuda        # was: from numba import cuda

x is the contiguous dimension, which is hither's last. Grids are launched as ranges of three
dimensions, with z outermost. Kernels run on the queue of their arrays (computation follows data).
NumPy arrays are copied to the current device and back.
"""

from __future__ import annotations

import functools
import operator
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

import hither
from hither._kernel.language import local as shared
from hither._kernel.language import private as local
from hither._kernel.language.bits import brev, clz, ffs, popc
from hither._kernel.language.cuda_names import (
    blockDim,
    blockIdx,
    grid,
    gridDim,
    gridsize,
    laneid,
    syncthreads_and,
    syncthreads_count,
    syncthreads_or,
    threadIdx,
    warpsize,
)
from hither._kernel.language.cuda_warp import (
    all_sync,
    any_sync,
    ballot_sync,
    shfl_down_sync,
    shfl_sync,
    shfl_up_sync,
    shfl_xor_sync,
    syncwarp,
)
from hither._names import did_you_mean

from ._numba_cuda_remedies import REMEDIES

__all__ = [
    "Event",
    "Kernel",
    "Stream",
    "all_sync",
    "any_sync",
    "as_cuda_array",
    "atomic",
    "ballot_sync",
    "blockDim",
    "blockIdx",
    "brev",
    "clz",
    "const",
    "current_context",
    "device_array",
    "device_array_like",
    "event",
    "event_elapsed_time",
    "ffs",
    "get_current_device",
    "gpus",
    "grid",
    "gridDim",
    "gridsize",
    "is_available",
    "jit",
    "laneid",
    "list_devices",
    "local",
    "pinned_array",
    "popc",
    "select_device",
    "shared",
    "shfl_down_sync",
    "shfl_sync",
    "shfl_up_sync",
    "shfl_xor_sync",
    "stream",
    "synchronize",
    "syncthreads",
    "syncthreads_and",
    "syncthreads_count",
    "syncthreads_or",
    "syncwarp",
    "threadIdx",
    "threadfence",
    "threadfence_block",
    "to_device",
    "warpsize",
]

atomic = hither.atomic
const = hither.constant
syncthreads: Any = hither.barrier


@hither.device_func
def threadfence():
    """Orders memory accesses for the whole device."""
    hither.atomic_fence(hither.MemoryOrder.ACQ_REL, hither.MemoryScope.DEVICE)


@hither.device_func
def threadfence_block():
    """Orders memory accesses for the work-group."""
    hither.atomic_fence(hither.MemoryOrder.ACQ_REL, hither.MemoryScope.WORK_GROUP)


def _three(size: Any) -> tuple[int, int, int]:
    """Converts CUDA's (x, y, z), or fewer sizes, to hither's (z, y, x)."""
    given = tuple(size) if isinstance(size, Sequence) else (size,)
    refusal = f"{size!r} is not a size: give one to three ints"
    if not 1 <= len(given) <= 3:
        raise hither.InvalidValueError("kernel", refusal)
    try:
        x, y, z = map(operator.index, (*given, 1, 1)[:3])
    except TypeError:
        raise hither.InvalidTypeError("kernel", refusal) from None
    return z, y, x


class Kernel:
    """Made by `@cuda.jit`: `kernel[blocks, threads](...)`, `kernel[blocks, threads, stream]`."""

    def __init__(self, function: Callable, signature: Any = None, **options: Any) -> None:
        decorate = hither.kernel(signature, **options) if signature else hither.kernel(**options)
        self.hither_kernel: Any = decorate(function)
        self.py_func = function
        functools.update_wrapper(self, function)

    def __getitem__(self, configuration: tuple[Any, ...]) -> Callable[..., None]:
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise hither.InvalidValueError("kernel", "is launched as kernel[blocks, threads](...)")
        blocks, threads = (_three(size) for size in configuration[:2])
        queue = configuration[2] if len(configuration) > 2 else None
        if len(configuration) == 4 and configuration[3]:
            raise hither.UnsupportedError(
                "kernel", "dynamic shared memory must be an argument: pass a hither.LocalAccessor"
            )
        total = tuple(b * t for b, t in zip(blocks, threads, strict=True))
        whole = hither.NdRange(hither.Range(*total), hither.Range(*threads))
        return functools.partial(self._launch, whole, queue or None)

    def forall(self, count: int, tpb: int = 0, stream: Any = None, sharedmem: int = 0) -> Callable:
        """Launches over `count` items or a few more, as CUDA does: test the index."""
        threads = tpb or min(max(count, 1), 128)
        return self[-(-count // threads), threads, stream, sharedmem]

    def _launch(self, whole: Any, queue: Any, *arguments: Any) -> None:
        on_host = any(isinstance(a, np.ndarray) for a in arguments)
        on_device = any(isinstance(a, hither.Array) for a in arguments)
        if on_host and on_device:
            self._launch_mixed(whole, queue, arguments)
            return
        if not any(isinstance(a, (hither.Array, tuple)) for a in arguments):
            queue = queue or hither.current_queue()  # no argument has a queue
        hither.launch(self.hither_kernel, whole, *arguments, queue=queue)

    def _launch_mixed(self, whole: Any, queue: Any, arguments: tuple) -> None:
        """Launches with NumPy arrays among device arrays, as numba.cuda allows. They are copied to
        the device and back."""
        target = queue or next(a.queue for a in arguments if isinstance(a, hither.Array))
        staged = [
            hither.asarray(a, queue=target, copy=True) if isinstance(a, np.ndarray) else a
            for a in arguments
        ]
        hither.launch(self.hither_kernel, whole, *staged, queue=queue)
        for host, copy in zip(arguments, staged, strict=True):
            if isinstance(host, np.ndarray) and host.flags.writeable:
                host[...] = hither.asnumpy(copy)

    def __call__(self, *arguments: Any) -> None:
        raise hither.InvalidValueError("kernel", "is launched as kernel[blocks, threads](...)")

    def inspect_llvm(self) -> dict[str, str]:
        """The optimised LLVM IR for the argument types of all calls."""
        return self.hither_kernel.inspect_llvm()

    def inspect_asm(self) -> dict[str, str]:
        """The assembly for the argument types of all calls."""
        return self.hither_kernel.inspect_asm()


_KEPT = ("debug", "fastmath", "cache", "fma")


def jit(function: Any = None, *, device: bool = False, **options: Any) -> Any:
    """Decorator that makes a kernel, or with `device=True` a function that kernels call.

    It takes a signature as text, or a list of signatures. Options of NVIDIA's compiler
    (`max_registers`, `lineinfo`, `opt`, `inline` ...) have no effect.
    """
    kept = {name: options[name] for name in _KEPT if name in options}
    if callable(function):
        return hither.device_func(function) if device else Kernel(function, **kept)
    if device:
        return hither.device_func(function) if function else hither.device_func
    return functools.partial(Kernel, signature=function, **kept)


def to_device(array: Any, stream: Any = None, copy: bool = True, to: Any = None) -> Any:
    """A copy of a NumPy array on the current device, or on `stream`. Its `copy_to_host()` copies it
    back. If `to` is given, the copy is written to it."""
    if to is not None:
        to.copy_to_device(array)
        return to
    return hither.asarray(array, queue=stream or None, copy=True)


def device_array(shape: Any, dtype: Any = np.float64, order: str = "C", stream: Any = None) -> Any:
    """An array of undefined content on the current device."""
    if order != "C":
        raise hither.UnsupportedError("device_array", "only C order is supported")
    return hither.empty(shape, dtype=dtype, queue=stream or None)


def device_array_like(array: Any, stream: Any = None) -> Any:
    """An array of undefined content with the shape and dtype of another."""
    return device_array(array.shape, array.dtype, stream=stream)


def pinned_array(shape: Any, dtype: Any = np.float64) -> Any:
    """A NumPy array in USM host memory, which devices can access."""
    return np.asarray(hither.empty(shape, dtype=dtype, usm_type="host"))


def as_cuda_array(array: Any) -> Any:
    """An array over the memory of an object that exports it, without a copy."""
    return hither.asarray(array, copy=False)


class Stream(hither.Queue):
    """An in-order queue, accepted wherever hither takes a queue."""

    def synchronize(self) -> None:
        """Waits for the submitted work. Raises the error of a failed kernel."""
        self.wait()

    @contextmanager
    def auto_synchronize(self):
        """A context manager that waits for the stream at the end of the block."""
        yield self
        self.wait()


def stream() -> Stream:
    """A new in-order queue on the current device."""
    return Stream(hither.current_queue().device)


class Event:
    """A point in the order of a stream. Its time is the host's time when the stream reaches it."""

    def __init__(self) -> None:
        self._reached = hither.Event()
        self._seconds: float | None = None

    def _note(self) -> None:
        self._seconds = time.perf_counter()

    def record(self, stream: Any = None) -> None:
        """Marks the end of what was submitted to `stream` (default: the current queue) so far."""
        self._reached = (stream or hither.current_queue()).submit_host(self._note)

    def query(self) -> bool:
        """Whether the stream has reached the event."""
        return self._reached.is_complete

    def synchronize(self) -> None:
        """Blocks until the stream reaches the event."""
        self._reached.wait()

    def wait(self, stream: Any = None) -> None:
        """Orders later work of `stream` after the event, without blocking."""
        (stream or hither.current_queue()).submit_barrier(depends_on=[self._reached])

    def elapsed_time(self, end: Event) -> float:
        """Milliseconds from this event to `end`. Blocks until both are reached."""
        return (end._when() - self._when()) * 1e3

    def _when(self) -> float:
        self.synchronize()
        if self._seconds is None:
            raise hither.InvalidValueError("elapsed_time", "an event was not recorded")
        return self._seconds


def event(timing: bool = True) -> Event:
    """A new event. All events record their time."""
    return Event()


def event_elapsed_time(start: Event, end: Event) -> float:
    """start.elapsed_time(end)."""
    return start.elapsed_time(end)


def synchronize() -> None:
    """Waits for the current queue. Raises the error of a failed kernel."""
    hither.current_queue().wait()


def is_available() -> bool:
    """True, because there is always a device."""
    return True


def get_current_device() -> hither.Device:
    """The device of the current queue."""
    return hither.current_queue().device


current_context = get_current_device


class select_device:  # noqa: N801 - numba.cuda's name
    """Makes the device of this index current in this thread: ``cuda.select_device(1)``.

    As a context manager, ``with cuda.select_device(1) as device:``, it does so for the block. Index
    0 is the first device of the current device's kind: on a machine with GPUs, the first GPU.
    """

    def __init__(self, index: int) -> None:
        devices = _devices_of_this_kind()
        try:
            number = operator.index(index)
        except TypeError:
            raise hither.InvalidTypeError(
                "select_device", f"index is {index!r}; pass an int"
            ) from None
        if not 0 <= number < len(devices):
            shown = ", ".join(d.filter_string for d in devices)
            raise hither.InvalidValueError(
                "select_device", f"index is {number}, and the devices are {shown}"
            )
        self.device: hither.Device = devices[number]
        self._context = hither.device_context(self.device)
        self._context.__enter__()

    def __enter__(self) -> hither.Device:
        return self.device

    def __exit__(self, *raised: Any) -> None:
        self._context.__exit__(None, None, None)


def _devices_of_this_kind() -> list[hither.Device]:
    default = hither.Device()
    kind = (default.backend, default.device_type)
    return [d for d in hither.devices() if (d.backend, d.device_type) == kind]


class _Gpu:
    """A device that `with` makes current. It has the attributes of hither.Device."""

    def __init__(self, index: int, device: hither.Device) -> None:
        self.id = index
        self.device = device
        self._contexts: list[Any] = []

    def __enter__(self) -> _Gpu:
        self._contexts.append(hither.device_context(self.device))
        self._contexts[-1].__enter__()
        return self

    def __exit__(self, *raised: Any) -> None:
        self._contexts.pop().__exit__(None, None, None)

    def __getattr__(self, name: str) -> Any:
        if name == "device" or name.startswith("__"):  # of a copy that is being made
            raise AttributeError(name)
        return getattr(self.device, name)

    def __repr__(self) -> str:
        return f"<gpus[{self.id}]: {self.device!r}>"


class _Gpus(Sequence):
    """The devices that select_device counts: ``with cuda.gpus[1]: ...``."""

    def __len__(self) -> int:
        return len(_devices_of_this_kind())

    def __getitem__(self, index: Any) -> Any:
        found = [_Gpu(i, device) for i, device in enumerate(_devices_of_this_kind())]
        return found[index]

    def __repr__(self) -> str:
        return f"[{', '.join(map(repr, self))}]"


gpus = _Gpus()


def list_devices() -> _Gpus:
    """The devices that select_device counts, as `gpus`."""
    return gpus


def __getattr__(name: str) -> Any:
    message = f"module {__name__!r} has no attribute {name!r}"
    if name in REMEDIES:
        message += f"; {REMEDIES[name]}"
    elif not name.startswith("_"):
        message += did_you_mean(name, __all__)
    raise AttributeError(message)
