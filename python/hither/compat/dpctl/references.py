"""addressof_ref(): the address of the sycl::queue or sycl::context, on SYCL devices."""

from __future__ import annotations

import ctypes
from typing import Any

import hither

__all__ = ["address"]

_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.argtypes = [ctypes.py_object, ctypes.c_char_p]
_get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_get_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_get_pointer.restype = ctypes.c_void_p


def address(of: Any) -> int:
    """The address of the SYCL object of a queue or context, valid as long as ``of`` exists.

    Raises UnsupportedError if the device is not a SYCL device.
    """
    capsule = of._get_capsule()
    for name in (b"SyclQueueRef", b"SyclContextRef"):
        if _is_valid(capsule, name):
            return _get_pointer(capsule, name)
    raise hither.UnsupportedError(
        "addressof_ref", f"{of!r} is not on a SYCL device and has no SYCL object"
    )
