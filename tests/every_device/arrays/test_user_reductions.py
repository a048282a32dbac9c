"""@hither.reduction and @hither.scan: reductions and scans by Python functions of two values."""

from __future__ import annotations

import functools
import inspect
import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]


@ht.reduction(identity=0)
def total(a, b):
    return a + b


@ht.reduction(identity=lambda dtype: np.iinfo(dtype).min)
def largest(a, b):
    return a if a > b else b


@ht.reduction(identity=1)
def product_mod_251(a, b):
    return a * b % 251


@ht.reduction(identity=0)
def divisor(a, b):
    while b:
        a, b = b, a % b
    return a


@ht.reduction(identity=0.0)
def longest(a, b):
    return (a * a + b * b) ** 0.5


@ht.scan(identity=0)
def running_total(a, b):
    return a + b


@ht.scan(identity=1)
def then(f, g):
    """The function x -> g(f(x)), where f(x) = f.real * x + f.imag."""
    return complex(g.real * f.real, g.real * f.imag + g.imag)


@ht.scan(identity=0)
def last_known(a, b):
    return b if b != 0 else a


def expected(function, host, axes, start):
    """The reduction by functools.reduce, one Python number at a time."""
    axes = tuple(range(host.ndim)) if axes is None else axes if isinstance(axes, tuple) else (axes,)
    last = np.moveaxis(host, axes, range(-len(axes), 0))
    kept = last.shape[: host.ndim - len(axes)]
    rows = last.reshape((*kept, int(np.prod(last.shape[len(kept) :]))))
    made = [functools.reduce(function, rows[i].tolist(), start) for i in np.ndindex(kept)]
    return np.array(made).reshape(kept)


def numbers(shape, dtype, seed=0):
    rng = np.random.default_rng(seed)
    if dtype == "bool":
        return rng.random(shape) > 0.5
    if np.dtype(dtype).kind in "iu":
        return rng.integers(0 if dtype[0] == "u" else -50, 50, shape).astype(dtype)
    values = rng.standard_normal(shape)
    return (values + 1j * rng.standard_normal(shape) if dtype[0] == "c" else values).astype(dtype)


@pytest.mark.parametrize("dtype", ["bool", *INTEGERS])
@pytest.mark.parametrize("shape", [(0,), (1,), (7,), (100_003,), (33, 65), (5, 1, 4), (3, 4000)])
def test_integers_are_exact(queue, dtype, shape):
    host = numbers(shape, dtype)
    x = ht.asarray(host, queue=queue)
    result = total(x)
    assert result.dtype == (np.uint64 if dtype[0] == "u" else np.int64)
    assert int(result) == int(host.sum())
    last = total(x, axis=-1, keepdims=True)
    assert np.array_equal(ht.asnumpy(last), host.sum(-1, keepdims=True))
    assert np.array_equal(ht.asnumpy(total(x, axis=0)), host.sum(0))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("shape", [(0,), (1,), (19,), (50_001,), (40, 300), (300, 40), (2, 3, 5)])
def test_floats_and_complex(queue, dtype, shape):
    host = numbers(shape, dtype)
    x = ht.asarray(host, queue=queue)
    exact = np.float64 if host.dtype.kind == "f" else np.complex128
    tolerance = {"float16": 2e-2, "float32": 1e-4, "complex64": 1e-4}.get(dtype, 1e-11)
    for axis in (None, 0, -1):
        result = total(x, axis)
        assert result.dtype == host.dtype
        np.testing.assert_allclose(
            ht.asnumpy(result), host.astype(exact).sum(axis), rtol=tolerance, atol=tolerance * 20
        )


@pytest.mark.parametrize("axis", [None, 0, 1, 2, -1, (0, 1), (0, 2), (2, 1), ()])
@pytest.mark.parametrize("keepdims", [False, True])
def test_axes(queue, axis, keepdims):
    host = numbers((4, 6, 9), "int64", 1)
    result = total(ht.asarray(host, queue=queue), axis, keepdims=keepdims)
    wanted = host.sum(axis, keepdims=keepdims)
    assert result.shape == wanted.shape
    assert np.array_equal(ht.asnumpy(result), wanted)


def layouts(host, x):
    """Views of an array of two dimensions."""
    yield host[::2, 1::3], x[::2, 1::3]
    yield host[::-1], x[::-1]
    yield host[:, ::-2], x[:, ::-2]
    yield host.T, x.T
    yield np.broadcast_to(host[:1], host.shape), ht.broadcast_to(x[:1], x.shape)
    yield np.broadcast_to(host[:, :1], host.shape), ht.broadcast_to(x[:, :1], x.shape)


