"""numpy.emath: real functions that continue with complex results."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

NAMES = ["arccos", "arcsin", "arctanh", "log", "log10", "log2", "sqrt"]
VALUES = [
    np.array([0.5, -0.5]), np.array([[0.25, 2.0]], "float32"), np.array([4, 9], "uint8"),
    np.array([4, -9], "int16"), np.array([-3, 2], "int64"), np.array([]), np.array([1 + 2j, -3]),
    np.array(-2.0), np.array([np.nan, 0.5, -0.0]),
]  # fmt: skip


def check(found, wanted, queue):
    wanted = np.asarray(wanted)
    assert isinstance(found, ht.Array) and found.queue == queue
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    tolerance = 1e-5 if wanted.dtype.char in "fF" else 1e-12
    np.testing.assert_allclose(ht.asnumpy(found), wanted, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("x", VALUES, ids=lambda x: f"{x.dtype}-{x.tolist()}")
def test_functions_of_one_array(queue, name, x):
    with np.errstate(all="ignore"):
        wanted = getattr(np.emath, name)(x)
    check(getattr(hnp.emath, name)(ht.asarray(x, queue=queue)), wanted, queue)


@pytest.mark.parametrize("n, x", [(2, [4.0, 8.0]), (2, [-4, -8, 8]), ([-2.0, 3], [5, -7.0])])
def test_logarithms_to_a_base(queue, n, x):
    check(hnp.emath.logn(n, ht.asarray(x, queue=queue)), np.emath.logn(n, x), queue)


@pytest.mark.parametrize("x, p", [([2, 4], 2), ([2, 4], -1), ([-2, 4], 0.5), ([2.0, -3], [2, -3])])
def test_powers(queue, x, p):
    check(hnp.emath.power(ht.asarray(x, queue=queue), p), np.emath.power(x, p), queue)


def test_numbers_and_lists_give_arrays():
    assert hnp.emath.sqrt(-1) == 1j and isinstance(hnp.emath.log([-1.0]), ht.Array)
    assert importlib.import_module("hither.numpy.lib.scimath") is hnp.emath
