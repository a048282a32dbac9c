"""Meshes for the tests: parts of a device, queues of a device, and devices without common memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import hither as ht

KINDS = ("parts", "queues", "contexts")
COUNTS = (1, 2, 3, 5)


def mesh_of(device: ht.Device, kind: str, count: int) -> ht.Mesh:
    """A mesh of `count` queues. Those of "contexts" copy what they exchange."""
    if kind == "parts":
        return ht.Mesh(device, parts=count)
    if kind == "queues":
        return ht.Mesh([ht.Queue(device) for _ in range(count)])
    return ht.Mesh([ht.Queue(ht.Context(device), device) for _ in range(count)])


def host(x: Any) -> np.ndarray:
    """The elements of a sharded array or an array."""
    return ht.asnumpy(ht.gather(x) if isinstance(x, ht.ShardedArray) else x)


def bits(x: Any) -> bytes:
    """The bytes of the elements."""
    return host(x).tobytes()
