"""Kernels in which each item computes one element, in loops of the same length for all."""

from __future__ import annotations

import math

import numpy as np
from kernel_peers import TAPS, Program
from numba import njit, prange
from programs.lane_kernels import real_of, work
from row_specs import Spec, Work

import hither as ht

CHECKED = 64  # forces that are compared


def pulls(bodies: np.ndarray, count: int) -> np.ndarray:
    """The first `count` forces, in float64."""
    place, mass = bodies[:, :3].astype(np.float64), bodies[:, 3].astype(np.float64)
    d = place[None] - place[:count, None]
    near = (d * d).sum(2) + 1e-3
    return (d * (mass / (near * np.sqrt(near)))[:, :, None]).sum(1)


def n_body(spec: Spec) -> Work:
    return work(spec, n_body_program(spec))


def n_body_program(spec: Spec) -> Program:
    (n,) = spec.sizes
    real = real_of(spec)
    bodies = spec.numbers(n, 4)
    soft = real(1e-3)

    def force(bodies, i, n):
        x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
        fx, fy, fz = real(0), real(0), real(0)
        for j in range(n):
            dx, dy, dz = bodies[j, 0] - x, bodies[j, 1] - y, bodies[j, 2] - z
            near = dx * dx + dy * dy + dz * dz + soft
            pull = bodies[j, 3] / (near * math.sqrt(near))
            fx += dx * pull
            fy += dy * pull
            fz += dz * pull
        return fx, fy, fz

    item, loop_body = ht.device_func(force), njit(force)

    @ht.kernel
    def n_body(bodies, forces, n):
        i = ht.get_global_id(0)
        forces[i, 0], forces[i, 1], forces[i, 2] = item(bodies, i, n)

    @njit(parallel=True)
    def in_numba(bodies, forces, n):
        for i in prange(n):
            forces[i, 0], forces[i, 1], forces[i, 2] = loop_body(bodies, i, n)

    return Program(
        n_body, [bodies], [np.zeros((n, 3), real)], (n,), (n,), lambda: pulls(bodies, CHECKED),
        in_numba, numpy=False, read=lambda forces: forces[:CHECKED], tolerance=1e-3,
    )  # fmt: skip


def pairwise(spec: Spec) -> Work:
    return work(spec, pairwise_program(spec, spec.numbers(*spec.sizes)))


def pairwise_program(spec: Spec, points: np.ndarray) -> Program:
    n, dims = points.shape
    real = real_of(spec)

    @ht.kernel
    def pairwise(points, distance, n, dims):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        total = real(0)
        for k in range(dims):
            d = points[i, k] - points[j, k]
            total += d * d
        distance[i, j] = math.sqrt(total)

    def in_numpy() -> np.ndarray:
        d = points[:, None] - points[None]
        return np.sqrt((d * d).sum(2))

    @njit(parallel=True)
    def in_numba(points, distance, n, dims):
        for i in prange(n):
            for j in range(n):
                total = real(0)
                for k in range(dims):
                    d = points[i, k] - points[j, k]
                    total += d * d
                distance[i, j] = math.sqrt(total)

    return Program(
        pairwise, [points], [np.zeros((n, n), real)], (n, dims), (n, n), in_numpy, in_numba
    )


def conv1d(spec: Spec) -> Work:
    (n,) = spec.sizes
    real = real_of(spec)
    x, taps = spec.numbers(n + TAPS - 1), spec.numbers(TAPS, seed=1)

    @ht.kernel
    def conv1d(x, taps, y):
        i = ht.get_global_id(0)
        total = real(0)
        for k in range(TAPS):
            total += taps[k] * x[i + k]
        y[i] = total

    @njit(parallel=True)
    def in_numba(x, taps, y):
        for i in prange(y.size):
            total = real(0)
            for k in range(TAPS):
                total += taps[k] * x[i + k]
            y[i] = total

    return work(
        spec,
        Program(
            conv1d,
            [x, taps],
            [np.zeros(n, real)],
            (),
            (n,),
            lambda: np.correlate(x, taps, "valid"),
            in_numba,
        ),
    )


def jacobi(spec: Spec) -> Work:
    (n,) = spec.sizes
    real = real_of(spec)
    x = spec.numbers(n, n)
    quarter = real(0.25)

    @ht.kernel
    def jacobi(x, y, n):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        if i > 0 and i + 1 < n and j > 0 and j + 1 < n:
            y[i, j] = quarter * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])

    def in_numpy() -> np.ndarray:
        y = np.zeros_like(x)
        y[1:-1, 1:-1] = quarter * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        return y

    @njit(parallel=True)
    def in_numba(x, y, n):
        for i in prange(1, n - 1):
            for j in range(1, n - 1):
                y[i, j] = quarter * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])

    return work(spec, Program(jacobi, [x], [np.zeros_like(x)], (n,), (n, n), in_numpy, in_numba))


def jacobi_groups(spec: Spec) -> Work:
    """The same in groups, where the place is made of the group's and the item's."""
    (n,) = spec.sizes
    real = real_of(spec)
    x = spec.numbers(n, n)
    quarter = real(0.25)

    @ht.kernel
    def jacobi_groups(x, y, n):
        i = ht.get_group_id(0) * ht.get_local_size(0) + ht.get_local_id(0)
        j = ht.get_group_id(1) * ht.get_local_size(1) + ht.get_local_id(1)
        if i > 0 and i + 1 < n and j > 0 and j + 1 < n:
            y[i, j] = quarter * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])

    def in_numpy() -> np.ndarray:
        y = np.zeros_like(x)
        y[1:-1, 1:-1] = quarter * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
        return y

    return work(
        spec,
        Program(
            jacobi_groups,
            [x],
            [np.zeros_like(x)],
            (n,),
            (n, n),
            in_numpy,
            local=(4, 64),
            name="jacobi",
        ),
    )


def outer_add(spec: Spec) -> Work:
    (n,) = spec.sizes
    x, y = spec.numbers(n), spec.numbers(n, seed=1)

    @ht.kernel
    def outer_add(x, y, z, n):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        z[i, j] = x[i] + y[j]

    @njit(parallel=True)
    def in_numba(x, y, z, n):
        for i in prange(n):
            for j in range(n):
                z[i, j] = x[i] + y[j]

    return work(
        spec,
        Program(
            outer_add,
            [x, y],
            [np.zeros((n, n), spec.dtype)],
            (n,),
            (n, n),
            lambda: x[:, None] + y,
            in_numba,
        ),
    )
