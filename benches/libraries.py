"""Linear algebra, transforms and random numbers, beside the libraries that compute them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.fft
import scipy.linalg
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht

# hither calls the same LAPACK and FFT; what it adds is the host task and a copy of the result.
ON_THE_HOST = Budget(1.05, "best")


def linear_algebra(
    case: str,
    name: str,
    host: np.ndarray,
    effort: Effort,
    *more: np.ndarray,
    scipy_too: bool = True,
) -> Row:
    arrays = [ht.asarray(a) for a in (host, *more)]
    contestants: dict[str, Callable[[], Any]] = {
        "NumPy": lambda: getattr(np.linalg, name)(host, *more),
        "hither": lambda: done(getattr(ht.lapack, name)(*arrays)),
    }
    if scipy_too:
        contestants["SciPy"] = lambda: getattr(scipy.linalg, name)(host, *more)
    return contest(case, contestants, effort, ON_THE_HOST, tolerance=1e-8)


def transform(case: str, name: str, host: np.ndarray, effort: Effort) -> Row:
    x = ht.asarray(host)
    return contest(
        case,
        {
            "NumPy": lambda: getattr(np.fft, name)(host),
            "hither": lambda: done(getattr(ht.fft, name)(x)),
            "SciPy": lambda: getattr(scipy.fft, name)(host),
            "SciPy, all cores": lambda: getattr(scipy.fft, name)(host, workers=-1),
        },
        effort,
        ON_THE_HOST,
        tolerance=1e-9,
    )


def drawn(case: str, name: str, size: int, effort: Effort, *arguments: Any) -> Row:
    """What is compared is the mean; the numbers are others."""
    theirs, ours = np.random.default_rng(1), ht.random.default_rng(1)

    def take() -> np.ndarray:
        return getattr(theirs, name)(*arguments, size=size)

    def make() -> Any:
        return done(getattr(ours, name)(*arguments, size=size))

    return contest(
        case,
        {"NumPy": lambda: take().mean(), "hither": lambda: np.asarray(make()).mean()},
        effort,
        Budget(0.8, "best"),
        tolerance=1e-2,
        timed={"NumPy": take, "hither": make},
    )


def rows(effort: Effort) -> list[Row]:
    random = np.random.default_rng(1)
    square = random.random((400, 400)) + 400 * np.eye(400)
    stack = random.random((1000, 4, 4)) + 4 * np.eye(4)
    line = random.random(1 << 20)
    return [
        linear_algebra("inv, 400 x 400", "inv", square, effort),
        linear_algebra("solve, 400 x 400", "solve", square, effort, random.random((400, 4))),
        linear_algebra("svdvals, 400 x 400", "svdvals", square, effort),
        linear_algebra("inv, 1000 of 4 x 4", "inv", stack, effort, scipy_too=False),
        transform("fft, 1M complex", "fft", line + 1j * line[::-1], effort),
        transform("rfft, 1M", "rfft", line, effort),
        transform("fftn, 1024 x 1024 complex", "fftn", (line * 1j).reshape(1024, 1024), effort),
        transform("fft, 1000 complex", "fft", line[:1000] * 1j, effort),
        drawn("uniform, 4M", "random", 1 << 22, effort),
        drawn("normal, 4M", "normal", 1 << 22, effort, 1.0, 2.0),
        drawn("integers, 4M", "integers", 1 << 22, effort, 100, 1000),
        drawn("exponential, 4M", "exponential", 1 << 22, effort, 3.0),
    ]
