"""hither.dparray: NumPy with arrays in shared USM."""

import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref

import numpy
import pytest

import hither as ht
import hither.dparray as np
from hither.dparray import DPArray


def in_usm(array, queue=None):
    """A DPArray whose memory is shared USM of a device's context."""
    found = ht.pointer_info(array.ctypes.data, array.queue.context)
    assert found.usm_type == "shared"
    assert queue is None or array.queue == queue
    return isinstance(array, DPArray) and array.usm_type == "shared"


def moved(before):
    after = ht.counters()
    return after["bytes_to_device"] - before["bytes_to_device"], (
        after["bytes_to_host"] - before["bytes_to_host"]
    )


@ht.kernel
def doubled(x, y):
    i = ht.get_global_id(0)
    y[i] = 2 * x[i]


# --- creation ---


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.ones(3),
        lambda: np.zeros((2, 3), order="F"),
        lambda: np.empty(0),
        lambda: np.full((), 2),
        lambda: np.arange(5),
        lambda: np.linspace(0, 1, 4),
        lambda: np.eye(3),
        lambda: np.array([[1, 2], [3, 4]]),
        lambda: np.asarray([1, 2]),
        lambda: np.asarray(numpy.ones(3)),
        lambda: np.ascontiguousarray(numpy.ones((3, 3)).T),
        lambda: np.fromiter(iter([1.0, 2.0]), float),
        lambda: np.fromfunction(lambda i, j: i + j, (2, 2)),
        lambda: np.meshgrid([1, 2], [3, 4])[1],
        lambda: np.mgrid[0:3],
        lambda: np.r_[1:4, 7],
        lambda: np.sin([1.0, 2.0]),
        lambda: np.add.outer([1, 2], [3, 4]),
        lambda: np.random.rand(3),
        lambda: np.random.default_rng(1).normal(size=3),
        lambda: np.random.RandomState(1).rand(2),
        lambda: np.linalg.inv([[2.0, 0.0], [0.0, 4.0]]),
        lambda: np.linalg.svd(numpy.eye(2)).S,
        lambda: np.fft.fft([1.0, 2.0]),
        lambda: np.ones(2, like=np.ones(1)),
        lambda: DPArray((2, 2), "f4"),
        lambda: np.array(b"abcd"),
    ],
)
def test_what_functions_make_lies_in_usm(make):
    assert in_usm(make())


def test_names_that_are_no_functions_are_numpys():
    assert np.float32 is numpy.float32
    assert np.pi == numpy.pi
    assert np.ndarray is numpy.ndarray
    assert set(dir(numpy)) <= set(dir(np))
    with pytest.raises(AttributeError, match="no_such_name"):
        np.no_such_name  # noqa: B018


def test_values_dtypes_and_scalars_are_numpys():
    assert isinstance(np.ones(3).sum(), numpy.float64)
    assert isinstance(np.ones(3)[1], numpy.float64)
    assert isinstance(np.array(3.0) + 1, numpy.float64)
    assert np.array(3).shape == ()
    assert isinstance(np.array(3), DPArray)
    assert np.sqrt(2.0) == numpy.sqrt(2.0)


def test_the_queue_is_the_operands_then_the_contexts_then_the_default(sub_devices):
    first, second = map(ht.Queue, sub_devices)
    assert np.ones(2).queue == ht.default_queue()
    x = np.ones(2, queue=first)
    with ht.device_context(second):
        assert np.ones(2).queue == second
        assert np.random.rand(2).queue == second
        for result in (x + 1, x.copy(), x[[0, 1]], x[x > 0], x.astype("f4"), np.concatenate([x])):
            assert in_usm(result, first)
        assert (np.ones(2) + x).queue == second
    assert in_usm(np.asarray(x, queue=second), second)
    assert np.asarray(x, queue=first) is x
    assert in_usm(np.from_ndarray(numpy.ones(3), second), second)


def test_plain_arrays_are_copied_in_and_seen_without_a_copy():
    plain = numpy.arange(6).reshape(2, 3).T
    array = np.from_ndarray(plain)
    assert in_usm(array)
    assert array.flags.f_contiguous
    array[0, 0] = 9
    assert plain[0, 0] == 0
    back = np.as_ndarray(array)
    assert type(back) is numpy.ndarray
    back[0, 0] = 7
    assert array[0, 0] == 7
    assert np.shares_memory(array.as_ndarray(), array)
    assert np.as_ndarray(plain) is plain
    with pytest.raises(ValueError, match="copy=False"):
        np.asarray(plain, copy=False)


