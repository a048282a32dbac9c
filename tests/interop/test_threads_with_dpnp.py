"""Threads that wait for hither and threads that submit to dpnp do not stop each other."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytest.importorskip("dpnp", reason="dpnp is not installed")

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

threads = [threading.Thread(target=f) for f in (of_hither, of_dpnp)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert float(x[0]) == 1000
"""


@pytest.mark.parametrize("order", ["in_order", "out_of_order"])
def test_both_go_on(sycl_device, order):
    name = sycl_device.filter_string
    subprocess.run([sys.executable, "-c", PROGRAM, name, order], check=True, timeout=60)
