"""Kernels of data analysis: k-means, pairwise distance, a sparse product, option prices, and the
Mandelbrot set."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hither as ht


@pytest.mark.parametrize(("n", "k", "local"), [(512, 4, 32), (1000, 7, 8)])
def test_k_means(queue, n, k, local):
    """Assignment in one kernel, sums by local and then global atomics in another."""

    @ht.kernel
    def assign(points, centres, labels):
        i = ht.get_global_id(0)
        best, nearest = 1e300, 0
        for c in range(centres.shape[0]):
            d = 0.0
            for axis in range(2):
                d += (points[i, axis] - centres[c, axis]) ** 2
            if d < best:
                best, nearest = d, c
        labels[i] = nearest

    @ht.kernel
    def accumulate(points, labels, sums):
        own = ht.local.array((k, 3), ht.float64)
        for c in range(ht.get_local_id(0), k, ht.get_local_size(0)):
            for axis in range(3):
                own[c, axis] = 0
        ht.barrier()
        i = ht.get_global_id(0)
        c = labels[i]
        ht.atomic.add(own, (c, 0), points[i, 0])
        ht.atomic.add(own, (c, 1), points[i, 1])
        ht.atomic.add(own, (c, 2), 1.0)
        ht.barrier()
        for c in range(ht.get_local_id(0), k, ht.get_local_size(0)):
            for axis in range(3):
                ht.atomic.add(sums, (c, axis), own[c, axis])

    rng = np.random.default_rng(1)
    host = rng.integers(0, 64, (n, 2)).astype("f8")
    centres = host[:k].copy()
    points = ht.asarray(host, queue=queue)
    labels = ht.zeros(n, dtype=ht.int32, queue=queue)
    for _ in range(3):
        assign[n](points, ht.asarray(centres, queue=queue), labels)
        sums = ht.zeros((k, 3), queue=queue)
        accumulate[ht.NdRange(n, local)](points, labels, sums)
        expected = ((host[:, None] - centres[None]) ** 2).sum(2).argmin(1)
        assert np.array_equal(ht.asnumpy(labels), expected)
        got = ht.asnumpy(sums)
        counts = np.bincount(expected, minlength=k)
        assert np.array_equal(got[:, 2], counts)
        assert np.array_equal(got[:, 0], np.bincount(expected, host[:, 0], k))
        centres = got[:, :2] / np.maximum(got[:, 2:], 1)


@pytest.mark.parametrize(("n", "m", "local"), [(32, 48, (8, 8)), (20, 36, (4, 12))])
def test_pairwise_distance(queue, n, m, local):
    depth = 5

    @ht.kernel
    def distances(a, b, result):
        rows = ht.local.array((local[0], depth), ht.float64)
        columns = ht.local.array((local[1], depth), ht.float64)
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        li, lj = ht.get_local_id(0), ht.get_local_id(1)
        for d in range(lj, depth, local[1]):
            rows[li, d] = a[i, d]
        for d in range(li, depth, local[0]):
            columns[lj, d] = b[j, d]
        ht.barrier()
        total = 0.0
        for d in range(depth):
            total += (rows[li, d] - columns[lj, d]) ** 2
        result[i, j] = math.sqrt(total)

    rng = np.random.default_rng(2)
    a, b = rng.random((n, depth)), rng.random((m, depth))
    result = ht.zeros((n, m), queue=queue)
    distances[(n, m), local](ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), result)
    expected = np.sqrt(((a[:, None] - b[None]) ** 2).sum(2))
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-12)


@pytest.mark.parametrize(("rows", "local"), [(64, 8), (50, 16)])
def test_sparse_matrix_times_vector(queue, rows, local):
    """Compressed rows, one group a row."""

    @ht.kernel
    def spmv(pointers, columns, values, x, y):
        row, k = ht.get_group_id(0), ht.get_local_id(0)
        total = 0.0
        for e in range(pointers[row] + k, pointers[row + 1], ht.get_local_size(0)):
            total += values[e] * x[columns[e]]
        total = ht.group_reduce(ht.get_group(), total, "add")
        if k == 0:
            y[row] = total

    rng = np.random.default_rng(3)
    dense = rng.integers(1, 9, (rows, 40)) * (rng.random((rows, 40)) < 0.2).astype("f8")
    pointers = np.concatenate([[0], (dense != 0).sum(1).cumsum()])
    columns, values = np.nonzero(dense)[1], dense[dense != 0]
    x = rng.integers(0, 5, 40).astype("f8")
    y = ht.zeros(rows, queue=queue)
    on_device = [ht.asarray(v, queue=queue) for v in (pointers, columns, values, x)]
    spmv[ht.NdRange(rows * local, local)](*on_device, y)
    assert np.array_equal(ht.asnumpy(y), dense @ x)


@pytest.mark.parametrize("n", [1, 100, 4097])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_black_scholes(queue, n, dtype):
    @ht.device_func
    def cumulative(d):
        return 0.5 + 0.5 * math.erf(d * 0.7071067811865476)

    @ht.kernel
    def prices(spot, strike, years, rate, volatility, call, put):
        i = ht.get_global_id(0)
        s, k, t = spot[i], strike[i], years[i]
        sd = volatility * math.sqrt(t)
        d1 = (math.log(s / k) + (rate + 0.5 * volatility * volatility) * t) / sd
        present = k * math.exp(-rate * t)
        call[i] = s * cumulative(d1) - present * cumulative(d1 - sd)
        put[i] = call[i] - s + present

    rng = np.random.default_rng(4)
    s, k, t = (
        rng.uniform(low, high, n).astype(dtype) for low, high in ((10, 50), (10, 50), (1, 2))
    )
    call, put = (ht.zeros(n, dtype=dtype, queue=queue) for _ in range(2))
    arrays = [ht.asarray(v, queue=queue) for v in (s, k, t)]
    prices(*arrays, 0.1, 0.2, call, put)
    s, k, t = (v.astype("f8") for v in (s, k, t))
    erf = np.vectorize(math.erf)
    d1 = (np.log(s / k) + 0.12 * t) / (0.2 * np.sqrt(t))
    d2, present = d1 - 0.2 * np.sqrt(t), k * np.exp(-0.1 * t)
    expected = s * (0.5 + 0.5 * erf(d1 / 2**0.5)) - present * (0.5 + 0.5 * erf(d2 / 2**0.5))
    tolerance = 1e-4 if dtype == "float32" else 1e-11
    np.testing.assert_allclose(ht.asnumpy(call), expected, rtol=tolerance, atol=tolerance)
    np.testing.assert_allclose(
        ht.asnumpy(put), expected - s + present, rtol=tolerance, atol=tolerance
    )


@pytest.mark.parametrize(
    ("shape", "local"), [((24, 32), None), ((24, 32), (4, 8)), ((5, 7), (5, 1))]
)
def test_mandelbrot(queue, shape, local):
    most = 60

    @ht.kernel
    def escapes(count):
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        c = complex(-2 + 3 * j / count.shape[1], -1 + 2 * i / count.shape[0])
        z = 0j
        n = 0
        while n < most and z.real * z.real + z.imag * z.imag < 4:
            z = z * z + c
            n += 1
        count[i, j] = n

    count = ht.zeros(shape, dtype=ht.int32, queue=queue)
    escapes[ht.Range(*shape) if local is None else ht.NdRange(shape, local)](count)
    i, j = np.indices(shape)
    c = (-2 + 3 * j / shape[1]) + 1j * (-1 + 2 * i / shape[0])
    z, expected = np.zeros(shape, complex), np.zeros(shape, int)
    for _ in range(most):
        inside = z.real**2 + z.imag**2 < 4
        z[inside] = z[inside] ** 2 + c[inside]
        expected += inside
    assert np.array_equal(ht.asnumpy(count), expected)
