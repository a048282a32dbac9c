#!/usr/bin/env python3
"""Writes src/device_library/special_tables.h, the coefficients of the special functions; run by
hand, needs mpmath and NumPy.

usage: tools/special_coefficients.py [NAME ...] > src/device_library/special_tables.h

With names, only these are written. Each row of FITS is a smooth factor of a function on an
interval. It becomes a quotient of polynomials of the lowest degrees whose largest error is a
twentieth of an ulp: by least squares of the linearised error at Chebyshev points, with weights that
are the errors of the step before, as in Lawson's algorithm. All of them take 15 minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import NamedTuple

import mpmath as m
import numpy as np
from mpmath import mp, mpf

mp.prec = 300

ALLOWED = 0.05  # of an ulp of the result
STEPS = 6
POINTS = 4  # for each unknown


class Fit(NamedTuple):
    name: str
    function: Callable[[mpf], mpf]
    low: float
    high: float
    polynomial: bool = False
    weight: Callable[[mpf], mpf] | None = None  # divides errors; by default the function
    floats: bool = False
    allowed: float = ALLOWED  # error in ulp of the result


def scaled_erfinv(w: mpf) -> mpf:
    """erfinv(x) / x as a function of w = -log(1 - x**2), by Newton's method for log(erfc(y))."""
    x = m.sqrt(-m.expm1(-w))
    tail = m.exp(-w) / (1 + x)
    y = m.sqrt(w) if w > 1 else x * mpf("0.9")
    for _ in range(100):
        value = m.erfc(y)
        step = m.log(value / tail) * value / (2 / m.sqrt(m.pi) * m.exp(-y * y))
        y += step
        if abs(step) < abs(y) * mpf(2) ** -250:
            break
    return y / x


def square_of_erfinv(w: mpf) -> mpf:
    """erfinv(x)**2 - w."""
    return -m.expm1(-w) * scaled_erfinv(w) ** 2 - w


def twice(w: mpf) -> mpf:
    return 2 * w


def over_roots(function: Callable[[mpf], mpf], *roots: mpf) -> Callable[[mpf], mpf]:
    """function(x) / product of x - root, whose removable singularities no point meets."""
    return lambda x: function(x) / m.fprod(x - r for r in roots)


PSI_ROOT = m.findroot(m.digamma, mpf("1.46"))
PSI_NEGATIVE_ROOT = m.findroot(m.digamma, mpf("-0.504"))
J0_ROOT, J1_ROOT = (m.besseljzero(n, 1) for n in (0, 1))


def psi_tail(t: mpf) -> mpf:
    """(log(x) - 1 / (2 x) - digamma(x)) x**2 at x = t**-0.5."""
    x = 1 / m.sqrt(t)
    return (m.log(x) - 1 / (2 * x) - m.digamma(x)) * x * x


def stirling_tail(t: mpf) -> mpf:
    """The rest of Stirling's series for log(gamma(x)), times x, at x = t**-0.5."""
    x = 1 / m.sqrt(t)
    return (m.loggamma(x) - (x - mpf(1) / 2) * m.log(x) + x - m.log(2 * m.pi) / 2) * x


def hankel(order: int, sine: bool) -> Callable[[mpf], mpf]:
    """P, or Q times x, of J = sqrt(2 / (pi x)) (P cos(c) - Q sin(c)) at x = t**-0.5."""

    def value(t: mpf) -> mpf:
        x = 1 / m.sqrt(t)
        angle = x - (2 * order + 1) * m.pi / 4
        j, y = m.besselj(order, x), m.bessely(order, x)
        c, s, size = m.cos(angle), m.sin(angle), m.sqrt(m.pi * x / 2)
        return size * (y * c - j * s) * x if sine else size * (j * c + y * s)

    return value


def y0_part(s: mpf) -> mpf:
    """y0(x) - 2 / pi log(x) j0(x) at x = s**0.5."""
    x = m.sqrt(s)
    return m.bessely(0, x) - 2 / m.pi * m.log(x) * m.besselj(0, x)


