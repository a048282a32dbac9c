"""What to use instead of the names of numba.cuda that hither.compat.numba_cuda lacks."""

from __future__ import annotations

__all__ = ["REMEDIES"]

_PROFILE = "hither.profile() records a block"
_FOREIGN = "write the function in Python, with @cuda.jit(device=True)"
_WARP = "ballot_sync, all_sync, any_sync and the shfl functions"

# Names of numba.cuda: the end of a sentence.
REMEDIES = {
    "CUSource": _FOREIGN,
    "Reduce": "make the function a reduction with @hither.reduction(identity=...)",
    "activemask": f"use {_WARP}",
    "cbrt": "use numpy.cbrt, which takes numbers in kernels",
    "cg": "launch a second kernel in place of grid.sync(); syncthreads() serves one block",
    "close": "leave it out: contexts are never closed, and hither.release_cached frees memory",
    "compile_ptx": "kernel.inspect_asm() shows the code of all calls",
    "default_stream": "use hither.default_queue()",
    "declare_device": _FOREIGN,
    "defer_cleanup": "leave it out: freed memory goes to a pool, without a wait",
    "detect": "use hither.devices(), or the command hither info",
    "external_stream": "use hither.Queue, whose native_stream other libraries can use",
    "fma": "write a * b + c, which GPUs compute with one rounding",
    "get_device_id": "use get_current_device()",
    "libdevice": "use the functions of math",
    "managed_array": 'use hither.empty(shape, usm_type="shared")',
    "mapped_array": 'use hither.empty(shape, usm_type="host")',
    "mapped_array_like": 'use hither.empty(shape, usm_type="host")',
    "match_all_sync": f"use {_WARP}",
    "match_any_sync": f"use {_WARP}",
    "nanosleep": "leave it out: items do not wait for other groups",
    "pinned": "use pinned_array",
    "profile_start": _PROFILE,
    "profile_stop": _PROFILE,
    "profiling": _PROFILE,
    "random": "use hither.random, whose functions also work in kernels",
    "reduce": "make the function a reduction with @hither.reduction(identity=...)",
    "selp": "write a if condition else b",
}
