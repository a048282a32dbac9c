"""Tells the core the folders of NVIDIA's libraries in Python packages."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from .._hither import set_cuda_folders

__all__: list[str] = []


def package_folders() -> list[str]:
    """The folders of libraries in packages such as nvidia-cublas and nvidia-cufft."""
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return []
    roots = [Path(root) for root in (spec and spec.submodule_search_locations) or ()]
    return [str(folder) for root in roots for folder in sorted(root.glob("*/lib"), reverse=True)]


set_cuda_folders(package_folders())
