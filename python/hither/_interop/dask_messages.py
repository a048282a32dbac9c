"""hither's arrays in the messages between Dask's processes, and on disk.

A message holds the elements as they lie in the host's memory, the kind of memory, and the device.
A worker that has one device sends no device: the receiver uses its own. See arrivals.py.
"""

from __future__ import annotations

import functools
import importlib
from typing import Any

import numpy as np

from .._hither import Array
from .arrivals import arrived, elements, home, queue_for, root_name

__all__: list[str] = []


def _serialized(x: Array, context: Any = None) -> tuple[dict[str, Any], list[Any]]:
    numpys = importlib.import_module("distributed.protocol.numpy")
    header, frames = numpys.serialize_numpy_ndarray(elements(x))
    device = root_name(x.device) if home() is None else None
    place = {"device": device, "usm_type": x.usm_type}
    return {**header, **place, "writeable": [True]}, frames


def _deserialized(header: dict[str, Any], frames: list[Any]) -> Array:
    numpys = importlib.import_module("distributed.protocol.numpy")
    values: np.ndarray = numpys.deserialize_numpy_ndarray(header, frames)
    return arrived(values, queue_for(header["device"]), header["usm_type"])


@functools.cache
def register() -> None:
    """Adds the rows to the tables of dask.distributed. Later calls do nothing."""
    from distributed.protocol.serialize import dask_deserialize, dask_serialize

    dask_serialize.register(Array, _serialized)
    dask_deserialize.register(Array, _deserialized)
