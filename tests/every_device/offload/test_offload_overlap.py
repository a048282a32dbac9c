"""Identical or overlapping arrays as several arguments of an offloaded function."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

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
