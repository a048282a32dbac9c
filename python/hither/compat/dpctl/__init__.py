"""dpctl's devices, queues, contexts and device contexts."""

from __future__ import annotations

from hither import LocalAccessor, __version__, get_include
from hither.compat.dpctl import device as _sycl_queue_manager
from hither.compat.dpctl import execution_queue as utils
from hither.compat.dpctl import memory, program, tensor
from hither.compat.dpctl.context_manager import (
    device_context,
    get_current_backend,
    get_current_device_type,
    get_current_queue,
    get_num_activated_queues,
    is_in_device_context,
)
from hither.compat.dpctl.device import (
    SyclDevice,
    get_composite_devices,
    get_device_cached_queue,
    get_devices,
    get_num_devices,
    has_accelerator_devices,
    has_cpu_devices,
    has_cpu_queues,
    has_gpu_devices,
    has_gpu_queues,
    select_accelerator_device,
    select_cpu_device,
    select_default_device,
    select_device_with_aspects,
    select_gpu_device,
)
from hither.compat.dpctl.enum_types import (
    backend_type,
    device_type,
    event_status_type,
    global_mem_cache_type,
)
from hither.compat.dpctl.errors import (
    SyclContextCreationError,
    SyclDeviceCreationError,
    SyclKernelInvalidRangeError,
    SyclKernelSubmitError,
    SyclQueueCreationError,
    SyclSubDeviceCreationError,
)
from hither.compat.dpctl.platform import SyclPlatform, get_platforms, lsplatform
from hither.compat.dpctl.queue import SyclContext, SyclEvent, SyclQueue
from hither.compat.dpctl.queue_manager import _SyclQueueManager
from hither.compat.dpctl.timer import SyclTimer

__all__ = [
    "LocalAccessor",
    "SyclContext",
    "SyclContextCreationError",
    "SyclDevice",
    "SyclDeviceCreationError",
    "SyclEvent",
    "SyclKernelInvalidRangeError",
    "SyclKernelSubmitError",
    "SyclPlatform",
    "SyclQueue",
    "SyclQueueCreationError",
    "SyclSubDeviceCreationError",
    "SyclTimer",
    "_SyclQueueManager",
    "__version__",
    "_sycl_queue_manager",
    "backend_type",
    "device_context",
    "device_type",
    "event_status_type",
    "get_composite_devices",
    "get_current_backend",
    "get_current_device_type",
    "get_current_queue",
    "get_device_cached_queue",
    "get_devices",
    "get_include",
    "get_num_activated_queues",
    "get_num_devices",
    "get_platforms",
    "global_mem_cache_type",
    "has_accelerator_devices",
    "has_cpu_devices",
    "has_cpu_queues",
    "has_gpu_devices",
    "has_gpu_queues",
    "is_in_device_context",
    "lsplatform",
    "memory",
    "program",
    "select_accelerator_device",
    "select_cpu_device",
    "select_default_device",
    "select_device_with_aspects",
    "select_gpu_device",
    "tensor",
    "utils",
]
