"""Shapes larger than any memory, strides that reach outside it, and integer overflow."""

from __future__ import annotations

import re

import numpy as np
import pytest

import hither as ht


def one(dtype=ht.float64):
    return ht.ones(1, dtype=dtype)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ht.arange(2**61),
        lambda: ht.empty((2**40, 2**40)),
        lambda: ht.empty((0, 2**32, 2**32)),
        lambda: ht.broadcast_to(one(ht.complex128), (2**60,)),
        lambda: ht.broadcast_to(one(), (2**32, 2**32)),
        lambda: ht.reshape(ht.empty((0,)), (2**32, 2**32)),
        lambda: ht.reshape(ht.ones(4), (2**62, 2**62, -1)),
        lambda: ht.repeat(ht.ones(4), 2**62),
        lambda: ht.tile(ht.ones(4), 2**62),
        lambda: ht.concat([ht.broadcast_to(one(), (2**58,))] * 3),
        lambda: ht.concat([ht.broadcast_to(one(), (2**58,))] * 33),
        lambda: ht.LocalAccessor((2**32, 2**32), ht.float64),
    ],
)
def test_shapes_of_too_many_elements(call):
    with pytest.raises(ValueError, match=r"more elements|more than 2"):
        call()


def test_a_value_larger_than_the_memory_fails_where_it_is_read():
    x = ht.arange(2**55)
    with pytest.raises(MemoryError):
        ht.synchronize(x)
    y = ht.broadcast_to(one(ht.complex128), (2**58,)) + 1
    with pytest.raises(MemoryError):
        ht.synchronize(y)


@pytest.mark.usefixtures("cpu_by_default")
@pytest.mark.parametrize("bring", [lambda a: ht.asarray(a, copy=False), ht.from_dlpack])
@pytest.mark.parametrize("stride", [2**62, -(2**62)])
def test_strides_that_reach_beyond_64_bits(bring, stride):
    strange = np.lib.stride_tricks.as_strided(np.zeros(4), (3,), (stride,))
    with pytest.raises((ValueError, BufferError), match="beyond 64 bits"):
        bring(strange)


def test_a_step_that_reaches_one_element():
    x = ht.arange(4)
    assert ht.asnumpy(x[:: 2**62]).tolist() == [0]
    assert ht.asnumpy(x[:: -(2**62)]).tolist() == [3]


@pytest.mark.parametrize(
    "number", [float("nan"), float("inf"), -float("inf"), 1e30, -(2.0**63) * 2]
)
@pytest.mark.parametrize(
    "key", [..., slice(1, 3), lambda: ht.asarray([0, 2]), lambda: ht.asarray([True, False, True])]
)
def test_floats_that_no_integer_holds(number, key):
    x = ht.arange(3)
    with pytest.raises(OverflowError, match=re.escape(f"the number {number!r} does not fit int64")):
        x[key() if callable(key) else key] = number
    assert ht.asnumpy(x).tolist() == [0, 1, 2]


def test_floats_that_an_integer_holds_are_truncated():
    x = ht.zeros(3, dtype=ht.uint64)
    x[0] = 1.5 * 2.0**63
    x[1:] = 2.75
    x[ht.asarray([2])] = -0.5
    assert ht.asnumpy(x).tolist() == [3 * 2**62, 2, 0]
    small = ht.zeros(1, dtype=ht.uint8)
    with pytest.raises(OverflowError, match=re.escape("the number 300.5 does not fit uint8")):
        small[0] = 300.5
