"""Registers the program that emits SPIR-V: spirv_worker.py, run by this Python."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

from .._hither import set_spirv_emitter


def _register() -> None:
    try:
        version = importlib.metadata.version("llvmlite")
    except importlib.metadata.PackageNotFoundError:
        version = "not installed"  # the worker reports it when it is needed
    if sys.executable:
        worker = Path(__file__).parents[1] / "spirv_worker.py"
        set_spirv_emitter([sys.executable, str(worker)], f"hither, llvmlite {version}")


_register()
