"""dpctl.tensor.Device, the type of an array's ``device``."""

from __future__ import annotations

from typing import Any

import hither
from hither._hither import DeviceOfQueue
from hither.compat._look_alike import LookAlike

__all__ = ["Device"]


class Device(metaclass=LookAlike):
    """The device of a queue. ``Device.create_device(x)`` accepts the values of ``device=``."""

    stands_for: type = DeviceOfQueue

    def __new__(cls) -> Any:
        raise hither.InvalidTypeError("Device", "has no constructor; use Device.create_device()")

    @classmethod
    def create_device(cls, device: Any = None) -> Any:
        """The device of a queue, of a root device's default queue, or of the default queue."""
        if isinstance(device, DeviceOfQueue):
            return device
        if isinstance(device, hither.Device) and not device.is_root:
            raise hither.InvalidValueError(
                "device", f"{device} is a sub-device; give a queue on it instead"
            )
        return hither.empty(0, device=device).device
