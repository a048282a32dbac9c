"""Vectors of odd widths and of float16, which code generators handle rarely."""

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


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16"])
@pytest.mark.parametrize("begins", [(0, 0, 0), (4, 8, 16), (1, 1, 1), (0, 3, 16), (2, 0, 2)])
def test_narrow_rows_from_any_byte_on(dtype, begins):
    """GPUs use vectors for whole groups of items and for rows that start at whole vectors."""
    rng = np.random.default_rng(7)
    for n in (1, 15, 16, 1023, 1024, 4096, 4100, 70_001):
        hosts = [rng.integers(0, 3, n + 20).astype(dtype) for _ in range(3)]
        arrays = [ht.asarray(host) for host in hosts]
        (x, y, z), (a, b, c) = (
            [part[begin : begin + n] for part, begin in zip(parts, begins, strict=True)]
            for parts in (arrays, hosts)
        )
        np.testing.assert_array_equal(ht.asnumpy(x == y), a == b)
        np.testing.assert_array_equal(ht.asnumpy(ht.astype(x, "float64") + 0.5), a + 0.5)
        z[...] = ht.where(x > y, x, y)
        c[...] = np.where(a > b, a, b)
        for part in (x, a):  # neighbours are read as they were
            part[1:] = part[:-1] > part[1:]
        np.testing.assert_array_equal(ht.asnumpy(arrays[2]), hosts[2])
        np.testing.assert_array_equal(ht.asnumpy(arrays[0]), hosts[0])
