"""dpctl's devices, queues, contexts and device contexts."""

from __future__ import annotations

from hither import __version__
from hither.compat.dpctl import execution_queue as utils
from hither.compat.dpctl import memory, tensor
from hither.compat.dpctl.context_manager import (
    device_context,
    get_current_backend,
    get_current_device_type,
    get_current_queue,
    is_in_device_context,
)
from hither.compat.dpctl.device import (
    SyclDevice,
    backend_type,
    device_type,
    get_devices,
    get_num_devices,
    has_accelerator_devices,
    has_cpu_devices,
    has_gpu_devices,
    lsplatform,
    select_accelerator_device,
    select_cpu_device,
    select_default_device,
    select_device_with_aspects,
    select_gpu_device,
)
from hither.compat.dpctl.queue import SyclContext, SyclEvent, SyclQueue

__all__ = [
    "SyclContext",
    "SyclDevice",
    "SyclEvent",
    "SyclQueue",
    "__version__",
    "backend_type",
    "device_context",
    "device_type",
    "get_current_backend",
    "get_current_device_type",
    "get_current_queue",
    "get_devices",
    "get_num_devices",
    "has_accelerator_devices",
    "has_cpu_devices",
    "has_gpu_devices",
    "is_in_device_context",
    "lsplatform",
    "memory",
    "select_accelerator_device",
    "select_cpu_device",
    "select_default_device",
    "select_device_with_aspects",
    "select_gpu_device",
    "tensor",
    "utils",
]
