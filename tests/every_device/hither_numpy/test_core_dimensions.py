"""Shapes of operands and outputs of matmul, matvec, vecmat and vecdot, compared with NumPy."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

REFUSED = {
    "a matrix in a wider matrix": lambda m, x: m.matmul(x(5, 4, 3), x(3, 1), out=x(5, 4, 2)),
    "a matrix in a higher matrix": lambda m, x: m.matmul(x(1, 3), x(3, 2), out=x(4, 2)),
    "a vector in a longer vector": lambda m, x: m.matmul(x(1, 3), x(3), out=x(5)),
    "matvec in a longer vector": lambda m, x: m.matvec(x(1, 3), x(3), out=x(5)),
    "vecmat in a longer vector": lambda m, x: m.vecmat(x(3), x(3, 1), out=x(5)),
    "a matrix in a vector": lambda m, x: m.matmul(x(4, 3), x(3, 5), out=x(5)),
    "matvec of vectors": lambda m, x: m.matvec(x(5), x(5)),
    "vecmat of vectors": lambda m, x: m.vecmat(x(5), x(5)),
    "vecmat of a number": lambda m, x: m.vecmat(5, x(2, 4, 3)),
    "matvec with a number": lambda m, x: m.matvec(x(4, 3), 2.0),
    "matmul of a number": lambda m, x: m.matmul(5, x(4, 3)),
    "vecdot of a number": lambda m, x: m.vecdot(5, x(2)),
}
ALLOWED = {
    "more matrices": lambda m, x: m.matmul(x(4, 3), x(3, 1), out=x(5, 4, 1)),
    "one matrix for several": lambda m, x: m.matmul(x(1, 4, 3), x(3, 2), out=x(5, 4, 2)),
    "vectors": lambda m, x: m.matmul(x(4, 3), x(3), out=x(5, 4)),
    "vectors of one element": lambda m, x: m.matvec(x(1, 3), x(3), out=x(5, 1)),
    "products of vectors": lambda m, x: m.matmul(x(3), x(3), out=x(5)),
    "vecdot": lambda m, x: m.vecdot(x(1, 3), x(3), out=x(2, 5)),
    "vecmat": lambda m, x: m.vecmat(x(3), x(2, 3, 1), out=x(4, 2, 1)),
}


def _ones(queue):
    return lambda *shape: ht.ones(shape, queue=queue)


def _numpys(*shape):
    return np.ones(shape)


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED.keys())
def test_shapes_that_do_not_fit_are_an_error(queue, call):
    for xp, ones in ((np, _numpys), (hnp, _ones(queue))):
        with pytest.raises(ValueError):
            call(xp, ones)


@pytest.mark.parametrize("call", ALLOWED.values(), ids=ALLOWED.keys())
def test_other_dimensions_broadcast(queue, call):
    result = call(hnp, _ones(queue))
    np.testing.assert_array_equal(ht.asnumpy(result), call(np, _numpys))
