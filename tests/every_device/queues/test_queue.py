"""hither.Queue, hither.Context and hither.Event."""

import threading

import numpy as np
import pytest

import hither as ht


def test_a_queue_knows_its_parts(device):
    queue = ht.Queue(device)
    assert queue.device == queue.sycl_device == device
    assert queue.context == queue.sycl_context == device.default_context
    assert queue.in_order and not queue.enable_profiling
    assert device.filter_string in repr(queue)
    assert queue == queue and queue != ht.Queue(device)
    assert len({queue, queue, ht.Queue(device)}) == 2


def test_a_queue_in_a_context_of_ones_own(device):
    context = ht.Context([device])
    assert context.devices == [device]
    assert context != device.default_context
    queue = ht.Queue(context, device)
    assert queue.context == context
    assert ht.Queue(context).context == context
    assert not queue.equivalent(ht.Queue(device))
    assert ht.Queue(queue, enable_profiling=True).context == context


def test_copy_and_fill_reach_the_memory(queue):
    memory = ht.MemoryUSMDevice(64, queue=queue)
    queue.fill(memory, 7)
    assert bytes(memory) == b"\x07" * 64
    queue.fill(memory, b"abcd")
    assert bytes(memory) == b"abcd" * 16
    host = np.arange(64, dtype=np.uint8)
    queue.copy(memory, host).wait()
    assert bytes(memory) == host.tobytes()
    back = np.zeros(32, np.uint8)
    queue.copy(back, memory, 32).wait()
    assert (back == host[:32]).all()
    queue.prefetch(memory).wait()


def test_a_large_copy_between_allocations(queue):
    n = 1 << 22
    source, target = ht.MemoryUSMShared(n, queue=queue), ht.MemoryUSMDevice(n, queue=queue)
    source.copy_from_host(np.random.default_rng(0).integers(0, 255, n, np.uint8))
    queue.copy(target, source)
    assert bytes(target) == bytes(source)


def test_host_work_runs_in_order(queue):
    seen = []
    queue.submit_host(lambda: seen.append(1))
    event = queue.submit_host(lambda: seen.append(2))
    event.wait()
    queue.wait()
    assert seen == [1, 2]
    assert event.status == "complete" and event.is_complete


def test_out_of_order_tasks_run_side_by_side(device):
    queue = ht.Queue(device, in_order=False)
    if device.max_compute_units < 2:
        pytest.skip("needs two compute units")
    barrier = threading.Barrier(2, timeout=30)
    events = [queue.submit_host(barrier.wait) for _ in range(2)]
    queue.wait()
    assert all(e.is_complete for e in events)


def test_dependencies_are_kept(device):
    queue = ht.Queue(device, in_order=False)
    gate = threading.Event()
    seen = []
    first = queue.submit_host(lambda: (gate.wait(30), seen.append("first")))
    second = queue.submit_host(lambda: seen.append("second"), depends_on=[first])
    barrier = queue.submit_barrier()
    assert not second.is_complete
    gate.set()
    barrier.wait()
    assert seen == ["first", "second"]


def test_a_failed_task_raises_at_each_wait_and_poisons_what_depends_on_it(device):
    queue = ht.Queue(device, in_order=False)
    failed = queue.submit_host(lambda: 1 / 0)
    after = queue.submit_host(lambda: None, depends_on=failed)
    for event in (failed, failed, after):
        with pytest.raises(ht.KernelError, match="ZeroDivisionError"):
            event.wait()
    with pytest.raises(ht.KernelError, match="ZeroDivisionError"):
        queue.wait()
    queue.submit_host(lambda: None).wait()


def test_profiling_times_follow_each_other(device):
    queue = ht.Queue(device, enable_profiling=True)
    memory = ht.MemoryUSMDevice(1 << 20, queue=queue)
    event = queue.fill(memory, 1)
    event.wait()
    assert 0 < event.profiling_submit <= event.profiling_start <= event.profiling_end


def test_profiling_needs_the_property(queue):
    event = queue.submit_barrier()
    with pytest.raises(ht.InvalidValueError):
        event.profiling_start  # noqa: B018


def test_an_event_of_nothing_is_complete():
    event = ht.Event()
    event.wait()
    assert event.is_complete


def test_waiting_lets_other_threads_run(device):
    queue = ht.Queue(device, in_order=False)
    gate = threading.Event()
    event = queue.submit_host(lambda: gate.wait(30))
    threading.Timer(0.02, gate.set).start()
    event.wait()  # would never end if it kept the GIL
    assert gate.is_set()


@pytest.mark.parametrize("read", [ht.asnumpy, ht.synchronize, np.asarray, lambda x: x[0].item()])
def test_reads_of_small_arrays_let_python_work_run(device, read):
    queue = ht.Queue(device, in_order=False)
    memory = ht.MemoryUSMShared(8, queue=queue)
    gate = threading.Event()
    held = queue.submit_host(lambda: gate.wait(30))
    queue.fill(memory, 1, depends_on=held)
    x = ht.asarray(memory, copy=False)
    threading.Timer(0.02, gate.set).start()
    read(x + 1)
    queue.wait()
    assert gate.is_set()


@pytest.mark.parametrize("in_order", [True, False])
def test_a_host_task_may_wait_for_its_own_queue(device, in_order):
    queue = ht.Queue(device, in_order=in_order)
    x = ht.ones(1000, queue=queue) + 1
    ht.evaluate(x)
    queue.submit_host(queue.wait).wait()
    assert ht.asnumpy(x).tolist() == [2.0] * 1000
