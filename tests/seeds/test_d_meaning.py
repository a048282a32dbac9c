"""Requirement D3: functions without parallel=True in their decorator keep their results."""

from __future__ import annotations

import warnings

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays

BINS = 10


def count(x, h, v):
    for i in prange(x.size):
        h[x[i]] += 1


def add_by_index(x, h, v):
    for i in prange(x.size):
        h[x[i]] = h[x[i]] + v[i]


def subtract(x, h, v):
    for i in prange(x.size):
        h[x[i]] -= 3 * i


def multiply(x, h, v):
    for i in prange(x.size):
        h[x[i]] *= 3


def smallest(x, h, v):
    for i in prange(x.size):
        h[x[i]] = min(h[x[i]], v[i])


def largest(x, h, v):
    for i in prange(x.size):
        h[x[i]] = max(v[i], h[x[i]])


def bits_in_all(x, h, v):
    for i in prange(x.size):
        h[x[i]] &= v[i]


def bits_in_any(x, h, v):
    for i in prange(x.size):
        h[x[i]] |= v[i]


def parity(x, h, v):
    for i in prange(x.size):
        h[x[i]] ^= v[i]


def table(x, h, v):
    t = h.reshape(2, BINS // 2)
    for i in prange(x.size):
        t[x[i] % 2, v[i] % 5] += v[i]


UPDATES = [count, add_by_index, subtract, multiply, smallest, largest, table]
BITS = [bits_in_all, bits_in_any, parity]


def given(dtype):
    rng = np.random.default_rng(7)
    x = rng.integers(0, BINS, 5000)
    return x, np.arange(1, BINS + 1).astype(dtype), rng.integers(0, 100, 5000).astype(dtype)


def run_plain_and_offloaded(function, queue, dtype):
    """Arguments after a plain call, after a call in a context, the report and the warnings."""
    plain, inside = given(dtype), given(dtype)
    numba.njit(function)(*plain)
    f = numba.njit(function)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ht.PerformanceWarning)
        f(*inside)
    return plain, inside, ht.offload_report(f), [w.category for w in caught]


def check_regions(report, queue):
    """All loops ran as kernels of that device."""
    assert report.parfors and not [p for p in report.parfors if p.reason]
    devices = {use.device for parfor in report.parfors for use in parfor.uses}
    assert devices == {queue.device}


@pytest.mark.parametrize("dtype", [np.int64, np.int32, np.uint8])
@pytest.mark.parametrize("function", UPDATES + BITS, ids=lambda f: f.__name__)
def test_d03_conflicting_updates_give_the_integers_of_the_plain_function(queue, function, dtype):
    plain, inside, report, caught = run_plain_and_offloaded(function, queue, dtype)
    assert np.array_equal(inside[1], plain[1])
    assert caught == []
    check_regions(report, queue)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.complex128])
@pytest.mark.parametrize("function", UPDATES, ids=lambda f: f.__name__)
def test_d03_floating_sums_are_equal_up_to_the_order_of_rounding(queue, function, dtype):
    if dtype is np.complex128 and function in (smallest, largest, table):
        pytest.skip("complex numbers have no order and no remainder")
    if function is table:
        pytest.skip("its indices are integers")
    plain, inside, report, caught = run_plain_and_offloaded(function, queue, dtype)
    np.testing.assert_allclose(inside[1], plain[1], rtol=1e-5 if dtype is np.float32 else 1e-12)
    assert caught == []
    check_regions(report, queue)


def test_d03_updates_are_added_in_a_fixed_tree(queue):
    x, h, v = given(np.float64)
    v = np.random.default_rng(1).random(x.size)
    f = numba.njit(add_by_index)
    found = []
    with ht.device_context(queue, keep_below=0):
        for _ in range(5):
            updated = h.copy()
            f(x, updated, v)
            found.append(updated.tobytes())
    assert len(set(found)) == 1


def shifted(x, h, v):
    for i in prange(1, x.size):
        v[i] = v[i - 1] + 1


