"""Unmodified Numba functions, offloaded inside a device context (see docs/guide/offload.md).

`hither.offload_report(f)` says what became of a function's parallel regions, `dump(f)` shows their
kernels. Numba is imported when a function is first called in a context, not before.
"""

from ._offload.report import (
    OffloadReport,
    ParforReport,
    RegionUse,
    VersionReport,
    dump,
    offload_report,
)

__all__ = [
    "OffloadReport",
    "ParforReport",
    "RegionUse",
    "VersionReport",
    "dump",
    "offload_report",
]
