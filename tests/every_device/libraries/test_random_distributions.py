"""The distributions of hither.random compared with SciPy's, and their numbers on every device.

Seeds are fixed and the numbers have the same bits everywhere, so that no test fails by chance.
"""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

st = pytest.importorskip("scipy.stats")
from every_device.libraries.random_cases import (  # noqa: E402
    CASES,
    CONTINUOUS,
    DISCRETE,
    NEARLY_EQUAL,
    fingerprint,
)

N = 20_000
LEAST = 1e-3  # The smallest p-value that is not refused, for about 100 samples.


def drawn(device, name, cases, seed=5):
    """N numbers for each tuple of parameters, in the rows of an array."""
    columns = [ht.asarray(list(c), device=device)[:, None] for c in zip(*cases, strict=True)]
    random = ht.random.Generator(seed, queue=device)
    return getattr(random, name)(*columns, size=(len(cases), N))


@pytest.mark.parametrize("name", CONTINUOUS)
def test_real_numbers(device, name):
    cases, distribution = CONTINUOUS[name]
    x = drawn(device, name, cases)
    assert (x.dtype, x.queue) == (ht.float64, device.default_queue)
    for row, case in zip(ht.asnumpy(x), cases, strict=True):
        assert st.kstest(row, distribution(*case).cdf).pvalue > LEAST, case


def chi_square(x, distribution):
    """The p-value of a histogram with at least 5 expected numbers in each bin."""
    edges = np.unique(distribution.ppf(np.linspace(0.01, 0.99, 50)))
    observed = np.histogram(x, np.r_[-np.inf, edges + 0.5, np.inf])[0]
    expected = np.diff(np.r_[0, distribution.cdf(edges), 1]) * len(x)
    kept = expected >= 5
    assert observed[~kept].sum() < 30
    if kept.sum() == 1:
        return 1.0
    return st.chisquare(
        observed[kept], expected[kept] * observed[kept].sum() / expected[kept].sum()
    ).pvalue


@pytest.mark.parametrize("name", DISCRETE)
def test_integers(device, name):
    cases, distribution = DISCRETE[name]
    x = drawn(device, name, cases)
    assert (x.dtype, x.queue) == (ht.int64, device.default_queue)
    for row, case in zip(ht.asnumpy(x), cases, strict=True):
        assert chi_square(row, distribution(*case)) > LEAST, case
        assert (distribution(*case).pmf(np.unique(row)) > 0).all(), case


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    ("name", "distribution"),
    [("random", "uniform"), ("standard_normal", "norm"), ("standard_exponential", "expon")],
)
def test_standard_numbers(device, name, distribution, dtype):
    x = getattr(ht.random.Generator(4, queue=device), name)(N, dtype=dtype)
    assert x.dtype == dtype
    host = ht.asnumpy(x).astype(np.float64)
    assert st.kstest(host, getattr(st, distribution)().cdf).pvalue > LEAST
    # adjacent numbers, which share a counter, are independent
    for step in (1, 2, 3):
        assert abs(np.corrcoef(host[:-step], host[step:])[0, 1]) < 4 / np.sqrt(N)
        assert abs(np.corrcoef(host[:-step] ** 2, host[step:] ** 2)[0, 1]) < 4 / np.sqrt(N)


def test_gamma_of_float32(device):
    x = ht.random.Generator(4, queue=device).standard_gamma(2.5, N, dtype="float32")
    assert x.dtype == "float32"
    assert st.kstest(ht.asnumpy(x).astype("float64"), st.gamma(2.5).cdf).pvalue > LEAST


@pytest.mark.parametrize("name", CASES)
def test_numbers_are_equal_on_every_device(device, name):
    cases, _ = CASES[name]
    x = ht.asnumpy(getattr(ht.random.Generator(9, queue=device), name)(*cases[-1], size=500))
    if name in NEARLY_EQUAL:
        there = ht.random.Generator(9, queue="native_cpu")
        y = ht.asnumpy(getattr(there, name)(*cases[-1], size=500))
        np.testing.assert_allclose(x, y, rtol=1e-14, atol=1e-15)
        return
    assert fingerprint(x) == FINGERPRINTS[name]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", ["random", "standard_normal", "standard_exponential"])
def test_large_and_small_draws_have_the_same_numbers(device, name, dtype):
    """Draws of many elements compute all numbers of a counter at a time."""
    random = ht.random.Generator(9, queue=device)
    large = ht.asnumpy(getattr(random, name)(4099, dtype=dtype))
    assert fingerprint(large) == FINGERPRINTS[f"{name} {dtype}"]
    for count in (0, 1, 2, 3, 5, 4095):
        random.draw = 0
        x = getattr(random, name)(count, dtype=dtype)
        np.testing.assert_array_equal(ht.asnumpy(x), large[:count])


FINGERPRINTS = {
    "uniform": 0x960C36D66BC24511,
    "normal": 0x7F1AF4BFFC20C840,
    "lognormal": 0x62DAECF3D0C25518,
    "exponential": 0x1D80D70C8D0065D7,
    "laplace": 0x75CAFAB993649FD9,
    "logistic": 0x8DA33765AC820F86,
    "gumbel": 0xACC6B924605BCEB2,
    "rayleigh": 0x98E2B7B3E486BC89,
    "weibull": 0xD7DE0819EDDE759F,
    "pareto": 0xDD453800BF48D1B0,
    "power": 0x58F86FBE3C215459,
    "standard_cauchy": 0xA4F9C6456F5AB586,
    "triangular": 0x3D6026DE6945C565,
    "standard_gamma": 0x328ABD4663DAAAEC,
    "gamma": 0x2EDE3BC09AEFED9D,
    "beta": 0x5075CF15B80A7AD5,
    "chisquare": 0xFD6BC0E1E71D0A87,
    "noncentral_chisquare": 0x6C5AA842547BC793,
    "f": 0x59FC25EC127DD9FF,
    "noncentral_f": 0xC38307E0CA9007A4,
    "standard_t": 0x534B0B6F60A854A8,
    "wald": 0x5D9D757302D337A1,
    "poisson": 0xEA1AD5B69AC99F24,
    "binomial": 0x346D7947485A5A3A,
    "negative_binomial": 0x81D134F6534F1B78,
    "geometric": 0x80934C424A211BCD,
    "hypergeometric": 0xF5A92D8360668CAB,
    "zipf": 0xC1D0B5F818381A6A,
    "logseries": 0xDC6D6D7116417E81,
    "random float32": 0x02D26118219AC988,
    "random float64": 0x41939D7778B88AFA,
    "standard_normal float32": 0x62F2F5B441B951FF,
    "standard_normal float64": 0xE6C45017644D2BF8,
    "standard_exponential float32": 0xBF6A0CEC07B847F9,
    "standard_exponential float64": 0xF9C5CB6B8404109E,
}
