"""Reductions against NumPy: every dtype, layout and set of axes, and the bits of lazy and stored
operands.
"""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
REAL = [d for d in DTYPES if not d.startswith("complex")]
# Small and large rows, long columns, few kept elements inside the reduced axis, more than one
# chunk.
SHAPES = [(), (1,), (5,), (100,), (20_000,), (3, 4), (700, 5), (5, 700), (600, 33), (2, 3, 4),
          (40, 3, 30), (2, 20_000), (1, 6, 1), (3, 70_001), (9, 5_000)]  # fmt: skip
TOLERANCES = {"e": 2e-2, "f": 1e-4, "d": 1e-11, "F": 1e-4, "D": 1e-11}

profile = settings(deadline=None, max_examples=examples(25))


def numbers(dtype, shape, seed):
    random = np.random.default_rng(seed)
    if np.dtype(dtype).kind in "fc":
        return (random.normal(size=shape) + 1).astype(dtype)
    if np.dtype(dtype).kind == "b":
        return random.random(shape) < 0.9
    return random.integers(0 if np.dtype(dtype).kind == "u" else -50, 50, shape).astype(dtype)


def layout(draw, ndim):
    """The same view of hither's array and of NumPy's."""
    choices = [lambda x: x]
    if ndim:
        choices += [lambda x: x[::-1], lambda x: x[..., 1:], lambda x: x[::2]]
    if ndim > 1:
        choices += [lambda x: x.T, lambda x: x[1:, ::-1].T]
    return draw(st.sampled_from(choices))


@st.composite
def operands(draw, dtypes):
    shape = draw(st.sampled_from(SHAPES))
    dtype = draw(st.sampled_from(dtypes))
    view = layout(draw, len(shape))
    host = numbers(dtype, shape, draw(st.integers(0, 99)))
    axes = draw(st.none() | st.lists(st.integers(0, max(len(shape) - 1, 0)), unique=True))
    if axes is not None:
        axes = tuple(a for a in axes if a < len(shape))
    return view(host), view(ht.asarray(host)), axes, draw(st.booleans())


def check(result, expected, reduced_dtype):
    expected = np.asarray(expected)
    assert result.shape == expected.shape
    assert str(result.dtype) == str(expected.dtype)
    tolerance = TOLERANCES.get(reduced_dtype.char)
    if tolerance is None and expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(ht.asnumpy(result), expected)
    else:
        scale = tolerance or 1e-11
        np.testing.assert_allclose(ht.asnumpy(result), expected, rtol=scale, atol=scale * 1e3)


@pytest.mark.parametrize("name", ["sum", "any", "all", "count_nonzero", "mean"])
@given(case=operands(DTYPES))
@profile
def test_reductions(name, case):
    host, x, axes, keepdims = case
    if name == "mean" and host.size == 0:
        return
    expected = getattr(np, name)(host, axis=axes, keepdims=keepdims)
    check(getattr(ht, name)(x, axis=axes, keepdims=keepdims), expected, host.dtype)


@pytest.mark.parametrize("name", ["min", "max"])
@given(case=operands(REAL))
@profile
def test_extremes(name, case):
    host, x, axes, keepdims = case
    if host.size == 0:
        return
    expected = getattr(np, name)(host, axis=axes, keepdims=keepdims)
    result = getattr(ht, name)(x, axis=axes, keepdims=keepdims)
    assert str(result.dtype) == str(host.dtype)
    np.testing.assert_array_equal(ht.asnumpy(result), expected)


@pytest.mark.parametrize("name", ["argmin", "argmax"])
@given(case=operands(REAL), nans=st.booleans())
@profile
def test_arguments_of_extremes(name, case, nans):
    host, x, axes, keepdims = case
    if host.size == 0:
        return
    axis = axes[0] if axes else None
    if nans and host.dtype.kind == "f":
        host = np.where(host > 2, np.nan, host)
        x = ht.where(x > 2, float("nan"), x)
    expected = getattr(np, name)(host, axis=axis, keepdims=keepdims)
    result = getattr(ht, name)(x, axis=axis, keepdims=keepdims)
    np.testing.assert_array_equal(ht.asnumpy(result), expected)


@pytest.mark.parametrize("name", ["var", "std"])
@given(case=operands([d for d in DTYPES if d != "bool"]), correction=st.sampled_from([0, 1]))
@profile
def test_moments(name, case, correction):
    host, x, axes, keepdims = case
    if host.size == 0:
        return
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # NumPy's about dividing by n - 1 = 0
        expected = getattr(np, name)(host, axis=axes, keepdims=keepdims, ddof=correction)
    result = getattr(ht, name)(x, axis=axes, keepdims=keepdims, correction=correction)
    check(result, expected, host.dtype)


