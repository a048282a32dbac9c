"""Kernels over arrays: values, types, layouts, ranges."""

from __future__ import annotations

import cmath
import math

import numba
import numpy as np
import pytest

import hither as ht

DTYPES = (
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float32 float64 complex64 complex128"
).split()
TABLE = np.array([1.0, 2.0, 3.0])


@ht.kernel
def copy(a, b):
    i = ht.get_global_id(0)
    b[i] = a[i]


@ht.kernel
def axpy(a, x, y):
    i = ht.get_global_id(0)
    y[i] = a * x[i] + y[i]


@ht.kernel
def transpose(a, b):
    i = ht.get_global_id(0)
    j = ht.get_global_id(1)
    b[j, i] = a[i, j]


@ht.kernel
def add_scalar(a, s, t=3):
    a[ht.get_global_id(0)] = s + t


@ht.device_func
def clamped(v, low, high):
    return min(max(v, low), high), v > high


@numba.njit
def squared_plus_one(v):
    return v * v + 1


@ht.kernel
def calls_functions(a, b):
    i = ht.get_global_id(0)
    value, over = clamped(a[i], 0.0, 1.0)
    b[i] = squared_plus_one(value) + TABLE[i % 3] + (1 if over else 0)


@pytest.mark.parametrize("how", ["range", "int", "nd_range", "pair", "none", "keywords", "launch"])
def test_every_way_to_launch(queue, how):
    n = 64
    x = ht.asarray(np.arange(n, dtype=np.float64), queue=queue)
    y = ht.asarray(np.ones(n), queue=queue)
    if how == "range":
        axpy[ht.Range(n)](2.0, x, y)
    elif how == "int":
        axpy[n](2.0, x, y)
    elif how == "nd_range":
        axpy[ht.NdRange(n, 8)](2.0, x, y)
    elif how == "pair":
        axpy[ht.Range(n), ht.Range(8)](2.0, x, y)
    elif how == "none":
        axpy(2.0, x, y)
    elif how == "keywords":
        axpy(y=y, x=x, a=2.0)
    else:
        event = ht.launch(axpy, n, 2.0, x, y)
        event.wait()
        assert event.is_complete
    assert np.array_equal(ht.asnumpy(y), 2 * np.arange(n) + 1)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_dtype(queue, dtype):
    values = np.array([0, 1, 2, 3, 1]).astype(dtype)
    result = ht.asarray(np.zeros(5, dtype), queue=queue)
    copy(ht.asarray(values, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), values)


def test_strided_and_reversed_views(queue):
    source = ht.asarray(np.arange(20.0), queue=queue)
    target = ht.asarray(np.zeros(20), queue=queue)
    copy(source[::-2], target[1::2])
    expected = np.zeros(20)
    expected[1::2] = np.arange(20.0)[::-2]
    assert np.array_equal(ht.asnumpy(target), expected)


def test_two_and_three_dimensions(queue):
    values = np.arange(12.0).reshape(3, 4)
    result = ht.asarray(np.zeros((4, 3)), queue=queue)
    transpose[3, 4](ht.asarray(values, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), values.T)

    @ht.kernel
    def sizes(a):
        i = ht.get_global_id(0)
        j = ht.get_global_id(1)
        k = ht.get_global_id(2)
        a[i, j, k] = (i * ht.get_global_size(1) + j) * ht.get_global_size(2) + k

    cube = ht.asarray(np.zeros((2, 3, 4), np.int64), queue=queue)
    sizes(cube)
    assert np.array_equal(ht.asnumpy(cube), np.arange(24).reshape(2, 3, 4))


def test_zero_dimensional_and_empty_arrays(queue):
    @ht.kernel
    def double(a, b):
        b[()] = a[()] * 2

    a, b = (ht.asarray(np.array(v), queue=queue) for v in (3.0, 0.0))
    double(a, b)
    assert float(ht.asnumpy(b)) == 6.0
    empty = ht.asarray(np.zeros(0), queue=queue)
    copy(empty, empty)
    copy[0](empty, empty)


