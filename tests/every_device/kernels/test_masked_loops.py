"""Loops that work-items leave in different iterations: in vectors with masks, and item by item."""

from __future__ import annotations

import ctypes
import mmap

import numpy as np
import pytest

import hither as ht

SIZES = (0, 1, 31, 32, 33, 1000)


def two_exits(i, x):
    n, limit, result, p = x, 40.0 + i % 5, -1.0, 0
    while p < 50:
        m = n * 1.25 + 0.5
        if m > limit:
            result = m
            break
        if m - n > 3.0 + i % 3:
            result = n
            break
        n = m
        result = m
        p += 1
    return result


def three_deep(i, x):
    total = 0.0
    for a in range(i % 4):
        for b in range(a, i % 7):
            if (a + b) % 3 == 1:
                continue
            c = b
            while c < 5 + i % 3:
                total += x * c
                c += 1 + a
                if total > 50.0:
                    return -total
    return total


def under_a_condition(i, x):
    total = x
    if i % 3 == 0:
        for k in range(i % 11):
            total = total * 0.5 + k
    elif x > 0.5:
        while total < 20.0:
            total += x + 0.25
    return total


def counts_down(i, x):
    total = 0.0
    for k in range(i % 40, -(i % 5), -2):
        total = total * x + k
    return total


def returns_early(i, x):
    y = x
    for k in range(60):
        y = y * 1.1 + 0.01
        if y > 2.0 + i % 4:
            return y + k
        if k > i % 50:
            return -y
    return y


def divides(i, x):
    a, b = i * 7 + 5, i % 13
    while b != 0:
        a, b = b, a % b
    return a * x


def never_for_some(i, x):
    last = -1.0
    k = 0
    while k < i % 6:
        last = x * k
        k += 1
    return last + k


@pytest.mark.parametrize("choice", ["always", "never"])
@pytest.mark.parametrize(
    "body",
    [two_exits, three_deep, under_a_condition, counts_down, returns_early, divides, never_for_some],
)
def test_masks_change_no_bit(queue, monkeypatch, body, choice):
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)
    of_item = ht.device_func(body)

    @ht.kernel
    def kernel(x, out):
        i = ht.get_global_id(0)
        out[i] = of_item(i, x[i])

    for n in SIZES:
        values = np.random.default_rng(n).random(n)
        out = ht.full(n, -7.0, queue=queue)
        if n:
            kernel[n](ht.asarray(values, queue=queue), out)
        expected = [body(i, float(v)) for i, v in enumerate(values)]
        if queue.backend == "cuda":  # GPUs join a product and a sum to one operation
            np.testing.assert_allclose(ht.asnumpy(out), expected, rtol=1e-12)
        else:
            assert ht.asnumpy(out).tolist() == expected


def test_items_that_have_left_a_loop_read_nothing(queue, monkeypatch):
    """Items read rows of different lengths, with indices that are valid for them alone."""
    monkeypatch.setenv("HITHER_MASKED_LOOPS", "always")

    @ht.kernel
    def sums(starts, where, values, out):
        i = ht.get_global_id(0)
        total = 0.0
        k = starts[i]
        while k < starts[i + 1]:
            total += values[where[k]]
            k += 1
        out[i] = total

    lengths = np.arange(70) % 9
    starts = np.concatenate([[0], np.cumsum(lengths)])
    where = np.arange(starts[-1])[::-1].copy()
    values = np.random.default_rng(0).random(starts[-1])
    on_queue = [ht.asarray(a, queue=queue) for a in (starts, where, values)]
    out = ht.zeros(70, queue=queue)
    sums[70](*on_queue, out)
    expected = [sum(values[where[k]] for k in range(starts[i], starts[i + 1])) for i in range(70)]
    assert ht.asnumpy(out).tolist() == expected