@given(case=operands(["int32", "float32", "float64", "complex128"]))
@profile
def test_products(case):
    host, x, axes, keepdims = case
    near_one = host if host.dtype.kind == "i" else 1 + (host - 1) * 1e-3
    operand = x if host.dtype.kind == "i" else (1 + (x - 1) * 1e-3)
    expected = np.prod(near_one, axis=axes, keepdims=keepdims)
    check(ht.prod(operand, axis=axes, keepdims=keepdims), expected, expected.dtype)


@given(case=operands(["float32", "float64"]))
@profile
def test_bits_do_not_depend_on_what_is_fused(case):
    """A pending operand and the same operand in memory give equal bits each time."""
    _, x, axes, keepdims = case
    for name in ["sum", "mean", "max", "var"]:
        if x.size == 0 and name == "max":
            continue
        reduction = getattr(ht, name)
        lazy = ht.asnumpy(reduction(ht.sin(x) * 3 + x, axis=axes, keepdims=keepdims))
        stored = ht.sin(x) * 3 + x
        ht.synchronize(stored)
        for _ in range(2):
            again = ht.asnumpy(reduction(stored, axis=axes, keepdims=keepdims))
            assert lazy.tobytes() == again.tobytes()


def test_bits_do_not_depend_on_threads(sub_devices):
    host = np.random.default_rng(0).normal(size=(1003, 997))
    results = set()
    for device in [ht.Device("cpu"), *sub_devices]:
        x = ht.asarray(host, device=device)
        for axis in [None, 0, 1]:
            results.add((axis, ht.asnumpy(ht.sum(x * 2, axis=axis)).tobytes()))
    assert len(results) == 3


def test_sums_are_as_accurate_as_pairwise_ones():
    host = np.random.default_rng(1).random(4_000_000, np.float32)
    exact = host.astype(np.float64).sum()
    assert abs(float(ht.sum(ht.asarray(host))) - exact) / exact < 1e-6
    columns = host.reshape(-1, 4)
    result = ht.asnumpy(ht.sum(ht.asarray(columns), axis=0))
    np.testing.assert_allclose(result, columns.astype(np.float64).sum(axis=0), rtol=1e-6)


@pytest.mark.skipif(
    os.environ.get("HITHER_EAGER", "0") not in ("", "0"), reason="eager operations do not fuse"
)
def test_a_reduction_is_one_kernel_with_its_producers(queue):
    x = ht.asarray(np.arange(1000.0), queue=queue)
    ht.synchronize(ht.sum(ht.sqrt(x) * 2))
    before = ht.counters()["launches"]
    ht.synchronize(ht.sum(ht.sqrt(x) * 2))
    fused = ht.counters()["launches"] - before
    ht.synchronize(ht.sum(x))
    assert fused == ht.counters()["launches"] - before - fused


FOLLOWERS = {
    "mean": lambda m, x, **axis: m.mean(x, **axis),
    "std": lambda m, x, **axis: m.std(x, **axis),
    "norm": lambda m, x, **axis: m.sqrt(m.sum(x * x, **axis)) * 2 - 1,
    "of an extreme": lambda m, x, **axis: 1 / (m.max(x, **axis) + 3) > 0.01,
    "in another dtype": lambda m, x, **axis: m.prod(x / x, **axis).astype("int8") + 7,
    "not any": lambda m, x, **axis: ~m.any(x > 1, **axis),
    "all in one": lambda m, x, **axis: m.count_nonzero(x > 1, **axis) % 7,
}


@pytest.mark.parametrize("name", FOLLOWERS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("shape", "axis"), [
    ((30_001,), None), ((300, 70), 0), ((20_000, 3), 0), ((40, 300, 17), 1), ((2, 30_000), 1),
    ((9, 5, 70), (0, 2)), ((5, 4), 1), ((1,), 0),
])  # fmt: skip
def test_what_is_made_of_a_reduction(queue, name, dtype, shape, axis):
    follower = FOLLOWERS[name]
    host = (np.random.default_rng(5).random(shape) * 0.5 + 0.75).astype(dtype)
    stored = ht.asarray(host, queue=queue)
    right = follower(np, host.astype("float64"), axis=axis)
    for x in (stored, ht.asarray(np.asfortranarray(host), queue=queue)):
        result = follower(ht, x, axis=axis)
        tolerance = {"float16": 5e-3, "float32": 1e-4, "float64": 1e-10}[dtype]
        np.testing.assert_allclose(ht.asnumpy(result), right, rtol=tolerance, atol=tolerance)
    kept = follower(ht, stored, axis=axis, keepdims=True)
    assert kept.ndim == len(shape)
    np.testing.assert_array_equal(ht.asnumpy(kept).ravel(), ht.asnumpy(result).ravel())


