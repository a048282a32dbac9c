"""Threads that wait for hither and threads that submit to dpnp do not stop each other."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytest.importorskip("dpnp", reason="dpnp is not installed")

BOTH = """threads = [threading.Thread(target=f) for f in (of_hither, of_dpnp)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""

# dpnp submits with the GIL held, and its host tasks take the GIL.
PROGRAM = """
import sys, threading
import hither as ht
queue = ht.Queue(sys.argv[1], in_order=sys.argv[2] == "in_order")
import dpnp

x = ht.zeros(1000, queue=queue)
d = dpnp.asarray(x)

def of_hither():
    global x
    for _ in range(1000):
        x += 1
        queue.wait()

def of_dpnp():
    for _ in range(1000):
        d + 1

"""
CHECK = "assert float(x[0]) == 1000"


@pytest.mark.parametrize("order", ["in_order", "out_of_order"])
def test_both_go_on(sycl_device, order):
    name = sycl_device.filter_string
    subprocess.run(
        [sys.executable, "-c", PROGRAM + BOTH + CHECK, name, order], check=True, timeout=60
    )


# Transforms of new lengths are committed while tasks of dpnp that take the GIL wait in the queue.
TRANSFORMS = """
import sys, threading
import hither as ht
queue = ht.Queue(sys.argv[1])
import dpnp

small = dpnp.asarray(ht.ones(1000, queue=queue))
large = dpnp.ones(4_000_000, sycl_queue=small.sycl_queue)
done = threading.Event()

def of_hither():
    for n in range(100):
        ht.evaluate(ht.fft.fft(ht.ones((2, 10 + n), dtype="complex64", queue=queue)))
    done.set()

def of_dpnp():
    while not done.is_set():
        dpnp.sin(large)
        small + 1

"""


def test_transforms_and_dpnp_go_on(sycl_device):
    subprocess.run(
        [sys.executable, "-c", TRANSFORMS + BOTH, sycl_device.filter_string],
        check=True, timeout=60, env=os.environ | {"HITHER_ONEMKL": "1"},
    )  # fmt: skip
