"""Kernels and host tasks through the C API, on every device."""

import ctypes
import threading

import numpy as np
import pytest

import hither as ht
from c_api_table import (
    ARRAY,
    INPUT,
    Argument,
    FreeFunction,
    HostFunction,
    KernelSource,
    Launch,
    Range,
    StreamFunction,
    Table,
    arguments,
)

AXPY = b"""
declare i64 @hither.global_id(i32)
define void @axpy(double %a, ptr addrspace(1) %x, ptr addrspace(1) %y) {
  %i = call i64 @hither.global_id(i32 0)
  %px = getelementptr double, ptr addrspace(1) %x, i64 %i
  %py = getelementptr double, ptr addrspace(1) %y, i64 %i
  %vx = load double, ptr addrspace(1) %px
  %vy = load double, ptr addrspace(1) %py
  %p = fmul double %a, %vx
  %s = fadd double %p, %vy
  store double %s, ptr addrspace(1) %py
  ret void
}"""


@pytest.fixture(scope="module")
def table():
    return Table()


def axpy_source():
    parameters = (ctypes.c_int32 * 3)(7, 0, 0)
    return KernelSource(b"axpy", AXPY, len(AXPY), parameters, 3, (0, 0, 0), 1)


def items(*global_size, local=()):
    return Range(global_size, local, len(global_size))


def test_kernels_run_after_what_is_pending(table, queue):
    there = table.make("queue_from_object", queue)
    kernel = table.make("kernel_build", there, ctypes.byref(axpy_source()))
    x = ht.arange(1000.0, queue=queue)
    y = ht.ones(1000, queue=queue)
    before = y * 10
    given = arguments(2.0, table.array(x).argument(INPUT), table.array(y))
    event = table.make("kernel_launch", kernel, ctypes.byref(items(1000)), given, 3, None)
    np.testing.assert_array_equal(ht.asnumpy(y + 0.5), 2 * np.arange(1000.0) + 1.5)
    assert (ht.asnumpy(before) == 10).all()
    table.check(table.event_wait(event))


def test_an_input_may_be_read_only(table, device):
    if device.device_type != "cpu":
        pytest.skip("needs memory that the host and the device share")
    n = np.arange(4.0)
    n.flags.writeable = False
    x, y = ht.asarray(n, copy=False, device=device), ht.zeros(4, device=device)
    there = table.make("queue_from_object", x.queue)
    kernel = table.make("kernel_build", there, ctypes.byref(axpy_source()))
    inputs = table.array(x).argument(INPUT), table.array(x).argument(ARRAY)
    launch = table.kernel_launch
    table.check(launch(kernel, ctypes.byref(items(4)), arguments(1.0, inputs[0], table.array(y)),
                       3, None, None))  # fmt: skip
    assert ht.asnumpy(y).tolist() == [0, 1, 2, 3]
    with pytest.raises(ht.InvalidValueError, match="argument 1 is read-only"):
        table.check(launch(kernel, ctypes.byref(items(4)),
                           arguments(1.0, inputs[1], table.array(y)), 3, None, None))  # fmt: skip


def test_wrong_launches_are_refused(table, queue):
    there = table.make("queue_from_object", queue)
    kernel = table.make("kernel_build", there, ctypes.byref(axpy_source()))
    x = table.array(ht.zeros(4, queue=queue))
    table.check(table.array_synchronize(x))
    launches = ht.counters()["launches"]
    for given, size, error, message in [
        ((2.0, x), items(4), ht.InvalidValueError, "2 arguments are given"),
        ((x, x, x), items(4), ht.InvalidTypeError, "argument 0 is an array"),
        ((2.0, x, Argument(kind=9)), items(4), ht.InvalidTypeError, "argument 2 has kind 9"),
        ((2.0, x, Argument(kind=ARRAY)), items(4), ht.InvalidValueError, "handle is NULL"),
        ((2.0, x, x), items(-1), ht.InvalidValueError, "negative"),
        ((2.0, x, x), Range((4,), (), 4), ht.InvalidValueError, "1 to 3 dimensions"),
    ]:
        with pytest.raises(error, match=message):
            table.check(table.kernel_launch(kernel, ctypes.byref(size), arguments(*given),
                                            len(given), None, None))  # fmt: skip
    assert ht.counters()["launches"] == launches
    broken = axpy_source()
    broken.entry = b"nowhere"
    with pytest.raises(ht.CompileError):
        table.make("kernel_build", there, ctypes.byref(broken))
    with pytest.raises(ht.CompileError):
        table.make("module_load", b"nonsense", 8, b"none")


def double_all(state, data, message):
    numbers = ctypes.cast(data[0], ctypes.POINTER(ctypes.c_double))
    for i in range(state):
        numbers[i] *= 2
    return 0


