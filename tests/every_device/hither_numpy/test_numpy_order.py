"""Orders of complex numbers, unique slices, and quantiles without NaN, compared with NumPy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from property_tests import examples

SETTINGS = settings(
    max_examples=examples(20),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
METHODS = (
    "inverted_cdf averaged_inverted_cdf closest_observation interpolated_inverted_cdf hazen "
    "weibull linear median_unbiased normal_unbiased lower higher midpoint nearest"
).split()


@pytest.fixture(autouse=True)
def _native():
    with ht.host_fallback("error"):
        yield


def same(result, right, rtol=0.0):
    results, rights = ((result,), (right,)) if isinstance(right, np.ndarray | np.generic) else (
        result, right)  # fmt: skip
    assert len(results) == len(rights)
    for one, other in zip(results, rights, strict=True):
        assert (one.dtype, one.shape) == (other.dtype, other.shape)
        np.testing.assert_allclose(ht.asnumpy(one), other, rtol=rtol, atol=rtol)


def complexes(size, seed, nans):
    rng = np.random.default_rng(seed)
    parts = np.array([-1.0, 0.0, 1.0, 2.0, np.nan] if nans else [-1.0, 0.0, 1.0, 2.0])
    x = np.empty(size, complex)
    x.real, x.imag = rng.choice(parts, size), rng.choice(parts, size)
    return x


@SETTINGS
@given(
    size=st.sampled_from([1, 2, 7, 40]), seed=st.integers(0, 99), nans=st.booleans(),
    char=st.sampled_from("FD"),
)  # fmt: skip
def test_complex_numbers_are_ordered_as_in_numpy(queue, size, seed, nans, char):
    x = complexes(size, seed, nans).astype(char)
    own = ht.asarray(x, queue=queue)
    for name in ("sort", "max", "min", "argmax", "argmin", "median"):
        if nans and name == "median":
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(getattr(hnp, name)(own), getattr(np, name)(x), 1e-6)
    same(hnp.argsort(own), np.argsort(x, kind="stable"))
    keys = x[::-1].copy()
    same(hnp.lexsort((ht.asarray(keys, queue=queue), own)), np.lexsort((keys, x)))
    ordered = np.sort(x)
    for side in ("left", "right"):
        result = hnp.searchsorted(ht.asarray(ordered, queue=queue), own, side)
        same(result, np.searchsorted(ordered, x, side))
    same(hnp.isin(own, own[:2]), np.isin(x, x[:2]))


@SETTINGS
@given(
    dtype=st.sampled_from(["?", "b", "i", "e", "f", "d", "D"]), seed=st.integers(0, 99),
    shape=st.sampled_from([(6, 2), (5, 3, 4), (7, 1), (1, 5), (40, 3), (0, 3), (3, 0), (9, 7)]),
)  # fmt: skip
def test_unique_slices(queue, dtype, seed, shape):
    x = np.random.default_rng(seed).integers(0, 2, shape).astype(dtype)
    for own in (ht.asarray(x, queue=queue), ht.asarray(x.T.copy(), queue=queue).T):
        for axis in range(-1, x.ndim):
            right = np.unique(x, True, True, True, axis)
            same(hnp.unique(own, True, True, True, axis), right)
            same(hnp.unique(own, axis=axis), right[0])


def test_slices_with_nan_differ(queue):
    x = np.array([[np.nan, 1], [0, 1], [np.nan, 1], [0, 1]])
    result, counts = hnp.unique(ht.asarray(x, queue=queue), return_counts=True, axis=0)
    assert ht.asnumpy(counts).tolist() == [2, 1, 1]
    np.testing.assert_array_equal(ht.asnumpy(result), [[0, 1], [np.nan, 1], [np.nan, 1]])


@pytest.mark.parametrize("method", METHODS)
@SETTINGS
@given(
    shape=st.sampled_from([(5,), (4, 6), (1, 3), (3, 5, 2)]), axis=st.sampled_from([None, 0, -1]),
    q=st.sampled_from([50, 0, 100, 37.5, [0, 12.5, 100], [[25], [75]]]), share=st.floats(0, 1),
    dtype=st.sampled_from(["f", "d", "i"]), keepdims=st.booleans(),
)  # fmt: skip
def test_quantiles(queue, method, shape, axis, q, share, dtype, keepdims):
    rng = np.random.default_rng(int(share * 1000))
    x = rng.integers(-9, 9, shape).astype(dtype)
    if x.dtype.kind == "f":
        x[rng.random(shape) < share / 2] = np.nan
    own = ht.asarray(x.T.copy(), queue=queue).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in ("percentile", "nanpercentile"):
            right = getattr(np, name)(x, q, axis=axis, method=method, keepdims=keepdims)
            result = getattr(hnp, name)(own, q, axis=axis, method=method, keepdims=keepdims)
            if name == "nanpercentile" and dtype == "f":  # NumPy's dtype depends on the NaNs
                right = np.asarray(right, result.dtype)
            same(result, right, 1e-5)
        for name in ("median", "nanmedian"):
            right = getattr(np, name)(x, axis=axis, keepdims=keepdims)
            same(getattr(hnp, name)(own, axis=axis, keepdims=keepdims), right, 1e-6)


@SETTINGS
@given(
    case=st.sampled_from([((5,), None), ((4, 6), 0), ((4, 6), -1), ((3, 5, 2), (0, 2))]),
    q=st.sampled_from([0, 0.5, 1, [0.1, 0.75]]), seed=st.integers(0, 99), keepdims=st.booleans(),
    dtype=st.sampled_from(["f", "d", "i"]), narrow=st.booleans(),
)  # fmt: skip
def test_quantiles_with_weights(queue, case, q, seed, keepdims, dtype, narrow):
    (shape, axis), rng = case, np.random.default_rng(seed)
    x, weights = rng.integers(-9, 9, shape).astype(dtype), rng.integers(0, 4, shape).astype(float)
    if narrow and axis is not None:
        axes = axis if isinstance(axis, tuple) else (axis,)
        weights = rng.integers(0, 4, tuple(shape[i] for i in axes)).astype(float)
    if x.dtype.kind == "f":
        x[rng.random(shape) < 0.2] = np.nan
    own, factors = ht.asarray(x, queue=queue), ht.asarray(weights, queue=queue)
    options = {"axis": axis, "keepdims": keepdims, "method": "inverted_cdf"}
    for name in ("quantile", "nanquantile"):
        call, numpys = getattr(hnp, name), getattr(np, name)
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            try:
                right = numpys(x, q, weights=weights, **options)
            except ValueError:
                if name == "quantile":
                    with pytest.raises(ValueError, match="weights"):
                        call(own, q, weights=factors, **options)
                continue
            except IndexError:  # NumPy's nanquantile does not broadcast weights
                continue
            same(call(own, q, weights=factors, **options), right)


def test_weights_of_quantiles_that_are_refused(queue):
    x = ht.asarray([1.0, 2.0], queue=queue)
    for weights, method in (([1, -1], "inverted_cdf"), ([1, 1], "linear")):
        with pytest.raises(ValueError, match="weights"):
            hnp.quantile(x, 0.5, weights=ht.asarray(weights, queue=queue), method=method)
