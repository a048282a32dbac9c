"""Numba functions inside a device context: the same results as outside, by kernels."""

from __future__ import annotations

import copy
import math
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays

random = np.random.RandomState(0)
X = random.rand(1003)
Y = random.rand(1003) + 0.5
M = random.rand(37, 53)
INTEGERS = random.randint(0, 10, 1003)
RECORDS = np.zeros(100, dtype=[("a", "f8"), ("b", "i4")])
RECORDS["a"], RECORDS["b"] = X[:100], INTEGERS[:100]
TABLE = np.arange(10.0)


@numba.njit
def twice_plus_one(a):
    return a * 2 + 1


@numba.njit
def cosine(a):
    return np.cos(a)


@numba.stencil
def mean_of_neighbours(a):
    return 0.25 * (a[-1, 0] + a[1, 0] + a[0, -1] + a[0, 1])


def expression(x, y):
    return 2.0 * x + np.sin(y)


def two_regions(x, y):
    z = np.sin(x) * y + 2.0
    for i in prange(z.size):
        z[i] += x[i]
    return z.sum()


def nested(a):
    b = np.zeros_like(a)
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            b[i, j] = math.sqrt(a[i, j]) + i * j
    return b


def inner_loop(a):
    b = a.copy()
    for i in prange(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            b[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])
    return b


def four_dimensions(a):
    return np.exp(a) + 1


def five_dimensions_summed(a):
    return (a * 2).sum()


def not_from_zero(x):
    y = np.zeros(x.size)
    for i in prange(5, x.size - 3):
        y[i] = x[i - 5] + i
    return y


def slices(x):
    y = np.zeros(x.size)
    y[2:-2] = x[4:] + x[:-4]
    y[0:2] = 7
    return y


def masked(x):
    y = x.copy()
    y[y > 0.5] = 0.0
    return y


def chosen(x):
    return np.where(x > 0.5, x, -x)


def created():
    return np.zeros(10) + np.ones(10) + np.arange(10) + np.linspace(0, 1, 10) + np.full(10, 3.0)


def integer_arithmetic(x):
    return x // 3 + x % 3 - (x << 2)


def booleans(x):
    return (x > 0.2) & (x < 0.7)


def numbers_of_a_tuple(x, t):
    return x * t[0] + t[1] + t[2]


def arrays_of_a_tuple(x, t):
    r = np.empty_like(x)
    for i in prange(x.size):
        r[i] = x[i] + t[0][i] * t[1][i]
    return r


def global_array(x):
    r = np.empty(10)
    for i in prange(10):
        r[i] = x[i] * TABLE[i]
    return r


def calls_in_a_loop(x):
    r = np.empty_like(x)
    for i in prange(x.size):
        r[i] = twice_plus_one(x[i])
    return r


def function_argument(x, f):
    r = np.empty_like(x)
    for i in prange(x.size):
        r[i] = f(x[i])
    return r


def optional(x, n):
    if n is None:
        return x + 1
    return x + n


def repeated(x, n):
    for k in range(n):
        x = x * 0.5 + k
    return x


def records(r):
    o = np.empty(r.size)
    for i in prange(r.size):
        o[i] = r[i].a * r[i].b
    return o


def stencil(a):
    return mean_of_neighbours(a)


def in_place(x):
    x[:] = np.sin(x)
    x += 1
    return x


