"""Sparse arrays compared with SciPy's: constructors, conversions, operators and reductions."""

from __future__ import annotations

import operator
import warnings

import numpy as np
import pytest
import scipy.sparse as scipy_sparse
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
import hither.scipy.sparse as sparse
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

KINDS = st.booleans()


pytestmark = pytest.mark.usefixtures("either_way")


@SETTINGS
@given(
    dtype=dtypes, format=formats, to=formats, shape=shapes, seed=seeds, index=index_dtypes,
    duplicates=KINDS,
)  # fmt: skip
def test_conversions(queue, dtype, format, to, shape, seed, index, duplicates):
    expected = drawn(seed, shape, dtype, format, duplicates, index)
    mine = own(expected, queue)
    same(mine, expected)
    same(mine.asformat(to), expected)
    same(mine.T, expected.T)
    back = mine.get()
    assert type(back) is type(expected)
    np.testing.assert_array_equal(back.toarray(), expected.toarray())
    if format != "coo":
        assert mine.indices.dtype == index
        np.testing.assert_array_equal(back.indices, expected.indices)
    dense = ht.asarray(expected.toarray(), queue=queue)
    same(getattr(sparse, f"{to}_array")(dense), expected)


@pytest.mark.parametrize("name", ["csr_array", "csc_array", "coo_array", "csr_matrix"])
def test_constructors(queue, name):
    kind = getattr(sparse, name)
    empty = kind((3, 4), queue=queue)
    assert (empty.shape, empty.nnz, empty.dtype) == ((3, 4), 0, np.float64)
    assert kind((3, 4), dtype=np.int8, queue=queue).dtype == np.int8
    row, column, data = (ht.asarray(x, queue=queue) for x in ([0, 2], [3, 1], [5.0, 6.0]))
    made = kind((data, (row, column)), shape=(3, 4))
    right = scipy_sparse.coo_array(([5.0, 6.0], ([0, 2], [3, 1])), shape=(3, 4))
    assert made.queue == queue
    np.testing.assert_array_equal(ht.asnumpy(made.toarray()), right.toarray())
    assert kind((data, (row, column))).shape == (3, 4)
    assert kind([[1, 0], [0, 2]], queue=queue).nnz == 2
    assert kind(made).nnz == 2 and kind(made, dtype="f").dtype == np.float32


def test_arrays_are_shared(queue):
    data, indices, indptr = (ht.asarray(x, queue=queue) for x in ([1.0, 2.0], [0, 1], [0, 1, 2]))
    made = sparse.csr_array((data, indices, indptr))
    assert made.data is data and made.indices is indices
    data[0] = 7.0
    assert made.toarray().tolist() == [[7.0, 0.0], [0.0, 2.0]]


@SETTINGS
@given(
    dtype=dtypes, format=formats, second=formats, shape=shapes, seed=seeds, duplicates=KINDS,
    name=st.sampled_from(["add", "sub", "mul", "ne", "lt", "gt"]),
)  # fmt: skip
def test_operators_of_two(queue, dtype, format, second, shape, seed, duplicates, name):
    if (name == "sub" and dtype == "?") or (name in ("lt", "gt") and dtype in "FD"):
        return
    a = drawn(seed, shape, dtype, format, duplicates)
    b = drawn(seed + 1, shape, dtype, second)
    function = getattr(operator, name)
    same(function(own(a, queue), own(b, queue)), function(a, b))
    x = values(np.random.default_rng(seed), shape, dtype)
    dense = ht.asarray(x, queue=queue)
    result = function(own(a, queue), dense)
    if name == "mul":
        same(result, function(a, x))
    else:
        same(result, function(a.toarray(), x))
    if name == "add":
        same(dense + own(a, queue), x + a.toarray())


