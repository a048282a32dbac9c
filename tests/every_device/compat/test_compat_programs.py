"""Calls of programs for numba_dppy, numba_dpex and dpctl, under hither's names."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
from hither import compat

pytestmark = [pytest.mark.usefixtures("compat_names"), pytest.mark.either_mode]


def test_access_types_are_checked(queue):
    import numba_dppy as dppy

    access = {"read_only": ["a"], "write_only": ["c"], "read_write": []}

    @dppy.kernel(access_types=access)
    def add_one(a, c):
        i = dppy.get_global_id(0)
        c[i] = a[i] + 1

    a, c = ht.arange(5.0, queue=queue), ht.zeros(5, queue=queue)
    add_one[5, dppy.DEFAULT_LOCAL_SIZE](a, c)
    assert ht.asnumpy(c).tolist() == [1, 2, 3, 4, 5]
    host = np.zeros(5)
    with dppy.offload_to_sycl_device(queue):
        add_one[5, dppy.DEFAULT_LOCAL_SIZE](np.arange(5.0), host)
    assert host.tolist() == [1, 2, 3, 4, 5]
    for wrong in ({"read": ["a"]}, {"read_only": ["b"]}):
        with pytest.raises(ValueError, match="access_types"):
            dppy.kernel(access_types=wrong)(add_one.hither_kernel.py_func)


def test_the_default_local_size_serves_kernels_with_barriers(queue):
    import numba_dppy as dppy

    @dppy.kernel
    def sizes(a):
        dppy.barrier()
        a[dppy.get_global_id(0)] = dppy.get_local_size(0)

    most = queue.device.max_work_group_size
    for n in (1, 10, 2 * most, most + 1):
        x = ht.zeros(n, queue=queue)
        sizes[n, dppy.DEFAULT_LOCAL_SIZE](x)
        size = int(x[0])
        assert n % size == 0 and size <= most and bool(ht.all(x == size))
        assert size == n or n > most


def test_jit_is_the_first_name_of_kernels(queue):
    import dppl
    import numba_dppy as dppy

    for decorator in (dppy.jit, dppl.jit):

        @decorator
        def double(a):
            a[dppy.get_global_id(0)] *= 2

        a = ht.ones(4, queue=queue)
        double[4, 2](a)
        assert ht.asnumpy(a).tolist() == [2] * 4


def test_settings_are_there_to_be_read_and_set(monkeypatch):
    import numba_dpex
    import numba_dpex.config as config

    assert numba_dpex.config is config
    assert (config.DEBUG, config.ENABLE_CACHE, config.INLINE_THRESHOLD) == (0, 1, None)
    monkeypatch.setattr(config, "DPEX_OPT", 3)
    assert isinstance(config.NUMBA_NUM_THREADS, int)  # Numba's
    with pytest.raises(AttributeError):
        config.NO_SUCH_SETTING  # noqa: B018


def test_the_classes_of_queues_devices_and_contexts_are_dpctls(queue):
    import dpctl

    assert type(dpctl.SyclQueue(queue.device)) is dpctl.SyclQueue
    assert type(queue) is dpctl.SyclQueue
    assert type(queue.sycl_device) is dpctl.SyclDevice
    assert type(ht.zeros(3, queue=queue).sycl_device) is dpctl.SyclDevice
    assert type(queue.sycl_context) is dpctl.SyclContext
    assert dpctl.SyclQueue(queue.device, property=["in_order"]).is_in_order
    assert dpctl.SyclQueue(queue.device, property="enable_profiling").has_enable_profiling
    with pytest.raises(ValueError, match="property='fast'"):
        dpctl.SyclQueue(queue.device, property="fast")
    compat.install(force=True, flavour="dpctl-0.21")
    assert not dpctl.SyclQueue(queue.device).is_in_order
    assert isinstance(dpctl.SyclQueue(queue.device), dpctl.SyclQueue)


@pytest.mark.parametrize(
    ("whole", "expected"), [((6,), 1), ((2, 3), 2), ((1, 2, 3), 3), ((6, 1), 2)]
)
def test_items_know_the_dimensions_of_their_range(queue, whole, expected):
    import numba_dpex as dpex
    from numba_dpex import kernel_api as kapi

    @dpex.kernel
    def of_item(item: kapi.Item, a):
        a[item.get_linear_id()] = item.dimensions

    @dpex.kernel
    def of_group(item: kapi.NdItem, a):
        a[item.get_global_linear_id()] = item.dimensions + 10 * item.get_group().dimensions

    def plain(item, a):
        a[item.get_linear_id()] = item.dimensions

    a = ht.zeros(6, dtype=ht.int64, queue=queue)
    dpex.call_kernel(of_item, kapi.Range(*whole), a)
    assert ht.asnumpy(a).tolist() == [expected] * 6
    dpex.call_kernel(of_group, kapi.NdRange(whole, whole), a)
    assert ht.asnumpy(a).tolist() == [11 * expected] * 6
    a[:] = 0
    dpex.call_kernel(plain, kapi.Range(*whole), a)
    assert ht.asnumpy(a).tolist() == [expected] * 6


def test_arrays_are_made_like_none(queue):
    import dpnp

    made = dpnp.asarray(np.ones(3), sycl_queue=queue, like=None)
    assert made.sycl_queue == queue
    assert dpnp.array(made, like=None).shape == (3,)
    with pytest.raises(NotImplementedError, match="sycl_queue"):
        dpnp.asarray(np.ones(3), like=made)


def test_the_names_of_the_first_dpctl_say_what_devices_there_are():
    import dpctl

    assert dpctl.has_cpu_queues() == dpctl.has_cpu_devices()
    assert dpctl.has_gpu_queues() == dpctl.has_gpu_devices()


def test_functions_of_dpnp_are_numpys_inside_kernels(queue):
    import dpnp
    import numba_dpex as dpex
    from dpnp import sqrt as root

    @dpex.kernel
    def k(a, c):
        i = dpex.get_global_id(0)
        c[i] = dpnp.maximum(root(a[i]), dpnp.float64(1.5)) + dpnp.arctan2(a[i], 2.0) * dpnp.pi

    n = np.arange(5.0)
    a, c = ht.asarray(n, queue=queue), ht.zeros(5, queue=queue)
    k[5](a, c)
    right = np.maximum(np.sqrt(n), 1.5) + np.arctan2(n, 2.0) * np.pi
    np.testing.assert_allclose(ht.asnumpy(c), right, rtol=1e-12)


def test_references_and_local_memory_on_the_host():
    from numba_dpex import kernel_api as kapi

    n = np.array([1, 5, 3])
    ref = kapi.AtomicRef(n, 1)
    assert (ref.fetch_add(2), ref.load(), ref.fetch_min(4), n[1]) == (5, 7, 7, 4)
    assert (ref.fetch_sub(1), ref.fetch_or(8), ref.fetch_and(9), ref.fetch_xor(1)) == (4, 3, 11, 9)
    assert (ref.exchange(6), ref.fetch_max(7), ref.ref) == (8, 6, 7)
    expected = np.array([0, 7])
    assert ref.compare_exchange(expected, 1, 1) is True
    assert ref.compare_exchange(expected, 2, 1) is False
    assert (expected.tolist(), n.tolist()) == ([0, 1], [1, 1, 3])
    local = kapi.LocalAccessor((2, 3), np.float32)
    with pytest.raises(NotImplementedError, match="inside a kernel"):
        local[0, 0]
    with pytest.raises(NotImplementedError, match="inside a kernel"):
        local[0, 0] = 1


def test_vectorize_has_the_target_dppy(queue):
    import numba
    import numba_dppy as dppy

    @numba.vectorize([numba.float64(numba.float64, numba.float64)], target="dppy")
    def both(a, b):
        return a + 2 * b

    later = numba.vectorize(target="dpex")(lambda a: a + 1)
    n = np.arange(10.0).reshape(5, 2)
    with dppy.offload_to_sycl_device(queue):
        got, number = both(n, n), both(1.5, 2.0)
        assert later(n).tolist() == (n + 1).tolist()
    assert type(got) is np.ndarray
    np.testing.assert_array_equal(got, 3 * n)
    assert (type(number), number) == (np.float64, 5.5)
    x = ht.asarray(n, queue=queue)
    assert both(x, x).queue == queue


@pytest.mark.numba_leaks
@pytest.mark.parametrize("shape", [(5,), (3, 4), (200_000,)])
def test_arrays_that_a_function_names_are_frozen_in_it(queue, shape):
    import numba

    n = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    known = ht.asarray(n, queue=queue)

    @numba.njit
    def host(x):
        return x + known

    @numba.njit(parallel=True)
    def offloaded():
        total = 0.0
        for i in numba.prange(known.shape[0]):
            total += known[i]
        return total

    np.testing.assert_array_equal(host(np.ones(shape)), n + 1)
    if len(shape) == 1:
        with ht.device_context(queue):
            assert offloaded() == n.sum()
    known[...] = 0
    np.testing.assert_array_equal(host(np.ones(shape)), n + 1)


def test_groups_of_8192_items_on_cpus(queue):
    import numba_dpex as dpex

    if queue.device.device_type != "cpu":
        pytest.skip("GPUs have smaller groups")

    @dpex.kernel
    def reversed_with_many(a, b):
        local = dpex.local.array(8192, np.int32)
        i = dpex.get_local_id(0)
        x = a[i] + 1
        y = a[i] * 2
        local[i] = i
        dpex.barrier(dpex.CLK_LOCAL_MEM_FENCE)
        z = local[8191 - i]
        dpex.barrier(dpex.CLK_LOCAL_MEM_FENCE)
        b[i] = z + x * y

    assert queue.device.max_work_group_size >= 8192
    n = np.arange(8192)
    a, b = ht.asarray(n, queue=queue), ht.zeros(8192, dtype=ht.int64, queue=queue)
    reversed_with_many[8192, 8192](a, b)
    np.testing.assert_array_equal(ht.asnumpy(b), n[::-1] + (n + 1) * n * 2)
