"""USM owners and pointer queries."""

import array
import gc

import numpy as np
import pytest

import hither as ht

KINDS = {
    "device": ht.MemoryUSMDevice,
    "shared": ht.MemoryUSMShared,
    "host": ht.MemoryUSMHost,
}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def test_memory_says_what_it_is(queue, kind):
    memory = KINDS[kind](100, queue=queue)
    assert isinstance(memory, ht.Memory)
    assert memory.usm_type == kind
    assert memory.nbytes == len(memory) == 100
    assert memory.queue == memory.sycl_queue == queue
    assert memory.device == memory.sycl_device == queue.device
    assert memory.pointer % 64 == 0
    assert kind in repr(memory)


def test_alignment_is_kept(queue, kind):
    memories = [KINDS[kind](10, alignment=4096, queue=queue) for _ in range(3)]
    assert all(m.pointer % 4096 == 0 for m in memories)


def test_any_kind_copies_to_and_from_the_host(queue, kind):
    memory = KINDS[kind](16, queue=queue)
    for source in (bytes(range(16)), bytearray(b"x" * 16), array.array("d", [1.5, -2]),
                   memoryview(b"0123456789abcdef"), np.arange(4.0, dtype=np.float32)):  # fmt: skip
        memory.copy_from_host(source)
        assert bytes(memory) == memory.tobytes() == bytes(source)
    target = np.zeros(4, np.float32)
    assert memory.copy_to_host(target) is target
    assert target.tolist() == [0, 1, 2, 3]


def test_memory_is_copied_between_kinds_and_contexts(queue, kind, sub_devices):
    memory = KINDS[kind](8, queue=queue)
    memory.copy_from_host(b"abcdefgh")
    for other_kind in KINDS.values():
        for other_queue in (queue, ht.Queue(sub_devices[0])):
            other = other_kind(8, queue=other_queue)
            other.copy_from_device(memory)
            assert bytes(other) == b"abcdefgh"


def test_memory_may_be_copied_onto_itself(queue, kind):
    memory = KINDS[kind](8, queue=queue)
    memory.copy_from_host(b"abcdefgh")
    memory.copy_from_device(memory)
    queue.copy(memory, memory).wait()
    assert bytes(memory) == b"abcdefgh"


def test_pointers_are_known_in_their_context(queue, kind):
    memory = KINDS[kind](1000, queue=queue)
    info = ht.pointer_info(memory.pointer + 10, queue.context)
    assert (info.usm_type, info.device) == (kind, queue.device)
    assert (info.base, info.nbytes) == (memory.pointer, 1000)
    assert ht.pointer_info(memory.pointer, ht.Context(queue.device)) is None
    assert ht.pointer_info(id(memory), queue.context) is None
    assert ht.pointer_info(np.uint64(memory.pointer), queue.context).nbytes == 1000


def test_a_pointer_is_an_address(queue):
    for pointer in (-1, 2**64):
        with pytest.raises(ValueError, match=f"pointer: {pointer} is not an address; give an int "):
            ht.pointer_info(pointer, queue.context)
    for pointer in ("0", 1.5):
        with pytest.raises(TypeError, match=f"pointer: {pointer!r} is not an address; give an int"):
            ht.pointer_info(pointer, queue.context)


def test_empty_memory(queue, kind):
    memory = KINDS[kind](0, queue=queue)
    assert bytes(memory) == b""
    memory.copy_from_host(b"")


def test_memset(queue, kind):
    memory = KINDS[kind](10, queue=queue)
    memory.memset(255)
    assert bytes(memory) == b"\xff" * 10


def test_live_allocations_are_counted(queue, kind):
    gc.collect()  # what earlier tests left in cycles
    before = ht.counters()["live_allocations"]
    memories = [KINDS[kind](10, queue=queue) for _ in range(5)]
    assert ht.counters()["live_allocations"] == before + 5
    del memories
    assert ht.counters()["live_allocations"] == before


def test_bytes_over_the_host_are_counted(queue):
    memory = ht.MemoryUSMDevice(1000, queue=queue)
    before = ht.counters()
    memory.copy_from_host(b"a" * 1000)
    bytes(memory)
    after = ht.counters()
    assert after["bytes_to_device"] - before["bytes_to_device"] == 1000
    assert after["bytes_to_host"] - before["bytes_to_host"] == 1000


def test_pools_can_be_trimmed(queue, kind):
    KINDS[kind](1 << 20, queue=queue)
    ht.trim_pools(queue.context)


def test_memory_of_read_only_arrays_is_only_copied(queue, kind):
    x = ht.broadcast_to(ht.arange(4, dtype="int32", queue=queue, usm_type=kind), (2, 4))
    with pytest.raises(ht.InvalidValueError, match="read-only, but a Memory is writable"):
        KINDS[kind](x)
    copied = KINDS[kind](x, copy=True)
    assert bytes(copied) == bytes(np.arange(4, dtype=np.int32))


def test_memory_in_place_has_its_own_queue(queue, kind):
    x = ht.arange(4, queue=queue, usm_type=kind)
    assert KINDS[kind](x, queue=queue).queue == queue
    other = ht.Queue(queue.device)
    with pytest.raises(ht.InvalidValueError, match="queue: differs from the queue of"):
        KINDS[kind](x, queue=other)
    assert KINDS[kind](x, queue=other, copy=True).queue == other
