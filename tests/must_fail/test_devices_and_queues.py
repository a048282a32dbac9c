"""Wrong devices, queues, contexts and memory raise errors that explain them."""

import numpy as np
import pytest

import hither as ht
from hither import _hither


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "cpu:",
        "cpu:x",
        "cpu:0:1",
        "nonsense",
        ":",
        "cpu,,cpu",
        "native_cpu:cpu:0:0",
        "cpu:-1",
        "native_cpu:cpu:0[0]",
    ],
)
def test_malformed_filter_strings(wrong):
    for ask in (ht.Device, ht.Queue, ht.default_queue, ht.device_context):
        with pytest.raises(ht.InvalidValueError):
            ask(wrong)


def test_a_malformed_part_is_shown_under_a_caret():
    with pytest.raises(ht.InvalidValueError) as caught:
        ht.Device("native_cpu:nonsense:0")
    lines = caught.value.message.splitlines()
    under = next(i for i, line in enumerate(lines) if line.strip().strip("~") == "^")
    assert lines[under - 1][lines[under].index("^") :].startswith("nonsense")


def test_no_match_says_what_there_is():
    with pytest.raises(ht.InvalidValueError, match="native_cpu:cpu:0"):
        ht.Device("cpu:99")


@pytest.mark.parametrize("wrong", [3, 1.5, object(), b"cpu", ["cpu"]])
def test_wrong_types(wrong):
    for ask in (ht.Device, ht.default_queue, ht.device_context):
        with pytest.raises(ht.InvalidTypeError, match="give a hither"):
            ask(wrong)


def test_a_device_outside_the_context(sub_devices):
    with pytest.raises(ht.InvalidValueError):
        ht.Queue(ht.Context(sub_devices[0]), sub_devices[1])


def test_a_queue_in_a_context_of_two_devices_needs_the_device(sub_devices):
    with pytest.raises(ht.InvalidValueError, match="several devices"):
        ht.Queue(ht.Context(sub_devices))


def test_two_targets_without_a_context():
    with pytest.raises(ht.InvalidTypeError, match=r"takes a hither\.Context first"):
        ht.Queue("cpu", "cpu")


def test_contexts_need_devices():
    with pytest.raises(ht.InvalidValueError):
        ht.Context([])


@pytest.mark.parametrize("partition", [0, -1, 10**6, [], [0], [10**6]])
def test_wrong_partitions(partition):
    with pytest.raises(ht.InvalidValueError):
        ht.Device("cpu").create_sub_devices(partition=partition)


def test_an_unknown_affinity_domain():
    with pytest.raises(ht.Error, match="nonsense"):
        ht.Device("cpu").create_sub_devices(partition="nonsense")


@pytest.mark.parametrize("partition", [1.5, None, True, ["a"], object()])
def test_partitions_of_a_wrong_type(partition):
    with pytest.raises(ht.InvalidTypeError, match="partition="):
        ht.Device("cpu").create_sub_devices(partition=partition)


def test_unknown_aspects_and_descriptors():
    device = ht.Device("cpu")
    with pytest.raises(ht.InvalidValueError, match="fp64"):
        device.has_aspect("nonsense")
    with pytest.raises(ht.InvalidValueError, match="max_compute_units"):
        device.info("nonsense")


def test_pickles_of_parts_that_a_device_does_not_have(sub_devices):
    parent = sub_devices[0].parent_device
    with pytest.raises(ht.InvalidValueError, match="names sub-device 7"):
        _hither.sub_device(parent, [1, 1], 7)


@pytest.mark.parametrize("size", [-1, 1.5, "8", None])
def test_wrong_sizes_of_memory(size):
    with pytest.raises(ht.Error, match="number of bytes"):
        ht.MemoryUSMDevice(size)


def test_memory_that_nobody_has():
    with pytest.raises(MemoryError):
        ht.MemoryUSMDevice(1 << 60)


@pytest.mark.parametrize("alignment", [3, -1, 48])
def test_wrong_alignment(alignment):
    with pytest.raises((ht.InvalidValueError, TypeError)):
        ht.MemoryUSMDevice(8, alignment=alignment)


def test_copies_of_different_sizes():
    queue, memory = ht.default_queue(), ht.MemoryUSMShared(8)
    with pytest.raises(ht.InvalidValueError, match="give nbytes="):
        queue.copy(memory, b"123")
    for wrong in (4, -1, "3", 2**70):
        with pytest.raises(ht.InvalidValueError, match="nbytes="):
            queue.copy(memory, b"123", wrong)
    with pytest.raises(ht.InvalidValueError):
        memory.copy_from_host(b"123456789")


def test_copies_of_what_has_no_bytes():
    queue, memory = ht.default_queue(), ht.MemoryUSMShared(8)
    with pytest.raises(ht.InvalidTypeError, match="buffer protocol"):
        queue.copy(memory, 3)
    with pytest.raises(ht.ExchangeError, match="writable"):
        queue.copy(b"12345678", memory)
    with pytest.raises(ht.ExchangeError, match="contiguous"):
        queue.copy(memory, np.zeros(16, np.uint8)[::2])


def test_wrong_patterns():
    queue, memory = ht.default_queue(), ht.MemoryUSMShared(8)
    for wrong in (256, -1, "a", 1.5):
        with pytest.raises(ht.InvalidTypeError, match="pattern"):
            queue.fill(memory, wrong)
    for wrong in (b"", b"abc"):
        with pytest.raises(ht.InvalidValueError):
            queue.fill(memory, wrong)


def test_wrong_events():
    queue = ht.default_queue()
    for wrong in (3, [3], [None]):
        with pytest.raises(ht.InvalidTypeError, match="event"):
            queue.submit_barrier(depends_on=wrong)


def test_unknown_pointers():
    with pytest.raises(ht.InvalidValueError, match="not bound"):
        ht.get_usm_device(8, ht.default_queue())


@pytest.mark.parametrize("partition", [[], ()])
def test_empty_partitions(partition):
    with pytest.raises(ht.InvalidValueError, match="partition is empty"):
        ht.Device("cpu").create_sub_devices(partition=partition)


def test_blocks_of_a_queue_manager_that_are_not_open():
    block = ht.QueueManager().current("cpu")
    with pytest.raises(RuntimeError, match="not entered"):
        block.__exit__(None, None, None)


def test_each_missing_back_end_has_a_line():
    with pytest.raises(ht.InvalidValueError) as caught:
        ht.Device("accelerator:77")
    first, *others = str(caught.value).splitlines()
    there = ", ".join(device.filter_string for device in ht.devices())
    assert first == (f'filter string: no device matches "accelerator:77"; the devices are {there}')
    absent = ht.absent_backends()
    heading = ["No devices of these back ends:"] if absent else []
    assert others == [*heading, *(f"  {reason}" for reason in absent)]
