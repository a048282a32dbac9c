"""dpctl.utils: which queue and which USM type a function of several arrays uses."""

from __future__ import annotations

from collections.abc import Sequence

import hither
from hither.compat import flavour

__all__ = ["ExecutionPlacementError", "get_coerced_usm_type", "get_execution_queue"]

ExecutionPlacementError = hither.PlacementError

_ORDER = ("device", "shared", "host")


def get_execution_queue(queues: Sequence[hither.Queue]) -> hither.Queue | None:
    """The first queue if all are equivalent, else None. Flavour "dpctl-0.21": if all are equal."""
    if not queues:
        return None
    first = queues[0]
    return first if all(flavour.same_queue(first, other) for other in queues[1:]) else None


def get_coerced_usm_type(usm_types: Sequence[str]) -> str | None:
    """The strongest: device over shared over host; None for none or an unknown one."""
    if not usm_types or any(kind not in _ORDER for kind in usm_types):
        return None
    return min(usm_types, key=_ORDER.index)
