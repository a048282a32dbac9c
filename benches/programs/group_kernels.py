"""Kernels with work-groups, barriers and local memory."""

from __future__ import annotations

import numpy as np
from kernel_peers import CLUSTERS, GROUP, TILE, Program
from numba import njit, prange
from programs.lane_kernels import real_of, work
from row_specs import Spec, Work

import hither as ht

EDGE, RADIUS = TILE + 4, 2
SUMS = CLUSTERS * 3


def tiled_product(spec: Spec) -> Work:
    (n,) = spec.sizes
    real = real_of(spec)
    a, b = spec.numbers(n, n), spec.numbers(n, n, seed=1)

    @ht.kernel
    def tiled_product(a, b, c, n):
        rows = ht.local.array((TILE, TILE), real)
        columns = ht.local.array((TILE, TILE), real)
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        y, x = ht.get_local_id(0), ht.get_local_id(1)
        total = real(0)
        for t in range(0, n, TILE):
            rows[y, x] = a[i, t + x]
            columns[y, x] = b[t + y, j]
            ht.barrier(ht.LOCAL_MEM_FENCE)
            for k in range(TILE):
                total += rows[y, k] * columns[k, x]
            ht.barrier(ht.LOCAL_MEM_FENCE)
        c[i, j] = total

    @njit(parallel=True)
    def in_numba(a, b, c, n):
        for i in prange(n):
            c[i] = 0
            for k in range(n):
                for j in range(n):
                    c[i, j] += a[i, k] * b[k, j]

    return work(
        spec,
        Program(
            tiled_product,
            [a, b],
            [np.zeros_like(a)],
            (n,),
            (n, n),
            lambda: a @ b,
            in_numba,
            numpy=False,
            local=(TILE, TILE),
        ),
    )


def block_reduce(spec: Spec) -> Work:
    """A strided loop over the grid, then a tree in local memory."""
    n, groups = spec.sizes
    real = real_of(spec)
    x = spec.numbers(n)

    @ht.kernel
    def block_reduce(x, sums, n):
        tile = ht.local.array(GROUP, real)
        item = ht.get_local_id(0)
        total = real(0)
        for i in range(ht.get_global_id(0), n, ht.get_global_size(0)):
            total += x[i]
        tile[item] = total
        ht.barrier(ht.LOCAL_MEM_FENCE)
        half = GROUP // 2
        while half > 0:
            if item < half:
                tile[item] += tile[item + half]
            ht.barrier(ht.LOCAL_MEM_FENCE)
            half //= 2
        if item == 0:
            sums[ht.get_group_id(0)] = tile[0]

    @njit(parallel=True, fastmath=True)
    def in_numba(x, sums, n):
        total = real(0)
        for i in prange(n):
            total += x[i]
        sums[0] = total

    return work(
        spec,
        Program(
            block_reduce,
            [x],
            [np.zeros(groups, real)],
            (n,),
            (groups * GROUP,),
            lambda: x.sum(dtype=real),
            in_numba,
            local=(GROUP,),
            read=lambda sums: sums.sum(dtype=np.float64),
            tolerance=1e-3,
        ),
    )


