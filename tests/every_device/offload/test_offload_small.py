"""Regions of few operations, which the host runs in the calling function: their results are those
of the launched regions, bit for bit."""

from __future__ import annotations

import math
import subprocess
import sys
import warnings

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import prange

import hither as ht
from devices import DEVICES
from property_tests import examples

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays

AROUND_LENGTHS = [0, 1, 2, 3, 31, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300]
FLOATS, INTEGERS = ["f4", "f8", "c8", "c16"], ["i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"]


def arithmetic(x, y):
    return x * y + x - y * y


def roots(x, y):
    return np.sqrt(np.abs(x)) + np.floor(y) / 3


def chosen(x, y):
    return np.where(x < y, x, y + 1)


def whole_numbers(x, y):
    return (x // 3 + (y % 5) * (x & y)) ^ ((x << 2) - (y >> 1))


def loop_from_three(x, y):
    out = np.zeros_like(x)
    for i in prange(3, x.size):
        out[i] = x[i - 3] + y[-i]
    return out


def in_place(x, y):
    x += y
    x[:] = x - y[::-1]
    return x


def summed(x, y):
    total = x.dtype.type(0)
    for i in prange(x.size):
        total += x[i] * y[i]
    return total


def reduced(x, y):
    return x.sum(), y.prod(), (x * y).sum()


def extremes(x, y):
    least, largest, count, rest = np.inf, -np.inf, 0, 7.5
    for i in prange(x.size):
        least, largest = min(least, x[i]), max(largest, y[i])
        rest -= x[i]
        count += 1
    return least, largest, count, rest


def quotient(x, y):
    found = 10.0
    for i in prange(x.size):
        found /= 1.5 + x[i] * 0.01
    return found


def flags(x, y):
    return np.any(x > y), np.all(x < y), (x == y).sum()


def repeated(x, y):
    total = 0.0
    for i in range(5):
        z = x * (i + 1) - y
        total += z.sum()
        x = z / 2
    return total, x


PROGRAMS = (
    ([arithmetic], FLOATS + INTEGERS),
    ([summed, reduced], ["f4", "f8", "c16", "i1", "u4", "i8"]),
    ([roots, extremes, quotient, repeated], ["f4", "f8"]),
    ([chosen, loop_from_three, in_place, flags], ["f4", "f8", "i4", "i8", "u1"]),
    ([whole_numbers], INTEGERS[:-1]),  # Numba shifts no array of uint64
)
CASES = [(program, dtype) for group, dtypes in PROGRAMS for program in group for dtype in dtypes]
compiled = {program: numba.njit(program) for program, _ in CASES}


def bits(found):
    """The bits of results. All NaNs are equal: which one an addition gives is not defined."""
    if isinstance(found, tuple):
        return [bits(item) for item in found]
    found = np.atleast_1d(np.asarray(found))
    parts = [found.real, found.imag] if found.dtype.kind == "c" else [found]
    parts = [np.where(p != p, p.dtype.type(1), p).tobytes() + (p != p).tobytes() for p in parts]
    return (found.dtype, found.shape, *parts)


def both(function, device, *arguments):
    """The results where small regions run on the host, and where all regions are launched; with the
    arrays that the function may have written."""
    found = []
    for limit in (None, 0):
        own = tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)
        with ht.device_context(device, keep_below=limit):
            found.append((function(*own), *(a for a in own if isinstance(a, np.ndarray))))
    return map(bits, found)


def values(dtype, size, seed):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "iu":
        limits = np.iinfo(dtype)
        return random.integers(limits.min, limits.max, size, dtype, endpoint=True)
    found = random.standard_normal(size) * 10.0 ** random.integers(-4, 5, size)
    found[random.random(size) < 0.1] = -0.0
    return found.astype(dtype) * (1 - 0.5j if np.dtype(dtype).kind == "c" else 1)


def is_inlined(device):
    return device.backend == "native_cpu"


@pytest.mark.parametrize(("program", "dtype"), CASES, ids=lambda p: getattr(p, "__name__", p))
def test_both_forms_give_the_same_bits(device, program, dtype):
    for size in AROUND_LENGTHS:
        x, y = values(dtype, size, 1), values(dtype, size, size + 2)
        small, launched = both(compiled[program], device, x, y)
        assert small == launched, size


