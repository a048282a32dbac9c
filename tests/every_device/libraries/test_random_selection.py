"""Orders, choices and random vectors of hither.random."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hither as ht
import hither.numpy as hnp
from property_tests import examples

stats = pytest.importorskip("scipy.stats")
LEAST = 1e-3  # The smallest p-value that is not refused. Seeds are fixed.


def test_order(device):
    random = ht.random.Generator(8, queue=device)
    x = ht.reshape(ht.arange(12, device=device), (4, 3))
    host = ht.asnumpy(x)
    for axis in (0, 1, -1):
        moved = ht.asnumpy(random.permutation(x, axis=axis))
        assert sorted(moved.T.tolist() if axis else moved.tolist()) == sorted(
            host.T.tolist() if axis else host.tolist()
        )
    assert sorted(ht.asnumpy(random.permuted(x)).reshape(-1)) == list(range(12))
    rows = ht.asnumpy(random.permuted(x, axis=1))
    assert (np.sort(rows, axis=1) == host).all()
    view = x[1:]
    random.shuffle(view)
    assert sorted(ht.asnumpy(x).tolist()) == host.tolist()
    assert ht.asnumpy(x)[0].tolist() == [0, 1, 2]
    assert sorted(random.permutation(20).tolist()) == list(range(20))
    assert random.permutation(0).shape == (0,)
    assert random.permutation(1).tolist() == [0]


def test_results_without_dimensions_stand_for_ranges(device):
    count = ht.argmax(ht.arange(6, device=device))
    for number in (count, np.asarray(5)):
        random = ht.random.Generator(8, queue=device)
        ints = ht.random.Generator(8, queue=device)
        assert random.permutation(number).tolist() == ints.permutation(5).tolist()
        assert random.choice(number, 9).tolist() == ints.choice(5, 9).tolist()
    assert sorted(hnp.random.permutation(count).tolist()) == list(range(5))
    for call in (random.permutation, random.choice):
        with pytest.raises(ht.InvalidTypeError, match="an array with dimensions"):
            call(count * 1.5)


def test_memory_without_dimensions_of_its_own_is_an_array(queue):
    random = ht.random.Generator(8, queue=queue)
    memory = ht.MemoryUSMShared(48, queue=queue)
    assert random.permutation(memory).shape == (48,)
    assert random.choice(memory, 3).shape == (3,)


@settings(max_examples=examples(20), deadline=None)
@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.integers(0, 2**64 - 1), st.data())
def test_orders_of_any_shape(shape, seed, data):
    axis = data.draw(st.integers(-len(shape), len(shape) - 1))
    random = ht.random.Generator(seed)
    x = ht.reshape(ht.arange(int(np.prod(shape))), tuple(shape))
    host = ht.asnumpy(x)
    for moved in (random.permutation(x, axis), random.permuted(x, axis)):
        assert moved.shape == x.shape
        np.testing.assert_array_equal(np.sort(ht.asnumpy(moved), axis), np.sort(host, axis))
    np.testing.assert_array_equal(np.sort(ht.asnumpy(random.permuted(x)), None), host.ravel())


def frequencies(rows):
    """The p-value of all orders (rows) being equally probable."""
    found = dict.fromkeys(itertools.permutations(range(rows.shape[1])), 0)
    for row in rows.tolist():
        found[tuple(row)] += 1
    return stats.chisquare(list(found.values())).pvalue


def test_all_orders_are_equally_probable(device):
    random = ht.random.Generator(8, queue=device)
    x = ht.broadcast_to(ht.arange(4, device=device), (12_000, 4))
    assert frequencies(ht.asnumpy(random.permuted(x, axis=1))) > LEAST
    rows = np.array([ht.asnumpy(random.permutation(3)) for _ in range(600)])
    assert frequencies(rows) > LEAST


def test_choices(device):
    random = ht.random.Generator(8, queue=device)
    x = ht.arange(6, device=device) * 10
    assert set(random.choice(x, 200).tolist()) == set(range(0, 60, 10))
    assert sorted(random.choice(x, 6, replace=False).tolist()) == list(range(0, 60, 10))
    assert random.choice(x).shape == ()
    assert random.choice(5, (2, 3)).shape == (2, 3)
    assert random.choice(3, 50, p=[0, 1, 0]).tolist() == [1] * 50
    table = ht.reshape(x, (3, 2))
    assert random.choice(table, (4, 2), axis=1).shape == (3, 4, 2)
    assert random.choice(table, (1, 2), replace=False, axis=1).shape == (3, 1, 2)
    assert random.choice(x, 0).shape == (0,) and random.choice(0, 0).shape == (0,)
    assert len(random.bytes(11)) == 11 and random.bytes(0) == b""
    assert len(set(random.bytes(2000))) > 250


def test_choices_with_probabilities(device):
    random = ht.random.Generator(8, queue=device)
    p = [0.1, 0.0, 0.4, 0.25, 0.25]
    drawn = np.bincount(ht.asnumpy(random.choice(5, 20_000, p=p)), minlength=5)
    assert drawn[1] == 0
    assert stats.chisquare(np.delete(drawn, 1), 20_000 * np.delete(p, 1)).pvalue > LEAST
    on_device = random.choice(5, 20_000, p=ht.asarray(p, device=device))
    assert np.abs(np.bincount(ht.asnumpy(on_device), minlength=5) / 20_000 - p).max() < 0.02
    # without replacement: the first one has the probabilities p, the second one those of the rest
    pairs = np.array([ht.asnumpy(random.choice(3, 2, False, [0.2, 0.3, 0.5])) for _ in range(1500)])
    chances = {(i, j): a * b / (1 - a) for i, a in enumerate([0.2, 0.3, 0.5])
               for j, b in enumerate([0.2, 0.3, 0.5]) if i != j}  # fmt: skip
    seen = [int(((pairs[:, 0] == i) & (pairs[:, 1] == j)).sum()) for i, j in chances]
    assert sum(seen) == 1500
    assert stats.chisquare(seen, 1500 * np.array(list(chances.values()))).pvalue > LEAST


@pytest.mark.parametrize(("count", "size"), [(10_000, 200), (10**12, 500), (20_000, 7), (50, 50)])
def test_choices_are_different_without_replacement(device, count, size):
    random = ht.random.Generator(3, queue=device)
    x = ht.asnumpy(random.choice(count, size, replace=False))
    assert len(np.unique(x)) == size and x.min() >= 0 and x.max() < count
    assert size == count or stats.kstest(x / count, "uniform").pvalue > LEAST
    # the order is random, too
    assert size < 100 or abs(np.corrcoef(x, np.arange(size))[0, 1]) < 4 / np.sqrt(size)


def test_multinomial(device):
    random = ht.random.Generator(3, queue=device)
    p = np.array([0.15, 0.0, 0.4, 0.05, 0.3, 0.1])
    x = ht.asnumpy(random.multinomial(30, p, 5000))
    assert (x.shape, x.dtype) == ((5000, 6), np.int64)
    assert (x.sum(axis=1) == 30).all() and (x[:, 1] == 0).all()
    covariance = 30 * (np.diag(p) - np.outer(p, p))
    assert np.abs(x.mean(axis=0) - 30 * p).max() < 0.15
    assert np.abs(np.cov(x.T) - covariance).max() < 0.5
    for k in (0, 2, 4):
        counts = np.bincount(x[:, k], minlength=31)[:31]
        expected = 5000 * stats.binom(30, p[k]).pmf(np.arange(31))
        kept = expected > 5
        assert ((counts - expected) ** 2 / np.maximum(expected, 1))[kept].sum() < 3 * kept.sum()
    n = ht.asarray([3, 1000], device=device)
    several = random.multinomial(n, [[0.5, 0.5], [0.1, 0.9]], (4, 2))
    assert several.shape == (4, 2, 2) and several.queue == n.queue
    assert (ht.asnumpy(several).sum(axis=-1) == [3, 1000]).all()
    assert random.multinomial(5, [1.0]).tolist() == [5]
    assert random.multinomial(0, [0.5, 0.5]).tolist() == [0, 0]
    assert random.multinomial(5, [0.5, 0.5], 0).shape == (0, 2)


def test_multivariate_hypergeometric(device):
    random = ht.random.Generator(3, queue=device)
    colors = np.array([10, 0, 25, 40, 3])
    x = ht.asnumpy(random.multivariate_hypergeometric(colors, 30, 5000))
    assert (x.sum(axis=1) == 30).all() and (x <= colors).all()
    assert np.abs(x.mean(axis=0) - 30 * colors / 78).max() < 0.15
    share = colors / 78
    covariance = 30 * (np.diag(share) - np.outer(share, share)) * 48 / 77
    assert np.abs(np.cov(x.T) - covariance).max() < 0.4
    everything = random.multivariate_hypergeometric(colors, 78, method="count")
    assert everything.tolist() == colors.tolist()
    assert random.multivariate_hypergeometric([4], 2, 2).tolist() == [[2], [2]]


def test_dirichlet(device):
    random = ht.random.Generator(3, queue=device)
    alpha = np.array([0.5, 2.0, 4.0])
    x = ht.asnumpy(random.dirichlet(alpha, 5000))
    np.testing.assert_allclose(x.sum(axis=1), 1, rtol=1e-14)
    for k in range(3):
        assert stats.kstest(x[:, k], stats.beta(alpha[k], 6.5 - alpha[k]).cdf).pvalue > LEAST
    small = ht.asnumpy(random.dirichlet([0.001, 0.001], 1000))
    assert np.isfinite(small).all() and abs(small.mean() - 0.5) < 0.01
    assert abs((small[:, 0] > 0.5).mean() - 0.5) < 0.06
    assert random.dirichlet([2.0]).tolist() == [1.0]
    placed = random.dirichlet(ht.asarray(alpha, device=device), (2, 3))
    assert placed.shape == (2, 3, 3) and placed.queue == device.default_queue


@pytest.mark.parametrize("method", ["svd", "eigh", "cholesky"])
def test_multivariate_normal(device, method):
    random = ht.random.Generator(3, queue=device)
    mean, cov = np.array([1.0, -2.0, 0.5]), np.array([[2, 0.5, 0], [0.5, 1, -0.3], [0, -0.3, 3]])
    x = ht.asnumpy(random.multivariate_normal(mean, cov, 20_000, method=method))
    # the coordinates in which the distribution is standard
    z = np.linalg.solve(np.linalg.cholesky(cov), (x - mean).T)
    assert np.abs(np.corrcoef(z) - np.eye(3)).max() < 4 / np.sqrt(20_000)
    for line in z:
        assert stats.kstest(line, "norm").pvalue > LEAST
    assert random.multivariate_normal(mean, cov).shape == (3,)
    placed = random.multivariate_normal(ht.asarray(mean, device=device), cov, (2, 2))
    assert placed.shape == (2, 2, 3) and placed.queue == device.default_queue


def test_a_covariance_that_is_none(device):
    random = ht.random.Generator(3, queue=device)
    cov = [[1.0, 2.0], [2.0, 1.0]]
    with pytest.warns(RuntimeWarning, match="positive semidefinite"):
        random.multivariate_normal([0, 0], cov)
    with pytest.raises(ValueError, match="positive semidefinite"):
        random.multivariate_normal([0, 0], cov, check_valid="raise")
    with pytest.raises(np.linalg.LinAlgError, match="positive definite"):
        random.multivariate_normal([0, 0], cov, method="cholesky")
    assert random.multivariate_normal([0, 0], cov, check_valid="ignore").shape == (2,)
