"""Cumulative sums and products, differences and binary searches against NumPy."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from property_tests import examples

DTYPES = ["bool", "int8", "int32", "int64", "uint8", "uint32", "float16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
# One element, short and long rows, several chunks along and across, odd ends.
SHAPES = [(1,), (7,), (100,), (32_768,), (50_001,), (3, 40_000), (3, 4), (4_100, 3), (5_000, 40),
          (2, 5, 33), (2, 4_097, 2), (300, 16), (70, 100), (9, 1_000)]  # fmt: skip
TOLERANCES = {"e": 2e-2, "f": 1e-3, "d": 1e-10, "F": 1e-3, "D": 1e-10}
profile = settings(deadline=None, max_examples=examples(60))


def numbers(dtype, shape, seed=0):
    random = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "c":
        return (random.random(shape) + 1j * random.random(shape)).astype(dtype)
    if kind == "f":
        return random.random(shape).astype(dtype)
    return random.integers(0, 2 if kind == "b" else 5, shape).astype(dtype)


def check(array, expected):
    assert array.shape == expected.shape
    assert array.dtype == expected.dtype
    result = ht.asnumpy(array)
    if expected.dtype.char in TOLERANCES:
        tolerance = TOLERANCES[expected.dtype.char]
        np.testing.assert_allclose(result, expected, rtol=tolerance, atol=tolerance)
    else:
        np.testing.assert_array_equal(result, expected)


@st.composite
def scans(draw):
    dtype, shape = draw(st.sampled_from(DTYPES)), draw(st.sampled_from(SHAPES))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    host = numbers(dtype, shape, draw(st.integers(0, 9)))
    view = draw(
        st.sampled_from([lambda x: x, lambda x: x[::-1], lambda x: x.T, lambda x: x[..., :]])
    )
    return view(host), view(ht.asarray(host)), axis, draw(st.booleans())


RUNNING = ["maximum", "minimum", "logical_and", "logical_or"]


@profile
@given(scans(), st.sampled_from(RUNNING), st.booleans())
def test_running_extremes_and_truth(case, name, special):
    """Equal bits: the first of equal zeros is kept, and the first NaN."""
    host, x, axis, _ = case
    if special and host.dtype.kind == "f":
        host = np.where(host < 0.2, -0.0, np.where(host < 0.4, 0.0, host))
        host[..., host.shape[-1] // 2 :][..., ::7] = np.nan
        x = ht.asarray(host)
    function = getattr(np, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = function.accumulate(host, axis=axis)
    result = getattr(hnp, name).accumulate(x, axis=axis)
    assert isinstance(result, ht.Array)
    assert result.dtype == expected.dtype
    assert ht.asnumpy(result).tobytes() == np.ascontiguousarray(expected).tobytes()


@pytest.mark.parametrize("name", RUNNING)
def test_running_extremes_of_no_elements(name):
    for shape in ((0,), (0, 3), (2, 0)):
        result = getattr(hnp, name).accumulate(ht.zeros(shape, dtype="float32"))
        expected = getattr(np, name).accumulate(np.zeros(shape, "float32"))
        assert (result.shape, result.dtype) == (expected.shape, expected.dtype)


@pytest.mark.parametrize("name", ["maximum", "minimum"])
def test_running_extremes_are_one_command(name):
    x = ht.asarray(np.random.default_rng(3).random(1_000))
    with ht.profile() as profile:
        ht.synchronize(getattr(hnp, name).accumulate(x))
    assert [e.name for e in profile.events if e.kind == "kernel"] == [f"cumulative_{name[:3]}"]


@profile
@given(scans())
def test_cumulative_sum(case):
    host, x, axis, initial = case
    wide = np.float32 if host.dtype == np.float16 else None
    expected = np.cumulative_sum(host, axis=axis, dtype=wide, include_initial=initial)
    check(ht.cumulative_sum(x, axis=axis, include_initial=initial),
          expected.astype(host.dtype) if wide else expected)  # fmt: skip


@profile
@given(scans())
def test_cumulative_prod(case):
    host, x, axis, initial = case
    if host.dtype.kind in "iu":
        host, x = host % 2 + 1, x % 2 + 1  # wraps, as NumPy's does
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.cumulative_prod(host, axis=axis, include_initial=initial)
    check(ht.cumulative_prod(x, axis=axis, include_initial=initial), expected)


def test_the_dtype_is_that_of_the_computation():
    x = np.full(1000, 100, np.int8)
    check(ht.cumulative_sum(ht.asarray(x), dtype=ht.int8), np.cumsum(x, dtype=np.int8))
    check(ht.cumulative_sum(ht.asarray(x), dtype=ht.float32), np.cumsum(x, dtype=np.float32))
    half = np.ones(5000, np.float16)  # counting in float16 stops at 2048
    assert float(ht.cumulative_sum(ht.asarray(half))[-1]) == 5000


def test_what_is_scanned_may_be_an_expression():
    x = ht.asarray(np.arange(10.0))
    y = ht.cumulative_sum(ht.sqrt(x) * 2) + 1
    np.testing.assert_allclose(ht.asnumpy(y), np.cumsum(np.sqrt(np.arange(10.0)) * 2) + 1)


def test_what_is_scanned_may_be_a_number():
    assert ht.asnumpy(ht.cumulative_sum(ht.ones(5))).tolist() == [1, 2, 3, 4, 5]
    assert ht.asnumpy(ht.cumulative_prod(ht.full((2, 2), 3), axis=0)).tolist() == [[3, 3], [9, 9]]
    wide = ht.broadcast_to(ht.asarray([1, 2]), (3, 2))
    assert ht.asnumpy(ht.cumulative_sum(wide, axis=0)).tolist() == [[1, 2], [2, 4], [3, 6]]
    assert int(ht.searchsorted(ht.arange(4.0), ht.full((), 2.5))) == 3
    assert ht.asnumpy(ht.searchsorted(ht.ones(4), ht.arange(3.0))).tolist() == [0, 0, 4]


def test_infinities_and_nans_go_on():
    values = np.array([1.0, np.inf, 2.0, -np.inf, 3.0, np.nan, 4.0] * 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(ht.cumulative_sum(ht.asarray(values)), np.cumsum(values))
        check(ht.cumulative_prod(ht.asarray(values)), np.cumprod(values))
    infinite = np.array([complex(np.inf, 0), 1, 2])
    assert ht.asnumpy(ht.cumulative_prod(ht.asarray(infinite)))[0] == infinite[0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sums_of_what_is_not_negative_never_fall(dtype):
    x = np.random.default_rng(1).random(200_000).astype(dtype)
    x[::3] = 0
    assert (np.diff(ht.asnumpy(ht.cumulative_sum(ht.asarray(x)))) >= 0).all()


def test_nothing_to_scan():
    assert ht.cumulative_sum(ht.zeros(0)).shape == (0,)
    assert ht.asnumpy(ht.cumulative_sum(ht.zeros(0), include_initial=True)).tolist() == [0]
    ones = ht.cumulative_prod(ht.zeros((2, 0)), axis=1, include_initial=True)
    assert ht.asnumpy(ones).tolist() == [[1], [1]]
    assert ht.cumulative_sum(ht.zeros((0, 3)), axis=1).shape == (0, 3)


def test_a_scan_names_what_is_wrong():
    with pytest.raises(ValueError, match="axis is needed"):
        ht.cumulative_sum(ht.zeros((2, 3)))
    with pytest.raises(IndexError, match="axis"):
        ht.cumulative_sum(ht.zeros((2, 3)), axis=2)
    with pytest.raises(TypeError, match="complex128"):
        ht.cumulative_sum(ht.zeros(3, dtype=ht.complex128), dtype=ht.float64)


@pytest.mark.parametrize("n", [0, 1, 2, 9])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_diff(n, axis):
    host = numbers("float64", (4, 5))
    check(ht.diff(ht.asarray(host), axis=axis, n=n), np.diff(host, axis=axis, n=n))
    flags = host > 0.5
    check(ht.diff(ht.asarray(flags), axis=axis, n=n), np.diff(flags, axis=axis, n=n))


def test_diff_with_neighbours():
    host = numbers("int64", (3, 4))
    before, after = np.zeros((3, 1), np.int64), np.ones((3, 2), np.int64)
    expected = np.diff(host, prepend=before, append=after)
    check(ht.diff(ht.asarray(host), prepend=ht.asarray(before), append=ht.asarray(after)), expected)
    with pytest.raises(ValueError, match="n is -1"):
        ht.diff(ht.asarray(host), n=-1)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64"])
@pytest.mark.parametrize("count", [1, 2, 3, 64, 1000])
def test_searchsorted(side, dtype, count):
    table = np.sort(numbers(dtype, count))
    wanted = numbers(dtype, (7, 11), seed=3)
    if np.dtype(dtype).kind == "f":
        table[-1] = wanted[0, 0] = np.nan
        wanted[1, 1], wanted[2, 2] = -np.inf, np.inf
    result = ht.searchsorted(ht.asarray(table), ht.asarray(wanted), side=side)
    check(result, np.searchsorted(table, wanted, side=side))
    check(ht.searchsorted(ht.asarray(table), ht.asarray(wanted).T, side=side),
          np.searchsorted(table, wanted.T, side=side))  # fmt: skip


def test_searchsorted_through_a_sorter_and_of_numbers():
    values = np.array([3.0, 1.0, 2.0])
    order = np.argsort(values)
    x = ht.asarray(values)
    assert int(ht.searchsorted(x, 2.5, sorter=ht.asarray(order))) == 2
    assert int(ht.searchsorted(ht.asarray([1, 2, 3]), 2, side="right")) == 2
    assert int(ht.searchsorted(ht.zeros(0), 2.0)) == 0


def test_searchsorted_names_what_is_wrong():
    x = ht.arange(3.0)
    with pytest.raises(ValueError, match="one dimension"):
        ht.searchsorted(ht.zeros((2, 2)), x)
    with pytest.raises(ValueError, match="side"):
        ht.searchsorted(x, x, side="middle")


@pytest.mark.parametrize("sorter", [[0, 1], [0, 1, 2, 2], [], [[0, 1, 2]]])
def test_a_sorter_has_an_index_for_each_element(sorter, queue):
    x = ht.asarray([1, 2, 3], queue=queue)
    with pytest.raises(ValueError, match="sorter has"):
        ht.searchsorted(x, x, sorter=ht.asarray(sorter, dtype=ht.int64, queue=queue))
    with pytest.raises(TypeError, match="integer"):
        ht.searchsorted(x, x, sorter=ht.asarray([True, False, True], queue=queue))
    with pytest.raises(IndexError, match="9"):
        ht.searchsorted(x, x, sorter=ht.asarray([0, 1, 9], queue=queue))


@ht.scan(identity=0)
def running_maximum(a, b):
    return a if a > b else b


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("scan", [ht.cumulative_sum, ht.cumulative_prod, running_maximum])
def test_a_scan_computes_its_operand(queue, scan, axis):
    x, y, row = (
        ht.asarray(numbers("float64", shape, seed), queue=queue)
        for seed, shape in enumerate([(40, 30, 70), (70, 30, 40), (70,)])
    )
    operands = [
        lambda: x * 2 + 1,
        lambda: ht.permute_dims(y, (2, 1, 0)) * row,
        lambda: ht.where(x > row, x, ht.arange(70.0, queue=queue)),
        lambda: ht.astype(x > 0.5, "int64"),
    ]
    for operand in operands:
        named = operand()
        ht.evaluate(named)
        expected = ht.asnumpy(scan(named, axis=axis))
        np.testing.assert_array_equal(ht.asnumpy(scan(operand(), axis=axis)), expected)
    named = x * 2
    result = scan(named, axis=axis)
    np.testing.assert_array_equal(ht.asnumpy(named), 2 * ht.asnumpy(x))
    np.testing.assert_array_equal(ht.asnumpy(result), ht.asnumpy(scan(ht.copy(named), axis=axis)))


@pytest.mark.skipif(
    os.environ.get("HITHER_EAGER", "0") not in ("", "0"), reason="eager operations do not fuse"
)
def test_a_scan_and_its_operand_are_one_kernel(queue):
    x = ht.asarray(numbers("float64", (30, 70)), queue=queue)
    for scan in (ht.cumulative_sum, running_maximum):
        lines = ht.explain(scan(ht.sqrt(x * 2 + 1), axis=0)).splitlines()
        assert len(lines) == 1, lines
        assert "of multiply add sqrt" in lines[0]
