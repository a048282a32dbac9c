"""On GPUs, inner loops whose iterations are independent are dimensions of the region. Here all
devices have this form."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from numba import prange

import hither as ht
from hither._offload import region


@pytest.fixture(autouse=True)
def _as_on_a_gpu(monkeypatch):
    monkeypatch.setattr(region, "runs_lanes", lambda device: True)


def _squares(out, x):
    n, m = out.shape
    for i in prange(n):
        scale = 2.0 * i
        for j in range(m):
            total = scale
            k = 0
            while k < 3 and total < 50.0:
                total += x[i, j] + k
                k += 1
            out[i, j] = total


def _three(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            for k in range(2):
                out[i, j] = x[i, j] + k if k == 0 else out[i, j] * 2


def _planes(out, x):
    n = x.shape[0]
    for i in prange(n):
        for j in range(1, x.shape[1] - 1):
            for k in range(3):
                out[i, j, k] = x[i, j - 1] + x[i, j + 1] * k + math.sqrt(j)


def _neighbours(out, x):
    n, m = x.shape
    for i in prange(1, n - 1):
        row = i - 1
        for j in range(1, m - 1):
            if x[row, j] > 0.5:
                out[i, j] = x[i + 1, j]
            else:
                out[i, j] = x[i, j - 1] - x[i, j + 1]


def _scan(out, x):
    for i in prange(x.shape[0]):
        for j in range(1, x.shape[1]):
            out[i, j] = out[i, j - 1] + x[i, j]


def _carried(out, x):
    for i in prange(x.shape[0]):
        last = 0.0
        for j in range(x.shape[1]):
            last = last / 2 + x[i, j]
            out[i, j] = last


def _stopped(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 0.9:
                break
            out[i, j] = 1.0


def _followed(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = x[i, j]
        out[i, 0] = -1.0


def _triangle(out, x):
    for i in prange(x.shape[0]):
        for j in range(min(i, x.shape[1])):
            out[i, j] = x[i, j]


def _pairs(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j // 2] = x[i, j]


def _preceded(out, x):
    for i in prange(x.shape[0]):
        out[i, 0] = 5.0
        for j in range(x.shape[1] - 1):
            out[i, j] = out[i, j] + x[i, j]


def _raising(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 2:
                raise ValueError("too large")
            out[i, j] = 2 * x[i, j]


def _by_length(out, x):
    for i in prange(x.shape[0]):
        for j in range(int(x[0, 0] * 0) + x.shape[1]):
            out[i, j] = x[i, j]


def _in_a_local_array(out, x):
    for i in prange(x.shape[0]):
        so_far = np.empty(1)
        for j in range(x.shape[1]):
            so_far[0] = x[i, j] + (so_far[0] if j else 0.0)
            out[i, j] = so_far[0]


def _divided(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1] // x.shape[0]):
            out[i, j] = x[i, j]


def _by_element(out, x):
    lengths = np.array([5, 3])
    for i in prange(x.shape[0]):
        for j in range(lengths[0]):
            out[i, j] = x[i, j]


def _halves(out, x):
    for i in prange(x.shape[0]):
        for j in range(x.shape[1] // 2):
            out[i, j] = x[i, j]


def items_of(function):
    name = function.__name__ + "."
    return [r.items for r in ht.kernel_history() if r.name.startswith(name)][-1]


def run(queue, function, shape, out_shape=None):
    """The function on device arrays and without hither, and the items of its last kernel."""
    x = np.random.default_rng(3).random(shape)
    expected = np.zeros(out_shape or shape)
    function(expected, x)
    out = ht.zeros(expected.shape, queue=queue)
    out.evaluate()
    compiled = numba.njit(parallel=True)(function)
    with ht.device_context(queue, keep_below=0):
        compiled(out, ht.asarray(x, queue=queue))
    np.testing.assert_allclose(ht.asnumpy(out), expected, rtol=1e-14)
    assert [p.reason for p in ht.offload_report(compiled).parfors if p.reason] == []
    return items_of(function)


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (17, 40), (200, 3)])
def test_independent_iterations_have_items_of_their_own(queue, shape):
    n, m = shape
    assert run(queue, _squares, shape) == n * m
    assert run(queue, _three, shape) == n * m
    if m > 1:
        assert run(queue, _halves, shape) == n * (m // 2)
    if m > 2:
        assert run(queue, _planes, shape, (n, m, 3)) == n * (m - 2) * 3
    if min(n, m) > 2:
        assert run(queue, _neighbours, shape) == (n - 2) * (m - 2)


@pytest.mark.parametrize("function", [
    _scan, _carried, _stopped, _followed, _triangle, _pairs, _preceded, _raising, _by_length,
    _by_element, _in_a_local_array, _divided,
], ids=lambda f: f.__name__)  # fmt: skip
def test_other_inner_loops_stay_loops_of_an_item(queue, function):
    assert run(queue, function, (7, 12)) == 7


@pytest.mark.parametrize(("n", "start", "stop"), [
    (4, 2, 6), (4, 6, 2), (-3, 6, 2), (-3, -2, 3), (0, 0, 5), (4, -2, 0),
])  # fmt: skip
@pytest.mark.parametrize("dtype", [int, np.int32, np.int8, np.uint32])
def test_limits_of_loops(queue, n, start, stop, dtype):
    if min(n, start, stop) < 0 and dtype is np.uint32:
        pytest.skip("negative numbers")

    def mark(out, n, start, stop):
        for i in prange(n):
            for j in range(start, stop):
                out[i, j] += 10 * i + j

    expected = np.ones((8, 8))
    numbers = tuple(map(dtype, (n, start, stop)))
    mark(expected, n, start, stop)
    compiled = numba.njit(parallel=True)(mark)
    out = ht.ones((8, 8), queue=queue)
    out.evaluate()
    with ht.device_context(queue, keep_below=0):
        compiled(out, *numbers)
    np.testing.assert_array_equal(ht.asnumpy(out), expected)


def test_functions_of_serial_loops_and_local_arrays(queue):
    def distances(points):
        n, dims = points.shape
        distance = np.empty((n, n))
        for i in prange(n):
            for j in range(n):
                d = 0.0
                for k in range(dims):
                    d += (points[i, k] - points[j, k]) ** 2
                distance[i, j] = math.sqrt(d)
        return distance

    points = np.random.default_rng(0).random((333, 3))
    with ht.device_context(queue, keep_below=0):
        found = numba.njit(distances)(points)
        assert items_of(distances) == 333 * 333
    np.testing.assert_allclose(found, distances(points), rtol=1e-14)


def _of_a_view(out, x):
    shifted = out[:, 1:]
    for i in prange(shifted.shape[0]):
        for j in range(shifted.shape[1]):
            shifted[i, j] = out[i, j] + x[i, j]


def _of_planes(out, x):
    other = out[:, 1:, 1:]
    for i in prange(other.shape[0]):
        for j in range(other.shape[1]):
            for k in range(other.shape[2]):
                other[i, j, k] = out[i, j, k] + out[i, j, k + 1] + x[i, j, k]


@pytest.mark.parametrize(
    ("function", "shape"), [(_of_a_view, (3, 50)), (_of_a_view, (40, 2)), (_of_planes, (5, 7, 9))]
)
def test_arrays_that_overlap_keep_the_order_of_inner_loops(queue, function, shape):
    run(queue, function, shape)


def test_arguments_that_overlap_keep_the_order_of_inner_loops(queue):
    def add(out, x):
        for i in prange(out.shape[0]):
            for j in range(1, out.shape[1]):
                out[i, j] = x[i, j - 1] + 1

    expected = np.zeros((30, 40))
    add(expected, expected)
    x = ht.zeros(expected.shape, queue=queue)
    x.evaluate()
    with ht.device_context(queue, keep_below=0):
        numba.njit(parallel=True)(add)(x, x)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


def _last_index(out, x):
    last = -1
    for i in prange(x.shape[0]):
        for j in range(x.shape[1]):
            out[i, j] = 1
    last = i
    return last


def test_a_variable_that_is_used_later_keeps_the_loop(queue):
    compiled = numba.njit(_last_index)
    with ht.device_context(queue, keep_below=0):
        assert compiled(np.zeros((3, 0)), np.zeros((3, 0))) == 2
