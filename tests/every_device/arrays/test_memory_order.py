"""Transposes, strides and broadcasts: NumPy's values for every order of memory."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

EAGER = os.environ.get("HITHER_EAGER") == "1"
DTYPES = ["bool", "int8", "uint16", "int32", "int64", "float16", "float32", "float64",
          "complex64"]  # fmt: skip
# Below a square, exactly squares, and edges in both directions.
SIDES = [1, 3, 16, 17, 32, 64, 65, 100, 131]
profile = settings(deadline=None, max_examples=examples(60))


def numbers(dtype, shape, seed=0):
    random = np.random.default_rng(seed)
    if dtype == "bool":
        return random.random(shape) < 0.5
    return (random.random(shape) * 100).astype(dtype)


def both(host):
    return host, ht.asarray(host)


def same(result, expected):
    assert result.shape == expected.shape
    np.testing.assert_array_equal(ht.asnumpy(result), expected)


@given(
    dtype=st.sampled_from(DTYPES),
    shape=st.tuples(*[st.sampled_from(SIDES)] * 2, st.sampled_from([1, 2, 5, 18])),
    order=st.permutations([0, 1, 2]),
    cut=st.booleans(),
)
@profile
def test_copies_of_permuted_arrays(dtype, shape, order, cut):
    host, x = both(numbers(dtype, shape))
    if cut:
        host, x = host[:, 1:], x[:, 1:]
    same(ht.copy(ht.permute_dims(x, tuple(order))), host.transpose(order).copy())


@given(dtype=st.sampled_from(DTYPES[1:]), side=st.sampled_from(SIDES), data=st.data())
@profile
def test_transposes_meet_other_operands(dtype, side, data):
    host, x = both(numbers(dtype, (side, side)))
    line, v = both(numbers(dtype, (side,), 1))
    number = data.draw(st.sampled_from([0, 2, 7]))
    cases = [
        (lambda a, b: a.T + a, "across"),
        (lambda a, b: a.T * b, "a row for all"),
        (lambda a, b: a.T * b[:, None], "a column for all"),
        (lambda a, b: (a.T + a) * (a - a.T * 2) + b, "several"),
        (lambda a, b: a.T + a.T, "alike"),
        (lambda a, b: a.T[::-1] + a, "reversed"),
        (lambda a, b: (a.T + 1)[1:, :-1] * 2, "a view of a pending transpose"),
        (lambda a, b: (a.T + 1).T - a, "there and back"),
    ]
    call, _ = data.draw(st.sampled_from(cases))
    same(call(x, v) + number, call(host, line) + np.array(number, dtype))


def test_a_result_lies_as_its_operands_do():
    _, x = both(numbers("float32", (40, 30)))
    assert (x.T * 2).strides == x.T.strides
    assert (x.T + x.T).strides == x.T.strides
    assert ht.astype(x.T, ht.int32).strides == x.T.strides
    assert (x[:30].T + x[:30]).flags["C_CONTIGUOUS"]
    assert ht.copy(x.T).flags["C_CONTIGUOUS"]


def test_writing_through_and_from_transposes():
    host, x = both(numbers("float64", (70, 50)))
    host[:50] = host[:50].T[::-1, ::-1].copy().T + host[20:].T[:, :50]
    x[:50] = ht.copy(x[:50].T[::-1, ::-1]).T + x[20:].T[:, :50]
    same(x, host)
    host.T[...] = host.T * 2 + 1
    x.T[...] = x.T * 2 + 1
    same(x, host)
    other = host.T
    other += host[0, 0]
    y = x.T
    y += x[0, 0]
    same(x, host)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [-3, -2, -1, 2, 3, 4, 5])
@pytest.mark.parametrize("size", [1, 2, 3, 15, 64, 101, 1000])
def test_steps(dtype, step, size):
    host, x = both(numbers(dtype, size))
    same(ht.where(x[::step] == x[::step], x[::step], 0), host[::step])
    square, y = both(numbers(dtype, (size // 7 + 1, size)))
    same(ht.copy(y[:, ::step]), square[:, ::step])


@pytest.mark.parametrize("axis", [None, 0, 1, 2, (0, 2), (1, 2)])
@pytest.mark.parametrize("name", ["sum", "max", "argmin", "any"])
def test_reductions_of_expressions_over_transposes(name, axis):
    if name == "argmin" and isinstance(axis, tuple):
        pytest.skip("takes one axis")
    host, x = both(numbers("int32", (20, 65, 31)))
    for keepdims in (False, True):
        expected = getattr(np, name)(host.transpose(2, 0, 1) % 37, axis=axis, keepdims=keepdims)
        result = getattr(ht, name)(ht.permute_dims(x, (2, 0, 1)) % 37, axis=axis, keepdims=keepdims)
        same(result, np.asarray(expected))


@pytest.mark.skipif(EAGER, reason="eager arrays have no pending producers")
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("shape", [(300, 200), (4, 50_000), (5000, 3), (5000, 12)])
def test_a_reduction_stores_what_is_still_named(shape, axis):
    host, x = both(numbers("float64", shape))
    named = ht.sqrt(x) + 1
    total = ht.sum(named * 2, axis=axis)
    ht.synchronize(total)
    launches = ht.counters()["launches"]
    ht.synchronize(named)
    assert ht.counters()["launches"] == launches
    same(named, np.sqrt(host) + 1)
    np.testing.assert_allclose(ht.asnumpy(total), np.sum((np.sqrt(host) + 1) * 2, axis=axis))
    again = ht.sum(ht.copy(named) * 2, axis=axis)
    same(total, ht.asnumpy(again))


@pytest.mark.parametrize(
    "dtype", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
)
def test_integer_division_at_the_limits(dtype):
    info = np.iinfo(dtype)
    random = np.random.default_rng(3)
    bits = random.integers(0, info.bits, 4000)
    wide = random.integers(info.min, info.max, 4000, dtype, endpoint=True) >> bits.astype(dtype)
    ends = [info.min, info.min + 1, info.max, info.max - 1, 0, 1, 2, 3, 5, 7, 10, info.max // 2]
    values = np.concatenate([np.array(ends, dtype), wide])
    divisors = np.concatenate(
        [random.permutation(values), values, wide[::-1], np.array(ends, dtype)]
    )
    dividends = np.resize(values, len(divisors))
    # Multiples and their neighbours are where a rounded quotient would go wrong.
    with np.errstate(all="ignore"):
        multiple = (dividends // np.where(divisors == 0, 1, divisors)) * divisors
        for near in (dividends, multiple, multiple - dividends.dtype.type(1)):
            expected = np.floor_divide(near, divisors), np.remainder(near, divisors)
            result = (
                ht.asarray(near) // ht.asarray(divisors),
                ht.asarray(near) % ht.asarray(divisors),
            )
            for a, b in zip(result, expected, strict=True):
                same(a, b)
        for d in (1, 3, 7, 10, int(info.max), int(info.max) - 1):
            same(ht.asarray(dividends) // d, dividends // np.array(d, dtype))
