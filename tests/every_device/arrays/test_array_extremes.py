"""Extreme shapes and graphs: empty, of one element, odd, too large, very deep."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

ODD = [0, 1, 2, 3, 7, 8, 9, 31, 33, 63, 64, 65, 127, 129, 1023, 1025, 4097, 65537, 100_003]


@pytest.mark.parametrize("n", ODD)
def test_odd_sizes(queue, n):
    host = np.arange(n, dtype=np.float32)
    x = ht.asarray(host, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x * 2 + 1), host * 2 + 1)
    np.testing.assert_array_equal(ht.asnumpy(x[::-1]), host[::-1])
    np.testing.assert_array_equal(ht.asnumpy(x[x > n // 2]), host[host > n // 2])
    assert float(ht.sum(x, dtype=ht.float64)) == host.sum(dtype=np.float64)
    assert ht.asnumpy(ht.concat([x, x])).shape == (2 * n,)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (2, 0, 4), (0, 0), (1,), (1, 1, 1), ()])
def test_nothing_and_one(queue, shape):
    host = np.ones(shape)
    x = ht.ones(shape, queue=queue)
    for result, expected in (
        (x + 1, host + 1),
        (ht.sum(x), host.sum()),
        (ht.prod(x), host.prod()),
        (ht.all(x), host.all()),
        (ht.reshape(x, (-1,)) if x.size else x, host.reshape(-1) if host.size else host),
        (ht.flip(x), np.flip(host)),
        (ht.permute_dims(x, tuple(range(x.ndim))[::-1]), host.T),
        (ht.astype(x, ht.int8), host.astype(np.int8)),
        (ht.matmul(x, ht.permute_dims(x, (1, 0))), host @ host.T) if x.ndim == 2 else (x, host),
    ):
        np.testing.assert_array_equal(ht.asnumpy(result), expected)
        assert result.shape == expected.shape


@pytest.mark.parametrize("make", [
    lambda: ht.empty(2**50, dtype=ht.uint8),
    lambda: ht.ones((2**25, 2**22)) + 1,
    lambda: ht.broadcast_to(ht.ones(1), (2**50,)) + ht.ones(1),
    lambda: ht.MemoryUSMShared(2**50),
])  # fmt: skip
def test_more_memory_than_there_is(make):
    with pytest.raises(MemoryError):
        ht.synchronize(made) if isinstance(made := make(), ht.Array) else None
    assert float(ht.sum(ht.ones(3))) == 3.0  # all goes on


@pytest.mark.parametrize("shape", [(2**62,), (2**40, 2**40), (-1,), (2**63,)])
def test_shapes_that_no_array_has(shape):
    with pytest.raises((ValueError, MemoryError, OverflowError)):
        ht.synchronize(ht.zeros(shape))


def test_broadcasts_that_nobody_can_count():
    column = ht.broadcast_to(ht.ones(1), (2**40,))
    with pytest.raises(ValueError, match=r"more than 2\^59 elements"):
        ht.broadcast_to(column, (2**40, 2**40))
    with pytest.raises(ValueError, match=r"more than 2\^59 elements"):
        column[:, None] + column
    with pytest.raises(ValueError, match=r"more than 2\^59 elements"):
        ht.reshape(ht.zeros((0, 1)), (2**40, 2**40, 0))


@pytest.mark.parametrize("call", [
    lambda x, n: ht.roll(x, n),
    lambda x, n: ht.repeat(x, n),
    lambda x, n: ht.tile(x, (n,)),
    lambda x, n: ht.reshape(x, (n,)),
    lambda x, n: ht.sum(x, axis=n),
    lambda x, n: ht.permute_dims(x, (0, n)),
    lambda x, n: ht.tensordot(x, x, axes=n),
    lambda x, n: ht.cumulative_sum(x, axis=n),
])  # fmt: skip
def test_integers_beyond_64_bits(call):
    with pytest.raises(ValueError, match="64 bits"):
        call(ht.ones((3, 4)), 2**70)


def test_what_depends_on_memory_that_there_is_not():
    too_much = ht.ones((2**48,)) + 1
    above = ht.sum(too_much[:5]) * 2  # needs five elements of it
    try:
        assert float(above) == 20.0
    except MemoryError:
        with pytest.raises(MemoryError):
            float(above)


def test_views_of_huge_broadcasts_cost_nothing():
    x = ht.broadcast_to(ht.ones(1), (2**40,))
    assert x.shape == (2**40,)
    assert ht.asnumpy(x[:3] + 1).tolist() == [2.0, 2.0, 2.0]


def test_a_long_chain_that_is_never_computed():
    x = y = ht.ones(3)
    for _ in range(100_000):
        y = y + x
    del y
    assert float(ht.sum(x)) == 3.0


def test_a_long_chain_that_is_computed():
    y = ht.zeros(3)
    for _ in range(100_000):
        y = y + 1
    assert ht.asnumpy(y).tolist() == [100_000.0] * 3


def test_a_long_chain_of_views_and_recipes():
    y = ht.ones((2, 3))
    for _ in range(5_000):
        y = ht.permute_dims(ht.permute_dims(y, (1, 0)), (1, 0))[::-1]
    assert ht.asnumpy(y).tolist() == [[1.0] * 3] * 2
    for _ in range(1_000):
        y = ht.concat([y[1:], y[:1]]) + ht.sum(y) * 0
    assert ht.asnumpy(y).tolist() == [[1.0] * 3] * 2


def test_a_wide_graph():
    x = ht.ones(10)
    total = x
    for y in [x * i for i in range(2_000)]:
        total = total + y
    assert ht.asnumpy(total).tolist() == [1 + 1999 * 1000.0] * 10


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 5, 64, 67])
def test_exp_at_both_ends(queue, dtype, n):
    ends = [-np.inf, -1e6, -746.1, -745.2, -745, -720, -104.1, -103.9, -100, -88, -1e-300, 0, 1,
            88, 88.8, 89.1, 100, 709.7, 709.8, 710.1, 1e6, np.inf, np.nan]  # fmt: skip
    for first in range(len(ends)):
        x = np.resize(np.roll(ends, first), n).astype(dtype)
        with np.errstate(all="ignore"):
            expected = np.exp(x)
        tiny = float(np.finfo(dtype).smallest_subnormal)
        np.testing.assert_allclose(
            ht.asnumpy(ht.exp(ht.asarray(x, queue=queue))),
            expected,
            rtol=4 * np.finfo(dtype).eps,
            atol=tiny,
        )
