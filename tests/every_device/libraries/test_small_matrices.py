"""Stacks of small matrices, which functions of the device library factor, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.libraries.library_arrays import FLOATS, TOLERANCES, close, laid_out, profile

SIDES = st.sampled_from([1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33])
EXTENTS = st.sampled_from([0, 1, 2, 3, 4, 7, 8, 16, 17])
STACKS = st.sampled_from([(8,), (2, 5), (3, 1, 3), (1,)])


@st.composite
def stacks(draw):
    """Matrices far from singular, whose rows have to be exchanged."""
    n, dtype = draw(SIDES), draw(st.sampled_from(FLOATS))
    host, x = draw(laid_out((*draw(STACKS), n, n), dtype))
    shift = np.eye(n, dtype=dtype)[::-1] * (2 * n)
    return host + shift, x + ht.asarray(shift, queue=x.queue, usm_type=x.usm_type)


@given(st.data(), stacks())
@profile
def test_solve(data, case):
    host, x = case
    stack, n = host.shape[:-2], host.shape[-1]
    right = data.draw(
        st.sampled_from([(n,), (n, 3), (*stack, n, 1), (2, *([1] * len(stack)), n, 2)])
    )
    b, y = data.draw(laid_out(right, host.dtype, x.device))
    found = ht.lapack.solve(x, y)
    close(
        found,
        np.linalg.solve(host, b[:, None])[..., 0] if b.ndim == 1 else np.linalg.solve(host, b),
    )
    assert found.queue == x.queue


@given(st.data(), STACKS, st.sampled_from(FLOATS), st.tuples(EXTENTS, EXTENTS, EXTENTS))
@profile
def test_products(data, stack, dtype, extents):
    m, k, n = extents
    host, x = data.draw(laid_out((*stack, m, k), dtype))
    other = data.draw(st.sampled_from([(), stack, (2, *([1] * len(stack)))]))
    b, y = data.draw(laid_out((*other, n, k), dtype, x.device))
    close(ht.matmul(x, y.mT), host @ b.mT)


@given(stacks())
@profile
def test_inverses_and_determinants(case):
    host, x = case
    close(ht.lapack.inv(x), np.linalg.inv(host))
    sign, logarithm = ht.lapack.slogdet(x)
    expected = np.linalg.slogdet(host)
    close(sign, expected.sign)
    close(logarithm, expected.logabsdet)
    if host.shape[-1] < 17:  # else float32 has no such numbers
        tolerance = TOLERANCES[host.dtype.char]
        np.testing.assert_allclose(
            ht.asnumpy(ht.lapack.det(x)), np.linalg.det(host), rtol=tolerance
        )


@given(stacks(), st.booleans())
@profile
def test_cholesky(case, upper):
    host, x = case
    product, mine = host @ host.conj().mT, ht.matmul(x, ht.conj(x.mT))
    other = ht.triu(mine) if upper else ht.tril(mine)  # the other triangle is not read
    expected = np.linalg.cholesky(product, upper=upper)
    scale = float(np.abs(expected).max())
    close(ht.lapack.cholesky(other, upper=upper) / scale, expected / expected.dtype.type(scale))


@pytest.mark.parametrize("n", [1, 4, 7, 20])
def test_singular_matrices(queue, n):
    host = np.tile(2 * np.eye(n), (9, 1, 1))
    x = ht.asarray(host, queue=queue)
    x[4, n - 1, n - 1] = 0.0
    for call in (lambda: ht.lapack.solve(x, x), lambda: ht.lapack.inv(x)):
        with pytest.raises(ht.LinAlgError, match="Singular matrix"):
            call()
    for broken in (x, x * -1):
        with pytest.raises(ht.LinAlgError, match="not positive definite"):
            ht.lapack.cholesky(broken)
    assert ht.asnumpy(ht.lapack.det(x)).tolist() == [2.0**n] * 4 + [0.0] + [2.0**n] * 4
    sign, logarithm = map(ht.asnumpy, ht.lapack.slogdet(x))
    assert (sign[4], logarithm[4]) == (0.0, -np.inf)


def test_a_nan_stays_in_its_matrix(queue):
    host = np.tile(np.eye(3), (8, 1, 1)) + 1.0
    host[5, 1, 1] = np.nan
    found = ht.asnumpy(ht.lapack.inv(ht.asarray(host, queue=queue)))
    assert np.isnan(found[5]).any() and np.isfinite(np.delete(found, 5, 0)).all()


def test_determinants_between_huge_and_tiny_factors(queue):
    for factors in ([1e200, 1e200, 1e-200, 1e-150], [1e200, 1e-250, 1e100], [1e-200, 1e-200]):
        host = np.tile(np.diag(factors), (8, 1, 1))
        found = ht.asnumpy(ht.lapack.det(ht.asarray(host, queue=queue)))
        np.testing.assert_allclose(found, np.exp(np.log(factors).sum()), rtol=1e-12)


def test_determinants_of_one_matrix_of_extreme_factors(queue):
    for factors in (
        [1e200, 1e200, 1e-200, 1e-150],
        [1e-200, 1e-120, 1e200],
        [-1e200, 1e200, 1e-300],
    ):
        found = float(ht.lapack.det(ht.asarray(np.diag(factors), queue=queue)))
        expected = np.sign(factors).prod() * np.exp(np.log(np.abs(factors)).sum())
        np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("n", [3, 16])
def test_parts_of_a_stack_have_the_bits_of_the_whole(queue, n):
    if queue.backend == "cuda":
        pytest.skip("cuSOLVER has other functions for stacks than for one matrix")
    x = ht.asarray(np.random.default_rng(n).standard_normal((12, n, n)), queue=queue)
    for function in (ht.lapack.inv, ht.lapack.det, lambda a: a @ a):
        whole = ht.asnumpy(function(x))
        parts = [ht.asnumpy(function(x[i : i + k])) for i, k in ((0, 1), (1, 4), (5, 7))]
        np.testing.assert_array_equal(np.concatenate(parts), whole)
