"""Loops in which an array variable gets another shape. Numba's parallel=True is wrong in them."""

from __future__ import annotations

import warnings

import numba
import numpy as np
import pytest

import hither as ht


def selected_again(x):
    for _ in range(3):
        keep = x > 0.3
        x = x[keep]
        x = x * 0.9
    return x


def shortened(x):
    while x.size > 100:
        x = x[: x.size // 2] + x[x.size // 2 :]
    return x


def summed(x):
    total = 0.0
    for _ in range(2):
        x = x[x > 0.3]
        total += x.sum()
    return total


def grown(x):
    y = np.zeros(0)
    for _ in range(3):
        y = np.concatenate((y, x)) + 1
    return y


def of_a_growing_extent(x):
    y = x[:10] * 1
    n = 10
    for _ in range(3):
        n = n + 5
        y = x[:n] * 2
    return y + 1


def of_a_shrinking_extent(x):
    n = x.shape[0]
    y = np.zeros(n)
    for _ in range(4):
        n = n // 2
        y = np.zeros(n)
    return y * 2


def new_in_each_iteration(x):
    n, total = x.shape[0], 0.0
    for i in range(4):
        n = n // 2
        y = np.zeros(n) + i
        total += y.sum() + (x[:n] * 2).sum()
    return total


def made_again(x):
    y = np.zeros(5)
    if x[0] < 2:
        y = np.zeros(9)
    return y + 1


def made_twice_as_long(x):
    y = np.zeros(x.size)
    if x[0] < 2:
        y = np.zeros(2 * x.size)
    return y + 1


def exchanged(x):
    u, v = x.copy(), x * 2
    for _ in range(4):
        v[1:-1] = u[2:] + u[:-2]
        u, v = v, u
    return u


def accumulated(x):
    y = np.zeros_like(x)
    for i in range(4):
        y = y + x
        if i > 2:
            y = y * 2
    return y


def of_branches(x):
    total = 0.0
    for i in range(4):
        y = x[:5] if i > 2 else x[:700]
        total += (y * 2).sum()
        y = x[: i + 1]
        total += (y + 1).sum()
    return total


@numba.njit
def step(x):
    return x[x > 0.3] * 0.9


def of_steps(x):
    for _ in range(3):
        x = step(x)
    return x


def check(queue, function, refused):
    x = np.random.default_rng(0).random(1024)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", ht.PerformanceWarning)
        found = numba.njit(function)(x.copy())
    expected = function(x.copy())
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert any("gets another shape in a loop" in str(w.message) for w in told) == refused
    return ht.counters()["offloaded_regions"] > before


HOST_FUNCTIONS = [
    selected_again, shortened, summed, grown, of_a_growing_extent, of_a_shrinking_extent
]  # fmt: skip
DEVICE_FUNCTIONS = [
    exchanged, accumulated, of_branches, new_in_each_iteration, made_again, made_twice_as_long
]  # fmt: skip


@pytest.mark.parametrize("function", HOST_FUNCTIONS)
def test_functions_with_changing_shapes_run_on_the_host(queue, function):
    assert not check(queue, function, refused=True)


@pytest.mark.parametrize("function", DEVICE_FUNCTIONS)
def test_other_loops_stay_on_the_device(queue, function):
    assert check(queue, function, refused=False)


def test_functions_that_are_called_stay_on_the_device(queue):
    assert check(queue, of_steps, refused=True)
