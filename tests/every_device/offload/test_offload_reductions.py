"""Reductions in Numba functions inside a device context."""

from __future__ import annotations

import functools
import re

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht
from hither._offload import region
from hither._offload.report import dump

pytestmark = pytest.mark.either_mode  # the arguments are ready, and the results numbers

random = np.random.RandomState(1)
X = random.rand(5003)
M = random.rand(37, 53)
INTEGERS = random.randint(0, 10, 5003)


def by_functions(x):
    return x.sum(), x.mean(), x.var(), x.std(), x.min(), x.max(), x.argmin(), x.argmax(), x.prod()


def several_at_once(x):
    s, largest, smallest, n = 0.0, -np.inf, np.inf, 0
    for i in prange(x.size):
        s += x[i] * 2
        largest, smallest = max(largest, x[i]), min(smallest, x[i])
        n += 1
    return s, largest, smallest, n


def under_a_condition(x):
    n, s = 0, 0
    for i in prange(x.size):
        if x[i] < 0.3:
            continue
        n += 1
        s += x[i]
    return n, s


def product(x):
    p = 3.0
    for i in prange(x.size):
        p *= 1 + x[i] * 1e-4
    return p


def difference(x):
    d = 10.0
    for i in prange(x.size):
        d -= x[i]
    return d


def quotient(x):
    q = 10.0
    for i in prange(x.size):
        q /= 1 + x[i] * 1e-4
    return q


def array_sum(a):
    total = np.ones(a.shape[1])
    for i in prange(a.shape[0]):
        total += a[i]
    return total


def array_product(a):
    total = np.full((2, 3), 2.0)
    for i in prange(a.shape[0]):
        total *= 1.0 + a[i, 0] * 0.01
    return total


def dot(x, y):
    return np.dot(x, y)


def all_and_any(x):
    return (x > 0.2).any(), (x > -1).all(), (x > 2).any()


CASES = [
    (by_functions, (X,)),
    (by_functions, (M,)),
    (by_functions, (INTEGERS + 1,)),
    (several_at_once, (X,)),
    (under_a_condition, (X,)),
    (product, (X,)),
    (difference, (X,)),
    (quotient, (X,)),
    (array_sum, (M,)),
    (array_product, (M,)),
    (dot, (X, X)),
    (all_and_any, (X,)),
    (several_at_once, (X[:0],)),
    (several_at_once, (X[:1],)),
    (several_at_once, (X[:65],)),
]


compiled_once = functools.cache(numba.njit)  # several cases have arguments of the same types


@pytest.mark.parametrize(("function", "arguments"), CASES)
def test_results_are_those_of_numba_and_come_from_kernels(queue, function, arguments):
    compiled = compiled_once(function)
    expected = compiled(*arguments)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        found = compiled(*arguments)
    assert ht.counters()["offloaded_regions"] > before
    np.testing.assert_allclose(found, expected, rtol=1e-11)
    report = ht.offload_report(compiled)
    assert [p.reason for p in report.parfors if p.reason] == []


def _sum_and_product(x):
    total, product = 0.5, 1.0
    for i in prange(x.size):
        total += x[i]
        product *= 1 + x[i] / 1024
    return total, product


def _of_rows(x):
    total, count = 0.0, 0
    for i in prange(x.shape[0]):
        for j in prange(x.shape[1]):
            total += x[i, j] * i
            count += 1
    return total, count


def _of_whole_arrays(x):
    return np.sum(x * 3), np.argmax(x), np.argmin(x), x.max(), (x > 0.5).all()


def _from_two(x):
    column = x.reshape(-1)[::2]
    total = np.int8(0)
    size = 0j
    for i in prange(2, column.size):
        total += np.int8(100 * column[i])
        size += column[i] + 1j
    return size + total


@pytest.mark.parametrize("function, shapes", [
    (_sum_and_product, [(0,), (1,), (31,), (33,), (1000,), (8191,), (300_001,)]),
    (_of_rows, [(0, 3), (1, 1), (3, 5), (7, 33), (100, 31), (5, 20_001)]),
    (_of_whole_arrays, [(1,), (32,), (65,), (100_003,)]),
    (_from_two, [(2,), (3,), (34,), (1000, 2), (2 * 1025 * 8192 + 5,)]),
])  # fmt: skip
def test_lanes_that_are_work_items_give_the_same_bits(queue, monkeypatch, function, shapes):
    """GPUs run the lanes of groups as work-items. Here all devices run both forms."""
    found = []
    for by_lane in (False, True):
        monkeypatch.setattr(region, "runs_lanes", lambda device, by_lane=by_lane: by_lane)
        compiled = numba.njit(function)
        rng = np.random.default_rng(5)
        with ht.device_context(queue, keep_below=0):
            found.append([np.array(compiled(rng.random(shape))).tobytes() for shape in shapes])
        assert [p.reason for p in ht.offload_report(compiled).parfors if p.reason] == []
    assert found[0] == found[1]


