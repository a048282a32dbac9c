"""Kernels of test_simulation.py, which runs this program compiled and simulated."""

from __future__ import annotations

import math
import operator

import numba
import numpy as np

import hither as ht
from hither.compat import numba_cuda as cuda


@ht.device_func
def square(v, *, plus=1.0):
    return v * v + plus


@ht.kernel
def elements(a, out):
    i = ht.get_global_id(0)
    out[i] = square(a[i], plus=2.0) + math.sqrt(a[i]) + np.float64(i % 3)


@ht.kernel
def transposes(a, out):
    i, j = ht.get_global_id(0), ht.get_global_id(1)
    out[j, i] = a[i, j] + ht.get_global_size(1)


@ht.kernel
def reverses(a):
    tile = ht.local.array(8, ht.float64)
    i, n = ht.get_local_id(0), ht.get_local_size(0)
    tile[i] = a[ht.get_global_id(0)]
    ht.barrier()
    a[ht.get_global_id(0)] = tile[n - 1 - i] + 100 * ht.get_group_id(0)


@ht.kernel
def sums(item: ht.NdItem, a, out, partial):
    group, i = item.get_group(), item.get_global_id(0)
    total = ht.group_reduce(group, a[i], operator.add)
    before = ht.group_exclusive_scan(group, a[i], "add")
    so_far = ht.group_inclusive_scan(group, a[i], "max")
    partial[item.get_local_id(0)] = before
    ht.group_barrier(group)
    last = partial[item.get_local_range(0) - 1]
    first = ht.group_broadcast(group, a[i], 0)
    out[i] = total + 10 * before + 100 * so_far + 1000 * last + 10000 * first
    if group.leader():
        out[i] += 0.5


@ht.kernel
def conditions(a, out):
    i, group = ht.get_global_id(0), ht.get_group()
    positive = a[i] > 3
    found = 0
    if ht.group_any_of(group, positive):
        found += 1
    if ht.group_all_of(group, positive):
        found += 2
    if ht.group_none_of(group, positive):
        found += 4
    out[i] = found


@ht.kernel
def counts(a, bins, extremes):
    i = ht.get_global_id(0)
    ht.atomic.add(bins, int(a[i]) % 4, 1)
    ht.atomic.max(extremes, 0, a[i])
    ht.atomic.min(extremes, 1, a[i])


@ht.kernel
def returns_early(a, n):
    i = ht.get_global_id(0)
    if i >= n:
        return
    values = ht.private.array(4, ht.float64)
    for k in range(4):
        values[k] = a[i] + k
    a[i] = values[0] * values[3]


@ht.kernel
def draws(out, seed):
    i = ht.get_global_id(0)
    out[i] = ht.random.uniform_float64(seed, i) + ht.random.bits(seed, i, 1)[2]


@ht.kernel
def changes_pairs(pair, factor):
    i = ht.get_global_id(0)
    pair[0][i] += factor
    pair[1][i] = pair[0][i] * 2


@ht.kernel
def leaves_before_a_barrier(a):
    i = ht.get_local_id(0)
    if i > 5:
        return
    tile = ht.local.array(8, ht.float64)
    tile[i] = a[ht.get_global_id(0)]
    ht.barrier()
    a[ht.get_global_id(0)] = tile[5 - i]


@cuda.jit
def of_numba_cuda(a, out):
    """Four items, which are one sub-group on every device."""
    tile = cuda.shared.array(4, numba.float32)
    own = cuda.local.array((2, 1), numba.int16)
    t, mask = cuda.threadIdx.x, cuda.warpsize() * 4 - 1
    tile[t] = a[t]
    own[1, 0] = cuda.laneid()
    cuda.syncthreads()
    out[0, t] = tile[3 - t] + 10 * own[1, 0]
    out[1, t] = cuda.shfl_sync(mask, a[t], 2)
    out[2, t] = cuda.shfl_up_sync(mask, a[t], 1)
    out[3, t] = cuda.shfl_down_sync(-1, a[t], 1)
    out[4, t] = cuda.shfl_xor_sync(-1, a[t], 1)
    cuda.syncwarp()
    out[5, t] = cuda.ballot_sync(-1, a[t] > 1)
    out[6, t] = cuda.all_sync(-1, a[t] > 1) + 2 * cuda.any_sync(-1, a[t] > 1)
    cuda.threadfence()
    cuda.threadfence_block()
    out[7, t] = cuda.syncthreads_count(a[t] > 1)
    out[8, t] = cuda.syncthreads_and(a[t] > 1) + 2 * cuda.syncthreads_or(a[t] > 1)
    n = np.int16(-2 * t)
    out[9, t] = cuda.popc(t - 2) + 100 * cuda.popc(n)
    out[10, t] = cuda.clz(t) + 100 * cuda.clz(n)
    out[11, t] = cuda.ffs(t) + 100 * cuda.ffs(n)
    out[12, t] = cuda.brev(n)
    out[13, t] = cuda.grid(1) + 10 * cuda.gridsize(1) + 100 * cuda.blockIdx.x


def main() -> None:
    numbers = np.arange(16.0)
    x, out = ht.asarray(numbers), ht.zeros(16)

    def show(*arrays) -> None:
        print(*(ht.asnumpy(a).tolist() for a in arrays))

    elements(x, out)
    show(out)
    square_ = ht.zeros((4, 6))
    transposes[6, 4](ht.reshape(ht.asarray(np.arange(24.0)), (6, 4)), square_)
    show(square_)
    y = ht.copy(x)
    reverses[ht.NdRange(16, 8)](y)
    show(y)
    sums[(16,), (4,)](x, out, ht.LocalAccessor(4, ht.float64))
    show(out)
    conditions[ht.NdRange(16, 4)](x, out)
    show(out)
    bins, extremes = ht.zeros(4, dtype=ht.int64), ht.asarray([0.0, 99.0])
    counts(x, bins, extremes)
    show(bins, extremes)
    view = ht.asarray(numbers)[::2]
    returns_early[8](view, 5)
    show(view)
    ht.launch(draws, 16, out, 7).wait()
    show(out)
    changes_pairs[16]((x, out), 0.5)
    show(x, out)
    leaves_before_a_barrier[ht.NdRange(16, 8)](y)
    show(y)
    rows = ht.zeros((14, 4))
    of_numba_cuda[1, 4](ht.asarray(numbers[:4]), rows)
    show(*rows)
    with ht.device_context("cpu"):
        host = np.arange(4.0)
        returns_early[4](host, 3)
    print(host.tolist())


if __name__ == "__main__":
    main()
