"""dppl: the device context of automatic offload, and explicit kernels."""

from __future__ import annotations

from typing import Any

import hither
from hither import get_context
from hither.compat.contexts import device_context
from hither.compat.explicit_kernel import DEFAULT_LOCAL_SIZE, Kernel, kernel

__all__ = ["DEFAULT_LOCAL_SIZE", "Kernel", "device_context", "get_context", "jit", "kernel"]

jit = kernel  # its first name


def __getattr__(name: str) -> Any:
    """get_global_id, atomic and so on are hither's own."""
    if name.startswith("_"):
        raise AttributeError(name)
    return getattr(hither, name)
