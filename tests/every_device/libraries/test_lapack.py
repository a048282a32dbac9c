"""hither.lapack against NumPy and SciPy: dtypes, stacks, layouts, sizes from 0."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
from every_device.libraries.library_arrays import (
    EXTENTS,
    FLOATS,
    STACKS,
    close,
    laid_out,
    profile,
    random_values,
)
from hither._libraries.host_call import HostCall

DTYPES = st.sampled_from([*FLOATS, "int32", "bool"])


@st.composite
def matrices(draw, dtype=DTYPES):
    return draw(laid_out((*draw(STACKS), draw(EXTENTS), draw(EXTENTS)), draw(dtype)))


@st.composite
def square(draw, dtype=DTYPES):
    n = draw(EXTENTS)
    return draw(laid_out((*draw(STACKS), n, n), draw(dtype)))


@st.composite
def regular(draw):
    """Far from singular: a large diagonal."""
    n, dtype = draw(EXTENTS), draw(st.sampled_from(FLOATS))
    host, x = draw(laid_out((*draw(STACKS), n, n), dtype))
    shift = np.eye(n, dtype=dtype) * (2 * n)
    return host + shift, x + ht.asarray(shift, queue=x.queue, usm_type=x.usm_type)


def on_the_queue_of(x, *results):
    for result in results:
        assert (result.queue, result.usm_type) == (x.queue, x.usm_type)


@given(matrices(), st.booleans())
@profile
def test_svd(case, full):
    host, x = case
    u, s, vh = ht.lapack.svd(x, full_matrices=full)
    on_the_queue_of(x, u, s, vh)
    expected = np.linalg.svd(host, full_matrices=full)
    close(s, expected.S)
    assert (u.shape, vh.shape) == (expected.U.shape, expected.Vh.shape)
    assert (str(u.dtype), str(vh.dtype)) == (str(expected.U.dtype), str(expected.Vh.dtype))
    k = s.shape[-1]
    again = (ht.asnumpy(u)[..., :k] * ht.asnumpy(s)[..., None, :]) @ ht.asnumpy(vh)[..., :k, :]
    np.testing.assert_allclose(again, host, atol=2e-4 if s.dtype == np.float32 else 1e-10)
    close(ht.lapack.svdvals(x), expected.S)


@given(matrices(), st.sampled_from(["reduced", "complete"]))
@profile
def test_qr(case, mode):
    host, x = case
    expected = np.linalg.qr(host, mode)
    q, r = ht.lapack.qr(x, mode=mode)
    on_the_queue_of(x, q, r)
    close(q, expected.Q)
    close(r, expected.R)


@given(regular(), st.booleans())
@profile
def test_cholesky(case, upper):
    host, x = case
    host = host @ host.conj().swapaxes(-1, -2)
    x = x @ ht.conj(x).mT if x.dtype.kind == "c" else x @ x.mT
    expected = np.linalg.cholesky(host)
    close(ht.lapack.cholesky(x, upper=upper),
          expected.conj().swapaxes(-1, -2) if upper else expected)  # fmt: skip


@given(regular(), st.data())
@profile
def test_solutions(case, data):
    host, x = case
    n = host.shape[-1]
    columns = data.draw(st.sampled_from([None, 0, 1, 4]))
    shape = (n,) if columns is None else (*host.shape[:-2], n, columns)
    host_right, right = data.draw(laid_out(shape, str(host.dtype), x.device.filter_string))
    if columns is None:
        close(ht.lapack.solve(x, right), np.linalg.solve(host, host_right[:, None])[..., 0])
    else:
        close(ht.lapack.solve(x, right), np.linalg.solve(host, host_right))
    close(ht.lapack.inv(x), np.linalg.inv(host))


@given(square())
@profile
def test_determinants(case):
    host, x = case
    close(ht.lapack.det(x), np.linalg.det(host))
    result, expected = ht.lapack.slogdet(x), np.linalg.slogdet(host)
    # Where the determinant is 0 but for rounding, nothing else is left of it.
    if np.all(np.abs(np.linalg.det(host)) > 1e-3):
        close(result.sign, expected.sign)
        close(result.logabsdet, expected.logabsdet)


@given(square())
@profile
def test_eigenvalues_of_hermitian_matrices(case):
    host, x = case
    values, vectors = ht.lapack.eigh(x)
    on_the_queue_of(x, values, vectors)
    expected = np.linalg.eigvalsh(host)
    close(values, expected)
    close(ht.lapack.eigvalsh(x), expected)
    lower = np.tril(host.astype(str(vectors.dtype)))
    whole = lower + np.tril(lower, -1).conj().swapaxes(-1, -2)
    v = ht.asnumpy(vectors)
    if host.dtype.kind != "c":  # the diagonal of a Hermitian matrix is real
        tolerance = 1e-3 if values.dtype == np.float32 else 1e-8
        np.testing.assert_allclose(whole @ v, v * ht.asnumpy(values)[..., None, :], atol=tolerance)


@given(square())
@profile
def test_eigenvalues(case):
    host, x = case
    values, vectors = ht.lapack.eig(x)
    assert values.dtype == vectors.dtype == np.result_type(ht.lapack.svdvals(x).dtype, "complex64")
    result, expected = ht.asnumpy(values), np.linalg.eigvals(host)
    single = values.dtype == np.complex64
    np.testing.assert_allclose(result.sum(axis=-1), expected.sum(axis=-1), atol=1e-3)
    v = ht.asnumpy(vectors)
    np.testing.assert_allclose(host @ v, v * result[..., None, :], atol=2e-3 if single else 1e-6)
    assert ht.lapack.eigvals(x).dtype == values.dtype


@given(matrices(), st.sampled_from([None, 0.1]))
@profile
def test_rank_and_pseudo_inverse(case, rtol):
    host, x = case
    limit = max(host.shape[-2:]) * np.finfo(np.result_type(host, "float32")).eps
    if host.dtype.kind in "biu":
        limit = max(host.shape[-2:]) * np.finfo("float64").eps
    values = np.linalg.svd(host, compute_uv=False)
    largest = values.max(axis=-1, keepdims=True, initial=0)
    wanted = limit if rtol is None else rtol
    near = np.abs(values - largest * wanted) < largest * 1e-5
    if not near[values > 0].any():
        close(ht.lapack.matrix_rank(x, rtol=rtol),
              np.count_nonzero(values > largest * wanted, axis=-1))  # fmt: skip
        if rtol is not None:
            host = host.astype("float64") if host.dtype.kind in "biu" else host
            close(ht.lapack.pinv(x, rtol=rtol), np.linalg.pinv(host, rtol))


@pytest.mark.parametrize("dtype", FLOATS)
def test_a_limit_for_each_matrix(device, dtype):
    host = np.stack([np.diag([1, 0.5, 0.01])] * 2).astype(dtype)
    x = ht.asarray(host, device=device)
    limits = ht.asarray([0.1, 0.001], device=device)
    assert ht.asnumpy(ht.lapack.matrix_rank(x, rtol=limits)).tolist() == [2, 3]
    close(ht.lapack.pinv(x, rtol=limits), np.linalg.pinv(host, np.array([0.1, 0.001])))


@pytest.mark.parametrize("shape", [((5, 3), (5,)), ((9, 3), (9, 2)), ((3, 5), (3,))])
@pytest.mark.parametrize("dtype", FLOATS)
def test_least_squares(device, dtype, shape):
    a, b = (random_values(dtype, s, i) for i, s in enumerate(shape))
    result = ht.lapack.lstsq(ht.asarray(a, device=device), ht.asarray(b, device=device))
    x, residuals, rank, values = np.linalg.lstsq(a, b, None)
    close(result.solution, x)
    close(result.residuals, residuals)
    assert int(result.rank) == rank
    close(result.singular_values, values)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("stack", [(), (2,)])
def test_triangles(device, dtype, stack):
    pytest.importorskip("scipy")
    host = random_values(dtype, (*stack, 4, 4), 3) + 4 * np.eye(4, dtype=dtype)
    right = random_values(dtype, (*stack, 4, 2), 4)
    x, y = (ht.asarray(a, device=device) for a in (host, right))
    p, lower, upper = map(ht.asnumpy, ht.lapack.lu(x))
    np.testing.assert_allclose(p @ lower @ upper, host, atol=1e-5)
    close(ht.lapack.lu_solve(ht.lapack.lu_factor(x), y), np.linalg.solve(host, right))
    for trans, op in (("N", lambda a: a), ("T", lambda a: a.mT), ("C", lambda a: a.conj().mT)):
        solved = ht.lapack.solve_triangular(x, y, upper=True, trans=trans)
        close(solved, np.linalg.solve(op(np.triu(host)), right))
    unit = ht.lapack.solve_triangular(x, y, unit_diagonal=True)
    close(unit, np.linalg.solve(np.tril(host, -1) + np.eye(4, dtype=dtype), right))


@pytest.mark.parametrize("rows", [4, 33])
def test_an_input_is_left_alone(device, rows):
    x = ht.asarray(random_values("float64", (rows, rows), 0), device=device, usm_type="shared")
    before = ht.asnumpy(x)
    call = HostCall("test", x)
    address = call.run(lambda view: view.ctypes.data)
    read_in_place = address == x.__sycl_usm_array_interface__["data"][0]
    is_copied = rows == 4 and x.queue.backend == "native_cpu"  # which takes less time
    assert read_in_place == call.in_place != is_copied
    ht.lapack.inv(x)
    np.testing.assert_array_equal(ht.asnumpy(x), before)


@pytest.mark.parametrize("in_order", [True, False])
def test_work_waits_for_what_was_submitted_before(device, in_order):
    queue = ht.Queue(device, in_order=in_order)
    x = ht.asarray(np.eye(64) * 3, queue=queue)
    for _ in range(20):
        x = x + 1
        x[0, 0] = 7
    expected = ht.asnumpy(x)
    inverse = ht.lapack.inv(x)
    assert inverse.queue == queue
    close(inverse @ x, np.linalg.inv(expected) @ expected)


def test_linear_algebra_on_many_threads(device):
    from concurrent.futures import ThreadPoolExecutor

    host = random_values("float64", (30, 30), 1) + 30 * np.eye(30)
    x = ht.asarray(host, device=device)
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: ht.asnumpy(ht.lapack.inv(x)), range(40)))
    for result in results:
        np.testing.assert_allclose(result, np.linalg.inv(host), atol=1e-12)


@ht.kernel
def fail_at_negatives(a):
    i = ht.get_global_id(0)
    if a[i] < 0:
        raise ValueError("negative input")
    a[i] = a[i] * 2  # what it writes is lost with it


def test_an_input_whose_work_failed_raises_its_error(queue):
    x = ht.asarray([1.0, -1.0], queue=queue)
    fail_at_negatives(x)
    for call in (
        lambda: ht.lapack.svd(ht.reshape(x, (1, 2))),
        lambda: ht.asnumpy(ht.fft.fft(x)),
        lambda: float(ht.blas.nrm2(x)),
    ):
        with pytest.raises(ht.KernelError, match="negative input"):
            call()
    with pytest.raises(ht.KernelError):
        queue.wait()


def test_singular_values_of_what_is_no_number(queue):
    x = ht.asarray([[1.0, float("nan")], [0.0, 2.0]], queue=queue)
    for function in (ht.linalg.svd, ht.linalg.svdvals):
        with pytest.raises(np.linalg.LinAlgError, match="did not converge"):
            function(x)


@pytest.mark.parametrize("shape", [(5, 1), (1, 7), (3, 1, 4), (2, 0, 1), (0, 1), (1, 1)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_the_singular_value_of_one_row_or_column(queue, shape, dtype):
    host = np.random.default_rng(3).standard_normal((*shape, 2)).view(np.complex128)[..., 0]
    host = (host if dtype.startswith("c") else host.real).astype(dtype)
    x = ht.asarray(host, queue=queue)
    found, expected = ht.lapack.svdvals(x), np.linalg.svd(host, compute_uv=False)
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    np.testing.assert_allclose(ht.asnumpy(found), expected, rtol=3 * np.finfo(dtype).eps)
    on_the_queue_of(x, found)


@pytest.mark.parametrize("values", [[1e200, -1e200], [3e-200, 4e-200], [0.0, 0.0], [5e-324, 0.0]])
def test_the_singular_value_of_extreme_numbers(queue, values):
    host = np.asarray(values)[:, None]
    found = float(ht.linalg.matrix_norm(ht.asarray(host, queue=queue), ord=2))
    np.testing.assert_allclose(found, np.linalg.norm(host, 2), rtol=1e-15)
