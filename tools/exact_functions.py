"""The mathematical functions of hither with their exact values, by mpmath, for tools/accuracy.py.

Each row has the arguments for which the error of a function is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist
from typing import Any, NamedTuple

import mpmath as m
from mpmath import mpf

PRECISION = 160  # bits
CANCELLING = 450  # bits, for functions whose formulas lose some
SMALL_PARTS = 1000  # bits, for complex functions of which one part is far smaller than the other
m.mp.prec = PRECISION


class Function(NamedTuple):
    exact: Callable[..., Any]
    low: float  # arguments between `low` and `high`
    high: float
    float_high: float | None = None  # the same for float32, if the result would overflow
    float_low: float | None = None
    operands: int = 1
    second: tuple[float, float] | None = None  # the range of a second operand, if it differs


def precise(f: Callable[..., Any], bits: int = CANCELLING) -> Callable[..., Any]:
    """f with more bits."""

    def of(*arguments: Any) -> Any:
        with m.workprec(bits):
            return f(*arguments)

    return of


def cbrt(x: mpf) -> mpf:
    return m.sign(x) * m.cbrt(abs(x))


def logaddexp(x: mpf, y: mpf) -> mpf:
    return max(x, y) + m.log1p(m.exp(-abs(x - y)))


def logaddexp2(x: mpf, y: mpf) -> mpf:
    return max(x, y) + m.log1p(m.power(2, -abs(x - y))) / m.log(2)


FUNCTIONS = {
    "exp": Function(m.exp, -708, 709, 88, -87),
    "exp2": Function(lambda x: m.power(2, x), -1022, 1023, 127, -126),
    "expm1": Function(m.expm1, -50, 709, 88),
    "log": Function(m.log, 0, 1e300, 1e38),
    "log2": Function(lambda x: m.log(x, 2), 0, 1e300, 1e38),
    "log10": Function(m.log10, 0, 1e300, 1e38),
    "log1p": Function(m.log1p, -1, 1e300, 1e38),
    "sin": Function(m.sin, -1e5, 1e5),
    "cos": Function(m.cos, -1e5, 1e5),
    "tan": Function(m.tan, -1e5, 1e5),
    "asin": Function(m.asin, -1, 1),
    "acos": Function(m.acos, -1, 1),
    "atan": Function(m.atan, -1e5, 1e5),
    "sinh": Function(m.sinh, -710, 710, 89, -89),
    "cosh": Function(m.cosh, -710, 710, 89, -89),
    "tanh": Function(m.tanh, -25, 25),
    "asinh": Function(m.asinh, -1e300, 1e300, 1e38, -1e38),
    "acosh": Function(m.acosh, 1, 1e300, 1e38),
    "atanh": Function(m.atanh, -1, 1),
    "sqrt": Function(m.sqrt, 0, 1e300, 1e38),
    "rsqrt": Function(lambda x: 1 / m.sqrt(x), 0, 1e300, 1e38),
    "cbrt": Function(cbrt, -1e300, 1e300, 1e38, -1e38),
    "cube": Function(lambda x: x**3, -1e100, 1e100, 1e12, -1e12),
    "reciprocal": Function(lambda x: 1 / x, -1e300, 1e300, 1e37, -1e37),
    "erf": Function(m.erf, -6, 6),
    "erfc": Function(m.erfc, -6, 26, 9),
    "power": Function(m.power, 0, 1e20, 1e9, operands=2, second=(-3, 3)),
    "atan2": Function(m.atan2, -1e20, 1e20, operands=2),
    "hypot": Function(m.hypot, -1e100, 1e100, 1e18, -1e18, operands=2),
    "logaddexp": Function(precise(logaddexp), -700, 700, 80, -80, operands=2),
    "logaddexp2": Function(precise(logaddexp2), -1000, 1000, 120, -120, operands=2),
}


def normal(x: mpf) -> mpf:
    return m.erfc(-x / m.sqrt(2)) / 2


def inverse_normal(p: mpf) -> mpf:
    """Newton's method doubles the 50 right bits of the first value in each step."""
    x = mpf(NormalDist().inv_cdf(float(p)))
    for _ in range(2):
        x += (p - normal(x)) * m.sqrt(2 * m.pi) * m.exp(x * x / 2)
    return x


