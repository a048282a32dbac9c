"""Requirements C: the execution queue of a kernel."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import hither as ht

N = 1000


@pytest.fixture(scope="module")
def add():
    @ht.kernel
    def add(a, b, c):
        i = ht.get_global_id(0)
        c[i] = a[i] + b[i]

    return add


@pytest.fixture(scope="module")
def scale():
    @ht.kernel
    def scale(factor, x):
        i = ht.get_global_id(0)
        x[i] = factor * x[i]

    return scale


class Shown:
    """An array of another package: nothing but the interface."""

    def __init__(self, memory, n):
        self.memory = memory
        self.__sycl_usm_array_interface__ = {
            "shape": (n,),
            "typestr": "<f8",
            "data": (memory.pointer, False),
            "strides": None,
            "offset": 0,
            "version": 1,
            "syclobj": memory.queue,
        }


def shown(values, queue):
    values = np.asarray(values, np.float64)
    memory = ht.MemoryUSMShared(values.nbytes, queue=queue)
    memory.copy_from_host(values)
    return Shown(memory, values.size)


def values_of(array):
    return np.frombuffer(bytes(array.memory))


def on(queue, usm_type="device", seed=0):
    host = np.random.default_rng(seed).random(N)
    return host, ht.asarray(host, queue=queue, usm_type=usm_type)


def test_c01_any_object_with_the_interface_names_the_queue(add, two_queues):
    other, queue = two_queues
    a, b, c = (shown(np.arange(8.0) * k, queue) for k in (1, 2, 0))
    add[8](a, b, c)
    queue.wait()
    assert values_of(c).tolist() == (np.arange(8.0) * 3).tolist()
    elsewhere = shown(np.arange(8.0), other)
    with pytest.raises(ht.PlacementError):
        add[8](a, elsewhere, c)


def test_c02_a_context_names_it_for_other_arrays(add, two_devices):
    host = np.random.default_rng(0).random(N)
    for target in (two_devices[0], ht.Queue(two_devices[1]), "cpu"):
        result = np.zeros(N)
        with ht.device_context(target):
            add[N](host, host, result)
        assert np.array_equal(result, host + host)


def test_c03_array_arguments_are_of_one_kind(add, device):
    host, usm = on(device)
    result = np.zeros(N)
    for arguments in [(host, usm, result), (usm, host, usm), (host, host, usm)]:
        with ht.device_context(device), pytest.raises(ht.PlacementError) as caught:
            add[N](*arguments)
        assert "ndarray" in str(caught.value) and "Array" in str(caught.value)
    with pytest.raises(ht.PlacementError):
        add[N](host, usm, result)
    assert not result.any()


def test_c04_a_context_has_no_effect_on_data_that_have_a_queue(add, two_queues):
    first, second = two_queues
    host, a = on(first)
    c = ht.zeros(N, dtype="float64", queue=first)
    with ht.device_context(second), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        add[N](a, a, c)
    assert [w.category for w in caught] == [ht.PlacementWarning]
    assert np.array_equal(ht.asnumpy(c), host + host)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add[N](a, a, c)  # outside a context there is nothing to warn about


def test_c05_equivalent_queues_and_any_usm_types_mix(add, device):
    queues = [ht.Queue(device) for _ in range(3)]
    for kinds in [("device", "shared", "host"), ("host", "host", "device")]:
        (x, a), (y, b), (_, c) = (
            on(q, k, i) for i, (q, k) in enumerate(zip(queues, kinds, strict=True))
        )
        add[N](a, b, c)
        assert np.array_equal(ht.asnumpy(c), x + y)


def test_c06_both_ways_of_the_example(add, device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))

    def select_device_ndarray():
        a, b, c = np.ones(N), np.ones(N), np.zeros(N)
        with ht.device_context(ht.Device()) as queue:
            assert queue.device == device
            add[N](a, b, c)
        return c

    def select_device_suai():
        a, b = (ht.asarray(np.ones(N)) for _ in range(2))
        c = ht.zeros(N, dtype="float64")
        add[N](a, b, c)
        assert c.device == device
        return ht.asnumpy(c)

    assert (select_device_ndarray() == 2).all()
    assert (select_device_suai() == 2).all()


def test_c07_the_notice_about_contexts_is_off_by_default(device):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("default", PendingDeprecationWarning)
        with ht.device_context(device):
            pass
    from hither.compat import dpctl

    with pytest.warns(PendingDeprecationWarning, match="secondary"):
        dpctl.device_context(str(device))


def test_c08_scalars_go_with_either_kind(scale, device):
    host, usm = on(device)
    scale[N](2.0, usm)
    assert np.array_equal(ht.asnumpy(usm), 2 * host)
    mine = host.copy()
    with ht.device_context(device):
        scale[N](2.0, mine)
    assert np.array_equal(mine, 2 * host)
    with pytest.raises(ht.PlacementError):
        scale[N](2.0, 3.0)
