"""SYCL devices for tests with the released packages; each is skipped where its package is not."""

from __future__ import annotations

import pytest

import hither as ht
from devices import DEVICES

# Found before the other packages look: OpenCL reads once what there is. Older OpenCL runtimes have
# no USM and take no SPIR-V: hither lends them plain host memory.
SYCL_DEVICES = [name for name in DEVICES if name.startswith(("opencl:", "level_zero:"))]
WHY_NONE = "; ".join(a for a in ht.absent_backends() if a.startswith("sycl")) or "none has USM"


@pytest.fixture(params=SYCL_DEVICES or [None])
def sycl_device(request: pytest.FixtureRequest) -> ht.Device:
    """Every SYCL device with memory that other libraries can access."""
    if request.param is None:
        pytest.skip(f"no SYCL device with USM: {WHY_NONE}")
    return ht.Device(request.param)


@pytest.fixture
def sycl_queue(sycl_device: ht.Device) -> ht.Queue:
    """Its default queue."""
    return sycl_device.default_queue
