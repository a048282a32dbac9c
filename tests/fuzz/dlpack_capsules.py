"""DLPack capsules with all fields chosen by a test."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("tensor", Tensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class ManagedVersioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


NAMES = {False: b"dltensor", True: b"dltensor_versioned"}

_new = ctypes.pythonapi.PyCapsule_New
_new.restype = ctypes.py_object
_new.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Producer:
    """Exports one tensor through __dlpack__ and counts the calls of its deleter.

    `fields` are the fields of Tensor; shape and strides are sequences of ints, or None for a null
    pointer. The producer keeps `memory` alive. A consumer has to call the deleter once.
    """

    def __init__(
        self,
        fields: dict[str, Any],
        memory: object,
        *,
        versioned: bool = True,
        version: tuple[int, int] = (1, 0),
        flags: int = 0,
        name: bytes | None = None,
        device: object = None,
    ) -> None:
        self.memory = memory
        self.deletions = 0
        self.name = NAMES[versioned] if name is None else name
        # The capsule points into this object, so a test has to keep its producers alive.
        self.lists: list[Any] = []
        self.managed: Managed | ManagedVersioned
        deleter = Deleter(self._delete)
        if versioned:
            self.managed = ManagedVersioned(*version, None, deleter, flags)
        else:
            self.managed = Managed(Tensor(), None, deleter)
        tensor = self.managed.tensor
        for field, value in fields.items():
            if field in ("shape", "strides"):
                value = self._numbers(value)
            setattr(tensor, field, value)
        self.device = (tensor.device_type, tensor.device_id) if device is None else device

    def _numbers(self, values: Sequence[int] | None) -> Any:
        if values is None:
            return None
        numbers = (ctypes.c_int64 * max(1, len(values)))(*values)
        self.lists.append(numbers)
        return ctypes.cast(numbers, ctypes.POINTER(ctypes.c_int64))

    def _delete(self, managed: int) -> None:
        self.deletions += 1

    def __dlpack_device__(self) -> Any:
        return self.device

    def __dlpack__(self, **options: object) -> Any:
        return _new(ctypes.addressof(self.managed), self.name, None)
