"""Barriers, local memory, group and sub-group functions."""

from __future__ import annotations

import inspect
import operator

import numpy as np
import pytest

import hither as ht

DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float32",
          "float64"]  # fmt: skip
LOCALS = [1, 4, 7, 32]
GROUPS = 3


def values(dtype, n):
    return np.random.default_rng(1).integers(0, 3, n).astype(dtype)


def rows(x, local):
    return x.reshape(-1, local)


@pytest.mark.parametrize("local", LOCALS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_and_scans_of_groups(queue, dtype, local):
    @ht.kernel
    def combined(item: ht.NdItem, x, result):
        i, group = item.get_global_id(0), item.get_group()
        result[0, i] = ht.group_reduce(group, x[i], "add")
        result[1, i] = ht.group_reduce(group, x[i], min)
        result[2, i] = ht.group_reduce(group, x[i], "max")
        result[3, i] = ht.group_inclusive_scan(group, x[i], operator.add)
        result[4, i] = ht.group_exclusive_scan(group, x[i], "add")
        result[5, i] = ht.group_inclusive_scan(group, x[i], "max")
        result[6, i] = ht.group_broadcast(group, x[i], local - 1)

    n = GROUPS * local
    x = values(dtype, n)
    result = ht.zeros((7, n), dtype=dtype, queue=queue)
    combined[ht.NdRange(n, local)](ht.asarray(x, queue=queue), result)
    r = rows(x, local)
    ones = np.ones_like(r)
    sums = r.cumsum(1, dtype=dtype)
    expected = [r.sum(1, keepdims=True, dtype=dtype) * ones, r.min(1, keepdims=True) * ones,
                r.max(1, keepdims=True) * ones, sums, sums - r,
                np.maximum.accumulate(r, axis=1), r[:, -1:] * ones]  # fmt: skip
    for got, want in zip(ht.asnumpy(result), expected, strict=True):
        assert np.array_equal(got, want.ravel())


@pytest.mark.parametrize("dtype", [d for d in DTYPES if "int" in d])
def test_bitwise_reductions_and_products(queue, dtype):
    local = 8

    @ht.kernel
    def combined(item: ht.NdItem, x, result):
        i, group = item.get_global_id(0), item.get_group()
        result[0, i] = ht.group_reduce(group, x[i], "and")
        result[1, i] = ht.group_reduce(group, x[i], "or")
        result[2, i] = ht.group_reduce(group, x[i], "xor")
        result[3, i] = ht.group_reduce(group, x[i], "mul")

    x = values(dtype, 16)
    result = ht.zeros((4, 16), dtype=dtype, queue=queue)
    combined[ht.NdRange(16, local)](ht.asarray(x, queue=queue), result)
    r = rows(x, local)
    for got, ufunc in zip(
        ht.asnumpy(result),
        (np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.multiply),
        strict=True,
    ):
        want = ufunc.reduce(r, axis=1, dtype=dtype, keepdims=True)
        assert np.array_equal(rows(got, local), want * np.ones_like(r))


def test_votes(queue):
    @ht.kernel
    def votes(item: ht.NdItem, x, result):
        i, group = item.get_global_id(0), item.get_group()
        result[0, i] = ht.group_any_of(group, x[i] > 0)
        result[1, i] = ht.group_all_of(group, x[i] > 0)
        result[2, i] = ht.group_none_of(group, x[i] > 0)

    x = np.array([0, 0, 0, 1, 1, 1, 0, 1, 0], float)
    result = ht.zeros((3, 9), dtype=ht.uint8, queue=queue)
    votes[ht.NdRange(9, 3)](ht.asarray(x, queue=queue), result)
    assert ht.asnumpy(result)[:, ::3].tolist() == [[0, 1, 1], [0, 1, 0], [1, 0, 0]]


@pytest.mark.parametrize("local", [8, 24, 64])
def test_sub_groups(queue, local):
    """Sub-groups of any size divide the group into runs of linear ids."""

    @ht.kernel
    def described(result, sums):
        i, sub_group = ht.get_global_id(0), ht.get_sub_group()
        lane, size = ht.get_sub_group_local_id(), ht.get_sub_group_size()
        result[i, 0] = lane
        result[i, 1] = size
        result[i, 2] = ht.get_sub_group_id()
        result[i, 3] = ht.get_num_sub_groups()
        result[i, 4] = ht.shuffle_xor(sub_group, i, 1)
        result[i, 5] = ht.shuffle(sub_group, i, size - 1 - lane)
        result[i, 6] = ht.shuffle_up(sub_group, i, 1)
        result[i, 7] = ht.shuffle_down(sub_group, i, 1)
        result[i, 8] = ht.group_broadcast(sub_group, i, 0)
        sums[i] = ht.group_inclusive_scan(sub_group, 1.0, "add")

    n = 2 * local
    result = ht.zeros((n, 9), dtype=ht.int64, queue=queue)
    sums = ht.zeros(n, queue=queue)
    described[ht.NdRange(n, local)](result, sums)
    got = ht.asnumpy(result)
    lane, size, number, count = got[:, :4].T
    i = np.arange(n)
    assert np.array_equal(i % local, number * size.max() + lane)
    assert (lane < size).all() and (number < count).all()
    assert np.array_equal(ht.asnumpy(sums), lane + 1)
    start = i - lane
    assert np.array_equal(got[:, 8], start)
    assert np.array_equal(got[:, 5], start + size - 1 - lane)
    assert np.array_equal(got[lane > 0, 6], i[lane > 0] - 1)
    inner = lane < size - 1
    assert np.array_equal(got[inner, 7], i[inner] + 1)
    paired = (lane ^ 1) < size
    assert np.array_equal(got[paired, 4], start[paired] + (lane[paired] ^ 1))


@pytest.mark.parametrize("local", LOCALS)
def test_a_barrier_in_a_loop_orders_local_memory(queue, local):
    """Every item passes its number around a ring."""

    @ht.kernel
    def ring(result):
        slots = ht.local.array(local, ht.int64)
        k = ht.get_local_id(0)
        slots[k] = ht.get_global_id(0)
        for _ in range(local):
            ht.barrier()
            taken = slots[(k + 1) % local]
            ht.barrier(ht.MemFence.LOCAL)
            slots[k] = taken
        result[ht.get_global_id(0)] = slots[k]

    result = ht.zeros(2 * local, dtype=ht.int64, queue=queue)
    ring[ht.NdRange(2 * local, local)](result)
    assert np.array_equal(ht.asnumpy(result), np.arange(2 * local))


@pytest.mark.parametrize("shape", [(4, 6), (8, 2)])
def test_groups_of_two_dimensions_and_a_uniform_branch(queue, shape):
    @ht.kernel
    def turned(flag, x):
        tile = ht.local.array(shape, ht.float64)
        i, j = ht.get_local_id(0), ht.get_local_id(1)
        tile[i, j] = x[ht.get_global_id(0), ht.get_global_id(1)]
        if flag > 0:
            ht.barrier()
            x[ht.get_global_id(0), ht.get_global_id(1)] = tile[shape[0] - 1 - i, shape[1] - 1 - j]

    host = np.random.default_rng(2).random((2 * shape[0], 3 * shape[1]))
    for flag in (0, 1):
        x = ht.asarray(host, queue=queue)
        turned[host.shape, shape](flag, x)
        blocks = host.reshape(2, shape[0], 3, shape[1])
        expected = blocks[:, ::-1, :, ::-1].reshape(host.shape) if flag else host
        assert np.array_equal(ht.asnumpy(x), expected)


def test_local_memory_belongs_to_one_group(queue):
    @ht.kernel
    def counted(result):
        mine = ht.local.array(1, ht.int32)
        if ht.get_local_id(0) == 0:
            mine[0] = 0
        ht.barrier()
        ht.atomic.add(mine, 0, 1)
        ht.barrier()
        result[ht.get_global_id(0)] = mine[0]

    result = ht.zeros(600, dtype=ht.int32, queue=queue)
    counted[ht.NdRange(600, 6)](result)
    assert (ht.asnumpy(result) == 6).all()


def test_accessors_of_several_shapes_and_types(queue):
    @ht.kernel
    def sized(result, a, b):
        k = ht.get_local_id(0)
        a[k, 0] = k
        a[k, 1] = a.shape[0]
        b[k] = k * 2
        ht.barrier()
        last = ht.get_local_size(0) - 1 - k
        result[ht.get_global_id(0)] = a[last, 0] * 1000 + a[last, 1] * 10 + b[last]

    for local in (2, 8):
        result = ht.zeros(2 * local, queue=queue)
        a = ht.LocalAccessor((local, 2), ht.float32)
        sized[ht.NdRange(2 * local, local)](result, a, ht.LocalAccessor(local, ht.int64))
        last = local - 1 - np.arange(2 * local) % local
        assert np.array_equal(ht.asnumpy(result), last * 1000 + local * 10 + last * 2)


def test_records_in_local_memory(queue):
    record = np.dtype([("key", "i4"), ("value", "f8")], align=True)

    @ht.kernel
    def swapped(result):
        pairs = ht.local.array(4, record)
        k = ht.get_local_id(0)
        pairs[k].key = k
        pairs[k].value = k * 0.5
        ht.barrier()
        result[ht.get_global_id(0)] = pairs[3 - k].key * 10 + pairs[3 - k].value

    result = ht.zeros(8, queue=queue)
    swapped[ht.NdRange(8, 4)](result)
    assert ht.asnumpy(result).tolist() == [31.5, 21, 10.5, 0] * 2


def line_of(kernel, text):
    lines, first = inspect.getsourcelines(kernel.py_func)
    return first + next(n for n, line in enumerate(lines) if text in line)


def test_errors_in_group_kernels_name_line_and_item(device):
    queue = ht.Queue(device)

    @ht.kernel(debug=True)
    def beyond(x):
        tile = ht.local.array(8, ht.float64)
        k = ht.get_local_id(0)
        tile[k] = k
        ht.barrier()
        x[ht.get_global_id(0)] = tile[k + 1]

    @ht.kernel
    def raising(x):
        scratch = ht.local.array(8, ht.float64)
        k = ht.get_local_id(0)
        scratch[k] = x[ht.get_global_id(0)]
        ht.barrier()
        if scratch[7 - k] > 14:
            raise ValueError("too large")
        x[ht.get_global_id(0)] = scratch[7 - k]

    for kernel, item, text in ((beyond, 7, "out of bounds"), (raising, 8, "too large")):
        x = ht.arange(16, dtype=ht.float64, queue=queue)
        event = ht.launch(kernel, ht.NdRange(16, 8), x)
        with pytest.raises(ht.KernelError) as caught:
            event.wait()
        assert text in str(caught.value)
        where = "tile[k + 1]" if kernel is beyond else "raise ValueError"
        assert f"{inspect.getsourcefile(kernel.py_func)}:{line_of(kernel, where)}" in str(
            caught.value
        )
        assert f"({item})" in str(caught.value) or "(15)" in str(caught.value)
    with pytest.raises(ht.KernelError):
        queue.wait()


def test_private_arrays_of_odd_sizes_are_aligned(queue):
    """LLVM zeroes 24 bytes with stores that need an address divisible by 16."""

    @ht.kernel
    def divided(x, result):
        own = ht.private.array(3, ht.float64)
        shared = ht.local.array(8, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        shared[k] = x[i]
        own[i % 3] = x[i]
        result[i] = own[-3] + shared[k]

    x = np.arange(24.0)
    result = ht.zeros(24, queue=queue)
    divided[ht.NdRange(24, 8)](ht.asarray(x, queue=queue), result)
    assert np.array_equal(ht.asnumpy(result), x + np.where(np.arange(24) % 3 == 0, x, 0))


@pytest.mark.parametrize("compared", ["more", "less"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_comparisons_with_negated_values_differ_between_items_after_a_barrier(
    queue, compared, dtype
):
    @ht.kernel
    def compare(x, y):
        i = ht.get_global_id(0)
        answer = x[0] > -x[i] if more else -x[i] <= x[0]
        ht.barrier()
        y[i] = answer

    more = compared == "more"
    values = np.random.default_rng(3).normal(size=40).astype(dtype)
    values[1:4] = np.nan, -0.0, -values[0]
    x, y = ht.asarray(values, queue=queue), ht.zeros(40, dtype="bool", queue=queue)
    compare[ht.NdRange(40, 8)](x, y)
    expected = values[0] > -values if more else -values <= values[0]
    np.testing.assert_array_equal(ht.asnumpy(y), expected)
