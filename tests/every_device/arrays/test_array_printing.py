"""Arrays print as NumPy's do."""

from __future__ import annotations

import numpy as np
import pytest

import hither as ht

ARRAYS = [
    np.arange(5),
    np.arange(6.0).reshape(2, 3) / 7,
    np.array(3.5),
    np.array(2 / 3),
    np.array(2 / 3, dtype=np.float32),
    np.array(1e22j / 7),
    np.array(7, dtype=np.uint8),
    np.array(True),
    np.array([True, False]),
    np.arange(3, dtype=np.float32),
    np.arange(3, dtype=np.uint8),
    np.array([1 + 2j, 3]),
    np.arange(2000),
    np.arange(3000.0).reshape(50, 60) / 3,
    np.arange(10000).reshape(10, 10, 100),
    np.arange(2100).reshape(7, 300),
    np.zeros((0,)),
    np.zeros((2, 0)),
    np.array([1e-10, 1e10]),
    np.arange(40, dtype=np.int16),
]


@pytest.mark.parametrize("n", ARRAYS, ids=lambda n: f"{n.dtype}{n.shape}")
def test_str_and_repr_are_numpys(n):
    x = ht.asarray(n)
    assert str(x) == str(n)
    expected = repr(n).replace("array(", "Array(", 1)
    assert repr(x).split() == expected.split()


def test_print_options_are_numpys():
    n = np.arange(100) / 7
    with np.printoptions(threshold=10, precision=2, edgeitems=2):
        assert str(ht.asarray(n)) == str(n)


def test_only_the_corners_of_a_large_array_are_copied():
    x = ht.arange(1_000_000)
    ht.synchronize(x)
    before = ht.counters()["bytes_to_host"]
    repr(x)
    assert ht.counters()["bytes_to_host"] - before < 1000


def test_format():
    assert f"{ht.asarray(2.5):.2f}" == "2.50"
    assert f"{ht.arange(3)}" == "[0 1 2]"
    with pytest.raises(TypeError, match="0-dimensional"):
        format(ht.arange(3), ".2f")
