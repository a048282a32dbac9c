"""Blocks of queue managers that are entered again, and left in any order."""

import hither as ht


def test_a_block_may_be_entered_again():
    queues, first, second = ht.QueueManager(), ht.Queue("cpu"), ht.Queue("cpu")
    outside = queues.queue()
    block = queues.current(first)
    for _ in range(2):
        with block as given, queues.current(second), block:
            assert given == queues.queue() == first
        assert queues.queue() == outside


def test_blocks_may_end_in_another_order():
    queues, first, second = ht.QueueManager(), ht.Queue("cpu"), ht.Queue("cpu")
    outside = queues.queue()
    one, two = queues.current(first), queues.current(second)
    one.__enter__()
    two.__enter__()
    one.__exit__(None, None, None)
    assert queues.queue() == second
    two.__exit__(None, None, None)
    assert queues.queue() == outside


def test_a_block_leads_a_function():
    queues, queue = ht.QueueManager(), ht.Queue("cpu")
    led = queues.current(queue)(queues.queue)
    assert led() == queue != queues.queue()
