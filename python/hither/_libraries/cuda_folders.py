"""Where NVIDIA's libraries are: in Python's packages, beside the places that the core knows."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from .._hither import set_cuda_folders

__all__: list[str] = []


def package_folders() -> list[str]:
    """The folders of libraries in the packages nvidia-cublas, nvidia-cufft and their like."""
    try:
        spec = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return []
    roots = [Path(root) for root in (spec and spec.submodule_search_locations) or ()]
    return [str(folder) for root in roots for folder in sorted(root.glob("*/lib"), reverse=True)]


set_cuda_folders(package_folders())
