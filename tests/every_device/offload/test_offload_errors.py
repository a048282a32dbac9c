"""Exceptions in parallel regions: the class that Numba raises, in loops that stay parallel."""

from __future__ import annotations

import pickle

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are ready


class Diverged(ArithmeticError):
    pass


def checked_sum(x):
    s = 0.0
    for i in prange(x.size):
        if x[i] < 0:
            raise ValueError("negative")
        if x[i] >= 100:  # pytest would rewrite an assert
            raise AssertionError("too large")
        if x[i] == 50:
            raise Diverged
        s += x[i]
    return s


def inverses(a):
    out = np.zeros(a.shape[0])
    for i in prange(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] == 0:
                raise ZeroDivisionError("a zero")
            out[i] += 1 / a[i, j]
    return out


def nested(a):
    for i in prange(a.shape[0]):
        for j in prange(a.shape[1]):
            if a[i, j] == 0:
                raise IndexError("no such")
            a[i, j] = i + j
    return a


@numba.njit(boundscheck=True)
def beyond(x):
    for i in prange(x.size):
        x[i + 1] = 0


@numba.njit
def root(x):
    if x < 0:
        raise ValueError("no root")
    return np.sqrt(x)


def roots(x):
    for i in prange(x.size):
        x[i] = root(x[i])
    return x


X = np.arange(5.0)
CASES = [
    (checked_sum, X, None),
    (checked_sum, X[:0], None),
    (checked_sum, X - 2, "negative"),
    (checked_sum, X * 40, "too large"),
    (checked_sum, np.array([50.0]), "Diverged"),
    (inverses, np.ones((3, 4)), None),
    # Numba does not free what a function holds when an exception leaves it, here ``out``.
    pytest.param(inverses, np.zeros((3, 4)), "a zero", marks=pytest.mark.numba_leaks),
    (nested, np.ones((3, 4)), None),
    (nested, np.zeros((3, 4)), "no such"),
    (roots, X, None),
    (roots, X - 2, "no root"),
]


@pytest.mark.parametrize(("function", "argument", "words"), CASES)
def test_a_loop_that_raises_is_a_region_that_raises_the_same(queue, function, argument, words):
    compiled = numba.njit(function)
    if words is None:
        expected = compiled(argument.copy())
        with ht.device_context(queue, keep_below=0):
            np.testing.assert_allclose(compiled(argument.copy()), expected)
    else:
        with pytest.raises(Exception) as outside:
            compiled(argument.copy())
        with ht.device_context(queue, keep_below=0), pytest.raises(outside.type) as inside:
            compiled(argument.copy())
        assert isinstance(inside.value, ht.KernelError)
        assert words in str(inside.value) and __file__ in str(inside.value)
        assert type(pickle.loads(pickle.dumps(inside.value))) is type(inside.value)
    assert not [p for p in ht.offload_report(compiled).parfors if p.kernel is None]


def test_an_index_that_is_checked_raises_index_error(queue):
    with ht.device_context(queue, keep_below=0), pytest.raises(IndexError, match="out of bounds"):
        beyond(np.ones(10))


def test_the_function_itself_may_catch_it(queue):
    @numba.njit
    def guarded(x):
        try:
            for i in prange(x.size):
                if x[i] < 0:
                    raise ValueError("negative")
                x[i] += 1
        except Exception:
            return False
        return True

    with ht.device_context(queue, keep_below=0):
        assert guarded(np.ones(3))
        assert not guarded(-np.ones(3))


def left_by_return(x):
    for i in prange(x.size):
        if x[i] > 2:
            return i
    return -1


def left_by_break(x):
    k = 0
    for i in prange(x.size):
        if x[i] > 2:
            break
        k += 1
    return k


def raises_what_it_computes(x):
    for i in prange(x.size):
        if x[i] > 2:
            raise ValueError(i)
    return 0


@pytest.mark.parametrize("function", [left_by_return, left_by_break, raises_what_it_computes])
def test_loops_that_numba_leaves_serial_are_reported(queue, function):
    compiled = numba.njit(function)
    outcomes = []
    for place in (ht.device_context(queue, keep_below=0), ht.device_context(queue)):
        with place:
            for x in (X, np.zeros(3)):
                try:
                    outcomes.append(compiled(x))
                except ValueError as error:
                    outcomes.append(error.args)
    assert outcomes[:2] == outcomes[2:] and outcomes[0] in (3, (3,))
    (loop,) = ht.offload_report(compiled).parfors
    assert loop.kernel is None and "early exit" in loop.reason
    assert loop.line == function.__code__.co_firstlineno + (2 if function is left_by_break else 1)


def test_a_loop_that_raises_and_cannot_be_a_kernel_is_plain_numba(queue):
    @numba.njit
    def looked_up(x, table):
        for i in prange(x.size):
            if x[i] > 3:
                raise ValueError("unknown")
            x[i] = table[i]
        return x

    table = numba.typed.Dict.empty(numba.int64, numba.float64)
    for i in range(3):
        table[i] = 2.0 * i
    with ht.device_context(queue), pytest.warns(ht.PerformanceWarning, match="table"):
        np.testing.assert_array_equal(looked_up(np.zeros(3), table), [0, 2, 4])
    with ht.device_context(queue), pytest.raises(ValueError, match="unknown"):
        looked_up(np.ones(3) * 4, table)


def test_a_kernels_error_is_of_the_class_that_it_raised(queue):
    @ht.kernel
    def refuse(x):
        if x[ht.get_global_id(0)] > 0:
            raise Diverged("upwards")

    event = ht.launch(refuse, 3, ht.ones(3, queue=queue))
    with pytest.raises(Diverged, match="upwards"):
        event.wait()
    with pytest.raises(ht.KernelError):
        queue.wait()
