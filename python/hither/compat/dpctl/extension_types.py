"""hither's classes under dpctl's names: the types that compat/cython declares.

Cython checks a typed variable against the class of the object, which is hither's.
"""

from __future__ import annotations

from hither import Array as usm_ndarray  # noqa: N813
from hither import Context as SyclContext
from hither import Device as SyclDevice
from hither import Event as SyclEvent
from hither import Memory as _Memory
from hither import MemoryUSMDevice, MemoryUSMHost, MemoryUSMShared
from hither import Queue as SyclQueue
from hither.compat.dpctl.platform import SyclPlatform
from hither.compat.dpctl.program import SyclKernel, SyclProgram

__all__ = [
    "MemoryUSMDevice",
    "MemoryUSMHost",
    "MemoryUSMShared",
    "SyclContext",
    "SyclDevice",
    "SyclEvent",
    "SyclKernel",
    "SyclPlatform",
    "SyclProgram",
    "SyclQueue",
    "_Memory",
    "usm_ndarray",
]
