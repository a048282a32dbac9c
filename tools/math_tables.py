#!/usr/bin/env python3
"""Writes the tables of src/device_library/table_math.cpp; run by hand, needs mpmath and NumPy.

usage: tools/math_tables.py FOLDER
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from mpmath import erf, exp, floor, log, matrix, mp, mpf, nint, pi, qr_solve, sqrt

mp.prec = 200

EXP_STEPS = 64
LOG_BITS = 7
LOG_FIRST = 0x3FE69010
"""High word at which the tables of log begin: 1 is in the middle of an interval, and logarithms in
the next interval are at least 1/256."""
LOG2_STEP = mpf(2) ** -43
"""The high parts of log(2) and of the table's logarithms are multiples of this: sums are exact."""
ERF_STEP = mpf(1) / 128
ERF_COUNT = 768


def double_of(high_word: int) -> mpf:
    exponent = (high_word >> 20) - 1023
    return (1 + mpf(high_word & 0xFFFFF) / 2**20) * mpf(2) ** exponent


def exp_table() -> Iterable[tuple[mpf, mpf]]:
    """2**(i/64) as a double, and its relative rounding error."""
    for i in range(EXP_STEPS):
        power = mpf(2) ** (mpf(i) / EXP_STEPS)
        yield power, power / mpf(float(power)) - 1


def log_table() -> Iterable[tuple[mpf, mpf]]:
    """1/c and log(c), c near the middle of each interval and such that log(c) is nearly a multiple
    of LOG2_STEP."""
    dice = np.random.default_rng(1)
    for i in range(1 << LOG_BITS):
        low, high = (double_of(LOG_FIRST + (k << (20 - LOG_BITS))) for k in (i, i + 1))
        if low < 1 < high:
            yield mpf(1), mpf(0)
            continue
        # A smaller logarithm needs a more exact reduced argument.
        c = low + (high - low) * (0.9375 if high < 1 < high + mpf(2) ** -8 else 0.5)
        near = float(1 / c) * (1 + dice.uniform(-(2.0**-16), 2.0**-16, 1 << 22))
        steps = -np.log(near.astype(np.longdouble)) / np.longdouble(LOG2_STEP)
        inverse = mpf(float(near[np.argmin(np.abs(steps - np.rint(steps)))]))
        yield inverse, nint(-log(inverse) / LOG2_STEP) * LOG2_STEP


def log_tails(table: list[tuple[mpf, mpf]]) -> Iterable[mpf]:
    """log(c) minus the table's value."""
    for inverse, logarithm in table:
        yield -log(inverse) - logarithm


def erf_table() -> Iterable[tuple[mpf, mpf]]:
    """erf(r) and its derivative; beyond 5.92 erf is 1 to a double."""
    for i in range(ERF_COUNT):
        r = i * ERF_STEP
        if 1 - erf(r) < mpf(2) ** -54:
            yield mpf(1), mpf(0)
        else:
            # Where erf(r) is rounded more coarsely than its neighbours, the next smaller double
            # reduces the error.
            slope = 2 / sqrt(pi) * exp(-r * r)
            yield erf(r), mpf(math.nextafter(float(slope), 0)) if i in (1, 2) else slope


def fitted(function, degree: int, radius: mpf) -> list[mpf]:
    """A polynomial p of nearly least largest error of x p(x) on [-radius, radius]: least squares
    where Chebyshev's polynomial is 0, coefficients rounded to doubles from the lowest up."""
    known: list[mpf] = []
    while len(known) <= degree:
        left = degree + 1 - len(known)
        points = [radius * mp.cos(pi * (2 * k + 1) / (4 * left)) for k in range(2 * left)]
        rows = matrix(len(points), left)
        values = matrix(len(points), 1)
        for a, x in enumerate(points):
            for b in range(left):
                rows[a, b] = x ** (b + len(known) + 1)
            values[a] = x * (function(x) - sum(c * x**k for k, c in enumerate(known)))
        solution, _ = qr_solve(rows, values)
        known.append(mpf(float(solution[0])))
    return known


def exp_rest(r: mpf) -> mpf:
    if r == 0:
        return mpf(1) / 2
    return (mp.expm1(r) - r) / r**2


def log_rest_of_pow(r: mpf) -> mpf:
    if r == 0:
        return mpf(1) / 3
    return (mp.log1p(r) - r + r**2 / 2) / r**3


def log_rest(r: mpf) -> mpf:
    if r == 0:
        return -mpf(1) / 2
    return (mp.log1p(r) - r) / r**2


def hexadecimal(value: mpf) -> str:
    if value == 0:
        return "0"
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}p{int(exponent)}"


def write(path: Path, name: str, what: str, rows: list[tuple[mpf, ...]]) -> None:
    pairs = len(rows[0]) == 2
    cells = [", ".join(map(hexadecimal, row)) for row in rows]
    cells = [f"{{{cell}}}," if pairs else f"{cell}," for cell in cells]
    lines = [f"    {' '.join(cells[k : k + 2])}" for k in range(0, len(cells), 2)]
    kind = "Pair" if pairs else "double"
    text = (
        f"// {what} Written by tools/math_tables.py.\n#pragma once\n\n"
        f"// clang-format off\nalignas(16) constexpr {kind} {name}[{len(rows)}] = {{\n"
        + "\n".join(lines)
        + "\n};\n// clang-format on\n"
    )
    path.write_text(text)


def main() -> None:
    folder = Path(sys.argv[1])
    write(folder / "exp_table.h", "kExp", "2**(i/64), and by what part a double falls short of it.",
          list(exp_table()))  # fmt: skip
    logarithms = list(log_table())
    write(folder / "log_table.h", "kLog", "1/c and log(c) for c in the i-th interval.", logarithms)
    write(folder / "log_tails.h", "kLogTail", "By how much log(c) is more than kLog says.",
          [(tail,) for tail in log_tails(logarithms)])  # fmt: skip
    write(folder / "erf_table.h", "kErf", "erf(i/128) and its derivative.",
          list(erf_table()))  # fmt: skip
    print("coefficients of table_math.cpp:")
    for name, values in (
        ("exp", fitted(exp_rest, 3, log(2) / (2 * EXP_STEPS))),
        ("log", fitted(log_rest, 4, mpf(2) ** -8)),
        ("log of pow", fitted(log_rest_of_pow, 7, mpf("0.0074"))),
    ):
        print(name, ", ".join(hexadecimal(v) for v in values))
    for name, step in (("log(2)", LOG2_STEP), ("log(2) / 64", mpf(2) ** -38)):
        value = log(2) / (EXP_STEPS if "/" in name else 1)
        if "/" in name:
            step = mpf(2) ** -44
        high = floor(value / step) * step
        print(name, hexadecimal(high), hexadecimal(value - high))
    print("64 / log(2)", hexadecimal(EXP_STEPS / log(2)))


if __name__ == "__main__":
    main()
