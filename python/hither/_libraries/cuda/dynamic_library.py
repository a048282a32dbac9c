"""Finds, opens and calls CUDA's libraries, and checks the status of calls."""

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
    """Candidate paths of the library, in order of preference."""
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
    """One of CUDA's libraries. ``call(name, *arguments)`` raises DeviceError unless it returns 0.

    Arguments are ints, bytes, ctypes objects or addresses. Every int is passed as 64 bits;
    functions with smaller parameters read the lower bits.
    """

    def __init__(self, name: str, package: str) -> None:
        self.name = name
        self.package = package

    @functools.cached_property
    def _opened(self) -> ctypes.CDLL | None:
        return _open(self.name)

    def __bool__(self) -> bool:
        """Whether the library is installed."""
        return self._opened is not None

    def has(self, function: str) -> bool:
        """Whether the library is installed and has the function, which old versions may lack."""
        return hasattr(self._opened, function)

    def raw(self, function: str, *arguments: Any) -> int:
        """Calls the function and returns its result."""
        if self._opened is None:
            raise UnsupportedError(
                self.name,
                f"is not installed: pip install {self.package}, or set CUDA_HOME to a toolkit, or "
                "HITHER_CUDA_LIBRARIES to its folder",
            )
        try:
            entry = getattr(self._opened, function)
        except AttributeError:
            raise UnsupportedError(
                self.name, f"has no function {function}: this version is too old"
            ) from None
        return entry(*(ctypes.c_int64(x) if isinstance(x, int) else x for x in arguments))

    def call(self, function: str, *arguments: Any) -> None:
        """Calls the function. Raises DeviceError with its status unless that is 0."""
        if status := self.raw(function, *arguments):
            raise DeviceError(function, f"failed with status {status}", status)
