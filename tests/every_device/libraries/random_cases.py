"""Distributions with parameters, SciPy's distribution of the same numbers, and a fingerprint."""

from __future__ import annotations

import numpy as np
import scipy.stats as st

# Method -> tuples of parameters, and SciPy's distribution with these parameters.
CONTINUOUS = {
    "uniform": ([(1.0, 3.0), (-2.0, 0.0)], lambda a, b: st.uniform(a, b - a)),
    "normal": ([(0.0, 1.0), (3.0, 2.0)], st.norm),
    "lognormal": ([(0.0, 1.0), (0.5, 0.3)], lambda m, s: st.lognorm(s, scale=np.exp(m))),
    "exponential": ([(1.0,), (2.5,)], lambda s: st.expon(scale=s)),
    "laplace": ([(0.0, 1.0), (1.0, 2.0)], st.laplace),
    "logistic": ([(0.0, 1.0), (1.0, 2.0)], st.logistic),
    "gumbel": ([(0.0, 1.0), (1.0, 2.0)], st.gumbel_r),
    "rayleigh": ([(1.0,), (3.0,)], lambda s: st.rayleigh(scale=s)),
    "weibull": ([(0.3,), (1.0,), (5.0,)], st.weibull_min),
    "pareto": ([(0.5,), (3.0,), (50.0,)], st.lomax),
    "power": ([(0.2,), (1.0,), (7.0,)], st.powerlaw),
    "standard_cauchy": ([()], st.cauchy),
    "triangular": (
        [(-1.0, 0.5, 2.0), (0.0, 0.0, 1.0), (0.0, 1.0, 1.0)],
        lambda a, m, b: st.triang((m - a) / (b - a), a, b - a),
    ),
    "standard_gamma": ([(0.01,), (0.5,), (1.0,), (1.01,), (2.5,), (1e4,)], st.gamma),
    "gamma": ([(0.5, 2.0), (30.0, 0.1)], lambda a, s: st.gamma(a, scale=s)),
    "beta": ([(0.5, 0.5), (0.3, 2.0), (3.0, 1.0), (1.0, 1.0), (20.0, 300.0)], st.beta),
    "chisquare": ([(0.3,), (1.0,), (2.0,), (7.0,)], st.chi2),
    "noncentral_chisquare": ([(0.5, 1.0), (1.0, 3.0), (2.0, 0.1), (7.0, 40.0)], st.ncx2),
    "f": ([(1.0, 2.0), (5.0, 9.0)], st.f),
    "noncentral_f": ([(5.0, 9.0, 2.0)], st.ncf),
    "standard_t": ([(0.5,), (2.0,), (30.0,)], st.t),
    "wald": (
        [(1.0, 1.0), (0.1, 5.0), (10.0, 1.0)],
        lambda m, s: st.invgauss(m / s, scale=s),
    ),
    "vonmises": (
        [(0.0, 1e-9), (0.0, 1e-6), (0.0, 0.1), (0.0, 1.0), (0.0, 4.0), (0.0, 50.0), (0.0, 1e7)],
        lambda m, k: st.vonmises(k, m),
    ),
}  # fmt: skip
DISCRETE = {
    "poisson": ([(0.01,), (0.5,), (3.0,), (9.99,), (10.0,), (80.0,), (1e6,)], st.poisson),
    "binomial": (
        [(1, 0.3), (10, 0.5), (10, 0.95), (40, 0.25), (100, 0.9), (1000, 0.5), (10**9, 0.999)],
        st.binom,
    ),
    "negative_binomial": ([(0.5, 0.2), (3.0, 0.5), (30.0, 0.1)], st.nbinom),
    "geometric": ([(0.999,), (0.9,), (0.4,), (0.001,)], st.geom),
    "hypergeometric": (
        [(5, 5, 3), (30, 40, 20), (40, 30, 60), (1000, 50, 300), (10, 1000, 1005),
         (10**6, 10**6, 10**5)],
        lambda good, bad, n: st.hypergeom(good + bad, good, n),
    ),
    "zipf": ([(1.5,), (2.0,), (4.0,), (20.0,)], st.zipf),
    "logseries": ([(0.01,), (0.3,), (0.7,), (0.99,)], st.logser),
}  # fmt: skip
CASES = CONTINUOUS | DISCRETE
# The only function that is not made of correctly rounded operations is the arc tangent.
NEARLY_EQUAL = {"vonmises"}


def fingerprint(x: np.ndarray) -> int:
    """A function of the bits of all elements and their order."""
    words = np.ascontiguousarray(x).view(f"u{x.dtype.itemsize}").ravel().astype(np.uint64)
    weights = np.arange(1, len(words) + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    return int((words * weights).sum(dtype=np.uint64))
