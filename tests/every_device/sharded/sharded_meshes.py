"""Meshes for the tests: parts of a device, and queues of it with and without common memory."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import hither as ht
from devices import DEVICES

KINDS = ("parts", "queues", "contexts", "devices")
COUNTS = (1, 2, 3, 5)


@functools.cache
def mesh_of(device: ht.Device, kind: str, count: int) -> ht.Mesh:
    """A mesh of `count` queues. Those of "contexts" copy what they exchange
    with their neighbours, and those of "devices" are on all devices of this kind. Meshes are kept,
    because contexts of OpenCL keep their kernels."""
    if kind == "parts":
        return ht.Mesh(device, parts=count)
    if kind == "queues":
        return ht.Mesh([ht.Queue(device) for _ in range(count)])
    if kind == "devices":
        alike = _devices_like(device)
        return ht.Mesh([ht.Queue(alike[k % len(alike)]) for k in range(count)])
    contexts = device.default_context, _other_context(device)
    return ht.Mesh([ht.Queue(contexts[k % 2], device) for k in range(count)])


@functools.cache
def _other_context(device: ht.Device) -> ht.Context:
    return ht.Context(device)


def _devices_like(device: ht.Device) -> list[ht.Device]:
    """The root devices of its kind that run kernels, from itself on."""
    alike = [
        d
        for d in map(ht.Device, DEVICES)
        if (d.backend, d.device_type) == (device.backend, device.device_type)
    ]
    first = alike.index(device)
    return alike[first:] + alike[:first]


def host(x: Any) -> np.ndarray:
    """The elements of a sharded array or an array."""
    return ht.asnumpy(ht.gather(x) if isinstance(x, ht.ShardedArray) else x)


def bits(x: Any) -> bytes:
    """The bytes of the elements."""
    return host(x).tobytes()
