"""numpy.lib.array_utils, which NumPy 1.26 has in other modules."""

from __future__ import annotations

try:
    from numpy.lib.array_utils import byte_bounds, normalize_axis_index
except ModuleNotFoundError:
    from numpy import byte_bounds  # type: ignore[attr-defined, no-redef]
    from numpy.core.multiarray import normalize_axis_index  # type: ignore[no-redef]

__all__ = ["byte_bounds", "normalize_axis_index"]
