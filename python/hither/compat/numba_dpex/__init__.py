"""numba_dpex: kernels, work-item functions, and the device context."""

from __future__ import annotations

from typing import Any

from hither import device_func
from hither.compat import numba_dppy
from hither.compat.numba_dpex import config, core, kernel_api
from hither.compat.numba_dpex.core import DpnpNdArray, usm_ndarray
from hither.compat.numba_dpex.dpjit import dpjit
from hither.compat.numba_dpex.kernel_api import call_kernel, call_kernel_async
from hither.compat.numba_dppy import (
    CLK_GLOBAL_MEM_FENCE,
    CLK_LOCAL_MEM_FENCE,
    DEFAULT_LOCAL_SIZE,
    Kernel,
    func,
    get_context,
    offload_to_sycl_device,
)
from hither.compat.numba_dppy import device_context as device_context

__all__ = [
    "CLK_GLOBAL_MEM_FENCE",
    "CLK_LOCAL_MEM_FENCE",
    "DEFAULT_LOCAL_SIZE",
    "DpnpNdArray",
    "Kernel",
    "call_kernel",
    "call_kernel_async",
    "config",
    "core",
    "device_func",
    "dpjit",
    "func",
    "get_context",
    "kernel",
    "kernel_api",
    "offload_to_sycl_device",
    "usm_ndarray",
]

# Options of Numba's host compiler and of numba_dpex, which have no effect.
_IGNORED = frozenset(
    {
        "_compilation_mode",
        "inline_threshold",
        "no_cfunc_wrapper",
        "no_compile",
        "no_cpython_wrapper",
        "release_gil",
    }
)


def kernel(function: Any = None, **options: Any) -> Any:
    """Decorator of kernels, without arguments or with a signature: text, a tuple of types, or a
    list of these."""
    kept = {name: value for name, value in options.items() if name not in _IGNORED}
    return numba_dppy.kernel(core.without_items(function), **kept)


def __getattr__(name: str) -> Any:
    """Types of numbers and prange are Numba's. Names such as get_global_id are hither's."""
    if name == "prange":
        from numba import prange

        return prange
    return core.numba_types().get(name) or getattr(numba_dppy, name)