@pytest.mark.parametrize("choice", ["always", "never"])
def test_a_group_sums_with_strides(queue, monkeypatch, choice):
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)

    @ht.kernel
    def block_sums(x, sums, n):
        tile = ht.local.array(64, np.float64)
        item = ht.get_local_id(0)
        total = 0.0
        for i in range(ht.get_global_id(0), n, ht.get_global_size(0)):
            total += x[i]
        tile[item] = total
        ht.barrier(ht.LOCAL_MEM_FENCE)
        half = 32
        while half > 0:
            if item < half:
                tile[item] += tile[item + half]
            ht.barrier(ht.LOCAL_MEM_FENCE)
            half //= 2
        if item == 0:
            sums[ht.get_group_id(0)] = tile[0]

    for n in (0, 1, 100, 5003):
        x = np.random.default_rng(n).integers(0, 100, n).astype(np.float64)
        padded = np.concatenate([x, np.full(3, np.nan)])
        sums = ht.zeros(3, queue=queue)
        block_sums[ht.NdRange((192,), (64,))](ht.asarray(padded, queue=queue), sums, n)
        assert ht.asnumpy(sums).sum() == x.sum()


def _counted(values, centres, counts, bits, least, n, dtype):
    """The same as the kernel below, item by item."""
    for v in values[:n]:
        best, label = 1e30, 0
        for c, centre in enumerate(centres):
            if abs(v - centre) < best:
                best, label = abs(v - centre), c
        counts[label] += dtype(v * 16)
        if v > 0.25:
            counts[label + 8] += dtype(1)
        bits[label] |= dtype(1 << (int(v * 1000) % 7))
        least[label] = min(least[label], dtype(v * 100))


@pytest.mark.parametrize("dtype", [np.int32, np.uint64])
@pytest.mark.parametrize("choice", ["always", "never", ""])
def test_a_group_updates_local_memory(queue, monkeypatch, choice, dtype):
    monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)

    @ht.kernel
    def nearest(values, centres, counts, bits, least, n):
        own = ht.local.array(16, dtype)
        own_bits = ht.local.array(8, dtype)
        own_least = ht.local.array(8, dtype)
        item = ht.get_local_id(0)
        if item < 16:
            own[item] = 0
        if item < 8:
            own_bits[item] = 0
            own_least[item] = 1000
        ht.barrier(ht.LOCAL_MEM_FENCE)
        for i in range(ht.get_global_id(0), n, ht.get_global_size(0)):
            best, label = 1e30, 0
            for c in range(8):
                distance = abs(values[i] - centres[c])
                if distance < best:
                    best, label = distance, c
            ht.atomic.add(own, label, dtype(values[i] * 16))
            if values[i] > 0.25:
                ht.atomic.add(own, label + 8, dtype(1))
            ht.atomic.or_(own_bits, label, dtype(1 << (int(values[i] * 1000) % 7)))
            ht.atomic.min(own_least, label, dtype(values[i] * 100))
        ht.barrier(ht.LOCAL_MEM_FENCE)
        if item < 16:
            counts[ht.get_group_id(0), item] = own[item]
        if item < 8:
            bits[ht.get_group_id(0), item] = own_bits[item]
            least[ht.get_group_id(0), item] = own_least[item]

    rng = np.random.default_rng(3)
    centres = rng.random(8)
    for n in (0, 1, 63, 64, 65, 5003):
        values = rng.random(n + 1)
        counts, bits, least = (ht.zeros((3, k), dtype=dtype, queue=queue) for k in (16, 8, 8))
        on_queue = [ht.asarray(a, queue=queue) for a in (values, centres)]
        nearest[ht.NdRange((192,), (64,))](*on_queue, counts, bits, least, n)
        expected = np.zeros(16, dtype), np.zeros(8, dtype), np.full(8, 1000, dtype)
        _counted(values, centres, *expected, n, dtype)
        found = [
            ht.asnumpy(counts).sum(0),
            np.bitwise_or.reduce(ht.asnumpy(bits)),
            ht.asnumpy(least).min(0),
        ]
        assert [f.tolist() for f in found] == [e.tolist() for e in expected]


def with_two_operations(x, out, n):
    item = ht.get_local_id(0)
    counts = ht.local.array(4, np.int32)
    if item < 4:
        counts[item] = 0
    ht.barrier(ht.LOCAL_MEM_FENCE)
    for i in range(item, n, ht.get_local_size(0)):
        ht.atomic.add(counts, x[i] % 4, 1)
        ht.atomic.xor(counts, x[i] % 4, x[i])
    ht.barrier(ht.LOCAL_MEM_FENCE)
    if item < 4:
        out[item] = counts[item]


