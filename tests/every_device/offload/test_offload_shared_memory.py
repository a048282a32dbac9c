"""Writes to memory that has a second name are kept, though Numba's own parallel=True drops them;
loop indices are signed.
"""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import prange, typed
from numba.experimental import jitclass

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays


@numba.njit
def same(x):
    return x


@jitclass([("data", numba.float64[:])])
class Field:
    def __init__(self, n):
        self.data = np.zeros(n)

    def get(self):
        return self.data


def by_function(n):
    x = np.zeros(n)
    y = same(x)
    for i in prange(n):
        y[i] = i
    return x


def by_numpys_function(n):
    x = np.zeros(n)
    y = np.flip(x)
    y[:2] = 1
    z = np.asarray(x)
    z[0] = 3
    return x


def by_result_of_a_ufunc(n):
    x, y = np.ones(n), np.zeros(n)
    z = np.add(x, x, y)
    z[:] = z * 2
    return y


def by_parts_of_complex_numbers(n):
    z = np.zeros(n, np.complex128)
    r = z.real
    r[:] = 3
    z.imag[:] = 4
    return z


def by_tuple(n):
    x = np.zeros(n)
    t = (x, 1)
    for i in prange(n):
        x[i] = i
    return t[0]


def by_list(n):
    x = np.zeros(n)
    items = [x]
    for i in prange(n):
        x[i] = i
    return items[0]


def by_typed_list(n):
    x = np.zeros(n)
    items = typed.List()
    items.append(x)
    x[:] = 2
    return items[0]


def by_typed_dict(n):
    x = np.zeros(n)
    items = typed.Dict()
    items[1] = x
    x[:] = 7
    return items[1]


def by_iteration(n):
    rows = [np.zeros(n) for _ in range(3)]
    for row in rows:
        row[:] = 2
    m = np.zeros((n, 2))
    for row in m:
        row[:] = 1
    return rows[0] + m[:, 1]


def by_attribute(n):
    field = Field(n)
    d = field.data
    d[:] = 5
    return field.data


def by_attribute_that_is_set(n):
    field, x = Field(n), np.zeros(n)
    field.data = x
    for i in prange(n):
        x[i] = i
    return field.data


def by_method(n):
    field = Field(n)
    d = field.get()
    for i in prange(n):
        d[i] = i
    return field.data


def by_attribute_in_the_loop(n):
    field = Field(n)
    for i in prange(n):
        field.data[i] = field.data[i] + i
    return field.data


@pytest.mark.parametrize(
    "function",
    [
        by_function,
        by_numpys_function,
        by_result_of_a_ufunc,
        by_parts_of_complex_numbers,
        by_tuple,
        by_list,
        by_typed_list,
        by_typed_dict,
        by_iteration,
        by_attribute,
        by_attribute_that_is_set,
        by_method,
        by_attribute_in_the_loop,
    ],
)
def test_memory_with_a_second_name_is_written(queue, function):
    expected = numba.njit(function)(6)
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(numba.njit(function)(6), expected)


def test_temporaries_are_still_not_stored(queue):
    @numba.njit
    def fused(x):
        y = x * 2
        return (y + 1).sum()

    x = np.ones(100_000)
    with ht.device_context(queue, keep_below=0):
        fused(x)
        before = ht.counters()
        assert fused(x) == 300_000
        after = ht.counters()
    assert after["offloaded_regions"] - before["offloaded_regions"] == 1


def negative(n):
    x = np.zeros(n)
    for i in prange(n):
        x[i] = -i
    return x


def powers(n):
    x = np.zeros(n)
    for i in prange(n):
        x[i] = 2.0**-i + (-1) ** i
    return x


def compared(n):
    count = 0
    for i in prange(n):
        if -i < 0:
            count += 1
        if i > -1:
            count += 10
    return count


def pairs(n):
    x = np.zeros((n, n))
    for at in numba.pndindex(x.shape):
        x[at] = at[0] - at[1]
    return x


def from_one_on(n):
    x = np.zeros(n)
    for i in prange(1, n - 1):
        x[i] = x[i - 1] * 0 - i
    return x


def from_a_variable_on(n):
    x = np.zeros(2 * n + 1)
    for i in prange(-n, n + 1):
        x[i] += -i
    return x


def on_the_host(n):
    x, items = np.zeros(n), [1.0]
    for i in prange(n):
        x[i] = -i + items[0]
    s = 0.0
    for i in prange(n):
        s += -i * items[0]
    return x + s


@pytest.mark.parametrize(
    "function",
    [negative, powers, compared, pairs, from_one_on, from_a_variable_on, on_the_host],
)
def test_indices_have_a_sign(queue, function):
    expected = numba.njit(function)(9)
    with ht.device_context(queue, keep_below=0):
        np.testing.assert_allclose(numba.njit(function)(9), expected)
