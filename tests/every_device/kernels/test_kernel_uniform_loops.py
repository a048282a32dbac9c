"""Kernels whose items all run the same loop iterations: the result of an item has the same bits for
every number of items and in every position among them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hither as ht

# Fewer than run side by side on any device, as many, and some more.
COUNTS = [0, 1, 7, 8, 9, 31, 32, 33, 100, 1000]


def numbers(*shape, dtype=np.float64):
    return np.random.default_rng(3).standard_normal(shape).astype(dtype)


def in_order(terms, axis):
    """The sum of `terms`, one after the other."""
    return np.add.accumulate(terms, axis=axis).take(-1, axis=axis)


@ht.kernel(fma=False)
def nearest(points, centres, label):
    i = ht.get_global_id(0)
    least = math.inf
    for c in range(centres.shape[0]):
        d = (points[i, 0] - centres[c, 0]) ** 2 + (points[i, 1] - centres[c, 1]) ** 2
        if d < least:
            least = d
            label[i] = c


@pytest.mark.parametrize("n", COUNTS)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_nearest_of_some_centres(queue, n, dtype):
    points, centres = numbers(n, 2, dtype=dtype), numbers(5, 2, dtype=dtype)
    label = ht.full(n, -1, dtype=ht.int64, queue=queue)
    if n:
        nearest[n](ht.asarray(points, queue=queue), ht.asarray(centres, queue=queue), label)
    distances = ((points[:, None] - centres[None]) ** 2).sum(axis=2)
    np.testing.assert_array_equal(ht.asnumpy(label), distances.argmin(axis=1))


@ht.kernel
def row_sums(x, sums):
    i = ht.get_global_id(0)
    s = x[i, 0]
    for j in range(1, x.shape[1]):
        s += x[i, j]
    sums[i] = s


@ht.kernel
def column_sums(x, sums):
    i = ht.get_global_id(0)
    s = x[0, i]
    for j in range(1, x.shape[0]):
        s += x[j, i]
    sums[i] = s


@pytest.mark.parametrize("n", COUNTS[1:])
@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int16, np.uint64])
@pytest.mark.parametrize("view", [np.s_[:, :], np.s_[::-1, ::2], np.s_[::2, ::-1]])
def test_sums_of_rows_and_of_columns(queue, n, dtype, view):
    x = ht.asarray((100 * numbers(2 * n, 26)).astype(dtype), queue=queue)
    host, x = ht.asnumpy(x)[view][:n], x[view][:n]
    sums = ht.empty(n, dtype=x.dtype, queue=queue)
    row_sums[n](x, sums)
    np.testing.assert_array_equal(ht.asnumpy(sums), in_order(host, 1).astype(dtype))
    column_sums[n](x.T, sums)
    np.testing.assert_array_equal(ht.asnumpy(sums), in_order(host, 1).astype(dtype))


@ht.kernel(fma=False)
def product(a, b, c):
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    s = 0.0
    for k in range(a.shape[1]):
        s += a[i, k] * b[k, j]
    c[i, j] = s


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 5, 40), (40, 7, 3), (33, 0, 70), (64, 16, 64)])
def test_a_product_of_matrices(queue, shape):
    rows, inner, columns = shape
    a, b = numbers(rows, inner), numbers(inner, columns)
    c = ht.empty((rows, columns), queue=queue)
    product[rows, columns](ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), c)
    terms = np.concatenate([np.zeros((rows, 1, columns)), a[:, :, None] * b[None]], axis=1)
    np.testing.assert_array_equal(ht.asnumpy(c), in_order(terms, 1))


@ht.kernel
def attraction(x, mass, force):
    i = ht.get_global_id(0)
    f = 0.0
    for j in range(mass.shape[0]):
        d = mass[j] - x[i]
        f += mass[j] * math.exp(-d * d) / math.sqrt(d * d + 1e-3)
    force[i] = f


@pytest.mark.parametrize("n", COUNTS[1:])
def test_neighbours_change_no_bit(queue, n):
    x, mass = numbers(1100), ht.asarray(numbers(20), queue=queue)
    everyone, some = ht.empty(1100, queue=queue), ht.empty(n, queue=queue)
    attraction[1100](ht.asarray(x, queue=queue), mass, everyone)
    attraction[n](ht.asarray(x[3 : 3 + n], queue=queue), mass, some)
    assert (ht.asnumpy(everyone)[3 : 3 + n] == ht.asnumpy(some)).all()
    d = numbers(20) - x[:, None]
    expected = (numbers(20) * np.exp(-d * d) / np.sqrt(d * d + 1e-3)).sum(axis=1)
    np.testing.assert_allclose(ht.asnumpy(everyone), expected, rtol=1e-11)


@ht.kernel
def several_loops(x, least, last, rows):
    i = ht.get_global_id(0)
    total = 0.0
    for j in range(x.shape[1]):
        if j == last:
            break
        low = x[i, j]
        for k in range(3):
            low = min(low, x[i, (j + k) % x.shape[1]])
        while low < -1.0:
            low += 0.5
        total += low
    least[i] = total
    for j in range(rows.shape[1]):
        rows[i, j] = total + j


@pytest.mark.parametrize("n", COUNTS[1:])
def test_loops_in_loops_and_one_that_items_leave_at_different_times(queue, n):
    x = numbers(n, 11)
    least, rows = ht.empty(n, queue=queue), ht.empty((n, 5), queue=queue)
    several_loops[n](ht.asarray(x, queue=queue), least, 8, rows)
    low = np.minimum(np.minimum(x, np.roll(x, -1, axis=1)), np.roll(x, -2, axis=1))[:, :8]
    while (low < -1).any():
        low = np.where(low < -1, low + 0.5, low)
    expected = in_order(np.concatenate([np.zeros((n, 1)), low], axis=1), 1)
    np.testing.assert_array_equal(ht.asnumpy(least), expected)
    np.testing.assert_array_equal(ht.asnumpy(rows), expected[:, None] + np.arange(5))


@ht.kernel(fma=False)
def smooth(x, iterations, y):
    i = ht.get_global_id(0)
    y[i] = x[i]
    for _ in range(iterations):
        y[i] = 0.5 * (y[i] + x[i] * y[i])


@pytest.mark.parametrize("n", COUNTS[1:])
@pytest.mark.parametrize("iterations", [0, 1, 9])
def test_what_an_item_stores_it_reads_in_the_next_iteration(queue, n, iterations):
    x = numbers(n)
    y = ht.empty(n, queue=queue)
    smooth[n](ht.asarray(x, queue=queue), iterations, y)
    expected = x.copy()
    for _ in range(iterations):
        expected = 0.5 * (expected + x * expected)
    np.testing.assert_array_equal(ht.asnumpy(y), expected)


@ht.kernel(fma=False)
def in_three_dimensions(x, y):
    i, j, k = ht.get_global_id(0), ht.get_global_id(1), ht.get_global_id(2)
    s = 0.0
    for m in range(x.shape[0]):
        s += x[m] * (ht.get_global_size(2) * (ht.get_global_size(1) * i + j) + k)
    y[i, j, k] = s


@pytest.mark.parametrize("shape", [(2, 3, 40), (40, 3, 2), (1, 1, 33), (3, 64, 1)])
def test_three_dimensions(queue, shape):
    x = numbers(6)
    y = ht.empty(shape, queue=queue)
    in_three_dimensions[shape](ht.asarray(x, queue=queue), y)
    terms = x[:, None] * np.arange(math.prod(shape))
    expected = in_order(np.concatenate([np.zeros((1, math.prod(shape))), terms]), 0)
    np.testing.assert_array_equal(ht.asnumpy(y), expected.reshape(shape))


@ht.kernel
def random_walks(seeds, steps, ends, highest):
    """Integers that depend on the previous iteration, a sum and a flag of them."""
    i = ht.get_global_id(0)
    state = seeds[i]
    place = 0
    top = 0
    for _ in range(steps):
        state = (state ^ (state >> 13)) * 1103515245 & 0x7FFFFFFF
        if state & 64:
            place += 1
        else:
            place -= 1
        top = max(top, place)
    ends[i] = place
    highest[i] = top


@pytest.mark.parametrize("n", COUNTS[1:])
@pytest.mark.parametrize("steps", [0, 1, 50])
def test_integers_that_depend_on_the_previous_iteration(queue, n, steps):
    seeds = np.random.default_rng(4).integers(1, 2**31, n)
    ends, highest = (ht.full(n, -1, dtype=ht.int64, queue=queue) for _ in range(2))
    random_walks[n](ht.asarray(seeds, queue=queue), steps, ends, highest)
    state, place, top = seeds.copy(), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for _ in range(steps):
        state = (state ^ (state >> 13)) * 1103515245 & 0x7FFFFFFF
        place += np.where(state & 64, 1, -1)
        top = np.maximum(top, place)
    np.testing.assert_array_equal(ht.asnumpy(ends), place)
    np.testing.assert_array_equal(ht.asnumpy(highest), top)


@pytest.mark.parametrize("n", COUNTS[1:])
@pytest.mark.parametrize("table", [1, 2, 7, 1000])
@pytest.mark.parametrize("side", ["left", "right"])
def test_binary_searches(queue, n, table, side):
    ordered, wanted = np.sort(numbers(table)), numbers(n)
    wanted[::3] = ordered[0]
    found = ht.searchsorted(
        ht.asarray(ordered, queue=queue), ht.asarray(wanted, queue=queue), side=side
    )
    np.testing.assert_array_equal(ht.asnumpy(found), np.searchsorted(ordered, wanted, side))


@ht.kernel(fma=False)
def filtered(x, taps, y):
    i = ht.get_global_id(0)
    s = taps[0] * x[i]
    for k in range(1, taps.shape[0]):
        s += taps[k] * x[i + k]
    y[i] = s


@pytest.mark.parametrize(
    "n, local",
    [(1, None), (5, None), (1001, None), (1_500_003, None), (384, 128), (1_500_160, 128)],
)
def test_items_that_share_a_factor(queue, n, local):
    """On GPUs a thread runs four items of a large range together, and one of a small range."""
    taps, x = numbers(7), numbers(n + 6)
    y = ht.empty(n, dtype=ht.float64, queue=queue)
    filtered[n if local is None else ht.NdRange(n, local)](
        ht.asarray(x, queue=queue), ht.asarray(taps, queue=queue), y
    )
    terms = np.stack([tap * x[k : k + n] for k, tap in enumerate(taps)])
    np.testing.assert_array_equal(ht.asnumpy(y), in_order(terms, 0))


@ht.kernel(fma=False)
def products_of_rows(a, b, c, odd):
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    s = a[i, 0] * b[j, 0]
    if odd or j % 2 == 0:
        for k in range(1, a.shape[1]):
            s += a[i, k] * b[j, k]
    c[i, j] = s


@pytest.mark.parametrize("shape", [(1, 1), (5, 3), (4, 70), (1301, 1203)])
@pytest.mark.parametrize("odd", [False, True])
def test_rows_that_share_the_elements_of_another_row(queue, shape, odd):
    a, b = numbers(shape[0], 3), numbers(shape[1], 3)
    c = ht.empty(shape, dtype=ht.float64, queue=queue)
    products_of_rows[shape](ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), c, odd)
    terms = a[:, None] * b[None]
    expected = in_order(terms, 2)
    if not odd:
        expected[:, 1::2] = terms[:, 1::2, 0]
    np.testing.assert_array_equal(ht.asnumpy(c), expected)


@ht.kernel(fma=False)
def guarded(x, y, n, m):
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    if 0 < i < n and j < m:
        y[i, j] = x[i - 1, j] + 2 * x[i, j]


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (1300, 1201)])
@pytest.mark.parametrize("less", [0, 1, 3])
def test_items_outside_of_the_range_that_a_kernel_asks_for(queue, shape, less):
    """On GPUs the four items of a thread run together if all of them are inside."""
    x = numbers(*shape)
    n, m = shape[0] - less, shape[1] - less
    y = ht.full(shape, -1.0, queue=queue)
    guarded[shape](ht.asarray(x, queue=queue), y, n, m)
    expected = np.full(shape, -1.0)
    if n > 1 and m > 0:
        expected[1:n, :m] = x[: n - 1, :m] + 2 * x[1:n, :m]
    np.testing.assert_array_equal(ht.asnumpy(y), expected)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("width", [1, 3, 10])
def test_square_roots_and_quotients_of_rows(queue, dtype, width):
    """Eight items, each with a row of its own, may compute them together; the last ones do not."""

    @ht.kernel
    def kernel(x, out, width):
        i = ht.get_global_id(0)
        total = dtype(0)
        for k in range(width):
            total += x[i, k] * x[i, k]
        root = math.sqrt(total)
        out[i, 0] = root
        out[i, 1] = x[i, 0] / root
        out[i, 2] = math.sqrt(root + total)

    for n in (1, 7, 8, 77):
        x = np.random.default_rng(n).random((n, width)).astype(dtype) - dtype(0.25)
        x[n // 2] = 0
        out = ht.zeros((n, 3), dtype=dtype, queue=queue)
        kernel[n](ht.asarray(x, queue=queue), out, width)
        total = np.zeros(n, dtype)
        for k in range(width):
            total += x[:, k] * x[:, k]
        root = np.sqrt(total)
        with np.errstate(invalid="ignore"):
            expected = np.stack([root, x[:, 0] / root, np.sqrt(root + total)], 1)
        if queue.backend == "native_cpu":
            np.testing.assert_array_equal(ht.asnumpy(out), expected)
        else:
            np.testing.assert_allclose(ht.asnumpy(out), expected, rtol=1e-5)
