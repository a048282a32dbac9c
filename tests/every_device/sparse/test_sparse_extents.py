"""Sparse arrays with more rows, columns or elements than int32 or int64 can number."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.scipy.sparse as sparse

WIDE = 2**31 + 9


pytestmark = pytest.mark.usefixtures("either_way")


def line(queue, columns, index=np.int32, width=WIDE):
    """A matrix of one row whose elements are 1, 2, ..."""
    data = ht.asarray(np.arange(1.0, len(columns) + 1), queue=queue)
    indices = ht.asarray(np.array(columns, index), queue=queue)
    indptr = ht.asarray(np.array([0, len(columns)], index), queue=queue)
    return sparse.csr_array((data, indices, indptr), shape=(1, width))


def columns_of(x):
    return dict(zip(x.tocoo().col.tolist(), x.tocoo().data.tolist(), strict=True))


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_columns_beyond_int32_are_assigned(queue, format):
    mine = line(queue, [0, 5]).asformat(format)
    mine[0, 2**31] = 7.0
    mine[0, [5, 2**31 + 8]] = [8.0, 9.0]
    assert columns_of(mine) == {0: 1, 5: 8, 2**31: 7, 2**31 + 8: 9}
    assert mine.asformat("csr")[0, 2**31].item() == 7
    assert mine.asformat("csr")[0, [2**31, 1]].toarray().tolist() == [7, 0]


@pytest.mark.parametrize("swapped", [False, True])
def test_indices_of_two_dtypes_are_combined(queue, swapped):
    first, second = line(queue, [0, 5]), line(queue, [5, 2**31 + 2], np.int64)
    found = second + first if swapped else first + second
    assert columns_of(found) == {0: 1, 5: 3, 2**31 + 2: 2}


def huge(queue, format="csr"):
    """A matrix of 3 * 2**62 elements, of which two are stored."""
    data, column = (ht.asarray(x, queue=queue) for x in ([1.0, 2.0], [5, 2**61]))
    row = ht.asarray([0, 2], queue=queue)
    return sparse.coo_array((data, (row, column)), shape=(3, 2**62)).asformat(format)


def test_more_elements_than_int64_numbers_can_be_stored(queue):
    mine = huge(queue)
    assert (mine + mine).tocoo().col.tolist() == [5, 2**61]
    assert [x.tolist() for x in mine.nonzero()] == [[0, 2], [5, 2**61]]
    assert mine[2, 2**61].item() == 2 and mine.max().item() == 2
    assert mine.mean().item() == 3 / (3 * 2**62)
    mine[1, 2**62 - 1] = 3.0
    assert mine.tocoo().col.tolist() == [5, 2**62 - 1, 2**61]
    assert mine.reshape(3, 2**62).shape == mine.shape
    assert sparse.kron(mine, [[1], [2]]).tocsr().indices.tolist()[:3] == [5, 5, 2**62 - 1]


@pytest.mark.parametrize("format", ["csr", "coo"])
def test_elements_that_int64_cannot_number_are_refused(queue, format):
    mine = huge(queue, format)
    for name, call in (
        ("reshape", lambda: mine.reshape(2**62, 3)),
        ("reshape", lambda: mine.reshape((2**61, 6), order="F")),
        ("reshape", lambda: mine.reshape(-1)),
        ("indexing", lambda: mine[[0, 2], [5, 2**61]]),
        ("argmax", lambda: mine.argmax()),
        ("argmin", lambda: mine.argmin()),
        ("kron", lambda: sparse.kron(mine, mine)),
        ("hstack", lambda: sparse.hstack([mine] * 3)),
        ("block_diag", lambda: sparse.block_diag([mine] * 3)),
        ("random_array", lambda: sparse.random_array((3, 2**62), density=0.5, queue=queue)),
        ("csr_array", lambda: sparse.csr_array((1, 2**63), queue=queue)),
        ("coo_array", lambda: sparse.coo_array((2**64, 1), queue=queue)),
        ("resize", lambda: mine.copy().resize(3, 2**64)),
    ):
        with pytest.raises(ValueError, match=rf"{name}: .*(2\*\*63 - 1)"):
            call()


def test_lists_come_to_the_queue_of_the_arrays_beside_them(queue):
    mine = sparse.csr_array([[1.0, 2.0]], queue=queue)
    for made, right in (
        (sparse.kron(mine, [[1], [2]]), [[1, 2], [2, 4]]),
        (sparse.hstack([mine, [[3.0]]]), [[1, 2, 3]]),
        (sparse.vstack([[[3.0, 4.0]], mine]), [[3, 4], [1, 2]]),
        (sparse.block_diag([[[5.0]], mine, 7]), [[5, 0, 0, 0], [0, 1, 2, 0], [0, 0, 0, 7]]),
    ):
        assert made.queue == queue and made.toarray().tolist() == right
