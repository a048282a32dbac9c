"""dpctl's enumerations. Members equal hither's strings: ``device.backend == "opencl"``."""

from __future__ import annotations

import enum

from hither import _hither

__all__ = [
    "backend_type",
    "device_type",
    "event_status_type",
    "global_mem_cache_type",
    "kernel_arg_type",
]


class device_type(enum.StrEnum):  # noqa: N801 - dpctl's name
    """Kinds of devices."""

    all = "all"
    accelerator = "accelerator"
    automatic = "automatic"
    cpu = "cpu"
    custom = "custom"
    gpu = "gpu"


class backend_type(enum.StrEnum):  # noqa: N801 - dpctl's name
    """Back ends: dpctl's and hither's."""

    _ignore_ = "members name"

    all = "all"
    hip = "hip"
    members = vars()
    for name in _hither.backends():
        members[name] = name


class event_status_type(enum.StrEnum):  # noqa: N801 - dpctl's name
    """The status of a task."""

    unknown_status = "unknown_status"
    submitted = "submitted"
    running = "running"
    complete = "complete"


class global_mem_cache_type(enum.StrEnum):  # noqa: N801 - dpctl's name
    """The kinds of a device's global memory cache."""

    indeterminate = "indeterminate"
    none = "none"
    read_only = "read_only"
    read_write = "read_write"


class kernel_arg_type(enum.IntEnum):  # noqa: N801 - dpctl's name
    """The kinds of kernel arguments in dpctl's C API."""

    dpctl_int8 = 0
    dpctl_uint8 = 1
    dpctl_int16 = 2
    dpctl_uint16 = 3
    dpctl_int32 = 4
    dpctl_uint32 = 5
    dpctl_int64 = 6
    dpctl_uint64 = 7
    dpctl_float32 = 8
    dpctl_float64 = 9
    dpctl_void_ptr = 10
    dpctl_local_accessor = 11
    dpctl_work_group_memory = 12
    dpctl_raw_kernel_arg = 13