def k_means(spec: Spec) -> Work:
    """One round: each group adds its points, in steps of 1/4096, to the nearest centres' sums."""
    n, groups = spec.sizes
    real = real_of(spec)
    points, centres = spec.numbers(n, 2), spec.numbers(CLUSTERS, 2, seed=1)
    far, scale = real(1e30), real(4096)

    def nearest_of(points, centres, i):
        nearest, label = far, 0
        for c in range(CLUSTERS):
            dx, dy = points[i, 0] - centres[c, 0], points[i, 1] - centres[c, 1]
            d = dx * dx + dy * dy
            if d < nearest:
                nearest, label = d, c
        return label * 3

    item_label, loop_label = ht.device_func(nearest_of), njit(nearest_of)

    @ht.kernel
    def k_means(points, centres, sums, n):
        own = ht.local.array(SUMS, ht.int32)
        item = ht.get_local_id(0)
        if item < SUMS:
            own[item] = 0
        ht.barrier(ht.LOCAL_MEM_FENCE)
        for i in range(ht.get_global_id(0), n, ht.get_global_size(0)):
            label = item_label(points, centres, i)
            ht.atomic.add(own, label, np.int32(points[i, 0] * scale))
            ht.atomic.add(own, label + 1, np.int32(points[i, 1] * scale))
            ht.atomic.add(own, label + 2, np.int32(1))
        ht.barrier(ht.LOCAL_MEM_FENCE)
        if item < SUMS:
            sums[ht.get_group_id(0), item] = own[item]

    @njit(parallel=True)
    def in_numba(points, centres, sums, n):
        parts = sums.shape[0]
        for g in prange(parts):
            sums[g] = 0
            for i in range(g * n // parts, (g + 1) * n // parts):
                label = loop_label(points, centres, i)
                sums[g, label] += np.int32(points[i, 0] * scale)
                sums[g, label + 1] += np.int32(points[i, 1] * scale)
                sums[g, label + 2] += 1

    return work(spec, Program(
        k_means, [points, centres], [np.zeros((groups, SUMS), np.int32)], (n,), (groups * GROUP,),
        lambda: sums_of_nearest(points, centres), in_numba, local=(GROUP,),
        read=lambda s: s.sum(0, dtype=np.int64),
    ))  # fmt: skip


def sums_of_nearest(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """The coordinates, in whole steps, and the number of each centre's points."""
    d = sum((points[:, k, None] - centres[None, :, k]) ** 2 for k in range(2))
    label = d.argmin(1)
    columns = [*(points * points.dtype.type(4096)).astype(np.int32).T, np.ones(len(points))]
    return np.stack([np.bincount(label, c, minlength=CLUSTERS) for c in columns], 1).ravel()


def group_tree(spec: Spec) -> Work:
    """One element an item, and a tree in local memory."""
    (n,) = spec.sizes
    real = real_of(spec)
    x = spec.numbers(n)

    @ht.kernel
    def group_tree(x, sums):
        tile = ht.local.array(GROUP, real)
        item = ht.get_local_id(0)
        tile[item] = x[ht.get_global_id(0)]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        half = ht.get_local_size(0) // 2
        while half > 0:
            if item < half:
                tile[item] += tile[item + half]
            ht.barrier(ht.LOCAL_MEM_FENCE)
            half //= 2
        if item == 0:
            sums[ht.get_group_id(0)] = tile[0]

    return work(spec, tree_of(spec, group_tree, x))


def group_sum(spec: Spec) -> Work:
    """The same sums by group_reduce."""
    (n,) = spec.sizes

    @ht.kernel
    def group_sum(x, sums):
        total = ht.group_reduce(ht.get_group(), x[ht.get_global_id(0)], "add")
        if ht.get_local_id(0) == 0:
            sums[ht.get_group_id(0)] = total

    return work(spec, tree_of(spec, group_sum, spec.numbers(n)))


def tree_of(spec: Spec, kernel, x: np.ndarray) -> Program:
    sums = np.zeros(x.size // GROUP, spec.dtype)

    def expected() -> np.ndarray:
        return x.reshape(-1, GROUP).sum(axis=1)

    return Program(kernel, [x], [sums], (), x.shape, expected, local=(GROUP,), name="group_tree")


def convolved(image: np.ndarray, weights: np.ndarray) -> np.ndarray:
    padded = np.pad(image, RADIUS, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, weights.shape)
    return np.einsum("ijab,ab->ij", windows, weights)


def convolve(spec: Spec) -> Work:
    """5 x 5, with tiles that have the edges of their neighbours."""
    (n,) = spec.sizes
    real = real_of(spec)
    image, weights = spec.numbers(n, n), spec.numbers(5, 5, seed=1)

    @ht.kernel
    def convolve(image, weights, out, n):
        tile = ht.local.array((EDGE, EDGE), real)
        y, x = ht.get_local_id(0), ht.get_local_id(1)
        top, left = ht.get_group_id(0) * TILE, ht.get_group_id(1) * TILE
        for a in range(y, EDGE, TILE):
            for b in range(x, EDGE, TILE):
                tile[a, b] = image[
                    min(max(top + a - RADIUS, 0), n - 1), min(max(left + b - RADIUS, 0), n - 1)
                ]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        total = real(0)
        for a in range(2 * RADIUS + 1):
            for b in range(2 * RADIUS + 1):
                total += weights[a, b] * tile[y + a, x + b]
        out[ht.get_global_id(0), ht.get_global_id(1)] = total

    return work(
        spec,
        Program(
            convolve,
            [image, weights],
            [np.zeros_like(image)],
            (n,),
            (n, n),
            lambda: convolved(image, weights),
            local=(TILE, TILE),
        ),
    )
