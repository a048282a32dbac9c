"""SciPy's modules, where SciPy is installed."""

from __future__ import annotations

import importlib
import importlib.util
import mmap
import os
import sys
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType

from .._names import did_you_mean
from ..errors import OutOfMemoryError

__all__ = ["absent_attribute", "absent_from", "scipy_module"]

_NOTHING: Mapping[str, str] = MappingProxyType({})
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


def absent_from(
    scipys: str, module: str, name: str, names: Iterable[str], instead: Mapping[str, str] = _NOTHING
) -> AttributeError:
    """The error for a name that a module lacks: whether SciPy's module `scipys` has it, and what
    `instead` says of it, or which name is like it."""
    text = f"module {module!r} has no attribute {name!r}"
    if not name.startswith("_") and importlib.util.find_spec("scipy") is not None:
        known = importlib.import_module(scipys)
        if name in getattr(known, "__all__", ()) or name in getattr(known, "submodules", ()):
            text += f"; {scipys}.{name} works with NumPy's arrays"
            text += f"; {instead[name]}" if name in instead else ""
        else:
            text += did_you_mean(name, names)
    # With an object, Python would append a proposal of its own to tracebacks.
    return AttributeError(text, name=name, obj=None)


def absent_attribute(sparse: type, name: str) -> AttributeError:
    """The error for an attribute that a class of sparse arrays lacks: whether SciPy's has it, or
    which attribute is like it."""
    text = f"{sparse.__name__!r} object has no attribute {name!r}"
    if not name.startswith("_") and importlib.util.find_spec("scipy") is not None:
        if hasattr(getattr(importlib.import_module("scipy.sparse"), sparse.__name__, None), name):
            text += f"; scipy.sparse.{sparse.__name__}.{name} works on the host: A.get().{name}"
        else:
            text += did_you_mean(name, [n for n in dir(sparse) if not n.startswith("_")])
    return AttributeError(text, name=name, obj=None)
