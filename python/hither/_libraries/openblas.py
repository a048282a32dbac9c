"""Chooses the BLAS for matrix products on CPUs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from .._hither import set_blas_library

__all__: list[str] = []


def name_installed_openblas() -> None:
    """Names the OpenBLAS of the package scipy-openblas64 to the core, if it is installed.

    The first product opens the library. HITHER_OPENBLAS and a system OpenBLAS are tried too.
    """
    spec = importlib.util.find_spec("scipy_openblas64")
    for folder in (spec and spec.submodule_search_locations) or ():
        for library in sorted(Path(folder, "lib").glob("libscipy_openblas64_.*")):
            set_blas_library(str(library))
            return


name_installed_openblas()
