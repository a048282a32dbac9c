"""Requirements A: compute follows data."""

from __future__ import annotations

import itertools
import threading
import warnings

import numpy as np
import pytest

import hither as ht

N = 257
KINDS = ("device", "shared", "host")


@pytest.fixture(scope="module")
def multiply():
    @ht.kernel
    def multiply(a, b, c):
        i = ht.get_global_id(0)
        c[i] = a[i] * b[i]

    return multiply


def array_on(queue, usm_type="device", seed=0):
    return ht.asarray(np.random.default_rng(seed).random(N), queue=queue, usm_type=usm_type)


def zeros_on(queue, usm_type="device"):
    return ht.zeros(N, dtype=np.float64, queue=queue, usm_type=usm_type)


def check_product(a, b, c):
    assert np.array_equal(ht.asnumpy(c), ht.asnumpy(a) * ht.asnumpy(b))


def test_a01_work_runs_on_the_queue_of_the_arrays(multiply, sub_devices):
    for device in sub_devices:
        queue = ht.Queue(device)
        a, b, c = array_on(queue), array_on(queue, seed=1), zeros_on(queue)
        multiply[N](a, b, c)
        check_product(a, b, c)
        result = a * b + 1
        assert result.queue == queue
        assert result.device == device
        assert np.array_equal(ht.asnumpy(result), ht.asnumpy(a) * ht.asnumpy(b) + 1)


def test_a02_arrays_say_where_they_are(device):
    queue = ht.Queue(device)
    for kind in KINDS:
        x = array_on(queue, kind)
        assert isinstance(x.queue, ht.Queue) and x.queue == x.sycl_queue == queue
        assert isinstance(x.device, ht.Device)
        assert x.device == x.sycl_device == device == str(x.device)
        assert x.usm_type == kind
        view = ht.UsmView(x)
        assert (view.shape, view.usm_type, view.queue) == ((N,), kind, queue)


def test_a03_queues_are_equivalent_by_context_device_and_properties(sub_devices):
    a, b, c = (ht.Queue("cpu") for _ in range(3))
    assert len({a, b, c}) == 3
    others = [
        ht.Queue("cpu", in_order=False),
        ht.Queue("cpu", enable_profiling=True),
        ht.Queue(ht.Context("cpu"), "cpu"),
        ht.Queue(sub_devices[0]),
        ht.Queue(sub_devices[1]),
    ]
    for x, y in itertools.product((a, b, c), repeat=2):
        assert x.equivalent(y)
    for x in (a, b, c):
        assert not any(x.equivalent(y) or y.equivalent(x) for y in others)
    for x, y in itertools.combinations(others, 2):
        assert not x.equivalent(y) and not y.equivalent(x)
    assert all(x.equivalent(x) for x in others)
    assert others[3].equivalent(ht.Queue(sub_devices[0]))


def test_a03_two_lookups_of_a_string_give_equivalent_queues():
    assert ht.default_queue("cpu").equivalent(ht.Queue("cpu"))
    assert ht.default_queue("cpu") == ht.default_queue("cpu")


def test_a04_non_equivalent_queues_are_refused(multiply, sub_devices):
    first, second = map(ht.Queue, sub_devices)
    a, b, c = array_on(first), array_on(second, seed=1), zeros_on(second)
    launches = ht.counters()["launches"]
    with pytest.raises(ht.PlacementError) as caught:
        multiply[N](a, b, c)
    assert "a" in caught.value.message and first.device.filter_string in caught.value.message
    with pytest.raises(ht.PlacementError):
        a * b
    with ht.device_context(first), pytest.raises(ht.PlacementError):
        multiply[N](a, b, c)
    assert ht.counters()["launches"] == launches
    assert not ht.asnumpy(c).any()


def test_a05_equivalent_queues_may_be_mixed(multiply):
    first, second = ht.Queue("cpu"), ht.Queue("cpu")
    a, b, c = array_on(first), array_on(second, seed=1), zeros_on(second)
    multiply[N](a, b, c)
    check_product(a, b, c)
    assert (a + b).queue == first
    assert (b + a).queue == second


def test_a05_pending_work_on_the_other_queue_is_waited_for(multiply):
    first = ht.Queue("cpu", in_order=False)
    second = ht.Queue("cpu", in_order=False)
    gate = threading.Event()
    a, c = zeros_on(first), zeros_on(first)
    b = zeros_on(second)
    ht.synchronize(a, b, c)
    ones = ht.asarray(np.ones(N), queue=second)
    held = second.submit_host(lambda: gate.wait(30))
    ht.launch(multiply, N, ones, ones, b, depends_on=[held])
    timer = threading.Timer(0.05, gate.set)
    timer.start()
    ht.launch(multiply, N, b, b, c, queue=first)
    assert (ht.asnumpy(c) == 1).all()
    timer.join()
    second.wait()


def test_a06_usm_types_may_be_mixed(multiply):
    queue = ht.Queue("cpu")
    for kinds in itertools.product(KINDS, repeat=3):
        a, b, c = (array_on(queue, kind, seed) for seed, kind in enumerate(kinds))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ht.PerformanceWarning)
            multiply[N](a, b, c)
        check_product(a, b, c)


