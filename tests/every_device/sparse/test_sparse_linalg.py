"""Solvers, operators, eigenvalues and norms of sparse arrays, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as scipy_sparse
import scipy.sparse.linalg as scipy_linalg

import hither as ht
import hither.scipy.sparse as sparse
from hither.scipy.sparse import linalg

SIDE = 8


def laplacian(dtype="d"):
    line = scipy_sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(SIDE, SIDE))
    one = scipy_sparse.eye_array(SIDE)
    made = scipy_sparse.kron(line, one) + scipy_sparse.kron(one, line)
    return scipy_sparse.csr_array(made.astype(dtype))


def general(dtype="d"):
    """A matrix that is not symmetric, and far from singular."""
    rng = np.random.default_rng(1)
    size = SIDE * SIDE
    other = scipy_sparse.random_array((size, size), density=0.05, rng=rng)
    made = other + 4 * scipy_sparse.eye_array(size)
    if np.dtype(dtype).kind == "c":
        made = made + 0.5j * scipy_sparse.random_array((size, size), density=0.05, rng=rng)
    return scipy_sparse.csr_array(made.astype(dtype))


def right_side(size, dtype):
    rng = np.random.default_rng(2)
    b = rng.standard_normal(size)
    return (b + 1j * rng.standard_normal(size) if np.dtype(dtype).kind == "c" else b).astype(dtype)


SYMMETRIC, ANY = ("cg", "minres", "bicgstab", "gmres"), ("bicgstab", "gmres")
CASES = [(name, laplacian, t) for name in SYMMETRIC for t in "fd"]
CASES += [(name, general, t) for name in ANY for t in "fdFD"] + [("cg", laplacian, "D")]


@pytest.mark.parametrize(("name", "matrix", "dtype"), CASES)
def test_solutions(queue, name, matrix, dtype):
    a = matrix(dtype)
    b = right_side(a.shape[0], dtype)
    rtol = 1e-4 if dtype in "fF" else 1e-10
    solve, expected = getattr(linalg, name), getattr(scipy_linalg, name)
    right = ht.asarray(b, queue=queue)
    x, info = solve(sparse.csr_array(a, queue=queue), right, rtol=rtol)
    assert info == expected(a, b, rtol=rtol)[1] == 0
    assert (x.dtype, x.shape, x.queue) == (b.dtype, b.shape, queue)
    far = np.linalg.norm(a @ ht.asnumpy(x) - b) / np.linalg.norm(b)
    assert far <= rtol * (1e4 if name == "minres" else 1.5)


@pytest.mark.parametrize("name", ["cg", "bicgstab", "gmres"])
def test_first_guess_preconditioner_and_callback(queue, name):
    a = laplacian()
    b = right_side(a.shape[0], "d")
    mine, right = sparse.csr_array(a, queue=queue), ht.asarray(b, queue=queue)
    solve = getattr(linalg, name)
    scale = ht.asarray(1 / a.diagonal(), queue=queue)
    divided = linalg.LinearOperator(a.shape, matvec=lambda v: v * scale, dtype="d")
    steps = []
    x, info = solve(mine, right, rtol=1e-9, M=divided, callback=steps.append)
    assert info == 0 and len(steps) > 3
    again, info = solve(mine, right, x, rtol=1e-8)
    assert info == 0 and bool(ht.all(again == x))
    few, info = solve(mine, right, rtol=1e-12, maxiter=2)
    assert info == 2 and few.shape == x.shape
    zero, info = solve(mine, ht.zeros_like(right))
    assert info == 0 and not bool(ht.any(zero != 0))


def test_cg_takes_as_many_iterations(queue):
    a, steps, expected = laplacian(), [], []
    b = right_side(a.shape[0], "d")
    linalg.cg(sparse.csr_array(a, queue=queue), ht.asarray(b, queue=queue), callback=steps.append)
    scipy_linalg.cg(a, b, callback=expected.append)
    assert len(steps) == len(expected)


def test_gmres_with_few_vectors_and_residuals(queue):
    a = general()
    b = right_side(a.shape[0], "d")
    found, right = [], []
    options = {"rtol": 1e-10, "restart": 5, "callback_type": "pr_norm"}
    mine = sparse.csr_array(a, queue=queue)
    linalg.gmres(mine, ht.asarray(b, queue=queue), callback=found.append, **options)
    scipy_linalg.gmres(a, b, callback=right.append, **options)
    np.testing.assert_allclose(found, right, rtol=1e-5)


@pytest.mark.parametrize("dtype", "fdFD")
@pytest.mark.parametrize(
    "matrix",
    [np.zeros((3, 3)), np.diag([1.0, 0, 2]), np.eye(4, k=1), np.ones((2, 2)), np.zeros((1, 1)),
     np.diag([1.0, 1e-3, 0, 1e-3, 5])],
)  # fmt: skip
@pytest.mark.parametrize("maxiter", [1, 5, None])
def test_gmres_does_not_report_success_for_singular_systems(queue, matrix, dtype, maxiter):
    a = matrix.astype(dtype)
    b = np.arange(1.0, a.shape[0] + 1).astype(dtype)
    mine, right = sparse.csr_array(a, queue=queue), ht.asarray(b, queue=queue)
    expected = scipy_linalg.gmres(scipy_sparse.csr_array(a), b, maxiter=maxiter)[1]
    x, info = linalg.gmres(mine, right, maxiter=maxiter)
    assert info == expected > 0
    found = ht.asnumpy(x)
    assert np.linalg.norm(a @ found - b) <= np.linalg.norm(b) * 1.001  # x is no worse than 0
    told = []
    info = linalg.gmres(mine, right, maxiter=maxiter, callback=told.append)[1]
    assert info == expected and min(told) > 1e-5


def test_gmres_solves_singular_systems_that_have_a_solution(queue):
    a = np.diag([1.0, 0, 2])
    x, info = linalg.gmres(sparse.csr_array(a, queue=queue), ht.asarray([3.0, 0, 4], queue=queue))
    assert info == 0
    np.testing.assert_allclose(ht.asnumpy(x), [3, 0, 2], rtol=1e-10)


def test_gmres_reports_a_tolerance_that_rounding_does_not_allow(queue):
    a = scipy_sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(20, 20)).tocsr()
    b = right_side(20, "d")
    x, info = linalg.gmres(
        sparse.csr_array(a, queue=queue), ht.asarray(b, queue=queue), rtol=0, maxiter=3
    )
    assert info == scipy_linalg.gmres(a, b, rtol=0, maxiter=3)[1] == 3
    np.testing.assert_allclose(a @ ht.asnumpy(x), b, rtol=1e-10)


@pytest.mark.parametrize("dtype", ["d", "D"])
def test_operators(queue, dtype):
    a = general(dtype)
    expected, mine = (
        scipy_linalg.aslinearoperator(a),
        linalg.aslinearoperator(sparse.csr_array(a, queue=queue)),
    )
    x = right_side(a.shape[0], dtype)
    given = ht.asarray(x, queue=queue)
    for f in (
        lambda op, v: op @ v, lambda op, v: op.H @ v, lambda op, v: op.T @ v,
        lambda op, v: (2 * op + op @ op) @ v, lambda op, v: (op**3) @ v,
        lambda op, v: (op - op.H).rmatvec(v), lambda op, v: (-op / 2).T.H @ v,
        lambda op, v: op.rmatvec(v),
    ):  # fmt: skip
        np.testing.assert_allclose(
            ht.asnumpy(f(mine, given)), f(expected, x), rtol=1e-10, atol=1e-12
        )
    many = np.stack([x, 2 * x], axis=1)
    dense = ht.asarray(many, queue=queue)
    np.testing.assert_allclose(ht.asnumpy(mine @ dense), a @ many, rtol=1e-10)
    np.testing.assert_allclose(ht.asnumpy(mine.rmatmat(dense)), a.conj().T @ many, rtol=1e-10)


class Doubled(linalg.LinearOperator):
    """A subclass with one product."""

    def __init__(self, size):
        super().__init__("d", (size, size))

    def _matvec(self, x):
        return 2 * x


def test_subclasses_of_operators(queue):
    double = Doubled(3)
    assert (double @ ht.ones(3, queue=queue)).tolist() == [2, 2, 2]
    assert (double @ ht.ones((3, 2), queue=queue)).tolist() == [[2, 2]] * 3
    with pytest.raises(NotImplementedError):
        double.rmatvec(ht.ones(3, queue=queue))


def test_eigenvalues(queue):
    a = laplacian()
    mine = sparse.csr_array(a, queue=queue)
    right = scipy_linalg.eigsh(a, k=4, return_eigenvectors=False)
    values, vectors = linalg.eigsh(mine, k=4)
    np.testing.assert_allclose(np.sort(ht.asnumpy(values)), np.sort(right), rtol=1e-9)
    far = ht.asnumpy(mine @ vectors - vectors * values)
    assert abs(far).max() < 1e-8
    smallest = linalg.eigsh(mine, k=2, sigma=0.0, return_eigenvectors=False)
    assert abs(ht.asnumpy(smallest).min() - np.linalg.eigvalsh(a.toarray())[0]) < 1e-8


def test_generalized_eigenvalues(queue):
    a = laplacian()
    weights = np.linspace(1.0, 2.0, a.shape[0])
    mine = sparse.csr_array(a, queue=queue)
    mass = sparse.diags_array(ht.asarray(weights, queue=queue))
    divided = sparse.diags_array(ht.asarray(1 / weights, queue=queue))
    options = {"k": 3, "return_eigenvectors": False}
    right = scipy_linalg.eigsh(a, M=scipy_sparse.diags_array(weights), **options)
    for given in (mass, linalg.aslinearoperator(mass)):
        found = linalg.eigsh(mine, M=given, Minv=divided, **options)
        np.testing.assert_allclose(np.sort(ht.asnumpy(found)), np.sort(right), rtol=1e-9)
    # SciPy computes all eigenvalues from matrices only.
    with pytest.warns(RuntimeWarning), pytest.raises(TypeError):
        linalg.eigsh(mine, k=mine.shape[0], M=linalg.aslinearoperator(mass))


@pytest.mark.parametrize("dtype", ["d", "D"])
def test_singular_values(queue, dtype):
    a = general(dtype)[:, :40]
    mine = sparse.csr_array(a, queue=queue)
    u, s, vh = linalg.svds(mine, k=3)
    right = np.linalg.svd(a.toarray(), compute_uv=False)[:3]
    np.testing.assert_allclose(np.sort(ht.asnumpy(s)), np.sort(right), rtol=1e-8)
    product = ht.asnumpy(mine @ ht.conj(vh.T) - u * s)
    assert abs(product).max() < 1e-8


def test_norms(queue):
    a = general()
    mine = sparse.csr_array(a, queue=queue)
    for order in (None, "fro", 1, -1, np.inf, -np.inf, 2):
        found = float(linalg.norm(mine, order))
        assert found == pytest.approx(float(scipy_linalg.norm(a, order)), rel=1e-9)
    for axis in (0, 1):
        for order in (None, 0, 1, 2, 3, np.inf, -np.inf):
            found = ht.asnumpy(linalg.norm(mine, order, axis=axis))
            np.testing.assert_allclose(found, scipy_linalg.norm(a, order, axis=axis), rtol=1e-10)


def test_direct_solutions(queue):
    a = general()
    b = right_side(a.shape[0], "d")
    mine = sparse.csr_array(a, queue=queue)
    x = linalg.spsolve(mine, ht.asarray(b, queue=queue))
    assert x.queue == queue
    np.testing.assert_allclose(ht.asnumpy(x), scipy_linalg.spsolve(a, b), rtol=1e-10)
    two = linalg.spsolve(mine, ht.asarray(np.stack([b, -b], axis=1), queue=queue))
    np.testing.assert_allclose(ht.asnumpy(two[:, 1]), -ht.asnumpy(x), rtol=1e-10)
    inverse = linalg.inv(mine).toarray()
    np.testing.assert_allclose(ht.asnumpy(mine @ inverse), np.eye(a.shape[0]), atol=1e-10)
    one = linalg.inv(sparse.csr_array([[4.0]], queue=queue))  # SciPy's has one dimension
    assert one.toarray().tolist() == [[0.25]]


def test_refused_arguments(queue):
    mine = sparse.csr_array(laplacian(), queue=queue)
    b = ht.ones(mine.shape[0], queue=queue)
    for call in (
        lambda: linalg.cg(mine[:5], b), lambda: linalg.cg(mine, b[:5]),
        lambda: linalg.cg(mine, b, b[:5]), lambda: linalg.gmres(mine, b, callback_type="y"),
        lambda: linalg.cg(mine, b, atol="legacy"), lambda: linalg.cg(mine, b, M=mine[:5]),
        lambda: linalg.minres(mine.astype("D"), b), lambda: linalg.eigsh(mine, k=0),
        lambda: linalg.svds(mine, k=1000), lambda: linalg.svds(mine, k="1"),
        lambda: linalg.svds(mine, k=1.5), lambda: linalg.norm(mine, 7),
        lambda: linalg.spsolve(mine[:5], b), lambda: linalg.LinearOperator((2,), lambda v: v, "d"),
        lambda: linalg.aslinearoperator(mine).matvec(b[:5]),
    ):  # fmt: skip
        with pytest.raises(ValueError):
            call()
    with pytest.raises(TypeError):
        linalg.aslinearoperator("matrix")
    with pytest.raises(AttributeError, match=r"scipy\.sparse\.linalg\.lobpcg"):
        linalg.lobpcg  # noqa: B018


def test_singular_matrices(queue):
    """As in SciPy: inv() and spsolve() of a sparse matrix b refuse them."""
    mine = sparse.csr_array([[1.0, 2.0], [2.0, 4.0]], queue=queue)
    for matrix in (mine, mine * 0, mine.tocoo(), sparse.csc_array([[0.0]], queue=queue)):
        with pytest.raises(RuntimeError, match=r"inv: A: .*singular"):
            linalg.inv(matrix)
    with pytest.raises(ht.LinAlgError, match=r"spsolve: A: .*singular"):
        linalg.spsolve(mine, sparse.eye_array(2, queue=queue))
    with pytest.warns(scipy_linalg.MatrixRankWarning):
        x = linalg.spsolve(mine, ht.ones(2, queue=queue))
    assert bool(ht.all(ht.isnan(x)))
    found = linalg.spsolve(
        sparse.csr_array(general(), queue=queue), sparse.eye_array(64, queue=queue)
    )
    np.testing.assert_allclose(found.toarray().get() @ general().toarray(), np.eye(64), atol=1e-10)


REFUSED = [
    ("cg", "A is SciPy's csr_array; convert it", lambda a, b: linalg.cg(laplacian(), b)),
    ("eigsh", "A is SciPy's csr_array; convert it", lambda a, b: linalg.eigsh(laplacian())),
    ("cg", "M has shape", lambda a, b: linalg.cg(a, b, M=b)),
    ("cg", "rtol is 'a'", lambda a, b: linalg.cg(a, b, rtol="a")),
    ("minres", "rtol is None", lambda a, b: linalg.minres(a, b, rtol=None)),
    ("cg", "maxiter is 1.5; it must be an integer", lambda a, b: linalg.cg(a, b, maxiter=1.5)),
    ("bicgstab", "maxiter is 'a'", lambda a, b: linalg.bicgstab(a, b, maxiter="a")),
    ("gmres", "restart is 0; it must be at least 1", lambda a, b: linalg.gmres(a, b, restart=0)),
    ("gmres", "restart is 2.5", lambda a, b: linalg.gmres(a, b, restart=2.5)),
    ("minres", "maxiter is 1.5", lambda a, b: linalg.minres(a, b, maxiter=1.5)),
    ("eigsh", "v0 has shape (9,)", lambda a, b: linalg.eigsh(a, k=2, v0=b[:9])),
    ("svds", "v0 has shape (9,)", lambda a, b: linalg.svds(a, k=2, v0=b[:9])),
    ("LinearOperator", "matvec is missing", lambda a, b: linalg.LinearOperator((3, 3))),
    ("LinearOperator", "shape and matvec are missing", lambda a, b: linalg.LinearOperator()),
    ("LinearOperator", "matvec is ", lambda a, b: linalg.LinearOperator((3, 3), b)),
    ("LinearOperator", "shape is 3;", lambda a, b: linalg.LinearOperator(3, lambda v: v)),
    ("matvec", "the function gave an array of shape (2,); an operator of shape (3, 3)",
     lambda a, b: linalg.LinearOperator((3, 3), lambda v: v[:2])),
]  # fmt: skip


@pytest.mark.parametrize(("function", "message", "call"), REFUSED)
def test_errors_name_the_function_and_the_argument(queue, function, message, call):
    a = sparse.csr_array(laplacian(), queue=queue)
    with pytest.raises((ht.InvalidValueError, ht.InvalidTypeError)) as caught:
        call(a, ht.ones(SIDE * SIDE, queue=queue))
    assert str(caught.value).startswith(f"{function}: {message}")
