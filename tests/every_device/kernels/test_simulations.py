"""Kernels of simulations: n bodies in tiles, the Game of Life, Monte Carlo."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


@pytest.mark.parametrize(("n", "local"), [(64, 16), (256, 64), (96, 96)])
def test_n_bodies_in_tiles(queue, n, local):
    @ht.kernel
    def accelerations(position, mass, result):
        tile = ht.local.array((local, 4), ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        x, y, z = position[i, 0], position[i, 1], position[i, 2]
        ax, ay, az = 0.0, 0.0, 0.0
        for start in range(0, n, local):
            for d in range(3):
                tile[k, d] = position[start + k, d]
            tile[k, 3] = mass[start + k]
            ht.barrier()
            for j in range(local):
                dx, dy, dz = tile[j, 0] - x, tile[j, 1] - y, tile[j, 2] - z
                r2 = dx * dx + dy * dy + dz * dz + 1e-3
                f = tile[j, 3] / (r2 * np.sqrt(r2))
                ax += f * dx
                ay += f * dy
                az += f * dz
            ht.barrier()
        result[i, 0], result[i, 1], result[i, 2] = ax, ay, az

    rng = np.random.default_rng(1)
    position, mass = rng.random((n, 3)), rng.random(n)
    result = ht.zeros((n, 3), queue=queue)
    accelerations[ht.NdRange(n, local)](
        ht.asarray(position, queue=queue), ht.asarray(mass, queue=queue), result
    )
    d = position[None] - position[:, None]
    r2 = (d**2).sum(2) + 1e-3
    expected = (mass[None, :, None] * d / (r2 * np.sqrt(r2))[..., None]).sum(1)
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize(("shape", "local"), [((16, 16), (4, 4)), ((32, 24), (8, 12))])
def test_game_of_life(queue, shape, local):
    height, width = local[0] + 2, local[1] + 2

    @ht.kernel
    def life(item: ht.NdItem, old, new):
        cells = ht.local.array((height, width), ht.uint8)
        li, lj = item.get_local_id(0), item.get_local_id(1)
        top = item.get_group().get_group_id(0) * local[0] - 1
        left = item.get_group().get_group_id(1) * local[1] - 1
        for i in range(li, height, local[0]):
            for j in range(lj, width, local[1]):
                cells[i, j] = old[(top + i) % old.shape[0], (left + j) % old.shape[1]]
        ht.group_barrier(item.get_group())
        count = 0
        for i in range(3):
            for j in range(3):
                count += cells[li + i, lj + j]
        alive = cells[li + 1, lj + 1] == 1
        lives = count == 3 or (alive and count == 4)
        new[item.get_global_id(0), item.get_global_id(1)] = 1 if lives else 0

    board = np.random.default_rng(2).integers(0, 2, shape).astype("u1")
    old, new = ht.asarray(board, queue=queue), ht.zeros(shape, dtype="u1", queue=queue)
    for _ in range(4):
        life[shape, local](old, new)
        old, new = new, old
        near = sum(np.roll(board, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1))
        board = ((near == 3) | ((board == 1) & (near == 4))).astype("u1")
    assert np.array_equal(ht.asnumpy(old), board)


@pytest.mark.parametrize(("items", "local"), [(512, 64), (1024, 256)])
def test_monte_carlo_pi(queue, items, local):
    draws = 200

    @ht.kernel
    def inside(seed, count):
        i = ht.get_global_id(0)
        hits = 0
        for k in range(draws):
            x = ht.random.uniform_float32(seed, i, 2 * k)
            y = ht.random.uniform_float32(seed, i, 2 * k + 1)
            if x * x + y * y < 1:
                hits += 1
        total = ht.group_reduce(ht.get_group(), hits, "add")
        if ht.get_local_linear_id() == 0:
            ht.atomic.add(count, 0, total)

    def estimate(local_size):
        count = ht.zeros(1, dtype=ht.int64, queue=queue)
        inside[ht.NdRange(items, local_size)](42, count)
        return int(count[0])

    hits, total = estimate(local), items * draws
    assert abs(4 * hits / total - np.pi) < 4 * np.sqrt(np.pi * (4 - np.pi) / total)
    assert hits == estimate(local // 2)