@pytest.mark.parametrize("name", DEVICES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_views_and_special_values_give_the_same_bits(name, data):
    program, dtype = data.draw(st.sampled_from([c for c in CASES if c[1] in ("f8", "i4")]))
    size, step = data.draw(st.integers(0, 400)), data.draw(st.sampled_from([1, -1, 2, -3]))
    x = values(dtype, abs(step) * size, 3)[::step]
    y = values(dtype, size, 4)
    if dtype == "f8":
        for value in (np.inf, -np.inf, np.nan, 5e-324):
            at = data.draw(st.integers(0, max(size - 1, 0)))
            y[at : at + 1] = value
    small, launched = both(compiled[program], ht.Device(name), x, y)
    assert small == launched


def limit_of(function):
    (parfor,) = ht.offload_report(function).parfors
    return parfor.small


def launches_of(function):
    return sum(use.launches for p in ht.offload_report(function).parfors for use in p.uses)


@pytest.mark.parametrize("program", [arithmetic, summed])
def test_the_limit_depends_on_the_size_alone(device, program):
    function = numba.njit(program)
    with ht.device_context(device):
        function(np.ones(4), np.ones(4))
    assert launches_of(function) == (0 if is_inlined(device) else 1)
    limit = limit_of(function)
    if not is_inlined(device):
        assert limit is None
        return
    assert 64 <= limit < 4096
    for size in (limit - 1, limit, limit + 1):
        x, y = values("f8", size, 1), values("f8", size, 2)
        before = launches_of(function)
        with ht.device_context(device):
            function(x, y)
        assert launches_of(function) - before == (size > limit)
        small, launched = both(function, device, x, y)
        assert small == launched


def test_the_report_names_small_regions(device):
    function = numba.njit(arithmetic)
    with ht.device_context(device):
        function(np.ones(4), np.ones(4))
    report = str(ht.offload_report(function))
    assert ("iterations a plain loop on the host" in report) == is_inlined(device)
    with ht.device_context(device, keep_below=0):
        function(np.ones(4), np.ones(4))
    report = ht.offload_report(function)
    assert len(report.versions) == 1
    assert launches_of(function) == (1 if is_inlined(device) else 2)


def planes(x):
    return (x * x + 1).sum(), x - 2 * x.sum(), x.prod()


def solids(x):
    return x + 1, x.sum(), (x * x).prod()


@pytest.mark.parametrize("order", ["C", "F", "A"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (5, 7), (8, 8), (13, 5), (3, 70)])
def test_loops_in_several_dimensions(device, order, shape):
    x = values("f8", shape[0] * shape[1] * 2, 5).reshape(shape[0], shape[1] * 2)
    x = x[:, ::2] if order == "A" else np.array(x[:, ::2], order=order)
    small, launched = both(several, device, x)
    assert small == launched
    deep = np.ascontiguousarray(x).reshape(1, *shape, 1)
    if deep.size:
        small, launched = both(four, device, deep)
        assert small == launched


several, four = numba.njit(planes), numba.njit(solids)


def shifted(x):
    x[1:] = x[:-1]
    x[:] = x + x[::-1]
    return x


def test_overlapping_arrays_are_read_before_they_are_written(device):
    function = numba.njit(shifted)
    for size in (1, 2, 9, 200):
        small, launched = both(function, device, values("f8", size, 6))
        assert small == launched
        x = np.arange(float(size))
        expected = shifted(x.copy())
        with ht.device_context(device):
            np.testing.assert_array_equal(function(x), expected)


@numba.njit
def row_sum(x, i):
    return (x[i] * 2).sum()


@numba.njit
def between(value, least):
    return max(min(value, 1.0), least)


def calls_others(x):
    out = np.zeros(x.shape[0])
    for i in prange(x.shape[0]):
        out[i] = between(x[i, 0], -1.0) * between(x[i, 1], 0.5)
    for i in range(x.shape[0]):
        out[i] += row_sum(x, i)
    return out


def test_functions_called_in_loops(device):
    function = numba.njit(calls_others)
    small, launched = both(function, device, values("f8", 300, 7).reshape(20, 15))
    assert small == launched


def has_inner_loop(x, n):
    out = np.zeros(x.size)
    for i in prange(x.size):
        for k in range(n):
            out[i] += x[i] * k
    return out


def has_function(x, n):
    return np.sin(x) + math.exp(n)


def draws(x, n):
    np.random.seed(n)
    out = np.zeros(x.size)
    for i in prange(x.size):
        out[i] = np.random.random()
    return out


def raises(x, n):
    for i in prange(x.size):
        if x[i] > n:
            raise ValueError("too large")
    return x.sum()


def converts(x, n):
    out = np.zeros(x.size, np.int32)
    for i in prange(x.size):
        out[i] = int(x[i] * n)
    return out


def counts(x, n):
    found = np.zeros(n)
    for i in prange(x.size):
        found[int(x[i]) % n] += 1
    return found


@pytest.mark.parametrize("program", [has_inner_loop, has_function, draws, converts, counts])
def test_loops_of_other_operations_are_launched(device, program):
    function = numba.njit(program)
    x = np.arange(7.0)
    small, launched = both(function, device, x, 5)
    assert small == launched
    with ht.device_context(device):
        before = launches_of(function)
        function(x, 5)
    assert launches_of(function) > before


def test_an_exception_is_the_same(device):
    function = numba.njit(raises)
    with ht.device_context(device), pytest.raises(ValueError, match="too large"):
        function(np.arange(7.0), 5)


def moved(x, step):
    total = 0.0
    for i in prange(x.size // 4):
        x[step * i] = x[step * i + 1] + 1
        total += x[i * step]
    return total


def test_iterations_that_may_conflict_run_in_order_and_warn(device):
    function = numba.njit(moved)
    x = values("f8", 100, 8)
    for step in (1, 2):
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            small, launched = both(function, device, x, step)
        assert small == launched
        assert len(found) == (2 if step == 1 else 0)
    expected = x.copy()
    total = moved(expected, 1)
    with ht.device_context(device), pytest.warns(ht.errors.PerformanceWarning, match="in order"):
        assert function(x, 1) == pytest.approx(total)
    np.testing.assert_array_equal(x, expected)


def copies(x):
    y = x.copy()
    y += 1
    x[:] = 0
    z = np.copy(y)
    y[:] = 0
    return z


compiled_copies = numba.njit(copies)


@pytest.mark.parametrize("shape", [(0,), (3,), (100_003,), (20, 1), (300, 200), (5, 40, 60)])
def test_copies_are_loops(device, shape):
    """On the built-in CPU device, of arrays that are copied to C order."""
    x = np.random.default_rng(0).random((*shape[:-1], 2 * shape[-1]))
    forms = (np.copy, lambda x: x[..., ::2], np.asfortranarray, lambda x: x.astype(np.float32))
    for form in forms:
        expected = copies(form(x.copy()))
        with ht.device_context(device):
            np.testing.assert_array_equal(compiled_copies(form(x.copy())), expected)
    assert not is_inlined(device) or "NumPy function" in str(ht.offload_report(compiled_copies))


def test_queues_without_order_launch_all_regions(device):
    function = numba.njit(arithmetic)
    with ht.device_context(ht.Queue(device, in_order=False)):
        function(np.ones(4), np.ones(4))
    assert launches_of(function) == 1


CACHED = """
import sys, numba, numpy as np, hither as ht
sys.path.insert(0, sys.argv[1])
from cached_small import scaled
with ht.device_context(sys.argv[2]):
    found = scaled(np.arange(5.0))
(parfor,) = ht.offload_report(scaled).parfors
print(found, parfor.small, sum(u.launches for u in parfor.uses))
with ht.device_context(sys.argv[2], keep_below=0):
    scaled(np.arange(5.0))
"""


def test_numbas_cache_keeps_both_forms(device, tmp_path):
    text = "import numba\n@numba.njit(cache=True)\ndef scaled(x):\n    return (x * 2).sum()\n"
    (tmp_path / "cached_small.py").write_text(text)
    arguments = [sys.executable, "-c", CACHED, str(tmp_path), device.filter_string]
    first, second = (
        subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    )
    assert first == second
    assert first.split() == ["20.0", *(["256", "0"] if is_inlined(device) else ["None", "1"])]