def test_python_objects_stay_in_host_memory():
    with pytest.raises(TypeError, match="cannot be in USM"):
        DPArray(3, object)
    with pytest.raises(TypeError, match="cannot be in USM"):
        np.from_ndarray(numpy.array([None]))
    gc.collect()  # what earlier tests left in cycles
    live = ht.counters()["live_allocations"]
    made = [np.array([None, 1]), np.empty(3, object), np.asarray(numpy.array([None]))]
    x = np.ones(2)
    made += [x.astype(object), np.array([x, None], dtype=object)]
    assert {type(a) for a in made} == {numpy.ndarray}
    assert ht.counters()["live_allocations"] == live + 1
    assert (made[3] + 1).tolist() == [2.0, 2.0]


def test_views_of_host_memory_are_not_said_to_be_usm():
    data = bytearray(8)
    assert type(np.frombuffer(data, "u1")) is numpy.ndarray
    view = numpy.ones(3).view(DPArray)
    assert view.queue is None
    assert view.usm_type is None
    assert not hasattr(view, "__sycl_usm_array_interface__")
    assert in_usm(view + 1)


# --- results and views ---


@pytest.mark.parametrize(
    "work",
    [
        lambda x: x + 1,
        lambda x: 1 - x,
        lambda x: x @ x.T,
        lambda x: x > 2,
        lambda x: x.sum(axis=0),
        lambda x: x.mean(axis=1),
        lambda x: x.cumsum(),
        lambda x: x.std(axis=0),
        lambda x: x.dot(x.T),
        lambda x: x.T,
        lambda x: x[::-1, ::2],
        lambda x: x[[0, 1]],
        lambda x: x[x > 2],
        lambda x: x.flatten(order="F"),
        lambda x: x.reshape(-1, order="F"),
        lambda x: x.nonzero()[0],
        lambda x: x.argsort(axis=1),
        lambda x: x.take([0, 2]),
        lambda x: x.repeat(2),
        lambda x: x.astype("c8").imag,
        lambda x: x.view("u1"),
        lambda x: x.flat[1:4],
        lambda x: x.byteswap(),
        lambda x: x.clip(1, 2),
        lambda x: numpy.concatenate([x, numpy.ones((1, 3))]),
        lambda x: numpy.concatenate([numpy.ones((1, 3)), x]),
        lambda x: numpy.where(x > 2, x, 0),
        lambda x: numpy.einsum("ij->j", x),
        lambda x: numpy.unique(x),
        lambda x: numpy.divmod(x, 2)[1],
        lambda x: numpy.split(x, 3, axis=1)[1],
        lambda x: numpy.linalg.qr(x).R,
        lambda x: numpy.add.reduce(x),
        lambda x: numpy.zeros_like(x),
        lambda x: numpy.interp(x[0], [0, 9], [0, 1]),
        lambda x: numpy.fft.rfft(x),
        lambda x: numpy.apply_along_axis(numpy.cumsum, 0, x),
        lambda x: numpy.ones((2, 3)) * x,
        lambda x: numpy.sort(x, axis=None),
        lambda x: numpy.histogram(x)[0],
    ],
)
def test_results_are_dparrays_with_numpys_values(work):
    plain = numpy.arange(6.0).reshape(2, 3)
    array = np.from_ndarray(plain)
    result, expected = work(array), work(plain)
    assert in_usm(result)
    assert result.dtype == expected.dtype
    assert numpy.array_equal(result.as_ndarray(), expected)
    assert result.flags.owndata == expected.flags.owndata


def test_out_and_in_place_write_where_they_should():
    x, y, plain = np.ones(3), np.zeros(3), numpy.zeros(3)
    address = y.ctypes.data
    assert np.add(x, 1, out=y) is y
    y += x
    y *= 2
    assert y.ctypes.data == address
    assert y.tolist() == [6, 6, 6]
    assert numpy.add(x, 1, out=plain) is plain
    assert numpy.add(plain, 1, out=y) is y
    assert y.tolist() == [3, 3, 3]
    assert numpy.concatenate([x[:1], y[:2]], out=plain) is plain
    fraction, whole = numpy.modf(x * 1.5, out=(None, y))
    assert whole is y
    assert in_usm(fraction)
    numpy.add.at(y, [0, 0], 1)
    assert y.tolist() == [3, 1, 1]
    assert numpy.add(x, 1, where=x > 5, out=np.zeros(3)).tolist() == [0, 0, 0]
    y[1:] = plain[1:]
    y.sort()
    assert y.tolist() == [3, 3, 3]
    z = np.ones(3) * 2
    z.resize(5)
    assert in_usm(z)
    assert z.tolist() == [2, 2, 2, 0, 0]


