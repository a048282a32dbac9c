"""Operators whose operands are broadcast have NumPy's values in offloaded functions."""

from __future__ import annotations

import functools
import gc
import warnings

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are ready

ROWS, COLUMNS = 37, 3


def columns(t, column, row):
    t += column.reshape(-1, 1) * 2
    t -= column.reshape((-1, 1))
    t *= np.reshape(column, (-1, 1)) + 1
    t += (column.reshape(-1, 1) + 1) * row


def new_axes(t, column, row):
    t += column[:, None]
    t *= column[:, np.newaxis] * 2 + 1
    t -= row[None]
    t += column[..., None]
    t -= np.expand_dims(column, 1)
    t += np.expand_dims(column, axis=-1) * row


def rows(t, column, row):
    t += row
    t *= row.reshape(1, -1)
    t -= row + 1


def views(t, column, row):
    t[:, 1:] += row[1:]
    t[1:] -= column[1:].copy().reshape(-1, 1)
    t[::-1] += column[:, None]
    t.T[1:] += column
    t[0] *= 2


def columns_and_rows(t, column, row):
    t += row
    t *= column.reshape(-1, 1)
    t -= row * column[:, None]


def pairs(t, column, row):
    t[:] = column[:, None] * row
    u = column[:, None] - column
    return ((column[:, None, None] - row) ** 2).sum(), u


def scalars(t, column, row):
    t += 3
    t *= column[0]
    column += np.ones(1, column.dtype)


def same_shape(t, column, row):
    u = t * 2
    t += u
    t -= t
    t += u[::-1]
    row += row


def own_parts(t, column, row):
    t += t[0]
    t -= t[:, 1][:, None]
    row *= row[::-1]


def new_arrays(t, column, row):
    t[:] = t + column[:, None] * row
    u = column[:, None] - row[None, :]
    t += u
    t -= np.maximum(column[:, None], row)
    t[:] = t + np.ones(1, t.dtype)
    t += np.where(u > 0, u, row)


def in_loops(t, column, row):
    for _ in range(3):
        t += row
        t *= column[:, None]
    for i in prange(t.shape[0]):
        own = np.ones((2, 3))
        own *= row
        own += column[:2][:, None]
        t[i, 1] -= own[1, 2]


def _arrays(dtype="float64", shape=(ROWS, COLUMNS), step=1):
    rng = np.random.default_rng(1)
    made = [rng.integers(1, 4, s).astype(dtype) for s in (shape, shape[:1], shape[1:])]
    return [np.repeat(made[0], abs(step), axis=0)[::step], *made[1:]]


_compiled = functools.cache(numba.njit)  # arguments of the same types share code


def _check(queue, function, arguments, on_host=False):
    """Compares with NumPy. `on_host`: the call warns that it runs on the host."""
    wanted, found = ([_like(a) for a in arguments] for _ in range(2))
    result = function(*wanted)
    compiled = numba.njit(function) if on_host else _compiled(function)
    before = ht.counters()["offloaded_regions"]
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        np.testing.assert_equal(compiled(*found), result)
    np.testing.assert_equal(found, wanted)
    of_hither = [str(w.message) for w in told if w.category is ht.PerformanceWarning]
    assert bool(of_hither) == on_host
    assert all("ran on the host, because extents" in text for text in of_hither)
    assert (ht.counters()["offloaded_regions"] > before) == (not on_host)


def _like(argument):
    """A copy with the same strides."""
    if not isinstance(argument, np.ndarray) or argument.flags.c_contiguous:
        return np.copy(argument) if isinstance(argument, np.ndarray) else argument
    made = np.repeat(argument, 2, axis=0)[::2]
    return made[::-1].copy().repeat(2, axis=0)[::-2] if argument.strides[0] < 0 else made


FUNCTIONS = [columns, new_axes, rows, views, same_shape, own_parts, new_arrays, in_loops]


@pytest.mark.parametrize("step", [1, 2, -2])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_operands_are_broadcast(queue, function, step):
    _check(queue, function, _arrays(step=step))


