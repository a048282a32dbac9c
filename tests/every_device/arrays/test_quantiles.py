"""Medians, percentiles and quantiles against NumPy, on every device."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

METHODS = ["inverted_cdf", "averaged_inverted_cdf", "closest_observation",
           "interpolated_inverted_cdf", "hazen", "weibull", "linear", "median_unbiased",
           "normal_unbiased", "lower", "higher", "midpoint", "nearest"]  # fmt: skip
CASES = [((9,), None), ((1,), 0), ((2_000,), None), ((4, 5), None), ((4, 5), 0), ((4, 6), -1),
         ((3, 4, 5), (0, 2)), ((3, 4, 5), 1), ((3, 0), 0)]  # fmt: skip
profile = settings(
    deadline=None, max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


def numbers(dtype, shape, seed):
    random = np.random.default_rng(seed)
    x = random.integers(-20, 20, shape).astype(dtype)
    if x.dtype.kind == "f" and x.size and seed % 3 == 0:
        x[random.random(shape) < 0.1] = np.nan
        x[random.random(shape) < 0.1] = np.inf
    return x


def check(result, expected, dtype=None):
    assert result.shape == np.shape(expected)
    assert result.dtype == (dtype or np.asarray(expected).dtype)
    tolerance = 2e-3 if result.dtype == np.float16 else 1e-5
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=tolerance, atol=tolerance)


@profile
@given(
    dtype=st.sampled_from(["int8", "int64", "float16", "float32", "float64"]),
    case=st.sampled_from(CASES),
    seed=st.integers(0, 20),
    keepdims=st.booleans(),
)
def test_median(queue, dtype, case, seed, keepdims):
    shape, axis = case
    host = numbers(dtype, shape, seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = np.median(host, axis=axis, keepdims=keepdims)
    x = ht.asarray(host, queue=queue)
    check(ht.median(x, axis=axis, keepdims=keepdims), expected)


@profile
@given(
    dtype=st.sampled_from(["int32", "float32", "float64"]),
    case=st.sampled_from(CASES[:-1]),
    q=st.sampled_from([0.5, 0.0, 1.0, 0.3, [0.1, 0.25, 0.9], [[0.0, 1.0], [0.75, 1 / 3]]]),
    method=st.sampled_from(METHODS),
    keepdims=st.booleans(),
    seed=st.sampled_from([1, 2, 4]),
)
def test_quantile(queue, dtype, case, q, method, keepdims, seed):
    shape, axis = case
    host = numbers(dtype, shape, seed)
    options = {"axis": axis, "method": method, "keepdims": keepdims}
    expected = np.quantile(host.astype(np.float64), q, **options)
    x = ht.asarray(host, queue=queue)
    result = ht.quantile(x, q, **options)
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-5, atol=1e-5)
    assert result.dtype == np.quantile(host, q, **options).dtype
    q = np.asarray(q) * 100
    expected = np.percentile(host.astype(np.float64), q, **options)
    percentile = ht.percentile(x, q, **options)
    np.testing.assert_allclose(ht.asnumpy(percentile), expected, rtol=1e-5, atol=1e-5)


def test_nans(queue):
    host = np.array([[1.0, np.nan, 3.0], [1.0, 2.0, 3.0]])
    x = ht.asarray(host, queue=queue)
    for method in METHODS:
        result = ht.asnumpy(ht.quantile(x, 0.5, axis=1, method=method))
        assert np.isnan(result[0]), method
        assert 1 <= result[1] <= 2, method


def test_errors(queue):
    x = ht.asarray([1.0, 2.0], queue=queue)
    with pytest.raises(ht.InvalidValueError, match="from 0 to 1"):
        ht.quantile(x, 1.5)
    with pytest.raises(ht.InvalidValueError, match="from 0 to 100"):
        ht.percentile(x, -1)
    with pytest.raises(ht.InvalidValueError, match="method is 'best'"):
        ht.quantile(x, 0.5, method="best")
    with pytest.raises(ht.InvalidTypeError, match="complex"):
        ht.median(x + 1j)
    with pytest.raises(ht.OutOfRangeError, match="axis 3"):
        ht.median(x, axis=3)
    with pytest.raises(ht.InvalidValueError, match="twice"):
        ht.quantile(x, 0.5, axis=(0, 0))