def inverse_erfc(x: mpf) -> mpf:
    return -inverse_normal(x / 2) / m.sqrt(2)


def betaln(x: mpf, y: mpf) -> mpf:
    return m.loggamma(x) + m.loggamma(y) - m.loggamma(x + y)


def boxcox(x: mpf, power: mpf) -> mpf:
    return m.expm1(power * m.log(x)) / power


def boxcox1p(x: mpf, power: mpf) -> mpf:
    return m.expm1(power * m.log1p(x)) / power


def inverse_boxcox(x: mpf, power: mpf) -> mpf:
    """A negative base has no real result."""
    return m.exp(m.log1p(power * x) / power) if power * x > -1 else m.inf


def inverse_boxcox1p(x: mpf, power: mpf) -> mpf:
    return m.expm1(m.log1p(power * x) / power) if power * x > -1 else m.inf


def bessel(function: Callable[..., Any], order: int, scale: int = 0) -> Callable[[mpf], mpf]:
    """The function of x, times exp(scale |x|)."""
    return lambda x: function(order, x) * (m.exp(scale * abs(x)) if scale else 1)


def bessel_sums(order: int, square: mpf) -> tuple[mpf, mpf]:
    """The sums of t and of t (H(k) + H(k + order)), where t is square**k / (k! (k + order)!) and
    H(k) is 1 + 1/2 + ... + 1/k; by integers, which are multiples of 2**-bits."""
    bits = m.mp.prec
    one, factor = 1 << bits, int(m.ldexp(square, bits))
    term, harmonic = one, order * one  # order is 0 or 1
    first, second, k = term, harmonic, 0
    while term not in (0, -1):  # -1 is a negative number that is rounded down
        k += 1
        term = (term * factor >> bits) // (k * (k + order))
        harmonic += one // k + one // (k + order)
        first += term
        second += term * harmonic >> bits
    return m.ldexp(first, -bits), m.ldexp(second, -bits)


def bessel_y(order: int, x: mpf) -> mpf:
    first, second = bessel_sums(order, -x * x / 4)
    logarithm = 2 * (m.log(x / 2) + m.euler) * first - second
    return (logarithm * (x / 2) ** order - (2 / x if order else 0)) / m.pi


def bessel_k(order: int, x: mpf) -> mpf:
    """The sums cancel to exp(-2 x) of them. mpmath's function takes 0.1 s."""
    with m.workprec(PRECISION + int(3 * x)):
        first, second = bessel_sums(order, x * x / 4)
        logarithm = second / 2 - (m.log(x / 2) + m.euler) * first
        return 1 / x - logarithm * x / 2 if order else logarithm


