"""JAX, Dask, pandas and Arrow over the memory of hither's arrays, and the reverse."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import hither as ht
from patience import comes_true

MOVED = ("bytes_to_device", "bytes_to_host")
SIZES = pytest.mark.parametrize("count", [1 << 8, 1 << 28], ids=["1KB", "1GB"])


def address(x):
    return ht.UsmView(x).pointer


def moved():
    now = ht.counters()
    return [now[name] for name in MOVED]


@pytest.fixture
def x():
    return ht.arange(6, dtype="float32", device="native_cpu")


# -- JAX


@pytest.fixture
def jax():
    return pytest.importorskip("jax", reason="JAX is not installed")


@SIZES
def test_jax_has_hithers_memory(jax, count):
    x = ht.asarray(np.empty(count, np.float32), device="native_cpu", copy=False)
    if address(x) % 64:
        x = x[(64 - address(x) % 64) // 4 :]  # JAX copies what is not aligned as it likes
    before = moved()
    j = jax.dlpack.from_dlpack(x)
    assert j.unsafe_buffer_pointer() == address(x)
    assert moved() == before


@SIZES
def test_hither_has_jaxs_memory(jax, count):
    j = jax.numpy.zeros(count, "float32")
    before = moved()
    x = ht.from_dlpack(j)
    assert address(x) == j.unsafe_buffer_pointer()
    assert moved() == before
    if j.device.platform == "cpu" and tuple(map(int, jax.__version__.split(".")[:2])) >= (0, 11):
        assert not x.flags["WRITEABLE"]  # newer JAX says that its arrays do not change
    assert float(ht.sum(x[:10] + 1)) == 10


def test_pending_work_is_done_before_jax_looks(jax, x):
    y = x * 2 + 1
    np.testing.assert_array_equal(np.asarray(jax.dlpack.from_dlpack(y) * 2), np.arange(6) * 4 + 2)
    np.testing.assert_array_equal(np.asarray(jax.numpy.asarray(y)), np.arange(6) * 2 + 1)


def test_jax_keeps_hithers_memory_alive(jax):
    x = ht.arange(6, dtype="float32", device="native_cpu")
    gone = weakref.ref(x)
    j = jax.dlpack.from_dlpack(x)
    where = address(x)
    assert j.unsafe_buffer_pointer() == where
    gc.collect()  # what earlier tests left in cycles
    live = ht.counters()["live_allocations"]
    del x
    gc.collect()
    assert gone() is None and ht.counters()["live_allocations"] == live  # its memory stays
    assert float(j.sum()) == 15
    del j
    gc.collect()
    assert comes_true(lambda: ht.counters()["live_allocations"] == live - 1)  # by a thread of JAX


# -- Dask


@pytest.fixture
def dask_array():
    return pytest.importorskip("dask.array", reason="Dask is not installed")


def test_dask_computes_with_hithers_arrays(dask_array, x):
    d = dask_array.from_array(x, chunks=3, asarray=False)
    total = (d * 2 + 1).sum().compute(scheduler="synchronous")
    assert float(total) == 36
    doubled = d.map_blocks(lambda block: block * 2).compute(scheduler="synchronous")
    np.testing.assert_array_equal(ht.asnumpy(ht.asarray(doubled)), np.arange(6) * 2)
    kinds = d.map_blocks(lambda b: np.array([isinstance(b, ht.Array)]), dtype=bool, chunks=(1,))
    assert kinds.compute(scheduler="synchronous").all()
    plain = dask_array.from_array(np.arange(6.0), chunks=2)
    inside = plain.map_blocks(lambda block: ht.asnumpy(ht.sqrt(ht.asarray(block))))
    np.testing.assert_allclose(inside.compute(), np.sqrt(np.arange(6.0)))


# -- pandas and Arrow


@pytest.mark.usefixtures("cpu_by_default")
@pytest.mark.parametrize("axis", [None, 0, 1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_dask_divides_hithers_chunks_by_their_sizes(dask_array, axis, keepdims):
    host = np.arange(24, dtype="float32").reshape(4, 6) ** 2
    d = dask_array.from_array(ht.asarray(host, device="native_cpu"), chunks=(2, 4), asarray=False)
    for name in ("mean", "var", "std"):
        got = getattr(d, name)(axis=axis, keepdims=keepdims).compute()
        assert isinstance(got, ht.Array)
        right = getattr(host.astype("float64"), name)(axis=axis, keepdims=keepdims)
        np.testing.assert_allclose(ht.asnumpy(got), right, rtol=1e-5)


def test_pandas_has_hithers_memory(x):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    series = pandas.Series(np.asarray(x), copy=False)
    assert series.to_numpy().ctypes.data == address(x)
    np.testing.assert_array_equal(series * 2, np.arange(6) * 2)
    back = ht.asarray(series, copy=False)
    assert address(back) == address(x)
    frame = pandas.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]})
    np.testing.assert_array_equal(ht.asnumpy(ht.asarray(frame)), [[1, 3], [2, 4]])
    with pytest.raises(ht.InvalidTypeError):
        ht.asarray(pandas.Series(["a", "b"]))


def test_arrow_has_hithers_memory():
    arrow = pytest.importorskip("pyarrow", reason="Arrow is not installed")
    x = ht.arange(6, dtype="float32", device="native_cpu")
    buffer = arrow.py_buffer(x)
    assert (buffer.address, buffer.size) == (address(x), x.nbytes)
    column = arrow.Array.from_buffers(arrow.float32(), 6, [None, buffer])
    assert column.sum().as_py() == 15
    gone = weakref.ref(x)
    del x, column
    gc.collect()
    assert gone() is not None
    del buffer
    gc.collect()
    assert gone() is None


@pytest.mark.usefixtures("cpu_by_default")
def test_hither_has_arrows_memory():
    arrow = pytest.importorskip("pyarrow", reason="Arrow is not installed")
    column = arrow.array(np.arange(6.0))
    where = column.buffers()[1].address
    try:
        column.__dlpack__(max_version=(1, 0))
        says_read_only = True
    except TypeError:  # an older Arrow
        says_read_only = False
    for x in (ht.from_dlpack(column), ht.asarray(column, copy=False)):
        assert address(x) == where and not (says_read_only and x.flags["WRITEABLE"])
        np.testing.assert_array_equal(ht.asnumpy(x), np.arange(6.0))
    raw = ht.asarray(column.buffers()[1], copy=False)
    assert (address(raw), raw.nbytes) == (where, 48)
    tensor = arrow.Tensor.from_numpy(np.ones((2, 3)))
    assert ht.asarray(tensor, copy=False).shape == (2, 3)


# -- Numba


def test_compiled_functions_see_hithers_memory(x):
    numba = pytest.importorskip("numba", reason="Numba is not installed")

    @numba.njit
    def add_one(a):
        for i in range(a.size):
            a[i] += 1
        return a.sum()

    assert add_one(np.asarray(x)) == 21
    np.testing.assert_array_equal(ht.asnumpy(x), np.arange(6) + 1)
    x += 1
    assert add_one(np.asarray(x)) == 33


def test_arrow_makes_columns_of_arrays():
    arrow = pytest.importorskip("pyarrow", reason="Arrow is not installed")
    x = ht.asarray([3, 1, 2], dtype="int16", device="native_cpu")
    assert arrow.array(x).type == arrow.int16() and arrow.array(x + 1).to_pylist() == [4, 2, 3]
    assert arrow.array(x, type=arrow.float64()).to_pylist() == [3.0, 1.0, 2.0]
    assert arrow.table({"x": x}).num_rows == 3