def test_host_tasks_are_in_the_order_of_their_arrays(table, queue):
    x = ht.asarray(np.arange(5.0), queue=queue, usm_type="shared") + 1
    before = x * 1
    work, freed = HostFunction(double_all), []
    free = FreeFunction(freed.append)
    event = table.make("host_task", arguments(table.array(x)), 1, work, 5, free, None)
    assert ht.asnumpy(x * 10).tolist() == [20, 40, 60, 80, 100]
    assert ht.asnumpy(before).tolist() == [1, 2, 3, 4, 5]
    table.check(table.event_wait(event))
    assert freed == [5]


def test_a_failed_host_task_fails_what_it_writes(table, queue):
    def fail(state, data, message):
        message[0] = b"the numbers are odd"
        return 3

    x = ht.asarray([1.0], queue=queue, usm_type="shared")
    y = ht.asarray([1.0], queue=queue, usm_type="shared")
    given = arguments(table.array(x).argument(INPUT), table.array(y))
    work = HostFunction(fail)
    event = table.make("host_task", given, 2, work, None, None, None)
    for _ in range(2):
        with pytest.raises(ht.KernelError, match="host_task: the numbers are odd"):
            table.check(table.event_wait(event))
        with pytest.raises(ht.KernelError, match="the numbers are odd"):
            ht.asnumpy(y + 1)
    assert ht.asnumpy(x + 1).tolist() == [2]
    with pytest.raises(ht.KernelError):
        queue.wait()


def test_a_refused_host_task_frees_its_state(table, queue):
    freed, third = [], threading.Event()

    def note(state):
        freed.append(state)
        if state == 3:
            third.set()

    work, free = HostFunction(double_all), FreeFunction(note)
    with pytest.raises(ht.PlacementError):
        table.check(table.host_task(None, 0, work, 1, free, None, None))
    assert freed == [1]
    with pytest.raises(ht.InvalidTypeError, match="argument 0 is not an array"):
        table.check(table.host_task(arguments(1), 1, work, 2, free, None, None))
    assert freed == [1, 2]
    there = table.make("queue_from_object", queue)
    where = Launch(there._as_parameter_, None, 0)
    ran = HostFunction(lambda state, data, message: 0)
    event = table.make("host_task", None, 0, ran, 3, free, ctypes.byref(where))
    table.check(table.event_wait(event))
    assert third.wait(30)  # it is freed after the task, maybe by another thread
    assert freed == [1, 2, 3]


def test_memory_out_of_reach_is_refused_by_host_tasks(table, device):
    if device.device_type == "cpu":
        pytest.skip("the host reaches all memory of CPUs")
    x = ht.ones(3, device=device)
    work = HostFunction(double_all)
    with pytest.raises(ht.ExchangeError, match="out of the host's reach"):
        table.check(table.host_task(arguments(table.array(x)), 1, work, 3, None, None, None))


def test_work_of_libraries_in_the_stream_of_a_cuda_queue(table, queue):
    x = ht.zeros(1000, dtype="int32", queue=queue) + 1
    stream = ctypes.c_void_p()
    table.check(table.queue_stream(table.make("queue_from_object", queue), ctypes.byref(stream)))
    if queue.device.backend != "cuda":
        assert stream.value is None
        seen = []
        work = StreamFunction(lambda state, stream, data, message: seen.append(stream) or 0)
        given = arguments(table.array(x)), 1, work, None, None
        if queue.device.backend == "native_cpu":
            with pytest.raises(ht.UnsupportedError, match="no queue that a library can put"):
                table.check(table.stream_task(*given, None))
        else:  # a sycl::queue
            table.check(table.event_wait(table.make("stream_task", *given)))
            assert seen[0]
        return
    assert stream.value == queue.native_stream
    cuda = ctypes.CDLL("libcuda.so.1")

    def fill(count, stream, data, message):
        assert data[1] == address
        return cuda.cuMemsetD32Async(
            ctypes.c_uint64(data[0]), 42, ctypes.c_size_t(count), ctypes.c_void_p(stream)
        )

    y = ht.ones(3, queue=queue)
    address = ht.UsmView(y).pointer
    before = x * 10
    work = StreamFunction(fill)
    given = arguments(table.array(x), table.array(y).argument(INPUT))
    event = table.make("stream_task", given, 2, work, 1000, None)
    assert (ht.asnumpy(x + 1) == 43).all() and (ht.asnumpy(before) == 10).all()
    table.check(table.event_wait(event))
    failing = StreamFunction(lambda state, stream, data, message: 7)
    with pytest.raises(ht.KernelError, match="stream_task: the task returned 7"):
        table.check(table.stream_task(given, 2, failing, None, None, None))
