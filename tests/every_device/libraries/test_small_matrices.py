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
    functions = [ht.lapack.inv, ht.lapack.det, lambda a: a @ a]
    if queue.backend == "native_cpu":  # elsewhere one matrix may have another library
        functions += [ht.linalg.svdvals, ht.linalg.eigvals, lambda a: ht.linalg.svd(a).U]
        functions += [lambda a: ht.linalg.qr(a).Q, lambda a: ht.linalg.eigh(a).eigenvectors]
    for function in functions:
        whole = ht.asnumpy(function(x))
        parts = [ht.asnumpy(function(x[i : i + k])) for i, k in ((0, 1), (1, 4), (5, 7))]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


HERMITIAN_SIDES = [1, 2, 3, 8, 31, 33, 63]
SHAPES = [(1, 4), (4, 4), (9, 3), (3, 9), (32, 32), (33, 20), (20, 63), (40, 35)]


def random_stack(shape, dtype):
    random = np.random.default_rng(sum(shape))
    values = random.standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    return (values if np.dtype(dtype).kind == "c" else values.real).astype(dtype)


def adjoint(x):
    return x.conj().swapaxes(-1, -2)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", HERMITIAN_SIDES)
def test_eigenvalues_of_a_stack(queue, n, dtype):
    host = random_stack((2, 3, n, n), dtype)
    lower = np.tril(host, -1)
    whole = lower + adjoint(lower) + np.eye(n, dtype=dtype) * host.real
    values, vectors = map(ht.asnumpy, ht.linalg.eigh(ht.asarray(host, queue=queue)))
    tolerance = 50 * (n + 2) * np.finfo(dtype).eps
    wanted = np.linalg.eigvalsh(whole)
    np.testing.assert_allclose(values, wanted, atol=tolerance)
    np.testing.assert_allclose(whole @ vectors, vectors * values[..., None, :], atol=tolerance)
    one = np.broadcast_to(np.eye(n), host.shape)
    np.testing.assert_allclose(adjoint(vectors) @ vectors, one, atol=tolerance)
    alone = ht.asnumpy(ht.linalg.eigvalsh(ht.asarray(host, queue=queue)))
    np.testing.assert_allclose(alone, wanted, atol=tolerance)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("shape", SHAPES)
def test_factors_of_a_stack(queue, shape, dtype):
    host = random_stack((2, 2, *shape), dtype)
    x = ht.asarray(np.ascontiguousarray(host.swapaxes(0, 1)), queue=queue)
    x = ht.permute_dims(x, (1, 0, 2, 3))
    tolerance = 50 * max(shape) * np.finfo(dtype).eps
    k = min(shape)

    def close_to_one(product):
        one = np.broadcast_to(np.eye(product.shape[-1]), product.shape)
        np.testing.assert_allclose(product, one, atol=tolerance)

    wanted = np.linalg.svd(host, compute_uv=False)
    for whole in (True, False):
        u, s, vh = map(ht.asnumpy, ht.linalg.svd(x, full_matrices=whole))
        assert (u.shape[-1], vh.shape[-2]) == (shape if whole else (k, k))
        np.testing.assert_allclose(s, wanted, atol=tolerance)
        again = (u[..., :k] * s[..., None, :]) @ vh[..., :k, :]
        np.testing.assert_allclose(again, host, atol=tolerance)
        close_to_one(adjoint(u) @ u)
        close_to_one(vh @ adjoint(vh))
        mode = "complete" if whole else "reduced"
        q, r = map(ht.asnumpy, ht.linalg.qr(x, mode=mode))
        expected = np.linalg.qr(host, mode)
        assert (q.shape, r.shape) == (expected.Q.shape, expected.R.shape)
        np.testing.assert_allclose(q @ r, host, atol=tolerance)
        close_to_one(adjoint(q) @ q)
        np.testing.assert_array_equal(r, np.triu(r))
    np.testing.assert_allclose(ht.asnumpy(ht.linalg.svdvals(x)), wanted, atol=tolerance)
    assert (ht.asnumpy(ht.linalg.matrix_rank(x)) == k).all()


@pytest.mark.parametrize("scale", [1e200, 1e-200])
def test_factors_of_extreme_numbers(queue, scale):
    host = random_stack((3, 5, 5), "float64")
    host[1] = 0
    x = ht.asarray(host * scale, queue=queue)
    values = ht.asnumpy(ht.linalg.svdvals(x)) / scale
    np.testing.assert_allclose(values, np.linalg.svd(host, compute_uv=False), atol=1e-13)
    symmetric = x + ht.matrix_transpose(x)
    values = ht.asnumpy(ht.linalg.eigvalsh(symmetric)) / scale
    np.testing.assert_allclose(values, np.linalg.eigvalsh(host + adjoint(host)), atol=1e-13)
    q, r = map(ht.asnumpy, ht.linalg.qr(x))
    np.testing.assert_allclose(q @ (r / scale), host, atol=1e-13)


@pytest.mark.parametrize("n", [4, 33])
def test_singular_values_of_a_stack_with_nan(queue, n):
    host = random_stack((4, n, n), "float64")
    host[2, 1, 1] = np.nan
    x = ht.asarray(host, queue=queue)
    for function in (ht.linalg.svd, ht.linalg.svdvals, ht.linalg.pinv):
        with pytest.raises(ht.LinAlgError, match="did not converge"):
            function(x)
    q = ht.asnumpy(ht.linalg.qr(x).Q)
    assert np.isnan(q[2]).any() and np.isfinite(np.delete(q, 2, 0)).all()
