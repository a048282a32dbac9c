"""hither.launch: events, dependencies, out-of-order queues, and the caching of compiled kernels."""

from __future__ import annotations

import threading

import pytest

import hither as ht


@ht.kernel
def scale(x, factor):
    x[ht.get_global_id(0)] *= factor


@ht.kernel
def shift(x, by):
    x[ht.get_global_id(0)] += by


@pytest.fixture
def free_queue(device):
    """An out-of-order queue of this test only."""
    return ht.Queue(device, in_order=False)


def test_launches_do_not_wait_on_a_queue_out_of_order(free_queue):
    x = ht.ones(1000, queue=free_queue)
    ht.synchronize(x)
    go = threading.Event()
    gate = free_queue.submit_host(go.wait)
    event = ht.launch(scale, ht.Range(1000), x, 3.0, depends_on=[gate])
    assert event.status != "complete" and not gate.is_complete
    go.set()
    event.wait()
    assert event.is_complete and (ht.asnumpy(x) == 3).all()


def test_dependencies_order_launches(free_queue):
    x = ht.ones(1000, queue=free_queue)
    first = ht.launch(scale, ht.Range(1000), x, 3.0)
    second = ht.launch(shift, ht.Range(1000), x, 1.0, depends_on=first)
    third = ht.launch(scale, ht.Range(1000), x, 10.0, depends_on=[first, second])
    third.wait()
    assert (ht.asnumpy(x) == 40).all()


def test_arrays_order_launches_by_themselves(free_queue):
    x = ht.ones(1000, queue=free_queue)
    for _ in range(20):
        shift[1000](x, 1.0)
        scale[1000](x, 0.5)
    expected = 1.0
    for _ in range(20):
        expected = (expected + 1) * 0.5
    assert (ht.asnumpy(x) == expected).all()


@ht.kernel
def put(x, start, value):
    x[start + ht.get_global_id(0)] = value


@ht.kernel
def put_group_sizes(x, room, start):
    item = ht.get_local_id(0)
    room[item] = ht.get_local_size(0)
    ht.barrier()
    x[start + ht.get_global_id(0)] = room[ht.get_local_size(0) - 1 - item]


def test_launches_that_come_again_have_their_own_arguments_and_ranges(device):
    """Often enough that drivers use their path for repeated launches."""
    for in_order in (True, False):
        queue = ht.Queue(device, in_order=in_order)
        first, second = (ht.zeros(2000, dtype=ht.int64, queue=queue) for _ in range(2))
        for n in range(100):
            for x in (first, first, second):
                put[1 + n % 20](x, 20 * n, n)
        expected = [n if i <= n % 20 else 0 for n in range(100) for i in range(20)]
        assert ht.asnumpy(first).tolist() == ht.asnumpy(second).tolist() == expected


def test_groups_that_come_again_have_their_own_sizes_and_memory(queue):
    x = ht.zeros(1600, dtype=ht.int64, queue=queue)
    for n in range(100):
        size = (2, 4, 16)[n % 3]
        put_group_sizes[ht.NdRange(16, size)](x, ht.LocalAccessor(size, ht.int64), 16 * n)
    assert ht.asnumpy(x).tolist() == [(2, 4, 16)[n % 3] for n in range(100) for _ in range(16)]


def test_a_failed_dependency_stops_what_waits_for_it(device):
    queue = ht.Queue(device, in_order=False)
    x = ht.ones(10, queue=queue)
    ht.synchronize(x)

    def fail():
        raise ValueError("no data")

    gate = queue.submit_host(fail)
    event = ht.launch(scale, ht.Range(10), x, 3.0, depends_on=[gate])
    with pytest.raises(Exception, match="no data"):
        event.wait()
    with pytest.raises(Exception, match="no data"):
        ht.asnumpy(x)
    with pytest.raises(Exception, match="no data"):
        queue.wait()


def test_launch_refuses_what_is_no_kernel_and_no_event(queue):
    x = ht.ones(4, queue=queue)
    with pytest.raises(TypeError, match=r"@hither\.kernel"):
        ht.launch(lambda a: None, 4, x)
    with pytest.raises(TypeError, match="is not an event"):
        ht.launch(scale, 4, x, 2.0, depends_on=[1])


def test_inspection_and_compile_time(queue):
    @ht.kernel
    def fresh(x):
        x[ht.get_global_id(0)] = 1

    assert fresh.inspect_llvm() == {} and fresh.compile_time == 0
    fresh(ht.zeros(4, queue=queue))
    fresh(ht.zeros((2, 2), dtype=ht.float32, queue=queue)[0])
    llvm, assembly = fresh.inspect_llvm(), fresh.inspect_asm()
    assert set(llvm) == {"array(float64, 1d, C)", "array(float32, 1d, C)"} == set(assembly)
    assert all("define" in text for text in llvm.values())
    assert fresh.compile_time > 0
    assert fresh.options.debug in (True, False) and fresh.__name__ == "fresh"