@pytest.mark.parametrize(
    "number",
    [1, 1.5, True, 2 + 1j, -3, np.float32(2.5), np.int8(3), np.complex64(1j), np.bool_(True)],
    ids=lambda n: f"{type(n).__name__}",
)
def test_numbers_of_python_and_numpy(queue, number):
    result = ht.asarray(np.zeros(2, np.complex128), queue=queue)
    add_scalar(result, number)
    assert ht.asnumpy(result)[1] == complex(number) + 3
    add_scalar(result, number, 5)
    assert ht.asnumpy(result)[1] == complex(number) + 5


def test_device_functions_constant_arrays_and_numba_functions(queue):
    values = np.linspace(-1, 2, 50)
    result = ht.asarray(np.zeros(50), queue=queue)
    calls_functions(ht.asarray(values, queue=queue), result)
    expected = np.clip(values, 0, 1) ** 2 + 1 + TABLE[np.arange(50) % 3] + (values > 1)
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-15)


def test_math_of_floats_and_complex_numbers(queue):
    @ht.kernel
    def real(a, b):
        x = a[ht.get_global_id(0)]
        b[ht.get_global_id(0)] = (
            math.sin(x) + math.erf(x) + math.gamma(x) + math.hypot(x, 1.0) + np.log1p(x) + x**2.5
        )

    @ht.kernel
    def imaginary(a, b):
        z = a[ht.get_global_id(0)]
        b[ht.get_global_id(0)] = cmath.sqrt(z) + z ** (1 + 2j) + z / (z + 1) + abs(z)

    x = np.linspace(0.5, 4, 31)
    result = ht.asarray(np.zeros(31), queue=queue)
    real(ht.asarray(x, queue=queue), result)
    expected = [
        math.sin(v) + math.erf(v) + math.gamma(v) + math.hypot(v, 1) + math.log1p(v) + v**2.5
        for v in x
    ]
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-14)
    z = x + 1j * x[::-1]
    result = ht.asarray(np.zeros(31, complex), queue=queue)
    imaginary(ht.asarray(z, queue=queue), result)
    expected = np.sqrt(z) + z ** (1 + 2j) + z / (z + 1) + np.abs(z)
    np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=1e-13)


def test_powers_of_complex64(queue):
    @ht.kernel
    def power(a, b, result):
        i = ht.get_global_id(0)
        result[i] = a[i] ** b[i]

    a = (np.linspace(0, 4, 31) + 1j).astype(np.complex64)
    b = (np.linspace(-1, 2, 31) - 0.5j).astype(np.complex64)
    result = ht.empty(31, dtype=np.complex64, queue=queue)
    power(ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), result)
    np.testing.assert_allclose(ht.asnumpy(result), a.astype(complex) ** b, rtol=1e-5)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "float64"])
