"""Pickles of hither's modules, functions, kernels and queues, by name where they have one."""

from __future__ import annotations

import copyreg
import functools
import importlib
import operator
import pickle
import sys
import types
from typing import Any

from .._hither import Device, KernelDispatcher, Queue, asarray, default_queue

__all__: list[str] = []


def module_by_name(module: types.ModuleType) -> tuple[Any, ...]:
    """The __reduce__ of modules with special classes, which pickle does not support."""
    return importlib.import_module, (module.__name__,)


def _named(module: str, name: str) -> Any:
    return operator.attrgetter(name)(importlib.import_module(module))


@functools.lru_cache  # so that a worker that gets the kernel with each task compiles it once
def _defined(content: bytes) -> KernelDispatcher:
    from .._kernel.language.decorator import _make

    return _make(*pickle.loads(content))


def _kernel(kernel: KernelDispatcher) -> tuple[Any, ...]:
    """Pickles a kernel in an importable module by name, and others by their definition."""
    function = kernel.py_func
    module, name = function.__module__, function.__qualname__
    try:
        found = operator.attrgetter(name)(sys.modules.get(module))
    except AttributeError:
        found = None
    if found is kernel and module != "__main__":
        return _named, (module, name)
    if kernel.options is None:
        raise pickle.PicklingError(
            f"{name} belongs to a kernel library; load the library in each process"
        )
    from numba import cloudpickle

    return _defined, (cloudpickle.dumps((function, kernel.options)),)


copyreg.pickle(type(asarray), operator.attrgetter("__qualname__"))  # nanobind's functions
copyreg.pickle(KernelDispatcher, _kernel)


def _restored_queue(device: Device, in_order: bool, profiling: bool, is_default: bool) -> Queue:
    if is_default:
        return default_queue(device)
    return Queue(device, in_order=in_order, enable_profiling=profiling)


def _queue(queue: Queue) -> tuple[Any, ...]:
    """Pickles a queue as the device's name and the properties. It is restored as the device's
    default queue, or as a new queue in the device's default context, because contexts belong to a
    process and have no names."""
    device = queue.device
    is_default = queue == default_queue(device)
    return _restored_queue, (device, queue.in_order, queue.enable_profiling, is_default)


def _same(queue: Queue, memo: Any = None) -> Queue:
    """A copy of a queue is the queue itself, because work and memory belong to it."""
    return queue


Queue.__copy__ = Queue.__deepcopy__ = _same  # type: ignore[attr-defined]
copyreg.pickle(Queue, _queue)
