"""Random numbers that regions cannot draw."""

from __future__ import annotations

import random

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are numbers


@numba.njit
def gamma():
    return np.random.gamma(2.0)


def an_array(n):
    np.random.seed(3)
    return np.random.binomial(5, 0.3, n)


def a_fused_array(n):
    np.random.seed(3)
    return np.random.poisson(3.0, n) * 2 + np.random.beta(1.0, 2.0, n)


def a_called_function(n):
    np.random.seed(3)
    x = np.empty(n)
    for i in prange(n):
        x[i] = gamma()
    return x


def pythons_generator(n):
    random.seed(3)
    x = np.empty(n)
    for i in prange(n):
        x[i] = random.gauss(0, 1)
    return x


@pytest.mark.parametrize("draw", [an_array, a_fused_array, a_called_function, pythons_generator])
def test_numbers_that_the_host_draws_are_those_of_the_plain_function(queue, draw):
    draw = numba.njit(draw)  # it warns when it is compiled
    expected = draw(2000)
    with ht.device_context(queue, keep_below=0), pytest.warns(ht.PerformanceWarning) as told:
        for _ in range(2):
            np.testing.assert_array_equal(draw(2000), expected)
    assert "random" in str(told[0].message)
