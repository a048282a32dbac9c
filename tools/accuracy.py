"""Measures the largest errors of the mathematical functions, in units in the last place (ulp).

`python tools/accuracy.py [--arguments N] > docs/measurements/cpu_accuracy.md`, with mpmath; with
`--special` only the functions of hither.scipy.special. The device is HITHER_DEVICE's. The error of
a result y is |y - exact| / ulp(exact), where ulp is the distance of the neighbouring numbers of the
dtype at the exact value; correct rounding gives at most 0.5.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import mpmath
import numpy as np

import hither as ht
from hither.scipy import special

mpmath.mp.prec = 160


class Function(NamedTuple):
    exact: Callable[..., Any]
    low: float  # arguments between `low` and `high`
    high: float
    float_high: float | None = None  # the same for float32, if the result would overflow
    float_low: float | None = None
    operands: int = 1


def cbrt(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


FUNCTIONS = {
    "exp": Function(mpmath.exp, -708, 709, 88, -87),
    "exp2": Function(lambda x: mpmath.power(2, x), -1022, 1023, 127, -126),
    "expm1": Function(mpmath.expm1, -50, 709, 88),
    "log": Function(mpmath.log, 0, 1e300, 1e38),
    "log2": Function(lambda x: mpmath.log(x, 2), 0, 1e300, 1e38),
    "log10": Function(mpmath.log10, 0, 1e300, 1e38),
    "log1p": Function(mpmath.log1p, -1, 1e300, 1e38),
    "sin": Function(mpmath.sin, -1e5, 1e5),
    "cos": Function(mpmath.cos, -1e5, 1e5),
    "tan": Function(mpmath.tan, -1e5, 1e5),
    "asin": Function(mpmath.asin, -1, 1),
    "acos": Function(mpmath.acos, -1, 1),
    "atan": Function(mpmath.atan, -1e5, 1e5),
    "sinh": Function(mpmath.sinh, -710, 710, 89, -89),
    "cosh": Function(mpmath.cosh, -710, 710, 89, -89),
    "tanh": Function(mpmath.tanh, -25, 25),
    "asinh": Function(mpmath.asinh, -1e300, 1e300, 1e38, -1e38),
    "acosh": Function(mpmath.acosh, 1, 1e300, 1e38),
    "atanh": Function(mpmath.atanh, -1, 1),
    "cbrt": Function(cbrt, -1e300, 1e300, 1e38, -1e38),
    "erf": Function(mpmath.erf, -6, 6),
    "erfc": Function(mpmath.erfc, -6, 26, 9),
    "power": Function(mpmath.power, 0, 1e20, 1e9, operands=2),
    "atan2": Function(mpmath.atan2, -1e20, 1e20, operands=2),
    "hypot": Function(mpmath.hypot, -1e100, 1e100, 1e18, -1e18, operands=2),
}


def normal(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.erfc(-x / mpmath.sqrt(2)) / 2


def scaled_erfc(x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.exp(x * x) * mpmath.erfc(x)


def logistic(x: mpmath.mpf) -> mpmath.mpf:
    return 1 / (1 + mpmath.exp(-x))


SPECIAL = {
    "erfinv": Function(mpmath.erfinv, -1, 1),
    "erfcx": Function(scaled_erfc, -26, 1e10, 1e10, -9),
    "ndtr": Function(normal, -37, 9, 9, -12),
    "log_ndtr": Function(lambda x: mpmath.log(normal(x)), -1e3, 4),
    "gamma": Function(mpmath.gamma, -20, 171, 34),
    "gammaln": Function(mpmath.loggamma, 0, 1e300, 1e35),
    "psi": Function(mpmath.digamma, 0, 1e300, 1e38),
    "j0": Function(lambda x: mpmath.besselj(0, x), -5, 5),
    "j1": Function(lambda x: mpmath.besselj(1, x), -5, 5),
    "i0": Function(lambda x: mpmath.besseli(0, x), -700, 700, 88, -88),
    "i1": Function(lambda x: mpmath.besseli(1, x), -700, 700, 88, -88),
    "k0": Function(lambda x: mpmath.besselk(0, x), 0, 100, 80),
    "k1": Function(lambda x: mpmath.besselk(1, x), 0, 100, 80),
    "expit": Function(logistic, -700, 40, 20, -87),
    "logit": Function(lambda p: mpmath.log(p / (1 - p)), 0, 1),
}


def arguments(f: Function, dtype: Any, count: int, random: np.random.Generator) -> np.ndarray:
    """A third is uniform, a third has uniform exponents, a third is near 1 and -1."""
    single = dtype == np.float32
    low = f.float_low if single and f.float_low is not None else f.low
    high = f.float_high if single and f.float_high is not None else f.high
    largest = np.log10(max(abs(low), abs(high)))
    smallest = -30 if single else -250
    signs = random.choice([-1.0, 1.0], count)
    found = np.concatenate([
        random.uniform(low, high, count),
        signs * 10.0 ** random.uniform(smallest, largest, count),
        signs * 10.0 ** random.uniform(-9, largest, count),
        signs * random.uniform(0.5, 2, count),
    ]).astype(dtype)  # fmt: skip
    found = found[(found > low) & (found < high)]
    return random.choice(found, count, replace=False)


def largest_error(name: str, dtype: Any, count: int) -> float:
    f = FUNCTIONS.get(name) or SPECIAL[name]
    random = np.random.default_rng(sum(map(ord, name)))
    operands = [arguments(f, dtype, count, random) for _ in range(f.operands)]
    if name == "power":
        operands[1] = random.uniform(-3, 3, count).astype(dtype)
    function = getattr(ht if name in FUNCTIONS else special, name)
    results = ht.asnumpy(function(*map(ht.asarray, operands)))
    smallest, largest = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
    worst = 0.0
    for result, *at in zip(results, *operands, strict=True):
        exact = f.exact(*(mpmath.mpf(float(x)) for x in at))
        if not smallest <= abs(exact) <= largest:
            continue
        below = dtype(abs(exact))
        if below > abs(exact):
            below = np.nextafter(below, dtype(0))
        ulp = mpmath.mpf(float(np.spacing(below)))
        worst = max(worst, float(abs(mpmath.mpf(float(result)) - exact) / ulp))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--arguments", type=int, default=20_000, help="per function and dtype")
    parser.add_argument("--special", action="store_true", help="only special functions")
    given = parser.parse_args()
    count = given.arguments
    device = ht.default_queue().device.filter_string
    print(f"""# Accuracy of mathematical functions

{datetime.now(UTC):%Y-%m-%d}, {device}. Command: `tools/accuracy.py --arguments {count}`.

Largest errors found, in units in the last place (ulp); correct rounding gives at most 0.5.

| function | float32 | float64 |
|---|---|---|""")
    for name in SPECIAL if given.special else [*FUNCTIONS, *SPECIAL]:
        single, double = (largest_error(name, d, count) for d in (np.float32, np.float64))
        print(f"| `{name}` | {single:.3f} | {double:.3f} |", flush=True)


if __name__ == "__main__":
    main()
