"""Operators: dtypes, Python and NumPy scalars, in place, placement."""

from __future__ import annotations

import itertools
import operator

import numpy as np
import pytest

import hither as ht

ARITHMETIC = [operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv,
              operator.mod, operator.pow]  # fmt: skip
BITWISE = [operator.and_, operator.or_, operator.xor, operator.lshift, operator.rshift]
COMPARISONS = [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
IN_PLACE = [operator.iadd, operator.isub, operator.imul, operator.itruediv, operator.ifloordiv,
            operator.imod, operator.ipow]  # fmt: skip


def same(array, expected):
    got = ht.asnumpy(array)
    assert got.dtype == expected.dtype
    np.testing.assert_allclose(got, expected, rtol=1e-6)


@pytest.mark.parametrize("operation", [*ARITHMETIC, *COMPARISONS])
@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64"])
def test_binary_operators(operation, dtype):
    a = np.arange(1, 13).reshape(3, 4).astype(dtype)
    b = np.array([1, 2, 3, 2]).astype(dtype)
    same(operation(ht.asarray(a), ht.asarray(b)), operation(a, b))


@pytest.mark.parametrize("operation", BITWISE)
def test_bitwise_operators(operation):
    a, b = np.arange(12), np.arange(12)[::-1].copy()
    same(operation(ht.asarray(a), ht.asarray(b)), operation(a, b))
    same(operation(ht.asarray(a), 3), operation(a, 3))
    same(operation(3, ht.asarray(a)), operation(3, a))


@pytest.mark.parametrize("operation", [*ARITHMETIC, *COMPARISONS])
@pytest.mark.parametrize(
    "scalar", [2, 2.5, np.float32(2), np.int16(3), np.float64(1.5), np.uint8(2)]
)
@pytest.mark.parametrize("dtype", ["int8", "int64", "float32", "float64"])
def test_scalars_promote_as_in_numpy_on_both_sides(operation, scalar, dtype):
    a = np.arange(1, 9).astype(dtype)
    same(operation(ht.asarray(a), scalar), operation(a, scalar))
    same(operation(scalar, ht.asarray(a)), operation(scalar, a))


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "int32"])
def test_complex_scalars(dtype):
    a = np.arange(1, 5).astype(dtype)
    same(ht.asarray(a) * 2j, a * 2j)
    same(1j - ht.asarray(a), 1j - a)


def test_bool_with_python_scalars():
    b = np.array([True, False])
    same(ht.asarray(b) + 1, b + 1)
    same(ht.asarray(b) * 1.5, b * 1.5)
    same(ht.asarray(b) & True, b & True)


