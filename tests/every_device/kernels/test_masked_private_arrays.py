"""Private arrays in loops that work-items leave in different iterations."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np
import pytest

import hither as ht

BINS = 11
SIZES = (1, 15, 16, 33, 100)
choices = pytest.mark.parametrize("choice", ["always", "never", ""])
dtypes = pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])


def before_an_unmapped_page(values):
    """A copy of the array whose last element ends where memory that nobody may read begins."""
    page = mmap.PAGESIZE
    size = -(-values.nbytes // page) * page
    memory = np.frombuffer(mmap.mmap(-1, size + page), np.uint8)
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(memory.ctypes.data + size), page, 0) == 0
    copy = memory[size - values.nbytes : size].view(values.dtype)
    copy[...] = values
    return copy


def on(queue, values):
    """The array on the queue; on the CPU without a readable element behind its last one."""
    if queue.backend != "native_cpu":
        return ht.asarray(values, queue=queue)
    return ht.from_dlpack(before_an_unmapped_page(values))


@choices
@dtypes
def test_each_item_counts_in_its_own_bins(queue, monkeypatch, choice, dtype):
    """The loop of an item ends at a limit that it reads in each iteration, or behind the last."""
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)

    @ht.kernel
    def counted(x, limits, out, n):
        i = ht.get_global_id(0)
        own = ht.private.array(BINS, dtype)
        own[3] = dtype(5)
        for j in range(n):
            near = abs(x[i] - x[j])
            b = 0
            while b < BINS and near >= limits[b]:
                own[b] += dtype(x[j] * 8)
                b += 1
            if near < 0.25:
                own[-1] += dtype(1)
        for b in range(BINS):
            out[i, b] = own[b]

    limits = np.linspace(0.0, 0.9, BINS)
    for n in SIZES:
        x = np.random.default_rng(n).random(n)
        out = ht.full((n, BINS), 7, dtype=dtype, queue=queue)
        counted[n](on(queue, x), on(queue, limits), out, n)
        expected = np.zeros((n, BINS), dtype)
        expected[:, 3] = 5
        for j in range(n):
            near = np.abs(x - x[j])
            expected[near[:, None] >= limits] += dtype(x[j] * 8)
            expected[near < 0.25, -1] += dtype(1)
        np.testing.assert_allclose(ht.asnumpy(out), expected, rtol=1e-5)


@choices
def test_arrays_with_masked_and_single_accesses(queue, monkeypatch, choice):
    """`own` has the same index for all items, which may be out of its bounds where no item uses
    it; each item has its own index for `other`; `words` has elements of another size."""
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)

    @ht.kernel
    def kernel(lengths, out):
        i = ht.get_global_id(0)
        own = ht.private.array(6, np.float64)
        other = ht.private.array(5, np.float64)
        words = ht.private.array(6, np.float32)
        k = 0
        while k < lengths[i]:
            if k < 6:
                own[k] += 1.5 * k + i
                if i % 3 == 0:
                    words[k] = words[k] * np.float32(0.5) + np.float32(k)
            other[(i + k) % 5] += 1.0
            k += 1
        for b in range(5):
            out[i, b] = own[b] + words[b]
            out[i, 5 + b] = other[b]

    for n in SIZES:
        lengths = np.random.default_rng(n).integers(0, 23, n)
        out = ht.zeros((n, 10), queue=queue)
        kernel[n](ht.asarray(lengths, queue=queue), out)
        expected = np.zeros((n, 10))
        for i, length in enumerate(lengths):
            for k in range(length):
                if k < 5:
                    expected[i, k] += 1.5 * k + i + (k if i % 3 == 0 else 0)
                expected[i, 5 + (i + k) % 5] += 1
        np.testing.assert_array_equal(ht.asnumpy(out), expected)


@choices
@pytest.mark.parametrize("items", [7, 20, 64])
def test_private_arrays_of_a_group(queue, monkeypatch, choice, items):
    """Groups whose numbers of items are no multiples of a vector's lanes."""
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)

    @ht.kernel
    def kernel(x, limits, out):
        item, i = ht.get_local_id(0), ht.get_global_id(0)
        tile = ht.local.array(64, np.float32)
        own = ht.private.array(4, np.float32)
        ones = ht.private.array(4, np.int32)
        tile[item] = x[i]
        for b in range(4):
            ones[b] = b
        ht.barrier(ht.LOCAL_MEM_FENCE)
        for j in range(ht.get_local_size(0)):
            b = 3
            while b >= 0 and abs(tile[j] - x[i]) <= limits[b]:
                own[b] += tile[j]
                ones[b] += 1
                b -= 1
        ht.barrier(ht.LOCAL_MEM_FENCE)
        for b in range(4):
            out[i, b] = own[b] + ones[b]

    limits = np.array([0.1, 0.3, 0.5, 0.7], np.float32)
    x = np.random.default_rng(items).random(3 * items).astype(np.float32)
    out = ht.zeros((3 * items, 4), dtype=np.float32, queue=queue)
    kernel[ht.NdRange((3 * items,), (items,))](
        *(ht.asarray(a, queue=queue) for a in (x, limits)), out
    )
    tiles = np.repeat(x.reshape(3, items), items, axis=0)
    inside = np.abs(tiles - x[:, None])[:, :, None] <= limits
    expected = (tiles[:, :, None] * inside).sum(1) + inside.sum(1) + np.arange(4)
    np.testing.assert_allclose(ht.asnumpy(out), expected, rtol=1e-5)