def test_division_is_numpys(queue, dtype):
    @ht.kernel(debug=False)  # with it, zeros are reported
    def divide(a, b, quotient, rest):
        i = ht.get_global_id(0)
        quotient[i] = a[i] // b[i]
        rest[i] = a[i] % b[i]

    a = np.array([7, -7, 7, -7, 0, 5]).astype(dtype)
    b = np.array([2, 2, -2, -2, 3, 0]).astype(dtype)
    quotient, rest = (ht.asarray(np.ones(6, dtype), queue=queue) for _ in range(2))
    divide(*(ht.asarray(v, queue=queue) for v in (a, b)), quotient, rest)
    with np.errstate(all="ignore"):
        assert np.array_equal(ht.asnumpy(quotient), a // b, equal_nan=dtype == "float64")
        assert np.array_equal(ht.asnumpy(rest), a % b, equal_nan=dtype == "float64")


def test_loops_and_branches(queue):
    @ht.kernel
    def nearest(points, centres, label):
        i = ht.get_global_id(0)
        best, least = 0, 1e300
        for k in range(centres.shape[0]):
            d = 0.0
            for c in range(centres.shape[1]):
                d += (points[i, c] - centres[k, c]) ** 2
            if d < least:
                best, least = k, d
        label[i] = best

    random = np.random.default_rng(1)
    points, centres = random.random((500, 3)), random.random((7, 3))
    label = ht.asarray(np.zeros(500, np.int32), queue=queue)
    nearest[500](ht.asarray(points, queue=queue), ht.asarray(centres, queue=queue), label)
    expected = ((points[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    assert np.array_equal(ht.asnumpy(label), expected)


def test_the_item_may_be_a_parameter(queue):
    @ht.kernel
    def fill(item: ht.Item, a):
        a[item.get_id(0), item.get_id(1)] = item.get_linear_id() + item.get_range(1)

    a = ht.asarray(np.zeros((2, 5), np.int64), queue=queue)
    fill[2, 5](a)
    assert np.array_equal(ht.asnumpy(a), np.arange(10).reshape(2, 5) + 5)


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint32", "float32", "float64"])
def test_atomics(queue, dtype):
    @ht.kernel
    def count(keys, table):
        k = keys[ht.get_global_id(0)]
        ht.atomic.add(table, (0, k), 1)
        ht.atomic.max(table, (1, k), ht.get_global_id(0))
        ht.atomic.sub(table, (2, k), 2)

    keys = np.random.default_rng(0).integers(0, 10, 20_000)
    table = ht.asarray(np.zeros((3, 10), dtype), queue=queue)
    count[keys.size](ht.asarray(keys, queue=queue), table)
    found = ht.asnumpy(table)
    counts = np.bincount(keys, minlength=10)
    assert np.array_equal(found[0], counts.astype(dtype))
    last = [np.flatnonzero(keys == k)[-1] for k in range(10)]
    assert np.array_equal(found[1], np.array(last).astype(dtype))
    assert np.array_equal(found[2], (-2 * counts).astype(dtype))


def test_compare_and_swap_elects_one(queue):
    @ht.kernel
    def elect(winner, votes):
        i = ht.get_global_id(0)
        if ht.atomic.cas(winner, 0, -1.0, float(i)) == -1.0:
            ht.atomic.add(votes, 0, 1)
        ht.atomic.xor(votes, 1, 1)
        ht.atomic.or_(votes, 2, 1 << (i % 8))

    winner = ht.asarray(np.array([-1.0]), queue=queue)
    votes = ht.asarray(np.zeros(3, np.int64), queue=queue)
    elect[1000](winner, votes)
    assert ht.asnumpy(winner)[0] >= 0
    assert ht.asnumpy(votes).tolist() == [1, 0, 255]


def test_a_write_shows_in_views_and_not_in_pending_values(queue):
    x = ht.asarray(np.arange(6.0), queue=queue)
    view, before, twin = x[2:4], x + 1, ht.asarray(x, copy=True)
    axpy(1.0, x, x)
    assert ht.asnumpy(x).tolist() == [0, 2, 4, 6, 8, 10]
    assert ht.asnumpy(view).tolist() == [4, 6]
    assert ht.asnumpy(before).tolist() == [1, 2, 3, 4, 5, 6]
    assert ht.asnumpy(twin).tolist() == [0, 1, 2, 3, 4, 5]


def test_kernels_and_array_functions_see_each_other_in_order(queue):
    x = ht.asarray(np.ones(1000), queue=queue)
    for _ in range(5):
        axpy(1.0, x, x)
        x = x + 1
    expected = 1.0
    for _ in range(5):
        expected = 2 * expected + 1
    assert np.all(ht.asnumpy(x) == expected)


def test_what_a_kernel_compiled_can_be_inspected(queue):
    @ht.kernel
    def triple(a):
        a[ht.get_global_id(0)] *= 3

    assert triple.__name__ == "triple"
    assert triple.compile_time == 0
    triple(ht.asarray(np.ones(4, np.float32), queue=queue))
    assert list(triple.inspect_llvm()) == ["array(float32, 1d, C)"]
    assert "fmul" in next(iter(triple.inspect_llvm().values()))
    assert next(iter(triple.inspect_asm().values()))
    assert triple.compile_time > 0