def y1_part(s: mpf) -> mpf:
    """(y1(x) - 2 / pi (log(x) j1(x) - 1 / x)) / x at x = s**0.5."""
    x = m.sqrt(s)
    return (m.bessely(1, x) - 2 / m.pi * (m.log(x) * m.besselj(1, x) - 1 / x)) / x


def far_i(order: int) -> Callable[[mpf], mpf]:
    """exp(-x) i(x) x**0.5 at x = 16 / (1 + u)."""

    def value(u: mpf) -> mpf:
        x = 16 / (1 + u)
        return m.exp(-x) * m.besseli(order, x) * m.sqrt(x)

    return value


def far_k(order: int) -> Callable[[mpf], mpf]:
    return lambda v: m.exp(1 / v) * m.besselk(order, 1 / v) / m.sqrt(v)


def k0_part(s: mpf) -> mpf:
    """k0(x) + log(x / 2) i0(x) at x = s**0.5."""
    x = m.sqrt(s)
    return m.besselk(0, x) + m.log(x / 2) * m.besseli(0, x)


def k1_part(s: mpf) -> mpf:
    """(k1(x) - log(x / 2) i1(x) - 1 / x) / x at x = s**0.5."""
    x = m.sqrt(s)
    return (m.besselk(1, x) - m.log(x / 2) * m.besseli(1, x) - 1 / x) / x


def series_i(order: int) -> Callable[[mpf], mpf]:
    return lambda s: m.besseli(order, m.sqrt(s)) / m.sqrt(s) ** order


def scaled_erfcx(v: mpf) -> mpf:
    """erfcx(x) / v at v = 1 / (1 + x)."""
    x = 1 / v - 1
    return m.exp(x * x) * m.erfc(x) / v


def sine_of_pi(s: mpf) -> mpf:
    """sin(pi r) / r at r = s**0.5."""
    return m.sin(m.pi * m.sqrt(s)) / m.sqrt(s)


def log_tail(f: mpf) -> mpf:
    """(log(1 + f) - f + f**2 / 2) / f**3, where no point is 0."""
    return (m.log1p(f) - f + f * f / 2) / f**3


def one(_: mpf) -> mpf:
    return mpf(1)


FITS = [
    Fit("ErfinvNear", scaled_erfinv, 0, 5),
    Fit("ErfinvFar", square_of_erfinv, 5, 37, weight=twice),
    Fit("ErfinvTail", lambda s: square_of_erfinv(s * s), 6, 27.4, weight=lambda s: 2 * s * s),
    Fit("ErfinvFloat", scaled_erfinv, 0, 5.5, polynomial=True, floats=True, allowed=0.7),
    Fit(
        "ErfinvFloatEnd",
        lambda u: scaled_erfinv(u + 11),
        -5.5,
        5.7,
        polynomial=True,
        floats=True,
        allowed=0.7,
    ),
    Fit("ErfinvNearFloat", scaled_erfinv, 0, 5, floats=True),
    Fit("ErfinvFarFloat", square_of_erfinv, 5, 104, weight=twice, floats=True),
    Fit("Psi", over_roots(m.digamma, PSI_ROOT), 1, 2),
    Fit("PsiNegative", over_roots(m.digamma, PSI_NEGATIVE_ROOT), -0.7, -0.3),
    Fit("PsiTail", psi_tail, 0, 0.25),
    Fit("LogGamma", over_roots(m.loggamma, mpf(1), mpf(2)), 1, 8),
    Fit("StirlingTail", stirling_tail, 0, 1 / 64, polynomial=True),
    Fit("SinPi", sine_of_pi, 0, 0.25, polynomial=True),
    Fit("J0", lambda s: m.besselj(0, m.sqrt(s)) / (s - J0_ROOT**2), 0, 25),
    Fit("J1", lambda s: m.besselj(1, m.sqrt(s)) / m.sqrt(s) / (s - J1_ROOT**2), 0, 25),
    Fit("Y0", y0_part, 0, 25, weight=one),
    Fit("Y1", y1_part, 0, 25, weight=one),
    Fit("P0", hankel(0, False), 0, 0.04),
    Fit("Q0", hankel(0, True), 0, 0.04),
    Fit("P1", hankel(1, False), 0, 0.04),
    Fit("Q1", hankel(1, True), 0, 0.04),
    Fit("I0", series_i(0), 0, 64, polynomial=True),
    Fit("I1", series_i(1), 0, 64, polynomial=True),
    Fit("I0Far", far_i(0), -1, 1, polynomial=True),
    Fit("I1Far", far_i(1), -1, 1, polynomial=True),
    Fit("I0Series", series_i(0), 0, 4, polynomial=True),
    Fit("I1Series", series_i(1), 0, 4, polynomial=True),
    Fit("K0", k0_part, 0, 4, weight=one),
    Fit("K1", k1_part, 0, 4, weight=one),
    Fit("K0Far", far_k(0), 0, 0.5),
    Fit("K1Far", far_k(1), 0, 0.5),
    Fit("Erfcx", scaled_erfcx, 0, 1),
    Fit(
        "RandomLog",
        log_tail,
        0.5**0.5 - 1,
        2**0.5 - 1,
        polynomial=True,
        weight=lambda f: m.log1p(f) / f**3,
        floats=True,
        allowed=0.2,
    ),
]

