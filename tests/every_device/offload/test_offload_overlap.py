"""Identical or overlapping arrays as several arguments or variables of an offloaded function."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import prange

import hither as ht
from property_tests import examples

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays


def reads_what_it_wrote(x, y, z):
    for i in prange(x.size):
        y[i] = x[i] + 1
        z[i] = x[i] * 2


def reads_before_and_after(x, y, z):
    for i in prange(x.size):
        before = x[i]
        y[i] += 1
        z[i] = before + x[i] * 10


def writes_in_a_loop(x, y, z):
    for i in prange(x.size):
        for k in range(5):
            y[i] = x[i] * 2 + k


def sums_up_in_place(x, y, z):
    total = 0.0
    for i in prange(x.size):
        y[i] += 1
        z[i] = x[i]
        total += x[i]
    return total


def as_one(base):
    return base, base


def as_rows_with_gaps(base):
    return base[::2], base[::2]


def backwards(base):
    return base[::-1], base[::-1]


def interleaved(base):
    return base[::2], base[1::2]


# Iterations are independent of each other in all of them, so that the serial loop is right.
@pytest.mark.parametrize("arrays", [as_one, as_rows_with_gaps, backwards, interleaved])
@pytest.mark.parametrize(
    "function", [reads_what_it_wrote, reads_before_and_after, writes_in_a_loop, sums_up_in_place]
)
def test_what_an_iteration_wrote_it_reads_by_every_name(queue, function, arrays):
    expected, found = np.arange(200.0), np.arange(200.0)
    compiled = numba.njit(function)
    x, y = arrays(expected)
    z = np.zeros(x.size)
    serial = compiled.py_func(x, y, z)
    x, y = arrays(found)
    z_found = np.zeros(x.size)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        assert compiled(x, y, z_found) == serial
    assert ht.counters()["offloaded_regions"] == before + 1
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(z_found, z)


def test_calls_with_and_without_overlap_alternate(queue):
    compiled = numba.njit(reads_what_it_wrote)
    with ht.device_context(queue, keep_below=0):
        for _ in range(3):
            apart, z = np.arange(50.0), np.zeros(50)
            compiled(apart, np.zeros(50), z)
            np.testing.assert_array_equal(z, np.arange(50.0) * 2)
            compiled(apart, apart, z)
            np.testing.assert_array_equal(z, (np.arange(50.0) + 1) * 2)


@numba.njit
def part(x, piece):
    return x[piece[0] : piece[1] : piece[2]]


def by_slices(x, a, b):
    return x[a[0] : a[1] : a[2]], x[b[0] : b[1] : b[2]]


def by_calls(x, a, b):
    return part(x, a), part(x, b)


def by_a_list(x, a, b):
    views = [x[a[0] : a[1] : a[2]], x[b[0] : b[1] : b[2]]]
    return views[0], views[1]


def by_a_variable_of_two_values(x, a, b):
    y = z = x.reshape(-1)
    if a[0] > 0:
        y = x[a[0] : a[1] : a[2]]
    if b[0] > 0:
        z = x[b[0] : b[1] : b[2]]
    return y, z


def program(views):
    views = numba.njit(views, inline="always")

    def copied(x, a, b, write, read):
        y, z = views(x, a, b)
        for i in prange(1, min(y.size, z.size) - 1):
            y[i + write] = z[i + read] + 1

    def counted(x, a, b, write, read):
        y, z = views(x, a, b)
        for i in prange(1, min(y.size, z.size) - 1):
            y[int(z[i + read]) % y.size] += 1 + write

    def two_loops(x, a, b, write, read):
        y, z = views(x, a, b)
        n = min(y.size, z.size)
        for i in prange(n):
            y[i] += i
        total = 0
        for i in prange(n):
            total += z[i] * i
        x[0] = total % 7 + write + read

    def statements(x, a, b, write, read):
        y, z = views(x, a, b)
        n = min(y.size, z.size)
        y, z = y[:n], z[:n]
        y += z
        x[0] = z.sum() + (z * 3).max()

    return [numba.njit(f) for f in (copied, counted, two_loops, statements)]


@pytest.mark.filterwarnings("ignore::hither.PerformanceWarning")
@pytest.mark.parametrize(
    "views", [by_slices, by_calls, by_a_list, by_a_variable_of_two_values], ids=lambda f: f.__name__
)
def test_views_of_one_array_give_the_results_of_the_plain_function(queue, views):
    functions = program(views)

    @settings(max_examples=examples(60), deadline=None)
    @given(data=st.data())
    def compare(data):
        size = data.draw(st.integers(16, 40), "size")
        pieces = st.tuples(
            st.integers(0, 5), st.integers(size - 5, size), st.sampled_from([1, 1, 2, 3])
        ).map(lambda p: (p[1], p[0], -p[2]) if p[2] == 3 else p)
        a, b = data.draw(pieces, "a"), data.draw(pieces, "b")
        write, read = data.draw(st.integers(-1, 1), "write"), data.draw(st.integers(-1, 1), "read")
        start = np.arange(size) * 7 % 11
        for function in functions:
            expected, found = start.copy(), start.copy()
            function.py_func(expected, a, b, write, read)
            with ht.device_context(queue, keep_below=0):
                function(found, a, b, write, read)
            np.testing.assert_array_equal(found, expected, function.__name__)

    compare()


def test_views_of_one_array_that_do_not_overlap_keep_a_loop_parallel(queue):
    @numba.njit
    def steps(grid, t):
        now, then = grid[0], grid[1]
        for _ in range(t):
            for i in prange(1, now.size - 1):
                then[i] = now[i - 1] + now[i + 1]
            now, then = then, now
        same = now[:]
        for i in prange(now.size):
            same[i] = now[i] + 1

    expected = np.arange(200.0).reshape(2, 100) % 7
    found = expected.copy()
    steps.py_func(expected, 3)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0):
        steps(found, 3)
    assert ht.counters()["offloaded_regions"] == before + 4
    np.testing.assert_array_equal(found, expected)
