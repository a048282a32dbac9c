"""dpctl.SyclPlatform: the devices of one driver."""

from __future__ import annotations

import warnings
from typing import Any

import hither
from hither.compat.dpctl.enum_types import backend_type

__all__ = ["SyclPlatform", "get_platforms", "lsplatform"]


class SyclPlatform:
    """The platform of a device, of one that a filter string names, or of the default device.

    ValueError when no device matches.
    """

    def __init__(self, arg: Any = None) -> None:
        device = hither.Device(arg)
        self._of = _platform_of(device)
        self._first = next(d for d in hither.devices() if _platform_of(d) == self._of)

    @property
    def name(self) -> str:
        """The name that the driver reports."""
        return self._of[1]

    @property
    def backend(self) -> backend_type:
        """The back end that it belongs to."""
        return backend_type(self._of[0])

    @property
    def vendor(self) -> str:
        """The vendor of its devices."""
        return str(self._first.info("vendor"))

    @property
    def version(self) -> str:
        """The version of its devices."""
        return str(self._first.info("version"))

    @property
    def default_context(self) -> hither.Context:
        """The default context of its first device."""
        return self._first.default_context

    def get_devices(self, device_type: Any = "all") -> list[hither.Device]:
        """Its root devices, of one type where it is named."""
        kind = getattr(device_type, "name", device_type)
        return [
            device
            for device in hither.devices()
            if _platform_of(device) == self._of
            and kind in ("all", "automatic", str(device.device_type))
        ]

    def get_composite_devices(self) -> list[hither.Device]:
        """Composite devices. hither lists none."""
        return []

    def print_platform_info(self, verbosity: int = 0) -> None:
        """Prints name, version, vendor and back end; from verbosity 1 on its devices."""
        print(f"{self.backend.name}: {self.name}")
        for what in ("version", "vendor"):
            print(f"    {what:<10}{getattr(self, what)}")
        if verbosity > 0:
            for device in self.get_devices():
                print(f"    {device.filter_string}  {device.info('name')}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SyclPlatform) and self._of == other._of

    def __hash__(self) -> int:
        return hash(self._of)

    def __repr__(self) -> str:
        return f"<dpctl.SyclPlatform {self.name} of {self.backend.name}>"


def _platform_of(device: hither.Device) -> tuple[str, str]:
    return device.backend, str(device.info("platform_name"))


def get_platforms() -> list[SyclPlatform]:
    """Every platform that has a device."""
    return list(dict.fromkeys(SyclPlatform(device) for device in hither.devices()))


def lsplatform(verbosity: int = 0) -> None:
    """Prints the back ends, with verbosity 1 also their devices, and with 2 all properties."""
    if verbosity not in (0, 1, 2):
        warnings.warn(f"verbosity={verbosity!r} is none of 0, 1 and 2; 0 is used", stacklevel=2)
        verbosity = 0
    if verbosity == 2:
        for platform in get_platforms():
            platform.print_platform_info(verbosity)
        return
    devices = hither.devices()
    for backend in dict.fromkeys(device.backend for device in devices):
        print(backend)
        for device in devices:
            if verbosity > 0 and device.backend == backend:
                print(f"    {device.filter_string}  {device.info('name')}")
