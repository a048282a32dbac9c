"""Loops over range() with any step, and loops with different iterations for each item."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

HIGH, LOW = 2**63 - 1, -(2**63)


@ht.kernel
def numbers(first, last, step, found, count):
    n = 0
    k = -1
    for k in range(first, last, step):
        if n < found.shape[0]:
            found[n] = k
        n += 1
    count[0] = n
    count[1] = k


@pytest.mark.parametrize(
    "bounds",
    [(0, 7, 1), (3, 3, 1), (5, 3, 1), (0, 10, 3), (0, 9, 3), (-7, 8, 5), (7, 0, -1), (7, -8, -4),
     (0, 5, -1), (0, 5, 100), (5, 0, -100), (HIGH - 5, HIGH, 3), (HIGH - 5, HIGH, HIGH),
     (LOW + 5, LOW, -3), (LOW, HIGH, HIGH), (HIGH, LOW, -HIGH), (HIGH, LOW, LOW)],
)  # fmt: skip
def test_range_counts_as_python_does(queue, bounds):
    found = ht.zeros(32, dtype=ht.int64, queue=queue)
    count = ht.zeros(2, dtype=ht.int64, queue=queue)
    numbers[1](*bounds, found, count)
    expected = list(range(*bounds))
    assert ht.asnumpy(count).tolist() == [len(expected), expected[-1] if expected else -1]
    assert ht.asnumpy(found)[: len(expected)].tolist() == expected


@pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.int8])
def test_range_of_other_integers(queue, dtype):
    found = ht.zeros(32, dtype=ht.int64, queue=queue)
    count = ht.zeros(2, dtype=ht.int64, queue=queue)
    numbers[1](dtype(2), dtype(11), dtype(4), found, count)
    assert ht.asnumpy(count).tolist() == [3, 10]
    assert ht.asnumpy(found)[:3].tolist() == [2, 6, 10]


def test_a_step_of_zero_is_an_error(queue):
    found = ht.zeros(4, dtype=ht.int64, queue=queue)
    count = ht.zeros(2, dtype=ht.int64, queue=queue)
    with pytest.raises(ht.KernelError, match="must not be zero"):
        numbers[1](0, 4, 0, found, count)
        queue.wait()


@pytest.mark.parametrize("local", [(4, 4), (2, 8), (1, 7), (5, 3)])
@pytest.mark.parametrize("radius", [1, 2, 9])
def test_items_that_copy_a_tile_with_halo(queue, local, radius):
    rows, columns = local[0] + 2 * radius, local[1] + 2 * radius
    n_y, n_x = 4 * local[0], 3 * local[1]

    @ht.kernel
    def sums(image, out):
        tile = ht.local.array((rows, columns), ht.float32)
        y, x = ht.get_local_id(0), ht.get_local_id(1)
        top = ht.get_group_id(0) * ht.get_local_size(0)
        left = ht.get_group_id(1) * ht.get_local_size(1)
        for a in range(y, rows, local[0]):
            for b in range(x, columns, local[1]):
                tile[a, b] = image[
                    min(max(top + a - radius, 0), n_y - 1), min(max(left + b - radius, 0), n_x - 1)
                ]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        total = np.float32(0)
        for a in range(2 * radius + 1):
            for b in range(2 * radius + 1):
                total += tile[y + a, x + b]
        out[top + y, left + x] = total

    image = np.random.default_rng(3).integers(0, 9, (n_y, n_x)).astype(np.float32)
    out = ht.zeros((n_y, n_x), dtype=ht.float32, queue=queue)
    sums[ht.NdRange((n_y, n_x), local)](ht.asarray(image, queue=queue), out)
    padded = np.pad(image, radius, mode="edge")
    shape = (2 * radius + 1, 2 * radius + 1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, shape)
    assert np.array_equal(ht.asnumpy(out), windows.sum((2, 3)))


@pytest.mark.parametrize(("n", "local"), [(8, 8), (24, 8), (60, 12), (5, 1)])
def test_neighbours_beyond_the_edges(queue, n, local):
    @ht.kernel
    def around(x, out):
        i = ht.get_global_id(0)
        ht.barrier(ht.GLOBAL_MEM_FENCE)
        out[i] = x[i - 1] * 100 + x[min(i + 2, n - 1)] * 10 + x[max(i - 3, 0)]

    x = np.random.default_rng(4).integers(0, 9, n).astype(np.int32)
    out = ht.zeros(n, dtype=ht.int32, queue=queue)
    around[ht.NdRange(n, local)](ht.asarray(x, queue=queue), out)
    i = np.arange(n)
    expected = np.roll(x, 1) * 100 + x[np.minimum(i + 2, n - 1)] * 10 + x[np.maximum(i - 3, 0)]
    assert np.array_equal(ht.asnumpy(out), expected)


@pytest.mark.parametrize("bins", [1, 6, 8, 20, 33])
def test_items_that_share_out_a_loop(queue, bins):
    """Each item carries values from one iteration to the next; most items have no iterations."""
    local = 8

    @ht.kernel
    def shared_out(weights, out):
        item = ht.get_local_id(0)
        iterations, last, total = 0, -1, 0.0
        for k in range(item, bins, local):
            iterations += 1
            last = k
            total = total * 2 + weights[k]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        i = ht.get_global_id(0)
        out[i, 0] = iterations
        out[i, 1] = last
        out[i, 2] = total

    weights = np.arange(1, bins + 1, dtype=np.float64)
    out = ht.zeros((16, 3), dtype=ht.float64, queue=queue)
    shared_out[ht.NdRange(16, local)](ht.asarray(weights, queue=queue), out)
    for i, (iterations, last, total) in enumerate(ht.asnumpy(out)):
        mine = list(range(i % local, bins, local))
        expected = 0.0
        for k in mine:
            expected = expected * 2 + weights[k]
        assert (iterations, last, total) == (len(mine), mine[-1] if mine else -1, expected)


@ht.kernel
def take_twice(n, out):
    values = iter(range(n))
    total = 0
    for i in values:
        total += i
        if i == 4:
            break
    for i in values:
        total += 10 * i
    for _ in values:  # which has ended
        total += 1000
        if total > 5000:
            break
    out[ht.get_global_id(0)] = total


@pytest.mark.parametrize(("n", "expected"), [(0, 0), (3, 3), (5, 10), (7, 120)])
def test_an_iterator_goes_on_and_stays_at_its_end(queue, n, expected):
    out = ht.empty(3, dtype=ht.int64, queue=queue)
    take_twice[3](n, out)
    assert (ht.asnumpy(out) == expected).all()