CONSTANTS = {
    "PsiRoot": PSI_ROOT,
    "PsiNegativeRoot": PSI_NEGATIVE_ROOT,
    "J0Root": J0_ROOT,
    "J1Root": J1_ROOT,
}


class Sample:
    """Points of an interval with the values there, and Chebyshev's polynomials at the points."""

    def __init__(self, fit: Fit, degree: int, count: int) -> None:
        self.middle, self.half = (mpf(fit.low) + fit.high) / 2, (mpf(fit.high) - fit.low) / 2
        self.at = [m.cos(m.pi * (2 * i + 1) / (2 * count)) for i in range(count)]
        points = [self.middle + self.half * u for u in self.at]
        self.values = [fit.function(x) for x in points]
        weight = fit.weight or fit.function
        self.scale = [1 / abs(weight(x)) for x in points]
        self.rows = [self.chebyshev(u, degree) for u in self.at]

    @staticmethod
    def chebyshev(u: mpf, degree: int) -> list[mpf]:
        row = [mpf(1), u]
        while len(row) <= degree:
            row.append(2 * u * row[-1] - row[-2])
        return row

    def powers(self, series: list[mpf]) -> list[mpf]:
        """The coefficients of the powers of x for a series of Chebyshev's polynomials."""
        step = [-self.middle / self.half, 1 / self.half]
        polynomials = [[mpf(1)], step]
        while len(polynomials) < len(series):
            grown = [mpf(0)] * (len(polynomials[-1]) + 1)
            for i, v in enumerate(polynomials[-1]):
                grown[i] += 2 * v * step[0]
                grown[i + 1] += 2 * v * step[1]
            for i, v in enumerate(polynomials[-2]):
                grown[i] -= v
            polynomials.append(grown)
        result = [mpf(0)] * len(series)
        for coefficient, polynomial in zip(series, polynomials, strict=False):
            for i, v in enumerate(polynomial):
                result[i] += coefficient * v
        return result


def dot(left: Iterable[mpf], right: Iterable[mpf]) -> mpf:
    return m.fsum(a * b for a, b in zip(left, right, strict=False))


