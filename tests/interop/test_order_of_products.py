"""hither and dpnp's matrix products wait for each other; on CPUs these are SYCL host tasks."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

ht.devices()  # before dpnp looks for them
dpnp = pytest.importorskip("dpnp", reason="dpnp is not installed")

SIZE = 1500  # products are under way for long after dpnp has returned


@ht.kernel
def copy(y, x):
    i = ht.get_global_id(0)
    y[i] = x[i]


def by_an_operation(x):
    return ht.asnumpy(x + 0)


def by_a_kernel(x):
    y = ht.zeros(x.size, queue=x.queue)
    copy[x.size](y, ht.reshape(x, (x.size,)))
    return ht.asnumpy(y)


def by_a_kernel_on_foreign_memory(x):
    y = dpnp.zeros(x.size, sycl_queue=x.sycl_queue)
    copy[x.size](y, dpnp.reshape(dpnp.asarray(x), x.size))
    return dpnp.asnumpy(y)


def by_bytes_of_the_memory(x):
    return np.frombuffer(ht.MemoryUSMShared(x), dtype=x.dtype)


def by_a_view_after_a_wait(x):
    x.queue.wait()
    return np.asarray(x)


def by_an_element(x):
    return np.asarray([x[-1, -1].item(), x[0, 0].item()])


@pytest.mark.parametrize("in_order", [True, False], ids=["in_order", "out_of_order"])
@pytest.mark.parametrize("read", [
    ht.asnumpy, np.asarray, by_an_element, by_an_operation, by_a_kernel,
    by_a_kernel_on_foreign_memory, by_bytes_of_the_memory, by_a_view_after_a_wait,
])  # fmt: skip
def test_reads_see_a_product(sycl_device, in_order, read):
    queue = ht.Queue(sycl_device, in_order=in_order)
    ones = dpnp.asarray(ht.ones((SIZE, SIZE), queue=queue))
    x = ht.zeros((SIZE, SIZE), usm_type="shared", queue=queue)
    dpnp.matmul(ones, ones, out=dpnp.asarray(x))
    seen = read(x)
    assert (seen.min(), seen.max()) == (SIZE, SIZE)


@pytest.mark.parametrize("in_order", [True, False], ids=["in_order", "out_of_order"])
def test_products_see_what_hither_computes(sycl_device, in_order):
    queue = ht.Queue(sycl_device, in_order=in_order)
    for _ in range(3):  # from the second on the queue is shared
        one = ht.sum(ht.sin(ht.arange(10_000_000, queue=queue))) * 0 + 1  # under way for long
        a = dpnp.asarray(ht.ones((100, 100), queue=queue) * one)
        assert (dpnp.asnumpy(dpnp.matmul(a, a)) == 100).all()


@pytest.mark.parametrize("in_order", [True, False], ids=["in_order", "out_of_order"])
def test_writes_come_after_a_product(sycl_device, in_order):
    queue = ht.Queue(sycl_device, in_order=in_order)
    a = ht.ones((SIZE, SIZE), queue=queue)
    x = ht.zeros((SIZE, SIZE), queue=queue)
    there, product = dpnp.asarray(a), dpnp.asarray(x)
    dpnp.matmul(there, there, out=product)
    a[...] = 0
    assert (dpnp.asnumpy(product) == SIZE).all()
    a[...] = 1
    dpnp.matmul(there, there, out=product)
    x[...] = 0
    queue.wait()
    assert not ht.any(x)
