"""Registers the program that emits SPIR-V: spirv_worker.py, run by this Python."""

from __future__ import annotations

import os
import sys
from importlib.machinery import PathFinder

from .._hither import set_spirv_emitter


def _llvmlite_version() -> str:
    """The version, from the name of the folder of its metadata.

    importlib.metadata takes a fifth of the time of `import hither`; it is used if there is no such
    folder next to the package.
    """
    spec = PathFinder.find_spec("llvmlite")
    if spec is None or spec.origin is None:
        return "not installed"  # the worker reports it when it is needed
    for name in os.listdir(os.path.dirname(os.path.dirname(spec.origin))):
        if name.startswith("llvmlite-") and name.endswith(".dist-info"):
            return name.removeprefix("llvmlite-").removesuffix(".dist-info")
    import importlib.metadata

    try:
        return importlib.metadata.version("llvmlite")
    except importlib.metadata.PackageNotFoundError:
        return "of an unknown version"


def _register() -> None:
    if sys.executable:
        package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        worker = os.path.join(package, "spirv_worker.py")
        set_spirv_emitter([sys.executable, worker], f"hither, llvmlite {_llvmlite_version()}")


_register()
