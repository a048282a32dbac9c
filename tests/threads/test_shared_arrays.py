"""Kernels of several threads write to parts of one array: no write is lost."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import hither as ht

PARTS, ROUNDS, LENGTH = 4, 60, 1000


@ht.kernel
def increment(x):
    x[ht.get_global_id(0)] += 1


@pytest.mark.parametrize("in_order", [True, False])
def test_launches_on_parts_of_one_array(in_order):
    shared = ht.zeros(PARTS * LENGTH, queue=ht.Queue("cpu", in_order=in_order))
    copies = []
    ready = threading.Barrier(PARTS)

    def work(part):
        own = shared[part * LENGTH : (part + 1) * LENGTH]
        ready.wait()
        for _ in range(ROUNDS):
            increment(own)

    for _ in range(3):
        copies.append(shared + 0)  # reads what was there: the first launches copy or come after
        threads = [threading.Thread(target=work, args=(part,)) for part in range(PARTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert np.array_equal(ht.asnumpy(shared), np.full(PARTS * LENGTH, 3.0 * ROUNDS))
    for turn, copy in enumerate(copies):
        assert np.array_equal(ht.asnumpy(copy), np.full(PARTS * LENGTH, 1.0 * turn * ROUNDS))
