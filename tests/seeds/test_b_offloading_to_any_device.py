"""Requirements B: offloading to any device."""

import asyncio
import threading

import numpy as np
import pytest

import hither as ht


class Shown:
    """A producer in another package."""

    def __init__(self, memory, syclobj):
        self.memory = memory
        self.__sycl_usm_array_interface__ = {
            **memory.__sycl_usm_array_interface__,
            "syclobj": syclobj,
        }


def test_b03_the_default_is_set_for_a_block_thread_and_task(sub_devices):
    first, second = map(ht.Queue, sub_devices)
    outside = ht.current_queue()
    with ht.device_context(first):
        with pytest.raises(ZeroDivisionError), ht.device_context(second):
            assert ht.current_queue() == second
            raise ZeroDivisionError
        assert ht.current_queue() == first
        seen = []
        thread = threading.Thread(target=lambda: seen.append(ht.current_queue()))
        thread.start()
        thread.join()
        assert seen == [outside]
    assert ht.current_queue() == outside

    async def task(queue):
        with ht.device_context(queue):
            await asyncio.sleep(0)
            return ht.current_queue() == queue

    async def both():
        return await asyncio.gather(task(first), task(second))

    assert asyncio.run(both()) == [True, True]


def test_b07_selector_strings_are_taken_everywhere_and_name_root_devices(sub_devices):
    device = ht.Device("cpu:0")
    assert ht.Queue("cpu:0").device == device
    assert ht.Queue(device).device == device
    assert ht.default_queue("cpu:0") == device.default_queue
    assert ht.MemoryUSMShared(8, queue="cpu:0").queue == device.default_queue
    assert ht.Context("cpu:0").devices == [device]
    assert ht.MemoryUSMShared(8, queue=device).queue == device.default_queue
    with ht.device_context("cpu:0"):
        assert ht.current_queue() == device.default_queue
    with pytest.raises(ht.InvalidValueError):
        ht.Queue(sub_devices[0].filter_string)


def test_b08_two_packages_meet_in_the_default_context():
    def package(data=None):
        queue = ht.Queue("cpu")
        if data is None:
            memory = ht.MemoryUSMShared(32, queue=queue)
            memory.copy_from_host(np.arange(4.0))
            return queue, memory
        return queue, ht.UsmView(data)

    queue, memory = package()
    other, view = package(memory)
    assert queue.context == other.context
    assert view.pointer == memory.pointer


def test_b09_sub_devices_need_the_queue_or_the_context(sub_devices):
    queue = ht.Queue(sub_devices[0])
    memory = ht.MemoryUSMShared(8, queue=queue)
    with pytest.raises(ht.InvalidValueError, match="give the queue or the context"):
        ht.UsmView(Shown(memory, sub_devices[0]))
    for syclobj in (queue, queue.context):
        assert ht.UsmView(Shown(memory, syclobj)).pointer == memory.pointer

    several = ht.Context(sub_devices)
    queue = ht.Queue(several, sub_devices[1])
    memory = ht.MemoryUSMShared(8, queue=queue)
    with pytest.raises(ht.InvalidValueError, match="several devices"):
        ht.UsmView(Shown(memory, several))
    assert ht.UsmView(Shown(memory, queue)).pointer == memory.pointer


def test_b10_syclobj_may_be_any_of_these():
    memory = ht.MemoryUSMShared(8, queue="cpu")
    queue = memory.queue
    for syclobj in (queue, queue.context, queue.device, "cpu", queue._get_capsule(),
                    queue.context._get_capsule()):  # fmt: skip
        assert ht.UsmView(Shown(memory, syclobj)).pointer == memory.pointer
    stranger = ht.Queue(ht.Context("cpu"))
    with pytest.raises(ht.ExchangeError, match="not bound"):
        ht.UsmView(Shown(memory, stranger))


def test_b14_copies_between_usm_types_and_contexts(sub_devices):
    kinds = (ht.MemoryUSMDevice, ht.MemoryUSMShared, ht.MemoryUSMHost)
    queues = (ht.default_queue("cpu"), *map(ht.Queue, sub_devices))
    everywhere = [kind(8, queue=queue) for kind in kinds for queue in queues]
    for number, source in enumerate(everywhere):
        source.copy_from_host(b"%08d" % number)
        for target in everywhere:
            target.copy_from_device(source)
            assert bytes(target) == b"%08d" % number


def test_b17_a_program_may_name_every_queue():
    queue = ht.Queue(ht.Context("cpu"), "cpu")
    memory = ht.MemoryUSMDevice(16, queue=queue)
    queue.fill(memory, b"\x01\x02").wait()
    target = bytearray(16)
    queue.copy(target, memory).wait()
    assert bytes(target) == b"\x01\x02" * 8
    assert ht.get_context() is None


def test_b20_the_device_of_a_pointer():
    queue = ht.Queue("cpu")
    memory = ht.MemoryUSMShared(8, queue=queue)
    assert ht.get_usm_device(memory.pointer, queue.context) == queue.device
    assert ht.get_usm_device(memory.pointer, queue) == queue.device
    with pytest.raises(ht.InvalidValueError, match="not bound"):
        ht.get_usm_device(id(memory), queue.context)