@pytest.mark.parametrize("shape", [(5,), (3, 2), (300, 200), (3, 4, 5)])
def test_operands_without_dimensions(queue, shape):
    def add(number, x):
        return number + x, x * number, x * number + x

    x = np.random.default_rng(0).random(shape)
    _check(queue, add, [np.asarray(2.5), x])


@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32"])
@pytest.mark.parametrize("function", [columns, new_axes, rows, new_arrays])
def test_broadcast_operands_of_any_dtype(queue, function, dtype):
    _check(queue, function, _arrays(dtype))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (1, 4), (4, 1), (2001, 2)])
@pytest.mark.parametrize("function", [columns_and_rows, pairs])
def test_sizes_without_elements_and_of_one(queue, function, shape):
    _check(queue, function, _arrays(shape=shape))


def test_scalars_are_broadcast(queue):
    _check(queue, scalars, _arrays())


def ranks(t, matrix, row):
    t += matrix
    t *= row
    t -= matrix[:, None, 0]
    u = t + matrix
    t += u[:, :, None, 0] + row
    return u * row


def test_operands_of_rank_1_and_2_in_rank_3(queue):
    t = np.arange(2.0 * 5 * 5).reshape(2, 5, 5)
    _check(queue, ranks, [t, np.arange(25.0).reshape(5, 5), np.arange(5.0)])


@pytest.mark.parametrize(
    "operator", ["-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<="]
)
def test_every_operator_broadcasts(queue, operator):
    namespace: dict = {}
    text = f"def f(t, column, row):\n    t {operator} row\n    t {operator} column[:, None]"
    exec(text, namespace)
    _check(queue, namespace["f"], _arrays("int64" if operator[0] in "&|^<" else "float64"))


def add_both(t, x, y):
    t += x
    t *= y
    return t - x * y


def add_often(t, x, y, times=2, factor=1.5):
    for _ in range(times):
        t += x
        if t[0, 0] > 1e9:
            return t
        t *= y * factor
    return t


def add_parts(t, x, y):
    t[1:] += x[1:]
    t -= y[:, :1]
    for i in prange(t.shape[0]):
        own = np.zeros(3)
        own += y[i, :1]
        t[i, 0] += own[2]
    return t.sum(), t, 7, True


def add_if(t, x, y):
    if t.shape == x.shape:
        t += x
    else:
        t += y
    return np.maximum(t, y)


SHAPES = [(5, 3), (5, 1), (1, 3), (1, 1)]


@pytest.mark.parametrize(
    "shapes",
    [(s, s) for s in SHAPES] + [(SHAPES[0], s) for s in SHAPES[1:]] + [(SHAPES[1], SHAPES[2])],
)
@pytest.mark.parametrize("function", [add_both, add_often])
def test_extents_of_one_at_run_time(queue, function, shapes):
    t, (x, y) = np.arange(15.0).reshape(5, 3), (np.full(s, n + 2.0) for n, s in enumerate(shapes))
    _check(queue, function, [t, x, y], on_host=set(shapes) != {(5, 3)})


def test_extents_of_one_that_follow_from_arguments(queue):
    t, x, y = np.arange(15.0).reshape(5, 3), np.arange(5.0).reshape(5, 1), np.ones((5, 3))
    _check(queue, add_parts, [t, x, y], on_host=True)


def add_columns_and_rows(t, x):
    return np.sum(x * t**2), np.sum(x * x.T)


def test_extents_that_earlier_operations_take_for_equal(queue):
    """Numba takes the second extent of x for that of t, and therefore compares 3 with 5."""
    t, x = np.arange(15.0).reshape(5, 3), np.arange(5.0).reshape(5, 1)
    _check(queue, add_columns_and_rows, [t, x], on_host=True)


def test_each_function_warns_once(queue):
    f = numba.njit(add_columns_and_rows)
    t, x = np.arange(15.0).reshape(5, 3), np.arange(5.0).reshape(5, 1)
    globals().pop("__warningregistry__", None)
    with ht.device_context(queue, keep_below=0), warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        results = [f(t, x) for _ in range(3)]
    assert len(told) == 1 and set(results) == {add_columns_and_rows(t, x)}


