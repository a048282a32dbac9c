"""Arithmetic on small integers has the results of 64-bit arithmetic on every machine."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

DTYPES = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32]


@ht.kernel
def compare(x, y, out):
    i = ht.get_global_id(0)
    a, b = np.int64(x[i]), np.int64(y[i])
    found = 0
    if a + b > 127:
        found += 1
    if a - b < -128:
        found += 2
    if a * b == 16129:
        found += 4
    if (a + b) * (a - b) >= 0:
        found += 8
    if a + a + a + b + b + b + a + b == 8 * a:
        found += 16
    if (a & 15) ^ (b | 3) < 9:
        found += 32
    if a * b < 0:
        found += 64
    if a + 1000 > b:
        found += 128
    out[i] = found


def expected(x, y):
    a, b = x.astype(np.int64), y.astype(np.int64)
    tests = [a + b > 127, a - b < -128, a * b == 16129, (a + b) * (a - b) >= 0,
             4 * a + 4 * b == 8 * a, (a & 15) ^ (b | 3) < 9, a * b < 0, a + 1000 > b]  # fmt: skip
    return sum((1 << k) * test.astype(np.int64) for k, test in enumerate(tests))


@pytest.mark.parametrize("n", [1, 40, 1009])
@pytest.mark.parametrize("second", DTYPES)
@pytest.mark.parametrize("first", DTYPES)
def test_sums_and_products_do_not_wrap(queue, first, second, n):
    random = np.random.default_rng(7)
    host = []
    for dtype in (first, second):
        low, high = np.iinfo(dtype).min, min(np.iinfo(dtype).max, 2**31 - 1)
        ends = np.array([low, low + 1, 0, 1, 127 % (high + 1), high - 1, high])
        numbers = np.where(
            random.random(n) < 0.5, random.choice(ends, n), random.integers(low, high + 1, n)
        )
        host.append(numbers.astype(dtype))
    if first == second:
        host[1][::3] = host[0][::3]
    out = ht.empty(n, dtype=ht.int64, queue=queue)
    compare[n](ht.asarray(host[0], queue=queue), ht.asarray(host[1], queue=queue), out)
    np.testing.assert_array_equal(ht.asnumpy(out), expected(*host))


@ht.kernel
def shift(x, amount, left, right, left_too, right_too):
    i = ht.get_global_id(0)
    left[i] = x[i] << amount[i]
    right[i] = x[i] >> amount[i]
    left_too[i] = np.left_shift(x[i], amount[i])
    right_too[i] = np.right_shift(x[i], amount[i])


@pytest.mark.parametrize("dtype", [*DTYPES, np.int64, np.uint64])
def test_shifts_by_the_width_or_more_are_numpys(queue, dtype):
    limits, width = np.iinfo(dtype), np.dtype(dtype).itemsize * 8
    amounts = [0, 1, width - 1, width, width + 1, 2 * width - 1, min(limits.max, 2**40)]
    if limits.min < 0:
        amounts += [-1, -width, limits.min]
    values = [limits.min, limits.min // 3, 1, 77, limits.max]
    x, amount = (a.ravel() for a in np.meshgrid(np.array(values, dtype), np.array(amounts, dtype)))
    results = [ht.full(x.size, 99, dtype=dtype, queue=queue) for _ in "abcd"]
    shift[x.size](ht.asarray(x, queue=queue), ht.asarray(amount, queue=queue), *results)
    for result, expected in zip(results, [x << amount, x >> amount] * 2, strict=True):
        np.testing.assert_array_equal(ht.asnumpy(result), expected)


@ht.kernel
def constant_bounds(out):
    zero = 0
    count = 0
    for _ in range(0 % zero, 3):
        count += 1
    for _ in range(5 // zero, 3):
        count += 10
    for _ in range(zero << 2000, 2):
        count += 100
    out[0] = count


def test_constants_of_any_value_bound_loops(queue):
    out = ht.zeros(1, dtype=np.int64, queue=queue)
    constant_bounds[ht.Range(1)](out)
    assert int(out[0]) == 233
