"""numpy.lib.stride_tricks on hither's arrays: windows and strided views, which copy nothing."""

from __future__ import annotations

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as np
from hither.numpy.lib.stride_tricks import as_strided, sliding_window_view
from property_tests import examples

WINDOWS = [
    ((12,), 3, None), ((12,), (12,), None), ((12,), 1, 0), ((5, 6), (2, 3), None),
    ((5, 6), 4, 1), ((5, 6), (2, 2), (0, 0)), ((3, 0), (1, 0), None), ((4, 5, 6), (2, 3), (-1, 0)),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["bool", "int8", "float32", "float64", "complex64"])
@pytest.mark.parametrize(("shape", "window", "axis"), WINDOWS)
def test_windows(queue, shape, window, axis, dtype):
    host = (numpy.arange(numpy.prod(shape)) % 7).reshape(shape).astype(dtype)
    for layout in (lambda x: x, lambda x: x[::-1], lambda x: x.T.copy().T):
        x = layout(ht.asarray(host, queue=queue))
        with ht.host_fallback("error"):
            got = np.lib.stride_tricks.sliding_window_view(x, window, axis)
            dispatched = numpy.lib.stride_tricks.sliding_window_view(x, window, axis)
            sums = got.sum(axis=-1)
        right = numpy.lib.stride_tricks.sliding_window_view(layout(host), window, axis)
        numpy.testing.assert_array_equal(ht.asnumpy(got), right)
        numpy.testing.assert_array_equal(ht.asnumpy(dispatched), right)
        numpy.testing.assert_array_equal(ht.asnumpy(sums), right.sum(axis=-1))


@settings(deadline=None, max_examples=examples(60))
@given(st.data())
def test_windows_of_any_shape(data):
    shape = data.draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))
    axes = data.draw(st.lists(st.integers(0, len(shape) - 1), min_size=1, max_size=3, unique=True))
    window = [data.draw(st.integers(1, shape[axis])) for axis in axes]
    host = numpy.arange(numpy.prod(shape)).reshape(shape)
    got = sliding_window_view(ht.asarray(host, queue=ht.Queue("native_cpu")), window, tuple(axes))
    right = numpy.lib.stride_tricks.sliding_window_view(host, window, tuple(axes))
    numpy.testing.assert_array_equal(ht.asnumpy(got), right)


def test_windows_see_later_writes(queue):
    x = ht.zeros(5, queue=queue)
    view = sliding_window_view(x, 2)
    x[2] = 7
    assert ht.asnumpy(view).tolist() == [[0, 0], [0, 7], [7, 0], [0, 0]]
    with pytest.raises(ValueError, match=r"broadcast|read-only"):
        view[0, 0] = 1
    y = x + 1  # of an expression that is not evaluated
    assert ht.asnumpy(sliding_window_view(y, 4)[1]).tolist() == [1, 8, 1, 1]


def test_strided_views(queue):
    x = ht.asarray(numpy.arange(6.0), queue=queue)
    assert ht.asnumpy(as_strided(x, (3, 2), (16, 8))).tolist() == [[0, 1], [2, 3], [4, 5]]
    assert ht.asnumpy(as_strided(x, (2, 5), (8, 8))).tolist() == [[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]]
    assert ht.asnumpy(as_strided(x[::-1], (3,), (-16,))).tolist() == [5, 3, 1]
    corner = as_strided(x, (2, 2), (24, 8))
    corner[...] = -1
    assert ht.asnumpy(x).tolist() == [-1, -1, 2, -1, -1, 5]
    with pytest.raises(ValueError, match=r"broadcast|read-only"):
        as_strided(x, (2, 5), (8, 8))[0, 0] = 1
    with pytest.raises(ValueError, match=r"broadcast|read-only"):
        as_strided(x, (2,), (8,), writeable=False)[0] = 1


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: as_strided(x, (7,), (8,)), IndexError, "outside"),
        (lambda x: as_strided(x, (2,), (4,)), ValueError, "multiples of the 8 bytes"),
        (lambda x: as_strided(x, (2,), (8, 8)), ValueError, "dimensions"),
        (lambda x: sliding_window_view(x, 7), ValueError, "does not fit axis 0"),
        (lambda x: sliding_window_view(x, (2, 2)), ValueError, "2 extents for 1 axes"),
        (lambda x: sliding_window_view(x, 2, 1), numpy.exceptions.AxisError, "axis 1"),
    ],
)
def test_wrong_views_are_refused(call, error, text):
    with pytest.raises(error, match=text):
        call(ht.ones(6))
