"""Unmodified Numba functions, offloaded inside a device context (see docs/explanation/offload.md).

`hither.offload_report(f)` reports on a function's parallel regions, and `dump(f)` shows their
kernels. Numba is imported at the first call of a function in a context.
"""

from ._documentation import complete
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

complete("offload", globals())
