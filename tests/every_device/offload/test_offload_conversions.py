"""Values wrap and round as in the plain function when loops are fused over the array that stores
them."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are ready, and the results Numba's

LAYOUTS = {
    "contiguous": slice(None),
    "stepped": slice(None, None, 2),
    "reversed": slice(None, None, -1),
}
PAIRS = [
    ("int8", "int8"), ("uint8", "uint8"), ("int16", "int16"), ("uint16", "uint16"),
    ("int32", "int32"), ("uint32", "uint32"), ("int8", "uint8"), ("int16", "uint8"),
    ("uint32", "int8"), ("int8", "bool"), ("int64", "int8"),
]  # fmt: skip


def expressions(x, y):
    product = x * y
    return (x + x).sum(), ((x + y) // 2 - x).max(), (product + x).sum()


def stores(x, y):
    f = np.zeros(x.size)
    f -= x * x
    g = np.zeros(x.size, np.float32)
    g[:] = x * y + f
    return f, g


def in_place(x, y):
    t = x.copy()
    t += y
    t *= x
    t -= 7
    u = t * 1
    u |= t
    return t.sum(), u.max(), (u ^ t).sum()


def loops(x, y):
    t, total, largest = np.empty_like(x), 0, -(2**40)
    for i in prange(x.size):
        t[i] = x[i] * y[i] + 100
    for i in prange(x.size):
        total += t[i]
    for i in prange(x.size):
        largest = max(largest, t[i] * 2)
    return total, largest


def truths(x, y):
    a = x + y
    b = x * y
    b ^= a
    return a.sum(), b.sum(), (x + x).sum(), (a | b).sum(), (x & y).sum()


def _arrays(dtypes, count, layout):
    rng = np.random.default_rng(count)
    made = []
    for dtype in dtypes:
        least, most = (0, 2) if dtype == "bool" else (np.iinfo(dtype).min, np.iinfo(dtype).max)
        whole = rng.integers(least, most, 2 * count, dtype=np.int64).astype(dtype)
        made.append(whole[LAYOUTS[layout]][:count])
    return made


def _same(found, wanted):
    for one, other in zip(found, wanted, strict=True):
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtypes", PAIRS, ids="-".join)
def test_integers_wrap_as_in_the_plain_function(queue, dtypes):
    _check(queue, expressions, dtypes, ["contiguous"])


@pytest.mark.parametrize("dtypes", [("int8", "int8"), ("int16", "uint8")], ids="-".join)
@pytest.mark.parametrize("function", [expressions, stores, in_place, loops])
def test_stores_and_loops_of_any_layout_wrap(queue, function, dtypes):
    _check(queue, function, dtypes, ["stepped", "reversed"])


def _check(queue, function, dtypes, layouts):
    f = numba.njit(function)
    for layout in layouts:
        for count in (1, 1001):
            given = _arrays(dtypes, count, layout)
            wanted = f(*given)
            before = ht.counters()["offloaded_regions"]
            with ht.device_context(queue, keep_below=0):
                _same(f(*given), wanted)
            assert ht.counters()["offloaded_regions"] > before


def test_booleans_stay_booleans(queue):
    f = numba.njit(truths)
    given = _arrays(("bool", "bool"), 1001, "contiguous")
    wanted = f(*given)
    with ht.device_context(queue, keep_below=0):
        _same(f(*given), wanted)
    assert any(p.kernel for p in ht.offload_report(f).parfors)


@pytest.mark.parametrize("function", [expressions, in_place])
def test_functions_that_say_parallel_have_the_values_of_the_plain_function(queue, function):
    given = _arrays(("int8", "int8"), 1001, "contiguous")
    wanted = numba.njit(function)(*given)
    with ht.device_context(queue, keep_below=0):
        _same(numba.njit(parallel=True)(function)(*given), wanted)


def test_floats_are_rounded_where_the_plain_function_stores_them(queue):
    @numba.njit
    def f(x):
        t, least = np.empty(x.size, np.float32), 1.0
        for i in prange(x.size):
            t[i] = x[i] * 0.1
        for i in prange(x.size):
            least = min(least, t[i] - x[i] * 0.1)
        u = np.empty(x.size, np.float32)
        u[:] = x / 3
        return least, (u - x / 3).max()

    x = np.random.default_rng(1).random(1001)
    wanted = f(x)
    assert wanted[0] < 0 < wanted[1]
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(f(x), wanted, rtol=1e-3)


def test_an_expression_and_its_reduction_stay_one_region(queue):
    @numba.njit
    def f(x):
        unused = x * x
        unused[:] = x + x
        return (x + x * x).sum()

    x = np.arange(100, dtype=np.int8)
    wanted = f(x)
    with ht.device_context(queue, keep_below=0):
        assert f(x) == wanted
    assert len(ht.offload_report(f).parfors) == 1


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint32", "float32"])
def test_updates_of_narrow_elements_stay_parallel(queue, dtype):
    @numba.njit
    def f(h, k):
        for i in prange(k.size):
            h[k[i]] += 3
            h[i] += k[i]

    @numba.njit
    def g(h, k):
        for i in prange(k.size):
            h[k[i]] = max(h[k[i]], h.dtype.type(k[i]))

    k = np.random.default_rng(1).integers(0, 5, 1000)
    for function in (f, g):
        wanted, found = np.zeros(1000, dtype), np.zeros(1000, dtype)
        function(wanted, k)
        with ht.device_context(queue, keep_below=0):
            function(found, k)
        np.testing.assert_array_equal(found, wanted)
        assert "on the host" not in str(ht.offload_report(function))
