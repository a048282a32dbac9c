"""Vectors of odd widths, and of halves: what a code generator meets seldom."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

DTYPES = ["int8", "int32", "uint32", "int64", "float16", "float32", "float64", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [2, 3, 5])
def test_reductions_of_every_short_width(dtype, step):
    for rows, columns in [(3, 10), (2, 5), (5, 9), (5, 17), (4, 31), (3, 100)]:
        host = (np.arange(rows * columns) % 5).reshape(rows, columns).astype(dtype)
        seen, expected = ht.asarray(host)[:, ::step], host[:, ::step]
        for axis in (0, 1, None):
            np.testing.assert_array_equal(
                ht.asnumpy(ht.count_nonzero(seen, axis=axis)), np.count_nonzero(expected, axis=axis)
            )
            np.testing.assert_allclose(
                ht.asnumpy(ht.sum(seen, axis=axis)), expected.sum(axis=axis), rtol=1e-2
            )


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("n", [1, 15, 16, 17, 33, 100])
@pytest.mark.parametrize("zero", [0.0, -0.0])
def test_extremes_keep_nan_in_every_lane(dtype, n, zero):
    zeros, nans = np.full(n, zero, dtype), np.full(n, np.nan, dtype)
    for function in (ht.maximum, ht.minimum):
        for left, right in [(zeros, nans), (nans, zeros)]:
            result = function(ht.asarray(left), ht.asarray(right))
            assert np.isnan(ht.asnumpy(result)).all()


@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.filterwarnings("ignore")
def test_powers_of_complex_zero(dtype):
    exponents = np.array([1 + 1j, 0.5 - 2j, 2, 0, -1, -1 + 1j, 1j], dtype)
    expected = np.power(np.zeros(1, dtype), exponents)
    result = ht.pow(ht.zeros(1, dtype=dtype), ht.asarray(exponents))
    np.testing.assert_array_equal(ht.asnumpy(result), expected)
