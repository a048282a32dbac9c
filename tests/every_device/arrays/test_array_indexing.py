"""Indexing: views, assignment, masks and integer arrays, against NumPy."""

from __future__ import annotations

import array
import collections

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, basic_indices

import hither as ht
import hither.numpy as hnp
from property_tests import examples

profile = settings(deadline=None, max_examples=examples(60))

BASE = np.arange(60).reshape(3, 4, 5)
MASK = np.arange(60).reshape(3, 4, 5) % 3 == 0
ROWS = np.array([2, 0, -1])
COLUMNS = np.array([[1], [2]])


@st.composite
def arrays_and_keys(draw):
    shape = draw(array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5))
    key = draw(basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    return np.arange(int(np.prod(shape))).reshape(shape), key


@profile
@given(arrays_and_keys())
def test_basic_indexing_is_numpys(case):
    n, key = case
    got = ht.asnumpy(ht.asarray(n)[key])
    assert got.shape == np.shape(n[key])
    np.testing.assert_array_equal(got, n[key])


@profile
@given(arrays_and_keys(), st.booleans())
def test_assignment_through_basic_indices(case, from_array):
    n, key = case
    x = ht.asarray(n)
    shape = np.shape(n[key])
    value = np.arange(int(np.prod(shape))).reshape(shape) + 100 if from_array else -1
    n = n.copy()
    n[key] = value
    x[key] = ht.asarray(value) if from_array else value
    np.testing.assert_array_equal(ht.asnumpy(x), n)


@profile
@given(arrays_and_keys())
def test_views_of_pending_expressions(case):
    n, key = case
    np.testing.assert_array_equal(ht.asnumpy((ht.asarray(n) * 2 + 1)[key]), (n * 2 + 1)[key])


def test_views_share_memory_and_overlap_is_handled():
    n = np.arange(10)
    x = ht.asarray(n)
    x[1:] = x[:-1]
    np.testing.assert_array_equal(ht.asnumpy(x), [0, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    x[:] = x[::-1]
    np.testing.assert_array_equal(ht.asnumpy(x), [8, 7, 6, 5, 4, 3, 2, 1, 0, 0])


def test_assignment_casts_and_broadcasts():
    x = ht.zeros((2, 3), dtype=ht.int32)
    x[0] = 1.9
    x[1] = ht.asarray([1.5, 2.5, -3.5])
    np.testing.assert_array_equal(ht.asnumpy(x), [[1, 1, 1], [1, 2, -3]])
    x[...] = [[1], [2]]
    np.testing.assert_array_equal(ht.asnumpy(x), [[1, 1, 1], [2, 2, 2]])
    x[0] = ht.asarray([[[4, 5, 6]]])
    x[:, ht.asarray([2, 0])] = ht.asarray([[[7, 8], [9, 10]]])
    np.testing.assert_array_equal(ht.asnumpy(x), [[8, 5, 7], [10, 2, 9]])
    with pytest.raises(ValueError, match=r"\(2, 3\) does not broadcast"):
        x[0] = ht.ones((2, 3), dtype=ht.int32)


KEYS = [
    MASK,
    MASK[:, :, 0],
    MASK[:, 0, 0],
    (slice(None), MASK[0]),
    (slice(None), MASK[0, :, 0]),
    (0, MASK[0]),
    (Ellipsis, MASK[0, 0]),
    (MASK[:, 0, 0], slice(None), 2),
    ROWS,
    COLUMNS,
    (ROWS, ROWS),
    (ROWS, ROWS, ROWS),
    (slice(None), ROWS),
    (slice(None, None, -1), ROWS, slice(1, 3)),
    (ROWS, slice(None), ROWS),
    (0, slice(None), ROWS),
    (slice(None), 1, ROWS),
    (ROWS, None, ROWS),
    (COLUMNS, ROWS),
    (Ellipsis, ROWS),
    (None, ROWS),
    (MASK[:, 0, 0], ROWS[:1]),
    [0, 2],
    ([0, 2], [1, 3]),
    [True, False, True],
    (np.array([], int),),
    True,
    False,
    (slice(None), True),
    range(2),
    range(3, 0, -1)[1:1],
    (range(2), range(2)),
    (slice(None), (2, 0)),
    ((0, 1), slice(None), (2, 0)),
    ((0, 1),),
    (slice(None), range(0, 3, 2), None),
    collections.deque([1, 0]),
    array.array("i", [1, 0]),
    [range(2), (1, 0)],
    (Ellipsis, (True, False, True, True, False)),
]


def hither_key(key):
    """The key with hither's arrays in place of NumPy's."""
    if isinstance(key, tuple):
        return tuple(hither_key(entry) for entry in key)
    return ht.asarray(key) if isinstance(key, np.ndarray) else key


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_masks_and_integer_arrays_read_as_numpy_does(key):
    for n, x in ((BASE, ht.asarray(BASE)), (BASE * 2, ht.asarray(BASE) * 2)):
        got = ht.asnumpy(x[hither_key(key)])
        assert got.shape == n[key].shape
        np.testing.assert_array_equal(got, n[key])
    transposed = ht.asarray(BASE.transpose(2, 1, 0).copy()).T
    np.testing.assert_array_equal(ht.asnumpy(transposed[hither_key(key)]), BASE[key])


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_masks_and_integer_arrays_write_as_numpy_does(key):
    n, x = BASE.copy(), ht.asarray(BASE)
    n[key] = -1
    x[hither_key(key)] = -1
    np.testing.assert_array_equal(ht.asnumpy(x), n)
    value = np.arange(n[key].size).reshape(n[key].shape) + 1000
    n[key] = value
    x[hither_key(key)] = ht.asarray(value)
    np.testing.assert_array_equal(ht.asnumpy(x), n)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64"])
def test_indices_may_be_any_integer(dtype):
    x = ht.arange(10) * 10
    index = np.array([1, 3, 5]).astype(dtype)
    np.testing.assert_array_equal(ht.asnumpy(x[ht.asarray(index)]), [10, 30, 50])


def test_zero_dimensional_integer_arrays_are_integers():
    x = ht.arange(10)
    assert x[ht.asarray(3)].shape == ()
    assert int(x[ht.asarray(3)]) == 3
    assert int(x[np.int8(4)]) == 4


def test_take_and_nonzero():
    x = ht.asarray(BASE)
    index = np.array([3, 0, -1])
    np.testing.assert_array_equal(
        ht.asnumpy(ht.take(x, ht.asarray(index), axis=1)), np.take(BASE, index, axis=1)
    )
    order = np.argsort(-BASE, axis=2)
    np.testing.assert_array_equal(
        ht.asnumpy(ht.take_along_axis(x, ht.asarray(order), axis=2)),
        np.take_along_axis(BASE, order, axis=2),
    )
    for got, expected in zip(ht.nonzero(x % 2), np.nonzero(BASE % 2), strict=True):
        np.testing.assert_array_equal(ht.asnumpy(got), expected)


def test_iteration_length_and_membership():
    x = ht.arange(4)
    assert [int(v) for v in x] == [0, 1, 2, 3]
    assert len(x) == 4
    assert 3 in x and 7 not in x and None not in x
    a, b = ht.ones((2, 3))
    assert a.shape == b.shape == (3,)


def test_reads_by_zero_dimensional_arrays_are_copies():
    x = ht.asarray(BASE)
    one = ht.asarray(1)
    keys = [one, (one, 2), (slice(None), one), (Ellipsis, one), (one, one, one)]
    read = [x[key] for key in keys]
    expected = [
        BASE[tuple(1 if k is one else k for k in key) if isinstance(key, tuple) else 1]
        for key in keys
    ]
    x[...] = 99
    for got, want in zip(read, expected, strict=True):
        np.testing.assert_array_equal(ht.asnumpy(got), want)
    x[one] = 7
    assert ht.asnumpy(x)[:, 0, 0].tolist() == [99, 7, 99]


@pytest.mark.parametrize("shape", [(30_000,), (300, 40), (40, 30, 20)])
def test_of_indices_that_come_again_the_last_one_is_written(shape):
    rng = np.random.default_rng(7)
    host = rng.integers(0, 100, shape).astype(np.int32)
    for axis, extent in enumerate(shape):
        key = (slice(None),) * axis + (rng.integers(-extent, extent, 5_000),)
        values = rng.integers(0, 100, host[key].shape).astype(np.int32)
        expected, x = host.copy(), ht.asarray(host)
        expected[key] = values
        x[(*key[:-1], ht.asarray(key[-1]))] = ht.asarray(values)
        np.testing.assert_array_equal(ht.asnumpy(x), expected)


@pytest.mark.parametrize("dtype", ["int8", "float32", "float64", "complex128"])
@pytest.mark.parametrize("places", ["all", "few", "one", "increasing"])
@pytest.mark.parametrize("step", [1, 3, -2])
def test_many_indices_that_come_again(dtype, places, step):
    """CPUs sort them by parts of the array first."""
    count, extent = 150_001, max(400_000, 2_600_000 // np.dtype(dtype).itemsize)
    rng = np.random.default_rng(11)
    index = {
        "all": rng.integers(-extent, extent, count),
        "few": rng.integers(0, 100, count) * 3001,
        "one": np.full(count, extent - 1),
        "increasing": np.sort(rng.integers(0, extent, count)),
    }[places]
    values = (100 * rng.standard_normal(count)).astype(dtype)
    host = rng.integers(0, 100, abs(step) * extent + 5).astype(dtype)
    expected, x = host.copy(), ht.asarray(host)
    line = slice(2, 2 + step * extent, step) if step > 0 else slice(-2, -2 + step * extent, step)
    found, moved = expected[line], ht.asarray(index)
    found[index] = values
    x[line][moved] = ht.asarray(values)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)
    np.add.at(found, index, values)
    hnp.add.at(x[line], moved, ht.asarray(values))
    np.testing.assert_array_equal(ht.asnumpy(x), expected)
    np.add.at(found, index, 3)
    hnp.add.at(x[line], moved, 3)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


def test_large_arrays_by_rows_masks_and_positions():
    host = np.random.default_rng(8).integers(0, 100, (3_000, 700)).astype(np.float32)
    x = ht.asarray(host)
    rows = np.random.default_rng(9).permutation(3_000)
    np.testing.assert_array_equal(ht.asnumpy(x[ht.asarray(rows)]), host[rows])
    np.testing.assert_array_equal(
        ht.asnumpy(ht.take(x.T, ht.asarray(rows), axis=1)), host.T[:, rows]
    )
    np.testing.assert_array_equal(ht.asnumpy(x[x > 50]), host[host > 50])
    for result, expected in zip(ht.nonzero(x > 90), np.nonzero(host > 90), strict=True):
        np.testing.assert_array_equal(ht.asnumpy(result), expected)


def test_arrays_of_many_small_ones():
    """Longer than the outer dimensions of a range may be on GPUs."""
    x = ht.reshape(ht.arange(4_300_000 * 8, dtype=ht.int32), (4_300_000, 2, 4))
    y = x[:, ::-1, ::-1] - x
    assert ht.all(y[:, 0, 0] == 7)
    assert ht.all(y[:, 1, 3] == -7)
    last = ht.take(x, ht.asarray([3, 1]), axis=2)
    assert ht.all(last[:, :, 0] - last[:, :, 1] == 2)
    ones = ht.ones_like(x)
    assert ht.all(ht.cumulative_sum(ones, axis=1)[:, 1] == 2)
    assert ht.all(ht.sum(ones, axis=1) == 2)
    four = ht.reshape(
        ht.broadcast_to(ht.asarray([1, 2], dtype=ht.int8), (8_600_000, 2)), (4_300_000, 2, 2)
    )
    assert ht.all(ht.sum(four[:, ::-1], axis=2) == 3)


def test_masks_with_other_bytes_than_0_and_1():
    mask = ht.asarray(np.array([2, 0, 255, 1, 0], np.uint8).view(np.bool_))
    assert ht.asnumpy(ht.arange(5)[mask]).tolist() == [0, 2, 3]
    assert ht.asnumpy(ht.nonzero(mask)[0]).tolist() == [0, 2, 3]


def test_masks_write_elements_of_their_own():
    host = np.random.default_rng(3).integers(0, 100, (400, 300)).astype(np.float32)
    x = ht.asarray(host)
    values = np.arange(np.count_nonzero(host > 70), dtype=np.float32)
    x[x > 70] = ht.asarray(values)
    host[host > 70] = values
    np.testing.assert_array_equal(ht.asnumpy(x), host)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_that_others_write_to_count_as_they_were(device, dtype):
    if device.backend != "native_cpu":
        pytest.skip("the host cannot write to its memory behind hither's back")
    queue = ht.Queue(device, in_order=False)
    x = ht.zeros(3_000_000, queue=queue)
    for _ in range(10):
        x = x * 1.0 + 0.5
    index = ht.asarray(np.arange(1000, 2000, dtype=dtype), queue=queue)
    view = np.from_dlpack(index)
    x[index] = -7.0
    view[:] = 5
    expected = np.full(3_000_000, 5.0)
    expected[1000:2000] = -7
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("shape", [(), (5,), (1, 5), (1, 1)])
def test_masks_of_no_dimension_take_arrays_of_values(value, shape, queue):
    n = np.zeros(5)
    x = ht.asarray(n, queue=queue)
    values = np.ones(shape)
    mask = ht.asarray(value, queue=queue)
    n[np.array(value)] = values
    x[mask] = ht.asarray(values, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x), n)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        x[mask] = ht.ones((3, 5), queue=queue)


@pytest.mark.parametrize("mask", [(0,), (0, 0), (0, 3), (5, 0), (0, 0, 0), (5, 0, 0)])
@pytest.mark.parametrize("shape", [(5, 3, 2), (0, 0, 2), (5, 3, 0)])
def test_masks_of_no_elements_choose_nothing(mask, shape, queue):
    n = np.ones(shape)
    x = ht.asarray(n, queue=queue)
    host = np.zeros(mask, bool)
    nothing = ht.asarray(host, queue=queue)
    if any(m not in (0, extent) for m, extent in zip(mask, shape, strict=False)):
        with pytest.raises(IndexError, match="mask"):
            x[nothing]
        return
    assert x[nothing].shape == n[host].shape
    x[nothing] = 3
    x[nothing] = ht.zeros(n[host].shape, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x), n)
    with pytest.raises(ValueError, match=r"broadcast|shape"):
        x[nothing] = ht.zeros((2, *n[host].shape), queue=queue)


def test_masks_with_an_extent_of_another_size_are_refused(queue):
    x = ht.ones((5, 3), queue=queue)
    with pytest.raises(IndexError, match="mask"):
        x[ht.zeros((0, 7), dtype=bool, queue=queue)]


TRUTHS = {
    "two": (True, True), "apart": (True, slice(None), True), "after a slice": (slice(None), False),
    "with an integer": (0, slice(None), True), "with indices": (..., True, [0, 1]),
    "with a mask": (slice(None), np.array([True, False, True]), True),
    "apart from indices": (True, None, [0, 1]), "array": (np.array(True), slice(None), 1),
    "arrays": (np.array(True), np.array(False)), "no element": (False, [1]),
}  # fmt: skip


@pytest.mark.parametrize("case", TRUTHS)
def test_truth_values_broadcast_with_other_indices(queue, case):
    key = TRUTHS[case]
    host = np.arange(24.0).reshape(2, 3, 4)
    x = ht.asarray(host, queue=queue)
    for own in (key, tuple(ht.asarray(k, queue=queue) if isinstance(k, np.ndarray) else k
                           for k in key)):  # fmt: skip
        result = x[own]
        assert result.shape == host[key].shape
        assert np.array_equal(ht.asnumpy(result), host[key])
    value = np.arange(host[key].size).reshape(host[key].shape) * -1.0
    x[key] = ht.asarray(value, queue=queue)
    host[key] = value
    assert np.array_equal(ht.asnumpy(x), host)


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int32", "int64", "uint64"])
@pytest.mark.parametrize("rows", [1, 3, 20_000])
def test_take_along_rows(queue, dtype, rows):
    random = np.random.default_rng(2)
    host, index = random.random((rows, 90)), random.integers(0, 90, (rows, 60)).astype(dtype)
    x, places = ht.asarray(host, queue=queue), ht.asarray(index, queue=queue)
    for a, b in ((x, host), (x[:, ::-1], host[:, ::-1]), (x[:, 4:94:1], host[:, 4:94:1])):
        if b.shape[1] < 90:
            places, index = places % b.shape[1], index % b.shape[1]
        expected = np.take_along_axis(b, index.astype("int64"), -1)
        np.testing.assert_array_equal(ht.asnumpy(ht.take_along_axis(a, places)), expected)
    if index.dtype.kind == "i":
        np.testing.assert_array_equal(
            ht.asnumpy(ht.take_along_axis(x, places - 60)),
            np.take_along_axis(host, index.astype("int64") - 60, -1),
        )
    places[-1, -1] = 100
    with pytest.raises(IndexError, match="index 100 is out of bounds for axis 1 with size 90"):
        ht.take_along_axis(x, places).synchronize()


def test_take_along_axis_broadcasts(queue):
    host = np.arange(24.0).reshape(2, 3, 4)
    x = ht.asarray(host, queue=queue)
    for shape in ((1, 3, 2), (2, 1, 5), (1, 1, 4)):
        index = np.random.default_rng(3).integers(-4, 4, shape)
        np.testing.assert_array_equal(
            ht.asnumpy(ht.take_along_axis(x, ht.asarray(index, queue=queue))),
            np.take_along_axis(host, index, -1),
        )
