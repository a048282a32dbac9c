"""Many threads build on, evaluate, copy and drop the same arrays."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hither as ht
from patience import comes_true

THREADS = 8


@ht.kernel
def increment(x):
    x[ht.get_global_id(0)] += 1


def together(work):
    """Runs work(t) in all threads; raises an exception that one of them raised."""
    start = threading.Barrier(THREADS)

    def run(t):
        start.wait()
        return work(t)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_threads_build_on_one_pending_array():
    for _ in range(20):
        x = ht.ones(5000) + 1
        pending = ht.sqrt(x * 8)

        def work(t, pending=pending):
            y = pending
            for i in range(10):
                y = y + pending * i
            return float(ht.sum(y + t))

        expected = [5000.0 * (4 + 45 * 4 + t) for t in range(THREADS)]
        assert together(work) == expected


def test_threads_evaluate_one_array():
    for _ in range(50):
        x = ht.arange(10_000.0) * 2 + 1
        results = together(lambda _, x=x: ht.asnumpy(x))
        for result in results:
            assert np.array_equal(result, np.arange(10_000.0) * 2 + 1)


def test_arrays_are_dropped_in_other_threads():
    before = ht.counters()["live_allocations"]
    made = {t: [ht.ones(3000) * i + t for i in range(50)] for t in range(THREADS)}

    def drop(t):
        mine = made.pop(t)
        ht.evaluate(*mine[::2])
        total = sum(float(x[0]) for x in mine[::7])
        mine.clear()
        return total

    assert together(drop) == [sum(i + t for i in range(0, 50, 7)) for t in range(THREADS)]
    assert comes_true(lambda: ht.counters()["live_allocations"] <= before)


def test_a_deep_graph_is_dropped_in_another_thread():
    x = y = ht.ones(4)
    for _ in range(50_000):
        y = y + x
    holder = [y]
    del y
    thread = threading.Thread(target=holder.clear)
    thread.start()
    thread.join()
    assert float(ht.sum(x)) == 4.0


def test_threads_use_queues_of_their_own_and_each_others_arrays():
    queues = [ht.Queue("cpu", in_order=t % 2 == 0) for t in range(THREADS)]
    arrays = [ht.ones(2000, queue=q) * (t + 1) for t, q in enumerate(queues)]

    def work(t):
        moved = arrays[(t + 1) % THREADS].to_device(queues[t])
        return float(ht.sum(arrays[t] + moved))

    assert together(work) == [2000.0 * (t + 1 + (t + 1) % THREADS + 1) for t in range(THREADS)]


def test_errors_stay_in_the_thread_that_made_them():
    x = ht.ones(10)

    def work(t):
        try:
            x + ht.ones(3 + t % 2)
        except ValueError as e:
            return f"{3 + t % 2}" in str(e)
        return False

    assert all(together(work))


@pytest.mark.parametrize("in_order", [True, False])
def test_kernels_on_parts_of_one_array_lose_no_write(in_order):
    rounds, length = 60, 500
    shared = ht.zeros(THREADS * length, queue=ht.Queue("cpu", in_order=in_order))
    copies = []

    def work(t):
        own = shared[t * length : (t + 1) * length]
        for _ in range(rounds):
            increment(own)

    for _ in range(3):
        copies.append(shared + 0)  # reads what was there: the first launches copy or come after
        together(work)
    for step, array in enumerate([*copies, shared]):
        assert np.array_equal(ht.asnumpy(array), np.full(THREADS * length, float(step * rounds)))
