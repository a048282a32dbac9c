"""Unmodified Numba functions in a device context, compared with parallel=True on the same cores."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import offload_programs as programs
from timing import Budget, Effort, Row, contest

import hither as ht

random = np.random.default_rng(5)


def copied(arguments: tuple) -> tuple:
    return tuple(a.copy() if isinstance(a, np.ndarray) else a for a in arguments)


def calls_of(function: Callable[..., Any], device: Any) -> dict[str, Callable[..., Any]]:
    """The function by Numba's threads, by plain Numba, and offloaded to the device."""
    plain = numba.njit(function)
    parallel = numba.njit(parallel=True)(function)
    context = ht.device_context(device)

    def offloaded(*given: Any) -> Any:
        with context:
            return plain(*given)

    return {"Numba": parallel, "Numba njit": plain, "hither": offloaded}


def program(
    function: Callable[..., Any], arguments: tuple, effort: Effort, tolerance: float = 1e-9
) -> Row:
    """Compares results on copies; timed calls share their arguments, also those that they write."""
    calls = calls_of(function, ht.Device("cpu"))
    del calls["Numba njit"]
    own = {name: copied(arguments) for name in calls}
    return contest(
        function.__name__.replace("_", " "),
        {name: lambda call=call: call(*copied(arguments)) for name, call in calls.items()},
        effort,
        Budget(1.0, "Numba"),
        tolerance,
        {name: lambda name=name, call=call: call(*own[name]) for name, call in calls.items()},
    )


def add(a, b, c):
    for i in numba.prange(a.size):
        c[i] = a[i] + b[i]


def warm_call(effort: Effort) -> Row:
    """The time that hither adds to a call with three small arrays; the plain version is serial."""
    a, b, c = np.ones(8), np.ones(8), np.empty(8)
    plain = numba.njit(add)
    plain(a, b, c)

    def in_numba() -> np.ndarray:
        plain(a, b, c)
        return c

    context = ht.device_context("cpu")

    def offloaded() -> np.ndarray:
        plain(a, b, c)
        return c

    row = contest("call of three arrays, plain", {"Numba": in_numba}, effort)
    with context:
        calls = contest("", {"hither": offloaded}, effort)
    added = calls.times["hither"] - row.times["Numba"]
    return Row("added to a warm call of three arrays", {"hither": added}, Budget(1e-6, None))


OUTSIDE = """
import timeit, numba, hither as ht
f = numba.njit(lambda x: x)
f(1)
def best():
    return min(timeit.repeat("f(1)", globals=globals(), number=10_000, repeat=60)) / 10_000
before = best()
with ht.device_context("cpu"):
    f(1)
print(before, best())
"""


def call_outside() -> Row:
    """A call outside of contexts, before and after the first context is opened.

    Opening it replaces Numba's call slot for good, so each measurement is a new process.
    """
    times = {"Numba": float("inf"), "hither": float("inf")}
    for _ in range(5):
        done = subprocess.run(
            [sys.executable, "-c", OUTSIDE], capture_output=True, text=True, check=True
        )
        for name, taken in zip(times, map(float, done.stdout.split()), strict=True):
            times[name] = min(times[name], taken)
    return Row("call outside of contexts", times, Budget(1.05, "Numba"))


def rows(effort: Effort) -> list[Row]:
    n = 1_000_000
    spot, strike = random.uniform(10, 50, n), random.uniform(10, 50, n)
    board = (random.random((1000, 1000)) < 0.3).astype(np.int8)
    features, labels = random.standard_normal((100_000, 10)), random.choice([-1.0, 1.0], 100_000)
    table = [
        (programs.black_scholes, (spot, strike, random.uniform(1, 2, n))),
        (programs.k_means, (random.random((200_000, 2)), random.random((8, 2)), 3)),
        (programs.n_body, (random.random((2000, 3)), random.random(2000))),
        (programs.mandelbrot, (500, 200)),
        (programs.heat, (random.random((1000, 1000)), 5)),
        (programs.pairwise_distance, (random.random((1500, 3)),)),
        (programs.game_of_life, (board, 5)),
        (programs.logistic_regression, (labels, features, np.zeros(10), 3)),
        (programs.l2_norm, (random.random((50_000, 30)),)),
    ]
    found = [program(function, arguments, effort) for function, arguments in table]
    found.insert(6, program(programs.monte_carlo_pi, (2_000_000,), effort, tolerance=0.05))
    return [*found, warm_call(effort), call_outside()]
