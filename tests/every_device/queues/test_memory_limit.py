"""hither.set_memory_limit()."""

import os
import re
import threading

import numpy as np
import pytest

import hither as ht

BYTES = 8 << 20
COUNT = BYTES // 8


def used_bytes(queue):
    """What all contexts of the device use, as the error tells."""
    ht.set_memory_limit(1, queue)
    try:
        with pytest.raises(ht.OutOfMemoryError) as caught:
            ht.MemoryUSMDevice(1 << 50, queue=queue)
    finally:
        ht.set_memory_limit(None, queue)
    return int(re.search(r"arrays use (\d+) bytes", str(caught.value))[1])


@pytest.fixture
def limited(queue):
    """Limits the memory of the device to so much more than is used now."""
    queue.wait()
    used = used_bytes(queue)
    yield lambda more: ht.set_memory_limit(used + more, queue)
    ht.set_memory_limit(None, queue)


def test_the_limit_is_shown(queue):
    assert ht.memory_info(queue).limit is None
    assert ht.set_memory_limit(np.int64(10**12), queue) is None
    assert ht.memory_info(queue).limit == ht.memory_info(ht.Context(queue.device)).limit == 10**12
    ht.set_memory_limit(None, queue.context)
    assert ht.memory_info(queue).limit is None


def test_every_type_of_memory_counts(queue, limited):
    limited(3000)
    kept = [make(900, queue=queue)
            for make in (ht.MemoryUSMDevice, ht.MemoryUSMShared, ht.MemoryUSMHost)]  # fmt: skip
    assert len(ht.MemoryUSMDevice(300, queue=queue)) == 300
    for make in (ht.MemoryUSMDevice, ht.MemoryUSMShared, ht.MemoryUSMHost):
        with pytest.raises(ht.OutOfMemoryError, match=r"301 bytes of \w+ USM exceed"):
            make(301, queue=queue)
    del kept[0]
    assert len(ht.MemoryUSMHost(1200, queue=queue)) == 1200


@pytest.mark.skipif(os.environ.get("HITHER_EAGER") == "1", reason="x + 1 runs before x is replaced")
def test_an_update_takes_the_memory_of_what_it_replaces(queue, limited):
    x, y = (ht.arange(COUNT, dtype=ht.int64, queue=queue) for _ in range(2))
    ht.synchronize(x, y)
    view = x[::2]
    limited(2 * BYTES + BYTES // 2)
    x += 1
    assert int(view[1]) == 3
    del view
    x = x * 3 - y  # the old x has no name then
    assert int(x[5]) == 13
    twice = x + x  # reads x, which may not be replaced
    x += 1
    with pytest.raises(ht.OutOfMemoryError):
        ht.synchronize(x)
    ht.set_memory_limit(None, queue)
    assert int(twice[5]) == 26


def test_an_error_names_request_use_limit_and_remedies(queue, limited):
    limited(2 * BYTES)
    x = ht.ones(COUNT, queue=queue)
    ht.synchronize(x)
    limit = ht.memory_info(queue).limit
    with pytest.raises(ht.OutOfMemoryError) as caught:
        ht.MemoryUSMShared(3 * BYTES, queue=queue)
    text = str(caught.value)
    for part in (f"{3 * BYTES} bytes (24.0 MiB) of shared USM", f"arrays use {limit - BYTES} bytes",
                 queue.device.filter_string, f"the limit is {limit} bytes", "set_memory_limit",
                 "HITHER_MEMORY_LIMIT", "release arrays", "hither.stream"):  # fmt: skip
        assert part in text


def test_programs_go_on_after_the_limit_is_lifted(queue, limited):
    x = ht.asarray(np.arange(COUNT), queue=queue, copy=True)
    ht.synchronize(x)
    limited(BYTES + BYTES // 2)
    y = x * 2 + 1
    z = y[::-1] - x
    for _ in range(2):  # as after other failures, the array raises the same error at each read
        with pytest.raises(ht.OutOfMemoryError, match="exceed the limit"):
            ht.synchronize(z)
    assert int(ht.sum(x)) == COUNT * (COUNT - 1) // 2
    ht.set_memory_limit(None, queue)
    host = np.arange(COUNT)
    assert np.array_equal(ht.asnumpy((x * 2 + 1)[::-1] - x), (host * 2 + 1)[::-1] - host)
    z[...] = 3
    assert int(ht.sum(z)) == 3 * COUNT


def test_operands_of_failed_work_can_be_assigned_to(queue, limited):
    x = ht.zeros(COUNT, queue=queue)
    ht.synchronize(x)
    limited(BYTES + BYTES // 2)
    with pytest.raises(ht.OutOfMemoryError, match="exceed the limit"):
        ht.synchronize(ht.cumulative_sum(x + 1))
    ht.set_memory_limit(None, queue)
    x[1:] += 1
    assert float(ht.sum(ht.cumulative_sum(x))) == COUNT * (COUNT - 1) / 2


def test_loops_run_within_a_limit(queue, limited):
    """Memory of the arrays before is reused, also while tasks still use it."""
    limited(6 * BYTES)
    x = ht.zeros(COUNT, queue=queue)
    for i in range(200):
        x = ht.sqrt(x * x + i)
        ht.evaluate(x)
        info = ht.memory_info(queue)
    assert info.used <= info.limit
    assert abs(float(x[0]) - np.sqrt(199 * 200 / 2)) < 1e-9


def test_cached_memory_is_released_before_the_limit_is_exceeded(queue, limited):
    limited(4 * BYTES)
    for count in range(1, 5):
        x = ht.ones(count * COUNT, queue=queue)
        ht.synchronize(x)
        del x
        queue.wait()
    ht.synchronize(ht.ones(3 * COUNT, queue=queue))


def test_python_work_that_uses_freed_memory_ends(queue, limited):
    limited(3 * BYTES)
    memory = ht.MemoryUSMDevice(2 * BYTES, queue=queue)
    done = threading.Event()
    queue.submit_host(lambda: done.wait(0.2))
    event = queue.fill(memory, 1)
    del memory
    try:
        ht.MemoryUSMDevice(3 * BYTES, queue=queue)
    except ht.OutOfMemoryError:  # the fill holds the memory
        event.wait()
        queue.wait()
        del event
    done.set()
    queue.wait()
    assert len(ht.MemoryUSMDevice(3 * BYTES, queue=queue)) == 3 * BYTES


def test_many_threads_get_no_byte_more(queue, limited):
    limited(100 * 1000 + 999)
    kept, start = [], threading.Barrier(6)

    def take():
        start.wait()
        for _ in range(100):
            try:
                kept.append(ht.MemoryUSMDevice(1000, queue=queue))
            except ht.OutOfMemoryError:
                return

    threads = [threading.Thread(target=take) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 100


def test_wrong_limits_are_refused(queue):
    for bytes in (0, -1, 2**63):
        with pytest.raises(ValueError, match=f"bytes is {bytes}; give a positive int"):
            ht.set_memory_limit(bytes, queue)
    for bytes in ("1G", 1.5, [1]):
        with pytest.raises(TypeError, match="give an int, or None"):
            ht.set_memory_limit(bytes, queue)
    with pytest.raises(ValueError, match="did you mean"):
        ht.set_memory_limit(10, "cudda")
    assert ht.memory_info(queue).limit is None
