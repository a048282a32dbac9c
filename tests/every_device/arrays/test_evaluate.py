"""Evaluating several arrays at once."""

from __future__ import annotations

import os

import numpy as np
import pytest

import hither as ht

EAGER = os.environ.get("HITHER_EAGER", "0") not in ("", "0")
only_lazily = pytest.mark.skipif(EAGER, reason="eager operations do not fuse")


def one_array(queue, size: int = 100) -> tuple[np.ndarray, ht.Array]:
    host = np.arange(size, dtype=np.float32) / 8
    return host, ht.asarray(host, queue=queue)


def launches_of(*arrays: ht.Array) -> int:
    before = ht.counters()["launches"]
    ht.evaluate(*arrays)
    return ht.counters()["launches"] - before


@only_lazily
@pytest.mark.parametrize("turned", [False, True])
def test_an_array_and_one_that_reads_it_are_one_kernel(queue, turned):
    host, x = one_array(queue)
    first = x * 2
    pair = (first, first + x)
    assert launches_of(*(reversed(pair) if turned else pair)) == 1
    assert np.array_equal(ht.asnumpy(pair[0]), host * 2)
    assert np.array_equal(ht.asnumpy(pair[1]), host * 2 + host)


@only_lazily
@pytest.mark.parametrize("dtype", ["int8", "int16", "float32", "float64", "complex128"])
def test_few_elements_of_one_number_need_no_kernel_on_cpus(queue, dtype):
    for size in (1, 5, 1024, 3000):
        made = ht.full(size, 3, dtype=dtype, queue=queue)
        is_few = size * made.itemsize <= 16 << 10
        launches = launches_of(made)
        if queue.device.backend == "native_cpu":  # the host may reach the memory of others, too
            assert launches == (0 if is_few else 1)
        assert np.array_equal(ht.asnumpy(made), np.full(size, 3, dtype))
        assert np.array_equal(ht.asnumpy(made * made), np.full(size, 3, dtype) ** 2)


@only_lazily
def test_arrays_of_one_shape_are_one_kernel_others_are_not(queue):
    host, x = one_array(queue)
    same, other = [x * k for k in range(5)], x[::2] + 1
    assert launches_of(*same, other) == 2
    for k, y in enumerate(same):
        assert np.array_equal(ht.asnumpy(y), host * k)
    assert np.array_equal(ht.asnumpy(other), host[::2] + 1)


@only_lazily
def test_what_is_too_much_for_one_kernel_becomes_several(queue):
    host, x = one_array(queue)
    results = []
    for k in range(8):
        y = x + k
        for _ in range(20):
            y = y * 0.5 + x
        results.append(y)
    assert 1 < launches_of(*results) <= 8
    for k, found in enumerate(results):
        y = host + np.float32(k)
        for _ in range(20):
            y = y * np.float32(0.5) + host
        assert np.allclose(ht.asnumpy(found), y)


def test_a_reduction_between_them_is_right(queue):
    host, x = one_array(queue)
    first = x + 1
    second = first * ht.sum(first)
    ht.evaluate(first, second)
    assert np.array_equal(ht.asnumpy(first), host + 1)
    assert np.allclose(ht.asnumpy(second), (host + 1) * (host + 1).sum())


@only_lazily
def test_rows_that_one_kernel_reduces_and_uses_stay_one(queue):
    host = np.arange(4 * 64, dtype=np.float32).reshape(4, 64)
    x = ht.asarray(host, queue=queue)

    def centred():
        return x - ht.mean(x, axis=1, keepdims=True)

    ht.evaluate(centred())  # compiled
    alone = launches_of(centred())
    assert launches_of(centred(), centred()) == 2 * alone


@only_lazily
def test_reductions_of_the_same_rows_are_one_kernel(queue):
    host = np.linspace(-1, 1, 64, dtype=np.float32)
    x = ht.asarray(host, queue=queue)

    def sums():
        near = x[None, :] - x[:, None]
        far = ht.sqrt(near * near + 1)
        yield ht.sum(near * far, axis=1)
        yield ht.sum(far, axis=1)
        yield ht.max(near + far, axis=1)
        yield ht.sum(far * far, axis=1)

    ht.evaluate(*sums())  # compiled
    assert launches_of(*sums()) == 1
    near = host[None, :] - host[:, None]
    far = np.sqrt(near * near + 1)
    expected = [near * far, far, near + far, far * far]
    for k, (found, each) in enumerate(zip(sums(), expected, strict=True)):
        numpys = each.max(axis=1) if k == 2 else each.sum(axis=1)
        assert np.allclose(ht.asnumpy(found), numpys, rtol=1e-5)
    alone = [ht.asnumpy(found) for found in sums()]
    together = list(sums())
    ht.evaluate(*together)
    assert all(np.array_equal(a, ht.asnumpy(b)) for a, b in zip(alone, together, strict=True))


@only_lazily
def test_shared_parts_count_once(queue):
    x, y = one_array(queue)[1], one_array(queue)[1] + 1
    ht.synchronize(y)

    def polynomial():
        a = x * y
        b = a * a + a
        c = b * b + b * a + b
        return c * c + c * b + c * a + c

    ht.evaluate(polynomial())  # compiled
    assert launches_of(polynomial()) == 1


def test_the_same_array_twice_empty_and_evaluated_ones(queue):
    host, x = one_array(queue)
    y, empty = x - 1, ht.zeros((0,), dtype=ht.float32, queue=queue) * 2
    other = x + 2
    ht.evaluate(y, other, y, empty, x, y[::2], other)
    assert np.array_equal(ht.asnumpy(other), host + 2)
    ht.evaluate(y, y * 1)
    ht.synchronize(y, y * 1, empty + 1)
    assert np.array_equal(ht.asnumpy(y), host - 1)
    assert empty.shape == (0,)


def test_results_do_not_depend_on_what_is_evaluated_together(queue):
    x = one_array(queue, 1000)[1]

    def results() -> list[ht.Array]:
        e = ht.exp(-x)
        return [e, ht.log(x + 1) * e, ht.erf(x) - e]

    together, alone = results(), results()
    ht.evaluate(*together)
    for a, b in zip(together, alone, strict=True):
        assert np.array_equal(ht.asnumpy(a), ht.asnumpy(b))
