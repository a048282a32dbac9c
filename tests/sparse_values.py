"""Random sparse arrays of SciPy and hither for the tests of this folder."""

from __future__ import annotations

import numpy as np
import scipy.sparse as scipy_sparse
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import hither as ht
import hither.scipy.sparse as sparse

SETTINGS = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
DTYPES = ["?", "b", "h", "i", "l", "B", "I", "L", "f", "d", "F", "D"]
FORMATS = ["csr", "csc", "coo"]
SHAPES = [(0, 4), (4, 0), (1, 1), (1, 7), (7, 1), (5, 6), (9, 9), (33, 17)]
RTOL = {"f": 1e-5, "F": 1e-5, "d": 1e-12, "D": 1e-12}

dtypes = st.sampled_from(DTYPES)
formats = st.sampled_from(FORMATS)
shapes = st.sampled_from(SHAPES)
seeds = st.integers(0, 99)
index_dtypes = st.sampled_from([np.int32, np.int64])


def values(rng, size, dtype):
    """Small numbers, some of which are 0."""
    kind = np.dtype(dtype).kind
    found = rng.integers(0 if kind in "bu" else -3, 4, size)
    if kind in "fc":
        found = found / 2
    return (found + 1j * rng.integers(-3, 4, size) if kind == "c" else found).astype(dtype)


def drawn(seed, shape, dtype, format="csr", duplicates=False, index=np.int32):
    """SciPy's array with empty rows, stored zeros and, if wanted, duplicates in no order."""
    rng = np.random.default_rng(seed)
    total = shape[0] * shape[1]
    count = int(rng.integers(0, total // 2 + 1)) if total else 0
    places = rng.integers(0, total, count) if duplicates else rng.permutation(total)[:count]
    row, column = np.divmod(places, max(shape[1], 1))
    data = values(rng, count, dtype)
    if not duplicates:
        made = scipy_sparse.coo_array((data, (row, column)), shape=shape).asformat(format)
    elif format == "coo":
        made = scipy_sparse.coo_array((data, (row, column)), shape=shape)
    else:
        lines = row if format == "csr" else column
        order = np.argsort(lines, kind="stable")
        indptr = np.searchsorted(lines[order], np.arange(shape[format == "csc"] + 1))
        indices = (column if format == "csr" else row)[order]
        kind = getattr(scipy_sparse, f"{format}_array")
        made = kind((data[order], indices, indptr), shape=shape)
    return with_index_dtype(made, index)


def with_index_dtype(made, index):
    if made.format == "coo":
        made.coords = tuple(x.astype(index) for x in made.coords)
    else:
        made.indices, made.indptr = made.indices.astype(index), made.indptr.astype(index)
    return made


def own(expected, queue):
    """The same array of hither's."""
    return getattr(sparse, type(expected).__name__)(expected, queue=queue)


def same(found, right, dtype=True):
    """Asserts that an array of hither, dense or sparse, has the values of another one."""
    if sparse.issparse(found):
        assert scipy_sparse.issparse(right), "the result should be dense"
        checked = found
        found, right = found.toarray(), right.toarray()
        checked.check_format()  # last, because it forgets what is known of the indices
    assert isinstance(found, ht.Array)
    right = np.asarray(right)
    assert found.shape == right.shape
    if dtype:
        assert found.dtype == right.dtype
    rtol = RTOL.get(right.dtype.char, 0)
    np.testing.assert_allclose(ht.asnumpy(found), right, rtol=rtol, atol=rtol)
