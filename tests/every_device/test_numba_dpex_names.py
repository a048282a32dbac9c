"""Kernels as numba-dpex's documentation writes them, on hither's names."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
from hither import compat


@pytest.fixture(autouse=True)
def names():
    compat.install(force=True)
    yield
    compat.uninstall()


def test_vecadd_with_an_item(queue):
    import numba_dpex as dpex
    from numba_dpex import kernel_api as kapi

    @dpex.kernel
    def vecadd(item: kapi.Item, a, b, c):
        i = item.get_id(0)
        c[i] = a[i] + b[i]

    a, b, c = (ht.ones(100, queue=queue) for _ in range(3))
    dpex.call_kernel(vecadd, kapi.Range(100), a, b, c)
    assert (ht.asnumpy(c) == 2).all()
    event, kept = dpex.call_kernel_async(vecadd, kapi.Range(100), (), a, c, b)
    dpex.call_kernel_async(vecadd, kapi.Range(100), (event, kept), a, b, c)[0].wait()
    assert (ht.asnumpy(c) == 4).all()


def test_private_arrays_and_atomic_references(queue):
    import numba_dpex as dpex
    from numba_dpex import kernel_api as kapi

    @dpex.device_func
    def total(values):
        s = 0
        for k in range(4):
            s += values[k]
        return s

    @dpex.kernel
    def summed(item: kapi.Item, x, result):
        own = kapi.PrivateArray(4, dtype=np.int64, fill_zeros=True)
        own[item.get_id(0) % 4] = x[item.get_id(0)]
        ref = kapi.AtomicRef(
            result,
            index=0,
            memory_order=kapi.MemoryOrder.RELAXED,
            memory_scope=kapi.MemoryScope.DEVICE,
            address_space=kapi.AddressSpace.GLOBAL,
        )
        ref.fetch_add(total(own))

    x, result = ht.arange(50, queue=queue), ht.zeros(1, dtype=ht.int64, queue=queue)
    dpex.call_kernel(summed, kapi.Range(50), x, result)
    assert int(result[0]) == 1225


def test_local_accessors_and_group_barriers(queue):
    import numba_dpex as dpex
    from numba_dpex import kernel_api as kapi

    @dpex.kernel
    def reversed_in_groups(nd_item: kapi.NdItem, x, slm):
        i, k = nd_item.get_global_id(0), nd_item.get_local_id(0)
        group = nd_item.get_group()
        slm[k] = x[i]
        kapi.group_barrier(group, kapi.MemoryScope.WORK_GROUP)
        x[i] = slm[group.get_local_range(0) - 1 - k]

    x = ht.arange(32, dtype=ht.int64, queue=queue)
    slm = kapi.LocalAccessor(8, dtype=x.dtype)
    dpex.call_kernel(reversed_in_groups, kapi.NdRange(kapi.Range(32), kapi.Range(8)), x, slm)
    assert np.array_equal(ht.asnumpy(x), np.arange(32).reshape(4, 8)[:, ::-1].ravel())
