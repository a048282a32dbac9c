"""Functions for Numba in a device context, compared with themselves on the same cores."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gpu
import numpy as np
import offload
import offload_programs as users
from batches import Contestant
from cpu_libraries import array_libraries
from gpu_libraries import Library
from kernel_peers import Program, kernel_contestants
from numba import njit, prange
from programs import grid_kernels, lane_kernels
from row_specs import Spec, Work
from timing import HITHER

import hither as ht


def work(
    spec: Spec, function: Callable[..., Any], arguments: tuple, tolerance: float = 1e-9,
    arrays: Callable[..., Any] | None = None, program: Program | None = None,
) -> Work:  # fmt: skip
    """On GPUs the peers are the same computation of `arrays`, and the kernel of `program`.

    `arrays` takes a library and the arrays of the arguments.
    """
    calls = offload.calls_of(function, spec.device)

    def expected() -> Any:
        return result_of(calls["Numba njit"], arguments)

    if not spec.on_gpu:
        made = {name: offloaded(call, arguments) for name, call in calls.items()}
        return Work(made, expected, tolerance)
    own = tuple(
        ht.asarray(a, queue=spec.queue) if isinstance(a, np.ndarray) else a for a in arguments
    )
    made = {HITHER: offloaded(calls[HITHER], own, spec.queue.wait)}
    if arrays is not None:
        hosts = [a for a in arguments if isinstance(a, np.ndarray)]
        for library in array_libraries(spec.queue, spec.peers):
            if library.name != HITHER:
                made[library.name] = gpu.entry(library, arrays, hosts)
    if program is not None:
        found = kernel_contestants(program, spec.queue, True, spec.dtype)
        for name, contestant in found.items():  # rows of their own check them
            made["kernel" if name == HITHER else name] = replace(contestant, answer=None)
    return Work(made, expected, tolerance)


def result_of(call: Callable[..., Any], arguments: tuple) -> Any:
    """What it returns, or the first argument, which it writes."""
    own = offload.copied(arguments)
    returned = call(*own)
    return own[0] if returned is None else returned


def offloaded(
    call: Callable[..., Any], arguments: tuple, wait: Callable[[], None] = lambda: None
) -> Contestant:
    """Timed calls share their arguments, also those that they write."""
    own = offload.copied(arguments)

    def answer() -> Any:
        found = result_of(call, arguments)
        return tuple(map(on_host, found)) if isinstance(found, tuple) else on_host(found)

    return Contestant(lambda: call(*own), wait, answer)


def on_host(x: Any) -> Any:
    return ht.asnumpy(x) if isinstance(x, ht.Array) else x


def values(*shape: int, seed: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).random(shape)


def black_scholes(spec: Spec) -> Work:
    (n,) = spec.sizes
    prices = (10 + values(n), 10 + values(n, seed=6), 1 + values(n))
    return work(spec, users.black_scholes, prices, arrays=gpu.black_scholes)


def k_means(spec: Spec) -> Work:
    n, centres, rounds = spec.sizes
    return work(spec, users.k_means, (values(n, 2), values(centres, 2, seed=6), rounds))


def n_body(spec: Spec) -> Work:
    (n,) = spec.sizes
    program = grid_kernels.n_body_program(spec) if spec.on_gpu else None
    return work(spec, users.n_body, (values(n, 3), values(n)), program=program)


def mandelbrot(spec: Spec) -> Work:
    program = lane_kernels.mandelbrot_program(spec) if spec.on_gpu else None
    return work(spec, users.mandelbrot, spec.sizes, program=program)


def heat(spec: Spec) -> Work:
    n, steps = spec.sizes

    def of_arrays(lib: Library, grid: Any) -> Any:
        for _ in range(steps):
            inner = grid[1:-1, 1:-1] + 0.2 * (
                grid[:-2, 1:-1] + grid[2:, 1:-1] + grid[1:-1, :-2] + grid[1:-1, 2:]
                - 4 * grid[1:-1, 1:-1]
            )  # fmt: skip
            if hasattr(grid, "at"):
                grid = grid.at[1:-1, 1:-1].set(inner)
            else:
                grid = grid + 0
                grid[1:-1, 1:-1] = inner
        return grid

    return work(spec, users.heat, (values(n, n), steps), arrays=of_arrays)


def pairwise(spec: Spec) -> Work:
    points = values(*spec.sizes)
    program = grid_kernels.pairwise_program(spec, points) if spec.on_gpu else None
    return work(spec, users.pairwise_distance, (points,), program=program)


def monte_carlo(spec: Spec) -> Work:
    return work(spec, users.monte_carlo_pi, spec.sizes, 0.05)


def game_of_life(spec: Spec) -> Work:
    n, steps = spec.sizes
    return work(spec, users.game_of_life, ((values(n, n) < 0.3).astype(np.int8), steps))


def logistic_regression(spec: Spec) -> Work:
    n, features, rounds = spec.sizes
    labels = np.where(values(n) < 0.5, -1.0, 1.0)
    return work(
        spec, users.logistic_regression, (labels, values(n, features), np.zeros(features), rounds)
    )


def l2_norm(spec: Spec) -> Work:
    def of_arrays(lib: Library, x: Any) -> Any:
        return lib.namespace.sqrt((x * x).sum(1))

    return work(spec, users.l2_norm, (values(*spec.sizes),), arrays=of_arrays)


def scalar(spec: Spec, of: Callable[[float], float]) -> Work:
    """The function of numbers in the inner loop of a region."""
    n, inner = spec.sizes
    function = njit(of)

    def sums(result, x, inner):
        for i in prange(x.size):
            total = 0.0
            for k in range(inner):
                total += function(x[i] + k)
            result[i] = total

    return work(spec, sums, (np.zeros(n), 0.5 + values(n), inner), 1e-10)


def power_half(spec: Spec) -> Work:
    return scalar(spec, lambda x: x**0.5)


def power_minus_half(spec: Spec) -> Work:
    return scalar(spec, lambda x: x**-0.5)


def cbrt(spec: Spec) -> Work:
    return scalar(spec, lambda x: np.cbrt(x))


def log(spec: Spec) -> Work:
    return scalar(spec, lambda x: math.log(x))


def erf(spec: Spec) -> Work:
    return scalar(spec, lambda x: math.erf(0.01 * x))


def lennard_jones(spec: Spec) -> Work:
    """Forces of few particles, by operations on arrays of three numbers."""

    def forces(result, place):
        result[:] = 0.0
        for i in range(place.shape[0]):
            for j in range(i + 1, place.shape[0]):
                d = place[i] - place[j]
                near = np.sum(d * d) + 0.01
                sixth = 1.0 / (near * near * near)
                pull = d * ((48.0 * sixth - 24.0) * sixth / near)
                result[i] += pull
                result[j] -= pull

    (n,) = spec.sizes
    return work(spec, forces, (np.zeros((n, 3)), 4 * values(n, 3)), 1e-6)


def n_body_small(spec: Spec) -> Work:
    """A loop over bodies whose steps are operations on small arrays."""

    def forces(result, place, mass):
        for i in range(place.shape[0]):
            d = place - place[i]
            near = d[:, 0] ** 2 + d[:, 1] ** 2 + d[:, 2] ** 2 + 1e-3
            pull = mass / (near * np.sqrt(near))
            for k in range(3):
                result[i, k] = np.sum(pull * d[:, k])

    (n,) = spec.sizes
    return work(spec, forces, (np.zeros((n, 3)), values(n, 3), values(n)), 1e-8)


def triangular(spec: Spec) -> Work:
    """Forward substitution: each step reduces a row up to the diagonal."""

    def solve(x, lower, right):
        for i in range(x.size):
            total = 0.0
            for j in prange(i):
                total += lower[i, j] * x[j]
            x[i] = (right[i] - total) / lower[i, i]

    (n,) = spec.sizes
    return work(spec, solve, (np.zeros(n), values(n, n) + n * np.eye(n), values(n)))


def triangle_sums(spec: Spec) -> Work:
    """A parallel loop whose inner loop ends at its own index."""

    def sums(result, x):
        for i in prange(result.size):
            total = 0.0
            for j in range(i):
                total += x[j] * x[i - j]
            result[i] = total

    (n,) = spec.sizes
    return work(spec, sums, (np.zeros(n), values(n)))


def loop_max(spec: Spec) -> Work:
    def largest(x):
        found = -np.inf
        for i in prange(x.size):
            found = max(found, x[i])
        return found

    return work(spec, largest, (values(*spec.sizes),), arrays=lambda lib, x: x.max())


def loop_mean(spec: Spec) -> Work:
    def mean(x):
        total = 0.0
        for i in prange(x.size):
            total += x[i]
        return total / x.size

    return work(spec, mean, (values(*spec.sizes),), arrays=lambda lib, x: x.mean())


def loop_argmax(spec: Spec) -> Work:
    return work(
        spec, lambda x: np.argmax(x), (values(*spec.sizes),), arrays=lambda lib, x: x.argmax()
    )


def row_argmax(spec: Spec) -> Work:
    def places(result, x):
        for i in prange(x.shape[0]):
            best = 0
            for j in range(1, x.shape[1]):
                if x[i, j] > x[i, best]:
                    best = j
            result[i] = best

    rows, columns = spec.sizes
    return work(spec, places, (np.zeros(rows, np.int64), values(rows, columns)))
