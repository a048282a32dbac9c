"""Where the documents' programs run: on every device, and on queues that are not equivalent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

import hither as ht
from devices import DEVICES

PARTED = [name for name in DEVICES if ":cpu:" in name and ht.Device(name).max_compute_units > 1]
APART = [f"parts of {name}" for name in PARTED]
APART += [f"{DEVICES[0]} and {name}" for name in DEVICES[1:]]


def devices_apart(words: str) -> list[ht.Device]:
    """What an entry of APART names."""
    if words.startswith("parts of "):
        return ht.Device(words.removeprefix("parts of ")).create_sub_devices(partition=[1, 1])
    return [ht.Device(name) for name in words.split(" and ")]


@pytest.fixture(params=PARTED)
def sub_devices(request: pytest.FixtureRequest) -> list[ht.Device]:
    """Two sub-devices of one CPU, of each CPU in turn."""
    return devices_apart(f"parts of {request.param}")


@pytest.fixture(params=APART)
def two_devices(request: pytest.FixtureRequest) -> list[ht.Device]:
    """Two sub-devices of one device, or two devices: their contexts are different ones."""
    return devices_apart(request.param)


@pytest.fixture(params=[*APART, *(f"contexts of {name}" for name in DEVICES)])
def two_queues(request: pytest.FixtureRequest) -> list[ht.Queue]:
    """Two queues that are not equivalent: of two devices, or of two contexts of one device."""
    if request.param.startswith("contexts of "):
        device = ht.Device(request.param.removeprefix("contexts of "))
        return [ht.Queue(ht.Context(device), device) for _ in range(2)]
    return [ht.Queue(device) for device in devices_apart(request.param)]


@pytest.fixture
def strictly(device: ht.Device) -> Callable[[str], str]:
    """Runs a program whose default device is `device`, and where the host and the device reach no
    memory of each other's, and returns what it printed. On a CPU, which reaches all memory,
    counters of copies say nothing elsewhere."""

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
    """The listings' "gpu:1" and "gpu:2"."""
    return {f"gpu:{i + 1}": queue for i, queue in enumerate(two_queues)}