def test_views_keep_the_owner():
    gc.collect()  # what earlier tests left in cycles
    live = ht.counters()["live_allocations"]
    x = np.arange(100.0)
    owner = weakref.ref(x)
    view = x[10:50:2].reshape(4, 5).T
    del x
    gc.collect()
    assert owner() is not None
    assert view.base is owner()
    assert in_usm(view)
    assert view[0, 0] == 10
    plain = view.as_ndarray()
    del view
    gc.collect()
    assert plain[0, 1] == 20
    del plain
    gc.collect()
    assert owner() is None
    assert ht.counters()["live_allocations"] == live


def test_copies_and_pickles_are_dparrays():
    x = np.asarray(numpy.arange(6).reshape(2, 3), order="F")
    for twin in (
        copy.copy(x),
        copy.deepcopy({"x": x})["x"],
        x.copy(),
        *(pickle.loads(pickle.dumps(x, protocol)) for protocol in range(6)),
    ):
        assert in_usm(twin)
        assert twin.flags.owndata
        assert numpy.array_equal(twin, x)
        twin[0, 0] = 100
        assert x[0, 0] == 0
    assert pickle.loads(pickle.dumps(np.add)) is np.add
    assert pickle.loads(pickle.dumps(np.linalg.inv)) == np.linalg.inv


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_other_subclasses_keep_their_say():
    x = np.ones(3)
    assert isinstance(np.ma.array([1, 2, 3], mask=[0, 1, 0]) + x, numpy.ma.MaskedArray)
    assert isinstance(np.matrix(x) + x, numpy.matrix)

    class Mine(DPArray):
        pass

    mine = x.view(Mine)
    assert type(mine + 1) is Mine
    assert type(mine[1:]) is Mine
    assert in_usm(mine + 1)


def test_structured_text_and_time_arrays_work():
    records = np.zeros(3, dtype=[("x", "i4"), ("y", "f8")])
    records["y"] = [1, 2, 3]
    assert in_usm(records["y"] * 2)
    assert in_usm(records)
    assert not hasattr(records, "__sycl_usm_array_interface__")
    assert np.array(["a", "bc"]).tolist() == ["a", "bc"]
    day = numpy.timedelta64(1, "D")
    assert (np.array(["2020-01-01"], "M8[D]") + day).astype(str).tolist() == ["2020-01-02"]


# --- where devices come in ---


def test_the_interface_describes_views():
    x = np.arange(24).reshape(4, 6)
    for view in (x, x.T, x[::-1, ::2], x[1], x[:0], x[2, 3:4], np.broadcast_to(x, (2, 4, 6))):
        seen = ht.UsmView(view)
        assert seen.pointer == view.ctypes.data
        assert seen.shape == view.shape
        assert seen.usm_type == "shared" or view.size == 0
        assert seen.read_only == (not view.flags.writeable)
        if view.size:
            assert tuple(s * 8 for s in seen.strides) == view.strides
            assert numpy.array_equal(ht.asnumpy(ht.asarray(view)), view.as_ndarray())


def test_kernels_take_dparrays_without_a_copy():
    x, y = np.arange(1000.0), np.zeros(2000)
    doubled[ht.Range(1000)](x, y[::2])
    before = ht.counters()
    doubled[ht.Range(1000)](x, y[1::2])
    assert moved(before) == (0, 0)
    assert y[1::2].tolist() == (2 * x).tolist()
    assert y[::2].tolist() == (2 * x).tolist()


def test_the_host_sees_what_an_out_of_order_queue_wrote():
    queue = ht.Queue("cpu", in_order=False)
    x, y = np.ones(1_000_000, queue=queue), np.zeros(1_000_000, queue=queue)
    for _ in range(5):
        doubled(x, y)
        assert y.min() == 2
        y[:] = 0


def test_array_functions_take_dparrays_without_a_copy():
    x = np.arange(6.0)
    array = ht.asarray(x)
    assert array.__sycl_usm_array_interface__["data"][0] == x.ctypes.data
    assert array.usm_type == "shared"
    array[0] = 5
    assert x[0] == 5
    before = ht.counters()
    result = ht.sin(x) + x
    ht.synchronize(result)
    assert moved(before) == (0, 0)
    assert isinstance(result, ht.Array)
    assert result.queue == x.queue
    assert numpy.allclose(ht.asnumpy(result), numpy.sin(x) + x)


