"""Ranges, and the work-item functions by name and of the item parameter."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht


@ht.kernel
def by_name(result):
    i = ht.get_global_linear_id()
    result[i, 0] = ht.get_global_id(0)
    result[i, 1] = ht.get_global_id(1)
    result[i, 2] = ht.get_local_id(0)
    result[i, 3] = ht.get_local_id(1)
    result[i, 4] = ht.get_group_id(0)
    result[i, 5] = ht.get_group_id(1)
    result[i, 6] = ht.get_local_linear_id()
    result[i, 7] = ht.get_group_linear_id()
    result[i, 8] = ht.get_global_size(1)
    result[i, 9] = ht.get_local_size(1)
    result[i, 10] = ht.get_num_groups(1)


@ht.kernel
def by_item(item: ht.NdItem, result):
    i = item.get_global_linear_id()
    group = item.get_group()
    result[i, 0] = item.get_global_id(0)
    result[i, 1] = item.get_global_id(1)
    result[i, 2] = item.get_local_id(0)
    result[i, 3] = item.get_local_id(1)
    result[i, 4] = group.get_group_id(0)
    result[i, 5] = group.get_group_id(1)
    result[i, 6] = item.get_local_linear_id()
    result[i, 7] = group.get_group_linear_id()
    result[i, 8] = item.get_global_range(1)
    result[i, 9] = group.get_local_range(1)
    result[i, 10] = item.get_group_range(1)


def expected(shape, local):
    """One row an item, in row-major order."""
    rows = []
    groups = [n // m for n, m in zip(shape, local, strict=True)]
    for i, j in np.ndindex(*shape):
        li, lj, gi, gj = i % local[0], j % local[1], i // local[0], j // local[1]
        linear = (li * local[1] + lj, gi * groups[1] + gj)
        rows.append([i, j, li, lj, gi, gj, *linear, shape[1], local[1], groups[1]])
    return np.array(rows)


@pytest.mark.parametrize("kernel", [by_name, by_item], ids=["name", "item"])
@pytest.mark.parametrize(("shape", "local"), [((6, 8), (3, 4)), ((5, 7), (1, 7)), ((4, 4), (4, 4))])
def test_ids_and_sizes(queue, kernel, shape, local):
    result = ht.empty((shape[0] * shape[1], 11), dtype=ht.int64, queue=queue)
    kernel[ht.NdRange(shape, local)](result)
    assert np.array_equal(ht.asnumpy(result), expected(shape, local))


def test_a_pair_of_tuples_is_an_nd_range(queue):
    result = ht.empty((48, 11), dtype=ht.int64, queue=queue)
    by_name[(6, 8), (3, 4)](result)
    assert np.array_equal(ht.asnumpy(result), expected((6, 8), (3, 4)))


def test_an_item_without_annotation_is_known_by_its_methods(queue):
    @ht.kernel
    def numbered(item, x):
        x[item.get_id(0), item.get_id(1)] = item.get_linear_id() + 100 * item.get_range(1)

    x = ht.zeros((3, 4), queue=queue)
    numbered(x)
    assert np.array_equal(ht.asnumpy(x), np.arange(12.0).reshape(3, 4) + 400)


def test_an_array_that_comes_first_is_no_item(queue):
    @ht.kernel
    def filled(x, value):
        x[ht.get_global_id(0)] = value + x.shape[0]

    x = ht.zeros(3, queue=queue)
    filled(x, 1)
    assert ht.asnumpy(x).tolist() == [4, 4, 4]


def test_a_group_may_be_the_parameter(queue):
    @ht.kernel
    def groups(group: ht.Group, x):
        i = group.get_group_id(0) * group.get_local_range(0) + group.get_local_id(0)
        x[i] = group.get_group_linear_id() + (0.5 if group.leader() else 0)

    x = ht.zeros(6, queue=queue)
    groups[ht.NdRange(6, 2)](x)
    assert ht.asnumpy(x).tolist() == [0.5, 0, 1.5, 1, 2.5, 2]

    @ht.kernel
    def added(group: ht.Group, x):
        i = group.get_group_id(0) * group.get_local_range(0) + group.get_local_id(0)
        x[i] += 10 * group.get_group_linear_id()

    added[ht.NdRange(6, 2)](x)
    assert ht.asnumpy(x).tolist() == [0.5, 0, 11.5, 11, 22.5, 22]


def test_items_pass_to_device_functions(queue):
    @ht.device_func
    def place(item):
        return item.get_id(0)

    @ht.kernel
    def placed(item: ht.Item, x):
        x[place(item)] = place(item)

    x = ht.zeros(4, queue=queue)
    placed(x)
    assert ht.asnumpy(x).tolist() == [0, 1, 2, 3]


def test_three_dimensions(queue):
    @ht.kernel
    def cubes(x):
        i, j, k = ht.get_global_id(0), ht.get_global_id(1), ht.get_global_id(2)
        x[i, j, k] = ht.get_local_linear_id() * 100 + ht.get_group_linear_id()

    x = ht.zeros((4, 2, 6), queue=queue)
    cubes[ht.NdRange((4, 2, 6), (2, 2, 3))](x)
    i, j, k = np.indices((4, 2, 6))
    local = ((i % 2) * 2 + j % 2) * 3 + k % 3
    group = (i // 2) * 2 + k // 3
    assert np.array_equal(ht.asnumpy(x), local * 100 + group)


@pytest.mark.parametrize(
    ("whole", "local", "numbers"),
    [
        (10, 4, ["4", "10", "does not divide"]),
        ((8, 9), (2, 2), ["2", "9", "dimension 1"]),
        (1 << 24, 1 << 24, [str(1 << 24), "max_work_group_size"]),
    ],
)
def test_local_sizes_that_do_not_fit_are_refused_with_numbers(queue, whole, local, numbers):
    result = ht.zeros((1, 11), dtype=ht.int64, queue=queue)
    with pytest.raises(ht.InvalidValueError) as caught:
        by_name[ht.NdRange(whole, local)](result)
    assert all(number in str(caught.value) for number in numbers)
    assert not ht.asnumpy(result).any()


def test_work_item_functions_say_where_they_work():
    with pytest.raises(TypeError, match="inside a function decorated"):
        ht.get_local_id(0)
    with pytest.raises(TypeError, match="inside a function decorated"):
        ht.barrier()


def test_launches_appear_in_the_history(queue):
    x = ht.zeros((48, 11), dtype=ht.int64, queue=queue)
    ht.clear_kernel_history()
    by_name[(6, 8)](x)
    by_name[(6, 8)](x)
    first, second = ht.kernel_history()[-2:]
    assert first.name == second.name == "by_name"
    assert second.source == "memory"
    assert second.items == 48
    assert second.bytes == 48 * 11 * 8
    assert second.device == queue.device.filter_string


def test_sizes_are_written_as_lists_names_and_ranges(queue):
    @ht.kernel
    def k(item: ht.NdItem, result, shared):
        place = item.get_local_id(0), item.get_local_id(1)
        shared[place] = item.get_global_linear_id()
        result[item.get_global_linear_id()] = shared[place]

    sizes = ht.NdRange(global_size=[4, 6], local_size=[2, 3])
    result = ht.zeros(24, queue=queue)
    k[sizes](result, ht.LocalAccessor(sizes.local_range, ht.float64))
    assert np.array_equal(ht.asnumpy(result), np.arange(24.0))


def test_methods_correct_an_annotation(queue):
    @ht.kernel
    def k(item: ht.Item, result):
        result[item.get_global_id(0)] = item.get_local_range(0)

    result = ht.zeros(8, queue=queue)
    k[ht.NdRange(8, 4)](result)
    assert ht.asnumpy(result).tolist() == [4] * 8


INNER, OUTER = np.int64(1), np.uint8(0)


@ht.kernel
def by_numpys_integers(x, y):
    x[ht.get_global_id(INNER - 1), ht.get_global_id(dim=INNER)] = ht.get_global_size(OUTER)


@ht.kernel
def by_numpys_integers_of_an_item(item, x, y):
    group = item.get_group()
    x[item.get_global_id(OUTER), item.get_global_id(INNER)] = item.get_global_range(OUTER)
    y[group.get_group_id(OUTER), group.get_local_id(INNER)] = item.get_local_range(INNER)


@pytest.mark.parametrize("kernel", [by_numpys_integers, by_numpys_integers_of_an_item])
def test_dimensions_may_be_numpys_integers_that_a_kernel_names(queue, kernel):
    x, y = ht.zeros((4, 3), queue=queue), ht.zeros((2, 3), queue=queue)
    kernel[ht.NdRange((4, 3), (2, 3))](x, y)
    assert (ht.asnumpy(x) == 4).all()
    assert (ht.asnumpy(y) == (3 if kernel is by_numpys_integers_of_an_item else 0)).all()
