"""SciPy's modules, where SciPy is installed."""

from __future__ import annotations

import importlib
import importlib.util
import mmap
import os
import sys
from types import ModuleType

from ..errors import OutOfMemoryError

__all__ = ["scipy_module"]

_MIB = 1 << 20
# SciPy opens an OpenBLAS of its own, which maps a buffer and a stack for each thread, and does not
# return where it cannot map them.
_OF_A_THREAD, _OF_THE_LIBRARY = 40 * _MIB, 160 * _MIB


def scipy_module(name: str, function: str) -> ModuleType | None:
    """The module ``scipy.NAME``, or None if SciPy is not installed.

    OutOfMemoryError, which names `function`, if the process has too little memory to load it.
    """
    full = f"scipy.{name}"
    if full in sys.modules:
        return sys.modules[full]
    if importlib.util.find_spec("scipy") is None:
        return None
    needed = _OF_THE_LIBRARY + _OF_A_THREAD * ((os.cpu_count() or 1) + 1)
    try:
        mmap.mmap(-1, needed, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
    except OSError:
        raise OutOfMemoryError(
            function,
            f"SciPy needs {needed // _MIB} MiB of address space when it is loaded, and the process "
            "cannot map so much; release arrays, or raise the limit (ulimit -v)",
        ) from None
    return importlib.import_module(full)
