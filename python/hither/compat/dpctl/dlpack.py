"""DLPack export of arrays to a queue, as in dpctl."""

from __future__ import annotations

from typing import Any

import hither

__all__ = ["export"]

_export = vars(hither.Array)["__dlpack__"]


def export(x: hither.Array, *, stream: Any = None, **options: Any) -> Any:
    """A DLPack capsule. ``stream`` may be a queue, whose later work is ordered after the array's.

    Other values of ``stream`` are passed to hither.
    """
    if not isinstance(stream, hither.Queue):
        return _export(x, stream=stream, **options)
    capsule = _export(x, stream=-1, **options)  # -1: not ordered with other work
    stream.submit_barrier(depends_on=x.queue.submit_barrier())
    return capsule
