"""Chooses the BLAS for matrix products on CPUs."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder

from .._hither import set_blas_library

__all__: list[str] = []


def name_installed_openblas() -> None:
    """Names the OpenBLAS of the package scipy-openblas64 to the core, if it is installed.

    The first product opens the library. HITHER_OPENBLAS and a system OpenBLAS are tried too.
    """
    spec = PathFinder.find_spec("scipy_openblas64")
    for folder in (spec and spec.submodule_search_locations) or ():
        libraries = os.path.join(folder, "lib")
        for name in sorted(os.listdir(libraries) if os.path.isdir(libraries) else ()):
            if name.startswith("libscipy_openblas64_."):
                set_blas_library(os.path.join(libraries, name))
                return


name_installed_openblas()
