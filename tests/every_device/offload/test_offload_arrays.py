"""hither's own arrays as arguments of offloaded Numba functions."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht


@numba.njit
def axpy(a, x, y):
    y += a * x
    return (x * y).sum()


@numba.njit
def same(x):
    return x


@numba.njit
def expression(x, y):
    return x * 2 + y


@numba.njit
def column(x):
    return x[:, 1]


@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
def test_arrays_are_used_in_place(queue, usm_type):
    x = ht.arange(100.0, queue=queue, usm_type=usm_type)
    y = ht.ones(100, dtype=ht.float64, queue=queue, usm_type=usm_type)
    expected = np.ones(100) + 2.0 * np.arange(100.0)
    with ht.device_context(queue, keep_below=0):
        axpy(2.0, x, y * 0 + 1)
        before = ht.counters()
        total = axpy(2.0, x, y)
        after = ht.counters()
    assert after["bytes_to_device"] == before["bytes_to_device"]
    np.testing.assert_array_equal(ht.asnumpy(y), expected)
    assert total == pytest.approx((np.arange(100.0) * expected).sum())
    assert float(ht.sum(y)) == expected.sum()


def test_pending_operations_come_first(queue):
    x = ht.ones(1000, dtype=ht.float64, queue=queue)
    y = x + x
    reader = y * 3
    with ht.device_context(queue, keep_below=0):
        axpy(1.0, x, y)
    assert float(ht.sum(y)) == 3000
    assert float(ht.sum(reader)) == 6000


def test_an_argument_that_is_returned_is_itself_and_results_are_numpy_arrays(queue):
    x = ht.reshape(ht.arange(6.0, queue=queue, usm_type="shared"), (2, 3))
    with ht.device_context(queue, keep_below=0):
        assert same(x) is x
        result = expression(x, np.ones((2, 3)))
        assert type(result) is np.ndarray
        np.testing.assert_array_equal(result, np.arange(6.0).reshape(2, 3) * 2 + 1)
        view = column(x)
        np.testing.assert_array_equal(view, [1.0, 4.0])


STRICT = """
import numba, numpy as np, hither as ht

@numba.njit
def in_a_region(x):
    x[:] = x + 1
    return x.sum()

@numba.njit
def of_the_shape(x):
    zeros, ones = np.zeros_like(x), np.ones_like(x, dtype=np.int64)
    full, other = np.full_like(x, 2.0), np.empty_like(x)
    for i in numba.prange(len(x)):
        other[i] = x[i] + zeros[i] + ones[i] + full[i]
    return other, np.shape(x), np.size(x)

@numba.njit
def an_element(x):
    return x[0]

@numba.njit
def copied_in_a_loop(x, count):
    for _ in range(count):
        following = x.copy()
        following[1:] = x[1:] + x[:-1]
        x = following
    return x

@numba.njit
def one_of_two(x, is_first):
    return x if is_first else np.zeros(3)

@numba.njit
def in_two_loops(x):
    for i in numba.prange(x.shape[0]):
        for j in range(x.shape[1]):
            x[i, j] += 1
    return x.sum()

@numba.njit
def of_views(x):
    return (x[1:, ::2] * 2 + x[:-1, 1::2]).sum() + x.sum()

@numba.njit
def a_view(x):
    return x[1:]

@numba.njit
def a_view_or_all(x, is_view):
    y = x
    if is_view:
        y = x[::2]
    return y

@numba.njit
def an_element_of_a_view(x):
    return x[1:][0]

@numba.njit
def an_element_later(x, count):
    for _ in range(count):
        x = x.copy()
    return x[0]

@numba.njit
def of_a_tuple(x):
    t = (x, x)
    for i in numba.prange(x.size):
        t[0][i] += t[1][i]

@numba.njit
def of_a_tuple_argument(t):
    for i in numba.prange(t[0].size):
        t[0][i] += t[1][i]

def helper(x, i):
    x[i] += i

def with_helper(helper):
    @numba.njit
    def program(x):
        for i in numba.prange(x.size):
            helper(x, i)
    return program

