"""Reductions over the last axis and operations on their results, in one kernel: the same bits as
separate kernels give.
"""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

profile = settings(deadline=None, max_examples=examples(60))
# Too short, odd, whole vectors, teams of every size, several rows a group, the longest on CPUs, too
# long for registers, too few so long ones.
LENGTHS = [1, 2, 16, 17, 31, 32, 64, 65, 100, 255, 1000, 1024, 3000, 8192, 8193, 16_384, 16_385,
           40_000, 65_538]  # fmt: skip
TOLERANCES = {"float16": 4e-3, "float32": 2e-5, "float64": 1e-12}


def each(x):
    """Evaluates x before anything reads it."""
    ht.evaluate(x)
    return x


def nothing(x):
    return x


def softmax(m, x, then=nothing):
    powers = then(m.exp(then(x - then(m.max(x, axis=-1, keepdims=True)))))
    return then(powers / then(m.sum(powers, axis=-1, keepdims=True)))


def log_softmax(m, x, then=nothing):
    moved = then(x - then(m.max(x, axis=-1, keepdims=True)))
    return then(moved - then(m.log(then(m.sum(then(m.exp(moved)), axis=-1, keepdims=True)))))


def layer_norm(m, x, then=nothing):
    distance = then(x - then(m.mean(x, axis=-1, keepdims=True)))
    variance = then(m.mean(then(distance * distance), axis=-1, keepdims=True))
    weight = m.asarray(np.linspace(0.5, 2, x.shape[-1]).astype(np.float32))
    root = then(m.sqrt(then(variance + 1e-3)))
    return then(then(then(distance / root) * m.astype(weight, x.dtype, copy=False)) + 1)


def centred(m, x, then=nothing):
    return then(x - then(m.mean(x, axis=-1))[..., None])


def distance_of_extremes(m, x, then=nothing):
    low, high = then(m.min(x, axis=-1)), then(m.max(x, axis=-1))
    return then(high - low)


def share_above_the_mean(m, x, then=nothing):
    above = then(x > then(m.mean(x, axis=-1, keepdims=True)))
    return then(m.count_nonzero(above, axis=-1)) / x.shape[-1]


FUNCTIONS = [softmax, log_softmax, layer_norm, centred, distance_of_extremes, share_above_the_mean]
VIEWS = [nothing, lambda x: x[::-1], lambda x: x[..., ::-1], lambda x: x[..., ::2],
         lambda x: x.swapaxes(0, 1) if isinstance(x, np.ndarray) else ht.permute_dims(
             x, (1, 0, *range(2, x.ndim))),
         lambda x: x[..., 1:] if x.shape[-1] > 1 else x, lambda x: x[None]]  # fmt: skip


@st.composite
def cases(draw):
    length = draw(st.sampled_from(LENGTHS))
    outer = draw(st.sampled_from([(1,), (3,), (2, 3), (37,), (1, 5)]))
    dtype = draw(st.sampled_from(list(TOLERANCES)))
    random = np.random.default_rng(draw(st.integers(0, 9)))
    host = random.standard_normal((*outer, length)).astype(dtype)
    return draw(st.sampled_from(FUNCTIONS)), host, draw(st.sampled_from(VIEWS))


@profile
@given(cases())
def test_rows_at_once_are_rows_step_by_step(case):
    function, host, view = case
    x = view(ht.asarray(host))
    at_once = ht.asnumpy(function(ht, x))
    assert at_once.tobytes() == ht.asnumpy(function(ht, x, each)).tobytes()
    wide = view(host).astype(np.float64)
    if function is not share_above_the_mean:  # of which rounding decides
        tolerance = TOLERANCES[host.dtype.name]
        np.testing.assert_allclose(at_once, function(np, wide), rtol=100 * tolerance,
                                   atol=10 * tolerance)  # fmt: skip


def kernels_of(function, x):
    ht.clear_kernel_history()
    ht.evaluate(function(ht, x))
    return len(ht.kernel_history())


def goes_by_rows(x):
    return x.device.backend in ("native_cpu", "cuda")


@pytest.mark.parametrize("function", [softmax, log_softmax, layer_norm, centred])
@pytest.mark.parametrize("shape", [(3, 100), (2, 3, 1024), (1, 8000)])
def test_rows_take_one_kernel(function, shape):
    x = ht.asarray(np.random.default_rng(1).random(shape, dtype=np.float32))
    if not goes_by_rows(x) or os.environ.get("HITHER_EAGER") == "1":
        pytest.skip("one kernel only where rows are walked by items or teams, and lazily")
    assert kernels_of(function, x) == 1


