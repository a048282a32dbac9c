"""Elements and parts of sparse arrays, and assignment, compared with NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as scipy_sparse
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
import hither.scipy.sparse as sparse
from sparse_values import SETTINGS, drawn, dtypes, formats, own, seeds

SHAPE = (9, 7)
AXIS = [
    st.one_of(
        st.integers(-n, n - 1),
        st.slices(n),
        st.lists(st.integers(-n, n - 1), min_size=1, max_size=5).map(np.array),
        st.lists(st.booleans(), min_size=n, max_size=n).map(np.array),
    )
    for n in SHAPE
]
COMPRESSED = st.sampled_from(["csr", "csc"])


def is_array(key):
    return isinstance(key, np.ndarray)


def same_values(found, right):
    found = found.toarray() if sparse.issparse(found) else found
    np.testing.assert_array_equal(ht.asnumpy(found), right)


@SETTINGS
@given(dtype=dtypes, format=formats, seed=seeds, row=AXIS[0], column=AXIS[1], one=st.booleans())
def test_reading(queue, dtype, format, seed, row, column, one):
    a = drawn(seed, SHAPE, dtype, format, duplicates=True)
    key = row if one else (row, column)
    try:
        right = a.toarray()[key]
    except IndexError:  # index arrays that do not fit each other
        with pytest.raises(IndexError):
            own(a, queue)[key]
        return
    same_values(own(a, queue)[key], right)


@SETTINGS
@given(
    dtype=dtypes, format=COMPRESSED, seed=seeds, row=AXIS[0], column=AXIS[1], whole=st.booleans()
)  # fmt: skip
def test_writing(queue, dtype, format, seed, row, column, whole):
    a = drawn(seed, SHAPE, dtype, format)
    dense, mine = a.toarray(), own(a, queue)
    try:
        shape = dense[row, column].shape
    except IndexError:
        return
    value = np.ones(shape if whole else (), dtype)
    dense[row, column] = value
    mine[row, column] = ht.asarray(value, queue=queue) if whole else 1
    same_values(mine, dense)


def test_the_last_of_several_values_counts(queue):
    mine = sparse.csr_array((3, 3), queue=queue)
    mine[[0, 0, 1], [1, 1, 2]] = [4.0, 5.0, 6.0]
    assert mine.toarray().tolist() == [[0, 5, 0], [0, 0, 6], [0, 0, 0]]
    mine[0, 1] = 0
    assert mine.nnz == 2 and mine.count_nonzero() == 1


def test_outer_keys_masks_and_new_axes(queue):
    a = drawn(3, SHAPE, "d")
    dense, mine = a.toarray(), own(a, queue)
    rows, columns = np.array([[1], [3], [1]]), np.array([[0, 6]])
    same_values(mine[rows, columns], dense[rows, columns])
    same_values(mine[rows, columns[0]], dense[rows, columns[0]])
    same_values(mine[dense > 1], dense[dense > 1])
    same_values(mine[mine > 1], dense[dense > 1])
    same_values(mine[2, None], dense[2, None])
    same_values(mine[:, 3, None], dense[:, 3, None])
    same_values(mine[..., 1:], dense[..., 1:])
    same_values(mine[...], dense)
    on_device = ht.asarray([4, 2], queue=queue)
    same_values(mine[on_device], dense[[4, 2]])
    assert [row.shape for row in mine][:2] == [(7,), (7,)]


def test_matrices_have_two_dimensions(queue):
    a = drawn(3, SHAPE, "d")
    matrix = sparse.csr_matrix(a, queue=queue)
    assert matrix[2].shape == (1, 7)
    assert matrix[:, 2].shape == (9, 1)
    assert matrix.getrow(-1).shape == (1, 7)
    assert matrix.getcol(0).shape == (9, 1)
    assert matrix.sum(axis=0).shape == (1, 7)
    assert matrix[2, 3].shape == ()
    same_values(matrix[[1, 3], 2], a.toarray()[[1, 3], 2:3])
    same_values(matrix[2, [1, 3]], a.toarray()[2:3, [1, 3]])
    out = ht.zeros((1, 1), queue=queue)
    assert matrix.sum(out=out) is out
    np.testing.assert_allclose(ht.asnumpy(out), [[a.sum()]])


@SETTINGS
@given(format=COMPRESSED, seed=seeds, k=st.integers(-5, 5))
def test_setdiag(queue, format, seed, k):
    a = drawn(seed, SHAPE, "d", format)
    mine = own(a, queue)
    a.setdiag(7.0, k)
    mine.setdiag(7.0, k)
    same_values(mine, a.toarray())


@pytest.mark.parametrize(
    "key", [9, -10, (0, 7), (0, 0, 0), [0, 9], ([0, 1], [0, 1, 2]), (..., ...), "x", 1.5,
            np.ones(4, bool)],
)  # fmt: skip
def test_bad_keys(queue, key):
    mine = own(drawn(1, SHAPE, "d"), queue)
    with pytest.raises((IndexError, TypeError)):
        mine[key]


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64"])
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_numbers_that_do_not_fit_are_refused(queue, dtype, format):
    """As by dense arrays. Arrays wrap around."""
    a = sparse.csr_array(np.ones((2, 2), dtype), queue=queue).asformat(format)
    for number in (2**70, -(2**63) - 1, np.nan, np.inf, -1e30):
        for value in (number, [number, 1]):
            with pytest.raises(ht.ScalarOverflowError, match="does not fit"):
                a[0, :] = value
            with pytest.raises(ht.ScalarOverflowError, match="does not fit"):
                a.setdiag(value)
    if dtype == "int64":
        a[0, :] = [44, 2]
    else:
        for number in (300, np.int64(300), np.array(300)):
            with pytest.raises(ht.ScalarOverflowError, match=f"300 does not fit {dtype}"):
                a[0, 0] = number
        a[0, :] = np.array([300, 2])
    a[1, :] = [2.5, True]
    assert a.toarray().tolist() == [[44, 2], [2, 1]]


@pytest.mark.parametrize("format", ["csr", "csc"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_vectors_of_rows_and_columns_give_dense_arrays(queue, format, kind):
    """As SciPy's keys do, also masks. Other keys give sparse arrays."""
    dense = np.arange(12.0).reshape(3, 4)
    right = getattr(scipy_sparse, f"{format}_{kind}")(dense)
    mine = getattr(sparse, f"{format}_{kind}")(dense, queue=queue)
    for key in (
        ([0, 2], [1, 0]), ([1], [1]), dense > 3, ([0, 1], 1), (0, [1, 2]), (slice(0, 2), [1, 2]),
        ([[0], [1]], [0, 1]), ([0, 1],), ([[0, 1], [1, 0]], [[1, 0], [0, 1]]),
    ):  # fmt: skip
        found, wanted = mine[key], right[key]
        assert sparse.issparse(found) == scipy_sparse.issparse(wanted)
        assert found.shape == wanted.shape
        same_values(found, wanted.toarray() if scipy_sparse.issparse(wanted) else wanted)
    assert mine[mine > 3].tolist() == mine[dense > 3].tolist()
