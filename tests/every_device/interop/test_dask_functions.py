"""Functions of Dask that combine chunks with NumPy's arrays of their own, with hither's chunks."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hither as ht

dask = pytest.importorskip("dask", reason="Dask is not installed")
da = pytest.importorskip("dask.array", reason="Dask is not installed")

import hither.dask  # noqa: E402

HOST = np.random.default_rng(0).random((12, 10))
INTEGERS = np.arange(24) % 7


def assigned(x: Any, index: Any, value: Any) -> Any:
    x = x.copy()
    x[index] = value
    return x


# Name -> function of Dask arrays of numbers (12 x 10) and of integers (24).
FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "density": lambda x, n: da.histogram(x, bins=5, range=(0, 1), density=True)[0],
    "density of given bins": lambda x, n: da.histogram(x, [0, 0.2, 1], density=True)[0],
    "density, by position": lambda x, n: da.histogram(x, 5, (0, 1), False, None, True)[0],
    "bins": lambda x, n: da.histogram(x, bins=5, range=(0, 1), weights=x, density=False)[0],
    "bins of two arrays": lambda x, n: da.histogram2d(
        x[:, 0], x[:, 1], bins=[3, 4], range=((0, 1), (0, 1)), weights=x[:, 2]
    )[0],
    "bins of rows": lambda x, n: da.histogramdd(x[:, :3].rechunk((5, 3)), [[0, 0.3, 1]] * 3)[0],
    "density of rows": lambda x, n: da.histogramdd(
        x[:, :2].rechunk((5, 2)), [[0, 0.3, 1]] * 2, normed=True
    )[0],
    "density of two arrays": lambda x, n: da.histogram2d(
        x[:, 0], x[:, 1], bins=[[0, 0.2, 1], [0, 0.5, 0.6, 1]], density=True
    )[0],
    "nanquantile": lambda x, n: da.nanquantile(x, [0.3, 0.7], axis=1),
    "nanquantile, one": lambda x, n: da.nanquantile(da.where(x > 0.2, x, np.nan), 0.3, axis=0),
    "nanpercentile": lambda x, n: da.nanpercentile(x, [30, 50], axis=1),
    "gradient": lambda x, n: da.gradient(x, np.arange(12.0) ** 2, axis=0),
    "gradient, a step": lambda x, n: da.gradient(x, 2.0, axis=1),
    "counts": lambda x, n: da.unique(n, return_counts=True)[1],
    "values with indices": lambda x, n: da.unique(n, return_index=True)[0],
    "values": lambda x, n: da.unique(n),
    "inverse": lambda x, n: da.unique(n, return_inverse=True)[1],
    "assigned places": lambda x, n: assigned(x[0], n[:3], 5.0),
    "assigned columns": lambda x, n: assigned(x, (slice(1, 9), n[:3]), -1.0),
    "assigned mask": lambda x, n: assigned(x, x > 0.5, 0.0),
    "argtopk": lambda x, n: da.argtopk(x, 3, axis=1),
    "argtopk, smallest": lambda x, n: da.argtopk(x, -2, axis=0),
    "isin": lambda x, n: da.isin(n, [1, 2]),
    "taken": lambda x, n: da.take(x, n % 10, axis=1),
    "inserted": lambda x, n: da.insert(x, [1, 3, 3], 0, axis=0),
    "inserted at one place": lambda x, n: da.insert(x, 2, np.float64(1.5), -1),
    "inserted at a slice": lambda x, n: da.insert(n, slice(1, 9, 3), 7, axis=0),
    "average of a list of weights": lambda x, n: da.average(x, 1, list(range(10))),
    "compressed, by position": lambda x, n: abs(
        da.linalg.compression_matrix(x, 2, "power", 1, 5, 1, False)
    ),
    "compressed": lambda x, n: da.linalg.svd_compressed(x, 10, seed=1)[1],
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_those_of_numpys_chunks(queue, name):
    x = da.from_array(ht.asarray(HOST, queue=queue), chunks=(5, 4), asarray=False)
    n = da.from_array(ht.asarray(INTEGERS, queue=queue), chunks=7, asarray=False)
    right = FUNCTIONS[name](
        da.from_array(HOST, chunks=(5, 4)), da.from_array(INTEGERS, chunks=7)
    ).compute()
    found = FUNCTIONS[name](x, n)
    got = found.compute()
    assert isinstance(got, ht.Array) and got.queue.equivalent(queue)
    assert (got.shape, got.dtype, found.dtype) == (right.shape, right.dtype, right.dtype)
    np.testing.assert_allclose(ht.asnumpy(got), right, rtol=1e-9)


def test_wrong_arguments_are_refused_as_before(queue):
    x = da.from_array(ht.asarray(HOST, queue=queue), chunks=(5, 4), asarray=False)
    with pytest.raises(ValueError, match="bins"):
        da.histogram(x, density=True)
    with pytest.raises(np.exceptions.AxisError):
        da.insert(x, [1], 0, axis=2)
    with pytest.raises(NotImplementedError, match="scalar"):
        da.histogram(x, bins=dask.delayed(5), range=(0, 1), density=True)
    with pytest.raises(ValueError, match="dimension of bins"):
        da.histogramdd(x.rechunk((5, 10)), [3])


def test_wrong_keywords_are_refused_at_once(queue):
    x = da.from_array(ht.asarray(HOST, queue=queue), chunks=(5, 4), asarray=False)
    with pytest.raises(TypeError, match="takes no keyword foo="):
        da.einsum("ij->i", x, foo=1)
    with pytest.raises(TypeError, match="takes no keyword foo="):
        x.map_blocks(ht.sort, foo=1, dtype=float)


def test_arrays_in_host_memory_are_refused_with_dasks_remedy(queue):
    x = da.from_array(ht.asarray(HOST, queue=queue), chunks=(5, 4), asarray=False)
    with pytest.raises(ht.PlacementError, match=r"add: .* use x\.to_backend\('hither'\)"):
        (x + da.from_array(HOST, chunks=(5, 4))).compute()


def test_chunks_of_several_dimensions_are_joined(queue):
    core = dask.array.core
    for depth in (1, 2, 3):
        host = np.arange(6.0**depth).reshape((6,) * depth)
        for chunks in ((2,) * depth, ((1, 4, 1),) * depth, (6,) * depth):
            x = da.from_array(ht.asarray(host, queue=queue), chunks=chunks, asarray=False)
            parts = dask.compute(*x.to_delayed().ravel())
            nested = np.empty(len(parts), object)
            for k, part in enumerate(parts):
                nested[k] = part
            found = core.concatenate3(nested.reshape(x.numblocks).tolist())
            assert found.queue.equivalent(queue)
            np.testing.assert_array_equal(ht.asnumpy(found), host)
    mixed = [[ht.ones((1, 2), queue=queue), ht.zeros((1, 1), dtype="int32", queue=queue)]]
    assert ht.asnumpy(core.concatenate3(mixed)).tolist() == [[1, 1, 0]]
    assert core.concatenate3([[np.ones((1, 1)), np.zeros((1, 1))]]).tolist() == [[1, 0]]
    with pytest.raises(ValueError, match=r"shape|broadcast"):
        core.concatenate3([[ht.ones((1, 2), queue=queue), ht.ones((3, 2), queue=queue)]])


@pytest.mark.parametrize("p", [None, [0.5, 0.0, 0.5]])
def test_choices_of_a_random_state(p):
    with dask.config.set({"array.backend": "hither"}):
        drawn = da.random.RandomState(3).choice(3, size=500, chunks=200, p=p)
    values = ht.asnumpy(drawn.compute())
    assert set(values) == ({0, 1, 2} if p is None else {0, 2})


def test_permutations_differ_from_call_to_call():
    with dask.config.set({"array.backend": "hither"}):
        x = da.arange(40, chunks=10)
        drawn = []
        for _ in range(2):
            rng = da.random.default_rng(3)
            drawn.append([ht.asnumpy(rng.permutation(x).compute()).tolist() for _ in range(3)])
    assert drawn[0] == drawn[1]
    assert len(set(map(tuple, drawn[0]))) == 3
    assert all(sorted(numbers) == list(range(40)) for numbers in drawn[0])


def test_functions_that_make_arrays_use_the_backend():
    with dask.config.set({"array.backend": "hither"}):
        x, step = da.linspace(0, 1, 11, chunks=4, retstep=True)
        found = (da.linspace(1, 2, 5, chunks=2) @ da.eye(5, chunks=2, k=1)).compute()
        inverse = da.linalg.inv(4 * da.eye(4, chunks=2)).compute()
    assert isinstance(x.compute(), ht.Array) and step == 0.1
    np.testing.assert_allclose(ht.asnumpy(x.compute()), np.linspace(0, 1, 11))
    np.testing.assert_allclose(ht.asnumpy(found), np.linspace(1, 2, 5) @ np.eye(5, k=1))
    np.testing.assert_array_equal(ht.asnumpy(inverse), np.eye(4) / 4)
    assert isinstance(da.eye(3).compute(), np.ndarray)


def test_replaced_functions_are_pickled_by_name():
    for function in (da.histogram, da.unique):
        assert pickle.loads(pickle.dumps(function)) is function
    kernel = functools.partial(da.routines._isin_kernel, assume_unique=False)
    assert pickle.loads(pickle.dumps(kernel)).func is da.routines._isin_kernel
