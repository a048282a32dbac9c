"""Tells the core the folders of NVIDIA's libraries in Python packages."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

from .._hither import set_cuda_folders

__all__: list[str] = []


def package_folders() -> list[str]:
    """The folders of libraries in packages such as nvidia-cublas and nvidia-cufft."""
    spec = PathFinder.find_spec("nvidia")
    return [
        folder
        for root in (spec and spec.submodule_search_locations) or ()
        for package in sorted(os.listdir(root) if os.path.isdir(root) else (), reverse=True)
        if os.path.isdir(folder := os.path.join(root, package, "lib"))
    ]


set_cuda_folders(package_folders())
