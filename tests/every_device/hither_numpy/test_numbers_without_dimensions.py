"""Arrays without dimensions, of hither and NumPy, as axes, counts, diagonals and shapes."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

ROWS = np.arange(24.0).reshape(4, 6) % 7

# Each text is evaluated with the functions `np`, the matrix m, and the axes a (0) and b (1).
CALLS = """np.mean(m, axis=a); np.std(m, a); np.ptp(m, a); np.nanmean(m, a); np.nanmax(m, b)
np.median(m, a); np.percentile(m, 30, a); np.nanquantile(m, 0.3, a); np.sort(m, a)
np.argpartition(m, 2, a); np.unique(m, axis=a); np.take(m, [1, 0], a); np.delete(m, 1, a)
np.insert(m, 1, 3.0, a); np.swapaxes(m, a, b); np.rollaxis(m, b, a); np.stack(np.split(m, 2, a))
np.diff(m, axis=a); np.gradient(m, axis=a); np.average(m, a); np.rot90(m, 1, (a, b))
np.trace(m, 0, a, b); np.linalg.norm(m, axis=a); np.fft.fftshift(m, (a,)); np.add.reduce(m, a)
np.add.accumulate(m, a); np.logical_or.reduce(m, b); np.trim_zeros(m, axis=a); np.tri(3, k=b)
np.tril(m, b); np.triu(m, k=b); np.triu(m, a); np.zeros(b); np.ones((b, b))
np.choose([a, b], m[:2, :2]); np.fft.fftfreq(b + 4); np.stack(np.mask_indices(b + 2, np.triu, a))
np.compress([1, 0, 1], m, a)"""
CALLS = [call for line in CALLS.splitlines() for call in line.split("; ")]


@pytest.mark.parametrize(
    "number", [np.array, hnp.array, np.int8, lambda n: hnp.asarray([0.0, 1.0])[: n + 1].argmax()]
)
def test_axes_and_counts_are_copied_to_the_call(queue, number):
    with ht.device_context(queue):
        numbers = {"a": number(0), "b": number(1)}
        for call in CALLS:
            expected = eval(call, {"np": np, "m": ROWS, "a": np.int64(0), "b": np.int64(1)})
            result = eval(call, {"np": hnp, "m": hnp.asarray(ROWS), **numbers})
            np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-12, err_msg=call)
            assert result.dtype == expected.dtype, call


def test_unsigned_diagonals_are_not_negated(queue):
    m = ht.asarray(ROWS, queue=queue)
    for k in (np.uint8(0), hnp.asarray(0, dtype="uint8", queue=queue)):
        assert hnp.triu(m, k).tolist() == np.triu(ROWS).tolist()
        assert ht.triu(m, k=k).tolist() == np.triu(ROWS).tolist()


def test_axes_that_are_no_integers_are_refused(queue):
    m = ht.asarray(ROWS, queue=queue)
    for axis in (1.0, hnp.asarray(1.0, queue=queue), "0"):
        with pytest.raises(TypeError):
            hnp.mean(m, axis=axis)
    with pytest.raises(TypeError, match="tril: k is of type float; pass an int"):
        hnp.tril(m, 1.0)


METHODS = """all(0) any(-1) max(0) min(axis=-1) sum(0) prod(0,None,None,True) std(None)
argmax(0) argmin(-1,keepdims=True) clip(1) clip(1,max=2) clip(max=2)
clip(0,4,out=None) sum(axis=-1,dtype="float32")""".split()


@pytest.mark.parametrize("value", [3.5, 2, True, 2 - 3j])
def test_methods_of_numbers_take_the_axes_0_and_minus_1(queue, value):
    number, own = np.array(value), hnp.asarray(value, queue=queue)
    for call in METHODS:
        if "float32" in call and isinstance(value, complex):
            continue
        expected, result = (eval(f"x.{call}", {"x": x}) for x in (number, own))
        assert (result.item(), result.dtype) == (expected, expected.dtype), call
        assert result.shape == expected.shape, call
    with pytest.raises(IndexError):
        own.sum(1)


def test_limits_and_initial_values_of_bools(queue):
    bools = np.array([True, False, True])
    own = ht.asarray(bools, queue=queue)
    for call in ("clip(1, 3)", "clip(None, 2)", "min(initial=-5)", "max(initial=0)", "clip(True)"):
        expected, result = (eval(f"x.{call}", {"x": x}) for x in (bools, own))
        assert result.tolist() == expected.tolist() and result.dtype == expected.dtype, call


def test_one_number_is_a_point_of_a_histogram(queue):
    counts, (limits,) = hnp.histogramdd(hnp.asarray(3.5, queue=queue), 4)
    expected, (edges,) = np.histogramdd(np.array(3.5), 4)
    assert counts.tolist() == expected.tolist() and limits.tolist() == edges.tolist()


ARRAYS_OF = {
    "asarray": lambda xp, x: xp.asarray(x),
    "asarray of a dtype": lambda xp, x: xp.asarray(x, "float64"),
    "asanyarray": lambda xp, x: xp.asanyarray(x),
    "ascontiguousarray": lambda xp, x: xp.ascontiguousarray(x),
    "require": lambda xp, x: xp.require(x),
    "array": lambda xp, x: xp.array(x, copy=None),
    "atleast_1d": lambda xp, x: xp.atleast_1d(x),
    "atleast_2d": lambda xp, x: xp.atleast_2d(x),
    "atleast_3d": lambda xp, x: xp.atleast_3d(x),
}


@pytest.mark.parametrize("name", ARRAYS_OF)
def test_writes_to_an_array_of_a_result_leave_the_result(queue, name):
    """A function that takes numbers and arrays may change the array that it has made of one."""
    x = ht.asarray([350.0, 2.0], queue=queue)
    for xp, given in ((np, np.array([350.0, 2.0])), (hnp, x)):
        result = xp.min(given)
        made = ARRAYS_OF[name](xp, result)
        made[made < 20] += 360
        assert result == 2 and made.ravel().tolist() == [362]