def test_what_is_made_of_a_reduction_has_the_bits_of_steps(queue):
    x = ht.asarray(np.random.default_rng(6).random((999, 70), np.float32), queue=queue)
    total = ht.sum(x, axis=0)
    ht.synchronize(total)
    steps = ht.sqrt(total) * 0.1 + 3
    np.testing.assert_array_equal(
        ht.asnumpy(ht.sqrt(ht.sum(x, axis=0)) * 0.1 + 3), ht.asnumpy(steps)
    )


@pytest.mark.skipif(
    os.environ.get("HITHER_EAGER", "0") not in ("", "0"), reason="eager operations do not fuse"
)
def test_a_reduction_is_one_kernel_with_what_is_made_of_it(queue):
    x = ht.ones((100_000,), queue=queue)

    def launches(f):
        ht.synchronize(f())
        before = ht.counters()["launches"]
        result = f()
        ht.synchronize(result)
        return ht.counters()["launches"] - before

    alone = launches(lambda: ht.sum(x))
    assert launches(lambda: ht.sqrt(ht.sum(x * 2)) / 3 + 1) == alone
    assert launches(lambda: ht.mean(x)) == alone
    # A sum that has a name is computed once.
    total = ht.sum(x)
    assert launches(lambda: total / 4) == 1
    assert float(total) == 100_000


def test_a_reduction_with_two_readers(queue):
    x = ht.ones((100_000,), queue=queue)
    total = ht.sum(x)
    twice, thrice = total * 2, total * 3
    del total
    assert (float(twice), float(thrice)) == (200_000, 300_000)


def test_explain_names_what_is_made_of_a_reduction(queue):
    x = ht.ones((100_000,), queue=queue)
    lines = ht.explain(ht.sqrt(ht.sum(x)) / 2).splitlines()
    assert len(lines) == 1 and ("sum sqrt divide" in lines[0] or "nothing" in lines[0])


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
def test_extremes_of_nothing_are_refused(name):
    x = ht.zeros((3, 0))
    with pytest.raises(ValueError, match="axis 1"):
        getattr(ht, name)(x, axis=1)


def test_mistakes_name_the_axis():
    x = ht.zeros((3, 4))
    with pytest.raises(IndexError, match="axis 2"):
        ht.sum(x, axis=2)
    with pytest.raises(ValueError, match="twice"):
        ht.sum(x, axis=(0, -2))
    with pytest.raises(TypeError, match="complex128"):
        ht.max(x + 1j)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@pytest.mark.parametrize(("shape", "axis"), [((0, 0), 0), ((0, 0), 1), ((2, 0, 0), 1)])
def test_extremes_over_an_empty_axis_are_refused_like_numpys(name, shape, axis, queue):
    with pytest.raises(ValueError, match=r"zero-size|empty"):
        getattr(np, name)(np.zeros(shape), axis=axis)
    with pytest.raises(ValueError, match=f"axis {axis}"):
        getattr(ht, name)(ht.zeros(shape, queue=queue), axis=axis)


@pytest.mark.parametrize("name", ["max", "min", "argmax", "argmin"])
@pytest.mark.parametrize(("shape", "axis"), [((0, 3), 1), ((2, 0, 0), 0), ((0, 2, 3), 2)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_extremes_without_a_result_are_empty(name, shape, axis, keepdims, queue):
    got = getattr(ht, name)(ht.zeros(shape, queue=queue), axis=axis, keepdims=keepdims)
    assert got.shape == np.sum(np.zeros(shape), axis=axis, keepdims=keepdims).shape
    assert got.dtype == (np.int64 if name.startswith("arg") else np.float64)
    assert ht.asnumpy(got).size == 0


MINUS_ZEROS = [
    ((), None), ((1,), 0), ((2,), 0), ((64,), 0), ((100_003,), None), ((3, 4), 0), ((3, 4), 1),
    ((3, 4), ()), ((5, 300), 1), ((300, 5), 0), ((2, 100_000), 1), ((100_000, 2), 0),
    ((7, 64, 33), (0, 2)), ((4096, 16), 1), ((300, 2048), 1),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "axis"), MINUS_ZEROS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_a_sum_of_minus_zeros_is_numpys(shape, axis, dtype, queue):
    n = np.full(shape, -0.0, dtype)
    if n.dtype.kind == "c":
        n.imag = -0.0
    x = ht.asarray(n, queue=queue)
    for function in ("sum", "mean"):
        got = ht.asnumpy(getattr(ht, function)(x, axis=axis))
        assert not np.signbit(got.real).any() and not np.signbit(got.imag).any(), function
    fused = ht.asnumpy(ht.sum(x * 1.0, axis=axis, keepdims=True) * x)
    assert np.signbit(fused.real).all() or n.dtype.kind == "c"
    assert np.signbit(ht.asnumpy(ht.cumulative_sum(ht.reshape(x, (-1,)))).real).all()
