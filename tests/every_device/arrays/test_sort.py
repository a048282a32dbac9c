"""Sorts, their orders and selections against NumPy, on every device."""

from __future__ import annotations

import doctest
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
# Empty, one element, rows that one group sorts and rows that several do, odd ends.
SHAPES = [(0,), (1,), (2,), (7,), (33,), (1_000,), (2_049,), (20_001,), (3, 4), (4, 0, 3), (1, 1),
          (5, 700), (700, 5), (2, 3, 129), (2, 5_000)]  # fmt: skip
VIEWS = [lambda x: x, lambda x: x[::-1], lambda x: x.T, lambda x: x[..., ::2], lambda x: x[None]]
profile = settings(
    deadline=None, max_examples=examples(60),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


def numbers(dtype, shape, seed, distinct):
    """Numbers with duplicates, and for floats with zeros of both signs, infinities and NaNs."""
    random = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    size = int(np.prod(shape))
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        low, high = (limits.min, limits.max) if distinct > 100 else (0, distinct)
        return random.integers(low, high, shape, dtype=dtype, endpoint=True)
    parts = [random.integers(-distinct, distinct, size, endpoint=True) / 4 for _ in range(2)]
    for part in parts if size and seed % 2 else ():
        for special in (np.nan, -np.nan, np.inf, -np.inf, -0.0, 0.0):
            part[random.integers(0, size, 1 + size // 20)] = special
    if dtype.kind == "c":
        x = np.empty(size, dtype)
        x.real, x.imag = parts
        return x.reshape(shape)
    return parts[0].astype(dtype).reshape(shape)


@st.composite
def sorts(draw):
    dtype, shape = draw(st.sampled_from(DTYPES)), draw(st.sampled_from(SHAPES))
    host = numbers(dtype, shape, draw(st.integers(0, 9)), draw(st.sampled_from([1, 3, 50, 10_000])))
    axis = draw(st.integers(-len(shape), len(shape) - 1))
    return host, draw(st.sampled_from(VIEWS)), axis


def expected_order(x, axis, descending=False):
    """The stable order. NaNs are last in both directions, so it is not a reversed order."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    rows = np.moveaxis(x, axis, -1)
    flipped = rows[..., ::-1]
    order = rows.shape[-1] - 1 - np.argsort(flipped, axis=-1, kind="stable")[..., ::-1]
    if x.dtype.kind in "fc":
        nan = np.isnan(np.take_along_axis(rows, order, -1))
        if x.dtype.kind == "f":
            order = np.take_along_axis(order, np.argsort(nan, axis=-1, kind="stable"), -1)
            ranks = np.where(np.isnan(rows), np.arange(rows.shape[-1]), 0)
            nans = np.sort(np.where(np.isnan(rows), ranks, -1), axis=-1, kind="stable")
            order = np.where(np.isnan(np.take_along_axis(rows, order, -1)), nans, order)
    return np.moveaxis(order, -1, axis)


@profile
@given(case=sorts())
def test_sort(queue, case):
    host, view, axis = case
    x, host = view(ht.asarray(host, queue=queue)), view(host)
    result = ht.sort(x, axis=axis)
    # NumPy's default sort of float16 is wrong on some machines; its stable one is not.
    expected = np.sort(host, axis=axis, kind="stable")
    assert result.dtype == expected.dtype
    np.testing.assert_array_equal(ht.asnumpy(result), expected)
    order = ht.argsort(x, axis=axis)
    assert order.dtype == np.int64
    np.testing.assert_array_equal(ht.asnumpy(order), expected_order(host, axis))


@profile
@given(case=sorts())
def test_descending_sort(queue, case):
    host, view, axis = case
    if host.dtype.kind == "c":
        host = np.nan_to_num(host)
    x, host = view(ht.asarray(host, queue=queue)), view(host)
    expected = expected_order(host, axis, descending=True)
    order = ht.argsort(x, axis=axis, descending=True)
    np.testing.assert_array_equal(ht.asnumpy(order), expected)
    result = ht.sort(x, axis=axis, descending=True)
    np.testing.assert_array_equal(ht.asnumpy(result), np.take_along_axis(host, expected, axis))


@pytest.mark.parametrize("dtype", ["int16", "int32", "float32", "float64", "complex128"])
def test_a_million_elements(queue, dtype):
    for distinct in (2, 5_000, 10**9):
        host = np.random.default_rng(3).integers(-distinct, distinct, 1_000_003).astype(dtype)
        x = ht.asarray(host, queue=queue)
        np.testing.assert_array_equal(ht.asnumpy(ht.sort(x)), np.sort(host, kind="stable"))
        np.testing.assert_array_equal(ht.asnumpy(ht.argsort(x)), np.argsort(host, kind="stable"))


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
@pytest.mark.parametrize("width", [0, 100, 2**32 - 1, 2**32, 2**63])
@pytest.mark.parametrize("count", [1, 1500, 70_000])
def test_long_integers_in_a_short_interval(queue, dtype, width, count):
    limits = np.iinfo(dtype)
    random = np.random.default_rng(4)
    for least in (int(limits.min), -(width // 2) if limits.min else 2**40, limits.max - width):
        offsets = random.integers(0, width, count, np.uint64, endpoint=True)
        offsets[-1] = width
        host = (np.array(least, dtype).astype(np.uint64) + offsets).astype(dtype)
        x = ht.asarray(host, queue=queue)
        for descending in (False, True):
            order = ht.argsort(x, descending=descending)
            expected = expected_order(host, 0, descending)
            np.testing.assert_array_equal(ht.asnumpy(order), expected)


@profile
@given(
    dtype=st.sampled_from(DTYPES), rows=st.integers(0, 140), length=st.integers(1, 260),
    seed=st.integers(0, 9), distinct=st.sampled_from([1, 3, 50, 10_000]),
    descending=st.booleans(),
)  # fmt: skip
def test_many_short_rows(queue, dtype, rows, length, seed, distinct, descending):
    """Several rows are sorted at once, in the same order and to the same bits as one row."""
    host = numbers(dtype, (rows, length), seed, distinct)
    if host.dtype.kind == "c" and descending:
        host = np.nan_to_num(host)
    x = ht.asarray(host, queue=queue)
    expected = expected_order(host, 1, descending)
    np.testing.assert_array_equal(ht.asnumpy(ht.argsort(x, descending=descending)), expected)
    result = ht.asnumpy(ht.sort(x, descending=descending))
    np.testing.assert_array_equal(result, np.take_along_axis(host, expected, 1))
    if rows:
        one = ht.asnumpy(ht.sort(x[rows // 2], descending=descending))
        assert one.tobytes() == result[rows // 2].tobytes()


@profile
@given(
    dtype=st.sampled_from([t for t in DTYPES if np.dtype(t).itemsize < 3] + ["int32", "uint64"]),
    count=st.sampled_from([0, 1, 2, 127, 128, 129, 511, 513, 9_999, 65_537, 140_001]),
    distinct=st.sampled_from([1, 50, 255, 256, 10_000, 65_535, 65_536]),
    seed=st.integers(0, 9), descending=st.booleans(),
)  # fmt: skip
def test_order_of_small_numbers(queue, dtype, count, distinct, seed, descending):
    """Numbers of at most 16 bits, or in an interval of such numbers, are counted."""
    if np.dtype(dtype).itemsize > 2:
        least = seed * 1_000_003 - (5_000_000 if dtype == "int32" else 0)
        random = np.random.default_rng(seed)
        host = (random.integers(0, distinct, count, endpoint=True) + least).astype(dtype)
    else:
        host = numbers(dtype, (count,), seed, distinct)
    order = ht.argsort(ht.asarray(host, queue=queue), descending=descending)
    np.testing.assert_array_equal(ht.asnumpy(order), expected_order(host, 0, descending))


@pytest.mark.parametrize("dtype", ["int16", "int32", "uint32", "int64"])
def test_a_large_number_after_small_ones(queue, dtype):
    """The interval of the first elements is not that of the row."""
    for first, last in ((3, 300), (300, 3), (3, 30_000), (30_000, -30_000), (70, 2**31 - 1)):
        host = np.full(5_000, 5).astype(dtype)
        host[7], host[-1] = (np.array(n).astype(dtype) for n in (first, last))
        order = ht.argsort(ht.asarray(host, queue=queue))
        np.testing.assert_array_equal(ht.asnumpy(order), np.argsort(host, kind="stable"))


def test_equal_real_parts_of_many_elements(queue):
    host = 1 + 1j * np.random.default_rng(0).permutation(200_000)
    np.testing.assert_array_equal(ht.asnumpy(ht.sort(ht.asarray(host, queue=queue))), np.sort(host))


def test_bits_of_nans_and_zeros_are_kept(queue):
    bits = np.array([0xFFC00001, 0x7FC00002, 0x80000000, 0, 0xFF800000], np.uint32)
    result = ht.asnumpy(ht.sort(ht.asarray(bits.view(np.float32), queue=queue)))
    assert sorted(result.view(np.uint32)) == sorted(bits)
    assert np.isnan(result[-2:]).all()


def test_operands_are_fused_and_writes_come_later(queue):
    host = np.random.default_rng(1).normal(size=(40, 50))
    x = ht.asarray(host, queue=queue)
    result = ht.sort(x * 2 - 1, axis=0) + 1
    x[...] = 0
    np.testing.assert_array_equal(ht.asnumpy(result), np.sort(host * 2 - 1, axis=0) + 1)
    y = ht.zeros(5, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(ht.sort(ht.broadcast_to(y[0], (3, 4)))), 0)


def test_threads(queue):
    host = np.random.default_rng(2).integers(0, 1000, (4, 70_000))
    results = [None] * 4

    def work(i):
        results[i] = ht.asnumpy(ht.argsort(ht.asarray(host[i], queue=queue)))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    np.testing.assert_array_equal(results, np.argsort(host, kind="stable"))


def test_top_k(queue):
    host = np.array([[3, 1, 3, 2], [0, 5, 5, 5]])
    x = ht.asarray(host, queue=queue)
    values, indices = ht.top_k(x, 3)
    np.testing.assert_array_equal(ht.asnumpy(indices), [[0, 2, 3], [1, 2, 3]])
    np.testing.assert_array_equal(ht.asnumpy(values), [[3, 3, 2], [5, 5, 5]])
    values, indices = ht.top_k(x, 1, axis=0, mode="smallest")
    np.testing.assert_array_equal(ht.asnumpy(indices), [[1, 0, 0, 0]])
    assert ht.top_k(x, 0).values.shape == (2, 0)


def test_partition(queue):
    host = np.random.default_rng(5).integers(0, 30, (6, 41))
    x = ht.asarray(host, queue=queue)
    np.testing.assert_array_equal(
        ht.asnumpy(ht.partition(x, 7, axis=0 - 1))[:, 7], np.partition(host, 7)[:, 7]
    )
    order = ht.asnumpy(ht.argpartition(x, (2, -3), axis=0))
    np.testing.assert_array_equal(np.take_along_axis(host, order, 0)[2], np.sort(host, 0)[2])


@pytest.mark.parametrize("axis", [0, -1])
def test_lexsort(queue, axis):
    host = np.random.default_rng(6).integers(0, 3, (3, 20, 30))
    np.testing.assert_array_equal(
        ht.asnumpy(ht.lexsort(ht.asarray(host, queue=queue), axis=axis)),
        np.lexsort(host, axis=axis),
    )


def test_errors(queue):
    x = ht.asarray([[1, 2]], queue=queue)
    with pytest.raises(ht.OutOfRangeError, match=r"sort.*axis 2"):
        ht.sort(x, axis=2)
    with pytest.raises(ht.OutOfRangeError, match="argsort"):
        ht.argsort(ht.asarray(1, queue=queue))
    with pytest.raises(ht.InvalidValueError, match="k is 3; axis 1 has 2"):
        ht.top_k(x, 3)
    with pytest.raises(ht.InvalidValueError, match="mode is 'best'"):
        ht.top_k(x, 1, mode="best")
    with pytest.raises(ht.InvalidValueError, match="kth is 5"):
        ht.partition(x, 5)
    with pytest.raises(ht.InvalidValueError, match="equal"):
        ht.lexsort((x, x[0]))
    with pytest.raises(ht.InvalidValueError, match="keys is empty"):
        ht.lexsort(())


@pytest.mark.parametrize(
    "name",
    ["sort", "argsort", "top_k", "partition", "argpartition", "lexsort", "unique_values",
     "unique_counts", "unique_inverse", "unique_all", "isin", "intersect1d", "union1d", "setdiff1d",
     "setxor1d", "median", "percentile", "quantile"],
)  # fmt: skip
@pytest.mark.either_mode
def test_docstring_examples(name):
    text = getattr(ht, name).__doc__
    examples = doctest.DocTestParser().get_doctest(text, {"ht": ht}, name, None, 0)
    results = doctest.DocTestRunner().run(examples)
    assert (results.failed, results.attempted > 0) == (0, True)


STRICT = """
import sys
import numpy as np
import hither as ht

shapes = ("int16", (1000,)), ("float32", (20_001,)), ("int16", (40, 300)), ("int64", (4, 4500))
for dtype, shape in shapes:
    host = np.random.default_rng(0).integers(-99, 99, shape).astype(dtype)
    if dtype == "int64":  # rows that need different passes
        host[1] *= 2**40
        host[2] = 7
    x = ht.asarray(host, device=sys.argv[1])
    for descending in (False, True):
        order = ht.asnumpy(ht.argsort(x, descending=descending))
        expected = np.argsort(-host if descending else host, axis=-1, kind="stable")
        assert np.array_equal(order, expected)
    assert np.array_equal(ht.asnumpy(ht.sort(x)), np.sort(host))
"""


@pytest.mark.either_mode
def test_kernels_sort_memory_that_the_host_cannot_access(device):
    """With HITHER_STRICT_USM a CPU's memory is such memory."""
    subprocess.run(
        [sys.executable, "-c", STRICT, device.filter_string], check=True, timeout=300,
        env={**os.environ, "HITHER_STRICT_USM": "1"},
    )  # fmt: skip