@pytest.mark.parametrize("function", [largest, product_mod_251, divisor])
def test_layouts(queue, function):
    host = np.abs(numbers((37, 52), "int64", 2)) + 1
    start = {largest: np.iinfo(np.int64).min, product_mod_251: 1, divisor: 0}[function]
    x = ht.asarray(host, queue=queue)
    for view, seen in layouts(host, x):
        for axis in (None, 0, 1):
            found = ht.asnumpy(function(seen, axis))
            assert np.array_equal(found, expected(function.py_func, view, axis, start))


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_reductions_equal_functools_reduce(queue, data):
    shape = tuple(data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=3)))
    axes = data.draw(
        st.one_of(st.none(), st.integers(0, len(shape) - 1),
                  st.sets(st.integers(0, len(shape) - 1)).map(tuple))
    )  # fmt: skip
    function, start = data.draw(st.sampled_from([(product_mod_251, 1), (divisor, 0), (total, 0)]))
    count = int(np.prod(shape))
    values = data.draw(st.lists(st.integers(0, 250), min_size=count, max_size=count))
    host = np.array(values, dtype=np.int64).reshape(shape)
    x = ht.asarray(host, queue=queue)
    wanted = expected(function.py_func, host, axes, start)
    assert np.array_equal(ht.asnumpy(function(x, axes)), wanted)
    assert np.array_equal(ht.asnumpy(function(x + 1 - 1, axes)), wanted)


