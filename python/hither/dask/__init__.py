"""hither's arrays as chunks of Dask's arrays, and the devices of a machine as Dask's workers.

``dask.array`` computes with hither's chunks without this module. It adds the array backend
"hither", workers that have one device each, and the clusters of such workers.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .._interop import dask_chunks
from .._names import missing_attribute
from . import _backend

if TYPE_CHECKING:
    from ._cluster import local_cluster
    from ._worker import DevicePlugin

__all__ = ["DevicePlugin", "local_cluster"]

# They need dask.distributed, which dask.array does without.
_DISTRIBUTED = {"DevicePlugin": "._worker", "local_cluster": "._cluster"}

dask_chunks.register()
_backend.register()


def __getattr__(name: str) -> Any:
    if name not in _DISTRIBUTED:
        raise missing_attribute(__name__, name, __all__)
    value = getattr(importlib.import_module(_DISTRIBUTED[name], __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)


async def dask_setup(worker: Any) -> None:
    """Called by ``dask worker ADDRESS --preload hither.dask``: gives the worker a DevicePlugin."""
    await worker.plugin_add(plugin=__getattr__("DevicePlugin")())