def folded(x, h, v):
    for i in prange(v.size):
        v[i // 2] += v[i] // 7


def looked_at(x, h, v):
    for i in prange(x.size):
        h[x[i]] += 1
        v[i] = h[0]


def two_operations(x, h, v):
    for i in prange(x.size):
        h[x[i]] += 1
        h[v[i] % 10] *= 2


def slices(x, h, v):
    for i in prange(x.size - 3):
        v[i : i + 3] = i


def through_a_function(x, h, v):
    for i in prange(x.size):
        store(h, x[i], i)


@numba.njit
def store(h, place, value):
    h[place] = value


@pytest.mark.parametrize(
    "function",
    [shifted, folded, looked_at, two_operations, slices, through_a_function],
    ids=lambda f: f.__name__,
)
def test_d03_other_stores_that_may_conflict_stay_on_the_host(queue, function):
    plain, inside, report, caught = run_plain_and_offloaded(function, queue, np.int64)
    for found, expected in zip(inside, plain, strict=True):
        assert np.array_equal(found, expected)
    assert caught == [ht.PerformanceWarning]
    assert [p.kernel for p in report.parfors] == [None]
    assert "may access the same element of" in report.parfors[0].reason


def neighbours(x, h, v):
    for i in prange(x.size // 2):
        v[2 * i] = v[2 * i + 1] + v[2 * i]


def own_element(x, h, v):
    for i in prange(v.size):
        v[i] = v[i] * 2 + x[i]


def every_other(x, h, v):
    for i in prange(v.size // 2):
        v[2 * i + 1] = 5 - v[2 * i + 1]


def backwards(x, h, v):
    for i in prange(v.size):
        v[-1 - i] += i


def rows(x, h, v):
    t = v.reshape(-1, 5)
    for i in prange(t.shape[0]):
        row = t[i]
        for j in range(5):
            row[j] += row[j - 1]


def grid(x, h, v):
    t = v.reshape(-1, 5)
    for i in prange(t.shape[0]):
        for j in prange(5):
            t[i, j] += i * j


def row_through_a_function(x, h, v):
    t = v.reshape(-1, 5)
    for i in prange(t.shape[0]):
        store(t[i], x[i] % 5, i)


def table_read_by_any_index(x, h, v):
    for i in prange(v.size):
        v[i] = h[x[i]]


def colours(x, h, v):
    for i in prange(v.size // 3):
        v[3 * i] = i
        v[3 * i + 1] = v[3 * i] + x[i]
        v[3 * i + 2] -= i


def flat(x, h, v):
    width = x[:7].size
    for i in prange(v.size // width):
        for j in prange(width):
            v[i * width + j] = i - j


def flat_in_three(x, h, v):
    width = x[:7].size
    for i in prange(v.size // width // 5):
        for j in range(5):
            for k in range(width):
                v[(i * 5 + j) * width + k] += i - j + k


def moved(x, h, v):
    far = x[:7].size
    for i in prange(v.size - far):
        v[i + far] = i


def around_the_end(x, h, v):
    far = x[:7].size
    for i in prange(v.size):
        v[i - far] = i


def inner_points(x, h, v):
    image = x.reshape(-1, 5)
    rows, columns = image.shape
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            v[i * columns + j] = image[i - 1, j] + image[i, j + 1]


OWN = [own_element, neighbours, colours, flat, flat_in_three, moved, around_the_end, inner_points,
       every_other, backwards, rows, grid, row_through_a_function,
       table_read_by_any_index]  # fmt: skip


@pytest.mark.parametrize("function", OWN, ids=lambda f: f.__name__)
def test_d03_an_index_that_is_affine_in_the_loops_is_offloaded(queue, function):
    plain, inside, report, caught = run_plain_and_offloaded(function, queue, np.int64)
    for found, expected in zip(inside, plain, strict=True):
        assert np.array_equal(found, expected)
    assert caught == []
    check_regions(report, queue)


def last_wins(x, h, v):
    for i in prange(x.size):
        h[x[i]] = i


def cut_off(x, h, v):
    for i in prange(x.size):
        h[x[i]] += 0.75


def narrow(x, h, v):
    width = x[:7].size
    for i in prange(v.size // 8):
        for j in range(8):
            v[i * width + j] = 10 * i + j


def no_step(x, h, v):
    step = x[:0].size
    for i in prange(v.size):
        v[i * step] = i


def beyond_the_end(x, h, v):
    far = x[:7].size
    for i in prange(1, v.size + 7):
        v[i - far] = i


CHECKED = [last_wins, cut_off, narrow, no_step, beyond_the_end]


@pytest.mark.parametrize("function", CHECKED, ids=lambda f: f.__name__)
def test_d03_loops_with_conflicts_found_at_launch_run_on_the_host(queue, function):
    plain, inside, report, caught = run_plain_and_offloaded(function, queue, np.int64)
    for found, expected in zip(inside, plain, strict=True):
        assert np.array_equal(found, expected)
    assert caught == [ht.PerformanceWarning]
    (loop,) = report.parfors
    assert (loop.uses, loop.launches_in_order) == ([], 1)
    assert "once in order on the host" in str(report)


def doubled(x, h, v):
    for i in prange(x.size):
        h[x[i]] = 2 * h[x[i]] + v[i]


def moved_within(x, h, v):
    for i in prange(3, x.size - 5):
        h[x[i + 5]] = i


@pytest.mark.parametrize("kind", ["int64", "int32", "uint16", "negative", "reversed"])
@pytest.mark.parametrize("function", [last_wins, doubled, moved_within], ids=lambda f: f.__name__)
def test_d03_indices_without_duplicates_are_offloaded(queue, function, kind):
    rng = np.random.default_rng(5)
    x = rng.permutation(1000)
    x = {"negative": np.where(x < 400, x, x - 1000), "reversed": x[::-1]}.get(kind, x)
    x = x if kind in ("negative", "reversed") else x.astype(kind)
    plain, inside = np.arange(1000), np.arange(1000)
    v = rng.integers(0, 100, 1000)
    numba.njit(function)(x, plain, v)
    f = numba.njit(function)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings():
        warnings.simplefilter("error", ht.PerformanceWarning)
        f(x, inside, v)
        assert np.array_equal(inside, plain)
        check_regions(ht.offload_report(f), queue)
        warnings.simplefilter("always", ht.PerformanceWarning)
        again = x.copy()
        again[600] = again[500] + (1000 if again[500] < 0 else 0)  # the same element
        numba.njit(function)(again, plain, v)
        with pytest.warns(ht.PerformanceWarning, match="may access the same element of h"):
            f(again, inside, v)
    assert np.array_equal(inside, plain)


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_d03_arrays_too_large_for_copies_are_updated_by_atomics(queue, dtype):
    size = (1 << 28) // np.dtype(dtype).itemsize + 8
    x = np.random.default_rng(2).integers(-50, 50, 3000)
    plain, inside = np.zeros(size, dtype), np.zeros(size, dtype)
    numba.njit(count)(x, plain, x)
    f = numba.njit(count)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings():
        warnings.simplefilter("error", ht.PerformanceWarning)
        f(x, inside, x)
    assert np.array_equal(inside, plain)
    (loop,) = ht.offload_report(f).parfors
    assert [use.launches for use in loop.uses] == [1]
    assert ht.kernel_history()[-1].name.endswith(".atomic")


def test_d03_one_loop_on_the_host_leaves_the_others_on_the_device(queue):
    def three(x, h, v):
        for i in prange(v.size):
            v[i] *= 2
        for i in prange(1, v.size):
            v[i] += v[i - 1]
        for i in prange(x.size):
            h[x[i]] += v[i]

    plain, inside, report, caught = run_plain_and_offloaded(three, queue, np.int64)
    for found, expected in zip(inside, plain, strict=True):
        assert np.array_equal(found, expected)
    assert caught == [ht.PerformanceWarning]
    assert [p.kernel is not None for p in report.parfors] == [True, False, True]
    assert f"line {report.parfors[1].line} " in str(report)


def test_d03_parallel_true_promises_independent_iterations_as_in_numba(queue):
    f = numba.njit(parallel=True)(last_wins)
    x = np.random.default_rng(3).permutation(1000)
    h = np.zeros(1000, np.int64)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings():
        warnings.simplefilter("error", ht.PerformanceWarning)
        f(x, h, h)
    assert np.array_equal(h[x], np.arange(1000))
    check_regions(ht.offload_report(f), queue)
