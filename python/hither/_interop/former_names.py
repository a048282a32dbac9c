"""Module names of hither 0.1 that pickles hold.

`sys.modules` gets a module for each of them, which takes its attributes from the modules that
define them now. Import statements find these modules too.
"""

from __future__ import annotations

import importlib
import sys
import types
from typing import Any

__all__ = ["register"]

_LANGUAGE = "hither._kernel.language."
# Former module: the modules that its names are in now.
_MODULES: dict[str, tuple[str, ...]] = {
    "hither.array_api": ("hither._array.array_api",),
    "hither.array_methods": ("hither._array.array_methods",),
    "hither.creation": ("hither._array.creation",),
    "hither.cuda.program": ("hither._interop.cuda_program",),
    "hither.device_context": ("hither._device_context",),
    "hither.dparray.dp_array": ("hither.dparray._dp_array",),
    "hither.dparray.function": ("hither.dparray._function",),
    "hither.dparray.generator": ("hither.dparray._generator",),
    "hither.dpnp_array": ("hither._interop.dpnp_array",),
    "hither.dtypes": ("hither._array.dtypes",),
    "hither.host_values": ("hither._array.host_values",),
    "hither.kernel.atomic": (_LANGUAGE + "atomic",),
    "hither.kernel.atomic_ref": (_LANGUAGE + "atomic_ref",),
    "hither.kernel.bits": (_LANGUAGE + "bits",),
    "hither.kernel.constant": (_LANGUAGE + "constant",),
    "hither.kernel.cuda_names": (_LANGUAGE + "cuda_names",),
    "hither.kernel.cuda_warp": (_LANGUAGE + "cuda_warp",),
    "hither.kernel.decorator": (_LANGUAGE + "decorator", _LANGUAGE + "device_func"),
    "hither.kernel.group_function": (_LANGUAGE + "group_function",),
    "hither.kernel.library": (_LANGUAGE + "kernel_library",),
    "hither.kernel.local": (_LANGUAGE + "local",),
    "hither.kernel.options": (_LANGUAGE + "options",),
    "hither.kernel.private": (_LANGUAGE + "private",),
    "hither.kernel.random": (_LANGUAGE + "random",),
    "hither.kernel.scope": (_LANGUAGE + "scope",),
    "hither.kernel.source_cache": ("hither._kernel.numba.source_cache",),
    "hither.kernel.vectorize": (_LANGUAGE + "vectorize",),
    "hither.kernel.work_item": (_LANGUAGE + "work_item",),
    "hither.library": ("hither._libraries.bound_library",),
    "hither.manipulation": ("hither._array.manipulation",),
    "hither.native_package": ("hither._interop.native_package",),
    "hither.offload.report": ("hither._offload.report",),
    "hither.pickled_names": ("hither._interop.pickled_names",),
    "hither.pointers": ("hither._interop.pointers",),
    "hither.queue_manager": ("hither._queue_manager",),
    "hither.random.generator": ("hither._libraries.random.generator",),
    "hither.sycl.program": ("hither._interop.sycl_program",),
    "hither.usm_interface": ("hither._interop.usm_interface",),
}


class _FormerModule(types.ModuleType):
    """A module that forwards attributes to other modules. It imports them at the first access."""

    def __init__(self, name: str, modules: tuple[str, ...]) -> None:
        super().__init__(name, f"The names of {', '.join(modules)}, for pickles of hither 0.1.")
        self.__path__: list[str] = []  # makes it a package, for submodules such as kernel.atomic
        self._modules = modules

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):  # tools read such attributes of every module
            for module in map(importlib.import_module, self._modules):
                if hasattr(module, name):
                    return getattr(module, name)
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")


def register() -> None:
    """Puts the former modules into `sys.modules`.

    They must be there before an import statement names one. The import system would otherwise
    assign the module to an attribute of hither, and hide the functions `hither.kernel` and
    `hither.device_context`.
    """
    sys.modules["hither.kernel"] = _FormerModule("hither.kernel", ())
    for name, modules in _MODULES.items():
        sys.modules[name] = _FormerModule(name, modules)
