"""Stacks of matrices that threads of the host divide among themselves."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from hither._libraries import host_stacks
from hither._libraries.host_stacks import computed

FUNCTIONS = {
    "eigh": lambda a: tuple(np.linalg.eigh(a)),
    "eigvalsh": np.linalg.eigvalsh,
    "svd": lambda a: tuple(np.linalg.svd(a)),
    "qr": lambda a: tuple(np.linalg.qr(a, "complete")),
    "det": np.linalg.det,
}


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(host_stacks, "_PART", 2.0)


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("shape", [(30, 2, 4, 4), (40, 27, 27), (6, 40, 40), (0, 3, 3), (3, 3)])
def test_the_bits_do_not_depend_on_the_number_of_threads(name, shape):
    a = np.random.default_rng(2).standard_normal(shape)
    work = FUNCTIONS[name]
    alone, divided = (computed(work, a, threads) for threads in (1, 5))
    pairs = zip(alone, divided, strict=True) if type(alone) is tuple else [(alone, divided)]
    for x, y in pairs:
        assert (x.shape, x.dtype) == (y.shape, y.dtype)
        np.testing.assert_array_equal(x, y)


def test_the_parts_of_a_strided_stack_are_in_order():
    a = np.random.default_rng(3).standard_normal((5, 6, 4, 7)).transpose(3, 1, 2, 0)
    found = computed(lambda x: x.sum(axis=(-2, -1)), a, 4)
    np.testing.assert_array_equal(found, np.ascontiguousarray(a).sum(axis=(-2, -1)))


def test_several_threads_compute():
    both = threading.Barrier(2, timeout=60)
    names = set()

    def work(a):
        name = threading.current_thread().name
        if len(a) and name not in names:  # each waits once for the other
            both.wait()
            names.add(name)
        return a

    computed(work, np.zeros((64, 8, 8)), 2)
    assert "hither-lapack" in names and len(names) == 2


def test_the_error_of_the_first_part_is_raised():
    def work(a):
        if a.any():
            raise np.linalg.LinAlgError(f"matrix {int(a.max())}")
        return a

    a = np.zeros((64, 8, 8))
    a[20:] = np.arange(20, 64)[:, None, None]
    with pytest.raises(np.linalg.LinAlgError) as raised:
        computed(work, a, 1)
    assert str(raised.value) == "matrix 63"
    with pytest.raises(np.linalg.LinAlgError) as raised:
        computed(work, a, 4)
    assert int(str(raised.value).split()[1]) < 32


def test_numpys_blas_has_its_threads_again():
    limit = host_stacks._limit()
    if limit is None:
        pytest.skip("NumPy has another BLAS")
    before = limit._read()
    seen = []

    def work(a):
        seen.append(limit._read())
        return a

    computed(work, np.zeros((64, 30, 30)), 2)
    assert set(seen) == {1} and limit._read() == before