@pytest.mark.parametrize("kind", KINDS)
def test_a07_asarray_moves_only_what_is_elsewhere(kind, sub_devices):
    a = array_on(ht.Queue("cpu"), kind)
    expected = ht.asnumpy(a)
    pointer = ht.UsmView(a).pointer
    for same in (
        ht.asarray(a, queue=a.queue, usm_type=kind),
        ht.asarray(a, queue="cpu", usm_type=kind),
        a.asarray(a.queue, usm_type=kind),
    ):
        assert ht.UsmView(same).pointer == pointer
    other = ht.Queue(sub_devices[0])
    for moved in (ht.asarray(a, queue=other), a.asarray(other, usm_type="shared")):
        assert moved.queue == other
        assert ht.UsmView(moved).pointer != pointer
        assert np.array_equal(ht.asnumpy(moved), expected)
    assert moved.usm_type == "shared"
    assert np.array_equal(ht.asnumpy(a), expected) and a.usm_type == kind


def test_a08_a_function_that_was_refused_runs_after_asarray(multiply, sub_devices):
    first, second = map(ht.Queue, sub_devices)
    a, b, c = array_on(first), array_on(second, seed=1), zeros_on(second)
    with pytest.raises(ht.PlacementError):
        multiply[N](a, b, c)
    moved = ht.asarray(a, queue=second)
    multiply[N](moved, b, c)
    check_product(a, b, c)
    assert (moved * b).queue == second


@pytest.mark.parametrize(("source", "target"), list(itertools.product(KINDS, repeat=2)))
def test_a09_asarray_gives_the_usm_type_that_was_asked_for(source, target):
    queue = ht.Queue("cpu")
    a = array_on(queue, source)
    moved = ht.asarray(a, queue=queue, usm_type=target)
    assert moved.usm_type == target == ht.UsmView(moved).usm_type
    assert np.array_equal(ht.asnumpy(moved), ht.asnumpy(a))


def test_a10_numpy_arrays_alone_name_no_queue(multiply):
    a, c = np.ones(N), np.zeros(N)
    with pytest.raises(ht.PlacementError, match="queue"):
        multiply[N](a, a, c)
    assert not c.any()


def test_a11_numpy_arrays_run_on_the_context(multiply, sub_devices):
    a = np.random.default_rng(0).random(N)
    for target in (ht.Queue(sub_devices[0]), sub_devices[1], "cpu"):
        c = np.zeros(N)
        before = ht.counters()["launches"]
        with ht.offload_to_sycl_device(target):
            multiply[N](a, a, c)
        assert np.array_equal(c, a * a)
        assert ht.counters()["launches"] == before + 1


def test_a12_numpy_and_usm_arrays_do_not_mix(multiply, sub_devices):
    queue = ht.Queue(sub_devices[0])
    usm, host, result = array_on(queue), np.ones(N), zeros_on(queue)
    for context in (None, ht.Queue(sub_devices[1]), queue):
        for arguments in ((host, usm, result), (usm, host, result), (usm, usm, host)):
            with pytest.raises(ht.PlacementError):
                if context is None:
                    multiply[N](*arguments)
                else:
                    with ht.device_context(context):
                        multiply[N](*arguments)
    with pytest.raises(ht.PlacementError):
        usm + host
    with pytest.raises(ht.PlacementError):
        host + usm
    assert (host == 1).all() and not ht.asnumpy(result).any()


def test_a13_calls_without_arrays_name_no_queue(multiply):
    with pytest.raises(ht.PlacementError):
        multiply[N](1.0, 2.0, 3.0)
    with pytest.raises((ht.PlacementError, TypeError)):
        ht.sin(1.0)


def test_a14_results_take_the_strongest_usm_type():
    queue = ht.Queue("cpu")
    order = dict(zip(KINDS, range(3), strict=True))
    for kinds in [*itertools.product(KINDS, repeat=2), *itertools.product(KINDS, repeat=3)]:
        arrays = [array_on(queue, kind) for kind in kinds]
        total = arrays[0]
        for array in arrays[1:]:
            total = total + array
        assert total.usm_type == min(kinds, key=order.get)


def test_a15_usm_ndarray_takes_a_list():
    from hither.compat.dpctl import tensor

    queue = ht.Queue("cpu")
    a = tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue=queue)
    assert isinstance(a, tensor.usm_ndarray)
    assert (a.usm_type, a.queue, a.tolist()) == ("shared", queue, [1, 2, 3, 4])
    b = tensor.usm_ndarray((2, 3), "f4", buffer="host", buffer_ctor_kwargs={"queue": queue})
    assert (b.usm_type, b.queue, b.shape, b.dtype) == ("host", queue, (2, 3), np.float32)


def test_a16_scalars_do_not_choose(sub_devices):
    queue = ht.Queue(sub_devices[1])
    a = array_on(queue)
    for scalar in (2, 2.0, True, 2j, np.float32(2), np.int64(2)):
        assert (a * scalar).queue == (scalar * a).queue == queue
        with ht.device_context(sub_devices[0]), warnings.catch_warnings():
            warnings.simplefilter("ignore", ht.PlacementWarning)
            assert (a * scalar).queue == queue
