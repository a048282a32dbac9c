"""Arguments of offloaded Numba functions that may be None."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht

pytestmark = pytest.mark.either_mode  # the arguments are NumPy arrays

X = np.random.RandomState(0).rand(1003)
M = X[:1000].reshape(40, 25)


def test_none_is_known_where_it_is_asked_for(queue):
    @numba.njit(["f8(f8[:], optional(f8))"])
    def total(x, weight):
        s = 0.0
        for i in prange(x.size):
            if weight is not None:
                s += x[i] * weight
            else:
                s += x[i]
        return s

    with ht.device_context(queue, keep_below=0):
        assert total(X, None) == pytest.approx(X.sum())
        assert total(X, 2.0) == pytest.approx(2 * X.sum())
    assert "ran 2 times" in str(ht.offload_report(total))


def weighted_total(x, weights):
    s = 0.0
    for i in prange(x.shape[0]):
        if weights is None:
            s += x[i].sum()
        else:
            s += (x[i] * weights[i]).sum()
    return s


@numba.njit
def chosen(x, flag, out):
    source = None
    if flag:
        source = x
    for i in prange(out.size):
        out[i] = -1 if source is None else source[i]
    return out


@numba.njit(["void(f8[::1], optional(f8[:]))"])
def add_to_both(x, y):
    for i in prange(x.size):
        x[i] += 1
        if y is not None:
            y[i] += x[i]


def test_arrays_may_be_none(queue):
    # Compiled anew on each device: what cannot be a kernel is warned about once.
    weighted = numba.njit(["f8(f8[:,:], optional(f8[:,::1]))", "f8(f8[:,::1], optional(f8[:,:]))"])(
        weighted_total
    )
    with ht.device_context(queue, keep_below=0):
        # x[i] * weights[i] would allocate, which a kernel cannot.
        with pytest.warns(ht.PerformanceWarning, match="weighted_total"):
            weighted(M, None)
        for x in (M, M[:, ::2]):
            assert weighted(x, None) == pytest.approx(x.sum())
            assert weighted(x, x + 1) == pytest.approx((x * (x + 1)).sum())
        np.testing.assert_array_equal(chosen(X, True, np.zeros(9)), X[:9])
        np.testing.assert_array_equal(chosen(X, False, np.zeros(9)), [-1] * 9)
        x, y = np.zeros(5), np.zeros(10)
        add_to_both(x, None)
        add_to_both(x, y[::2])
    np.testing.assert_array_equal(x, [2] * 5)
    np.testing.assert_array_equal(y, [2, 0] * 5)
    for function in (chosen, add_to_both):
        assert all(p.kernel for p in ht.offload_report(function).parfors)
