"""hither's modules, functions, kernels and queues in pickles: names, as those of other packages."""

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
    """For modules of classes of their own, which pickle and cloudpickle do not know."""
    return importlib.import_module, (module.__name__,)


def _named(module: str, name: str) -> Any:
    return operator.attrgetter(name)(importlib.import_module(module))


@functools.lru_cache  # so that a worker that gets it with each task compiles it once
def _defined(content: bytes) -> KernelDispatcher:
    from .._kernel.language.decorator import _make

    return _make(*pickle.loads(content))


def _kernel(kernel: KernelDispatcher) -> tuple[Any, ...]:
    """The name of one in an importable module; of others the definition, as cloudpickle has it."""
    function = kernel.py_func
    module, name = function.__module__, function.__qualname__
    try:
        found = operator.attrgetter(name)(sys.modules.get(module))
    except AttributeError:
        found = None
    if found is kernel and module != "__main__":
        return _named, (module, name)
    if kernel.options is None:
        raise pickle.PicklingError(f"{name} is of a library; load that where it is needed")
    from numba import cloudpickle

    return _defined, (cloudpickle.dumps((function, kernel.options)),)


copyreg.pickle(type(asarray), operator.attrgetter("__qualname__"))  # nanobind's functions
copyreg.pickle(KernelDispatcher, _kernel)


def _restored_queue(device: Device, in_order: bool, profiling: bool, is_default: bool) -> Queue:
    if is_default:
        return default_queue(device)
    return Queue(device, in_order=in_order, enable_profiling=profiling)


def _queue(queue: Queue) -> tuple[Any, ...]:
    """The device by its name, and the properties: a new queue in the device's default context, or
    the device's default queue. Contexts belong to a process and have no names."""
    device = queue.device
    is_default = queue == default_queue(device)
    return _restored_queue, (device, queue.in_order, queue.enable_profiling, is_default)


def _same(queue: Queue, memo: Any = None) -> Queue:
    """A copy of a queue is the queue: work and memory belong to it."""
    return queue


Queue.__copy__ = Queue.__deepcopy__ = _same  # type: ignore[attr-defined]
copyreg.pickle(Queue, _queue)
