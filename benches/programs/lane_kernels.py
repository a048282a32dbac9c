"""Kernels whose items leave loops at different times: each of them takes its own number of steps.

Each function takes a row of rows.def and returns its work. hither and Numba compile the same text
of one item.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from kernel_peers import BINS, Program, kernel_contestants
from numba import njit, prange
from row_specs import Spec, Work

import hither as ht

FRACTION = np.float32(1 / 16777216)


def work(spec: Spec, program: Program) -> Work:
    """The contestants of a kernel."""
    made = kernel_contestants(program, spec.queue, spec.on_gpu, spec.dtype)
    return Work(made, program.expected, program.tolerance)


def real_of(spec: Spec) -> Any:
    return np.dtype(spec.dtype).type


def mandelbrot(spec: Spec) -> Work:
    return work(spec, mandelbrot_program(spec))


def mandelbrot_program(spec: Spec) -> Program:
    n, most = spec.sizes
    real = real_of(spec)

    def steps(i, j, n, most):
        cr = real(-2) + real(3) * real(j) / real(n)
        ci = real(-1.5) + real(3) * real(i) / real(n)
        zr, zi, k = real(0), real(0), 0
        while k < most and zr * zr + zi * zi < real(4):
            zr, zi = zr * zr - zi * zi + cr, real(2) * zr * zi + ci
            k += 1
        return k

    item, loop_body = ht.device_func(steps), njit(steps)

    @ht.kernel
    def mandelbrot(count, n, most):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        count[i, j] = item(i, j, n, most)

    @njit(parallel=True)
    def in_numba(count, n, most):
        for i in prange(n):
            for j in range(n):
                count[i, j] = loop_body(i, j, n, most)

    def means() -> np.ndarray:
        j, i = np.meshgrid(np.arange(n, dtype=real), np.arange(n, dtype=real))
        c = (real(-2) + real(3) * j / real(n)) + 1j * (real(-1.5) + real(3) * i / real(n))
        z, count = np.zeros_like(c), np.zeros((n, n), np.int32)
        for _ in range(most):
            inside = z.real**2 + z.imag**2 < 4
            count += inside
            z = np.where(inside, z * z + c, z)
        return count.mean(1)

    # Points of the edge leave one step earlier or later, as products are rounded.
    count = np.zeros((n, n), np.int32)
    return Program(
        mandelbrot, [], [count], (n, most), (n, n), means, in_numba, numpy=False,
        read=lambda c: c.mean(1), tolerance=1e-2,
    )  # fmt: skip


def gpairs(spec: Spec) -> Work:
    """A weighted histogram of the distances of all pairs, where each bin has the ones before it."""
    (n,) = spec.sizes
    real = real_of(spec)
    points = spec.numbers(n, 4)
    edges = (np.linspace(0.05, 0.8, BINS) ** 2).astype(real)

    @ht.kernel
    def gpairs(points, edges, hist, n):
        i = ht.get_global_id(0)
        own = ht.private.array(BINS, real)
        x, y, z, w = points[i, 0], points[i, 1], points[i, 2], points[i, 3]
        for j in range(n):
            dx, dy, dz = points[j, 0] - x, points[j, 1] - y, points[j, 2] - z
            d = dx * dx + dy * dy + dz * dz
            b = BINS - 1
            while b >= 0 and d <= edges[b]:
                own[b] += w * points[j, 3]
                b -= 1
        for b in range(BINS):
            hist[i, b] = own[b]

    @njit(parallel=True)
    def in_numba(points, edges, hist, n):
        for i in prange(n):
            hist[i] = 0
            x, y, z, w = points[i, 0], points[i, 1], points[i, 2], points[i, 3]
            for j in range(n):
                dx, dy, dz = points[j, 0] - x, points[j, 1] - y, points[j, 2] - z
                d = dx * dx + dy * dy + dz * dz
                b = BINS - 1
                while b >= 0 and d <= edges[b]:
                    hist[i, b] += w * points[j, 3]
                    b -= 1

    def histogram() -> np.ndarray:
        total = np.zeros(BINS)
        for p in points.astype(np.float64):
            d = ((points[:, :3] - p[:3]) ** 2).sum(1)
            bins = np.searchsorted(edges, d)
            total += np.bincount(bins, points[:, 3] * p[3], minlength=BINS + 1)[:BINS].cumsum()
        return total

    hist = np.zeros((n, BINS), real)
    return work(
        spec,
        Program(
            gpairs,
            [points, edges],
            [hist],
            (n,),
            (n,),
            histogram,
            in_numba,
            read=lambda h: h.sum(0, dtype=np.float64),
            tolerance=1e-3,
        ),
    )


def drawn(s):
    """Marsaglia's xorshift of 32 bits."""
    s = np.uint32(s ^ np.uint32(s << np.uint32(13)))
    s = np.uint32(s ^ np.uint32(s >> np.uint32(17)))
    return np.uint32(s ^ np.uint32(s << np.uint32(5)))


