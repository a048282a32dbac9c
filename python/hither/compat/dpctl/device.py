"""dpctl.SyclDevice and the functions that find devices."""

from __future__ import annotations

import enum
import functools
from collections.abc import Iterable
from typing import Any

import hither

SyclDevice = hither.Device


def _name(value: Any) -> str:
    return value.name if isinstance(value, enum.Enum) else str(value)


def get_devices(backend: Any = "all", device_type: Any = "all") -> list[hither.Device]:
    """Root devices of a back end and a type, both "all" by default."""
    wanted_backend, wanted_type = _name(backend), _name(device_type)
    return [
        device
        for device in hither.devices()
        if wanted_backend in ("all", device.backend)
        and wanted_type in ("all", "automatic", device.device_type)
    ]


def get_composite_devices() -> list[hither.Device]:
    """Composite devices. hither lists none."""
    return []


def get_device_cached_queue(device: Any) -> hither.Queue:
    """The cached default queue of a device, or of (context, device)."""
    if isinstance(device, tuple):
        return _queue_in(*device)
    return hither.default_queue(device)


@functools.lru_cache
def _queue_in(context: hither.Context, device: hither.Device) -> hither.Queue:
    return hither.Queue(context, device)


def get_num_devices(backend: Any = "all", device_type: Any = "all") -> int:
    """The number of devices that get_devices() returns."""
    return len(get_devices(backend, device_type))


def has_cpu_devices() -> bool:
    """Whether there is a CPU device."""
    return bool(get_devices(device_type="cpu"))


def has_gpu_devices() -> bool:
    """Whether there is a GPU."""
    return bool(get_devices(device_type="gpu"))


def has_accelerator_devices() -> bool:
    """Whether there is an accelerator."""
    return bool(get_devices(device_type="accelerator"))


# The names that dpctl had before 0.5.
has_cpu_queues = has_cpu_devices
has_gpu_queues = has_gpu_devices


def select_default_device() -> hither.Device:
    """The default device."""
    return hither.Device()


def select_cpu_device() -> hither.Device:
    """The first CPU device. Raises ValueError if there is none."""
    return hither.Device("cpu")


def select_gpu_device() -> hither.Device:
    """The first GPU. Raises ValueError if there is none."""
    return hither.Device("gpu")


def select_accelerator_device() -> hither.Device:
    """The first accelerator. Raises ValueError if there is none."""
    return hither.Device("accelerator")


def select_device_with_aspects(
    required_aspects: str | Iterable[str], excluded_aspects: str | Iterable[str] = ()
) -> hither.Device:
    """The first device with the required aspects and without the excluded ones. Raises ValueError
    if there is none."""
    required = _listed(required_aspects)
    excluded = _listed(excluded_aspects)
    for device in hither.devices():
        if all(map(device.has_aspect, required)) and not any(map(device.has_aspect, excluded)):
            return device
    raise hither.InvalidValueError(
        "select_device_with_aspects", f"no device has {required} without {excluded}"
    )


def _listed(aspects: str | Iterable[str]) -> list[str]:
    return [aspects] if isinstance(aspects, str) else list(aspects)
