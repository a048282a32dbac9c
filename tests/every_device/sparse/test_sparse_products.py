"""Products of sparse arrays with vectors, matrices and sparse arrays, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as scipy_sparse
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
import hither.scipy.sparse as sparse
from hither.scipy.sparse import _products
from sparse_values import (
    SETTINGS,
    drawn,
    dtypes,
    formats,
    index_dtypes,
    own,
    same,
    seeds,
    shapes,
    values,
)  # fmt: skip

pytestmark = pytest.mark.usefixtures("either_way")


@SETTINGS
@given(
    dtype=dtypes, other=dtypes, format=formats, shape=shapes, seed=seeds, index=index_dtypes,
    duplicates=st.booleans(), columns=st.sampled_from([None, 0, 1, 3]),
)  # fmt: skip
def test_with_a_dense_array(queue, dtype, other, format, shape, seed, index, duplicates, columns):
    expected = drawn(seed, shape, dtype, format, duplicates, index)
    rng = np.random.default_rng(seed)
    after = () if columns is None else (columns,)
    x = values(rng, (shape[1], *after), other)
    # SciPy's own product has no dimension for a COO array of one element.
    right = np.reshape(expected @ x, (shape[0], *after))
    same(own(expected, queue) @ ht.asarray(x, queue=queue), right)


@SETTINGS
@given(dtype=dtypes, format=formats, shape=shapes, seed=seeds, rows=st.sampled_from([None, 1, 3]))
def test_of_a_dense_array_from_the_left(queue, dtype, format, shape, seed, rows):
    expected = drawn(seed, shape, dtype, format)
    before = () if rows is None else (rows,)
    x = values(np.random.default_rng(seed), (*before, shape[0]), dtype)
    same(ht.asarray(x, queue=queue) @ own(expected, queue), x @ expected.toarray())


@SETTINGS
@given(
    dtype=dtypes, format=formats, second=formats, shape=shapes, seed=seeds,
    duplicates=st.booleans(),
)  # fmt: skip
def test_of_two_sparse_arrays(queue, dtype, format, second, shape, seed, duplicates):
    a = drawn(seed, shape, dtype, format, duplicates)
    b = drawn(seed + 1, shape[::-1], dtype, second)
    same(own(a, queue) @ own(b, queue), a @ b)


@pytest.mark.parametrize("dtype", ["?", "i", "f", "d", "D"])
def test_long_rows_are_divided(queue, dtype):
    rng = np.random.default_rng(1)
    row = np.repeat([0, 2, 3, 7], [_products._PIECE * 9 + 5, 1, 5000, 17])
    column = rng.integers(0, 300, row.size)
    data = values(rng, row.size, dtype)
    made = scipy_sparse.csr_array(
        (data, column, np.searchsorted(row, np.arange(9))), shape=(8, 300)
    )
    for shape in ((300,), (300, 3)):
        x = values(rng, shape, dtype)
        result = own(made, queue) @ ht.asarray(x, queue=queue)
        dense = np.zeros((8, 300), np.result_type(dtype, np.int32) if dtype == "i" else dtype)
        (np.logical_or if dtype == "?" else np.add).at(dense, (row, column), data)
        same(result, (dense @ x).astype(result.dtype))


def test_partial_products_are_computed_in_parts(queue, monkeypatch):
    monkeypatch.setattr(_products, "_MOST_PRODUCTS", 10)
    a, b = drawn(3, (33, 17), "d"), drawn(4, (17, 33), "d")
    same(own(a, queue) @ own(b, queue), a @ b)


def test_a_product_reads_values_that_are_written_later(queue):
    """A pending product has the values of its call."""
    a = own(scipy_sparse.csr_array(np.eye(4)), queue)
    x = ht.asarray(np.arange(4.0), queue=queue)
    y = a @ x
    x[:] = 7.0
    a.data[:] = 5.0
    a.indptr[:] = 0
    assert y.tolist() == [0, 1, 2, 3]


def test_views_and_transposes_of_dense_arrays(queue):
    a = drawn(5, (33, 17), "d")
    x = np.random.default_rng(0).random((40, 34))
    moved = ht.asarray(x, queue=queue)
    same(own(a, queue) @ moved[3:20], a @ x[3:20])
    same(own(a, queue) @ moved.T[::2], a @ x.T[::2])
    same(own(a, queue) @ moved[5, ::2], a @ x[5, ::2])
    same(own(a, queue) @ ht.broadcast_to(moved[0, 0], (17,)), a @ np.full(17, x[0, 0]))
    same(own(a, queue) @ ht.full((17,), 2.0, queue=queue), a @ np.full(17, 2.0))


def test_powers_of_a_matrix(queue):
    a = drawn(6, (9, 9), "d")
    matrix = sparse.csr_matrix(a, queue=queue)
    for power in range(5):
        same(matrix**power, scipy_sparse.csr_matrix(a) ** power)
    for power in (-1, 0.5, 1 + 1j):
        with pytest.raises(ValueError, match="the power is"):
            matrix**power
    with pytest.raises(TypeError, match="must be square"):
        matrix[:3] ** 2


def test_results_are_the_same_each_time(queue):
    a = own(drawn(8, (33, 17), "f", duplicates=True), queue)
    x = ht.asarray(np.random.default_rng(0).random(17).astype("f"), queue=queue)
    first = (a @ x).tolist()
    assert all((a @ x).tolist() == first for _ in range(3))
