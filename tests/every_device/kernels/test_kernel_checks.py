"""Kernels whose items check an index: at both ends of ranges, and where a range has no items."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import hither as ht

FIRST, LAST = np.iinfo(np.int64).min, np.iinfo(np.int64).max
ROWS, COLUMNS = 5, 37
BOUNDS = (FIRST, FIRST + 1, -1, 0, 1, 2, 17, COLUMNS - 1, COLUMNS, COLUMNS + 1, LAST - 1, LAST)


def between(i, j, low, high, flag):
    if low <= j and j < high:
        return 1
    return 0


def strictly_between_with_a_flag(i, j, low, high, flag):
    if flag and i > 0 and j > low and j <= high:
        return 1
    return 0


def outside(i, j, low, high, flag):
    if j < low or j >= high or not flag:
        return 1
    return 0


def boundary_or_inside(i, j, low, high, flag):
    if i == 0 or j == 0 or i == 4 or j == 36:
        return 2
    if j == low or high == j:
        return 3
    return 4


def two_checks(i, j, low, high, flag):
    result = 0
    if j >= low:
        result += 1
    if j >= high:
        result += 2
    elif flag:
        result += 4
    return result


def neighbours(i, j, low, high, flag):
    result = 0
    if j - 1 >= low:
        result += 1
    if j + 1 < high and i + 1 < 5:
        result += 2
    return result


def triangle(i, j, low, high, flag):
    if j <= i + 3:
        return i + 1
    if 2 * j > i and j != high:
        return 7
    return 0


def only_the_flag(i, j, low, high, flag):
    if flag and i != 2:
        return 5
    return 0


RULES = (
    between, strictly_between_with_a_flag, outside, boundary_or_inside, two_checks, neighbours,
    triangle, only_the_flag,
)  # fmt: skip


def kernel_of(rule):
    kind_of = ht.device_func(rule)

    @ht.kernel
    def classify(x, y, low, high, flag):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        kind = kind_of(i, j, low, high, flag)
        if kind != 0:
            y[i, j] += kind * x[i, j]

    return classify


@pytest.mark.parametrize("rule", RULES, ids=lambda f: f.__name__)
def test_items_of_a_range_are_those_of_python(device, rule):
    kernel = kernel_of(rule)
    x = np.arange(ROWS * COLUMNS, dtype="float32").reshape(ROWS, COLUMNS) + 1
    given = ht.asarray(x, device=device)
    # Intel's OpenCL runtime subtracts 2 from an upper bound, and crashes if that overflows.
    bounds = BOUNDS if device.backend in ("native_cpu", "cuda") else BOUNDS[2:]
    for low, high, flag in itertools.product(bounds, bounds, (False, True)):
        y = ht.zeros((ROWS, COLUMNS), dtype="float32", device=device)
        kernel[ROWS, COLUMNS](given, y, low, high, flag)
        kinds = [[rule(i, j, low, high, flag) for j in range(COLUMNS)] for i in range(ROWS)]
        np.testing.assert_array_equal(ht.asnumpy(y), np.array(kinds) * x, f"{low} {high} {flag}")


@ht.kernel
def smooth(x, y, first, width):
    i, j = ht.get_global_id(0) + first, ht.get_global_id(1)
    if 0 < i < x.shape[0] - 1 and width <= j < x.shape[1] - width:
        y[i, j] = x[i - 1, j] + x[i + 1, j] + x[i, j - width] + x[i, j + width]


@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (3, 2), (8, 31), (33, 100), (2, 1000)])
@pytest.mark.parametrize("width", [1, 3])
def test_stencils_leave_the_edges_as_they_are(device, shape, width):
    rows, columns = shape
    x = np.random.default_rng(3).integers(-99, 99, shape).astype("int32")
    y = ht.full(shape, 1000, dtype="int32", device=device)
    smooth[rows, columns + 5](ht.asarray(x, device=device), y, 0, width)
    expected = np.full(shape, 1000, "int32")
    if rows > 2 and columns > 2 * width:
        inner = slice(width, columns - width)
        expected[1:-1, inner] = (
            x[:-2, inner] + x[2:, inner] + x[1:-1, : columns - 2 * width] + x[1:-1, 2 * width :]
        )
    np.testing.assert_array_equal(ht.asnumpy(y), expected)


@ht.kernel
def product_in_range(a, b, c, first, end):
    i, j = ht.get_global_id(0), ht.get_global_id(1) + first
    if i < c.shape[0] and 0 <= j < end:
        total = 0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@ht.kernel
def product_or_return(a, b, c, first, end):
    j = ht.get_global_id(1) + first
    if j < 0 or j >= end:
        return
    i = ht.get_global_id(0)
    if not i <= c.shape[0] - 1:
        return
    total = 0
    for k in range(a.shape[1]):
        total += a[i, k] * b[k, j]
    c[i, j] = total


@pytest.mark.parametrize("kernel", [product_in_range, product_or_return], ids=lambda k: k.__name__)
@pytest.mark.parametrize(
    ("first", "end"), [(0, 70), (0, 69), (-5, 70), (3, 40), (-100, 70), (9, -1)]
)
def test_items_with_loops_return_at_a_guard(device, kernel, first, end):
    rows, inner, columns = 9, 12, 70
    random = np.random.default_rng(5)
    a, b = (random.integers(-9, 9, s) for s in ((rows, inner), (inner, columns)))
    c = ht.full((rows, columns), 77, dtype="int64", device=device)
    kernel[rows + 3, columns + 41](*(ht.asarray(x, device=device) for x in (a, b)), c, first, end)
    expected = np.full((rows, columns), 77)
    low, high = max(first, 0), min(end, columns + 41 + first)
    if low < high:
        expected[:, low:high] = (a @ b)[:, low:high]
    np.testing.assert_array_equal(ht.asnumpy(c), expected)


@ht.kernel
def above_after_a_shift(y, low):
    j = ht.get_global_id(0)
    if j + (-9223372036854775808) > low:
        y[j] += 10
    y[j] += 1


def test_no_item_is_above_the_largest_number(device):
    y = ht.zeros(40, dtype="int64", device=device)
    above_after_a_shift[40](y, LAST)
    np.testing.assert_array_equal(ht.asnumpy(y), 1)
