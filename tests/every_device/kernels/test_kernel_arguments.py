"""Other kernel arguments than arrays and numbers, views in kernels, private and constant arrays."""

from __future__ import annotations

import math
from collections import namedtuple

import numba
import numpy as np
import pytest

import hither as ht

Pair = namedtuple("Pair", "first second")
Particle = np.dtype([("mass", "i4"), ("x", "f8"), ("v", "f4", (2,))], align=True)
N = 64
TABLE = np.linspace(0, 1, 5)
SCALE = 3


def test_tuples_nest(queue):
    @ht.kernel
    def combined(t, result):
        a, (b, (c, k)) = t
        i = ht.get_global_id(0)
        result[i] = a[i] + b * c[i] + k

    a, c = ht.arange(N, dtype=ht.float64, queue=queue), ht.ones(N, queue=queue)
    result = ht.zeros(N, queue=queue)
    combined[N]((a, (2, (c, 0.5))), result)
    assert np.array_equal(ht.asnumpy(result), np.arange(N) + 2.5)


def test_tuples_of_one_type_are_indexed(queue):
    @ht.kernel
    def total(t, result):
        i = ht.get_global_id(0)
        s = 0.0
        for k in range(len(t)):
            s += t[k][i]
        result[i] = s

    arrays = tuple(ht.full(N, float(k), queue=queue) for k in range(4))
    result = ht.zeros(N, queue=queue)
    total[N](arrays, result)
    assert (ht.asnumpy(result) == 6).all()


def test_named_tuples_have_their_names_and_write_their_arrays(queue):
    @ht.kernel
    def named(p):
        i = ht.get_global_id(0)
        p.first[i] = p.second * i

    x = ht.zeros(N, queue=queue)
    named[N](Pair(x, 2))
    named[N](Pair(first=x, second=3))
    assert np.array_equal(ht.asnumpy(x), 3.0 * np.arange(N))


def test_host_arrays_in_tuples_come_back(queue):
    @ht.kernel
    def swap(p):
        i = ht.get_global_id(0)
        p[0][i], p[1][i] = p[1][i], p[0][i]

    a, b = np.zeros(N), np.ones(N)
    swap[N]((a, b), queue=queue)
    assert a.all() and not b.any()


def test_placement_names_the_item_of_a_tuple(queue):
    @ht.kernel
    def mixed(p):
        p[0][ht.get_global_id(0)] = p[1]

    with pytest.raises(ht.PlacementError):
        mixed[N]((np.zeros(N), ht.zeros(N, queue=queue)))
    with pytest.raises(TypeError, match=r"p\[1\] is a str"):
        mixed[N]((ht.zeros(N, queue=queue), "no"))