def test_dparrays_and_arrays_of_hither_meet_as_usm_arrays(sub_devices):
    x, array = np.arange(3.0), ht.asarray([10.0, 20.0, 30.0])
    for mixed in (x + array, array + x, ht.add(x, array)):
        assert isinstance(mixed, ht.Array)
        assert ht.asnumpy(mixed).tolist() == [10, 21, 32]
    array[...] = x
    assert ht.asnumpy(array[np.array([2, 0])]).tolist() == [2, 0]
    with pytest.raises(TypeError, match=r"out= must be a hither\.Array, not DPArray"):
        x += array
    first, second = (np.ones(3, queue=ht.Queue(d)) for d in sub_devices)
    assert (first + second).queue == first.queue  # NumPy's, on the host
    with pytest.raises(ht.PlacementError, match=r"x2 .*DPArray"):
        ht.add(first, second)


def test_arrays_of_hither_become_dparrays_without_a_copy():
    array = ht.ones(3, usm_type="shared")
    x = np.asarray(array)
    assert in_usm(x)
    assert x.queue == array.queue
    x[0] = 7
    del array
    gc.collect()
    assert x.tolist() == [7, 1, 1]
    memory = ht.MemoryUSMShared(24)
    over = DPArray((3,), "f8", memory)
    over[:] = 2
    del memory
    gc.collect()
    assert in_usm(over)
    assert over.tolist() == [2, 2, 2]


def test_exhausted_memory_is_a_memory_error():
    with pytest.raises(MemoryError):
        np.empty(1 << 60, "u1")


@pytest.mark.usefixtures("cpu_by_default")  # a forked child has no use of a GPU
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_threads_and_forks():
    x = np.arange(1000.0)
    results = [None] * 8

    def work(i):
        for _ in range(200):
            results[i] = (x * i).sum()
            assert in_usm(x[::2] + i)

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [float(x.sum()) * i for i in range(8)]
    child = os.fork()
    if child == 0:
        try:
            good = (x + 1).sum() == 500500 and in_usm(np.ones(5) * 2)
        finally:
            os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_plain_numpy_is_left_alone():
    x = np.ones(3)
    seen = []
    numpy.frompyfunc(lambda v: seen.append(numpy.empty(2)) or v, 1, 1)(x.tolist())
    _ = x + 1
    with pytest.raises(ValueError, match="broadcast"):
        x + np.ones(4)
    assert {type(a) for a in seen} == {numpy.ndarray}
    gc.collect()  # what earlier tests left in cycles
    live = ht.counters()["live_allocations"]
    kept = numpy.ones(10)
    assert ht.counters()["live_allocations"] == live
    assert kept.sum() == 10


def test_vectorize_gives_arrays_in_usm():
    x = np.arange(4.0)
    assert in_usm(np.vectorize(lambda a: a * 2)(x))

    @np.vectorize(otypes=[float], signature="(n)->()")
    def total(a):
        return a.sum()

    assert in_usm(total(np.ones((3, 4)))) and isinstance(total, numpy.vectorize)
    assert all(in_usm(part) for part in np.vectorize(lambda a: (a, a + 1))(numpy.ones(3)))


def test_archives_and_dlpack_give_arrays_in_usm(tmp_path):
    numpy.savez(tmp_path / "a.npz", x=numpy.arange(3.0), names=numpy.array(["a"]))
    with np.load(tmp_path / "a.npz") as archive:
        assert in_usm(archive["x"]) and archive["x"].tolist() == [0, 1, 2]
        assert sorted(archive.files) == ["names", "x"] and archive["names"][0] == "a"
    x = np.ones(3)
    y = np.from_dlpack(x)
    y[0] = 9
    assert in_usm(y) and x[0] == 9
    assert type(np.from_dlpack(numpy.ones(3))) is numpy.ndarray  # it is plain memory


def test_numba_is_not_imported_and_knows_the_functions():
    program = """
import sys
import hither.dparray as np
from hither.dparray import cos
assert "numba" not in sys.modules
import numba
@numba.njit
def f(a):
    b = np.zeros(a.size)
    for i in range(a.size):
        b[i] = cos(a[i]) * np.pi
    return b + np.sin(a) + np.random.rand() * 0 + np.linalg.norm(a) * 0
@numba.njit(parallel=True)
def g(n):
    return np.ones(n).sum()
a = np.ones(10)
assert np.allclose(f(a), np.cos(1.0) * np.pi + np.sin(1.0))
assert numba.typeof(a) == numba.float64[::1]
assert g(5) == 5
diagnostics = g.get_metadata(g.signatures[0])["parfor_diagnostics"]
assert diagnostics.count_parfors() == 1, diagnostics.count_parfors()
same = numba.njit(lambda x: x)(a)
assert same is a
"""
    subprocess.run([sys.executable, "-c", program], check=True)
