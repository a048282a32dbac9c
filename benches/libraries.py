"""Linear algebra, transforms and random numbers, compared with the libraries that compute them."""

from __future__ import annotations

import operator
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


def times_a_vector(case: str, side: int, effort: Effort) -> Row:
    random = np.random.default_rng(4)
    a, v = random.random((side, side)), random.random(side)
    x, w = ht.asarray(a), ht.asarray(v)
    contestants = {"NumPy": lambda: a @ v, "hither": lambda: done(x @ w)}
    return contest(case, contestants, effort, ON_THE_HOST, tolerance=1e-9)


def drawn(case: str, name: str, size: int, effort: Effort, *arguments: Any) -> Row:
    """Compares the means: the two generators draw different numbers."""
    generator, hither_generator = np.random.default_rng(1), ht.random.default_rng(1)

    def take() -> np.ndarray:
        return getattr(generator, name)(*arguments, size=size)

    def make() -> Any:
        return done(getattr(hither_generator, name)(*arguments, size=size))

    return contest(
        case,
        {"NumPy": lambda: take().mean(), "hither": lambda: np.asarray(make()).mean()},
        effort,
        Budget(0.8, "best"),
        tolerance=1e-2,
        timed={"NumPy": take, "hither": make},
    )


def on_a_sycl_device(effort: Effort) -> list[Row]:
    """oneMKL on the first SYCL device that has it, compared with the host's libraries and dpnp."""
    devices = [d for d in ht.devices() if ht.blas_name(d).startswith("oneMKL")]
    if not devices:
        return []
    queue = devices[0].default_queue
    random = np.random.default_rng(2)
    square = random.random((1024, 1024))
    line = random.random(1 << 20) * (1 + 1j)
    return [
        _compared_with_dpnp("matmul, 1024 x 1024", square, queue, effort, "matmul", 2),
        _compared_with_dpnp(
            "svdvals, 256 x 256", square[:256, :256], queue, effort, "linalg.svdvals"
        ),
        _compared_with_dpnp(
            "inv, 512 x 512", _regular(square[:512, :512]), queue, effort, "linalg.inv"
        ),
        _compared_with_dpnp("fft, 1M complex", line, queue, effort, "fft.fft"),
    ]


def _regular(square: np.ndarray) -> np.ndarray:
    return square + len(square) * np.eye(len(square))


def _compared_with_dpnp(
    case: str, host: np.ndarray, queue: ht.Queue, effort: Effort, name: str, operands: int = 1
) -> Row:
    call = operator.attrgetter(name)
    x = ht.asarray(host, queue=queue)
    contestants: dict[str, Callable[[], Any]] = {
        "NumPy": lambda: call(np)(*(host,) * operands),
        "hither": lambda: done(call(ht)(*(x,) * operands)),
    }
    try:
        import dpnp
    except ImportError:
        return contest(f"{case}, {queue.device.filter_string}", contestants, effort, tolerance=1e-9)
    dpnp_array = dpnp.asarray(x)

    def dpnps() -> Any:
        result = call(dpnp)(*(dpnp_array,) * operands)
        result.sycl_queue.wait()
        return result

    contestants["dpnp"] = dpnps
    budget = Budget(1.1, "dpnp")
    case = f"{case}, {queue.device.filter_string}"
    return contest(case, contestants, effort, budget, tolerance=1e-9)


def rows(effort: Effort) -> list[Row]:
    random = np.random.default_rng(1)
    square = _regular(random.random((400, 400)))
    stack = random.random((1000, 4, 4)) + 4 * np.eye(4)
    line = random.random(1 << 20)
    return [
        linear_algebra("inv, 400 x 400", "inv", square, effort),
        linear_algebra("solve, 400 x 400", "solve", square, effort, random.random((400, 4))),
        linear_algebra("svdvals, 400 x 400", "svdvals", square, effort),
        linear_algebra("inv, 1000 of 4 x 4", "inv", stack, effort, scipy_too=False),
        times_a_vector("matrix times vector, 2000 x 2000", 2000, effort),
        transform("fft, 1M complex", "fft", line + 1j * line[::-1], effort),
        transform("rfft, 1M", "rfft", line, effort),
        transform("fftn, 1024 x 1024 complex", "fftn", (line * 1j).reshape(1024, 1024), effort),
        transform("fft, 1000 complex", "fft", line[:1000] * 1j, effort),
        drawn("uniform, 4M", "random", 1 << 22, effort),
        drawn("normal, 4M", "normal", 1 << 22, effort, 1.0, 2.0),
        drawn("integers, 4M", "integers", 1 << 22, effort, 100, 1000),
        drawn("exponential, 4M", "exponential", 1 << 22, effort, 3.0),
        *on_a_sycl_device(effort),
    ]
