"""Results without dimensions are instances of NumPy's abstract classes of numbers."""

from __future__ import annotations

import functools
import pickle

import numpy as np
import pytest

import hither as ht
import hither.numpy as hnp

CLASSES = (
    "complexfloating", "floating", "generic", "inexact", "integer", "number", "signedinteger",
    "unsignedinteger",
)  # fmt: skip
DTYPES = ("bool", "int8", "uint64", "int64", "float32", "float64", "complex64")


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_instances_as_numpys_numbers_are(queue, name, dtype):
    x = np.ones(3, dtype)
    own = ht.asarray(x, queue=queue)
    expected = isinstance(x[0], getattr(np, name))
    assert isinstance(own[0], getattr(hnp, name)) == expected
    assert isinstance(own.max(), getattr(hnp, name)) == expected
    assert isinstance(x[0], getattr(hnp, name)) == expected
    assert not isinstance(own, getattr(hnp, name))


@pytest.mark.parametrize("name", CLASSES)
def test_the_classes_have_numpys_subclasses(name):
    numpys, own = getattr(np, name), getattr(hnp, name)
    for dtype in DTYPES:
        assert hnp.issubdtype(dtype, own) == np.issubdtype(dtype, numpys)
        assert np.issubdtype(np.dtype(dtype), own) == np.issubdtype(dtype, numpys)
    for other in CLASSES:
        expected = issubclass(numpys, getattr(np, other))
        assert issubclass(own, getattr(hnp, other)) == expected
        assert issubclass(own, getattr(np, other)) == expected
        assert issubclass(numpys, getattr(hnp, other)) == expected
    assert pickle.loads(pickle.dumps(own)) is own
    assert not isinstance(1.5, own)


def test_functions_can_be_chosen_by_the_classes():
    @functools.singledispatch
    def kind(x):
        return "other"

    kind.register(hnp.floating, lambda x: "floating")
    assert [kind(x) for x in (np.float32(1), np.int8(1), 1.0)] == ["floating", "other", "other"]
