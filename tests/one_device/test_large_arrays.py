"""Arrays of more than 2**31 elements."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

pytest.importorskip("numba", reason="kernels need Numba")

COUNT = 2**31 + 17
MIDDLE = 2**31 + 3

pytestmark = pytest.mark.either_mode


@ht.kernel
def mark(x):
    i = ht.get_global_id(0)
    if i >= 2**31:
        x[i] = 9


def test_elements_beyond_two_to_the_31():
    queue = ht.default_queue()
    free = ht.memory_info(queue).free  # unknown on OpenCL
    if (queue.device.global_mem_size // 2 if free is None else free) < 4 * COUNT:
        pytest.skip("the device has too little free memory")
    x = ht.ones(COUNT, dtype="int8", queue=queue)
    x[-1], x[MIDDLE] = 5, -3
    assert int(ht.sum(x, dtype="int64")) == COUNT
    assert (int(ht.argmax(x)), int(ht.argmin(x))) == (COUNT - 1, MIDDLE)
    assert int(ht.sum(x[MIDDLE - 1 :] + x[MIDDLE - 2 : -1], dtype="int64")) == 2 * 15 - 4
    mark(x)
    np.testing.assert_array_equal(ht.asnumpy(x[2**31 - 2 : 2**31 + 2]), [1, 1, 9, 9])
    del x
    ht.release_cached(queue)
