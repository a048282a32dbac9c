"""Requirements A: compute follows data."""

from __future__ import annotations

import contextlib
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


def failing_queue(queues):
    """The one of these queues whose wait() raises the error of a failed task."""
    found = []
    for queue in queues:
        try:
            queue.wait()
        except ht.KernelError:
            found.append(queue)
    (queue,) = found
    return queue


@pytest.fixture(scope="module")
def fail():
    @ht.kernel
    def fail(a, b, c):
        if a[ht.get_global_id(0)] >= b[0]:
            raise ValueError("on this queue")
        c[0] = 1

    return fail


def test_a01_work_runs_on_the_queue_of_the_arrays(multiply, two_queues):
    for queue in two_queues:
        a, b, c = array_on(queue), array_on(queue, seed=1), zeros_on(queue)
        multiply[N](a, b, c)
        check_product(a, b, c)
        result = a * b + 1
        assert result.queue == queue
        assert result.device == queue.device
        assert np.array_equal(ht.asnumpy(result), ht.asnumpy(a) * ht.asnumpy(b) + 1)


def test_a01_a_kernel_is_a_task_of_the_queue_of_its_arrays(fail, two_queues):
    """The queue whose wait() raises the kernel's error is the one that it was submitted to."""
    for queue in two_queues:
        a, b, c = array_on(queue), zeros_on(queue), zeros_on(queue)
        ht.synchronize(a, b, c)
        ht.clear_kernel_history()
        fail[N](a, b, c)
        assert failing_queue(two_queues) == queue
        assert ht.kernel_history()[-1].device == queue.device.filter_string


def test_a02_arrays_have_a_queue_a_device_and_a_usm_type(device):
    queue = ht.Queue(device)
    for kind in KINDS:
        x = array_on(queue, kind)
        assert isinstance(x.queue, ht.Queue) and x.queue == queue == x.sycl_queue
        assert isinstance(x.device, ht.Device)
        assert x.device == x.sycl_device == device == str(x.device)
        assert x.usm_type == kind
        view = ht.UsmView(x)
        assert (view.shape, view.usm_type, view.queue) == ((N,), kind, queue)


def test_a03_queues_are_equivalent_by_context_device_and_properties(device):
    name = str(device)
    a, b, c = (ht.Queue(name) for _ in range(3))
    assert len({a, b, c}) == 3
    others = [
        ht.Queue(name, in_order=False),
        ht.Queue(name, enable_profiling=True),
        ht.Queue(ht.Context(name), name),
        *(ht.Queue(other) for other in ht.devices() if other != device),
    ]
    for x, y in itertools.product((a, b, c), repeat=2):
        assert x.equivalent(y)
    for x in (a, b, c):
        assert not any(x.equivalent(y) or y.equivalent(x) for y in others)
    for x, y in itertools.combinations(others, 2):
        assert not x.equivalent(y) and not y.equivalent(x)
    assert all(x.equivalent(x) for x in others)


def test_a03_queues_of_two_devices_or_contexts_are_not_equivalent(two_queues):
    first, second = two_queues
    assert first.context != second.context
    assert not first.equivalent(second) and not second.equivalent(first)
    for queue in two_queues:
        again = ht.Queue(queue.context, queue.device)
        assert again.equivalent(queue) and queue.equivalent(again)


def test_a03_queues_of_parts_of_a_device_are_not_its_own(sub_devices):
    whole = sub_devices[0].parent_device
    for part in sub_devices:
        assert ht.Queue(part).equivalent(ht.Queue(part))
        assert not ht.Queue(part).equivalent(ht.Queue(whole))


def test_a03_two_lookups_of_a_string_give_equivalent_queues(device):
    name = str(device)
    assert ht.default_queue(name).equivalent(ht.Queue(name))
    assert ht.default_queue(name) == ht.default_queue(name)


def test_a04_non_equivalent_queues_are_refused(multiply, two_queues):
    first, second = two_queues
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


def test_a05_equivalent_queues_may_be_mixed(multiply, device):
    first, second = ht.Queue(device), ht.Queue(device)
    a, b, c = array_on(first), array_on(second, seed=1), zeros_on(second)
    multiply[N](a, b, c)
    check_product(a, b, c)
    assert (a + b).queue == first
    assert (b + a).queue == second


def test_a05_pending_work_on_the_other_queue_is_waited_for(multiply, device):
    first = ht.Queue(device, in_order=False)
    second = ht.Queue(device, in_order=False)
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


def test_a06_usm_types_may_be_mixed(multiply, device):
    queue = ht.Queue(device)
    for kinds in itertools.product(KINDS, repeat=3):
        a, b, c = (array_on(queue, kind, seed) for seed, kind in enumerate(kinds))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", ht.PerformanceWarning)
            multiply[N](a, b, c)
        check_product(a, b, c)