def test_records_as_arrays_and_numbers(queue):
    @ht.kernel
    def move(particles, step, result):
        i = ht.get_global_id(0)
        particles[i].x += step.x * particles[i].mass
        particles[i].v[1] = step.v[0]
        result[i] = particles[i].x

    particles = np.zeros(N, Particle)
    particles["mass"], particles["x"] = 2, np.arange(N)
    step = np.zeros((), Particle)[()]
    step["x"], step["v"] = 0.25, (7, 8)
    result = np.zeros(N)
    move[N](particles, step, result, queue=queue)
    assert np.array_equal(result, np.arange(N) + 0.5)
    assert (particles["v"] == [0, 7]).all() and np.array_equal(particles["x"], result)
    move[N // 2](particles[::2], step, result[: N // 2], queue=queue)
    assert np.array_equal(particles["x"][::2], np.arange(0, N, 2) + 1)
    assert np.array_equal(particles["x"][1::2], np.arange(1, N, 2) + 0.5)


def test_writes_to_a_record_are_refused(queue):
    @ht.device_func
    def heavier(particle):
        particle.mass += 1

    @ht.device_func
    def mass_of(particle):
        return particle.mass

    @ht.kernel
    def write(particle, result):
        particle.x = 1

    @ht.kernel
    def write_elsewhere(particle, result):
        heavier(particle)

    @ht.kernel
    def read(particle, result):
        result[0] = mass_of(particle) + particle["mass"]

    particle = np.zeros((), Particle)[()]
    particle["mass"], result = 2, np.zeros(1)
    for kernel in (write, write_elsewhere):
        with pytest.raises(ht.CompileError, match=r"writes to the record particle, .* by value"):
            kernel[1](particle, result, queue=queue)
    read[1](particle, result, queue=queue)
    assert result[0] == 4


def test_reshaped_arrays(queue):
    @ht.kernel
    def add(a, result, rows, columns):
        i = ht.get_global_id(0)
        by_tuple, by_numbers = a.reshape((rows, -1)), a.reshape(-1, columns)
        result[i] = by_tuple[i // columns, i % columns] + 10 * by_numbers[i // columns, -1]

    host = np.arange(1.0, 13).reshape(2, 6)
    a, result = ht.asarray(host, queue=queue), ht.empty(12, queue=queue)
    add[12](a, result, 4, 3)
    m = host.reshape(4, 3)
    assert np.array_equal(ht.asnumpy(result), (m + 10 * m[:, -1:]).ravel())
    add[0](ht.empty((0, 6), queue=queue), result, 0, 3)
    with pytest.raises(ht.KernelError, match="total size of new array must be unchanged"):
        ht.launch(add, 12, a, ht.empty(12, queue=queue), 5, 3).wait()
    with pytest.raises(ht.CompileError, match="reshape"):
        add[12](a.T, result, 4, 3)


def test_views_inside_kernels(queue):
    @ht.kernel
    def views(a, result):
        i = ht.get_global_id(0)
        row = a[i]
        column = a.T[i]
        back = row[::-1]
        part = a[1:, i : i + 1]
        total = 0.0
        for k in range(part.shape[0]):
            total += part[k, 0]
        result[i, 0] = row[2] + column[3]
        result[i, 1] = back[0]
        result[i, 2] = total
        result[i, 3] = np.sum(row[1:3])
        row[0] = -1

    host = np.arange(64.0).reshape(8, 8)
    a = ht.asarray(host, queue=queue)
    result = ht.zeros((8, 4), queue=queue)
    views[8](a, result)
    got = ht.asnumpy(result)
    assert np.array_equal(got[:, 1], host[:, 7])
    assert np.array_equal(got[:, 3], host[:, 1] + host[:, 2])
    assert np.array_equal(got[1:, 0], host[1:, 2] + host[3, 1:])
    assert np.array_equal(got[1:, 2], host[1:, 1:].sum(axis=0))
    assert (ht.asnumpy(a)[:, 0] == -1).all()


def test_constants_closures_and_private_arrays(queue):
    offset, weights = 10, (1, 2, 4)

    @ht.kernel
    def mixed(result):
        i = ht.get_global_id(0)
        table = ht.constant.array_like(TABLE)
        own = ht.private.array((SCALE, 2), ht.float64)
        for k in range(SCALE):
            own[k, 0] = weights[k] * i
            own[k, 1] = table[k]
        result[i] = own[2, 0] + own[1, 1] + offset

    result = ht.zeros(N, queue=queue)
    mixed[N](result)
    assert np.array_equal(ht.asnumpy(result), 4.0 * np.arange(N) + TABLE[1] + 10)


def test_device_functions_with_signatures_convert(queue):
    @ht.device_func("f4(f4, i4)")
    def scaled(x, n):
        return x * n

    @numba.njit
    def halved(x):
        return x / 2

    @ht.kernel
    def k(x, result):
        i = ht.get_global_id(0)
        result[i] = halved(scaled(x[i], 3.0)) + math.floor(0.5)

    x, result = ht.full(N, 1 / 3, queue=queue), ht.zeros(N, queue=queue)
    k[N](x, result)
    assert (ht.asnumpy(result) == np.float64(np.float32(1 / 3) * np.float32(3)) / 2).all()


def test_signatures_compile_at_once_and_take_nothing_else(queue):
    before = ht.counters()
    kernel = ht.kernel(["void(f8[:], f8)", "void(i4[:], i4)"])(_fill)
    after = ht.counters()
    compiled = sum(after[k] - before[k] for k in ("compiles", "cache_hits"))
    assert compiled == 2
    x = ht.zeros(4, queue=queue)
    kernel[4](x, 3)
    assert ht.asnumpy(x).tolist() == [3, 3, 3, 3]
    with pytest.raises(ht.CompileError, match=r"declared for void\(f8"):
        kernel[4](ht.zeros(4, dtype=ht.float32, queue=queue), 3)
    with pytest.raises(ht.CompileError, match=r"declared for void\(f8"):
        kernel[4](ht.zeros(4, dtype=ht.int32, queue=queue), 2.5)  # would lose its fraction
    with pytest.raises(TypeError, match="returns nothing"):
        ht.kernel("f8(f8)")(_fill)


def _fill(a, value):
    a[ht.get_global_id(0)] = value


def test_signatures_are_numbas_objects_too(queue):
    from numba import boolean, float64, int32, int64, void

    @ht.device_func([int32(int32), int64(int64)])
    def rounded(x):
        return x

    def body(x, more):
        x[ht.get_global_id(0)] = rounded(1.75) + more

    for given in (void(float64[::1], boolean), (float64[:], boolean)):
        x = ht.zeros(4, queue=queue)
        ht.kernel(given)(body)[4](x, True)
        assert ht.asnumpy(x).tolist() == [2] * 4
    in_fortran_order = ht.kernel([void(float64[::1, :], int64)])(_fill_first)
    x = ht.zeros((3, 4), queue=queue)
    in_fortran_order[4](x.T, 5)
    assert (ht.asnumpy(x)[0] == 5).all()
    with pytest.raises(ht.CompileError, match="declared for"):
        in_fortran_order[4](x, 5)
    for wrong in (3, (3,), [object()]):
        with pytest.raises(TypeError, match="is not a signature"):
            ht.kernel(wrong)


def _fill_first(a, value):
    a[ht.get_global_id(0), 0] = value


@pytest.mark.parametrize("dtype", ["uint8", "int16", "int32", "float64", "complex128"])
@pytest.mark.parametrize("size", [1, 3, 17, 300])
def test_private_arrays_without_stores_are_zero(queue, dtype, size):
    @ht.kernel
    def read(y):
        i = ht.get_global_id(0)
        own = ht.private.array(size, kind)
        y[i] = own[i % size]

    kind = np.dtype(dtype).type
    y = ht.ones(64, dtype=dtype, queue=queue)
    read[64](y)
    np.testing.assert_array_equal(ht.asnumpy(y), np.zeros(64))


def test_a_value_from_private_or_from_global_memory(queue):
    @ht.kernel
    def select(x, mask, y):
        i = ht.get_global_id(0)
        own = ht.private.array(4, ht.float64)
        own[i % 3] = i
        y[i] = own[i % 4] if mask[i] else x[i]

    mask = np.arange(64) % 5 < 2
    x, y = ht.arange(64.0, queue=queue) * -1, ht.zeros(64, queue=queue)
    select[64](x, ht.asarray(mask, queue=queue), y)
    n = np.arange(64)
    own = np.where(n % 4 == n % 3, n, 0)
    np.testing.assert_array_equal(ht.asnumpy(y), np.where(mask, own, -n))


def test_private_arrays_of_zeros(queue):
    @ht.kernel
    def counted(result):
        i = ht.get_global_id(0)
        own = ht.private.array(8, ht.int32, zero=True)
        for k in range(i % 8 + 1):
            own[k] += 1
        for k in range(8):
            result[i] += own[k]

    result = ht.zeros(N, queue=queue)
    counted[N](result)
    assert np.array_equal(ht.asnumpy(result), np.arange(N) % 8 + 1)


@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_own_arrays_have_the_type_of_another(queue, dtype):
    @ht.device_func
    def halved(value, kind):
        own = ht.private.array(1, kind)
        own[0] = value / 2
        return own[0]

    @ht.kernel
    def k(x, result):
        i, j = ht.get_global_id(0), ht.get_local_id(0)
        shared = ht.local.array((2, 4), dtype=x.dtype)
        own = ht.private.array(3, x.dtype)
        own[1] = i + 0.75
        shared[1, j] = own[1]
        result[i] = shared[1, j] + halved(x[i], x.dtype.type)

    x, result = ht.ones(N, dtype=dtype, queue=queue), ht.zeros(N, queue=queue)
    k[ht.NdRange(N, 4)](x, result)
    expected = (np.arange(N) + 0.75).astype(dtype) + np.array(0.5).astype(dtype)
    assert np.array_equal(ht.asnumpy(result), expected)


def test_device_functions_have_keyword_only_parameters(queue):
    @ht.device_func
    def line(x, *, slope, offset=3.5, steep=False):
        return x * slope * 100 if steep else x * slope + offset

    @ht.kernel
    def k(result):
        i = ht.get_global_id(0)
        result[i] = line(i, slope=2) + line(i, offset=1, slope=i) + line(x=i, steep=True, slope=1)

    result, i = ht.zeros(N, queue=queue), np.arange(N)
    k[N](result)
    assert np.array_equal(ht.asnumpy(result), 2 * i + 3.5 + i * i + 1 + 100 * i)
