"""Functions that a context makes parallel automatically keep their meaning."""

from __future__ import annotations

import logging
import subprocess
import sys

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are ready


def largest(x):
    s = 0.0
    for i in prange(x.size):
        if x[i] > s:
            s = x[i]
    return s


def place_of_largest(x):
    s, place = 0.0, -1
    for i in prange(x.size):
        if x[i] > s:
            s = x[i]
            place = i
    return place


def running_sum(x):
    s = 0.0
    r = np.zeros(x.size)
    for i in prange(x.size):
        s += x[i]
        r[i] = s
    return r


def subtracted_from(x):
    s = 5.0
    for i in prange(x.size):
        s = x[i] - s
    return s


def divided(x):
    s = 5.0
    for i in prange(x.size):
        s = (x[i] + 0.5) / s
    return s


def largest_of_each_column(x):
    t = np.zeros(4)
    rows = x.reshape(-1, 4)
    for i in prange(rows.shape[0]):
        t = np.maximum(t, rows[i])
    return t


DEPENDENT = [
    largest, place_of_largest, running_sum, subtracted_from, divided, largest_of_each_column,
]  # fmt: skip


@pytest.mark.parametrize("function", DEPENDENT, ids=lambda f: f.__name__)
def test_loops_whose_iterations_depend_on_each_other_stay_serial(queue, function):
    x = np.random.default_rng(3).random(1000)
    f = numba.njit(function)
    expected = f(x)
    warned = pytest.warns(ht.PerformanceWarning, match="one iteration")
    with ht.device_context(queue, keep_below=0), warned as caught:
        found = f(x)
    np.testing.assert_array_equal(found, expected)
    assert caught[0].filename == __file__
    assert "from one iteration of a prange loop to the next" in str(ht.offload_report(f))


def mixed(x):
    s, c = 0.0, 0
    for i in prange(x.size):
        t = x[i] * 2
        if t > 1:
            s += t
            c += 1
        else:
            s += x[i] / 3
    return s, c


def nested(x):
    s = 0.0
    for i in prange(10):
        for j in prange(x.size // 10):
            s += x[i * 10 + j]
    return s


@pytest.mark.parametrize("function", [mixed, nested])
def test_reductions_under_conditions_are_regions(queue, function):
    x = np.random.default_rng(3).random(1000)
    f = numba.njit(function)
    expected = f(x)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(f(x), expected, rtol=1e-12)
    assert ht.counters()["offloaded_regions"] > before


def shifted(x):
    x[1:] = x[:-1]


def folded(x):
    x[:] = x + x[::-1]


def reversed_roots(x):
    x[:] = np.sqrt(x[::-1])


def transposed(x):
    y = x.reshape(50, 50)
    y[:, :] = y.T * 2


def folded_and_reduced(x):
    x += x[::-1]
    return x.argmax() + x.min()


def folded_and_reduced_by_another_name(x):
    y = x[:]
    x *= x[::-1]
    return y.sum()


def shifted_and_reduced(x):
    x[1:] += x[:-1]
    return x[1:].max()


@pytest.mark.parametrize(
    "function",
    [shifted, folded, reversed_roots, transposed, folded_and_reduced,
     folded_and_reduced_by_another_name, shifted_and_reduced],
)  # fmt: skip
def test_array_statements_read_before_they_write(queue, function):
    given = np.arange(2500.0)
    expected = given.copy()
    result = function(expected)
    f = numba.njit(function)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        for _ in range(3):
            found = given.copy()
            assert f(found) == result
            np.testing.assert_array_equal(found, expected)
    assert ht.counters()["offloaded_regions"] > before


@pytest.mark.parametrize("step", [1, 2, -3])
def test_argmax_sees_what_an_earlier_statement_wrote(queue, step):
    @numba.njit
    def replaced(x, y):
        x[:] = y * 2.0
        return x.argmax(), np.argmin(x)

    x, y = np.arange(3000.0)[::step], np.random.default_rng(1).random(3000)[::step]
    with ht.device_context(queue, keep_below=0):
        assert replaced(x, y) == (np.argmax(y), np.argmin(y))
    np.testing.assert_array_equal(x, y * 2)


@pytest.mark.parametrize("count", [0, 1, 2, 7, 5000])
def test_linspace_of_any_length(queue, count):
    @numba.njit
    def spaced(n):
        return np.linspace(-1.0, 3.0, n) * 2.0, np.linspace(2.0, 5.0) + 1.0

    with ht.device_context(queue, keep_below=0):
        found, default = spaced(count)
    np.testing.assert_allclose(found, np.linspace(-1.0, 3.0, count) * 2.0, atol=1e-14)
    np.testing.assert_allclose(default, np.linspace(2.0, 5.0) + 1.0, atol=1e-14)


@numba.vectorize
def affine(a, b):
    return a * b + 1


@numba.vectorize(["float32(float32)", "float64(float64)"])
def half(a):
    return a / 2


@numba.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def doubled(a, r):
    for i in range(a.shape[0]):
        r[i] = a[i] * 2


@numba.njit
def whole_arrays(x):
    return affine(x, 2.0) + half(x)


@numba.njit
def by_iterations(x):
    r = np.zeros(x.size)
    for i in prange(x.size):
        r[i] = affine(half(x[i]), 3)
    return r


@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
@pytest.mark.parametrize("f", [whole_arrays, by_iterations], ids=["arrays", "iterations"])
def test_ufuncs_of_the_program_are_called_by_regions(queue, f, dtype):
    x = np.arange(100).astype(dtype)
    expected = f(x)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        found = f(x)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-6)
    assert ht.counters()["offloaded_regions"] > before
    assert "on the host" not in str(ht.offload_report(f))


