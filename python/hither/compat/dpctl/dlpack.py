"""DLPack's export of arrays to a queue, as dpctl's arrays have it."""

from __future__ import annotations

from typing import Any

import hither

__all__ = ["export"]

_export = vars(hither.Array)["__dlpack__"]


def export(x: hither.Array, *, stream: Any = None, **options: Any) -> Any:
    """A DLPack capsule; ``stream`` may be a queue, whose later work then comes after the array's.

    Other streams are hither's.
    """
    if not isinstance(stream, hither.Queue):
        return _export(x, stream=stream, **options)
    capsule = _export(x, stream=-1, **options)  # -1: in no order with other work
    stream.submit_barrier(depends_on=x.queue.submit_barrier())
    return capsule
