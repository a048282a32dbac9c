"""Fixtures: every device, and pairs of devices and queues that are not equivalent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import hither as ht
from devices import DEVICES

CPUS = [name for name in DEVICES if ":cpu:" in name and ht.Device(name).max_compute_units > 1]
PAIRS = [f"parts of {name}" for name in CPUS]
PAIRS += [f"{DEVICES[0]} and {name}" for name in DEVICES[1:]]


def devices_of_pair(pair: str) -> list[ht.Device]:
    """The two devices that an entry of PAIRS names."""
    if pair.startswith("parts of "):
        return ht.Device(pair.removeprefix("parts of ")).create_sub_devices(partition=[1, 1])
    return [ht.Device(name) for name in pair.split(" and ")]


@pytest.fixture(params=CPUS)
def sub_devices(request: pytest.FixtureRequest) -> list[ht.Device]:
    """Two sub-devices of one CPU, for each CPU."""
    return devices_of_pair(f"parts of {request.param}")


@pytest.fixture(params=PAIRS)
def two_devices(request: pytest.FixtureRequest) -> list[ht.Device]:
    """Two sub-devices of one device, or two devices. They have different contexts."""
    return devices_of_pair(request.param)


@pytest.fixture(params=[*PAIRS, *(f"contexts of {name}" for name in DEVICES)])
def two_queues(request: pytest.FixtureRequest) -> list[ht.Queue]:
    """Two queues that are not equivalent: of two devices, or of two contexts of one device."""
    if request.param.startswith("contexts of "):
        device = ht.Device(request.param.removeprefix("contexts of "))
        return [ht.Queue(ht.Context(device), device) for _ in range(2)]
    return [ht.Queue(device) for device in devices_of_pair(request.param)]


@pytest.fixture
def strictly(device: ht.Device) -> Callable[[str], str]:
    """Runs a program whose default device is `device` and returns its standard output.

    Host and device cannot access each other's memory in it. Otherwise no copies would be counted on
    a CPU, which can access all memory."""

    def execute(program: str) -> str:
        environment = {
            **os.environ,
            "HITHER_STRICT_USM": "1",
            "HITHER_DEVICE": str(device),
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        done = subprocess.run(
            [sys.executable, "-c", program],
            env=environment,
            capture_output=True,
            text=True,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return execute


@pytest.fixture
def gpu(two_queues: list[ht.Queue]) -> dict[str, ht.Queue]:
    """The queues for "gpu:1" and "gpu:2" of the listings."""
    return {f"gpu:{i + 1}": queue for i, queue in enumerate(two_queues)}