def test_explain_names_the_kernel_of_rows():
    x = ht.asarray(np.ones((5, 200), np.float32))
    if not goes_by_rows(x) or os.environ.get("HITHER_EAGER") == "1":
        pytest.skip("one kernel only where rows are walked by items or teams, and lazily")
    text = ht.explain(softmax(ht, x))
    assert text.count("kernel") == 1
    assert "max_subtract_exp_sum_divide over 5 rows of 200" in text


def test_what_arrays_name_is_stored_on_the_way():
    host = np.random.default_rng(2).random((5, 200))
    x = ht.asarray(host)
    largest = ht.max(x, axis=-1, keepdims=True)
    powers = ht.exp(x - largest)
    sums = ht.sum(powers, axis=-1)
    result = powers / sums[:, None]
    ht.evaluate(result)
    if goes_by_rows(x):
        ht.clear_kernel_history()
    np.testing.assert_array_equal(ht.asnumpy(largest), host.max(axis=-1, keepdims=True))
    np.testing.assert_allclose(ht.asnumpy(powers), np.exp(host - host.max(axis=-1, keepdims=True)))
    np.testing.assert_allclose(ht.asnumpy(sums), ht.asnumpy(powers).sum(axis=-1))
    if goes_by_rows(x):
        assert not ht.kernel_history()


def test_a_reduction_that_two_expressions_read():
    host = np.random.default_rng(3).random((4, 300))
    x = ht.asarray(host)
    largest = ht.max(x, axis=1, keepdims=True)
    below, above = x - largest, x + largest
    del largest
    np.testing.assert_array_equal(ht.asnumpy(below), host - host.max(axis=1, keepdims=True))
    np.testing.assert_array_equal(ht.asnumpy(above), host + host.max(axis=1, keepdims=True))


def test_rows_of_rows():
    host = np.random.default_rng(4).random((40, 50, 60))
    x = ht.asarray(host)
    inner = ht.sum(ht.sqrt(x), axis=-1)
    result = ht.asnumpy(softmax(ht, inner))
    np.testing.assert_allclose(result, softmax(np, np.sqrt(host).sum(axis=-1)), rtol=1e-12)


