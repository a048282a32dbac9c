"""Kernels from numba-dpex's documentation, under hither's names."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.usefixtures("compat_names")


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


def test_signatures_and_options_of_the_host(queue):
    import numba_dpex as dpex
    from numba_dpex import float32, int64, kernel_api, usm_ndarray
    from numba_dpex.core.exceptions import MissingSpecializationError
    from numba_dpex.core.types.kernel_api.index_space_ids import ItemType

    arrays = [usm_ndarray(1, "C", dtype) for dtype in (int64, float32)]

    @dpex.device_func(int64(int64))
    def bumped(x):
        return x + 1

    @dpex.kernel([(ItemType(ndim=1), a, a) for a in arrays], release_gil=False, inline_threshold=2)
    def k(item: kernel_api.Item, x, result):
        result[item.get_id(0)] = bumped(x[item.get_id(0)])

    for dtype in ("int64", "float32"):
        x, result = ht.full(8, 1.5, dtype="float32", queue=queue), ht.zeros(8, queue=queue)
        x, result = ht.astype(x, dtype), ht.astype(result, dtype)
        dpex.call_kernel(k, dpex.Range(8), x, result)
        assert (ht.asnumpy(result) == 2).all()
    with pytest.raises(MissingSpecializationError, match="declared for"):
        dpex.call_kernel(k, dpex.Range(8), ht.ones(8, queue=queue), ht.ones(8, queue=queue))


def test_plain_functions_are_kernels_and_take_numpy_arrays(device, queue):
    from numba_dpex import kernel_api as kapi

    def doubled(item: kapi.Item, x):
        x[item.get_id(0)] *= 2

    x, host = ht.ones(8, queue=queue), np.ones(8)
    kapi.call_kernel(doubled, kapi.Range(8), x)
    with ht.device_context(device):
        kapi.call_kernel(doubled, kapi.Range(8), host)
    assert ht.asnumpy(x).tolist() == host.tolist() == [2] * 8


def test_the_first_parameter_may_be_the_item_without_saying_so(queue):
    import numba_dpex as dpex

    @dpex.kernel
    def numbered(item, x):
        x[item.get_global_id(0)] = item.get_local_id(0)

    def doubled(item, x):
        x[item.get_id(0)] *= 2

    @dpex.device_func
    def counted(item: dpex.kernel_api.NdItem, x, local):
        local[item.get_local_id(0)] = 1
        x[item.get_global_id(0)] += local[item.get_local_id(0)]

    @dpex.kernel
    def passed_on(item, x, local):
        counted(item, x, local)

    x = ht.zeros(8, dtype="int64", queue=queue)
    local = dpex.kernel_api.LocalAccessor(4, x.dtype)
    dpex.call_kernel(passed_on, dpex.NdRange((8,), (4,)), x, local)
    assert ht.asnumpy(x).tolist() == [1] * 8
    dpex.call_kernel(numbered, dpex.NdRange(dpex.Range(8), dpex.Range(4)), x)
    dpex.call_kernel(doubled, dpex.Range(8), x)
    assert ht.asnumpy(x).tolist() == [0, 2, 4, 6] * 2


def test_functions_over_arrays_run_where_these_are(queue):
    import dpnp
    import numba_dpex as dpex

    @dpex.dpjit
    def scaled(x, factor):
        result = dpnp.empty(x.size)
        for i in dpex.prange(x.size):
            result[i] = x[i] * factor
        return result

    @dpex.dpjit
    def total(x, factor):
        y = scaled(x, factor)
        return y.sum()

    @dpex.dpjit
    def made(n, where):
        return dpnp.ones(n, usm_type="shared", sycl_queue=where) + 1

    if queue.device.has_aspect("cpu"):  # elsewhere the sum would be the host's, which cannot see x
        x = ht.arange(100, dtype="float64", queue=queue)
        before = ht.counters()["offloaded_regions"]
        doubled = scaled(x, 2.0)
        assert ht.counters()["offloaded_regions"] > before
        assert doubled.queue.equivalent(queue)
        assert float(ht.sum(doubled)) == 9900
        assert total(x, 3.0) == 14850
    y = made(5, queue)
    assert (y.usm_type, y.queue.equivalent(queue)) == ("shared", True)
    assert ht.asnumpy(y).tolist() == [2] * 5


def test_functions_over_arrays_may_call_themselves_and_each_other(queue):
    import numba_dpex as dpex

    @dpex.dpjit
    def even(n):
        return True if n == 0 else odd(n - 1)

    @dpex.dpjit
    def odd(n):
        return False if n == 0 else even(n - 1)

    @dpex.dpjit
    def looping(n, step=2):
        total = 0
        for i in range(0, n, step):
            total += i
        return total if n < 4 else total + looping(n - 1)

    assert even(4) and not even(5)
    assert looping(5) == (0 + 2 + 4) + (0 + 2) + (0 + 2)