@pytest.mark.parametrize("shape", [(5, 3), (5, 1)])
def test_comparisons_of_shapes_keep_a_function_on_the_device(queue, shape):
    t, x, y = np.arange(15.0).reshape(5, 3), np.full(shape, 2.0), np.ones((5, 3))
    _check(queue, add_if, [t, x, y])


def test_targets_are_not_broadcast(queue):
    @numba.njit
    def f(t, x):
        t += x

    with ht.device_context(queue, keep_below=0):
        for shape in ((4, 3), (1, 3), (5, 1)):
            with pytest.raises(AssertionError, match=r"extents .* differ \(t, x\).*broadcast_to"):
                f(np.ones(shape), np.ones((5, 3)))


@pytest.mark.numba_leaks  # what a function holds when it raises
def test_extents_that_follow_from_elements_are_asserted(queue):
    @numba.njit
    def f(t, x):
        kept = x[x > 0]
        return t + kept

    with ht.device_context(queue, keep_below=0):
        np.testing.assert_array_equal(f(np.ones(2), np.ones(2)), [2, 2])
        with pytest.raises(AssertionError, match=r"extents .*broadcast_to"):
            f(np.ones(2), np.array([1.0, 0.0]))


@numba.njit
def _add(t, x):
    t += x


def test_a_callee_runs_on_the_host_after_regions_of_its_caller(queue):
    def f(t, x):
        t *= 3
        _add(t, x)
        t -= 1
        _add(t, t)

    given = np.arange(15.0).reshape(5, 3)
    compiled = numba.njit(f)
    with ht.device_context(queue, keep_below=0), pytest.warns(ht.PerformanceWarning, match="_add"):
        compiled(given, np.full((5, 1), 7.0))
    np.testing.assert_array_equal(given, (np.arange(15.0).reshape(5, 3) * 3 + 6) * 2)


def test_arrays_of_hither_are_broadcast(queue):
    @numba.njit
    def f(t, x):
        t += x[:, None]
        t *= x.reshape(-1, 1)
        return t - x[:, None]

    with ht.device_context(queue, keep_below=0):
        t = ht.ones((4, 3), queue=queue, usm_type="shared")
        found = f(t, ht.arange(4.0, queue=queue, usm_type="shared"))
        n = np.arange(4.0)[:, None]
        np.testing.assert_array_equal(np.asarray(t), np.broadcast_to((1 + n) * n, (4, 3)))
        np.testing.assert_array_equal(found, np.asarray(t) - n)
        row = ht.full((1, 3), 2.0, queue=queue, usm_type="shared")
        with pytest.warns(ht.PerformanceWarning, match="ran on the host"):
            np.testing.assert_array_equal(np.asarray(_sum(t, row)), np.asarray(t) + 2)


@numba.njit
def _sum(t, x):
    return t + x


def test_operands_of_equal_shape_stay_one_region(queue):
    @numba.njit
    def f(t, x, row):
        t += x * 2
        t *= x
        t += x * row
        t -= row
        t -= np.sqrt(x) + t

    given = np.ones((50, 3)), np.full((50, 3), 2.0), np.arange(3.0)
    with ht.device_context(queue, keep_below=0):
        f(*given)
    assert len({p.kernel for p in ht.offload_report(f).parfors}) == 1


def test_the_host_version_outlives_a_recompilation_of_the_function(queue):
    @numba.njit
    def add(t, x):
        t += x

    @numba.njit
    def caller(t, x):
        add(t, x)

    t = np.zeros((3, 2))
    with ht.device_context(queue, keep_below=0), pytest.warns(ht.PerformanceWarning):
        caller(t, np.ones((1, 2)))
        add.recompile()
        gc.collect()
        caller(t, np.ones((1, 2)))
    assert t.tolist() == [[2.0, 2.0]] * 3