def with_a_sum_of_floats(x, out, n):
    item = ht.get_local_id(0)
    total = ht.local.array(1, np.float32)
    if item == 0:
        total[0] = 0
    ht.barrier(ht.LOCAL_MEM_FENCE)
    own = np.float32(0)
    for i in range(item, n, ht.get_local_size(0)):
        own += np.float32(x[i]) * np.float32(0.1)
    ht.atomic.add(total, 0, own)
    ht.barrier(ht.LOCAL_MEM_FENCE)
    if item == 0:
        out[0] = np.int64(total[0] * np.float32(1e6))


@pytest.mark.parametrize("body", [with_two_operations, with_a_sum_of_floats])
def test_the_order_of_atomics_that_do_not_commute_stays(queue, monkeypatch, body):
    if queue.backend != "native_cpu":
        pytest.skip("other devices run the items of a group in any order")
    kernel = ht.kernel(body)
    x = ht.asarray(np.random.default_rng(1).integers(0, 1000, 1003), queue=queue)
    found = []
    for choice in ("always", "never", ""):
        monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)
        out = ht.zeros(4, dtype=int, queue=queue)
        kernel[ht.NdRange((128,), (128,))](x, out, 1003)
        found.append(ht.asnumpy(out).tolist())
    assert found[0] == found[1] == found[2]


def test_items_that_wait_for_a_sum_run_one_at_a_time(queue, monkeypatch):
    """How often an item counts depends on the order of the items, which masks do not change."""
    if queue.backend != "native_cpu":
        pytest.skip("other devices run the items of a group in any order")

    @ht.kernel
    def kernel(x, rounds):
        total = ht.local.array(1, np.int32)
        item = ht.get_local_id(0)
        if item == 0:
            total[0] = 0
        ht.barrier(ht.LOCAL_MEM_FENCE)
        while total[0] < x[item]:
            ht.atomic.add(total, 0, 1)
            rounds[item] += 1

    x = ht.asarray(np.array([100] * 32 + [250] * 32), queue=queue)
    found = []
    for choice in ("always", "never"):
        monkeypatch.setenv("HITHER_MASKED_LOOPS", choice)
        rounds = ht.zeros(64, dtype=int, queue=queue)
        kernel[ht.NdRange((64,), (64,))](x, rounds)
        found.append(ht.asnumpy(rounds).tolist())
    assert found[0] == found[1]
    assert sum(found[0]) >= 250


def _before_an_unmapped_page(values):
    """A copy of the array whose last element ends where memory that nobody may read begins."""
    page = mmap.PAGESIZE
    size = -(-values.nbytes // page) * page
    memory = np.frombuffer(mmap.mmap(-1, size + page), np.uint8)
    assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(memory.ctypes.data + size), page, 0) == 0
    copy = memory[size - values.nbytes : size].view(values.dtype)
    copy[...] = values
    return copy


def test_the_second_loop_knows_the_results_of_the_first(queue, monkeypatch):
    """The second loop reads elements at the first one's count, which differs between items."""
    if queue.backend != "native_cpu":
        pytest.skip("other devices cannot read memory of NumPy in place")
    monkeypatch.setenv("HITHER_MASKED_LOOPS", "always")

    @ht.kernel
    def kernel(a, x, out, seen):
        i = ht.get_global_id(0)
        n, v = 0, a[i]
        while v > 1.0:
            v = v * 0.5
            n += 1
        total, j = 0.0, 0
        while True:
            t = x[n + j]
            seen[i] += 1
            if j > 4 and total > 30.0:
                total += 2 * t
                out[i] = total
            else:
                total += t
            j += 1
            if j >= (1 if n > 8 else 12 - n):
                break
        out[i] = total

    a, x = np.random.default_rng(0).random(300) * 2000, np.arange(12.0)
    out, seen = ht.zeros(300, queue=queue), ht.zeros(300, dtype=int, queue=queue)
    kernel[300](ht.asarray(a, queue=queue), ht.from_dlpack(_before_an_unmapped_page(x)), out, seen)
    counts = np.ceil(np.log2(np.maximum(a, 1))).astype(int)
    steps = np.where(counts > 8, 1, 12 - counts)
    assert ht.asnumpy(seen).tolist() == steps.tolist()
    for n, last, got in zip(counts, steps, ht.asnumpy(out), strict=True):
        total = 0.0
        for j in range(last):
            total += 2 * x[n + j] if j > 4 and total > 30 else x[n + j]
        assert got == total