def test_other_axes_stay_apart():
    host = np.random.default_rng(5).random((40, 50, 60))
    x = ht.asarray(host)
    for axis in (0, 1, (0, 2), (1, 2), None):
        mean = ht.mean(x, axis=axis, keepdims=True)
        expected = host - host.mean(axis=axis, keepdims=True)
        np.testing.assert_allclose(ht.asnumpy(x - mean), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("reduction", ["sum", "prod", "min", "max", "any", "all", "count_nonzero"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "complex128"])
@pytest.mark.parametrize("length", [17, 100, 1000, 5000])
def test_reductions_of_rows(reduction, dtype, length):
    if np.dtype(dtype).kind == "c" and reduction in ("min", "max"):
        pytest.skip("complex numbers have no order")
    host = (np.random.default_rng(6).integers(0, 3, (7, length)) > 0).astype(dtype)
    function = getattr(ht, reduction)
    if dtype == "bool" and reduction in ("min", "max"):
        pytest.skip("NumPy's business")
    result = ht.asnumpy(function(ht.asarray(host), axis=1))
    wide = host.astype(np.float32) if dtype == "float16" else host
    expected = getattr(np, reduction)(wide, axis=1)
    np.testing.assert_allclose(result, expected, rtol=1e-3)


@pytest.mark.parametrize("name", ["argmin", "argmax"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int64", "float16", "float64"])
@pytest.mark.parametrize("length", [17, 40, 101, 1000, 4096, 5000])
def test_places_of_extremes_in_rows(name, dtype, length):
    random = np.random.default_rng(8)
    host = random.integers(0, 2 if dtype == "bool" else 50, (37, length)).astype(dtype)
    host[1] = host[1, 0]
    if host.dtype.kind == "f":
        host[2, length // 2 :] = np.nan
        host[3], host[4] = np.inf, -np.inf
    x = ht.asarray(host)
    for view, host_view in ((x, host), (x[:, ::-1], host[:, ::-1]), (x[::-1, 1:], host[::-1, 1:])):
        places = getattr(ht, name)(view, axis=1, keepdims=True)
        expected = getattr(np, name)(host_view, axis=1, keepdims=True)
        np.testing.assert_array_equal(ht.asnumpy(places + 1), expected + 1)


@pytest.mark.parametrize("length", [4095, 4096])
def test_places_of_extremes_in_rows_that_are_walked_again(length):
    """Two leaves of doubles: a part of a row is not kept in registers."""
    random = np.random.default_rng(9)
    host, other = (random.integers(0, 20, (9, length)).astype(np.float64) for _ in range(2))
    host[1] = other[1] = 3
    host[2, length - 5 :] = 1000
    host[3, length - 3] = np.nan
    host[4, 1], host[4, -1] = 1000 - other[4, 1], 1000 - other[4, -1]
    sums = host + other
    for name in ("argmin", "argmax"):
        result = getattr(ht, name)(ht.asarray(host) + ht.asarray(other), axis=1)
        np.testing.assert_array_equal(ht.asnumpy(result), getattr(np, name)(sums, axis=1))


@pytest.mark.parametrize("length", [65_538, 65_539])
def test_many_rows_that_are_too_long_for_registers(length):
    host = np.random.default_rng(10).standard_normal((64, length), dtype=np.float32)
    x = ht.asarray(host)
    np.testing.assert_allclose(ht.asnumpy(ht.sum(x, axis=1)), host.sum(axis=1, dtype=np.float64),
                               atol=1e-2)  # fmt: skip
    np.testing.assert_allclose(ht.asnumpy(softmax(ht, x)), softmax(np, host.astype(np.float64)),
                               rtol=1e-3)  # fmt: skip


def test_infinities_and_nans_in_rows():
    host = np.random.default_rng(7).standard_normal((6, 200))
    host[0, 3] = np.inf
    host[1, 150] = np.nan
    host[2] = -np.inf
    host[3, ::2], host[3, 1::2] = 0.0, -0.0
    x = ht.asarray(host)
    with np.errstate(all="ignore"):
        expected = softmax(np, host)
    np.testing.assert_allclose(ht.asnumpy(softmax(ht, x)), expected, rtol=1e-12)
    largest = ht.max(x, axis=1, keepdims=True)
    step = ht.asnumpy(each(x * each(ht.max(x, axis=1, keepdims=True))))
    assert ht.asnumpy(x * largest).tobytes() == step.tobytes()


def test_no_rows():
    assert ht.asnumpy(softmax(ht, ht.zeros((0, 100)))).shape == (0, 100)
    x = ht.zeros((3, 0))
    assert ht.asnumpy(x - ht.sum(x, axis=-1, keepdims=True)).shape == (3, 0)


def attractions(x, y, mass):
    """One value for each x, of three reductions that read all of y and mass."""
    d = y[None, :] - x[:, None]
    near = d * d + 0.25
    pull = mass[None, :] / (near * ht.sqrt(near))
    return ht.sum(d * pull, axis=1), ht.max(pull, axis=1), ht.argmin(ht.abs(d), axis=1)


@pytest.mark.parametrize("rows, length", [(8193, 4096), (16_387, 1001), (100, 64)])
def test_rows_side_by_side_are_rows_alone(rows, length):
    random = np.random.default_rng(3)
    hosts = [random.standard_normal(n).astype(np.float32) for n in (rows, length, length)]
    x, y, mass = map(ht.asarray, hosts)
    together = attractions(x, y, mass)
    ht.evaluate(*together)
    for part in (slice(0, 3), slice(rows - 3, rows)):
        alone = attractions(x[part], y, mass)
        for all_rows, some in zip(together, alone, strict=True):
            assert ht.asnumpy(all_rows)[part].tobytes() == ht.asnumpy(some).tobytes()
    d = hosts[1].astype(np.float64) - hosts[0][:100, None]
    pull = hosts[2] / (d * d + 0.25) ** 1.5
    np.testing.assert_allclose(ht.asnumpy(together[0])[:100], (d * pull).sum(1), atol=2e-2)
    np.testing.assert_allclose(ht.asnumpy(together[1])[:100], pull.max(1), rtol=1e-5)
    np.testing.assert_array_equal(ht.asnumpy(together[2])[:100],
                                  np.abs(hosts[1] - hosts[0][:100, None]).argmin(1))  # fmt: skip
