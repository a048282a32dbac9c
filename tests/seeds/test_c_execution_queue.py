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


class Exported:
    """An array of another package, which has only the interface."""

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


def exported(values, queue):
    values = np.asarray(values, np.float64)
    memory = ht.MemoryUSMShared(values.nbytes, queue=queue)
    memory.copy_from_host(values)
    return Exported(memory, values.size)


def values_of(array):
    return np.frombuffer(bytes(array.memory))


def ran_on(name):
    """The devices that ran kernels of this name since the history was cleared."""
    return [entry.device for entry in ht.kernel_history() if entry.name.startswith(name)]


def on(queue, usm_type="device", seed=0):
    host = np.random.default_rng(seed).random(N)
    return host, ht.asarray(host, queue=queue, usm_type=usm_type)


def test_c01_any_object_with_the_interface_has_a_queue(add, two_queues):
    other, queue = two_queues
    a, b, c = (exported(np.arange(8.0) * k, queue) for k in (1, 2, 0))
    ht.clear_kernel_history()
    add[8](a, b, c)
    queue.wait()
    assert ran_on("add") == [queue.device.filter_string]
    assert values_of(c).tolist() == (np.arange(8.0) * 3).tolist()
    elsewhere = exported(np.arange(8.0), other)
    with pytest.raises(ht.PlacementError):
        add[8](a, elsewhere, c)


def test_c02_other_arrays_use_the_queue_of_the_context(add, two_devices):
    host = np.random.default_rng(0).random(N)
    for target in (two_devices[0], ht.Queue(two_devices[1]), "cpu"):
        result = np.zeros(N)
        ht.clear_kernel_history()
        with ht.device_context(target):
            add[N](host, host, result)
        assert ran_on("add") == [ht.default_queue(target).device.filter_string]
        assert np.array_equal(result, host + host)


def test_c03_array_arguments_are_of_one_kind(add, device):
    host, usm = on(device)
    result = np.zeros(N)
    for arguments in [(host, usm, result), (usm, host, usm), (host, host, usm)]:
        with ht.device_context(device), pytest.raises(ht.PlacementError) as caught:
            add[N](*arguments)
        # The first argument that differs, and the types of both.
        assert "numpy.ndarray" in str(caught.value) and "hither.Array" in str(caught.value)
        assert all(f"{name} (" in str(caught.value) for name in _first_two_kinds(arguments))
    with pytest.raises(ht.PlacementError):
        add[N](host, usm, result)
    assert not result.any()


def _first_two_kinds(arguments):
    """Names of the first argument and of the first one of another kind."""
    kinds = [type(a) for a in arguments]
    return "a", "abc"[next(i for i, kind in enumerate(kinds) if kind is not kinds[0])]


def test_c04_a_context_has_no_effect_on_data_that_have_a_queue(add, two_queues):
    first, second = two_queues
    host, a = on(first)
    c = ht.zeros(N, dtype="float64", queue=first)
    ht.clear_kernel_history()
    with ht.device_context(second), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        add[N](a, a, c)
    assert [w.category for w in caught] == [ht.PlacementWarning]
    assert "has no effect" in str(caught[0].message)
    assert ran_on("add") == [first.device.filter_string]
    assert np.array_equal(ht.asnumpy(c), host + host)
    equivalent = ht.Queue(first.context, first.device)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        add[N](a, a, c)  # no warning outside of a context
        with ht.device_context(equivalent):  # nor in a context of an equivalent queue
            add[N](a, a, c)


@pytest.mark.usefixtures("compat_names")
def test_c04_the_documents_contexts_always_warn(two_queues):
    import dpctl
    import dppl
    import numba_dppy

    @numba_dppy.kernel
    def add(a, b, c):
        i = numba_dppy.get_global_id(0)
        c[i] = a[i] + b[i]

    first, second = two_queues
    host, a = on(first)
    c = ht.zeros(N, dtype="float64", queue=first)
    contexts = [dppl.device_context, numba_dppy.offload_to_sycl_device, numba_dppy.device_context]
    for context in (*contexts, dpctl.device_context):
        for queue in (first, second):
            ht.clear_kernel_history()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("ignore")  # the notice of C7
                warnings.simplefilter("always", ht.PlacementWarning)
                with context(queue):
                    add(a, a, c)
            assert [w.category for w in caught] == [ht.PlacementWarning]
            assert ran_on("add") == [first.device.filter_string]
    assert np.array_equal(ht.asnumpy(c), host + host)


def test_c05_equivalent_queues_and_any_usm_types_mix(add, device):
    queues = [ht.Queue(device) for _ in range(3)]
    for kinds in [("device", "shared", "host"), ("host", "host", "device")]:
        (x, a), (y, b), (_, c) = (
            on(q, k, i) for i, (q, k) in enumerate(zip(queues, kinds, strict=True))
        )
        ht.clear_kernel_history()
        add[N](a, b, c)
        assert ran_on("add") == [device.filter_string]
        assert np.array_equal(ht.asnumpy(c), x + y)


def test_c06_both_functions_of_the_example(add, device, monkeypatch):
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

    for select_device in (select_device_ndarray, select_device_suai):
        ht.clear_kernel_history()
        assert (select_device() == 2).all()
        assert ran_on("add") == [device.filter_string]


def test_c07_the_notice_about_contexts_is_off_by_default(device):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("default", PendingDeprecationWarning)
        with ht.device_context(device):
            pass
    from hither.compat import dpctl

    with pytest.warns(PendingDeprecationWarning, match="secondary"):
        dpctl.device_context(str(device))


def test_c08_scalars_are_used_with_either_kind(scale, device):
    host, usm = on(device)
    ht.clear_kernel_history()
    scale[N](2.0, usm)
    assert np.array_equal(ht.asnumpy(usm), 2 * host)
    result = host.copy()
    with ht.device_context(device):
        scale[N](2.0, result)
    assert np.array_equal(result, 2 * host)
    assert ran_on("scale") == [device.filter_string] * 2
    with pytest.raises(ht.PlacementError):
        scale[N](2.0, 3.0)
