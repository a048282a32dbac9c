"""Threads that wait for hither and threads that submit to dpnp do not block each other."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.either_mode

pytest.importorskip("dpnp", reason="dpnp is not installed")

BOTH = """
with ThreadPoolExecutor(2) as pool:
    both = [pool.submit(f) for f in (of_hither, of_dpnp)]
for work in both:
    work.result()
"""

# dpnp submits with the GIL held, and its host tasks take the GIL.
PROGRAM = """
import sys
from concurrent.futures import ThreadPoolExecutor
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
        [sys.executable, "-c", PROGRAM + BOTH + CHECK, name, order], check=True, timeout=240
    )


# Work that is oneMKL's, or would be, and submissions and reads, while dpnp waits for tasks that are
# in the queue behind others of its own, which take the GIL: with the GIL or SYCL's graph locked.
ONEMKL = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import hither as ht
queue = ht.Queue(sys.argv[1], in_order=sys.argv[2] == "in_order")
import dpnp

small = dpnp.asarray(ht.ones(1000, queue=queue))
large = dpnp.ones(4_000_000, sycl_queue=small.sycl_queue)
matrix = 70 * ht.eye(70, queue=queue)
x = ht.ones((2, 10), dtype="complex64", queue=queue)
done = threading.Event()

def transforms(n):  # of new lengths
    ht.evaluate(ht.fft.fft(ht.ones((2, 10 + n), dtype="complex64", queue=queue)))

def products(n):
    ht.evaluate(matrix @ matrix)

import hither.scipy.sparse as sparse
line = sparse.diags_array([1.0, 2.0, 1.0], offsets=[-1, 0, 1], shape=(30_000, 30_000),
                          format="csr", queue=queue)
vector = ht.ones(30_000, queue=queue)

def sparse_products(n):
    ht.evaluate(line @ vector)

def factorizations(n):
    ht.linalg.inv(matrix)

def creations(n):  # eagerly they submit at once
    ht.evaluate(ht.cumulative_sum(ht.arange(10 + n, queue=queue)), ht.ones(10, queue=queue))

def reads(n):
    x[0] += n
    assert ht.asnumpy(x)[0, 0] == 1 + n * (n + 1) / 2
    queue.wait()

def of_hither():
    try:
        for n in range(50):
            globals()[sys.argv[3]](n)
    finally:
        done.set()

def of_dpnp():
    while not done.is_set():
        dpnp.sin(large)
        for _ in range(10):
            small + 1
            dpnp.sin(small)

"""


@pytest.mark.parametrize("order", ["in_order", "out_of_order"])
@pytest.mark.parametrize("work", [
    "transforms", "products", "sparse_products", "factorizations", "creations", "reads",
])  # fmt: skip
def test_work_of_onemkl_and_dpnp_go_on(sycl_device, order, work):
    subprocess.run(
        [sys.executable, "-c", ONEMKL + BOTH, sycl_device.filter_string, order, work],
        check=True, timeout=240, env=os.environ | {"HITHER_ONEMKL": "1"},
    )  # fmt: skip


# What follows a product in an in-order queue SYCL holds back, until oneMKL's host task has ended.
UNSHARED = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import hither as ht
alone, second = ht.Queue(sys.argv[1]), ht.Queue(sys.argv[1])
matrix = 70 * ht.eye(70, queue=alone)
ht.evaluate(matrix @ matrix)
import dpnp

small = dpnp.asarray(ht.ones(1000, queue=ht.Queue(sys.argv[1])))
done = threading.Event()

def of_hither():
    try:
        for _ in range(300):
            product = matrix @ matrix
            ht.evaluate(product)
            if sys.argv[2] == "read":
                float(product[0, 0])
            elif sys.argv[2] == "wait":
                alone.wait()
            else:
                second.submit_barrier([alone.submit_barrier()]).wait()
    finally:
        done.set()

def of_dpnp():
    while not done.is_set():
        small + 1
        dpnp.sin(small)

"""


@pytest.mark.parametrize("how", ["wait", "read", "come after"])
def test_products_of_a_queue_that_is_not_shared_go_on(sycl_device, how):
    environment = os.environ | {"HITHER_ONEMKL": "1"}
    environment.pop("SYCL_QUEUE_THREAD_POOL_SIZE", None)  # dpnp sets it, too late for who used SYCL
    subprocess.run(
        [sys.executable, "-c", UNSHARED + BOTH, sycl_device.filter_string, how],
        check=True, timeout=240, env=environment,
    )  # fmt: skip
