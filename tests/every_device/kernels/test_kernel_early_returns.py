"""Items that return early still take part in later barriers and group functions."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

LOCALS = [1, 5, 8, 33]


@pytest.fixture(params=[False, True], ids=["plain", "debug"])
def kernel(request):
    return lambda f: ht.kernel(f, debug=request.param)


def run(kernel, queue, x, local, n, shape=None):
    """The array after `kernel(x, n, result)` on a result of -1, by groups."""
    result = ht.full(x.shape if shape is None else shape, -1, dtype="float64", queue=queue)
    kernel[ht.NdRange(len(x), local)](ht.asarray(x, queue=queue), n, result)
    return ht.asnumpy(result)


def numbers(local, groups=4):
    return np.random.default_rng(3).integers(1, 9, groups * local).astype(np.float64)


def ends(local):
    return [0, 1, local, 2 * local + local // 2, 4 * local - 1, 4 * local]


@pytest.mark.parametrize("local", LOCALS)
def test_return_before_a_barrier(queue, kernel, local):
    @kernel
    def turned(x, n, result):
        tile = ht.local.array(33, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        tile[k] = 0
        ht.barrier()
        if i >= n:
            return
        tile[k] = x[i]
        ht.barrier()
        result[i] = tile[local - 1 - k]

    x = numbers(local)
    for n in ends(local):
        known = np.where(np.arange(len(x)) < n, x, 0).reshape(-1, local)[:, ::-1].ravel()
        expected = np.where(np.arange(len(x)) < n, known, -1)
        assert np.array_equal(run(turned, queue, x, local, n), expected)


@pytest.mark.parametrize("local", LOCALS)
def test_return_in_nested_branches_with_effects(queue, kernel, local):
    @kernel
    def nested(x, n, result):
        tile = ht.local.array(33, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        tile[k] = x[i]
        ht.barrier()
        if k % 2 == 0:
            tile[k] += 1
            if i >= n:
                result[i] = 100 + i
                return
        ht.barrier()
        if x[i] > 6:
            return
        ht.barrier()
        total = 0.0
        for j in range(local):
            total += tile[j]
        result[i] = total

    x = numbers(local)
    i = np.arange(len(x))
    k = i % local
    sums = (x + (k % 2 == 0)).reshape(-1, local).sum(1).repeat(local)
    for n in ends(local):
        expected = np.where((k % 2 == 0) & (i >= n), 100 + i, np.where(x > 6, -1, sums))
        assert np.array_equal(run(nested, queue, x, local, n), expected)


@pytest.mark.parametrize("local", LOCALS)
def test_return_inside_a_loop_with_barriers(queue, kernel, local):
    @kernel
    def looped(x, n, result):
        tile = ht.local.array(33, ht.float64)
        own = ht.private.array(2, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        own[1] = x[i]
        tile[k] = 0
        for iteration in range(n):
            ht.barrier()
            if own[1] < iteration:
                return
            tile[k] += 1
            ht.barrier()
            own[0] = 0
            for j in range(local):
                own[0] += tile[j]
            result[i] = own[0]

    x = numbers(local)
    for n in (0, 1, 5, 12):
        expected = np.full(len(x), -1.0)
        counts = np.zeros((len(x) // local, local))
        for iteration in range(n):
            stay = (x >= iteration).reshape(-1, local)
            counts += stay
            sums = counts.sum(1, keepdims=True) + np.zeros_like(counts)
            expected = np.where(stay.ravel(), sums.ravel(), expected)
        assert np.array_equal(run(looped, queue, x, local, n), expected)


@pytest.mark.parametrize("local", LOCALS)
def test_the_trip_count_may_be_read_from_memory_after_the_return(queue, kernel, local):
    @kernel
    def counted(x, n, result):
        tile = ht.local.array(33, ht.float64)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        if i >= n:
            return
        iterations = x[0]
        iteration = 0
        while iteration < iterations:
            tile[k] = iteration
            ht.barrier()
            iteration += 1
            result[i] = tile[k] + 1
        ht.barrier()
        if iterations > 2:
            ht.barrier()
            result[i] += 0.5

    x = numbers(local)
    for iterations in (0, 2, 3):
        x[0] = iterations
        for n in ends(local):
            value = -1 if iterations == 0 else iterations
            inside = np.arange(len(x)) < n
            expected = np.where(inside, value + 0.5 * (iterations > 2), -1)
            assert np.array_equal(run(counted, queue, x, local, n), expected)


@pytest.mark.parametrize("local", LOCALS)
def test_group_functions_leave_returned_items_out(queue, kernel, local):
    @kernel
    def combined(x, n, result):
        i, group = ht.get_global_id(0), ht.get_group()
        if i >= n:
            return
        result[0, i] = ht.group_reduce(group, x[i], "add")
        result[1, i] = ht.group_reduce(group, x[i], "min")
        result[2, i] = ht.group_reduce(group, x[i], "max")
        result[3, i] = ht.group_reduce(group, int(x[i]), "mul")
        result[4, i] = ht.group_inclusive_scan(group, x[i], "add")
        result[5, i] = ht.group_exclusive_scan(group, x[i], "add")
        result[6, i] = ht.group_any_of(group, x[i] > 8)
        result[7, i] = ht.group_all_of(group, x[i] < 9)
        result[8, i] = ht.group_broadcast(group, x[i], 0)

    x = np.minimum(numbers(local), 2)
    for n in ends(local):
        result = run(combined, queue, x, local, n, (9, len(x)))
        assert (result[:, n:] == -1).all()
        for first in range(0, n, local):
            row = x[first : min(first + local, n)]
            ones = np.ones(len(row))
            sums = row.cumsum()
            expected = [row.sum() * ones, row.min() * ones, row.max() * ones, row.prod() * ones,
                        sums, sums - row, 0 * ones, ones, row[0] * ones]  # fmt: skip
            assert np.array_equal(result[:, first : first + len(row)], np.array(expected))


@pytest.mark.parametrize("local", LOCALS)
def test_sub_group_functions_leave_returned_items_out(queue, kernel, local):
    @kernel
    def combined(x, n, result):
        i, lanes = ht.get_global_id(0), ht.get_sub_group()
        lane, number = ht.get_sub_group_local_id(), ht.get_sub_group_id()
        result[3, i] = number
        if i % 3 == 1:
            return
        result[0, i] = ht.group_reduce(lanes, x[i], "add")
        result[1, i] = ht.shuffle_xor(lanes, x[i], 1)
        result[2, i] = ht.group_any_of(lanes, x[i] > 7)
        result[4, i] = lane

    x = numbers(local)
    result = run(combined, queue, x, local, 0, (5, len(x)))
    i = np.arange(len(x))
    stay = i % 3 != 1
    assert (result[[0, 1, 2, 4]][:, ~stay] == -1).all()
    place = i // local * 1000 + result[3]
    for where in np.unique(place):
        mine = np.flatnonzero(place == where)
        for j in mine[stay[mine]]:
            partner = mine[0] + (int(result[4, j]) ^ 1)
            other = x[partner] if partner in mine and stay[partner] else x[j]
            rest = x[mine][stay[mine]]
            assert result[:3, j].tolist() == [rest.sum(), other, (rest > 7).any()]


def test_a_broadcast_from_a_returned_item_is_an_error(queue, kernel):
    @kernel
    def asked(x, n, result):
        i, group = ht.get_global_id(0), ht.get_group()
        if i >= n:
            return
        result[i] = ht.group_broadcast(group, x[i], 3)

    x = numbers(8)
    assert np.array_equal(run(asked, queue, x, 8, 16)[:16], x[3:16:8].repeat(8))
    with pytest.raises(ht.KernelError, match="broadcast from a work-item that has returned") as e:
        run(asked, queue, x, 8, 2)
    with pytest.raises(ht.KernelError):
        queue.wait()
    assert f":{asked.py_func.__code__.co_firstlineno + 5}" in str(e.value)


def test_items_of_two_dimensions_and_local_atomics(queue, kernel):
    @kernel
    def counted(n, m, result):
        count = ht.local.array(1, ht.int32)
        i, j = ht.get_global_id(0), ht.get_global_id(1)
        if ht.get_local_id(0) == 0 and ht.get_local_id(1) == 0:
            count[0] = 0
        ht.barrier()
        if i >= n or j >= m:
            return
        ht.atomic.add(count, 0, 1)
        ht.barrier()
        result[i, j] = count[0]

    result = ht.full((12, 15), -1, dtype="int32", queue=queue)
    counted[ht.NdRange((12, 15), (3, 5))](10, 11, result)
    expected = np.full((12, 15), -1)
    for i in range(10):
        for j in range(11):
            expected[i, j] = min(3, 10 - i // 3 * 3) * min(5, 11 - j // 5 * 5)
    assert np.array_equal(ht.asnumpy(result), expected)


def test_a_tiled_product_whose_edges_return(queue, kernel):
    @kernel
    def product(a, b, c, m, n, depth):
        left = ht.local.array((4, 4), ht.float64)
        right = ht.local.array((4, 4), ht.float64)
        row, column = ht.get_global_id(0), ht.get_global_id(1)
        r, q = ht.get_local_id(0), ht.get_local_id(1)
        left[r, q] = 0
        right[r, q] = 0
        if row >= m or column >= n:
            return
        total = 0.0
        for t in range(depth // 4):
            left[r, q] = a[row, 4 * t + q]
            right[r, q] = b[4 * t + r, column]
            ht.barrier()
            for k in range(4):
                total += left[r, k] * right[k, q]
            ht.barrier()
        c[row, column] = total

    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 5, (8, 12)) + 0.0, rng.integers(0, 5, (12, 12)) + 0.0
    c = ht.full((12, 12), -1, dtype="float64", queue=queue)
    product[ht.NdRange((12, 12), (4, 4))](
        ht.asarray(a, queue=queue), ht.asarray(b, queue=queue), c, 8, 12, 12
    )
    assert np.array_equal(ht.asnumpy(c)[:8], a @ b)
    assert (ht.asnumpy(c)[8:] == -1).all()


def test_what_remaining_items_may_miss_is_refused(queue, kernel):
    @kernel
    def in_a_branch(x, n, result):
        i = ht.get_global_id(0)
        if i >= n:
            return
        if x[i] > 3:
            ht.barrier()
        result[i] = 1

    @kernel
    def in_a_loop(x, n, result):
        i = ht.get_global_id(0)
        if i >= n:
            return
        for _ in range(x[i]):
            ht.barrier()
        result[i] = 1

    @kernel
    def left_by_break(x, n, result):
        i = ht.get_global_id(0)
        for _ in range(n):
            if x[i] > 3:
                break
            ht.barrier()
        result[i] = 1

    for refused, line in ((in_a_branch, 6), (in_a_loop, 6), (left_by_break, 6)):
        with pytest.raises(ht.CompileError, match="not reached by all work-items") as e:
            run(refused, queue, numbers(8).astype("int64"), 8, 3)
        assert f":{refused.py_func.__code__.co_firstlineno + line}, " in str(e.value)


def test_two_conditions_and_two_returns_with_private_arrays(queue, kernel):
    @kernel
    def counted(x, n, result):
        own = ht.private.array(3, ht.float64)
        i = ht.get_global_id(0)
        if own[i % 3] > 0 or x[i] > 5:
            return
        for iteration in range(2, -1, -1):
            own[iteration] += ht.group_reduce(ht.get_group(), x[i], "add")
            if i >= n:
                return
        result[i] = own[0] + own[1] + own[2]

    x = numbers(8)
    i = np.arange(len(x))
    first = np.where(x > 5, 0, x)
    later = np.where(i < 19, first, 0)
    sums = [v.reshape(-1, 8).sum(1).repeat(8) for v in (first, later, later)]
    expected = np.where((x <= 5) & (i < 19), sum(sums), -1)
    assert np.array_equal(run(counted, queue, x, 8, 19), expected)


def test_errors_after_a_return_stop_the_group(queue, kernel):
    @kernel
    def failing(x, n, result):
        i = ht.get_global_id(0)
        if i >= n:
            return
        ht.barrier()
        if x[i] == 0:
            raise ValueError("zero")
        ht.barrier()
        result[i] = 1

    x = numbers(8)
    x[9] = 0
    run(failing, queue, x, 8, 9)
    with pytest.raises(ValueError, match="zero"):
        run(failing, queue, x, 8, 12)
    with pytest.raises(ValueError, match="zero"):
        queue.wait()


@pytest.mark.parametrize("form", ["condition", "always"])
def test_a_flag_of_a_loop_that_items_leave_in_different_iterations(queue, form):
    @ht.kernel
    def count_remaining(x, lengths, y):
        i = ht.get_global_id(0)
        found = False
        for k in range(lengths[i]):
            if always or x[k] > 5:
                found = True
        if found:
            return
        y[i] = ht.group_reduce(ht.get_group(), 1, "add")

    always = form == "always"
    lengths = np.arange(64) % 9
    x, y = ht.arange(10, queue=queue), ht.zeros(64, dtype="int64", queue=queue)
    count_remaining[ht.NdRange(64, 16)](x, ht.asarray(lengths, queue=queue), y)
    remain = (lengths == 0) if always else (lengths <= 6)
    counts = np.repeat(remain.reshape(4, 16).sum(axis=1), 16)
    np.testing.assert_array_equal(ht.asnumpy(y), np.where(remain, counts, 0))