SPECIAL = {
    "erfcx": Function(lambda x: m.exp(x * x) * m.erfc(x), -26, 1e10, 1e10, -9),
    "erfinv": Function(m.erfinv, -1, 1),
    "erfcinv": Function(inverse_erfc, 0, 2),
    "ndtr": Function(normal, -37, 9, 9, -12),
    "ndtri": Function(inverse_normal, 0, 1),
    "log_ndtr": Function(lambda x: m.log(normal(x)), -1e3, 4),
    "gamma": Function(m.gamma, -20, 171, 34),
    "gammaln": Function(m.loggamma, 0, 1e300, 1e35),
    "rgamma": Function(m.rgamma, -20, 171, 34),
    "psi": Function(m.digamma, 0, 1e300, 1e38),
    "beta": Function(lambda x, y: m.exp(precise(betaln)(x, y)), 0, 500, 60, operands=2),
    "betaln": Function(precise(betaln), 0, 1e10, operands=2),
    "j0": Function(bessel(m.besselj, 0), -5, 5),
    "j1": Function(bessel(m.besselj, 1), -5, 5),
    "y0": Function(bessel(bessel_y, 0), 0, 5),
    "y1": Function(bessel(bessel_y, 1), 0, 5),
    "i0": Function(bessel(m.besseli, 0), -700, 700, 88, -88),
    "i1": Function(bessel(m.besseli, 1), -700, 700, 88, -88),
    "i0e": Function(bessel(m.besseli, 0, -1), -1000, 1000),
    "i1e": Function(bessel(m.besseli, 1, -1), -1000, 1000),
    "k0": Function(bessel(bessel_k, 0), 0, 100, 80),
    "k1": Function(bessel(bessel_k, 1), 0, 100, 80),
    "k0e": Function(bessel(bessel_k, 0, 1), 0, 100),
    "k1e": Function(bessel(bessel_k, 1, 1), 0, 100),
    "expit": Function(lambda x: 1 / (1 + m.exp(-x)), -700, 40, 20, -87),
    "log_expit": Function(lambda x: -m.log1p(m.exp(-x)), -700, 700, 87, -87),
    "logit": Function(precise(lambda p: m.log(p / (1 - p))), 0, 1),
    "entr": Function(lambda x: -x * m.log(x), 0, 1e300, 1e35),
    "rel_entr": Function(lambda x, y: x * m.log(x / y), 0, 1e100, 1e15, operands=2),
    "kl_div": Function(precise(lambda x, y: x * m.log(x / y) - x + y), 0, 1e100, 1e15, operands=2),
    "xlogy": Function(lambda x, y: x * m.log(y), 0, 1e100, 1e15, operands=2),
    "xlog1py": Function(lambda x, y: x * m.log1p(y), 0, 1e100, 1e15, operands=2),
    "boxcox": Function(precise(boxcox), 0, 1e20, 1e9, operands=2, second=(-3, 3)),
    "boxcox1p": Function(precise(boxcox1p), -1, 1e20, 1e9, operands=2, second=(-3, 3)),
    "inv_boxcox": Function(precise(inverse_boxcox), -10, 100, operands=2, second=(0.1, 3)),
    "inv_boxcox1p": Function(precise(inverse_boxcox1p), -10, 100, operands=2, second=(0.1, 3)),
    "exp10": Function(lambda x: m.power(10, x), -307, 308, 38, -37),
    "exprel": Function(lambda x: m.expm1(x) / x, -700, 700, 88, -88),
}

# Both parts of the arguments are in the range.
COMPLEX = {
    "exp": Function(m.exp, -700, 700, 87, -87),
    "expm1": Function(precise(m.expm1), -700, 700, 87, -87),
    "log": Function(m.log, -1e100, 1e100, 1e18, -1e18),
    "log2": Function(lambda z: m.log(z, 2), -1e100, 1e100, 1e18, -1e18),
    "log10": Function(m.log10, -1e100, 1e100, 1e18, -1e18),
    "log1p": Function(precise(m.log1p, SMALL_PARTS), -1e100, 1e100, 1e18, -1e18),
    "sqrt": Function(m.sqrt, -1e100, 1e100, 1e18, -1e18),
    "square": Function(lambda z: z * z, -1e100, 1e100, 1e18, -1e18),
    "reciprocal": Function(lambda z: 1 / z, -1e100, 1e100, 1e18, -1e18),
    "sin": Function(m.sin, -700, 700, 87, -87),
    "cos": Function(m.cos, -700, 700, 87, -87),
    "tan": Function(precise(m.tan), -700, 700, 87, -87),
    "sinh": Function(m.sinh, -700, 700, 87, -87),
    "cosh": Function(m.cosh, -700, 700, 87, -87),
    "tanh": Function(precise(m.tanh), -700, 700, 87, -87),
    "asin": Function(precise(m.asin), -1e100, 1e100, 1e18, -1e18),
    "acos": Function(precise(m.acos), -1e100, 1e100, 1e18, -1e18),
    "atan": Function(precise(m.atan, SMALL_PARTS), -1e100, 1e100, 1e18, -1e18),
    "asinh": Function(precise(m.asinh), -1e100, 1e100, 1e18, -1e18),
    "acosh": Function(precise(m.acosh), -1e100, 1e100, 1e18, -1e18),
    "atanh": Function(precise(m.atanh, SMALL_PARTS), -1e100, 1e100, 1e18, -1e18),
    "power": Function(m.power, -100, 100, 10, -10, operands=2, second=(-3, 3)),
    "divide": Function(lambda x, y: x / y, -1e100, 1e100, 1e9, -1e9, operands=2),
}
