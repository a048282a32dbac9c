"""hither.device_context: the stack of contexts of a thread or task."""

import asyncio
import contextvars
import threading

import pytest

import hither as ht
from hither import _hither


def test_a_context_sets_the_queue_for_its_block(queue):
    assert ht.get_context() is None
    with ht.device_context(queue) as inside:
        assert inside == queue == ht.current_queue() == ht.default_queue()
        assert ht.get_context()
        assert ht.get_context().queue == queue
        assert ht.get_context().device == queue.device == ht.Device()
        assert ht.get_context().context == queue.context
    assert ht.get_context() is None


def test_targets_may_be_queues_devices_and_strings(device):
    queue = ht.Queue(device)
    for target, expected in [
        (queue, queue),
        (device, device.default_queue),
        (device.filter_string, device.default_queue),
    ]:
        with ht.device_context(target) as inside:
            assert inside == expected


def test_the_other_name():
    assert ht.offload_to_sycl_device is ht.device_context


def test_contexts_nest_and_are_restored_by_exceptions(device):
    outer, inner = ht.Queue(device), ht.Queue(device)
    with ht.device_context(outer):
        with pytest.raises(KeyError), ht.device_context(inner):
            assert ht.current_queue() == inner
            raise KeyError
        assert ht.current_queue() == outer
        with ht.device_context(inner):
            assert ht.get_context().previous.queue == outer
        assert ht.current_queue() == outer
    assert ht.get_context() is None


def test_one_object_may_be_entered_many_times(queue):
    context = ht.device_context(queue)
    with context, context, context:
        assert ht.current_queue() == queue
    assert ht.get_context() is None


def test_a_context_decorates_functions(queue):
    @ht.device_context(queue)
    def inside():
        return ht.current_queue()

    assert inside() == queue
    assert ht.get_context() is None


def test_threads_do_not_see_it(queue):
    seen = []
    with ht.device_context(queue):
        thread = threading.Thread(target=lambda: seen.append(ht.get_context()))
        thread.start()
        thread.join()
    assert seen == [None]


def test_tasks_have_their_own(device):
    queues = [ht.Queue(device) for _ in range(4)]

    async def task(queue):
        with ht.device_context(queue):
            for _ in range(5):
                await asyncio.sleep(0)
                assert ht.current_queue() == queue
        assert ht.get_context() is None

    async def main():
        await asyncio.gather(*map(task, queues))

    asyncio.run(main())


def test_a_task_keeps_the_context_it_was_started_in(queue):
    async def late():
        await asyncio.sleep(0.01)
        return ht.current_queue(), _hither.context_queue()

    async def main():
        with ht.device_context(queue):
            task = asyncio.ensure_future(late())
        assert ht.get_context() is None
        assert _hither.context_queue() is None
        return await task

    assert asyncio.run(main()) == (queue, queue)


def test_leaving_out_of_order_is_an_error(device):
    first, second = ht.Queue(device), ht.Queue(device)

    def block(queue):
        with ht.device_context(queue):
            yield

    a, b = block(first), block(second)
    next(a), next(b)
    assert ht.current_queue() == second
    with pytest.raises(ValueError, match="leave the inner one first"):
        a.close()
    assert ht.current_queue() == second  # and what was left is closed
    b.close()
    assert ht.get_context() is None


def test_leaving_what_is_not_open_here_is_an_error(queue):
    context = ht.device_context(queue)
    with pytest.raises(ValueError, match="not open in this thread or task"):
        context.__exit__(None, None, None)
    caught = []

    def leave():
        try:
            context.__exit__(None, None, None)
        except ValueError as error:
            caught.append(error)

    with context:
        thread = threading.Thread(target=leave)
        thread.start()
        thread.join()
        assert ht.current_queue() == queue
    assert len(caught) == 1


def test_open_contexts_are_counted(queue):
    before = _hither.open_contexts()
    with ht.device_context(queue):
        assert _hither.open_contexts() == before + 1
        copied = contextvars.copy_context()
    assert _hither.open_contexts() == before + 1  # the copy still holds it
    del copied
    assert _hither.open_contexts() == before


def test_open_contexts_say_what_they_are(queue):
    with ht.device_context(queue):
        opened = ht.get_context()
        assert isinstance(opened, ht.OpenContext)
        assert repr(opened) == f"<hither.OpenContext on {queue.device.filter_string}>"
