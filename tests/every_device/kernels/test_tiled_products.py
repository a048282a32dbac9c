"""Tiled kernels over matrices: product, transpose with padding, convolution with a halo."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


def tiled_matmul(tile):
    @ht.kernel
    def matmul(a, b, c):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        li, lj = ht.get_local_id(0), ht.get_local_id(1)
        a_tile = ht.local.array((tile, tile), ht.float32)
        b_tile = ht.local.array((tile, tile), ht.float32)
        total = np.float32(0)
        for t in range((a.shape[1] + tile - 1) // tile):
            column, row = t * tile + lj, t * tile + li
            a_tile[li, lj] = a[i, column] if i < a.shape[0] and column < a.shape[1] else 0
            b_tile[li, lj] = b[row, j] if row < b.shape[0] and j < b.shape[1] else 0
            ht.barrier(ht.MemFence.LOCAL)
            for k in range(tile):
                total += a_tile[li, k] * b_tile[k, lj]
            ht.barrier(ht.MemFence.LOCAL)
        if i < c.shape[0] and j < c.shape[1]:
            c[i, j] = total

    return matmul


def rounded_up(n, unit):
    return -(-n // unit) * unit


@pytest.mark.parametrize("tile", [2, 8, 16])
@pytest.mark.parametrize("shape", [(16, 16, 16), (32, 48, 16), (17, 5, 33)])
def test_tiled_matmul(queue, tile, shape):
    n, m, k = shape
    rng = np.random.default_rng(1)
    a, b = rng.random((n, k), "f4"), rng.random((k, m), "f4")
    c = ht.zeros((n, m), dtype="f4", queue=queue)
    whole = rounded_up(n, tile), rounded_up(m, tile)
    tiled_matmul(tile)[whole, (tile, tile)](
        ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), c
    )
    np.testing.assert_allclose(ht.asnumpy(c), a @ b, rtol=1e-5)


@pytest.mark.parametrize("tile", [4, 16])
@pytest.mark.parametrize("shape", [(16, 16), (64, 32), (48, 80)])
def test_transpose_with_padding(queue, tile, shape):
    @ht.kernel
    def transposed(a, result):
        block = ht.local.array((tile, tile + 1), ht.float64)
        li, lj = ht.get_local_id(0), ht.get_local_id(1)
        gi, gj = ht.get_group_id(0) * tile, ht.get_group_id(1) * tile
        block[li, lj] = a[gi + li, gj + lj]
        ht.barrier()
        result[gj + li, gi + lj] = block[lj, li]

    a = np.random.default_rng(2).random(shape)
    result = ht.zeros(shape[::-1], queue=queue)
    transposed[shape, (tile, tile)](ht.asarray(a, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), a.T)


@pytest.mark.parametrize("radius", [1, 3])
@pytest.mark.parametrize(("shape", "local"), [((16, 16), (8, 8)), ((24, 40), (4, 10))])
def test_convolution_with_halo(queue, radius, shape, local):
    height, width = local[0] + 2 * radius, local[1] + 2 * radius
    size = 2 * radius + 1

    @ht.kernel
    def convolved(image, weights, result):
        tile = ht.local.array((height, width), ht.float64)
        li, lj = ht.get_local_id(0), ht.get_local_id(1)
        top = ht.get_group_id(0) * local[0] - radius
        left = ht.get_group_id(1) * local[1] - radius
        for i in range(li, height, local[0]):
            for j in range(lj, width, local[1]):
                y = min(max(top + i, 0), image.shape[0] - 1)
                x = min(max(left + j, 0), image.shape[1] - 1)
                tile[i, j] = image[y, x]
        ht.barrier()
        total = 0.0
        for i in range(size):
            for j in range(size):
                total += weights[i, j] * tile[li + i, lj + j]
        result[ht.get_global_id(0), ht.get_global_id(1)] = total

    rng = np.random.default_rng(3)
    image, weights = rng.random(shape), rng.random((size, size))
    result = ht.zeros(shape, queue=queue)
    convolved[shape, local](
        ht.asarray(image, queue=queue), ht.asarray(weights, queue=queue), result
    )
    padded = np.pad(image, radius, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (size, size))
    np.testing.assert_allclose(ht.asnumpy(result), (windows * weights).sum((2, 3)))
