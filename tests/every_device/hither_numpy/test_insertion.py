"""Elements that are deleted by many indices, which are marked on the device."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

INDICES = np.random.default_rng(3).integers(-300, 300, 150)
MANY = {
    "integers": INDICES,
    "a matrix": INDICES.reshape(10, 15),
    "bytes": INDICES[:100].astype("int8"),
    "a mask": INDICES.repeat(2) > 0,
    "every second": slice(None, None, 2),
    "backwards": slice(250, 20, -3),
    "none": slice(5, 5),
}


@pytest.mark.parametrize("name", MANY)
def test_many_indices(queue, name):
    values = np.arange(300.0)
    key = MANY[name]
    for elements, axis in (
        (values, None),
        (np.stack([values, -values]), 1),
        (np.stack([values, -values], 1), 0),
    ):
        right = np.delete(elements, key, axis)
        x = ht.asarray(elements, queue=queue)
        for given in [key] if isinstance(key, slice) else [key, ht.asarray(key, queue=queue)]:
            result = hnp.delete(x, given, axis)
            assert result.queue == queue and result.dtype == right.dtype
            np.testing.assert_array_equal(ht.asnumpy(result), right)


def test_an_index_that_is_out_of_bounds(queue):
    x = ht.arange(300, queue=queue)
    for wrong in (300, -301):
        with pytest.raises(IndexError, match=r"^delete: "):
            hnp.delete(x, np.append(np.arange(100), wrong))
