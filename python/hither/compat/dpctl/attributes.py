"""Attributes of dpctl's objects that hither's classes do not have.

``queue.sycl_device`` is a hither.Device, so it needs the attributes of dpctl's devices. install()
adds these attributes to hither's classes, and uninstall() removes them. If hither has an attribute
of this name, the value for dpctl's programs is compatible with hither's (an enumeration's member
that is a str, an event that is complete).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import hither
from hither._array.manipulation import element_strides
from hither._hither import DeviceOfQueue, memory_over
from hither.compat import _flavour
from hither.compat.dpctl import dlpack, program, references
from hither.compat.dpctl import memory as usm
from hither.compat.dpctl.enum_types import (
    backend_type,
    device_type,
    event_status_type,
    global_mem_cache_type,
)
from hither.compat.dpctl.operators import OPERATORS
from hither.compat.dpctl.platform import SyclPlatform
from hither.compat.dpctl.tensor.device import Device

__all__ = ["give", "take_back"]

_HAD = {
    name: vars(cls)[name]
    for cls, name in (
        (hither.Device, "backend"),
        (hither.Device, "device_type"),
        (hither.Queue, "prefetch"),
        (hither.Array, "strides"),
        (hither.Array, "__setitem__"),
    )
}


def _root_of(device: hither.Device) -> hither.Device:
    while (parent := device.parent_device) is not None:
        device = parent
    return device


def _index(device: hither.Device, *words: str) -> int:
    """The index that selects a root device among those that `words` select."""
    texts = (":".join([*words, str(i)]) for i in range(len(hither.devices())))
    return next(i for i, text in enumerate(texts) if hither.Device(text) == device)


def _position(device: hither.Device) -> int:
    return _index(_root_of(device))


def _filter_string(
    device: hither.Device,
    include_backend: bool = True,
    include_device_type: bool = True,
    use_caching: bool = True,
) -> str:
    """The filter string, or its selected parts with the device's index among their matches."""
    if not device.is_root:
        raise hither.InvalidTypeError("get_filter_string", "a sub-device has no filter string")
    words = []
    if include_backend:
        words.append(str(device.backend))
    if include_device_type:
        words.append(str(device.device_type))
    return ":".join([*words, str(_index(device, *words))])


def _other_device(where: str, device: hither.Device, other: Any) -> None:
    if not isinstance(other, hither.Device):
        raise hither.InvalidTypeError(where, f"{other!r} is not a device")
    if device == other:
        raise hither.InvalidValueError(where, "both are the same device")


def _can_access_peer(device: hither.Device, peer: Any, value: str = "access_supported") -> bool:
    """Whether kernels of the device can access memory of another device. hither does not support
    it."""
    if not isinstance(value, str):
        raise hither.InvalidTypeError("value", f"{value!r} is not a str")
    if value not in ("access_supported", "atomics_supported"):
        raise hither.InvalidValueError(
            "value", f'{value!r} is neither "access_supported" nor "atomics_supported"'
        )
    if not isinstance(peer, hither.Device):
        raise hither.InvalidTypeError("can_access_peer", f"{peer!r} is not a device")
    return False


def _no_peer_access(name: str) -> Callable[[hither.Device, Any], None]:
    def refuse(device: hither.Device, peer: Any) -> None:
        _other_device(name, device, peer)
        raise hither.UnsupportedError(name, "hither does not support access between devices")

    return refuse


def _cache_type(device: hither.Device) -> global_mem_cache_type:
    return global_mem_cache_type(str(device.info("global_mem_cache_type")))


def _image_limit(name: str) -> Callable[[hither.Device], int]:
    """dpctl's image_2d_max_width is SYCL's image2d_max_width, or 0 if images are not supported."""

    def limit(device: hither.Device) -> int:
        value = device.info(name) if name in device.info_names else 0
        return value if isinstance(value, int) else 0

    return limit


def _memcpy(queue: hither.Queue, dest: Any, src: Any, count: Any = None, **rest: Any) -> Any:
    """hither's copy(), followed by a wait."""
    event = queue.copy(dest, src, count, **rest)
    event.wait()
    return event


def _memcpy_async(
    queue: hither.Queue,
    dest: Any,
    src: Any,
    count: int,
    dEvents: Any = None,  # noqa: N803
) -> hither.Event:
    return queue.copy(dest, src, count, depends_on=dEvents)


def _advise(queue: hither.Queue, mem: Any, count: int, advice: int) -> hither.Event:
    """Has no effect, because hither does not support memory advice."""
    if not isinstance(mem, hither.Memory):
        raise hither.InvalidTypeError("mem_advise", f"{type(mem).__name__} is not USM memory")
    return queue.submit_barrier()


def _prefetch(queue: hither.Queue, mem: Any, count: int = 0, **rest: Any) -> hither.Event:
    """hither's prefetch() of the whole memory, followed by a wait."""
    event = _HAD["prefetch"](queue, mem, **rest)
    event.wait()
    return event


def _usm_type(memory: hither.Memory, syclobj: Any = None) -> str:
    if syclobj is None:
        return memory.usm_type
    if not isinstance(syclobj, hither.Queue | hither.Context):
        raise hither.InvalidTypeError("syclobj", f"{syclobj!r} is neither a queue nor a context")
    return hither.get_usm_type(memory.pointer, syclobj)


def _usm_type_enum(memory: hither.Memory, syclobj: Any = None) -> int:
    return ("unknown", "device", "shared", "host").index(_usm_type(memory, syclobj))


def _address(x: hither.Array) -> int:
    return x.__sycl_usm_array_interface__["data"][0]


def _byte_bounds(x: hither.Array) -> tuple[int, int]:
    memory = memory_over(x)
    return memory.pointer, memory.pointer + memory.nbytes