@SETTINGS
@given(dtype=dtypes, format=formats, shape=shapes, seed=seeds)
def test_numbers_and_functions(queue, dtype, format, shape, seed):
    a = drawn(seed, shape, dtype, format)
    mine = own(a, queue)
    same(mine * 3, a * 3)
    same(2.5 * mine, 2.5 * a)
    same(mine / 2, a / 2)
    same(abs(mine), abs(a))
    if dtype != "?":
        same(-mine, -a)
        same(mine.power(2), a.power(2))
        same(mine.sign(), a.sign())
    same(mine.conj(), a.conj())
    same(mine.astype("D"), a.astype("D"))
    same(mine != 0, a != 0)
    if dtype not in "FD?":
        same(mine > 1, a > 1)
        if dtype not in "BIL":
            same(mine.maximum(-1), a.maximum(-1), dtype=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same(mine.maximum(1), a.maximum(1), dtype=False)
            same(mine <= 1, a <= 1)
            same(mine == 0, a == 0)


@SETTINGS
@given(
    dtype=dtypes, format=formats, shape=shapes, seed=seeds, duplicates=KINDS,
    axis=st.sampled_from([None, 0, 1, -1]),
)  # fmt: skip
def test_reductions(queue, dtype, format, shape, seed, duplicates, axis):
    a = drawn(seed, shape, dtype, format, duplicates)
    mine = own(a, queue)
    same(mine.sum(axis=axis), a.sum(axis=axis))
    count = shape[0] * shape[1] if axis is None else shape[axis]
    if count == 0:
        with pytest.raises(ValueError):
            mine.mean(axis=axis)
        return
    same(mine.mean(axis=axis), a.mean(axis=axis))
    assert mine.count_nonzero() == np.count_nonzero(a.toarray())
    if dtype in "FD":
        return
    dense = a.toarray()
    for name in ("max", "min"):
        result = getattr(mine, name)(axis=axis)
        result = result.toarray() if sparse.issparse(result) else result
        same(result, getattr(dense, name)(axis=axis))
    if dtype != "?":
        for name in ("argmax", "argmin"):
            same(getattr(mine, name)(axis=axis), getattr(dense, name)(axis=axis))


def test_extremes_with_nans(queue):
    dense = np.array([[0, np.nan, 2.0], [-1, 0, -3], [-1, -2, -3], [0, 0, 0]])
    mine = sparse.csr_array(dense, queue=queue)
    for axis in (None, 0, 1):
        for name in ("max", "min", "nanmax", "nanmin"):
            result = getattr(mine, name)(axis=axis)
            result = result.toarray() if sparse.issparse(result) else result
            same(result, getattr(np, name)(dense, axis=axis))
        for name in ("argmax", "argmin"):
            same(getattr(mine, name)(axis=axis), getattr(np, name)(dense, axis=axis))


@SETTINGS
@given(dtype=dtypes, format=formats, shape=shapes, seed=seeds, k=st.integers(-8, 8))
def test_diagonals_and_triangles(queue, dtype, format, shape, seed, k):
    a = drawn(seed, shape, dtype, format)
    mine = own(a, queue)
    same(mine.diagonal(k), a.toarray().diagonal(k) if 0 not in shape else a.diagonal(k))
    same(sparse.tril(mine, k), scipy_sparse.tril(a, k))
    same(sparse.triu(mine, k), scipy_sparse.triu(a, k))


@SETTINGS
@given(dtype=dtypes, format=formats, shape=shapes, seed=seeds)
def test_shapes(queue, dtype, format, shape, seed):
    a = drawn(seed, shape, dtype, format)
    mine = own(a, queue)
    same(mine.reshape(shape[1], shape[0]), a.reshape(shape[1], shape[0]))
    same(mine.reshape(shape[1], shape[0], order="F"), a.reshape(shape[1], shape[0], order="F"))
    flat = mine.reshape(-1 if 0 not in shape else 0)
    np.testing.assert_array_equal(ht.asnumpy(flat.toarray()), a.toarray().ravel())
    mine.resize(3, 8)
    a.resize(3, 8)
    same(mine, a)


@pytest.mark.parametrize("name", ["csr", "csc", "coo"])
def test_duplicates_and_zeros(queue, name):
    a = drawn(1, (9, 9), "d", name, duplicates=True)
    mine = own(a, queue)
    assert not mine.has_canonical_format
    mine.sum_duplicates()
    assert mine.has_canonical_format and mine.nnz < a.nnz
    same(mine, a)
    mine.eliminate_zeros()
    assert mine.nnz == np.count_nonzero(a.toarray())
    same(mine, a)


@pytest.mark.parametrize("name", ["csr", "csc", "coo"])
def test_joining(queue, name):
    a, b = drawn(1, (5, 6), "f", name), drawn(2, (5, 6), "d", "csr")
    x, y = own(a, queue), own(b, queue)
    same(sparse.vstack([x, y]), scipy_sparse.vstack([a, b]))
    same(sparse.hstack([x, y]), scipy_sparse.hstack([a, b]))
    grid, expected = [[x, None], [None, y.T]], [[a, None], [None, b.T]]
    same(sparse.block_array(grid), scipy_sparse.block_array(expected))
    same(sparse.block_diag([x, y, x]), scipy_sparse.block_diag([a, b, a]))
    same(sparse.kron(x, y), scipy_sparse.kron(a, b))
    square, other = drawn(3, (5, 5), "d"), drawn(4, (3, 3), "d")
    same(sparse.kronsum(own(square, queue), own(other, queue)), scipy_sparse.kronsum(square, other))


def test_making(queue):
    with ht.device_context(queue):
        same(sparse.eye_array(4, 6, k=1), scipy_sparse.eye_array(4, 6, k=1))
        assert sparse.eye_array(4, k=-9).nnz == 0
        given = [[1.0, 2.0, 3.0], [4.0, 5.0]], [0, 1]
        same(sparse.diags_array(given[0], offsets=given[1]),
             scipy_sparse.diags_array(given[0], offsets=given[1]))  # fmt: skip
        same(sparse.diags_array([-2.0, 1.0], offsets=[0, -3], shape=(5, 7)),
             scipy_sparse.diags_array([-2.0, 1.0], offsets=[0, -3], shape=(5, 7)))  # fmt: skip
        data = np.arange(12.0).reshape(3, 4)
        same(sparse.spdiags(data, [0, -1, 2], 4, 4), scipy_sparse.spdiags(data, [0, -1, 2], 4, 4))
        drawn_one = sparse.random_array((30, 40), density=0.25, rng=1)
        assert drawn_one.nnz == 300 and drawn_one.queue == queue
        drawn_one.sum_duplicates()
        assert drawn_one.nnz == 300
        row, column, data = sparse.find(sparse.csr_array([[0, 3], [4, 0]]))
        assert (row.tolist(), column.tolist(), data.tolist()) == ([0, 1], [1, 0], [3, 4])


def test_placement(queue):
    a = own(drawn(1, (5, 6), "d"), queue)
    for result in (a + a, a @ a.T, a[1:3], a.sum(axis=0), a @ ht.ones(6, queue=queue), 2 * a):
        assert result.queue == queue
    with pytest.raises(ht.PlacementError):
        a @ np.ones(6)
    with pytest.raises(ht.PlacementError):
        np.ones((2, 5)) @ a


BAD = {
    "negative shape": lambda q: sparse.csr_array((-1, 2), queue=q),
    "three extents": lambda q: sparse.csr_array(np.ones((2, 2, 2)), queue=q),
    "one extent": lambda q: sparse.csc_array(np.ones(3), queue=q),
    "another shape": lambda q: sparse.csr_array(np.ones((2, 2)), shape=(3, 3), queue=q),
    "column too large": lambda q: sparse.csr_array(([1.0], [5], [0, 1]), shape=(1, 5), queue=q),
    "negative column": lambda q: sparse.csr_array(([1.0], [-1], [0, 1]), shape=(1, 5), queue=q),
    "row too large": lambda q: sparse.coo_array(([1.0], ([2], [0])), shape=(2, 2), queue=q),
    "short indptr": lambda q: sparse.csr_array(([1.0], [0], [0, 1]), shape=(3, 3), queue=q),
    "falling indptr": lambda q: sparse.csr_array(
        ([1.0, 2.0], [0, 0], [0, 2, 1, 2]), shape=(3, 3), queue=q
    ),
    "long indptr": lambda q: sparse.csr_array(([1.0], [0], [0, 4]), shape=(1, 1), queue=q),
    "first pointer": lambda q: sparse.csr_array(([1.0], [0], [1, 1]), shape=(1, 1), queue=q),
    "unequal lengths": lambda q: sparse.coo_array(([1.0, 2.0], ([0], [0])), queue=q),
    "no shape": lambda q: sparse.coo_array(([], ([], [])), queue=q),
    "add shapes": lambda q: sparse.csr_array((2, 3), queue=q) + sparse.csr_array((3, 2), queue=q),
    "product": lambda q: sparse.csr_array((2, 3), queue=q) @ ht.ones(2, queue=q),
    "sparse product": lambda q: sparse.csr_array((2, 3), queue=q) @ sparse.eye_array(2, queue=q),
    "number": lambda q: sparse.csr_array((2, 3), queue=q) @ 2,
    "axis": lambda q: sparse.csr_array((2, 3), queue=q).sum(axis=2),
    "reshape": lambda q: sparse.csr_array((2, 3), queue=q).reshape(4, 2),
    "truth": lambda q: bool(sparse.csr_array((2, 3), queue=q)),
    "empty extreme": lambda q: sparse.csr_array((0, 3), queue=q).max(),
    "blocks": lambda q: sparse.vstack([sparse.eye_array(2, queue=q), sparse.eye_array(3, queue=q)]),
    "diagonal": lambda q: sparse.diags_array([[1.0, 2.0]], offsets=[0], shape=(3, 3), queue=q),
    "density": lambda q: sparse.random_array((3, 3), density=2.0, queue=q),
    "format": lambda q: sparse.eye_array(3, queue=q).asformat("dia"),
}


@pytest.mark.parametrize("case", BAD)
def test_refused_arguments(queue, case):
    with pytest.raises(ValueError, match=r"."):
        BAD[case](queue)


def test_numbers_added_to_sparse_arrays_are_refused(queue):
    a = sparse.eye_array(3, queue=queue)
    with pytest.raises(NotImplementedError, match="dense"):
        a + 1
    with pytest.raises(TypeError):
        len(a)
    with pytest.raises(TypeError):
        sparse.csr_array(([1.0], ["x"], [0, 1]), shape=(1, 1), queue=queue)


@pytest.mark.either_mode
def test_absent_names_tell_scipys_name():
    for name, text in (("dia_array", "scipy.sparse.dia_array"), ("csr_arry", "csr_array")):
        with pytest.raises(AttributeError, match=text):
            getattr(sparse, name)
    with pytest.raises(AttributeError, match=r"scipy\.optimize"):
        ht.scipy.optimize  # noqa: B018


def test_axes_of_a_transpose_and_orders_of_memory(queue):
    for format in ("csr", "csc", "coo"):
        a = drawn(4, (5, 3), "f", format)
        mine = own(a, queue)
        same(mine.transpose(axes=(1, 0)), a.transpose(axes=(1, 0)))
        for order in ("C", "F"):
            dense = mine.toarray(order=order)
            assert dense.strides == a.toarray(order=order).strides
            same(dense, a.toarray())
        for axes in ((0, 0), (0, 1, 2), (0, 2), 0):
            with pytest.raises(ValueError):
                mine.transpose(axes=axes)
    for axes in ((0, 1), (-1, -2)):
        same(mine.transpose(axes=axes), a.transpose(axes=axes))
    assert sparse.csr_array[np.float64].__origin__ is sparse.csr_array


def test_pickles_and_copies(queue):
    a = own(drawn(3, (9, 9), "d"), queue)
    twice = a.copy()
    twice.data[:] = 0
    assert a.count_nonzero() > 0 and twice.count_nonzero() == 0
    text = str(a)
    assert "Compressed Sparse Row" in text and f"{a.nnz} stored elements" in text


def test_integers_of_64_bits_stay_exact(queue):
    large = 2**63 + 1
    made = sparse.coo_array(([large, 1], ([0, 1], [0, 1])), dtype=np.uint64, queue=queue)
    assert made.toarray().tolist() == [[large, 0], [0, 1]]
    assert (made @ made).toarray().tolist() == [[large * large % 2**64, 0], [0, 1]]
