"""Sparse arrays with more rows, columns or elements than int32 or int64 can number."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.scipy.sparse as sparse
from hither.scipy.sparse import _rows

WIDE = 2**31 + 9


@pytest.fixture(params=["counts", "sorts"], autouse=True)
def _way(request, monkeypatch):
    """CPUs count and merge, and GPUs sort; both ways are tested on each device."""
    monkeypatch.setattr(_rows, "sorts_numbers", lambda x: request.param == "sorts")


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
