"""Threads that create queues, wait for their tasks, and drop them."""

from __future__ import annotations

import threading

import numpy as np

import hither as ht

THREADS, QUEUES = 4, 6000


def test_queues_come_and_go_in_many_threads(device: ht.Device):
    """Some are out of order: waits do not wait for each other, nor a queue for itself."""
    host = np.arange(40_000.0)
    wrong = []

    def work(number: int) -> None:
        for i in range(QUEUES):
            queue = ht.Queue(device, in_order=number == 0 and i % 8 == 0)
            x = ht.asarray(host, queue=queue) + i
            if ht.asnumpy(x)[-1] != 39_999 + i:
                wrong.append((number, i))
            if i % 64 == 0:
                queue.wait()

    threads = [threading.Thread(target=work, args=(n,)) for n in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
