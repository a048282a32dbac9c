"""numba_dpex: kernels, what a work-item asks about itself, and the device context."""

from __future__ import annotations

from hither import device_func
from hither.compat.numba_dpex import kernel_api
from hither.compat.numba_dpex.kernel_api import call_kernel, call_kernel_async
from hither.compat.numba_dppy import (
    CLK_GLOBAL_MEM_FENCE,
    CLK_LOCAL_MEM_FENCE,
    DEFAULT_LOCAL_SIZE,
    Kernel,
    func,
    get_context,
    kernel,
    offload_to_sycl_device,
)
from hither.compat.numba_dppy import __getattr__ as __getattr__
from hither.compat.numba_dppy import device_context as device_context

__all__ = [
    "CLK_GLOBAL_MEM_FENCE",
    "CLK_LOCAL_MEM_FENCE",
    "DEFAULT_LOCAL_SIZE",
    "Kernel",
    "call_kernel",
    "call_kernel_async",
    "device_func",
    "func",
    "get_context",
    "kernel",
    "kernel_api",
    "offload_to_sycl_device",
]