def seed_of(i):
    return np.uint32(np.uint32(i) * np.uint32(747796405) + np.uint32(1))


def fraction_of(s):
    return np.float32(s >> np.uint32(8)) * FRACTION


def seeds(n: int) -> np.ndarray:
    return np.arange(n, dtype=np.uint32) * np.uint32(747796405) + np.uint32(1)


def generators(compiled: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
    return compiled(drawn), compiled(seed_of), compiled(fraction_of)


def monte_carlo(spec: Spec) -> Work:
    """How many of an item's points in a square are in its circle."""
    n, draws = spec.sizes

    def item_of(compiled: Callable[[Any], Any]) -> Any:
        draw, seed, fraction = generators(compiled)

        def hits(i, draws):
            s = seed(i)
            inside = 0
            for _ in range(draws):
                s = draw(s)
                x = fraction(s)
                s = draw(s)
                y = fraction(s)
                if x * x + y * y < np.float32(1):
                    inside += 1
            return inside

        return compiled(hits)

    item, loop_body = item_of(ht.device_func), item_of(njit)

    @ht.kernel
    def monte_carlo(hits, draws):
        i = ht.get_global_id(0)
        hits[i] = item(i, draws)

    @njit(parallel=True)
    def in_numba(hits, draws):
        for i in prange(hits.size):
            hits[i] = loop_body(i, draws)

    def counts() -> np.ndarray:
        s, inside = seeds(n), np.zeros(n, np.int32)
        for _ in range(draws):
            s = drawn(s)
            x = (s >> np.uint32(8)).astype(np.float32) * FRACTION
            s = drawn(s)
            y = (s >> np.uint32(8)).astype(np.float32) * FRACTION
            inside += x * x + y * y < 1
        return inside

    # A sum that is rounded otherwise may put a point on the other side of the circle.
    return work(
        spec,
        Program(
            monte_carlo,
            [],
            [np.zeros(n, np.int32)],
            (draws,),
            (n,),
            counts,
            in_numba,
            tolerance=0.02,
        ),
    )


def rejection(spec: Spec) -> Work:
    """Draws of the density 3 x**2, each after some that were rejected."""
    (n,) = spec.sizes

    def item_of(compiled: Callable[[Any], Any]) -> Any:
        draw, seed, fraction = generators(compiled)

        def sample(i):
            s = seed(i)
            k, x, y = 0, np.float32(0), np.float32(1)
            while y > x * x:
                s = draw(s)
                x = fraction(s)
                s = draw(s)
                y = fraction(s)
                k += 1
            return x, k

        return compiled(sample)

    item, loop_body = item_of(ht.device_func), item_of(njit)

    @ht.kernel
    def rejection(taken, tries):
        i = ht.get_global_id(0)
        taken[i], tries[i] = item(i)

    @njit(parallel=True)
    def in_numba(taken, tries):
        for i in prange(taken.size):
            taken[i], tries[i] = loop_body(i)

    def samples() -> tuple[np.ndarray, np.ndarray]:
        s, taken, tries = seeds(n), np.zeros(n, np.float32), np.zeros(n, np.int32)
        left = np.arange(n)
        while left.size:
            s = drawn(s)
            x = (s >> np.uint32(8)).astype(np.float32) * FRACTION
            s = drawn(s)
            y = (s >> np.uint32(8)).astype(np.float32) * FRACTION
            tries[left] += 1
            taken[left] = x
            again = y > x * x
            left, s = left[again], s[again]
        return taken, tries

    results = [np.zeros(n, np.float32), np.zeros(n, np.int32)]
    return work(spec, Program(rejection, [], results, (), (n,), samples, in_numba, tolerance=1e-6))


def binary_search(spec: Spec) -> Work:
    length, n = spec.sizes
    values, wanted = np.sort(spec.numbers(length)), spec.numbers(n, seed=1)

    def place(values, value, n):
        low, high = 0, n
        while low < high:
            middle = (low + high) // 2
            if values[middle] < value:
                low = middle + 1
            else:
                high = middle
        return low

    item, loop_body = ht.device_func(place), njit(place)

    @ht.kernel
    def binary_search(values, wanted, found, n):
        i = ht.get_global_id(0)
        found[i] = item(values, wanted[i], n)

    @njit(parallel=True)
    def in_numba(values, wanted, found, n):
        for i in prange(wanted.size):
            found[i] = loop_body(values, wanted[i], n)

    found = np.zeros(n, np.int32)
    return work(
        spec,
        Program(
            binary_search,
            [values, wanted],
            [found],
            (length,),
            (n,),
            lambda: np.searchsorted(values, wanted),
            in_numba,
            tolerance=0,
        ),
    )
