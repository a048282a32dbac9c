"""Functions of sets against NumPy, on every device."""

from __future__ import annotations

import ctypes
import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hither as ht
from hither._array import marks, sets
from property_tests import examples

DTYPES = ["bool", "int8", "int32", "int64", "uint16", "uint64", "float16", "float32", "float64",
          "complex64", "complex128"]  # fmt: skip
SHAPES = [(), (0,), (1,), (2,), (17,), (3_000,), (3, 4), (0, 2), (40, 50)]
profile = settings(
    deadline=None, max_examples=examples(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)  # fmt: skip


@pytest.fixture(params=["table", "sort"])
def _way(request, monkeypatch):
    """isin() of integers on GPUs sorts few elements; both ways are tested on each device."""
    monkeypatch.setattr(sets, "sorts_others", lambda x1, x2: request.param == "sort")


@st.composite
def arrays(draw, shapes=SHAPES, nans=True):
    dtype = np.dtype(draw(st.sampled_from(DTYPES)))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    distinct = draw(st.sampled_from([1, 4, 60]))
    x = random.integers(0, distinct, draw(st.sampled_from(shapes)), endpoint=True)
    if dtype.kind in "fc":
        x = np.where(random.random(x.shape) < 0.5, x - 2.0, -x + 2.0)
        if dtype.kind == "c":
            x = x + 1j * random.integers(0, 3, x.shape)
        if nans and draw(st.booleans()):
            x = np.where(random.random(x.shape) < 0.2, np.nan, x)
    return np.asarray(x).astype(dtype)


def check(result, expected):
    assert (result.shape, result.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_array_equal(ht.asnumpy(result), expected)


@profile
@given(host=arrays())
def test_unique(queue, host):
    x = ht.asarray(host, queue=queue)
    values, indices, inverse, counts = np.unique(
        host, return_index=True, return_inverse=True, return_counts=True, equal_nan=False
    )
    check(ht.unique_values(x), values)
    check(ht.unique_counts(x).values, values)
    check(ht.unique_counts(x).counts, counts)
    check(ht.unique_inverse(x).values, values)
    check(ht.unique_inverse(x).inverse_indices, inverse.reshape(host.shape))
    everything = ht.unique_all(x)
    check(everything.values, values)
    check(everything.indices, indices)
    check(everything.inverse_indices, inverse.reshape(host.shape))
    check(everything.counts, counts)


@profile
@given(hosts=st.tuples(arrays(), arrays()), invert=st.booleans())
def test_isin(queue, hosts, invert):
    x, y = (ht.asarray(host, queue=queue) for host in hosts)
    check(ht.isin(x, y, invert=invert), np.isin(*hosts, invert=invert))


@pytest.mark.usefixtures("_way")
@pytest.mark.parametrize(
    ("dtype", "others"),
    [("int64", "int64"), ("uint64", "int8"), ("int16", "uint64"), ("bool", "int64")],
)
def test_isin_of_many_integers(queue, dtype, others):
    """By comparisons, by a table, or by a sort, as their number and bounds decide."""
    random = np.random.default_rng(3)

    def numbers(kind, count, far):
        if kind == "bool":
            return random.random(count) > 0.9
        bounds = np.iinfo(kind)
        values = random.integers(max(bounds.min, -far), min(bounds.max, far), count).astype(kind)
        values[0], values[-1] = bounds.max, bounds.min
        return values

    for far, count, other in itertools.product((200, 2**40), (5000, 50), (300, 20)):
        x, y = numbers(dtype, (count, 2), far), numbers(others, other, far)
        if far == 200:
            y[0] = y[-1] = 1
        result = ht.isin(ht.asarray(x[:, ::-1], queue=queue), ht.asarray(y, queue=queue))
        check(result, np.isin(x[:, ::-1], y))


def test_isin_finds_the_least_and_the_largest_element(queue):
    for dtype in ("int64", "float32", "complex64"):
        y = np.arange(40).repeat(2).astype(dtype)
        x = np.arange(-3, 50).astype(dtype)
        result = ht.isin(ht.asarray(x, queue=queue), ht.asarray(y, queue=queue))
        check(result, np.isin(x, y))
        check(ht.isin(ht.asarray(x[3], queue=queue), ht.asarray(y, queue=queue)), np.array(True))


def test_isin_of_numbers(queue):
    x = ht.asarray([[1, 2], [3, 1]], queue=queue, dtype="int8")
    check(ht.isin(x, 1), np.array([[True, False], [False, True]]))
    check(ht.isin(x, 300, invert=True), np.ones((2, 2), bool))
    check(ht.isin(x, 1.5), np.zeros((2, 2), bool))
    check(ht.isin(3, x), np.array(True))
    for number in (np.float32(1), np.int8(1), np.array(1), ctypes.c_int(1)):
        check(ht.isin(x, number), np.array([[True, False], [False, True]]))
        check(ht.isin(number, x), np.array(True))
    check(ht.searchsorted(x[0], np.float32(2)), np.array(1))
    with pytest.raises(ht.PlacementError, match="no argument is an array"):
        ht.isin(np.float32(1), np.float32(1))
    with pytest.raises(ht.InvalidTypeError, match="takes an array"):
        ht.isin(1, 2)


@profile
@given(hosts=st.tuples(arrays(nans=False), arrays(nans=False)), unique=st.booleans())
def test_two_sets(queue, hosts, unique):
    if unique:
        hosts = tuple(map(np.unique, hosts))
    x, y = (ht.asarray(host, queue=queue) for host in hosts)
    for name in ("intersect1d", "setdiff1d", "setxor1d"):
        expected = getattr(np, name)(*hosts, assume_unique=unique)
        check(getattr(ht, name)(x, y, assume_unique=unique), expected)
    check(ht.union1d(x, y), np.union1d(*hosts))


def test_nans_of_a_union(queue):
    hosts = np.array([np.nan, 1, np.nan]), np.array([np.nan, 0])
    check(ht.union1d(*(ht.asarray(h, queue=queue) for h in hosts)), np.union1d(*hosts))


def test_zeros_of_both_signs(queue):
    x = ht.asarray([0.0, -0.0, 0.0, 1.0], queue=queue)
    assert ht.unique_values(x).shape == (2,)
    check(ht.unique_all(x).indices, np.array([0, 3]))
    check(ht.isin(x, ht.asarray([-0.0, 5.0], queue=queue)), np.array([True, True, True, False]))


def test_many_elements(queue):
    host = np.random.default_rng(0).integers(0, 100_000, 500_000, dtype=np.int32)
    x = ht.asarray(host, queue=queue)
    values, inverse, counts = np.unique(host, return_inverse=True, return_counts=True)
    check(ht.unique_counts(x).values, values)
    check(ht.unique_counts(x).counts, counts)
    check(ht.unique_inverse(x).inverse_indices, inverse)


LIMITS = [
    ("int8", -128, 127), ("uint8", 0, 255), ("int16", -3, 5), ("uint16", 65_000, 65_535),
    ("int32", -(2**31), -(2**31) + 9_000), ("int64", -(2**63), -(2**63) + 3_000),
    ("int64", 2**63 - 4_000, 2**63 - 1), ("uint64", 2**63 - 5, 2**63 + 5), ("uint64", 7, 7),
    ("uint64", 2**64 - 9, 2**64 - 1), ("int32", 0, 300_000), ("int64", -(2**62), 2**62),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "low", "high"), LIMITS)
@pytest.mark.parametrize("size", [64, 20_001, 400_000])
def test_unique_integers_between_limits(queue, monkeypatch, dtype, low, high, size):
    """Integers of a short interval are marked, and not sorted."""
    monkeypatch.setattr(marks, "_WORTH_MARKS", 64)
    monkeypatch.setattr(marks, "_WORTH_MARKS_ON_GPU", 64)
    random = np.random.default_rng(size)
    host = random.integers(low, high, size, dtype=dtype, endpoint=True)
    values, inverse = np.unique(host, return_inverse=True)
    x = ht.asarray(host, queue=queue)
    check(ht.unique_values(x), values)
    found = ht.unique_inverse(ht.reshape(x, (-1, 1))[::-1])
    check(found.values, values)
    check(found.inverse_indices, inverse[::-1].reshape(-1, 1))
    check(ht.union1d(x, x[:5]), values)


@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_few_elements_and_parts_with_memory_of_their_own(queue, size):
    host = np.arange(size)[::-1] // 2
    expected = np.unique(host, return_index=True, return_inverse=True, return_counts=True)
    parts = ht.unique_all(ht.asarray(host, queue=queue))
    for part in range(4):
        check(parts[part], expected[part])
        parts[part][...] = -1
        for other in range(part + 1, 4):
            check(parts[other], expected[other])


def test_a_compiled_function_cannot_use_what_depends_on_elements(queue):
    @ht.compile
    def different(x):
        return ht.unique_values(x * 2)

    with pytest.raises(ht.InvalidTypeError):
        different(ht.asarray([1, 2, 1], queue=queue))
