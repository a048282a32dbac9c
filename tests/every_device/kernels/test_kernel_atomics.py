"""Atomic operations on elements of every width, their orders and scopes, and fences."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import hither as ht

INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
FLOATS = ["float32", "float64"]
ITEMS = 1000


@ht.kernel
def arithmetic(x):
    i = ht.get_global_id(0)
    ht.atomic.add(x, 0, 1)
    ht.atomic.sub(x, 1, 1)
    ht.atomic.min(x, 2, i % 100 + 3)
    ht.atomic.max(x, 3, i % 100)
    ht.atomic.store(x, 4, 7)
    ht.atomic.exch(x, 5, ht.atomic.load(x, 6))
    ht.atomic.cas(x, 7, 0, 9)


@ht.kernel
def bitwise(x):
    i = ht.get_global_id(0)
    ht.atomic.and_(x, 0, 0x7E)
    ht.atomic.or_(x, 1, 1 << (i % 5))
    ht.atomic.xor(x, 2, 3)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS)
def test_arithmetic(queue, dtype):
    x = ht.asarray(np.array([0, 100, 120, 0, 0, 0, 11, 0], dtype), queue=queue)
    with np.errstate(all="ignore"):
        arithmetic[ITEMS](x)
    got = ht.asnumpy(x)
    added = np.array(ITEMS).astype(dtype), np.array(100 - ITEMS).astype(dtype)
    assert got.tolist() == [added[0], added[1], 3, 99, 7, 11, 11, 9]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_bitwise(queue, dtype):
    x = ht.asarray(np.array([127, 0, 5], dtype), queue=queue)
    bitwise[ITEMS](x)
    assert ht.asnumpy(x).tolist() == [126, 31, 5]


@pytest.mark.parametrize("operation", ["and_", "or_", "xor"])
def test_floats_have_no_bitwise_operations(queue, operation):
    function = getattr(ht.atomic, operation)

    @ht.kernel
    def refused(x):
        function(x, 0, 1.0)

    with pytest.raises(ht.CompileError, match="works on integers"):
        refused[1](ht.zeros(1, queue=queue))


def test_old_values_number_the_items(queue):
    @ht.kernel
    def numbers(counter, seen):
        seen[ht.atomic.add(counter, 0, 1)] = 1

    counter, seen = ht.zeros(1, dtype=ht.int32, queue=queue), ht.zeros(ITEMS, queue=queue)
    numbers[ITEMS](counter, seen)
    assert ht.asnumpy(seen).all()


@pytest.mark.parametrize("order", list(ht.MemoryOrder))
def test_references_of_every_order(queue, order):
    @ht.kernel
    def counts(x, y):
        ref = ht.AtomicRef(x, 0, memory_order=order, memory_scope=ht.MemoryScope.SYSTEM)
        ref.fetch_add(2)
        ref.fetch_sub(1)
        other = ht.AtomicRef(y, (0, 1), order, ht.MemoryScope.WORK_GROUP)
        other.fetch_max(float(ht.get_global_id(0)))
        other.fetch_min(500.0)

    x, y = ht.zeros(1, dtype=ht.int64, queue=queue), ht.zeros((1, 2), queue=queue)
    counts[ITEMS](x, y)
    assert int(x[0]) == ITEMS and float(y[0, 1]) == 500


def test_references_exchange(queue):
    @ht.kernel
    def locked(x, total):
        ref = ht.AtomicRef(total)
        done = False
        old = ref.load()
        while not done:
            found = ref.compare_exchange(old, old + x[ht.get_global_id(0)])
            done = found == old
            old = found
        last = ht.AtomicRef(total, 1)
        last.store(3.0)
        last.exchange(4.0)

    x, total = ht.arange(ITEMS, dtype=ht.float64, queue=queue), ht.zeros(2, queue=queue)
    locked[ITEMS](x, total)
    assert ht.asnumpy(total).tolist() == [ITEMS * (ITEMS - 1) / 2, 4]


def test_compare_exchange_as_numba_dpex_spells_it(queue):
    @ht.kernel
    def once(x, winners):
        expected = ht.private.array(1, ht.int64)
        expected[0] = 0
        if ht.AtomicRef(x).compare_exchange(expected, desired=5, expected_idx=0):
            ht.atomic.add(winners, 0, 1)
        else:
            ht.atomic.add(winners, 1, expected[0])

    x, winners = (ht.zeros(2, dtype=ht.int64, queue=queue) for _ in range(2))
    once[ITEMS](x, winners)
    assert ht.asnumpy(winners).tolist() == [1, 5 * (ITEMS - 1)]


def test_fences_compile_in_every_order(queue):
    @ht.kernel
    def fenced(x):
        ht.mem_fence()
        ht.mem_fence(ht.MemFence.GLOBAL)
        ht.atomic_fence(ht.MemoryOrder.SEQ_CST, ht.MemoryScope.SYSTEM)
        ht.atomic_fence(ht.MemoryOrder.RELAXED)
        x[ht.get_global_id(0)] = 1

    x = ht.zeros(4, queue=queue)
    fenced[4](x)
    assert ht.asnumpy(x).all()


def test_read_only_arrays_are_refused(queue):
    @ht.kernel
    def adds(x):
        ht.AtomicRef(x).fetch_add(1.0)

    x = np.zeros(1)
    x.flags.writeable = False
    with pytest.raises(ht.CompileError, match="read-only"):
        adds[1](x, queue=queue)


@pytest.mark.parametrize("name", ["fetch_add", "fetch_max"])
def test_the_operation_may_be_named_by_a_closure(queue, name):
    @ht.kernel
    def k(x, result):
        getattr(ht.AtomicRef(result, 0), name)(x[ht.get_global_id(0)])

    x, result = ht.arange(10, queue=queue), ht.zeros(1, dtype=ht.int64, queue=queue)
    k[10](x, result)
    assert int(result[0]) == {"fetch_add": 45, "fetch_max": 9}[name]


def test_an_index_may_come_from_a_function_that_also_returns_none(queue):
    @numba.njit
    def bin_of(x, count):
        found = np.int32(count * x)
        if found < 0 or found >= count:
            return None
        return found

    @ht.kernel
    def histogram(x, counts):
        found = bin_of(x[ht.get_global_id(0)], counts.shape[0])
        if found is not None:
            ht.atomic.add(counts, found, 1)

    n = np.linspace(-0.2, 1.2, 1000)
    x, counts = ht.asarray(n, queue=queue), ht.zeros(10, dtype=ht.int32, queue=queue)
    histogram[1000](x, counts)
    bins = (10 * n).astype(np.int32)
    expected = np.bincount(bins[(bins >= 0) & (bins < 10)], minlength=10)
    assert ht.asnumpy(counts).tolist() == expected.tolist()
