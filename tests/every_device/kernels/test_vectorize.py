"""@hither.vectorize: user-defined element-wise functions."""

from __future__ import annotations

import math

import numpy as np
import pytest

import hither as ht


@ht.vectorize
def smooth(x, low, high):
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3 - 2 * t)


@ht.vectorize
def half(x):
    return x * 0.5 if x > 0 else x


def smooth_in_numpy(x, low, high):
    t = np.clip((x - low) / (high - low), 0, 1)
    return t * t * (3 - 2 * t)


def test_values(queue):
    host = np.linspace(-1, 2, 1001)
    x = ht.asarray(host, queue=queue)
    np.testing.assert_allclose(
        ht.asnumpy(smooth(x, 0.25, 1.5)), smooth_in_numpy(host, 0.25, 1.5), rtol=1e-13
    )
    assert smooth(x, 0.0, 1.0).queue == queue


def test_it_fuses_with_what_is_around_it(queue):
    host = np.linspace(-1, 2, 1000)
    x = ht.asarray(host, queue=queue)
    ht.synchronize(x)
    ht.clear_kernel_history()
    y = ht.sqrt(smooth(x + 1, 0.0, 1.0) * 2 + half(x))
    ht.synchronize(y)
    records = ht.kernel_history()
    if not ht.counters()["launches"] or len(records) > 1:  # eager: one kernel an operation
        assert {r.name for r in records} >= {"smooth", "half"}
    else:
        assert "smooth" in records[0].name and "half" in records[0].name
    half_of = np.where(host > 0, host * 0.5, host)
    with np.errstate(invalid="ignore"):
        expected = np.sqrt(smooth_in_numpy(host + 1, 0, 1) * 2 + half_of)
    np.testing.assert_allclose(ht.asnumpy(y), expected, rtol=1e-13)


def test_reductions_take_it_in(queue):
    host = np.linspace(-3, 3, 4096).reshape(64, 64)
    x = ht.asarray(host, queue=queue)
    expected = np.where(host > 0, host * 0.5, host)
    np.testing.assert_allclose(ht.asnumpy(ht.sum(half(x), axis=1)), expected.sum(1), atol=1e-12)
    np.testing.assert_allclose(ht.asnumpy(ht.max(half(x).T, axis=0)), expected.max(1))


def test_operands_broadcast_and_may_be_views(queue):
    @ht.vectorize
    def combine(a, b):
        return a * 10 + b

    a = ht.arange(6, dtype=ht.float64, queue=queue)[::2]
    b = ht.arange(4, dtype=ht.float64, queue=queue)[::-1]
    expected = np.array([0, 2, 4.0])[:, None] * 10 + np.array([3, 2, 1, 0.0])
    assert np.array_equal(ht.asnumpy(combine(ht.reshape(a, (3, 1)), b)), expected)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "int32", "int64", "float32", "float64", "complex64",
              "complex128"]
)  # fmt: skip
def test_every_dtype(queue, dtype):
    @ht.vectorize
    def same(x):
        return x

    host = np.array([0, 1, 1, 0, 3]).astype(dtype)
    y = same(ht.asarray(host, queue=queue))
    assert y.dtype == host.dtype and np.array_equal(ht.asnumpy(y), host)


def test_numbers_take_the_arrays_dtype(queue):
    @ht.vectorize
    def plus(x, y):
        return x + y

    x = ht.ones(3, dtype=ht.float32, queue=queue)
    assert plus(x, 2.0).dtype == np.float32 and plus(2, x).dtype == np.float32
    assert plus(ht.ones(3, dtype=ht.int32, queue=queue), 1.5).dtype == np.float64
    assert plus(x, np.float64(1)).dtype == np.float64


def test_signatures_decide_the_dtypes(queue):
    @ht.vectorize(["f4(f4, f4)", "f8(f8, f8)"])
    def product(x, y):
        return x * y

    x = ht.full(3, 3, dtype=ht.int16, queue=queue)
    assert product(x, x).dtype == np.float32
    assert product(ht.astype(x, ht.float64), x).dtype == np.float64
    assert float(product(x, x)[0]) == 9
    with pytest.raises(ht.CompileError, match="product is declared for"):
        product(ht.ones(3, dtype=ht.complex128, queue=queue), x)


def test_device_functions_math_and_integer_results(queue):
    @ht.device_func
    def scaled(x):
        return math.erf(x) * 100

    @ht.vectorize
    def rank(x):
        return int(scaled(x))

    host = np.linspace(-2, 2, 50)
    y = rank(ht.asarray(host, queue=queue))
    expected = [int(math.erf(v) * 100) for v in host]
    assert y.dtype == np.int64 and np.abs(ht.asnumpy(y) - expected).max() <= 1


def test_kernels_call_it_with_numbers(queue):
    @ht.kernel
    def apply(x, y):
        i = ht.get_global_id(0)
        y[i] = half(x[i])

    x, y = ht.arange(4, dtype=ht.float64, queue=queue), ht.zeros(4, queue=queue)
    apply(x, y)
    assert ht.asnumpy(y).tolist() == [0, 0.5, 1, 1.5]


def test_host_arrays_follow_the_truth_table(queue):
    host = np.arange(4.0)
    with pytest.raises(ht.PlacementError):
        half(host)
    with ht.device_context(queue):
        assert half(host).queue == queue
    assert ht.asnumpy(half(host, queue=queue)).tolist() == [0, 0.5, 1, 1.5]


def test_mistakes():
    with pytest.raises(TypeError, match="1 to 3"):
        ht.vectorize(lambda a, b, c, d: a)
    with pytest.raises(ht.InvalidTypeError, match=r"takes 1 operand\(s\), 2 given"):
        half(ht.ones(3), 1)
    with pytest.raises(ht.InvalidTypeError, match="not a str"):
        half("x")
    with pytest.raises(ht.PlacementError):
        half(3.0)

    @ht.vectorize
    def raising(x):
        if x < 0:
            raise ValueError("negative")
        return x

    with pytest.raises(ht.CompileError, match="return nan"):
        raising(ht.ones(3))

    @ht.vectorize
    def pair(x):
        return x, x

    with pytest.raises(ht.CompileError, match="must return a number"):
        pair(ht.ones(3))

    @ht.vectorize
    def unbound(x):
        if x > 0:
            y = x
        return y

    with pytest.raises(ht.CompileError, match="'y' where it is not associated"):
        unbound(ht.ones(3))


def test_loops_over_ranges(queue):
    @ht.vectorize
    def escape_time(c):
        z = 0.0
        for n in range(20):  # noqa: B007 - read after the loop
            if z > 2:
                break
            z = z * z + c
        for k in range(3, 20, 2):
            z += c * k
        return n + z

    host = np.linspace(0, 2, 9)
    x = ht.asarray(host, queue=queue)
    np.testing.assert_allclose(ht.asnumpy(escape_time(x)), [escape_time.py_func(c) for c in host])
