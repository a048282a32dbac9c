"""Arrays and Python kernels that run on the device that holds their data."""

from __future__ import annotations

import importlib
import sys
import types
from typing import TYPE_CHECKING, Any

from . import errors
from ._hither import (
    Context,
    Device,
    DType,
    Event,
    Memory,
    MemoryUSMDevice,
    MemoryUSMHost,
    MemoryUSMShared,
    PointerInfo,
    Queue,
    UsmView,
    bool,
    complex64,
    complex128,
    counters,
    default_queue,
    devices,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    pointer_info,
    trim_pools,
    uint8,
    uint16,
    uint32,
    uint64,
    version as __version__,
)
from .device_context import current_queue, device_context, get_context, offload_to_sycl_device
from .errors import (
    CompileError,
    DeviceError,
    Error,
    ExchangeError,
    InvalidTypeError,
    InvalidValueError,
    KernelError,
    OutOfMemoryError,
    OutOfRangeError,
    PerformanceWarning,
    PlacementError,
    PlacementWarning,
    ScalarOverflowError,
    UnsupportedError,
)
from .pointers import get_usm_device, get_usm_type