def quotient(fit: Fit, above: int, below: int) -> tuple[mpf, list[mpf], list[mpf]]:
    """The largest error and the coefficients of the best quotient of these degrees."""
    unknowns = above + below + 1
    sample = Sample(fit, max(above, below), POINTS * unknowns)
    count = len(sample.at)
    denominators, emphasis = [mpf(1)] * count, [mpf(1)] * count
    best: tuple[mpf, list[mpf], list[mpf]] | None = None
    for _ in range(1 if below == 0 else STEPS):
        system, right = m.matrix(count, unknowns), m.matrix(count, 1)
        for i, (row, value) in enumerate(zip(sample.rows, sample.values, strict=True)):
            size = sample.scale[i] * m.sqrt(emphasis[i]) / abs(denominators[i])
            for j in range(above + 1):
                system[i, j] = size * row[j]
            for j in range(1, below + 1):
                system[i, above + j] = -size * value * row[j]
            right[i] = size * value
        solved, _ = m.qr_solve(system, right)
        p = [solved[i] for i in range(above + 1)]
        q = [mpf(1), *(solved[above + j] for j in range(1, below + 1))]
        denominators = [dot(q, row) for row in sample.rows]
        errors = [
            abs(dot(p, row) / d - v) * s
            for row, d, v, s in zip(
                sample.rows, denominators, sample.values, sample.scale, strict=True
            )
        ]
        if best is None or max(errors) < best[0]:
            best = max(errors), sample.powers(p), sample.powers(q)
        emphasis = [e * w for e, w in zip(errors, emphasis, strict=True)]
        largest = max(emphasis)
        emphasis = [max(e / largest, mpf(10) ** -8) for e in emphasis]
    assert best is not None
    error, p, q = best
    return error, [v / q[0] for v in p], [v / q[0] for v in q]


def has_no_pole(fit: Fit, q: list[mpf]) -> bool:
    points = np.linspace(float(fit.low), float(fit.high), 2001)
    return bool(np.all(np.polyval([float(v) for v in reversed(q)], points) > 0))


def fitted(fit: Fit) -> tuple[list[mpf], list[mpf]]:
    allowed = fit.allowed * mpf(2) ** (-24 if fit.floats else -53)
    for degree in range(2, 40):
        pairs = [(degree, 0)] if fit.polynomial else [(degree, degree - 1), (degree, degree)]
        for above, below in pairs:
            error, p, q = quotient(fit, above, below)
            if error <= allowed and has_no_pole(fit, q):
                print(f"{fit.name}: degrees {above}, {below}", file=sys.stderr, flush=True)
                return p, q
    raise ValueError(f"{fit.name} has no short quotient")


def written(name: str, values: list[mpf], floats: bool) -> str:
    kind, suffix = ("float", "f") if floats else ("double", "")
    numbers = [np.float32(float(v)) if floats else np.float64(float(v)) for v in values]
    texts = [np.format_float_scientific(x, unique=True, trim="-") + suffix for x in numbers]
    lines, line = [], "   "
    for text in texts:
        if len(line) + len(text) > 96:
            lines.append(line)
            line = "   "
        line += f" {text},"
    lines.append(line.rstrip(","))
    body = "\n".join(lines)
    return f"constexpr {kind} {name}[{len(values)}] = {{\n{body}}};"


def main() -> None:
    print(
        "// Coefficients of quotients of polynomials. Generated by tools/special_coefficients.py."
    )
    print("#pragma once\n\n// clang-format off\nnamespace special {\n")
    print("struct Root {\n  double high, low;  // their sum is the root\n};")
    for name, value in CONSTANTS.items():
        high = float(value)
        print(f"constexpr Root k{name} = {{{high!r}, {float(value - mpf(high))!r}}};")
    print()
    chosen = sys.argv[1:]
    for fit in FITS:
        if chosen and fit.name not in chosen:
            continue
        p, q = fitted(fit)
        print(written(f"k{fit.name}P", p, fit.floats))
        if len(q) > 1:
            print(written(f"k{fit.name}Q", q, fit.floats))
    print("\n}  // namespace special\n// clang-format on")


if __name__ == "__main__":
    main()