def _element_offset(x: hither.Array) -> int:
    return (_address(x) - memory_over(x).pointer) // x.itemsize


def _set_item(x: hither.Array, key: Any, value: Any) -> None:
    """A NumPy array is copied to the array's queue."""
    if isinstance(value, np.ndarray):
        value = hither.asarray(value, dtype=x.dtype, queue=x.queue)
    _HAD["__setitem__"](x, key, value)


def _device_equal(device: hither.Device, other: Any) -> bool:
    if isinstance(other, hither.Queue):
        return device.sycl_queue == other
    return hither.Device.__eq__(device, other)


_NAMES: dict[type, dict[str, Any]] = {
    hither.Device: {
        "backend": property(lambda d: backend_type(_HAD["backend"].__get__(d))),
        "device_type": property(lambda d: device_type(_HAD["device_type"].__get__(d))),
        "global_mem_cache_type": property(_cache_type),
        "image_2d_max_width": property(_image_limit("image2d_max_width")),
        "image_2d_max_height": property(_image_limit("image2d_max_height")),
        "image_3d_max_width": property(_image_limit("image3d_max_width")),
        "image_3d_max_height": property(_image_limit("image3d_max_height")),
        "image_3d_max_depth": property(_image_limit("image3d_max_depth")),
        "max_read_image_args": property(_image_limit("max_read_image_args")),
        "max_write_image_args": property(_image_limit("max_write_image_args")),
        "default_selector_score": property(lambda d: len(hither.devices()) - _position(d)),
        "is_cpu": property(lambda d: d.has_aspect("cpu")),
        "is_gpu": property(lambda d: d.has_aspect("gpu")),
        "is_accelerator": property(lambda d: d.has_aspect("accelerator")),
        "has_aspect_is_component": property(lambda d: False),
        "has_aspect_is_composite": property(lambda d: False),
        "sycl_platform": property(SyclPlatform),
        "get_filter_string": _filter_string,
        "get_device_id": _position,
        "get_unpartitioned_parent_device": _root_of,
        "can_access_peer": _can_access_peer,
        "enable_peer_access": _no_peer_access("enable_peer_access"),
        "disable_peer_access": _no_peer_access("disable_peer_access"),
    },
    hither.Context: {
        "get_devices": lambda c: c.devices,
        "addressof_ref": references.address,
        "get_context_ref": references.address,
    },
    hither.Queue: {
        "get_sycl_device": lambda q: q.device,
        "get_sycl_context": lambda q: q.context,
        "get_sycl_backend": lambda q: q.device.backend,
        "backend": property(lambda q: q.device.backend),
        "driver_version": property(lambda q: q.device.driver_version),
        "is_in_order": property(lambda q: q.in_order),
        "has_enable_profiling": property(lambda q: q.enable_profiling),
        "addressof_ref": references.address,
        "get_queue_ref": references.address,
        "print_device_info": lambda q: q.device.print_device_info(),
        "memcpy": _memcpy,
        "memcpy_async": _memcpy_async,
        "mem_advise": _advise,
        "prefetch": _prefetch,
        "submit": program.submit,
        "submit_async": program.submit_async,
        "_submit_keep_args_alive": program.keep_alive,
    },
    hither.Event: {
        "execution_status": property(lambda e: event_status_type(e.status)),
        "get_wait_list": lambda e: [],
        "profiling_info_submit": property(lambda e: e.profiling_submit),
        "profiling_info_start": property(lambda e: e.profiling_start),
        "profiling_info_end": property(lambda e: e.profiling_end),
    },
    hither.Array: {
        "asnumpy": lambda x: hither.asnumpy(x),
        "get_array": lambda x: x,  # a dpnp array contains a dpctl array
        "_array_obj": property(lambda x: x),
        "sycl_device": property(lambda x: x.queue.device),  # x.device is a DeviceOfQueue
        "usm_data": property(memory_over),
        "_pointer": property(_address),
        "_byte_bounds": property(_byte_bounds),
        "_element_offset": property(_element_offset),
        **OPERATORS,
        "__dlpack__": dlpack.export,
    },
    DeviceOfQueue: {
        "create_device": staticmethod(Device.create_device),
        "wait": lambda d: d.sycl_queue.wait(),
        "__eq__": _device_equal,
    },
    hither.Memory: {
        "size": property(lambda m: m.nbytes),
        "get_usm_type": _usm_type,
        "get_usm_type_enum": _usm_type_enum,
        "reference_obj": None,
        "_queue": property(lambda m: m.queue),
        "_context": property(lambda m: m.context),
        "__sizeof__": lambda m: m.nbytes + object.__sizeof__(m),
        "__reduce__": lambda m: (usm.restored, (m.usm_type, bytes(m))),
    },
}  # fmt: skip
# Attributes with dpctl's semantics. hither's strides are in bytes, and it wraps NumPy arrays.
_OF_FLAVOUR: dict[type, dict[str, Any]] = {
    hither.Array: {
        "strides": property(element_strides),
        "__setitem__": _set_item,
    },
}
_given: list[tuple[type, str, Any]] = []


def give() -> None:
    """Adds the attributes to hither's classes, including the flavour's. Idempotent."""
    take_back()
    tables = [_NAMES] if _flavour.current() == "seeds" else [_NAMES, _OF_FLAVOUR]
    for cls, name, value in [
        (cls, name, value)
        for table in tables
        for cls, names in table.items()
        for name, value in names.items()
    ]:
        _given.append((cls, name, vars(cls).get(name)))
        setattr(cls, name, value)


def take_back() -> None:
    """Restores the classes."""
    while _given:
        cls, name, had = _given.pop()
        if had is None:
            delattr(cls, name)
        else:
            setattr(cls, name, had)
