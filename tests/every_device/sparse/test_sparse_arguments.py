"""Arguments of constructors of sparse arrays that SciPy converts."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as scipy_sparse

import hither as ht
import hither.numpy as hnp
import hither.scipy.sparse as sparse
from hither.scipy.sparse import linalg
from sparse_values import same


@pytest.mark.parametrize("kind", ["float64", "float32", "float16", "bool", "uint8"])
def test_indices_of_other_dtypes(queue, kind):
    """numpy.kron of integers and numpy.ones gives float indices, which finite-element programs use.
    Fractions are lost, as in SciPy."""
    row, column = np.array([0, 1, 1]), np.array([1, 0, 1])
    data, fraction = np.array([3.0, 4.0, 5.0]), 0.75 if kind[0] == "f" else 0
    given = [(x + fraction).astype(kind) for x in (row, column)]
    wanted = scipy_sparse.coo_array((data, tuple(given)), shape=(2, 2))
    mine = sparse.coo_array((data, tuple(given)), shape=(2, 2), queue=queue)
    same(mine, wanted)
    same(sparse.csr_matrix((data, tuple(given)), queue=queue), wanted)
    indptr = np.array([0, 1, 3])
    given = [(x + fraction).astype(kind) for x in (column, indptr)]
    if kind != "bool":
        same(sparse.csr_array((data, *given), shape=(2, 2), queue=queue),
             scipy_sparse.csr_array((data, *given), shape=(2, 2)))  # fmt: skip


def test_indices_that_are_no_numbers_are_refused(queue):
    for wrong in (np.nan, np.inf, -1.0, 2.0):
        with pytest.raises(ValueError, match="row contains"):
            sparse.coo_array(([1.0], ([wrong], [0])), shape=(2, 2), queue=queue)
    with pytest.raises(TypeError, match="row has dtype complex128"):
        sparse.coo_array(([1.0], ([1j], [0])), shape=(2, 2), queue=queue)


def _generators(seed):
    return {
        "rng": [seed, np.random.default_rng(seed), np.random.SeedSequence(seed)],
        "random_state": [seed, np.random.RandomState(seed), np.random.default_rng(seed)],
    }


@pytest.mark.parametrize("dtype", ["float32", "int16", "complex128"])
@pytest.mark.parametrize("name", ["rng", "random_state"])
def test_random_arrays_are_scipys(queue, name, dtype):
    for mine, scipys in zip(_generators(5)[name], _generators(5)[name], strict=True):
        same(
            sparse.random_array((30, 40), density=0.1, dtype=dtype, queue=queue, **{name: mine}),
            scipy_sparse.random_array((30, 40), density=0.1, dtype=dtype, **{name: scipys}),
        )
        same(sparse.random(9, 7, 0.5, "csr", dtype, queue=queue, **{name: mine}),
             scipy_sparse.random(9, 7, 0.5, "csr", dtype, **{name: scipys}))  # fmt: skip


def test_random_arrays_of_shared_generators(queue, monkeypatch):
    # Other tests of the process may have seeded it; then it would be used instead of NumPy's.
    monkeypatch.setattr(hnp.random._shared, "_was_seeded", False)
    np.random.seed(3)
    mine = sparse.rand(30, 40, 0.1, queue=queue)
    np.random.seed(3)
    same(mine, scipy_sparse.rand(30, 40, 0.1))
    made = []
    for _ in range(2):
        hnp.random.seed(4)
        made.append(sparse.rand(30, 40, 0.1, queue=queue).toarray())
    assert bool(ht.all(made[0] == made[1]))
    assert bool(ht.any(made[0] != sparse.rand(30, 40, 0.1, queue=queue).toarray()))
    own = [sparse.rand(30, 40, 0.1, rng=hnp.random.default_rng(2), queue=queue) for _ in range(2)]
    assert (own[0] != own[1]).nnz == 0


@pytest.mark.either_mode
def test_arguments_of_generators_that_are_refused(queue):
    with pytest.raises(TypeError, match="rng and random_state are two names"):
        sparse.random(3, 3, rng=1, random_state=1, queue=queue)
    for name in ("rng", "random_state"):
        with pytest.raises(TypeError, match=f"{name} is 'x'; pass a seed or a generator"):
            sparse.rand(3, 3, queue=queue, **{name: "x"})
        with pytest.raises(ValueError, match=f"{name} is -1"):
            sparse.rand(3, 3, queue=queue, **{name: -1})
    matrix = sparse.random_array((20, 15), density=0.5, rng=1, queue=queue)
    values = linalg.svds(matrix, k=3, random_state=2, return_singular_vectors=False)
    np.testing.assert_allclose(
        np.sort(ht.asnumpy(values)), np.linalg.svd(matrix.get().toarray())[1][2::-1], rtol=1e-6
    )


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float8_e5m2"])
def test_products_of_float8_are_refused(queue, kind):
    """Nothing is computed in float8; a product would add its bits as integers."""
    pytest.importorskip("ml_dtypes")
    x = ht.asarray(np.linspace(0.1, 2, 12).reshape(3, 4), dtype=kind, queue=queue)
    stored, plain = sparse.csr_array(x), sparse.eye_array(4, queue=queue)
    products = [
        lambda: stored @ x[0], lambda: stored @ x.T, lambda: x.T @ stored,
        lambda: stored @ stored.T, lambda: stored.tocoo() @ x[0], lambda: stored.dot(x[0]),
        lambda: plain @ x[0], lambda: stored @ plain,
    ]  # fmt: skip
    for product in products:
        with pytest.raises(TypeError, match=f"{kind} is a dtype for storage"):
            product()
    same(stored.astype("float32") @ x[0].astype("float32"),
         x.astype("float32").get() @ x[0].astype("float32").get())  # fmt: skip


@pytest.mark.either_mode
def test_absent_formats_tell_what_to_use():
    for name, text in (
        ("dia_array", "spdiags"), ("lil_matrix", "csr_array takes assignments"),
        ("dok_array", "coo_array"), ("bsr_matrix", "csr_array holds"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=text):
            getattr(sparse, name)


@pytest.mark.either_mode
def test_operands_on_other_queues_are_named(queue):
    other = ht.Queue(ht.Context(queue.device), queue.device)
    A, B = (sparse.csr_array(np.eye(3), queue=q) for q in (queue, other))  # noqa: N806
    x = ht.ones(3, queue=other)
    for operation in (
        lambda: A @ x, lambda: x @ A, lambda: A @ B, lambda: A + B, lambda: A.multiply(B),
        lambda: A + ht.ones((3, 3), queue=other), lambda: A != B, lambda: linalg.cg(A, x),
    ):  # fmt: skip
        with pytest.raises(ht.PlacementError, match=r"an operand is on a queue|b is on"):
            operation()
    moved = A @ x.to_device(A.queue) + (B.to_device(A.queue) @ ht.ones(3, queue=queue))
    assert moved.tolist() == [2.0, 2.0, 2.0]


@pytest.mark.either_mode
def test_operands_of_scipy_are_named(queue):
    """Both classes have the same name."""
    other = scipy_sparse.csr_array(np.eye(2))
    mine = sparse.csr_array(other, queue=queue)
    for operation in (
        lambda: mine + other, lambda: other + mine, lambda: mine - other, lambda: other - mine,
        lambda: mine * other, lambda: other * mine, lambda: mine @ other, lambda: other @ mine,
        lambda: mine / other, lambda: other / mine, lambda: mine < other, lambda: mine == other,
        lambda: mine.multiply(other), lambda: mine.dot(other), lambda: mine.maximum(other),
    ):  # fmt: skip
        with pytest.raises(ht.InvalidTypeError, match=r"SciPy's csr_array; convert it with hither"):
            operation()


@pytest.mark.either_mode
def test_absent_methods_tell_scipys_name(queue):
    for name in ("csr_array", "csc_matrix", "coo_array"):
        a = getattr(sparse, name)(np.eye(2), queue=queue)
        for method in ("tolil", "todok", "todia", "tobsr"):
            with pytest.raises(AttributeError, match=rf"scipy\.sparse\.{name}\.{method} works"):
                getattr(a, method)
        with pytest.raises(AttributeError, match='did you mean "toarray"'):
            a.toaray  # noqa: B018
        assert not hasattr(a, "__array_interface__")


@pytest.mark.either_mode
@pytest.mark.parametrize("name", ["csr_array", "csc_array", "coo_array", "csr_matrix"])
def test_shapes_of_three_extents_are_refused(queue, name):
    with pytest.raises(ht.InvalidValueError, match=r"\(2, 3, 4\) has 3 extents"):
        getattr(sparse, name)((2, 3, 4), queue=queue)
