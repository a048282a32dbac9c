"""Stores of what is computed from other elements of the same array, against NumPy."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import IS_EAGER, examples


@st.composite
def slices(draw, extent, count):
    """A slice with `count` elements of an axis."""
    step = draw(st.integers(1, 3)) * draw(st.sampled_from([1, -1]))
    span = (count - 1) * abs(step) + 1
    if span > extent:
        step, span = (1 if step > 0 else -1), count
    first = draw(st.integers(0, extent - span))
    if step > 0:
        return slice(first, first + span, step)
    last = first + span - 1
    return slice(last, first - 1 if first else None, step)


@st.composite
def views(draw):
    shape = draw(st.sampled_from([(11,), (64,), (7, 9), (5, 4, 6)]))
    counts = [draw(st.integers(1, n)) for n in shape]
    keys = [tuple(draw(slices(n, c)) for n, c in zip(shape, counts, strict=True)) for _ in "abc"]
    return shape, keys


@settings(
    deadline=None,
    max_examples=examples(80),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(case=views(), dtype=st.sampled_from(["int64", "float32", "uint8"]))
def test_a_store_reads_before_it_writes(queue, case, dtype):
    shape, (to, first, second) = case
    host = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    x = ht.asarray(host, queue=queue)
    pending = x[first] + x[to]
    expected = host[first] + host[to]
    x[to] = x[first] * 2 + x[second]
    host[to] = host[first] * 2 + host[second]
    x[second] = x[to]
    host[second] = host[to].copy()
    np.testing.assert_array_equal(ht.asnumpy(x), host)
    np.testing.assert_array_equal(ht.asnumpy(pending), expected)


@pytest.mark.skipif(IS_EAGER, reason="each operation is a kernel of its own")
def test_a_store_of_other_elements_is_one_kernel(queue):
    x, grid = ht.ones(1000, queue=queue), ht.ones((30, 40), queue=queue)
    ht.evaluate(x, grid)
    before = ht.counters()["launches"]
    x[::2] = x[1::2] * 2 + 1
    grid[:, :1] = grid[:, 1:2] + 1
    grid[:10] = grid[20:] * 3
    ht.evaluate(x, grid)
    assert ht.counters()["launches"] - before == 3
    assert float(ht.sum(x)) == 500 + 3 * 500


def bytes_of_last_kernel():
    return ht.kernel_history()[-1].bytes


@pytest.mark.skipif(IS_EAGER, reason="each operation is a kernel of its own")
def test_an_expression_that_is_assigned_is_stored_once(queue):
    x, v = (ht.asarray(np.arange(1000.0), queue=queue) for _ in range(2))
    v[1:-1] = x[:-2] + x[2:]
    assert bytes_of_last_kernel() == 3 * 998 * 8
    v[1:-1] += x[:-2] * x[2:]
    assert bytes_of_last_kernel() == 4 * 998 * 8
    kept = x[:-2] - x[2:]
    v[1:-1] = kept
    assert bytes_of_last_kernel() == 4 * 998 * 8  # `kept` is stored, too
    a = np.arange(1000.0)
    b = a.copy()
    b[1:-1] = a[:-2] + a[2:]
    b[1:-1] += a[:-2] * a[2:]
    b[1:-1] = a[:-2] - a[2:]
    np.testing.assert_array_equal(ht.asnumpy(v), b)
    np.testing.assert_array_equal(ht.asnumpy(kept), b[1:-1])


def test_an_expression_that_a_caller_keeps_has_its_elements(queue):
    """C code may hold the only reference to a value that it assigns, and read it afterwards."""
    set_item = ctypes.pythonapi.PyObject_SetItem
    set_item.argtypes, set_item.restype = [ctypes.py_object] * 2 + [ctypes.c_void_p], ctypes.c_int
    x, v = (ht.asarray(np.arange(50.0), queue=queue) for _ in range(2))
    for make in (
        lambda x, v: x[:-2] + x[2:],
        lambda x, v: v[1:-1] * 2 + 1,  # reads what is overwritten, in place
        lambda x, v: v[:-2] + v[2:],
        lambda x, v: (x[:-2] * v[2:])[::-1],
    ):
        held = [make(x, v)]
        expected, address = ht.asnumpy(make(x, v)), id(held[0])
        assert set_item(v, slice(1, -1), address) == 0
        np.testing.assert_array_equal(ht.asnumpy(v)[1:-1], expected)
        v[1:-1] = 7.0
        x += 1.0
        np.testing.assert_array_equal(ht.asnumpy(held[0]), expected)


def test_a_view_of_an_expression_that_is_kept(queue):
    x, v = (ht.asarray(np.arange(60.0).reshape(6, 10), queue=queue) for _ in range(2))
    kept = x * 2 + 1
    v[1:-1, 1:-1] = kept[2:, 2:]
    v[0, :] = kept.T[0, :1]
    a = np.arange(60.0).reshape(6, 10)
    b = a.copy()
    b[1:-1, 1:-1] = (a * 2 + 1)[2:, 2:]
    b[0, :] = 1.0
    np.testing.assert_array_equal(ht.asnumpy(v), b)
    np.testing.assert_array_equal(ht.asnumpy(kept), a * 2 + 1)


def with_border(x):
    """A copy whose inner part is computed, as the step of a stencil."""
    y = x + 0
    y[1:-1] = x[:-2] + x[2:]
    return y


@pytest.mark.skipif(IS_EAGER, reason="each operation is a kernel of its own")
def test_a_border_that_is_cut_off_again_is_not_stored(queue):
    host = np.arange(1000.0)
    inner = host[:-2] + host[2:]
    x = ht.asarray(host, queue=queue)
    ht.synchronize(x)
    before = ht.counters()["launches"]
    found = with_border(x)[1:-1] * 2
    ht.evaluate(found)
    assert ht.counters()["launches"] - before == 1
    np.testing.assert_array_equal(ht.asnumpy(found), inner * 2)
    whole = with_border(x)
    assert "insert" in ht.explain(whole)
    part = whole[1:-1] * 2
    np.testing.assert_array_equal(ht.asnumpy(part), inner * 2)
    np.testing.assert_array_equal(ht.asnumpy(whole), np.r_[host[0], inner, host[-1]])


@settings(
    deadline=None,
    max_examples=examples(80),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(case=views(), dtype=st.sampled_from(["int64", "float32", "uint8"]), data=st.data())
def test_parts_of_a_pending_array_are_stored(queue, case, dtype, data):
    shape, (to, first, second) = case
    host = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    x = ht.asarray(host, queue=queue)
    y, expected = x * 2, host * 2
    if data.draw(st.booleans(), label="something else needs it"):
        before, needed = y + 1, host * 2 + 1
    else:
        before, needed = x, host
    y[to] = x[first] + 1
    expected[to] = host[first] + 1
    seen, wanted = y[to] * 3, expected[to] * 3
    again = data.draw(st.sampled_from(["no", "number", "itself"]), label="stored again")
    if again != "no":
        y[second] = 5 if again == "number" else y[first]
        expected[second] = 5 if again == "number" else expected[first].copy()
    order = data.draw(st.sampled_from(["whole first", "part first", "part alone"]), label="read")
    if order == "whole first":
        np.testing.assert_array_equal(ht.asnumpy(y), expected)
    if order == "part alone":
        del y
    np.testing.assert_array_equal(ht.asnumpy(seen), wanted)
    np.testing.assert_array_equal(ht.asnumpy(before), needed)
    if order == "part first":
        np.testing.assert_array_equal(ht.asnumpy(y), expected)


CONSUMERS = {
    "take": lambda xp, x: xp.take(x, xp.asarray([0, 2, 1]), axis=0),
    "columns": lambda xp, x: xp.take(x, xp.asarray([3, 0]), axis=1),
    "index": lambda xp, x: x[xp.asarray([2, 2, 0])],
    "product": lambda xp, x: x @ x.T,
    "product with a vector": lambda xp, x: x @ xp.ones(4),
    "stack": lambda xp, x: x[None] @ xp.ones((2, 4, 1)),
    "larger": lambda xp, x: x + xp.ones((5, 3, 4)),
    "sum of a larger one": lambda xp, x: xp.sum(x * xp.ones((5, 3, 4)), axis=1),
    "broadcast": lambda xp, x: xp.broadcast_to(x, (2, 3, 4)) + 0,
    "roll": lambda xp, x: xp.roll(x, 1, axis=1),
    "sort": lambda xp, x: xp.sort(x, axis=0),
    "scan": lambda xp, x: xp.cumulative_sum(x, axis=0),
    "means": lambda xp, x: xp.mean(x, axis=0) + xp.max(x, axis=1)[:, None],
    "turned": lambda xp, x: x.T[::-1] * 2,
    "row": lambda xp, x: x[1] + x[:, :1],
}


@pytest.mark.parametrize("consumer", CONSUMERS.values(), ids=list(CONSUMERS))
def test_what_reads_an_inserted_part(queue, consumer):
    host = np.arange(30.0).reshape(5, 6)

    def inner(x):
        y = x + 0
        y[1:-1, 1:-1] = x[1:-1, 1:-1] * 2
        return y[1:-1, 1:-1]

    with ht.device_context(queue):
        x = ht.asarray(host)
        np.testing.assert_allclose(ht.asnumpy(consumer(ht, inner(x))), consumer(np, inner(host)))
        larger = ht.zeros((2, 3, 4))
        larger[...] = inner(x)
    np.testing.assert_array_equal(ht.asnumpy(larger), np.stack([inner(host)] * 2))
