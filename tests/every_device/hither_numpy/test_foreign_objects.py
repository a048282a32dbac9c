"""Objects of other classes that stand for arrays and numbers."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp


class LikeArray:
    """Has an array's attributes, which it reads from numpy.asarray() of itself."""

    def __init__(self, elements):
        self.elements = elements

    def __array__(self, dtype=None, copy=None):
        return self.elements if dtype is None else self.elements.astype(dtype)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(hnp.asarray(self), name)


def test_objects_with_an_array_method(queue):
    elements = ht.asarray([1.0, 2.0, 4.0], queue=queue)
    with ht.device_context(queue):
        for wrapped in (LikeArray(elements), LikeArray(ht.asnumpy(elements))):
            assert wrapped.shape == (3,) and wrapped.dtype == np.float64
            for x in (
                hnp.asarray(wrapped),
                hnp.array(wrapped, dtype="float32"),
                ht.asarray(wrapped),
            ):
                assert x.queue == queue and x.tolist() == [1, 2, 4]
            assert hnp.sum(wrapped) == 7 and hnp.multiply(wrapped, elements).tolist() == [1, 4, 16]
            hnp.testing.assert_allclose(wrapped, elements)
            hnp.testing.assert_array_equal([1, 2, 4], wrapped)
            with pytest.raises(AssertionError):
                hnp.testing.assert_allclose(wrapped, [1, 2, 5])
        copied = hnp.array(LikeArray(elements))
    copied[0] = 9
    assert elements.tolist() == [1, 2, 4]


class Real:
    def __float__(self):
        return 2.5


@pytest.mark.parametrize("number", [Real(), Fraction(5, 2), Decimal("2.5")])
def test_an_array_takes_objects_that_convert_to_a_number(queue, number):
    def stored(x):
        y = x.copy()
        y[1] = number
        y[0, 1:] = number
        y[y > 4] = number
        z = x.copy()
        z.fill(number)
        return y + z

    for dtype in ("float64", "float32", "complex64", "bool"):
        x = np.array([[-2, 3, 4], [5, 1, -1]], dtype)
        result = stored(ht.asarray(x, queue=queue))
        assert result.dtype == x.dtype and np.array_equal(ht.asnumpy(result), stored(x))
    with ht.device_context(queue):
        for make in (hnp.array, hnp.asarray):
            x = make(number, dtype="float32")
            assert x == 2.5 and x.dtype == np.float32 and x.queue == queue
        for wrong in (object(), None, {}):
            with pytest.raises(TypeError):
                hnp.zeros(2)[0] = wrong
    if isinstance(number, Real):
        with pytest.raises(TypeError, match="int"):
            ht.zeros(2, dtype="int32", queue=queue)[0] = number


@pytest.mark.parametrize("dtype", ["float64", "float32", "complex64", "int64", None])
def test_none_is_nan_in_a_floating_dtype(queue, dtype):
    with ht.device_context(queue):
        if dtype not in (None, "int64"):
            for make in (hnp.array, hnp.asarray):
                assert np.isnan(np.asarray(None, dtype)) and hnp.isnan(make(None, dtype=dtype))
                assert hnp.isnan(make([1, None], dtype=dtype)).tolist() == [False, True]
            return
        with pytest.raises(TypeError):
            hnp.array(None, dtype=dtype)