@pytest.mark.parametrize("kind", KINDS)
def test_a07_asarray_moves_only_arrays_of_another_queue(kind, two_queues):
    queue, other = two_queues
    a = array_on(queue, kind)
    expected = ht.asnumpy(a)
    pointer = ht.UsmView(a).pointer
    for same in (
        ht.asarray(a, queue=a.queue, usm_type=kind),
        ht.asarray(a, queue=ht.Queue(queue.context, queue.device), usm_type=kind),
        a.asarray(a.queue, usm_type=kind),
    ):
        assert ht.UsmView(same).pointer == pointer
    for moved in (ht.asarray(a, queue=other), a.asarray(other, usm_type="shared")):
        assert moved.queue == other
        assert ht.UsmView(moved).pointer != pointer
        assert np.array_equal(ht.asnumpy(moved), expected)
    assert moved.usm_type == "shared"
    assert np.array_equal(ht.asnumpy(a), expected) and a.usm_type == kind


def test_a08_a_kernel_that_was_refused_runs_after_asarray(multiply, two_queues):
    first, second = two_queues
    a, b, c = array_on(first), array_on(second, seed=1), zeros_on(second)
    with pytest.raises(ht.PlacementError):
        multiply[N](a, b, c)
    moved = ht.asarray(a, queue=second)
    multiply[N](moved, b, c)
    check_product(a, b, c)
    assert (moved * b).queue == second


@pytest.mark.parametrize(("source", "target"), list(itertools.product(KINDS, repeat=2)))
def test_a09_asarray_gives_the_usm_type_that_was_asked_for(two_queues, source, target):
    """asarray(x, queue, usm_type=T), as printed: the queue is the second argument."""
    first, second = two_queues
    a = array_on(first, source)
    for queue in two_queues:
        for moved in (ht.asarray(a, queue, usm_type=target), a.asarray(queue, usm_type=target)):
            assert moved.usm_type == target == ht.UsmView(moved).usm_type
            assert moved.queue == queue
            assert np.array_equal(ht.asnumpy(moved), ht.asnumpy(a))
    assert ht.asarray([1, 2], second, usm_type=target).queue == second


def test_a09_the_second_argument_of_asarray_may_name_a_dtype(queue):
    name = str(queue.device)
    for target in (queue, queue.device, name, queue._get_capsule()):
        x = ht.asarray([1.5, 2.5], target, usm_type="shared")
        assert (x.queue, x.dtype, x.usm_type) == (queue, np.float64, "shared")
    for dtype in (np.float32, "float32", np.dtype("f4"), ht.float32, "f4"):
        x = ht.asarray([1.5, 2.5], dtype, queue=queue)
        assert (x.queue, x.dtype) == (queue, np.float32)
    with pytest.raises(TypeError, match="give one of them"):
        ht.asarray([1.5], queue, queue=queue)
    with pytest.raises(TypeError, match="not a dtype that arrays can hold"):
        ht.asarray([1.5], "datetime64[s]")
    with pytest.raises(TypeError, match="'no such' is neither a dtype nor a device"):
        ht.asarray([1.5], "no such")


def test_a10_numpy_arrays_alone_have_no_queue(multiply):
    a, c = np.ones(N), np.zeros(N)
    launches = ht.counters()["launches"]
    with pytest.raises(ht.PlacementError, match="the queue can not be determined"):
        multiply[N](a, a, c)
    assert not c.any() and ht.counters()["launches"] == launches


def test_a11_numpy_arrays_run_on_the_context(multiply, two_devices):
    a = np.random.default_rng(0).random(N)
    for target in (ht.Queue(two_devices[0]), two_devices[1], "cpu"):
        c = np.zeros(N)
        ht.clear_kernel_history()
        with ht.offload_to_sycl_device(target):
            multiply[N](a, a, c)
        assert np.array_equal(c, a * a)
        ran = [entry.device for entry in ht.kernel_history() if entry.name.startswith("multiply")]
        assert ran == [ht.default_queue(target).device.filter_string]


def test_a12_numpy_and_usm_arrays_do_not_mix(multiply, two_queues):
    queue, other = two_queues
    usm, host, result = array_on(queue), np.ones(N), zeros_on(queue)
    for context in (None, other, queue):
        for arguments in ((host, usm, result), (usm, host, result), (usm, usm, host)):
            with pytest.raises(ht.PlacementError):
                if context is None:
                    multiply[N](*arguments)
                else:
                    with ht.device_context(context):
                        multiply[N](*arguments)
    for context in (None, other, queue):
        manager = ht.device_context(context) if context else contextlib.nullcontext()
        for mixed in (
            lambda: usm + host, lambda: host + usm, lambda: ht.add(usm, host),
            lambda: ht.where(usm > 0, usm, host), lambda: np.add(host, usm),
            lambda: ht.searchsorted(usm, host), lambda: usm @ host,
        ):  # fmt: skip
            with manager, pytest.raises(ht.PlacementError):
                mixed()
    assert (host == 1).all() and not ht.asnumpy(result).any()


