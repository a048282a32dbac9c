"""Reductions and scans through local memory: trees, two stages, Hillis and Steele, Blelloch."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

SIZES = [(64, 16), (1000, 8), (4096, 256), (96, 32)]


@ht.kernel
def tree_sums(x, sums, partial):
    local_id, i = ht.get_local_id(0), ht.get_global_id(0)
    partial[local_id] = x[i]
    width = ht.get_local_size(0) // 2
    while width > 0:
        ht.barrier(ht.MemFence.LOCAL)
        if local_id < width:
            partial[local_id] += partial[local_id + width]
        width //= 2
    if local_id == 0:
        sums[ht.get_group_id(0)] = partial[0]


@pytest.mark.parametrize(("n", "local"), SIZES)
def test_tree_reduction(queue, n, local):
    x = np.random.default_rng(1).integers(0, 100, n).astype("f8")
    sums = ht.zeros(n // local, queue=queue)
    scratch = ht.LocalAccessor(local, ht.float64)
    tree_sums[ht.NdRange(n, local)](ht.asarray(x, queue=queue), sums, scratch)
    assert np.array_equal(ht.asnumpy(sums), x.reshape(-1, local).sum(1))


@pytest.mark.parametrize(("n", "local", "groups"), [(10_000, 64, 4), (1 << 16, 128, 8), (7, 16, 1)])
def test_reduction_in_two_stages(queue, n, local, groups):
    """Items stride through the data, groups make trees, one group adds what these found."""

    @ht.kernel
    def first(x, sums, partial):
        local_id, i = ht.get_local_id(0), ht.get_global_id(0)
        total = 0.0
        while i < x.size:
            total += x[i]
            i += ht.get_global_size(0)
        partial[local_id] = total
        ht.barrier()
        width = ht.get_local_size(0) // 2
        while width > 0:
            if local_id < width:
                partial[local_id] += partial[local_id + width]
            ht.barrier()
            width //= 2
        if local_id == 0:
            sums[ht.get_group_id(0)] = partial[0]

    x = np.random.default_rng(2).integers(0, 100, n).astype("f8")
    sums, total = ht.zeros(groups, queue=queue), ht.zeros(1, queue=queue)
    scratch = ht.LocalAccessor(local, "f8")
    first[ht.NdRange(local * groups, local)](ht.asarray(x, queue=queue), sums, scratch)
    first[ht.NdRange(local, local)](sums, total, scratch)
    assert float(total[0]) == x.sum()


@pytest.mark.parametrize("local", [8, 64, 256])
def test_scan_of_hillis_and_steele(queue, local):
    @ht.kernel
    def scan(x, result):
        a = ht.local.array(local, ht.float64)
        b = ht.local.array(local, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        a[k] = x[i]
        ht.barrier()
        step = 1
        current = 0
        while step < local:
            if current == 0:
                b[k] = a[k] + (a[k - step] if k >= step else 0.0)
            else:
                a[k] = b[k] + (b[k - step] if k >= step else 0.0)
            ht.barrier()
            current = 1 - current
            step *= 2
        result[i] = a[k] if current == 0 else b[k]

    x = np.random.default_rng(3).integers(0, 9, 4 * local).astype("f8")
    result = ht.zeros(4 * local, queue=queue)
    scan[ht.NdRange(4 * local, local)](ht.asarray(x, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), x.reshape(4, local).cumsum(1).ravel())


@pytest.mark.parametrize("local", [4, 32, 128])
def test_scan_of_blelloch(queue, local):
    """Up-sweep and down-sweep; two elements an item; exclusive."""

    @ht.kernel
    def scan(x, result):
        tree = ht.local.array(2 * local, ht.int64)
        k = ht.get_local_id(0)
        start = ht.get_group_id(0) * 2 * local
        tree[2 * k] = x[start + 2 * k]
        tree[2 * k + 1] = x[start + 2 * k + 1]
        offset, width = 1, local
        while width > 0:
            ht.barrier()
            if k < width:
                low, high = offset * (2 * k + 1) - 1, offset * (2 * k + 2) - 1
                tree[high] += tree[low]
            offset *= 2
            width //= 2
        if k == 0:
            tree[2 * local - 1] = 0
        width = 1
        while width <= local:
            offset //= 2
            ht.barrier()
            if k < width:
                low, high = offset * (2 * k + 1) - 1, offset * (2 * k + 2) - 1
                tree[low], tree[high] = tree[high], tree[low] + tree[high]
            width *= 2
        ht.barrier()
        result[start + 2 * k] = tree[2 * k]
        result[start + 2 * k + 1] = tree[2 * k + 1]

    x = np.random.default_rng(4).integers(-9, 9, 6 * local)
    result = ht.zeros(6 * local, dtype=ht.int64, queue=queue)
    scan[ht.NdRange(3 * local, local)](ht.asarray(x, queue=queue), result)
    rows = x.reshape(3, 2 * local)
    assert np.array_equal(ht.asnumpy(result), (rows.cumsum(1) - rows).ravel())


@pytest.mark.parametrize(("n", "local", "bins"), [(1000, 8, 16), (1 << 14, 128, 64), (48, 48, 256)])
def test_histogram_with_local_atomics(queue, n, local, bins):
    @ht.kernel
    def histogram(values, counts):
        own = ht.local.array(bins, ht.int32)
        for b in range(ht.get_local_id(0), bins, ht.get_local_size(0)):
            own[b] = 0
        ht.barrier()
        ht.atomic.add(own, values[ht.get_global_id(0)], 1)
        ht.barrier()
        for b in range(ht.get_local_id(0), bins, ht.get_local_size(0)):
            ht.atomic.add(counts, b, own[b])

    values = np.random.default_rng(5).integers(0, bins, n).astype("i4")
    counts = ht.zeros(bins, dtype="i4", queue=queue)
    histogram[ht.NdRange(n, local)](ht.asarray(values, queue=queue), counts)
    assert np.array_equal(ht.asnumpy(counts), np.bincount(values, minlength=bins))


@pytest.mark.parametrize(("n", "local"), [(64, 32), (1024, 512), (4096, 64)])
def test_bitonic_sort(queue, n, local):
    """Steps within a group use local memory; each wider step is one launch."""

    @ht.kernel
    def step(x, block, distance):
        i = ht.get_global_id(0)
        other = i ^ distance
        if other > i:
            ascending = (i & block) == 0
            if (x[i] > x[other]) == ascending:
                x[i], x[other] = x[other], x[i]

    @ht.kernel
    def steps_in_groups(x, block, farthest):
        own = ht.local.array(local, ht.float32)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        own[k] = x[i]
        distance = farthest
        while distance > 0:
            ht.barrier(ht.MemFence.LOCAL)
            mine, other = own[k], own[k ^ distance]
            keep_small = ((i & block) == 0) == ((k & distance) == 0)
            ht.barrier(ht.MemFence.LOCAL)
            own[k] = min(mine, other) if keep_small else max(mine, other)
            distance //= 2
        x[i] = own[k]

    host = np.random.default_rng(6).random(n, "f4")
    x = ht.asarray(host, queue=queue)
    block = 2
    while block <= n:
        distance = block // 2
        while distance >= local:
            step[n](x, block, distance)
            distance //= 2
        steps_in_groups[ht.NdRange(n, local)](x, block, distance)
        block *= 2
    assert np.array_equal(ht.asnumpy(x), np.sort(host))