def test_lengths_around_the_limits_of_groups(queue):
    @numba.njit
    def count_and_sum(n):
        c, s = 0, 0
        for i in prange(n):
            c += 1
            s += i
        return c, s

    for n in (1, 63, 64, 65, 1000, 8191, 8192, 8193, 131071, 300000):
        with ht.device_context(queue, keep_below=0):
            assert count_and_sum(n) == (n, n * (n - 1) // 2)


def test_sums_repeat_bit_for_bit_whatever_the_number_of_threads(sub_devices):
    @numba.njit
    def total(x):
        return np.sum(x)

    x = random.rand(1_000_003).astype(np.float32)
    found = set()
    for device in (*sub_devices, ht.Device("cpu")):
        with ht.device_context(device):
            found |= {total(x) for _ in range(5)}
    assert len(found) == 1


@pytest.mark.parametrize("shape", [(5, 0), (0, 5), (2, 0, 3)])
def test_extremes_of_no_elements(device, shape):
    functions = [numba.njit(f) for f in (lambda x: x.min(), lambda x: x.max(), lambda x: x.argmin(),
                                         lambda x: x.argmax(), lambda x: np.amin(x))]  # fmt: skip
    with ht.device_context(device):
        for function in functions:
            with pytest.raises(ValueError, match=r"zero-size array|empty sequence"):
                function(np.zeros(shape))


@pytest.mark.parametrize("order", ["C", "F"])
def test_updates_of_an_array_in_either_order(queue, order):
    def count(h, p):
        for i in prange(p.shape[0]):
            h[p[i, 0], p[i, 1], 0] += 1
            h[p[i, 1], 0, 1] += i

    p = np.random.default_rng(0).integers(0, 4, (2000, 2))
    expected, found = np.zeros((4, 5, 2), order=order), np.zeros((4, 5, 2), order=order)
    count(expected, p)
    with ht.device_context(queue, keep_below=0):
        numba.njit(count)(found, p)
    np.testing.assert_array_equal(found, expected)


def add_up(h, p, w):
    for i in prange(p.size):
        h[p[i]] += w[i]


def add_up_and_count(h, p, w):
    c = 0
    for i in prange(p.size):
        h[p[i]] += w[i]
        c += 1
    return c


@pytest.mark.parametrize("function", [add_up, add_up_and_count])
@pytest.mark.parametrize(
    ("items", "elements"), [(0, 5), (900, 1000), (4095, 1), (4096, 1), (9000, 100), (50_000, 6250)]
)
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_updates_of_few_and_of_many_elements(queue, function, items, elements, dtype):
    rng = np.random.default_rng(items)
    p, w = rng.integers(0, elements, items), rng.integers(-9, 9, items).astype(dtype)
    expected, compiled = rng.integers(0, 9, elements).astype(dtype), numba.njit(function)
    spread = np.zeros((2 * elements, 2), dtype)[::2, 1]
    found = [expected.copy(), spread]
    spread[:] = expected
    count = function(expected, p, w)
    for h in found:
        with ht.device_context(queue, keep_below=0):
            assert compiled(h, p, w) == count
        np.testing.assert_array_equal(h, expected)


def test_a_single_copy_on_a_cpu_is_the_array_itself(queue):
    """As many elements as updates: there are no copies, so sums have the bits of the plain loop."""
    if not queue.device.has_aspect_cpu:
        pytest.skip("needs a CPU")
    rng = np.random.default_rng(1)
    p, w = rng.integers(0, 10_000, 60_000), rng.random(60_000)
    expected, found = np.ones(10_000), np.ones(10_000)
    add_up(expected, p, w)
    with ht.device_context(queue, keep_below=0):
        numba.njit(add_up)(found, p, w)
    np.testing.assert_array_equal(found, expected)


def count_above(x):
    c = 0
    for i in prange(x.size):
        if x[i] > 0.5:
            c += 1
    return c


def place_of_largest(x):
    return np.argmax(x)


def five_at_once(x):
    total, squares, largest, smallest, count = 0.0, 0.0, -np.inf, np.inf, 0
    for i in prange(x.size):
        total += x[i]
        squares += x[i] * x[i]
        largest, smallest = max(largest, x[i]), min(smallest, x[i])
        if x[i] > 0.5:
            count += 1
    return total, squares, largest, smallest, count


@pytest.mark.parametrize("function", [count_above, place_of_largest, five_at_once])
def test_lanes_are_vectors(queue, function):
    if queue.device.backend != "native_cpu":
        pytest.skip("reads the code of the built-in CPU device")
    compiled = numba.njit(function)
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(compiled(X), function(X), rtol=1e-13)
    assert re.search(r"fcmp (ogt|oge|oeq) <\d+ x double>", dump(compiled))


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.int8])
def test_the_place_of_an_extreme_is_that_of_the_first(queue, dtype):
    """In all lanes and groups: several elements are the largest, and some are NaN."""
    places = numba.njit(lambda x: (np.argmax(x), np.argmin(x)))
    x = np.random.default_rng(3).integers(-9, 9, 70_001).astype(dtype)
    cases = [x, x[31:], x[x > -9], np.full(5000, x[0])]
    if np.issubdtype(dtype, np.floating):
        cases.append(np.full(5000, -np.inf, dtype))
        for at in ([69_999], [40_007, 40_006, 123], [0]):
            cases.append(x.copy())
            cases[-1][at] = np.nan
    with ht.device_context(queue, keep_below=0):
        found = [places(case) for case in cases]
    assert found == [(np.argmax(case), np.argmin(case)) for case in cases]


def add_up_roots(h, p, w):
    for i in prange(p.size):
        x = 1.0
        for _ in range(20):
            x = 0.5 * (x + w[i] / x)
        h[p[i]] += x


def test_long_iterations_run_side_by_side(queue):
    """Few of them, too: groups with copies, and a second kernel that combines these."""
    if not queue.device.has_aspect_cpu:
        pytest.skip("other devices have copies for any iterations")
    rng = np.random.default_rng(2)
    p, w = rng.integers(0, 10, 200), rng.random(200) + 1
    kernels = []
    for function in (add_up, add_up_roots):
        expected, found, compiled = np.ones(10), np.ones(10), numba.njit(function)
        function(expected, p, w)
        with ht.device_context(queue, keep_below=0):
            compiled(np.ones(10), p, w)
            before = ht.counters()["launches"]
            compiled(found, p, w)
        kernels.append(ht.counters()["launches"] - before)
        np.testing.assert_allclose(found, expected, rtol=1e-14)
    assert kernels == [1, 2]
