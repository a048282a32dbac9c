"""numba_dppy: kernels, work-item functions, and the device context."""

from __future__ import annotations

from typing import Any

import hither
from hither import GLOBAL_MEM_FENCE as CLK_GLOBAL_MEM_FENCE
from hither import LOCAL_MEM_FENCE as CLK_LOCAL_MEM_FENCE
from hither import get_context
from hither.compat._contexts import device_context
from hither.compat._explicit_kernel import DEFAULT_LOCAL_SIZE, Kernel, kernel

__all__ = [
    "CLK_GLOBAL_MEM_FENCE",
    "CLK_LOCAL_MEM_FENCE",
    "DEFAULT_LOCAL_SIZE",
    "Kernel",
    "func",
    "get_context",
    "jit",
    "kernel",
    "offload_to_sycl_device",
]

offload_to_sycl_device = device_context
jit = kernel  # its first name


def func(function: Any) -> Any:
    """A function that kernels may call: hither.device_func."""
    return hither.device_func(function)


def __getattr__(name: str) -> Any:
    """Names such as get_global_id, atomic and local are hither's."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(hither, name)
