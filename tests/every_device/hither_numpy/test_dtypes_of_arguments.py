"""dtype= and Python numbers as NumPy takes them."""

from __future__ import annotations

import warnings

import numpy
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as np
from property_tests import examples

SETTINGS = settings(
    max_examples=examples(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


@SETTINGS
@given(
    st.sampled_from(["var", "std", "mean"]),
    st.sampled_from(["bool", "uint8", "int64", "float16", "float32", "float64", "complex128"]),
    st.sampled_from([None, "int32", "float32", "float64", "complex64", "complex128"]),
    st.sampled_from([{}, {"axis": 0}, {"axis": -1, "keepdims": True}]),
    st.integers(0, 100),
)
def test_the_dtype_of_statistics(queue, name, own, dtype, keywords, seed):
    random = numpy.random.default_rng(seed)
    host = random.integers(0, 9, (3, 4)).astype(own)
    if own == "complex128":
        host += 1j * random.random((3, 4))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about complex numbers that become real
        try:
            expected = numpy.asarray(getattr(numpy, name)(host, dtype=dtype, **keywords))
        except TypeError:  # NumPy's std of integers along an axis
            return
    result = getattr(np, name)(np.asarray(host, queue=queue), dtype=dtype, **keywords)
    assert result.dtype == expected.dtype
    tolerance = 5e-3 if "float16" in (own, expected.dtype.name) else 1e-5
    numpy.testing.assert_allclose(ht.asnumpy(result), expected, rtol=tolerance, atol=tolerance)


def test_a_narrow_dtype_of_a_variance_is_that_of_its_sums(queue):
    x = np.asarray([2**53 + 1, 2**53 + 3], queue=queue)
    assert float(np.var(x, dtype="float32")) == float(numpy.var(ht.asnumpy(x), dtype="float32"))
    y = np.asarray([16777217.0, 16777219.0], queue=queue)
    assert float(np.std(y, dtype="float32")) == 1


def test_numbers_that_integers_cannot_hold(queue):
    x = np.asarray([4, 6], "uint8", queue=queue)
    for function in (np.gcd, np.lcm):
        for number in (300, -1, 2**70):
            with pytest.raises(OverflowError):
                function(x, number)
            with pytest.raises(OverflowError):
                function(number, x)
    assert np.gcd(x, 12).dtype == np.uint8
    assert np.gcd(12, x).tolist() == [4, 6]


def test_decimals_of_complex_numbers(queue):
    inf = numpy.inf
    host = numpy.array([[complex(1.25, inf), complex(-inf, 2.345)], [1.26 + 3.14j, -0.04 - 0.0j]])
    for given_ in (host, host.T, host[0, 0], host[:0], host.astype("complex64")):
        for decimals in (-1, 1, 2):
            result = np.round(np.asarray(given_, queue=queue), decimals)
            expected = numpy.round(given_, decimals)
            assert result.dtype == expected.dtype
            numpy.testing.assert_array_equal(ht.asnumpy(result), expected)


def test_numbers_among_choices(queue):
    def calls(xp, **place):
        x = xp.asarray([1, 2, 3], "float32", **place)
        mask, other = x > 1.5, x > 2.5
        index = xp.asarray([0, 1, 1], **place)
        return [
            xp.select([mask, other], [x, 0.5]), xp.select([mask, other], [0.5, x], 7),
            xp.select([mask], [2.5]), xp.choose(index, [x, 0.5]), xp.choose(index, [2, 3]),
        ]  # fmt: skip

    for result, expected in zip(calls(np, queue=queue), calls(numpy), strict=True):
        assert result.dtype == expected.dtype
        numpy.testing.assert_array_equal(ht.asnumpy(result), expected)