@settings(max_examples=examples(25), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_scans_equal_itertools_accumulate(queue, data):
    count = data.draw(st.integers(0, 40))
    small = st.integers(-3, 3)
    pairs = data.draw(st.lists(st.tuples(small, small), min_size=count, max_size=count))
    host = np.array([complex(a, b) for a, b in pairs], dtype=np.complex128)
    initial = data.draw(st.booleans())
    x = ht.asarray(host, queue=queue)
    start = {"initial": 1} if initial else {}
    wanted = list(itertools.accumulate(host.tolist(), then.py_func, **start))
    found = ht.asnumpy(then(x, include_initial=initial))
    np.testing.assert_allclose(found, np.array(wanted, np.complex128), rtol=1e-12)


@pytest.mark.parametrize(
    "shape", [(1,), (5,), (70_001,), (6, 3000), (3000, 6), (40, 50), (2, 9, 4)]
)
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_scans_keep_the_order(queue, shape, dtype):
    """The function is not commutative."""
    host = numbers(shape, dtype, 3)
    host[np.random.default_rng(4).random(shape) < 0.7] = 0
    x = ht.asarray(host, queue=queue)
    for axis in range(len(shape)):
        found = ht.asnumpy(last_known(x, axis=axis))
        rows = np.moveaxis(host, axis, -1).copy()
        for i in range(1, rows.shape[-1]):
            rows[..., i] = np.where(rows[..., i] != 0, rows[..., i], rows[..., i - 1])
        assert found.dtype == host.dtype
        assert np.array_equal(found, np.moveaxis(rows, -1, axis))


@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8", "float16", "complex64"])
def test_scans_of_views(queue, dtype):
    host = numbers((30, 41), dtype, 5)
    x = ht.asarray(host, queue=queue)
    for view, seen in layouts(host, x):
        for axis in (0, 1):
            result = running_total(seen, axis)
            assert result.dtype == (host.dtype if host.dtype.kind in "fc" else
                                    np.uint64 if dtype[0] == "u" else np.int64)  # fmt: skip
            tolerance = 0.1 if dtype == "float16" else 1e-4
            np.testing.assert_allclose(
                ht.asnumpy(result), np.cumsum(view, axis, dtype=result.dtype), rtol=tolerance,
                atol=tolerance,
            )  # fmt: skip


def test_they_fuse(queue):
    host = np.arange(1.0, 30_002)
    x = ht.asarray(host, queue=queue)
    ht.synchronize(x)
    ht.clear_kernel_history()
    y = ht.sqrt(longest(x * 2 + 1))
    text = ht.explain(y)
    np.testing.assert_allclose(float(y), np.sqrt(np.linalg.norm(host * 2 + 1)), rtol=1e-12)
    if "kernel" in text:  # lazily
        # A GPU computes all of it as one row, in one kernel.
        assert "longest of multiply add" in text or "multiply_add_longest_sqrt" in text
        assert all("longest" in r.name for r in ht.kernel_history())


def test_rows_are_one_kernel(queue):
    host = numbers((64, 500), "float32", 6)
    x = ht.asarray(host, queue=queue)
    y = x / longest(x, axis=1, keepdims=True)
    norm = np.linalg.norm(host.astype(float), axis=1, keepdims=True)
    np.testing.assert_allclose(ht.asnumpy(y), host / norm, rtol=1e-5, atol=1e-6)


def test_bits_do_not_depend_on_fusion(queue):
    x = ht.asarray(numbers((129, 700), "float64", 7), queue=queue)
    stored = ht.sin(x)
    ht.synchronize(stored)
    for axis in (None, 0, 1):
        fused = ht.asnumpy(longest(ht.sin(x), axis))
        assert np.array_equal(fused, ht.asnumpy(longest(stored, axis)))
        assert np.array_equal(fused, ht.asnumpy(longest(ht.sin(x), axis)))


def test_dtype_is_that_of_computation_and_result(queue):
    x = ht.asarray(np.full(300, 100, np.int8), queue=queue)
    assert int(total(x)) == 30_000
    narrow = total(x, dtype=np.int16)
    assert narrow.dtype == np.int16 and int(narrow) == 30_000
    assert int(total(x, dtype="int8")) == np.full(300, 100, np.int8).sum(dtype=np.int8)
    assert total(x, dtype=ht.float32).dtype == np.float32
    assert running_total(x, dtype=np.int16).dtype == np.int16


def test_no_elements_give_the_identity(queue):
    x = ht.zeros((0, 3), dtype=ht.int64, queue=queue)
    assert int(largest(x)) == np.iinfo(np.int64).min
    assert ht.asnumpy(product_mod_251(x, axis=0)).tolist() == [1, 1, 1]
    assert product_mod_251(x, axis=1).shape == (0,)
    assert running_total(x, axis=1).shape == (0, 3)
    assert running_total(x, axis=0, include_initial=True).tolist() == [[0, 0, 0]]


def test_several_in_one_kernel_module(queue):
    """One function as reduction, as element-wise operation and with two identities."""
    add = total.py_func
    each, again = ht.vectorize(add), ht.reduction(identity=-0.0)(add)
    host = numbers((50, 60), "float64", 8)
    x = ht.asarray(host, queue=queue)
    y = each(total(each(x, 1.0), axis=1), 2.0) + again(each(x, 1.0), axis=1)
    wanted = (host + 1).sum(1) * 2 + 2
    np.testing.assert_allclose(ht.asnumpy(y), wanted, rtol=1e-11)


def test_kernels_call_them(queue):
    @ht.kernel
    def of_pairs(x, y, out):
        i = ht.get_global_id(0)
        out[i] = divisor(x[i], y[i])

    x, y = (ht.asarray(np.array(v), queue=queue) for v in ([12, 35, 8], [18, 14, 9]))
    out = ht.zeros(3, dtype=ht.int64, queue=queue)
    of_pairs[ht.Range(3)](x, y, out)
    assert out.tolist() == [6, 7, 1]


def test_numbers_and_host_arrays_need_a_context(queue):
    with ht.device_context(queue):
        assert int(total(np.arange(5))) == 10
    assert int(total(3, queue=queue)) == 3
    assert int(total(ht.arange(4, queue=queue), queue=queue)) == 6
    with pytest.raises(ht.PlacementError):
        total(np.arange(5))


class TestErrors:
    def test_number_of_parameters(self):
        with pytest.raises(ht.InvalidTypeError, match="has 3 parameters; a function of two values"):
            ht.reduction(identity=0)(lambda a, b, c: a)
        with pytest.raises(ht.InvalidTypeError, match="has 1 parameter;"):
            ht.scan(identity=0)(lambda a: a)

    def test_without_an_identity(self):
        with pytest.raises(TypeError, match="identity= is given by name"):
            ht.reduction(lambda a, b: a)
        with pytest.raises(ht.InvalidTypeError, match="identity is None; give the value e"):
            ht.scan(identity=None)
        with pytest.raises(ht.InvalidTypeError, match="decorates a Python function"):
            ht.reduction(identity=0)(3)

    def test_another_dtype(self, queue):
        @ht.reduction(identity=0)
        def less(a, b):
            return a < b

        with pytest.raises(ht.InvalidTypeError, match="returns bool for two values of float64"):
            less(ht.zeros(3, queue=queue))

    def test_identity_of_another_dtype(self, queue):
        @ht.reduction(identity=float("-inf"))
        def most(a, b):
            return max(a, b)

        assert float(most(ht.asarray([1.0, 3.0], queue=queue))) == 3
        with pytest.raises(ht.InvalidValueError, match="identity=-inf is not a value of int64"):
            most(ht.asarray([1, 2], queue=queue))

    def test_function_that_raises(self, queue):
        @ht.reduction(identity=0)
        def refuses(a, b):
            if b > 5:
                raise ValueError("too large")
            return a + b

        with pytest.raises(ht.CompileError, match="raises an exception"):
            refuses(ht.asarray([1], queue=queue))

    def test_operands(self, queue):
        with pytest.raises(ht.InvalidTypeError, match="takes an array, not a list"):
            total([1, 2])
        with pytest.raises(ht.OutOfRangeError, match="axis"):
            total(ht.zeros(3, queue=queue), axis=1)
        with pytest.raises(ht.InvalidValueError, match="axis is needed"):
            running_total(ht.zeros((2, 2), queue=queue))
        with pytest.raises(TypeError, match="unexpected keyword argument 'axes'"):
            total(ht.zeros(3, queue=queue), axes=0)
        with pytest.raises(ht.InvalidTypeError, match="complex128 cannot be reduced in float64"):
            total(ht.zeros(3, dtype=ht.complex128, queue=queue), dtype=ht.float64)


@pytest.mark.either_mode
def test_signatures_are_those_of_calls_with_arrays():
    assert list(inspect.signature(total).parameters) == ["x", "axis", "dtype", "keepdims", "queue"]
    assert "include_initial" in inspect.signature(running_total).parameters
