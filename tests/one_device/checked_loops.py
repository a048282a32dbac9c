"""Offloaded functions of test_loop_races.py, which runs this program with and without the check."""

from __future__ import annotations

import sys
import warnings

import numba
import numpy as np
from numba import njit, prange
from numba.extending import overload

import hither as ht

RACES = {}
NONE = {}


def races(*arguments):
    return lambda function: RACES.setdefault(function.__name__, (function, arguments))[0]


def none(*arguments):
    return lambda function: NONE.setdefault(function.__name__, (function, arguments))[0]


X, COUNTS, GRID = np.arange(8.0), np.zeros(2, np.int64), np.arange(12.0).reshape(3, 4)


@races(X)
@njit(parallel=True)
def two_writes(x):
    halves = np.zeros(4)
    for i in prange(x.size):
        halves[i // 2] = x[i]
    return halves


@races(X)
@njit
def a_read_after_a_write(x):
    for i in prange(1, x.size):
        x[i] = x[i - 1]


@races(GRID)
@njit(parallel=True)
def indices_of_an_array(m):
    for i in numba.pndindex(m.shape):
        m[i[0], 0] += m[i]


@races(X)
@njit(parallel=True)
def a_read_before_a_write(x):
    y = x.copy()
    for i in numba.prange(x.size):
        x[i] = y[7] + y[i]
        y[i] = 0


@races(COUNTS, X)
@njit(parallel=True)
def an_update(h, x):
    for i in prange(x.size):
        h[int(x[i]) % 2] += 1


@njit
def put(a, i, value):
    a[i] = value


@races(X)
@njit(parallel=True)
def a_helper(x):
    for i in prange(x.size):
        put(x, 3, i)


@njit
def loop_of(a):
    for i in prange(a.size):
        a[0] = i


@races()
@njit
def a_loop_of_a_helper():
    made = np.ones(3)
    loop_of(made)


@races(GRID)
@njit(parallel=True)
def rows(m):
    for i in prange(m.shape[0]):
        row = m[i // 2]
        for j in prange(row.size):
            row[j] = 1


@races(GRID)
@njit(parallel=True)
def whole_rows(m):
    for i in prange(1, m.shape[0]):
        m[i, :] = m[i - 1, :] + 1
    return m


@races(X)
@njit(parallel=True)
def overlapping_slices(x):
    for i in prange(x.size - 1):
        v = x[i : i + 2]
        v += 1
    return x


@none(GRID)
@njit(parallel=True)
def own_elements_of_an_array(m):
    for i in numba.pndindex(m.shape):
        m[i] = m[i] * 2 + i[1]
    return m


@none(X)
@njit(parallel=True)
def a_loop_that_ends_early(x):
    for i in prange(1, x.size):
        if x[i] < 0:
            break
        x[i] += x[i - 1]
    return x


@none(GRID)
@njit(parallel=True)
def own_rows(m):
    for i in prange(m.shape[0]):
        m[i, :] = m[i, :] * 2 + m[i, 0]
        row = m[i]
        row += m[i].sum()
    return m


@races(3)
@njit(parallel=True)
def arrays_in_a_list(n):
    pair = [np.zeros(2) for _ in range(n)]
    for i in prange(n):
        pair[1][0] = i


@races((X, X))
@njit(parallel=True)
def two_names(pair):
    for i in prange(1, pair[0].size):
        pair[0][i] = pair[1][i - 1]


@races(X)
@njit(parallel=True)
def a_closure(x):
    y = x * 2

    def inside(i):
        y[i // 4] = i

    for i in prange(x.size):
        inside(i)


@races(ht.arange(4.0))
@njit(parallel=True)
def an_array_of_hither(x):
    for i in prange(x.size):
        x[0] += i


@none(X)
@njit(parallel=True)
def own_elements(x):
    y = np.empty_like(x)
    for i in prange(x.size):
        y[i] = x[i] + x[0]
    for i in prange(1, x.size):
        x[i] = y[i - 1]
    return x, y


@none(X.astype(np.float32))
@njit(parallel=True)
def reductions(x):
    total, most, count = 0.0, -1.0, 0
    for i in prange(x.size):
        total += x[i] / 3
        most = max(most, x[i])
        count += 1
    return total, most, count


@none(GRID)
@njit(parallel=True)
def an_array_reduction(m):
    total = np.zeros(m.shape[1])
    for i in prange(m.shape[0]):
        total += m[i]
    return total


@none(X)
@njit(parallel=True)
def arrays_of_an_iteration(x):
    y = np.zeros(x.size)
    for i in prange(x.size):
        t = np.zeros(2)
        t[0] = x[i]
        t[1] = t[0] + 1
        y[i] = t[1]
    return y


@none(X)
@njit
def order_outside_of_loops(x):
    for i in range(1, x.size):
        x[i] = x[i - 1] + 1
    return x[1:]


@none(GRID, 5)
@njit(parallel=True)
def nested_loops(m, n):
    for _ in range(n):
        for i in prange(m.shape[0]):
            for j in prange(1, m.shape[1]):
                m[i, j] = m[i, j - 1] + 1
    return m.sum()


@none(X)
@njit(parallel=True)
def helpers(x):
    y = np.zeros_like(x)
    for i in prange(x.size):
        put(y, i, x[i])
    return y


@none(X)
@njit(parallel=True)
def random_numbers(x):
    np.random.seed(3)
    for i in prange(x.size):
        x[i] = np.random.random() < 2
    return x


@none(ht.arange(4.0))
@njit(parallel=True)
def arrays_of_hither(x):
    for i in prange(x.size):
        x[i] *= 2
    return x


def enclosing(y):
    @njit(parallel=True)
    def scaled(x):
        for i in prange(x.size):
            x[i] *= y[i]
        return x

    return scaled, lambda: y


SCALED, ENCLOSED = enclosing(X + 1)


@none(X)
def a_variable_of_an_enclosing_function(x):
    return SCALED(x), type(ENCLOSED()).__name__


LIST = [X + 1, X + 2]


@none(X)
def a_list_in_a_tuple(x):
    @njit(parallel=True)
    def sums(x, rest):
        for i in prange(x.size):
            x[i] += rest[0][1][i]
        return x

    return sums(x, (LIST,)), type(LIST[1]).__name__


@none([1, 2], X)
@njit(parallel=True)
def a_list_that_grows(numbers, x):
    numbers.append(3)
    for i in prange(x.size):
        x[i] += len(numbers)
    return x


@none(X)
@njit(parallel=True)
def an_exception(x):
    for i in prange(x.size):
        x[i] += 1
    raise ValueError("no")


def increased(value):
    raise NotImplementedError


@overload(increased)
def compiled_increased(value):
    return lambda value: value + 1


@none(X)
@njit(parallel=True)
def no_python_function(x):
    x[0] = 7
    for i in prange(x.size):
        x[i] = increased(x[i])
    return x


@none(numba.typed.List([1.0, 2.0]), X)
@njit(parallel=True)
def a_typed_list(values, x):
    values.append(3.0)
    for i in prange(x.size):
        x[i] = len(values)
    return x


def copied(value):
    if isinstance(value, tuple):
        first = value[0].copy()
        return tuple(first for _ in value)
    return value.copy() if hasattr(value, "copy") else value


def shown(value):
    return [shown(v) for v in value] if isinstance(value, tuple) else (type(value), str(value))


def main(cases):
    for name, (function, arguments) in cases.items():
        given = [copied(value) for value in arguments]
        with warnings.catch_warnings(record=True) as caught, ht.device_context("native_cpu"):
            warnings.simplefilter("always")
            try:
                print(name, shown(function(*given)), [shown(value) for value in given])
            except Exception as error:
                print(name, type(error).__name__, error, [shown(value) for value in given])
        for warning in caught:
            if "data races" in str(warning.message):
                print(warning.message, file=sys.stderr)


if __name__ == "__main__":
    main({"races": RACES, "none": NONE}[sys.argv[1]])