x = ht.arange(10.0)
host = np.arange(80.0).reshape(8, 10)
square = ht.asarray(host)
with ht.device_context("cpu"):
    assert in_a_region(x) == 55
    assert ht.asnumpy(x).tolist() == [i + 1.0 for i in range(10)]
    made, *rest = of_the_shape(x)
    assert made.tolist() == [i + 4.0 for i in range(10)] and rest == [(10,), 10]
    assert one_of_two(x, True) is x and one_of_two(x, False).tolist() == [0.0] * 3
    assert copied_in_a_loop(x, 0) is x
    expected = copied_in_a_loop.py_func(ht.asnumpy(x), 3).tolist()
    made = copied_in_a_loop(x, 3)
    assert type(made) is np.ndarray and made.tolist() == expected
    for select in (lambda x: x, lambda x: x.T, lambda x: x[::-1, ::-1], lambda x: x[1::3, 2:9],
                   lambda x: x[:, :1], lambda x: x[3:3]):
        assert in_two_loops(select(square)) == select(host + 0).sum() + select(host).size
        select(host)[...] += 1
        if select(host).shape[1] % 2 == 0:
            assert of_views(select(square)) == of_views.py_func(select(host))
    assert ht.asnumpy(square).tolist() == host.tolist()
    inlined, view = "@njit(inline='always')", "take the view from the result"
    refused = (
        (an_element, inlined), (a_view, view), (a_view_or_all, view, True),
        (an_element_of_a_view, inlined), (an_element_later, inlined, 1),
        (of_a_tuple, "a tuple of arrays as its argument"),
        (with_helper(numba.njit(helper)), inlined),
    )
    for function, advice, *given in refused:
        try:
            function(x, *given)
        except numba.core.errors.TypingError as error:
            print("is in device memory" in str(error) and advice in str(error))
    y, z = ht.arange(4.0), ht.ones(4)
    of_a_tuple_argument((y, z))
    with_helper(numba.njit(inline="always")(helper))(y)
    assert ht.asnumpy(y).tolist() == [1.0, 3.0, 5.0, 7.0]
"""


@pytest.mark.usefixtures("cpu_by_default")
def test_the_host_part_may_not_touch_memory_of_a_device():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", STRICT], capture_output=True, text=True,
        timeout=200, env={**os.environ, "HITHER_STRICT_USM": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "True\n" * 7


OUTSIDE = """
@numba.njit
def f(x, y):
    y += x
    return x.shape[0] + (x * y).sum()

@numba.vectorize
def g(x):
    return x + 1

x, y = ht.full(3, 2.0, device="native_cpu"), ht.ones(3, device="native_cpu")
print(f(x, y), ht.asnumpy(y), g(np.arange(2)))
"""


@pytest.mark.parametrize("first", ["import hither as ht", "import numba", "import numba.extending"])
def test_a_function_uses_arrays_before_any_context_is_opened(first):
    program = f"{first}\nimport numba, numpy as np, hither as ht\n{OUTSIDE}"
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True,
        timeout=200,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "21.0 [3. 3. 3.] [1 2]\n"


def largest_of_each_row(x):
    largest = np.empty(x.shape[0], dtype=x.dtype)
    for i in prange(x.shape[0]):
        largest[i] = np.max(x[i])
    return largest


@pytest.mark.parametrize("dtype", ["f8", "i4"])
def test_a_kernel_that_is_compiled_between_does_not_make_the_function_serial(queue, dtype):
    x = np.random.default_rng(4).integers(0, 99, (20, 7)).astype(dtype)
    f = numba.njit(largest_of_each_row)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings():
        warnings.simplefilter("error", ht.PerformanceWarning)
        np.testing.assert_array_equal(f(x), x.max(axis=1))
    assert ": kernel largest_of_each_row" in str(ht.offload_report(f))


def by_ranf(n):
    drawn = np.zeros(n)
    for i in prange(n):
        drawn[i] = np.random.ranf()
    return drawn


def by_sample(n):
    drawn = np.zeros(n)
    for i in prange(n):
        drawn[i] = np.random.sample()
    return drawn


@pytest.mark.parametrize("function", [by_ranf, by_sample], ids=lambda f: f.__name__)
def test_regions_draw_by_names_that_are_plain_functions(queue, function):
    f = numba.njit(function)
    with ht.device_context(queue, keep_below=0):
        drawn = f(1000)
    assert ((drawn >= 0) & (drawn < 1)).all() and np.unique(drawn).size == 1000
    assert f": kernel {function.__name__}" in str(ht.offload_report(f))
