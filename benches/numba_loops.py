"""The Numba contestants: @njit(parallel=True), written as its users write them."""

from __future__ import annotations

import math

import numpy as np
import offload_programs
from numba import njit, prange

compiled = njit(parallel=True, cache=True)


@compiled
def add(x, y):
    return x + y


@compiled
def axpy(a, x, y):
    for i in prange(len(y)):
        y[i] = a * x[i] + y[i]


@compiled
def triad(a, b, scale):
    return a + scale * b


@compiled
def chain_of_ten(v):
    y = v * 1.5
    y = (y + v) * 0.5
    y = (y - 0.25) * v
    y = (y + 1.0) * 0.75
    y = (y - v) * 1.25
    return y + 2.0


@compiled
def chain_of_eight(a, b):
    v = a * b + a
    v = v * v - b
    return np.sqrt(np.abs(v) + np.float32(1.0)) * np.float32(0.5)


black_scholes = compiled(offload_programs.black_scholes)


@compiled
def softmax(x):
    result = np.empty_like(x)
    for r in prange(x.shape[0]):
        e = np.exp(x[r] - np.max(x[r]))
        result[r] = e / np.sum(e)
    return result


@compiled
def sum_all(x):
    return np.sum(x)


@compiled
def sum_axis_0(x):
    result = np.zeros(x.shape[1], x.dtype)
    for block in prange((x.shape[1] + 511) // 512):
        for r in range(x.shape[0]):
            for c in range(512 * block, min(512 * block + 512, x.shape[1])):
                result[c] += x[r, c]
    return result


@compiled
def sum_axis_1(x):
    result = np.empty(x.shape[0], x.dtype)
    for r in prange(x.shape[0]):
        result[r] = np.sum(x[r])
    return result


@compiled
def squared_distance(x, y):
    return np.sum((x - y) ** 2)


@compiled
def argmax_all(x):
    return np.argmax(x)


@compiled
def argmax_axis_0(x):
    result = np.zeros(x.shape[1], np.int64)
    for block in prange((x.shape[1] + 511) // 512):
        for r in range(1, x.shape[0]):
            for c in range(512 * block, min(512 * block + 512, x.shape[1])):
                if x[r, c] > x[result[c], c]:
                    result[c] = r
    return result


@compiled
def argmax_axis_1(x):
    result = np.empty(x.shape[0], np.int64)
    for r in prange(x.shape[0]):
        result[r] = np.argmax(x[r])
    return result


@compiled
def transposed_copy(x):
    result = np.empty((x.shape[1], x.shape[0]), x.dtype)
    for c in prange(x.shape[1]):
        for r in range(x.shape[0]):
            result[c, r] = x[r, c]
    return result


@compiled
def strided_sum(x):
    return x[::2] + x[1::2]


@compiled
def outer_add(x, y):
    return x.reshape(-1, 1) + y


@compiled
def pairwise_distance(x):
    n, dimensions = x.shape
    result = np.empty((n, n), x.dtype)
    for i in prange(n):
        for j in range(n):
            total = x.dtype.type(0)
            for d in range(dimensions):
                delta = x[i, d] - x[j, d]
                total += delta * delta
            result[i, j] = math.sqrt(total)
    return result


@compiled
def add_into(a, b, c):
    for i in prange(len(c)):
        c[i] = a[i] + b[i]


@compiled
def n_body(bodies, forces):
    for i in prange(bodies.shape[0]):
        x, y, z = bodies[i, 0], bodies[i, 1], bodies[i, 2]
        fx = fy = fz = bodies.dtype.type(0)
        for j in range(bodies.shape[0]):
            dx, dy, dz = bodies[j, 0] - x, bodies[j, 1] - y, bodies[j, 2] - z
            near = dx * dx + dy * dy + dz * dz + bodies.dtype.type(1e-3)
            pull = bodies[j, 3] / (near * math.sqrt(near))
            fx += dx * pull
            fy += dy * pull
            fz += dz * pull
        forces[i, 0], forces[i, 1], forces[i, 2] = fx, fy, fz


@compiled
def correlate(x, taps):
    result = np.empty(x.size - taps.size + 1, x.dtype)
    for i in prange(result.size):
        total = x.dtype.type(0)
        for k in range(taps.size):
            total += taps[k] * x[i + k]
        result[i] = total
    return result


@compiled
def five_points(x):
    rows, columns = x.shape
    result = np.empty((rows - 2, columns - 2), x.dtype)
    quarter = x.dtype.type(0.25)
    for i in prange(1, rows - 1):
        for j in range(1, columns - 1):
            result[i - 1, j - 1] = quarter * (x[i - 1, j] + x[i + 1, j] + x[i, j - 1] + x[i, j + 1])
    return result


@compiled
def scatter(target, index, values):
    for i in prange(index.size):
        target[index[i]] = values[i]


@compiled
def gather(x, index):
    result = np.empty(index.size, x.dtype)
    for i in prange(index.size):
        result[i] = x[index[i]]
    return result


@njit(cache=True)
def compress(x, mask):
    result = np.empty(np.count_nonzero(mask), x.dtype)
    count = 0
    for i in range(x.size):
        if mask[i]:
            result[count] = x[i]
            count += 1
    return result


@compiled
def take_along_rows(x, index):
    result = np.empty(index.shape, x.dtype)
    for i in prange(index.shape[0]):
        for j in range(index.shape[1]):
            result[i, j] = x[i, index[i, j]]
    return result


@compiled
def search(values, wanted):
    result = np.empty(wanted.size, np.int64)
    for i in prange(wanted.size):
        result[i] = np.searchsorted(values, wanted[i])
    return result
