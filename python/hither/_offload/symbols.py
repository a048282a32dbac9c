"""Functions of the core that compiled host code calls. Host code, including code from Numba's
cache, finds them by name."""

from __future__ import annotations

import ctypes

from .. import _numba_hook
from .numba_adapter import llvm_binding, nrt_functions

LAUNCH = "hither_launch_region"
ALLOCATE = "hither_allocate_array"
FLUSH = "hither_flush_arrays"
INDICES_MAY_REPEAT = "hither_indices_may_repeat"
COUNT = "hither_count_small_region"


def install() -> None:
    get_api = ctypes.CFUNCTYPE(ctypes.c_void_p)(nrt_functions["get_api"])
    _numba_hook.use_numba_memory(nrt_functions["MemInfo_alloc_aligned"], get_api())
    llvm_binding.add_symbol(LAUNCH, _numba_hook.launch_address())
    llvm_binding.add_symbol(ALLOCATE, _numba_hook.allocate_address())
    llvm_binding.add_symbol(FLUSH, _numba_hook.flush_address())
    llvm_binding.add_symbol(INDICES_MAY_REPEAT, _numba_hook.indices_may_repeat_address())
    llvm_binding.add_symbol(COUNT, _numba_hook.count_address())
