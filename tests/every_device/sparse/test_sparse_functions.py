"""Functions of hither.numpy, and of NumPy, of sparse arrays."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as scipy_sparse

import hither as ht
import hither.numpy as hnp
import hither.scipy.sparse as sparse
from sparse_values import same

HOST = np.array([[0, 2.25, 0, -1], [1, 0, -3, 0], [0, 0, 4, 0]])
OF_ONE = {
    "sum": {}, "mean": {"axis": 0}, "max": {}, "min": {"axis": 1}, "argmax": {"axis": 0},
    "transpose": {}, "conj": {}, "real": {}, "imag": {}, "absolute": {}, "negative": {},
    "sign": {}, "floor": {}, "sin": {}, "expm1": {}, "nonzero": {}, "count_nonzero": {},
    "round": {"decimals": 1}, "amax": {}, "copy": {}, "diagonal": {}, "trace": {},
}  # fmt: skip
OF_TWO = "add subtract multiply divide maximum minimum less not_equal".split()
MATRICES = ("csr_array", "csc_array", "coo_array", "csr_matrix")


def own_and_scipys(name, queue, host=HOST):
    wanted = getattr(scipy_sparse, name)(host)
    return getattr(sparse, name)(wanted, queue=queue), wanted


def equal(mine, wanted):
    for one, other in zip(
        mine if isinstance(mine, tuple) else (mine,),
        wanted if isinstance(wanted, tuple) else (wanted,),
        strict=True,
    ):
        same(one, other) if hasattr(one, "nnz") else np.testing.assert_allclose(
            ht.asnumpy(one), np.asarray(other)
        )


@pytest.mark.parametrize("family", MATRICES)
@pytest.mark.parametrize("name", OF_ONE)
def test_functions_of_one_array(queue, family, name):
    mine, wanted = own_and_scipys(family, queue, HOST[:, :3])
    options = OF_ONE[name]
    # NumPy calls a method for most of these, and makes an array of one object for the others.
    methods = {"absolute": "__abs__", "negative": "__neg__", "round": "__round__", "amax": "max"}
    method = getattr(wanted, methods.get(name, name))
    expected = method if name in ("real", "imag") else method(*options.values())
    equal(getattr(hnp, name)(mine, **options), expected)


@pytest.mark.parametrize("family", ["csr_array", "csc_array"])
@pytest.mark.parametrize("name", OF_TWO)
def test_functions_of_two_arrays(queue, family, name):
    first, one = own_and_scipys(family, queue)
    second, other = own_and_scipys(family, queue, HOST[::-1].copy())
    methods = {"less": "__lt__", "not_equal": "__ne__", "divide": "__truediv__"}
    method = methods.get(name, name if name in ("maximum", "minimum", "multiply") else "")
    wanted = getattr(one, method or f"__{name.removesuffix('tract')}__")(other)
    for functions in (hnp, np):
        result = getattr(functions, name)(first, second)
        result = ht.asnumpy(result.toarray() if hasattr(result, "nnz") else result)
        right = wanted.toarray() if hasattr(wanted, "nnz") else wanted
        np.testing.assert_allclose(result, right)


def test_products_and_numbers(queue):
    mine, wanted = own_and_scipys("csr_array", queue)
    x = ht.asarray([1.0, 2.0, 3.0, 4.0], queue=queue)
    for product in (hnp.dot, hnp.matmul):
        equal(product(mine, x), wanted @ x.get())
        equal(product(x[:3], mine), x.get()[:3] @ wanted)
        equal(product(mine, mine.T), wanted @ wanted.T)
    equal(hnp.multiply(mine, 2.0), wanted * 2.0)
    equal(hnp.multiply(3.0, mine), wanted * 3.0)
    equal(hnp.power(mine, 2), wanted**2)
    equal(hnp.add(mine, x), wanted + x.get())
    equal(hnp.abs(mine).sum(), np.abs(wanted).sum())


@pytest.mark.either_mode
def test_functions_that_make_dense_arrays_are_refused(queue):
    mine = own_and_scipys("csr_array", queue)[0]
    for call in (
        lambda: hnp.exp(mine), lambda: hnp.cumsum(mine), lambda: hnp.sort(mine),
        lambda: hnp.add(mine, mine, out=ht.zeros(3, queue=queue)), lambda: hnp.cos(mine),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"does not take a sparse array.*A\.toarray\(\)"):
            call()


@pytest.mark.parametrize("family", MATRICES)
def test_multiply_and_power_are_of_elements(queue, family):
    mine, wanted = own_and_scipys(family, queue, HOST[:, :3])
    equal(hnp.multiply(mine, mine), wanted.multiply(wanted))
    equal(hnp.multiply(2, mine), wanted.multiply(2))
    equal(hnp.power(mine, 2), wanted.power(2))


def test_keywords_are_numpys_or_refused(queue):
    mine, wanted = own_and_scipys("csr_array", queue)
    equal(hnp.diagonal(mine, offset=1), wanted.diagonal(k=1))
    equal(hnp.reshape(mine, shape=(2, 6)), wanted.reshape((2, 6)))
    equal(hnp.sum(mine, axis=0, keepdims=False), wanted.sum(axis=0))
    for name, options in (("sum", {"keepdims": True}), ("copy", {"order": "F"})):
        with pytest.raises(TypeError, match=f"{name}: does not take a sparse array with"):
            getattr(hnp, name)(mine, **options)