def test_generalised_ufuncs_and_ufuncs_with_outputs_stay_what_they_are(queue):
    @numba.njit
    def f(x):
        r, s = np.zeros_like(x), np.zeros_like(x)
        doubled(x, r)
        half(x, s)
        return r, s, half(3.0)

    x = np.arange(10.0)
    with ht.device_context(queue, keep_below=0):
        r, s, number = f(x)
    np.testing.assert_array_equal(r, x * 2)
    np.testing.assert_array_equal(s, x / 2)
    assert number == 1.5


def test_kernels_call_ufuncs_of_the_program(queue):
    @ht.kernel
    def k(x):
        i = ht.get_global_id(0)
        x[i] = affine(x[i], 2) + half(x[i])

    x = ht.arange(100, dtype="float64", queue=queue)
    k(x)
    host = np.arange(100.0)
    np.testing.assert_array_equal(ht.asnumpy(x), host * 2 + 1 + host / 2)


def test_a_stencil_may_be_what_is_compiled_first():
    code = (
        "import numpy as np, numba, hither as ht\n"
        "st = numba.stencil(lambda x: x[-1] + x[1] * 2.0)\n"
        "f = numba.njit(lambda x: st(x))\n"
        "with ht.device_context('cpu'): print(f(np.arange(5.0)).tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "[0.0, 4.0, 7.0, 10.0, 0.0]\n", done.stderr


@numba.njit(parallel=False)
def says_serial(x):
    for i in prange(1, x.size):
        x[i] += x[i - 1]
    return x[-1]


@numba.njit
def calls_serial(x):
    return says_serial(x) + x.sum()


def test_callees_that_say_serial_obey_the_context(queue):
    x = np.ones(1000)
    refused = pytest.raises(numba.errors.UnsupportedError, match="says_serial says parallel=F")
    with ht.device_context(queue, keep_below=0), refused:
        calls_serial(x.copy())
    regions = []
    for rule in ("host", "single_task", "ignore"):
        before = ht.counters()["offloaded_regions"]
        with ht.device_context(queue, on_serial=rule):
            found = calls_serial(x.copy())
        regions.append(ht.counters()["offloaded_regions"] - before)
        assert found == 1000 + np.arange(1, 1001).sum()
    assert regions == [1, 2, 1]  # its iterations depend on each other
    assert "on_serial='single_task'" in str(ht.offload_report(says_serial))


def test_options_of_the_parallel_passes_stay(queue):
    @numba.njit(parallel={"prange": False})
    def f(x):
        for i in prange(x.size):
            x[i] += 1

    x = np.ones(10)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        f(x)
    assert ht.counters()["offloaded_regions"] == before
    np.testing.assert_array_equal(x, 2)


def test_the_report_has_the_line_of_the_program(queue, caplog):
    @numba.njit
    def f(x):
        for i in prange(x.size):
            x[i] += 1

        return x.sum()

    @numba.njit
    def stays(x):
        for i in prange(x.size):
            t = [x[i]]
            x[i] = t[0]

    first = f.py_func.__code__.co_firstlineno
    with ht.device_context(queue, keep_below=0), caplog.at_level(logging.INFO, "hither.offload"):
        f(np.ones(10))
        stays(np.ones(10))
    where = [(p.line - first, p.kind) for p in ht.offload_report(f).parfors]
    assert where == [(2, "prange"), (5, "NumPy function")]
    assert "stays on the host: " in caplog.text


def test_hither_arrays_may_share_a_variable_with_numpys(queue):
    @numba.njit
    def either(x, flag):
        z = x if flag else np.zeros(5)
        return z * 2

    @numba.njit
    def again(x):
        for _ in range(3):
            x = x * 2
        return x

    x = ht.arange(5, dtype="float64", queue=queue, usm_type="shared")
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(either(x, True), np.arange(5.0) * 2)
        np.testing.assert_array_equal(either(x, False), np.zeros(5))
        np.testing.assert_array_equal(again(x), np.arange(5.0) * 8)


def kept_in_a_tuple(n):
    r = np.zeros(n)
    for i in prange(n):
        first = np.zeros(2)
        pair = (first, first)
        for k in range(4):
            t = np.zeros(2)
            t[0] = k
            r[i] = r[i] * 10 + pair[0][0]
            pair = (t, t)
    return r


def kept_by_a_method(n):
    r = np.zeros(n)
    for i in prange(n):
        before = np.zeros(2)
        for k in range(4):
            t = np.zeros(2)
            t[0] = k
            r[i] = r[i] * 10 + before[0]
            before = t.reshape(2)
    return r


def looked_at(n):
    r = np.zeros(n)
    for i in prange(n):
        for k in range(4):
            t = np.zeros(3)
            t[1] = k
            r[i] += t[0] + t[1] + t.size
    return r


@pytest.mark.parametrize("function", [kept_in_a_tuple, kept_by_a_method, looked_at])
def test_arrays_of_an_iteration_that_outlive_an_iteration_are_not_made_private(queue, function):
    f = numba.njit(function)
    with ht.device_context(queue, keep_below=0):
        found = f(300)
    if function is looked_at:  # Numba's threads run the others, each with its own view
        np.testing.assert_array_equal(found, function(300))
    (loop,) = (p for p in ht.offload_report(f).parfors if p.kind == "prange")
    assert (loop.kernel is not None) == (function is looked_at)


@numba.njit
def sum_of_keys(x):
    total = 0
    for i in prange(x.size):
        keys = {1, 2, 3}
        keys.add(i)
        for key in keys:
            total += key
    return total


def count_by_key(n):
    total = 0
    for i in prange(n):
        key = numba.int64(i)
        counts = {key: 0.0}
        for _ in range(5):
            counts[key] += 1
        total += counts[key]
    return total


def test_functions_of_numba_are_compiled_outside_after_a_call_inside(device):
    """Both compile the hash of an integer, a method that Numba's functions share."""
    x = np.zeros(128)
    outside = sum_of_keys(x)
    with ht.device_context(device):
        assert sum_of_keys(x) == outside
    assert numba.njit(parallel=True)(count_by_key)(12) == 60
    with ht.device_context(device):
        assert numba.njit(count_by_key)(12) == 60
    assert numba.njit(error_model="numpy")(count_by_key)(3) == 15
