"""Integer arrays and masks as indices, read and written, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
from property_tests import examples

SHAPES = [(7,), (40,), (3, 5), (30, 20), (4, 3, 5)]
DTYPES = ["bool", "int16", "int64", "float32", "float64", "complex128"]
profile = settings(deadline=None, max_examples=examples(30))


@st.composite
def arrays(draw):
    shape = draw(st.sampled_from(SHAPES))
    dtype = draw(st.sampled_from(DTYPES))
    host = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    views = [lambda x: x, lambda x: x[::-1], lambda x: x[1:], lambda x: x.T]
    view = draw(st.sampled_from(views))
    return view(host), view(ht.asarray(host))


def some_indices(draw, extent, shape=None):
    if shape is None:
        shape = draw(st.sampled_from([(3,), (0,), (2, 2), (1,), (17,)]))
    count = int(np.prod(shape))
    numbers = draw(st.lists(st.integers(-extent, extent - 1), min_size=count, max_size=count))
    dtype = draw(st.sampled_from(["int64", "int32", "int8"]))
    return np.array(numbers, dtype).reshape(shape)


def same(result, expected):
    assert result.shape == expected.shape
    assert str(result.dtype) == str(expected.dtype)
    np.testing.assert_array_equal(ht.asnumpy(result), expected)


@given(pair=arrays(), data=st.data())
@profile
def test_take(pair, data):
    host, x = pair
    axis = data.draw(st.integers(0, host.ndim - 1))
    index = some_indices(data.draw, host.shape[axis])
    same(ht.take(x, ht.asarray(index.ravel()), axis=axis), np.take(host, index.ravel(), axis=axis))
    if axis == 0:
        same(x[ht.asarray(index)], host[index])


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "complex64", "complex128"])
@pytest.mark.parametrize("count", [16, 31, 1000])
def test_reads_of_many_indices(dtype, count):
    """CPUs check such indices in batches."""
    host = np.arange(5 * 120).reshape(5, 120).astype(dtype)
    x, random = ht.asarray(host), np.random.default_rng(count)
    for of in ("int8", "uint8", "int32", "int64", "uint64"):
        lowest = 0 if of.startswith("u") else -120
        for low in {0, lowest}:
            index = random.integers(low, 120, (5, count)).astype(of)
            same(ht.take(x, ht.asarray(index[0]), axis=1), host[:, index[0]])
            same(x[0, ::-1][ht.asarray(index)], host[0, ::-1][index])
            along = np.take_along_axis(host, index.astype("int64"), 1)
            same(ht.take_along_axis(x, ht.asarray(index), axis=1), along)
            same(
                ht.take_along_axis(x[:, ::-1], ht.asarray(~index if low < 0 else index), axis=1),
                along if low < 0 else np.take_along_axis(host[:, ::-1], index.astype("int64"), 1),
            )


@pytest.mark.parametrize("at", [0, 15, 16, 29, 34])
def test_a_wrong_index_among_many(at):
    x = ht.arange(60).reshape((2, 30))
    for wrong in (30, -31, 2**40):
        index = np.arange(-17, 18)
        index[at] = wrong
        for read in (
            lambda i: ht.take(x, i, axis=1),
            lambda i: ht.take_along_axis(x, ht.stack([i * 0, i]), axis=1),
        ):
            with pytest.raises(IndexError, match=f"index {wrong} .*axis 1.*size 30"):
                read(ht.asarray(index))


@given(pair=arrays(), data=st.data())
@profile
def test_several_index_arrays(pair, data):
    host, x = pair
    if host.ndim < 2:
        return
    i = some_indices(data.draw, host.shape[0], (4, 1))
    j = some_indices(data.draw, host.shape[1], (3,))
    same(x[ht.asarray(i), ht.asarray(j)], host[i, j])
    if host.ndim == 3:
        same(x[:, ht.asarray(j % host.shape[1])], host[:, j])
        k = some_indices(data.draw, host.shape[2], (4, 1))
        same(x[ht.asarray(i), :, ht.asarray(k)], host[i, :, k])


@given(pair=arrays(), data=st.data())
@profile
def test_writes(pair, data):
    host, x = pair
    kept, host, before = host, host.copy(), x
    x = ht.asarray(x, copy=True)
    index = some_indices(data.draw, host.shape[0])
    value = np.arange(index.size * int(np.prod(host.shape[1:]))).astype(host.dtype)
    value = value.reshape(index.shape + host.shape[1:])
    host[index] = value
    x[ht.asarray(index)] = ht.asarray(value)
    same(x, host)
    host[index] = 1
    x[ht.asarray(index)] = 1
    same(x, host)
    same(before, kept)


@given(pair=arrays(), seed=st.integers(0, 9), share=st.sampled_from([0.0, 0.3, 1.0]))
@profile
def test_masks(pair, seed, share):
    host, x = pair
    for rank in range(1, host.ndim + 1):
        mask = np.random.default_rng(seed).random(host.shape[:rank]) < share
        same(x[ht.asarray(mask)], host[mask])
        for result, expected in zip(ht.nonzero(ht.asarray(mask)), np.nonzero(mask), strict=True):
            same(result, expected)
    mask = np.random.default_rng(seed).random(host.shape) < share
    changed, written = host.copy(), ht.asarray(x, copy=True)
    changed[mask] = 1
    written[ht.asarray(mask)] = 1
    same(written, changed)
    changed[mask] = host[mask]
    written[ht.asarray(mask)] = x[ht.asarray(mask)]
    same(written, changed)
    for first in range(host.ndim - 1):  # two axes, which are one in memory or not
        mask = np.random.default_rng(seed).random(host.shape[first : first + 2]) < share
        key, where = ((slice(None),) * first + (m,) for m in (mask, ht.asarray(mask)))
        same(x[where], host[key])
        changed[key] = host[key]
        written[where] = x[where]
        same(written, changed)


def test_masks_of_many_chunks():
    host = np.random.default_rng(2).random(100_003)
    x = ht.asarray(host)
    same(x[x > 0.5], host[host > 0.5])
    same(x[::-1][x[::-1] > 0.9], host[::-1][host[::-1] > 0.9])


@pytest.mark.parametrize("wrong", [3, -4, 100])
def test_an_index_outside_is_an_index_error_at_once(wrong):
    x = ht.zeros((3, 2))
    index = ht.asarray(np.array([0, wrong]))
    with pytest.raises(IndexError, match=f"index {wrong} .*axis 0.*size 3"):
        x[index]
    with pytest.raises(IndexError):
        x[index] = 1.0
    assert ht.asnumpy(x).sum() == 0


def test_mistakes_are_named():
    x = ht.zeros((3, 2))
    with pytest.raises(IndexError, match="mask"):
        x[ht.asarray(np.array([True, False]))]
    with pytest.raises((TypeError, IndexError)):
        x[ht.asarray(np.array([0.5]))]


@pytest.mark.parametrize("dtype", ["bool", "uint8", "float16", "float64", "complex128"])
@pytest.mark.parametrize("length", [1, 2, 3, 16, 31, 32, 33, 130])
def test_rows_of_a_table(queue, dtype, length):
    """Lengths that are constants of the kernel's code on CPUs, and longer ones."""
    rng = np.random.default_rng(length)
    table = rng.integers(0, 2, (3, 40, 2 * length)).astype(dtype)
    chosen = rng.integers(-40, 40, (5, 7))
    x, i = ht.asarray(table, queue=queue), ht.asarray(chosen, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x[1][i]), table[1][chosen])
    np.testing.assert_array_equal(ht.asnumpy(x[:, i, :length]), table[:, chosen, :length])
    np.testing.assert_array_equal(ht.asnumpy(x[:, i, ::2]), table[:, chosen, ::2])
    np.testing.assert_array_equal(ht.asnumpy(ht.take(x, i[0], axis=1)), table[:, chosen[0]])
