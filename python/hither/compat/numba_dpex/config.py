"""numba_dpex.config: settings that programs read and set.

They are read from the same environment variables and have numba_dpex's defaults. hither's compiler
does not use them, so that they have no effect. Other names are Numba's.
"""

from __future__ import annotations

import os
from typing import Any


def _setting(name: str, usual: int | None) -> int | None:
    try:
        return int(os.environ[f"NUMBA_DPEX_{name}"])
    except (KeyError, ValueError):
        return usual


SAVE_IR_FILES = _setting("SAVE_IR_FILES", 0)
SPIRV_VAL = _setting("SPIRV_VAL", 0)
OFFLOAD_DIAGNOSTICS = _setting("OFFLOAD_DIAGNOSTICS", 0)
DEBUG = _setting("DEBUG", 0)
DEBUGINFO_DEFAULT = _setting("DEBUGINFO", 0)
DUMP_KERNEL_LLVM = _setting("DUMP_KERNEL_LLVM", 0)
DUMP_KERNEL_LAUNCHER = _setting("DUMP_KERNEL_LAUNCHER", 0)
DEBUG_KERNEL_LAUNCHER = _setting("DEBUG_KERNEL_LAUNCHER", 0)
ENABLE_CACHE = _setting("ENABLE_CACHE", 1)
CACHE_SIZE = _setting("CACHE_SIZE", 20)
DEBUG_CACHE = _setting("DEBUG_CACHE", 0)
STATIC_LOCAL_MEM_PASS = _setting("STATIC_LOCAL_MEM_PASS", 0)
DPEX_OPT = _setting("OPT", 2)
INLINE_THRESHOLD = _setting("INLINE_THRESHOLD", None)
USE_MLIR = _setting("USE_MLIR", 0)


def __getattr__(name: str) -> Any:
    """The settings of Numba."""
    if name.startswith("_"):
        raise AttributeError(name)
    from numba.core import config

    return getattr(config, name)
