"""NVIDIA GPUs: their descriptors, and the message on machines without one."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import hither as ht

DEVICES = [d.filter_string for d in ht.devices() if d.filter_string.startswith("cuda:")]
WHY_NONE = "; ".join(a for a in ht.absent_backends() if a.startswith("cuda")) or "HITHER_CUDA=0"
needs_cuda = pytest.mark.skipif(not DEVICES, reason=f"no NVIDIA GPU: {WHY_NONE}")


@pytest.fixture(params=DEVICES)
def cuda_device(request):
    return ht.Device(request.param)


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, timeout=120, env=os.environ | environment,
    )  # fmt: skip
    return done.stdout.strip()


def test_they_are_listed_or_it_is_said_what_is_needed():
    if not DEVICES and os.environ.get("HITHER_CUDA") != "0":
        assert "12.0" in WHY_NONE or "GPU" in WHY_NONE or "does not start" in WHY_NONE


def test_a_gpu_that_is_asked_for_in_vain_says_why():
    if DEVICES:
        return
    with pytest.raises(ValueError, match="no device matches"):
        ht.Device("cuda")


def test_they_can_be_switched_off():
    code = "import hither; print([str(d) for d in hither.devices()], hither.absent_backends())"
    printed = run(code, HITHER_CUDA="0")
    assert "native_cpu:cpu:0" in printed
    assert "cuda" not in printed


@needs_cuda
def test_hidden_gpus_are_absent_with_a_reason():
    code = "import hither; print([str(d) for d in hither.devices()], hither.absent_backends())"
    printed = run(code, CUDA_VISIBLE_DEVICES="")
    assert "cuda:gpu" not in printed
    assert "CUDA_ERROR_NO_DEVICE" in printed


def test_memory_moves_through_it_and_back(cuda_device):
    queue = ht.Queue(cuda_device)
    there = np.arange(1_000_003, dtype=np.float64)
    assert (np.asarray(ht.asnumpy(ht.asarray(there, queue=queue))) == there).all()


FAULT = """
import hither as ht, numpy as np

@ht.kernel
def stray(x, far):
    x[ht.get_global_id(0) + far] = 1

x = ht.zeros(4, device="{device}")
ht.launch(stray, 4, x, 1 << 50)
for use in (x.queue.wait, lambda: ht.asnumpy(x), lambda: ht.asnumpy(ht.ones(9, device="{device}"))):
    try:
        use()
    except ht.DeviceError as error:
        print("CUDA_ERROR_ILLEGAL_ADDRESS" in str(error), end=" ")
print(float(ht.sum(ht.ones(10, device="cpu"))))
"""


def test_a_fault_is_an_error_and_the_cpu_goes_on(cuda_device):
    assert run(FAULT.format(device=cuda_device)) == "True True True 10.0"
