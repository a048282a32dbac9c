"""One element of an array: a copy like NumPy's scalars, and a number in augmented assignments."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


@pytest.fixture
def x(queue: ht.Queue) -> ht.Array:
    return ht.asarray(np.arange(6.0), queue=queue)


def test_an_element_is_not_changed_with_its_array(x):
    t = x[0]
    x[0] = x[1]
    x[1] = t
    assert ht.asnumpy(x).tolist() == [1.0, 0.0, 2.0, 3.0, 4.0, 5.0]


@pytest.mark.parametrize("key", [0, -1, np.int64(2), (3,)])
def test_augmented_assignment_of_an_element_leaves_the_array(x, key):
    t = x[key]
    expected = np.arange(6.0)[key] + 10
    t += 10
    assert (t.shape, float(t)) == ((), expected)
    assert ht.asnumpy(x).tolist() == list(range(6))
    x[key] += 10
    assert float(x[key]) == expected


def test_elements_of_pending_arrays_and_of_several_axes(x):
    y = ht.reshape(x, (2, 3)) * 2
    t = y[1, 2]
    y[1, 2] = 0
    assert float(t) == 10.0
    assert float(y[ht.asarray(1, queue=x.queue), 2]) == 0.0
    row = y[1]
    row += 1
    assert ht.asnumpy(y)[1].tolist() == [7.0, 9.0, 1.0]


@pytest.mark.parametrize(("key", "place"), [(2, 2), (-1, 5), ((3,), 3)])
@pytest.mark.parametrize("number", [7, 2.5])
def test_numbers_are_stored_in_elements(x, key, place, number):
    before, row = x + 0, x[1:]
    before.evaluate()
    x[key] = number
    expected = np.arange(6.0)
    expected[place] = number
    assert ht.asnumpy(x).tolist() == expected.tolist()
    assert ht.asnumpy(row).tolist() == expected[1:].tolist()
    assert ht.asnumpy(before).tolist() == list(range(6))


def test_numbers_that_cannot_be_stored_in_elements_are_refused(queue):
    small = ht.asarray(np.zeros((2, 3), "int8"), queue=queue)
    small[1, -1] = 5.75
    assert small.tolist() == [[0, 0, 0], [0, 0, 5]]
    for key, number, error in (
        ((0, 3), 1, IndexError), ((-3, 0), 1.0, IndexError), ((0, 0), 1000, OverflowError),
        ((0, 2**70), 1, IndexError), ((0, 0), 1e300, OverflowError),
    ):  # fmt: skip
        with pytest.raises(error):
            small[key] = number
    for fixed in (ht.broadcast_to(small, (2, 2, 3)),):
        with pytest.raises(ValueError, match="read-only"):
            fixed[0, 0, 0] = 1
    assert small.tolist() == [[0, 0, 0], [0, 0, 5]]


def test_iteration_gives_elements(x):
    largest = 0.0
    for t in x:
        t *= 2
        largest = t
    assert float(largest) == 10.0
    assert ht.asnumpy(x).tolist() == list(range(6))


def test_an_ellipsis_gives_a_view(x):
    place = x[2, ...]
    place[...] = 7
    assert place.shape == ()
    assert float(x[2]) == 7.0
    x[()][1:3] = 9
    assert ht.asnumpy(x).tolist() == [0.0, 9.0, 9.0, 3.0, 4.0, 5.0]
    x[2, ...] += 1
    assert float(x[2]) == 10.0


def test_a_sum_that_goes_on_leaves_the_sum_before(x):
    total = ht.sum(x)
    before = total
    total += 0.5
    assert (float(before), float(total)) == (15.0, 15.5)


def test_augmented_assignment_of_a_number_promotes_and_broadcasts(x):
    count = ht.count_nonzero(x)
    count *= 0.5
    assert (count.dtype, float(count)) == (np.float64, 2.5)
    total = ht.sum(x)
    total -= x
    assert total.shape == (6,)
    assert float(total[5]) == 10.0


def test_an_element_is_written_after_what_reads_it(x):
    pending, view = x * 2, x[1:4]
    total = ht.sum(x)
    x[2] = 10
    x[-1] = True
    assert ht.asnumpy(x).tolist() == [0.0, 1.0, 10.0, 3.0, 4.0, 1.0]
    assert ht.asnumpy(pending).tolist() == [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    assert (ht.asnumpy(view).tolist(), float(total)) == ([1.0, 10.0, 3.0], 15.0)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex128"])
def test_an_element_of_any_dtype_is_written(queue, dtype):
    host = np.ones((3, 4), dtype)
    x = ht.asarray(host, queue=queue)
    ht.synchronize(x)
    x[1, 2] = host[1, 2] = 0
    x[2, 0] = host[2, 0] = 3 if dtype == "uint64" else -3
    part, rows = x[::-1, 1::2], host[::-1, 1::2]
    part[0, 1] = rows[0, 1] = 0
    x.T[3:, 0] = 0
    host.T[3:, 0] = 0
    assert ht.asnumpy(x).tobytes() == host.tobytes()
    with pytest.raises((OverflowError, TypeError)):
        x[0, 0] = 2**70 if np.dtype(dtype).kind in "iu" else "text"
    assert ht.asnumpy(x).tobytes() == host.tobytes()
