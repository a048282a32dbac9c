#!/usr/bin/env python3
"""Writes src/compiler/cpu/math_coefficients.h, the polynomials of functions on CPUs; run by hand,
needs mpmath and clang-format.

usage: tools/math_coefficients.py | clang-format > src/compiler/cpu/math_coefficients.h

Remez's algorithm finds the polynomials whose largest error, relative to the result, is smallest.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import mpmath as m
from mpmath import mp, mpf

mp.prec = 200

Real = Callable[[mpf], mpf]
POINTS = 600
HEADER = """// The polynomials of math_arithmetic.cpp. Written by tools/math_coefficients.py.
#pragma once

#include <span>

namespace hither::compiler {

// In all polynomials the constant coefficient is the first.

/// ln(2) = ln2_high + ln2_low, where the product of ln2_high and an exponent is exact. `near` is
/// (tanh(x) / x - 1) / x**2 of x**2 up to the border, `exp` is (exp(r) - 1 - r) / r**2 for
/// |r| <= ln(2) / 2.
struct TanhPolynomials {
  double ln2_high, ln2_low, border;
  std::span<const double> near, exp;
};

/// erf(x) rounds to 1 from `end` on.
struct ErfPolynomials {
  double border, end;
  std::span<const double> near, tail, power;
};
"""


def extrema(errors: list[mpf], wanted: int) -> list[int]:
    """The places of the largest errors of alternating signs, at most `wanted`."""
    found: list[int] = []
    for i, error in enumerate(errors):
        if not found or (error > 0) != (errors[found[-1]] > 0):
            found.append(i)
        elif abs(error) > abs(errors[found[-1]]):
            found[-1] = i
    while len(found) > wanted:
        found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
    return found


def fitted(function: Real, weight: Real, low: mpf, high: mpf, degree: int) -> list[mpf]:
    """The coefficients that minimise max |weight * (polynomial - function)|."""
    middle, half = (low + high) / 2, (high - low) / 2
    points = [middle - half * m.cos(m.pi * (i + mpf(1) / 2) / POINTS) for i in range(POINTS)]
    exact, weights = [function(x) for x in points], [weight(x) for x in points]
    count = degree + 2
    at = [round(i * (POINTS - 1) / (count - 1)) for i in range(count)]
    for _ in range(30):
        rows = [
            [points[i] ** k for k in range(count - 1)] + [(-1) ** row / weights[i]]
            for row, i in enumerate(at)
        ]
        solution = list(m.lu_solve(m.matrix(rows), m.matrix([exact[i] for i in at])))
        levelled = abs(solution.pop())
        errors = [
            w * (m.polyval(solution[::-1], x) - y)
            for x, y, w in zip(points, exact, weights, strict=True)
        ]
        largest, found = max(map(abs, errors)), extrema(errors, count)
        if largest < 1.02 * levelled or len(found) < count:
            break
        at = found
    print(f"degree {degree}: error 2**{float(m.log(largest, 2)):.2f}", file=sys.stderr)
    return solution


def rounded(value: mpf, bits: int) -> mpf:
    with m.workprec(bits):
        return +value


def rounded_fit(
    function: Real, weight: Real, low: mpf, high: mpf, degree: int, bits: int
) -> list[mpf]:
    """Coefficients of `bits` bits. If the interval begins at 0, the rounding errors of the first
    ones are made up for by those that follow."""
    first: list[mpf] = []

    def rest(x: mpf) -> mpf:
        return (function(x) - m.polyval(first[::-1], x)) / x ** len(first) if first else function(x)

    def rest_weight(x: mpf) -> mpf:
        return weight(x) * x ** len(first)

    best = fitted(rest, rest_weight, low, high, degree)
    while low == 0 and len(first) < min(3, degree):
        first.append(rounded(best[0], bits))
        best = fitted(rest, rest_weight, low, high, degree - len(first))
    return first + [rounded(c, bits) for c in best]


def border(bits: int) -> mpf:
    """Where the formulas meet: erfc is just below 1/4, and its rounding error is tiny."""

    def rounding_error(x: mpf) -> mpf:
        scaled = mpf(2) ** (bits + 2) * m.erfc(x)
        return abs(scaled - m.nint(scaled))

    return min((mpf(i) / 4096 for i in range(3338, 3348)), key=rounding_error)


def write(name: str, values: list[mpf]) -> None:
    numbers = ", ".join(float(v).hex() for v in values)
    print(f"inline constexpr double {name}[] = {{{numbers}}};")


def write_erf(kind: str, bits: int, end: str, degrees: tuple[int, int, int]) -> None:
    start = border(bits)
    at_start = m.erfc(start)

    def near(z: mpf) -> mpf:
        x = m.sqrt(z)
        return m.erf(x) / x - 1

    def tail(u: mpf) -> mpf:
        return m.log(m.erfc(start + u) / at_start, 2) / u

    def tail_weight(u: mpf) -> mpf:
        return m.erfc(start + u) * m.log(2) * (u + mpf(2) ** -10) / m.erf(start + u)

    def power(y: mpf) -> mpf:
        return at_start * mpf(2) ** y

    half = mpf(1) / 2
    fits = {
        "Near": (near, lambda z: 1 / (1 + near(z)), mpf(0), start * start),
        "Tail": (tail, tail_weight, mpf(0), mpf(end) - start),
        "Power": (power, lambda _: mpf(1), -half, half),
    }
    for (name, fit), degree in zip(fits.items(), degrees, strict=True):
        write(f"kErf{kind}{name}", rounded_fit(*fit, degree, bits))
    names = ", ".join(f"kErf{kind}{name}" for name in fits)
    print(f"inline constexpr ErfPolynomials kErf{kind} = {{{float(start).hex()}, {end}, {names}}};")


def write_float_erfc() -> None:
    """erfc of float32 is 0 from 10.06 on, and of less than full precision from 9.2 on."""

    def tail(u: mpf) -> mpf:
        return m.log(m.erfc(u), 2) / u

    def weight(u: mpf) -> mpf:
        return (u + mpf(2) ** -10) * m.log(2) * min(mpf(1), mpf(2) ** (20 * (mpf("9.2") - u)))

    half = mpf(1) / 2
    end = "10.1"
    write("kErfcTail", rounded_fit(tail, weight, mpf(0), mpf(end), 20, 53))
    power = rounded_fit(lambda y: mpf(2) ** y, lambda _: mpf(1), -half, half, 7, 53)
    write("kErfcPower", power)
    print(f"inline constexpr double kErfcEnd = {end};")


def write_tanh(kind: str, bits: int, degrees: tuple[int, int]) -> None:
    half, border = m.log(2) / 2, "0.6"
    exponent_bits = 11 if bits == 53 else 8
    high = rounded(m.log(2), bits - exponent_bits)
    low = rounded(m.log(2) - high, bits)

    def near(z: mpf) -> mpf:
        x = m.sqrt(z)
        return (m.tanh(x) / x - 1) / z

    def exp(r: mpf) -> mpf:
        return (m.expm1(r) - r) / (r * r) if r else mpf(1) / 2

    fits = {
        "Near": (near, lambda z: z, mpf(0), mpf(border) ** 2),
        "Exp": (exp, lambda r: r * r / m.exp(r), -half, half),
    }
    for (name, fit), degree in zip(fits.items(), degrees, strict=True):
        write(f"kTanh{kind}{name}", rounded_fit(*fit, degree, bits))
    names = ", ".join(f"kTanh{kind}{name}" for name in fits)
    print(
        f"inline constexpr TanhPolynomials kTanh{kind} = "
        f"{{{float(high).hex()}, {float(low).hex()}, {border}, {names}}};"
    )


def main() -> None:
    print(HEADER)
    write_tanh("Double", 53, (11, 9))
    print()
    write_tanh("Float", 24, (5, 4))
    print()
    write_erf("Double", 53, "5.95", (10, 17, 11))
    print()
    write_erf("Float", 24, "3.95", (5, 5, 6))
    print()
    write_float_erfc()
    print("\n}  // namespace hither::compiler")


if __name__ == "__main__":
    main()
