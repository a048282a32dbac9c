"""Fused element-wise expressions on large arrays, against the same loop in C++ with libmvec."""

from __future__ import annotations

import math

import numba_loops
import numexpr
import numpy as np
from native_loops import call
from scipy.special import erf
from small import chain_of_ten, done
from timing import Budget, Effort, Row, contest

import hither as ht

COUNT = 8_000_000
OPTIONS = 4_000_000
ROWS, COLUMNS = 4096, 1024
TEN = "((((((v * 1.5 + v) * 0.5) - 0.25) * v + 1.0) * 0.75) - v) * 1.25 + 2.0"
EIGHT = "sqrt(abs((a * b + a) * (a * b + a) - b) + one) * half"


def chain_of_eight(xp, a, b):
    v = a * b + a
    v = v * v - b
    return xp.sqrt(xp.abs(v) + 1.0) * 0.5


def numexpr_eight(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    one = a.dtype.type(1)
    return numexpr.evaluate(EIGHT, {"a": a, "b": b, "one": one, "half": one / 2})


def black_scholes(xp, erf_, spot, strike, years):
    deviation = 0.3 * xp.sqrt(years)
    d1 = (xp.log(spot / strike) + (0.02 + 0.5 * 0.3**2) * years) / deviation
    d2 = d1 - deviation
    discounted = strike * xp.exp(-0.02 * years)
    root_half = math.sqrt(0.5)
    call_ = spot * (0.5 + 0.5 * erf_(d1 * root_half)) - discounted * (
        0.5 + 0.5 * erf_(d2 * root_half)
    )
    return call_, call_ - spot + discounted


def softmax(xp, x):
    e = xp.exp(x - xp.max(x, axis=1, keepdims=True))
    return e / xp.sum(e, axis=1, keepdims=True)


def ten(effort: Effort) -> Row:
    v = np.random.default_rng(1).random(COUNT)
    x, standing = ht.asarray(v), np.empty_like(v)

    def native() -> np.ndarray:
        call("chain_of_ten", v, standing, COUNT)
        return standing

    return contest(
        "chain of ten, 8M float64",
        {
            "NumPy": lambda: chain_of_ten(v),
            "hither": lambda: done(chain_of_ten(x)),
            "numexpr": lambda: numexpr.evaluate(TEN, {"v": v}),
            "Numba": lambda: numba_loops.chain_of_ten(v),
            "C++": native,
        },
        effort,
        Budget(1.1, "C++"),
    )


def eight(effort: Effort) -> Row:
    a, b = np.random.default_rng(1).random((2, COUNT), np.float32)
    x, y, standing = ht.asarray(a), ht.asarray(b), np.empty_like(a)

    def native() -> np.ndarray:
        call("chain_of_eight", a, b, standing, COUNT)
        return standing

    return contest(
        "chain of eight, 8M float32",
        {
            "NumPy": lambda: chain_of_eight(np, a, b),
            "hither": lambda: done(chain_of_eight(ht, x, y)),
            "numexpr": lambda: numexpr_eight(a, b),
            "Numba": lambda: numba_loops.chain_of_eight(a, b),
            "C++": native,
        },
        effort,
        Budget(1.1, "C++"),
        tolerance=1e-5,
    )


def options(effort: Effort) -> Row:
    random = np.random.default_rng(1)
    host = [random.uniform(lo, hi, OPTIONS) for lo, hi in ((50, 150), (50, 150), (0.1, 2.0))]
    arrays = [ht.asarray(x) for x in host]
    standing = np.empty(OPTIONS), np.empty(OPTIONS)

    def hither() -> tuple[ht.Array, ht.Array]:
        call_, put = black_scholes(ht, ht.erf, *arrays)
        ht.synchronize(put, call_)
        return call_, put

    def native() -> tuple[np.ndarray, np.ndarray]:
        call("black_scholes", *host, *standing, OPTIONS)
        return standing

    return contest(
        "Black-Scholes, 4M float64",
        {
            "NumPy": lambda: black_scholes(np, erf, *host),
            "hither": hither,
            "Numba": lambda: numba_loops.black_scholes(*host),
            "C++": native,
        },
        effort,
        Budget(1.05, "best"),
        tolerance=1e-10,
    )


def softmax_of_rows(effort: Effort) -> Row:
    host = np.random.default_rng(1).standard_normal((ROWS, COLUMNS), np.float32)
    x, standing = ht.asarray(host), np.empty_like(host)

    def native() -> np.ndarray:
        call("softmax", host, standing, ROWS, COLUMNS)
        return standing

    return contest(
        "softmax, 4096 x 1024 float32",
        {
            "NumPy": lambda: softmax(np, host),
            "hither": lambda: done(softmax(ht, x)),
            "Numba": lambda: numba_loops.softmax(host),
            "C++": native,
        },
        effort,
        Budget(0.25, "best"),
        tolerance=1e-5,
    )


def rows(effort: Effort) -> list[Row]:
    return [ten(effort), eight(effort), options(effort), softmax_of_rows(effort)]
