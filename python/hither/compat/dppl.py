"""dppl: the device context of automatic offload, and explicit kernels."""

from __future__ import annotations

from typing import Any

import hither
from hither import get_context
from hither.compat._contexts import device_context
from hither.compat._explicit_kernel import DEFAULT_LOCAL_SIZE, Kernel, kernel

__all__ = ["DEFAULT_LOCAL_SIZE", "Kernel", "device_context", "get_context", "jit", "kernel"]

jit = kernel  # its first name


def __getattr__(name: str) -> Any:
    """Names such as get_global_id and atomic are hither's."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(hither, name)