def softmax(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def matrix_vector(a, x):
    return np.dot(a, x)


# function, arguments, parallel regions
CASES = [
    (expression, (X, Y), 1),
    (two_regions, (X, Y), 3),
    (nested, (M,), 1),
    (inner_loop, (M,), 1),
    (four_dimensions, (random.rand(3, 4, 5, 6),), 1),
    (five_dimensions_summed, (random.rand(2, 3, 4, 5, 6),), 1),
    (not_from_zero, (X,), 2),
    (slices, (X,), 3),
    (masked, (X,), 1),
    (chosen, (X,), 1),
    (created, (), 2),
    (integer_arithmetic, (INTEGERS,), 1),
    (booleans, (X,), 1),
    (numbers_of_a_tuple, (X, (1.5, 2, 3.0)), 1),
    (arrays_of_a_tuple, (X, (X, Y)), 1),
    (global_array, (X,), 1),
    (calls_in_a_loop, (X,), 1),
    (function_argument, (X, twice_plus_one), 1),
    (optional, (X, None), 1),
    (repeated, (X, 3), 3),
    (records, (RECORDS,), 1),
    (stencil, (M,), 1),
    (in_place, (X,), 1),
    (softmax, (X,), 3),
    (matrix_vector, (M, X[:53].copy()), 1),
    (expression, (M[::2, ::3], M[::2, ::3]), 1),
    (expression, (np.asfortranarray(M), np.asfortranarray(M)), 1),
    (expression, (X.astype(np.float32), Y.astype(np.float32)), 1),
    (expression, (X + 1j * Y, Y - 1j * X), 1),
    (expression, (X[:0], X[:0]), 1),
]


@pytest.mark.parametrize(("function", "arguments", "regions"), CASES)
def test_results_are_those_of_numba_and_come_from_kernels(queue, function, arguments, regions):
    compiled = numba.njit(function)
    of_numba, of_hither = (
        [a if callable(a) else copy.deepcopy(a) for a in arguments] for _ in range(2)
    )
    expected = compiled(*of_numba)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        found = compiled(*of_hither)
    assert ht.counters()["offloaded_regions"] - before == regions
    single = any(getattr(a, "dtype", None) == np.float32 for a in arguments)
    np.testing.assert_allclose(found, expected, rtol=1e-6 if single else 1e-12)
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    for a, b in zip(of_numba, of_hither, strict=True):  # what was written in place
        if isinstance(a, np.ndarray) and a.dtype.names is None:
            np.testing.assert_allclose(b, a, rtol=1e-5)
    assert all(parfor.reason is None for parfor in ht.offload_report(compiled).parfors)


def test_functions_that_are_called_are_offloaded(queue):
    @numba.njit
    def calls(x):
        return cosine(x)[0]

    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        assert calls(X) == pytest.approx(math.cos(X[0]))
    assert ht.counters()["offloaded_regions"] - before == 1


def test_what_cannot_be_a_kernel_runs_on_the_host_and_says_why(queue):
    @numba.njit
    def own_arrays(x, n):
        r = np.empty(x.size)
        for i in prange(x.size):
            t = np.empty(n)
            t[:] = x[i]
            r[i] = t.sum()
        return r

    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(own_arrays(X, 3), 3 * X)
    (parfor,) = ht.offload_report(own_arrays).parfors
    assert parfor.kernel is None
    assert parfor.reason
    assert f"line {parfor.line}" in str(parfor)


def test_a_function_that_numba_cannot_compile_in_parallel_warns_once_and_works(queue):
    @numba.njit
    def conflicting(x):
        s = 1.0
        for i in prange(x.size):
            s += x[i]
            s *= 0.5
        return s

    expected = conflicting(X)
    with (
        ht.device_context(queue, keep_below=0),
        pytest.warns(ht.PerformanceWarning, match="conflicting"),
    ):
        assert conflicting(X) == expected
    with ht.device_context(queue, keep_below=0):
        assert conflicting(X) == expected
    assert ht.offload_report(conflicting).versions[0].fallback


@numba.njit
def checked(x):
    if x < 0:
        raise ValueError("negative")
    return 1


def test_a_fault_in_a_region_raises_in_the_caller(queue):
    @numba.njit
    def raises(x):
        for i in prange(x.size):
            x[i] = checked(x[i])

    with ht.device_context(queue, keep_below=0):
        raises(np.ones(10))
        with pytest.raises(ht.KernelError, match="negative"):
            raises(-np.ones(10))
        raises(np.ones(10))


def test_an_error_that_the_function_caught_is_not_the_next_one(queue):
    @numba.njit
    def goes_on(x):
        try:
            for i in prange(x.size):
                x[i] = checked(x[i])
        except Exception:
            pass
        raise KeyError("later")

    with ht.device_context(queue, keep_below=0), pytest.raises(KeyError, match="later"):
        goes_on(-np.ones(10))


def test_bounds_are_checked_where_the_function_says_so(queue):
    @numba.njit(boundscheck=True)
    def beyond(x):
        for i in prange(x.size):
            x[i + 1] = 0

    with (
        ht.device_context(queue, keep_below=0),
        pytest.raises(ht.KernelError, match="out of bounds"),
    ):
        beyond(np.ones(10))


def test_the_kernels_can_be_read(queue):
    compiled = numba.njit(expression)
    with ht.device_context(queue, keep_below=0):
        compiled(X, Y)
    assert "define" in ht.offload.dump(compiled)
    assert ".text" in ht.offload.dump(compiled, assembly=True)


def test_an_iteration_may_make_small_arrays_for_itself(queue):
    @numba.njit
    def own_arrays(x):
        r = np.empty(x.size)
        for i in prange(x.size):
            t = np.zeros((2, 2))
            t[0, 1], t[1, 0] = x[i], 2
            r[i] = t.sum() + t[0, 0]
        return r

    expected = own_arrays(X)
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(own_arrays(X), expected)
    assert not [p for p in ht.offload_report(own_arrays).parfors if p.reason]


def test_random_numbers_have_a_stream_for_each_iteration(queue):
    @numba.njit
    def draw(n, seed):
        np.random.seed(seed)
        u, v, k = np.empty(n), np.empty(n), np.empty(n, np.int64)
        for i in prange(n):
            u[i] = np.random.uniform(2.0, 4.0)
            v[i] = np.random.normal(1.0, scale=3.0)
            k[i] = np.random.randint(-2, 3)
        return u, v, k

    n = 200_000
    with ht.device_context(queue, keep_below=0):
        u, v, k = draw(n, 7)
        for a, b in zip((u, v, k), draw(n, 7), strict=True):
            np.testing.assert_array_equal(a, b)
        assert not np.array_equal(u, draw(n, 8)[0])
    assert all(p.reason is None for p in ht.offload_report(draw).parfors)
    assert 2 <= u.min() < u.max() < 4
    assert abs(u.mean() - 3) < 0.01
    assert abs(v.mean() - 1) < 0.05
    assert abs(v.std() - 3) < 0.05
    assert np.all(np.abs(np.bincount(k + 2) / n - 0.2) < 0.01)
    assert abs(np.corrcoef(u[:-1], u[1:])[0, 1]) < 0.01


@pytest.mark.parametrize("bounds", [(3, 3), (3, -2), (0, 0)])
def test_a_random_integer_of_an_empty_range_is_an_error(queue, bounds):
    @numba.njit
    def draw(x, low, high):
        for i in prange(x.size):
            x[i] = np.random.randint(low, high)

    @numba.njit
    def draw_below(x, high):
        for i in prange(x.size):
            x[i] = np.random.randint(high)

    x = np.zeros(100, np.int64)
    low, high = bounds
    with pytest.raises(ValueError, match="empty range"):  # Numba's own
        draw(x, low, high)
    with ht.device_context(queue, keep_below=0):
        with pytest.raises(ht.KernelError, match="empty range"):
            draw(x, low, high)
        with pytest.raises(ht.KernelError, match="empty range"):
            draw_below(x, high - low)
        draw(x, -3, 3)
        assert set(x) <= set(range(-3, 3)) and x.min() < 0 < x.max()
        draw_below(x, 2)
        assert set(x) == {0, 1}


@numba.njit
def gamma():
    return np.random.gamma(2.0)


def test_other_distributions_are_drawn_on_the_host_and_the_report_names_them(queue):
    @numba.njit
    def draw(x):
        for i in prange(x.size):
            x[i] = np.random.gamma(2.0)
        for i in prange(x.size):
            x[i] += gamma()
        return x

    with ht.device_context(queue, keep_below=0), pytest.warns(ht.PerformanceWarning, match="order"):
        assert abs(draw(np.zeros(10_000)).mean() - 4) < 0.2
    own, called = (p.reason for p in ht.offload_report(draw).parfors)
    assert "np.random.gamma" in own and "uniform" in own
    assert "cannot use NumPy's random numbers" in called


def test_random_arrays_do_not_repeat(queue):
    @numba.njit
    def in_a_circle(n):
        hits = 0
        for _ in prange(n):
            if np.random.random() ** 2 + np.random.random() ** 2 < 1:
                hits += 1
        return 4 * hits / n

    with ht.device_context(queue, keep_below=0):
        estimates = [in_a_circle(100_000) for _ in range(3)]
    assert len(set(estimates)) > 1
    assert all(abs(e - math.pi) < 0.03 for e in estimates)


def test_a_single_task_runs_the_iterations_in_order(queue):
    @numba.njit(parallel=False)
    def running_sum(x):
        for i in prange(1, x.size):
            x[i] += x[i - 1]
        return x.sum()

    x = np.ones(5000)
    with ht.device_context(queue, on_serial="single_task"):
        total = running_sum(x)
    np.testing.assert_array_equal(x, np.arange(1.0, 5001.0))
    assert total == x.sum()
    assert ht.kernel_history()[-1].items == 1


def test_numba_may_be_imported_inside_of_a_context(queue):
    program = (
        "import hither as ht, numpy as np\n"
        f"with ht.device_context({queue.device.filter_string!r}, keep_below=0):\n"
        "    import numba\n"
        "    f = numba.njit(lambda x: x + 1)\n"
        "    f(np.ones(10))\n"
        "print(ht.counters()['offloaded_regions'])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "1\n"
