"""The environment variables HITHER_* that Python modules of hither read.

No other Python module reads one. The core reads its own, such as HITHER_DEVICE and HITHER_EAGER.
"""

from __future__ import annotations

import os

__all__ = ["checks_kernels", "cuda_libraries_folder", "uses_sycl"]


def checks_kernels() -> bool:
    """HITHER_DEBUG: kernels are compiled with `debug=True` unless their decorator says otherwise.

    Any text but "" and "0" sets it.
    """
    return os.environ.get("HITHER_DEBUG", "0") not in ("", "0")


def cuda_libraries_folder() -> str:
    """HITHER_CUDA_LIBRARIES: the only folder in which NVIDIA's libraries are looked for.

    The result is "" where it is not set: packages, toolkits and the system's folders are searched.
    """
    return os.environ.get("HITHER_CUDA_LIBRARIES", "")


def uses_sycl() -> bool:
    """HITHER_SYCL: "0" leaves SYCL's devices out, and SYCL's runtime is not loaded."""
    return os.environ.get("HITHER_SYCL") != "0"