def test_unary_operators():
    a = np.array([-2, 0, 3])
    x = ht.asarray(a)
    for operation in (operator.neg, operator.pos, operator.abs, operator.invert):
        same(operation(x), operation(a))
    quotient, rest = divmod(x, 2)
    same(quotient, a // 2)
    same(rest, a % 2)


@pytest.mark.parametrize("operation", IN_PLACE)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_in_place_operators_keep_the_object_and_the_dtype(operation, dtype):
    a = np.arange(1, 9).astype(dtype)
    x = kept = ht.asarray(a)
    x = operation(x, 3.0)
    expected = operation(a, dtype and np.dtype(dtype).type(3))
    assert x is kept
    same(x, expected)


def test_in_place_operators_write_through_views():
    n = np.arange(12.0).reshape(3, 4)
    x = ht.asarray(n)
    x[1:] += 1
    n[1:] += 1
    same(x, n)
    view = x[:, ::-2]
    view *= 10
    n[:, ::-2] *= 10
    same(x, n)
    row = x[0]
    row -= row[::-1]
    n[0] -= n[0][::-1].copy()
    same(x, n)


def test_in_place_bitwise():
    x = ht.asarray([1, 2, 3])
    x &= 3
    x |= 8
    x ^= 1
    x <<= 2
    x >>= 1
    n = np.array([1, 2, 3])
    same(x, ((((n & 3) | 8) ^ 1) << 2) >> 1)


def test_what_was_computed_before_a_write_keeps_its_value():
    x = ht.asarray(np.arange(5.0))
    y = x + 1  # not computed yet, perhaps
    view = x[2:]
    x += 100
    same(y, np.arange(5.0) + 1)
    same(view, np.arange(2.0, 5) + 100)


def test_in_place_on_an_alias_of_the_same_array():
    x = ht.ones(4)
    x += x
    x[1:] += x[:-1]
    same(x, np.array([2.0, 4.0, 4.0, 4.0]))


def test_comparison_with_what_is_no_array_falls_back():
    x = ht.ones(3)
    assert (x == None) is False  # noqa: E711
    assert (x != "a") is True


@pytest.mark.parametrize("operation", [*ARITHMETIC, *COMPARISONS])
@pytest.mark.parametrize("values", [[2, 3, 1], (1.5, 2, 3), [[1], [2]], [[True, False, True]], [2]])
@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_lists_and_tuples_are_operands(operation, values, dtype):
    a = np.arange(1, 7).reshape(2, 3).astype(dtype)
    with np.errstate(all="ignore"):
        if 0 not in np.asarray(values) or dtype != "int32":
            same(operation(ht.asarray(a)[:, ::-1], values), operation(a[:, ::-1], values))
        same(operation(values, ht.asarray(a)), operation(np.asarray(values), a))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_quotients_of_infinities_are_the_standards(device, dtype):
    inf, nan = np.inf, np.nan
    a = np.array([inf, inf, -inf, -inf, 3, 3, -3, -3, 0, -0.0, inf, inf, nan, inf, -inf], dtype)
    b = np.array([2, -2, 2, -2, inf, -inf, inf, -inf, inf, inf, inf, -inf, inf, nan, 0], dtype)
    with np.errstate(all="ignore"):
        right, rest = a / b, a % b
    x = ht.asarray(a, device=device)
    got = ht.asnumpy(x // ht.asarray(b, device=device))
    np.testing.assert_array_equal(got, right)
    np.testing.assert_array_equal(
        np.signbit(got[~np.isnan(right)]), np.signbit(right[~np.isnan(right)])
    )
    np.testing.assert_array_equal(ht.asnumpy(x % ht.asarray(b, device=device)), rest)
    x //= ht.asarray(b, device=device)
    np.testing.assert_array_equal(ht.asnumpy(x), right)


def test_lists_beside_arrays_of_other_sizes():
    same(ht.ones(0) + [], np.ones(0) + [])  # noqa: RUF005
    same(ht.asarray(3.5) * [1, 2], np.asarray(3.5) * [1, 2])
    same([[1, 2], [3, 4]] @ ht.asarray([1, 2]), np.asarray([5, 11]))
    same(ht.asarray([1, 2]) @ [[1, 2], [3, 4]], np.asarray([7, 10]))
    same(ht.asarray([1, 2]) + [ht.asarray(1), ht.asarray(5)], np.asarray([2, 7]))  # noqa: RUF005
    same(range(2, 4) * ht.asarray([1, 2]), np.asarray([2, 6]))
    same(ht.asarray([1.5, 2]) < range(2), np.asarray([False, False]))
    same(ht.asarray([1, 2]) @ [range(2), range(2, 4)], np.asarray([4, 7]))
    same(ht.ones(0) + range(0), np.ones(0))
    with pytest.raises(ValueError, match="broadcast"):
        operator.add(ht.ones(3), [1, 2])
    with pytest.raises((TypeError, ValueError), match=r"number|dtype|str"):
        operator.add(ht.ones(1), ["a"])


def test_lists_are_operands_in_place():
    x = ht.ones((2, 3))
    view = x[:, 1:]
    view += (1, 2)
    view *= [3, 4]
    same(x, np.array([[1.0, 6, 12], [1, 6, 12]]))
    with pytest.raises(TypeError, match="stored in place"):
        operator.iadd(ht.arange(2), [0.5, 1])


def test_lists_of_numpy_arrays_are_refused_as_operands():
    with pytest.raises(ht.PlacementError, match=r"list operand holds a numpy\.ndarray"):
        operator.add(ht.ones((1, 2)), [np.ones(2)])


def test_arrays_are_not_hashable():
    with pytest.raises(TypeError, match="unhashable"):
        hash(ht.ones(3))


def test_numpy_scalars_on_the_left_reach_us():
    for scalar in (np.float64(2), np.float32(2), np.int8(2), np.complex64(2), np.bool_(True)):
        result = scalar * ht.ones(3, dtype=ht.float32)
        assert isinstance(result, ht.Array)
        assert result.dtype == (scalar * np.ones(3, np.float32)).dtype


def test_huge_python_integers_meet_floats():
    same(ht.ones(2) * 2**70, np.ones(2) * float(2**70))
    same(ht.asarray(np.array([2**63], np.uint64)) + (2**63 - 1), np.array([2**64 - 1], np.uint64))


def test_functions_take_queue(queue):
    x = ht.arange(4, dtype=ht.float32, queue=queue)
    y = ht.add(x, 1, queue=queue)
    assert y.queue == queue
    same(y, np.arange(4, dtype=np.float32) + 1)


def test_functions_on_numpy_arrays_in_a_context_return_usm_arrays(queue):
    n = np.linspace(0, 1, 5)
    with ht.device_context(queue):
        y = ht.sin(n)
        z = ht.add(n, 1)
    assert y.queue == queue and isinstance(y, ht.Array)
    same(y, np.sin(n))
    same(z, n + 1)
    same(ht.sin(n, queue=queue), np.sin(n))


def test_arrays_of_equivalent_queues_mix():
    p, q = ht.Queue("cpu"), ht.Queue("cpu")
    x = ht.ones(3, queue=p)
    y = ht.ones(3, queue=q)
    assert (x + y).queue == p
    assert (y + x).queue == q
    same(x + y, np.full(3, 2.0))


@pytest.mark.parametrize("left", ["device", "shared", "host"])
@pytest.mark.parametrize("right", ["device", "shared", "host"])
def test_results_take_the_strongest_usm_type(left, right):
    order = ["device", "shared", "host"]
    x = ht.ones(3, usm_type=left) + ht.ones(3, usm_type=right)
    assert x.usm_type == min(left, right, key=order.index)


@pytest.mark.parametrize("dtype", ["int8", "int64", "uint64", "float64", "complex128"])
def test_comparisons_with_ints_beyond_64_bits(queue, dtype):
    elements = np.array([0, 1, 100], dtype)
    x = ht.asarray(elements, queue=queue)
    names = ["eq", "ne"] if dtype[0] == "c" else ["eq", "ne", "lt", "le", "gt", "ge"]
    for compare, number in itertools.product(
        (getattr(operator, name) for name in names), (10**20, -(10**30), 2**64)
    ):
        np.testing.assert_array_equal(ht.asnumpy(compare(x, number)), compare(elements, number))
        np.testing.assert_array_equal(ht.asnumpy(compare(number, x)), compare(number, elements))


def test_the_largest_uint64_is_less_than_the_next_int(queue):
    x = ht.asarray(np.array([2**64 - 1], "uint64"), queue=queue)
    assert bool(x < 2**64) and not bool(x == 2**64) and bool(ht.less(x, 2**64))
    assert bool(x >= -(2**63) - 1) and bool(x[:1] > -(10**400))
