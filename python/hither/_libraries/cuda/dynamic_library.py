"""Libraries of CUDA as they are installed: found, opened, and called with their status checked."""

from __future__ import annotations

import ctypes
import functools
import os
from pathlib import Path
from typing import Any

from ..._environment import cuda_libraries_folder
from ...errors import DeviceError, UnsupportedError
from ..cuda_folders import package_folders

__all__ = ["DynamicLibrary"]

# The major version of each library for CUDA 13, and for CUDA 12.
_MAJORS = {
    "cublas": (13, 12), "cufft": (12, 11), "cusolver": (12, 11), "nvrtc": (13, 12), "cuda": (1,),
}  # fmt: skip


def _paths(name: str, file: str) -> list[str]:
    """Where the library may be, first choice first."""
    named = cuda_libraries_folder()
    if named and name != "cuda":  # the driver is the system's
        return [str(Path(named, file))]
    toolkits = [os.environ.get(variable, "") for variable in ("CUDA_HOME", "CUDA_PATH")]
    folders = [
        *package_folders(),
        *(str(Path(home, "lib64")) for home in (*toolkits, "/usr/local/cuda") if home),
    ]
    return [path for path in (str(Path(f, file)) for f in folders) if Path(path).exists()] + [file]


def _open(name: str) -> ctypes.CDLL | None:
    for major in _MAJORS[name]:
        for path in _paths(name, f"lib{name}.so.{major}"):
            try:
                return ctypes.CDLL(path)
            except OSError:
                continue
    return None


class DynamicLibrary:
    """One of CUDA's libraries; ``call(name, *arguments)`` raises DeviceError unless it gives 0.

    Arguments are ints, bytes, ctypes objects, or addresses; every int is passed as 64 bits, of
    which functions that take less read the lower ones.
    """

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package

    @functools.cached_property
    def _opened(self) -> ctypes.CDLL | None:
        return _open(self.name)

    def __bool__(self) -> bool:
        """Whether it is installed."""
        return self._opened is not None

    def raw(self, function: str, *arguments: Any) -> int:
        """What the function returns."""
        if self._opened is None:
            raise UnsupportedError(
                self.name,
                f"is not installed: pip install {self.package}, or set CUDA_HOME to a toolkit, or "
                "HITHER_CUDA_LIBRARIES to the folder that it is in",
            )
        try:
            entry = getattr(self._opened, function)
        except AttributeError:
            raise UnsupportedError(
                self.name, f"has no function {function}: its version is too old for this"
            ) from None
        return entry(*(ctypes.c_int64(x) if isinstance(x, int) else x for x in arguments))

    def call(self, function: str, *arguments: Any) -> None:
        """Calls the function; DeviceError with its status."""
        if status := self.raw(function, *arguments):
            raise DeviceError(function, f"failed with status {status}", status)