def test_a12_indices_and_masks_are_copied_to_the_queue(two_queues):
    """They do not determine the queue and may be on the host or on another queue."""
    other, queue = two_queues
    values = np.arange(12.0).reshape(3, 4)
    x = ht.asarray(values, queue=queue)
    index, mask = np.array([2, 0]), values > 5
    for place in (lambda i: i, lambda i: ht.asarray(i, queue=other), lambda i: i.tolist()):
        for key in (place(index), (slice(None), place(index)), place(mask), (place(index), 1)):
            plain = tuple(map(_plain, key)) if isinstance(key, tuple) else _plain(key)
            assert x[key].queue == queue
            assert np.array_equal(ht.asnumpy(x[key]), values[plain])
    for take in (index, ht.asarray(index, queue=other)):
        assert ht.take(x, take, axis=0).queue == queue
        assert np.array_equal(ht.asnumpy(ht.take(x, take, axis=0)), values[index])
    along = np.argsort(-values, axis=1)
    for order in (along, ht.asarray(along, queue=other)):
        assert np.array_equal(ht.asnumpy(ht.take_along_axis(x, order)), -np.sort(-values, axis=1))
    assert ht.reshape(x, np.array([4, 3])).shape == (4, 3)
    assert ht.zeros((np.int64(2), np.int32(3)), queue=queue).shape == (2, 3)


def _plain(key):
    return ht.asnumpy(key) if isinstance(key, ht.Array) else key


def test_a12_numpy_arrays_without_dimensions_are_scalars(multiply, queue):
    x = array_on(queue, seed=3)
    values = ht.asnumpy(x)
    for number in (np.array(2.5), np.float64(2.5), np.array(2.5, ">f8")):
        for result in (x * number, number * x, ht.multiply(x, number), np.multiply(x, number)):
            assert result.queue == queue
            assert np.array_equal(ht.asnumpy(result), values * 2.5)
    assert (
        ht.asarray([1, 2], dtype=np.int8, queue=queue) + np.array(1, np.int64)
    ).dtype == np.int64
    assert ht.asnumpy(ht.where(x > 2, x, np.array(1.0))).tolist() == [1.0] * N
    with pytest.raises(ht.PlacementError):  # a kernel's arguments are arrays
        multiply[1](x, np.array(2.5), zeros_on(queue))


def test_a12_a_target_determines_the_queue_and_host_values_are_copied(two_queues):
    other, queue = two_queues
    values = np.arange(6.0)
    index = np.array([1, 3])
    x = ht.asarray(values, queue=queue)

    def check(change):
        change(x)
        change(values)
        assert x.queue == queue and np.array_equal(ht.asnumpy(x), values)

    check(lambda a: a.__setitem__(index, np.array([10.0, 30.0])))
    check(lambda a: a.__setitem__(slice(2, None), np.array([1, 2, 3, 4], np.int16)))
    check(lambda a: a.__setitem__(values > 2, np.array(7.0)))
    check(lambda a: a.__setitem__(..., values[::-1] * 2))
    check(lambda a: a.__setitem__(0, bytearray(b"a")[0]))
    check(lambda a: np.copyto(a, np.linspace(0, 1, 6)))
    check(lambda a: np.copyto(a, np.array([5.0]), where=np.arange(6) % 2 == 0))
    check(lambda a: np.put(a, index, np.array([8.0, 9.0])))
    check(lambda a: a.put([-1, 0], [4.0, 5.0]))
    check(lambda a: a.fill(np.array(3.0)))
    check(lambda a: a.fill(2))
    with pytest.raises(ht.PlacementError):  # values with a queue are operands
        x[...] = ht.ones(6, queue=other)


def test_a13_calls_without_arrays_have_no_queue(multiply):
    with pytest.raises(ht.PlacementError):
        multiply[N](1.0, 2.0, 3.0)
    with pytest.raises((ht.PlacementError, TypeError)):
        ht.sin(1.0)


def test_a14_results_take_the_strongest_usm_type(device):
    queue = ht.Queue(device)
    order = dict(zip(KINDS, range(3), strict=True))
    for kinds in [*itertools.product(KINDS, repeat=2), *itertools.product(KINDS, repeat=3)]:
        arrays = [array_on(queue, kind) for kind in kinds]
        total = arrays[0]
        for array in arrays[1:]:
            total = total + array
        assert total.usm_type == min(kinds, key=order.get)


def test_a15_usm_ndarray_takes_a_list(device):
    from hither.compat.dpctl import tensor

    queue = ht.Queue(device)
    a = tensor.usm_ndarray([1, 2, 3, 4], type="shared", queue=queue)
    assert isinstance(a, tensor.usm_ndarray)
    assert (a.usm_type, a.queue, a.tolist()) == ("shared", queue, [1, 2, 3, 4])
    b = tensor.usm_ndarray((2, 3), "f4", buffer="host", buffer_ctor_kwargs={"queue": queue})
    assert (b.usm_type, b.queue, b.shape, b.dtype) == ("host", queue, (2, 3), np.float32)


def test_a16_scalars_do_not_determine_the_queue(two_queues):
    other, queue = two_queues
    a = array_on(queue)
    for scalar in (2, 2.0, True, 2j, np.float32(2), np.int64(2)):
        assert (a * scalar).queue == (scalar * a).queue == queue
        with ht.device_context(other), warnings.catch_warnings():
            warnings.simplefilter("ignore", ht.PlacementWarning)
            assert (a * scalar).queue == queue
