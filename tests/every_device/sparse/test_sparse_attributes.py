"""The arrays of a sparse array: what can be assigned, and that kernels only see checked indices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import hither as ht
import hither.scipy.sparse as sparse
from sparse_values import SETTINGS, drawn, formats, own, same, seeds

COMPRESSED = st.sampled_from(["csr", "csc"])


def small(queue, format="csr"):
    return getattr(sparse, f"{format}_array")([[1.0, 0.0, 2.0], [0.0, 3.0, 0.0]], queue=queue)


@SETTINGS
@given(format=formats, seed=seeds, dtype=st.sampled_from("ldF"))
def test_assigned_elements(queue, format, seed, dtype):
    a = drawn(seed, (9, 7), "d", format)
    mine = own(a, queue)
    a.data = np.arange(a.nnz).astype(dtype)
    mine.data = ht.asarray(a.data, queue=queue)
    assert mine.dtype == a.dtype
    same(mine, a)


@SETTINGS
@given(format=COMPRESSED, seed=seeds, index=st.sampled_from([np.int8, np.int32, np.int64]))
def test_assigned_indices(queue, format, seed, index):
    a = drawn(seed, (9, 7), "d", format, duplicates=True)
    other = drawn(seed, (9, 7), "d", format, duplicates=True)
    mine = own(a, queue)
    mine.sum_duplicates()
    a.sum_duplicates()
    indices = a.indices[::-1].copy() % min(a.shape)
    other = type(a)((a.data, indices, a.indptr), shape=a.shape)
    mine.indices = ht.asarray(indices.astype(index), queue=queue)
    same(mine, other)
    assert mine.has_sorted_indices == other.has_sorted_indices
    lengths = np.diff(a.indptr)[::-1]
    other.indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(a.indptr.dtype)
    mine.indptr = ht.asarray(other.indptr, queue=queue)
    other = type(a)((a.data, indices, other.indptr), shape=a.shape)
    same(mine, other)
    x = np.arange(7.0)
    np.testing.assert_allclose(ht.asnumpy(mine @ ht.asarray(x, queue=queue)), other @ x)


@SETTINGS
@given(seed=seeds)
def test_assigned_coordinates(queue, seed):
    a = drawn(seed, (9, 7), "d", "coo")
    mine = own(a, queue)
    mine.sum_duplicates()
    a.sum_duplicates()
    row, column = a.row[::-1].copy(), (a.col + 3) % 7
    a.coords = (row, column)
    mine.coords = tuple(ht.asarray(x, queue=queue) for x in (row, column))
    same(mine, a)
    mine.sum_duplicates()
    mine.row, mine.col = (ht.zeros(mine.nnz, np.int32, queue=queue) for _ in range(2))
    assert float(mine.toarray()[0, 0]) == pytest.approx(a.data.sum())


def test_a_shorter_indptr_drops_elements(queue):
    mine = small(queue)
    mine.indptr = ht.asarray([0, 1, 2], queue=queue)
    assert mine.nnz == 2 and mine.toarray().tolist() == [[1, 0, 0], [0, 0, 2]]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("indptr", [0, 2, 300]), ("indptr", [1, 2, 3]), ("indptr", [0, 3, 2]), ("indptr", [0, 3]),
        ("indptr", [[0, 2, 3]]), ("indptr", [0.0, 2.0, 3.0]), ("indptr", None),
        ("indices", [0, 500000, 1]), ("indices", [0, -1, 1]), ("indices", [0, 1]),
        ("indices", [0.0, 1.0, 2.0]), ("indices", "abc"), ("indices", np.zeros(3, np.int32)),
        ("data", [1.0]), ("data", [[1.0, 2.0, 3.0]]), ("data", 5.0), ("data", np.ones(7)),
        ("data", np.ones(3)), ("data", None),
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", ["csr", "csc"])
def test_refused_arrays(queue, format, name, value):
    mine = small(queue, format)
    before = mine.toarray().tolist()
    if name == "indptr" and format == "csc" and value is not None and np.ndim(value) == 1:
        value = [value[0], *value]
    if isinstance(value, list) and name != "data":
        value = ht.asarray(value, queue=queue)
    with pytest.raises((ValueError, TypeError), match=name):
        setattr(mine, name, value)
    assert mine.toarray().tolist() == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("row", [0, 2, 1]), ("row", [0, -1, 1]), ("row", [0]), ("col", [0, 500000, 1]),
        ("col", [0.0, 1.0, 2.0]), ("col", "abc"), ("data", [1.0]), ("coords", None),
        ("coords", ([0, 1, 0],)), ("coords", ([0, 1, 0], [0, 3, 0])), ("coords", ([0], [0])),
        ("row", np.zeros(3, np.int32)),
    ],
)  # fmt: skip
def test_refused_coordinates(queue, name, value):
    mine = small(queue, "coo")
    before = mine.toarray().tolist()
    with pytest.raises((ValueError, TypeError), match=name):
        setattr(mine, name, value)
    assert mine.toarray().tolist() == before


def test_coordinates_of_one_dimension(queue):
    mine = sparse.coo_array((ht.asarray([1.0, 2.0], queue=queue), ([0, 3],)), shape=(5,))
    mine.col = ht.asarray([4, 2], queue=queue)
    assert mine.toarray().tolist() == [0, 0, 2, 0, 1]
    mine.coords = (ht.asarray([1, 2], queue=queue),)
    assert mine.toarray().tolist() == [0, 1, 2, 0, 0]
    with pytest.raises(ValueError, match="row"):
        mine.row = ht.asarray([0, 0], queue=queue)


def test_other_queues_are_refused(queue):
    mine = small(queue)
    other = ht.Queue(queue.device)
    for name in ("data", "indices", "indptr"):
        with pytest.raises(ht.PlacementError, match="queue"):
            setattr(mine, name, ht.copy(getattr(mine, name)).to_device(other))


@pytest.mark.parametrize("format", ["csr", "csc"])
def test_check_format_forgets_what_was_known(queue, format):
    mine = small(queue) if format == "csr" else small(queue).T
    assert mine.has_canonical_format and mine.has_sorted_indices
    mine.indices[1] = mine.indices[0].item()
    mine.check_format()
    assert not mine.has_canonical_format
    assert (mine + mine).nnz == 2
    assert (mine + mine).toarray()[0, 0].item() == 6


def test_check_format_forgets_the_longest_line(queue):
    width, long = 5000, 4990
    data, column = ht.ones(width, queue=queue), ht.arange(width, dtype="i", queue=queue)
    pointers = ht.asarray(np.array([0, 10, 20, width], np.int32), queue=queue)
    mine = sparse.csr_array((data, column, pointers), shape=(3, width))
    x = ht.ones(width, queue=queue)
    assert (mine @ x).tolist() == [10, 10, width - 20]
    mine.indptr[1:3] = long
    mine.check_format()
    assert (mine @ x).tolist() == [long, 0, 10]
    assert mine._longest_line() == long


def test_check_format_drops_elements_behind_the_lines(queue):
    mine = small(queue)
    mine.indptr[2] = 2
    mine.check_format()
    assert mine.nnz == 2 and mine.data.tolist() == [1, 2]


def test_check_format_of_coordinates(queue):
    mine = small(queue, "coo")
    assert mine.has_canonical_format
    mine.col[1] = 0
    mine.check_format()
    assert not mine.has_canonical_format
    assert mine.tocsr().nnz == 2 and mine.max().item() == 3
    mine.has_canonical_format = True
    assert mine.tocsr().nnz == 2
    mine.sum_duplicates()
    assert mine.has_canonical_format and mine.nnz == 2


@pytest.mark.parametrize("format", ["csr", "csc", "coo"])
@pytest.mark.parametrize("wrong", [-1, 500000])
def test_check_format_finds_wrong_indices(queue, format, wrong):
    mine = small(queue, format)
    (mine.col if format == "coo" else mine.indices)[0] = wrong
    with pytest.raises(ValueError, match="check_format"):
        mine.check_format()
