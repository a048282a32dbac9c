"""The environment variables HITHER_* that Python modules of hither read.

No other Python module reads one. The core reads its own, such as HITHER_DEVICE and HITHER_EAGER.
"""

from __future__ import annotations

import os

__all__ = ["checks_kernels", "cuda_libraries_folder", "host_fallback_policy", "uses_sycl"]


def checks_kernels() -> bool:
    """HITHER_DEBUG: whether kernels are compiled with `debug=True` by default.

    Every value except "" and "0" sets it.
    """
    return os.environ.get("HITHER_DEBUG", "0") not in ("", "0")


def cuda_libraries_folder() -> str:
    """HITHER_CUDA_LIBRARIES: the only folder to search for NVIDIA's libraries.

    If it is not set, the result is "": packages, toolkits and the system's folders are searched.
    """
    return os.environ.get("HITHER_CUDA_LIBRARIES", "")


def host_fallback_policy() -> str:
    """HITHER_HOST_FALLBACK: what happens when a function runs by NumPy on the host ("warn", "error"
    or "silent"), outside of the blocks of hither.host_fallback."""
    return os.environ.get("HITHER_HOST_FALLBACK", "") or "warn"


def uses_sycl() -> bool:
    """HITHER_SYCL: with "0", SYCL's runtime is not loaded and its devices are not listed."""
    return os.environ.get("HITHER_SYCL") != "0"
