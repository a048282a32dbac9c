"""Which BLAS the matrix products on CPUs use."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from .._hither import set_blas_library

__all__: list[str] = []


def name_installed_openblas() -> None:
    """Points hither at the OpenBLAS of the package scipy-openblas64, where that is installed.

    The library is opened by the first product; HITHER_OPENBLAS and a system OpenBLAS are tried too.
    """
    spec = importlib.util.find_spec("scipy_openblas64")
    for folder in (spec and spec.submodule_search_locations) or ():
        for library in sorted(Path(folder, "lib").glob("libscipy_openblas64_.*")):
            set_blas_library(str(library))
            return


name_installed_openblas()
