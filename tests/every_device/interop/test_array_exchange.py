"""Exchange of memory: buffer protocol, NumPy, DLPack, the USM array interface, pickles."""

from __future__ import annotations

import copy
import gc
import hashlib
import pickle
import weakref

import numpy as np
import pytest

import hither as ht

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip

pytestmark = pytest.mark.usefixtures("cpu_by_default")


@pytest.mark.parametrize("dtype", DTYPES)
def test_numpy_sees_the_same_memory(dtype):
    x = ht.arange(12, dtype=ht.int32).astype(dtype).reshape(3, 4)
    for view in (x, x[::-1], x.T, x[1, 2], x[:, 1:3], x[3:]):
        n = np.asarray(view)
        assert n.dtype == np.dtype(dtype)
        assert n.shape == view.shape and (n.strides == view.strides or n.size == 0)
        np.testing.assert_array_equal(n, ht.asnumpy(view))
    n = np.asarray(x)
    n[0, 0] = 1
    assert ht.asnumpy(x)[0, 0] == 1
    x[0, 1] = 0
    ht.synchronize(x)
    assert n[0, 1] == 0


def test_pending_work_is_done_before_an_export():
    x = ht.arange(5) * 2 + 1
    np.testing.assert_array_equal(np.asarray(x), np.arange(5) * 2 + 1)


def test_work_on_an_exported_array_is_visible_at_once():
    x = ht.zeros(4)
    n = np.asarray(x)
    x += 1
    np.testing.assert_array_equal(n, np.ones(4))
    y = x * 2
    n[:] = 7
    np.testing.assert_array_equal(ht.asnumpy(y), np.full(4, 2.0))
    np.testing.assert_array_equal(ht.asnumpy(x + 0), np.full(4, 7.0))


def test_memoryviews():
    x = ht.arange(6, dtype=ht.int32).reshape(2, 3)
    view = memoryview(x)
    assert (view.shape, view.strides, view.format, view.readonly) == ((2, 3), (12, 4), "i", False)
    assert view.tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(BufferError, match="not contiguous"):
        hashlib.sha256(x.T)  # asks for contiguous bytes


def test_array_protocol():
    x = ht.arange(4)
    assert np.asarray(x, dtype=np.float32).dtype == np.float32
    assert np.array(x, copy=True).flags.owndata
    np.testing.assert_array_equal(x.__array__(), np.arange(4))
    np.testing.assert_array_equal(x.__array__(np.float32), np.arange(4, dtype=np.float32))


def test_numpy_arrays_are_shared_without_a_copy():
    n = np.arange(12.0).reshape(3, 4)
    x = ht.asarray(n[:, ::-1], copy=False)
    assert ht.asnumpy(x)[0, 0] == 3
    n[0, 3] = 100
    assert ht.asnumpy(x)[0, 0] == 100
    x[1:] = 0
    ht.synchronize(x)
    assert n[1:].sum() == 0


def test_read_only_sources_stay_read_only():
    n = np.arange(3)
    n.flags.writeable = False
    x = ht.asarray(n, copy=False)
    assert not x.flags["WRITEABLE"]
    assert not np.asarray(x).flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    assert ht.asarray(n).flags["WRITEABLE"]


class Owned(np.ndarray):
    """An ndarray that can be referenced weakly."""


def test_owners_are_released_exactly_when_the_last_array_goes():
    n = np.arange(5.0).view(Owned)
    gone = weakref.ref(n)
    x = ht.asarray(n, copy=False)
    y = x[1:] + 1
    view = x[2:]
    del n, x
    gc.collect()
    assert gone() is not None
    np.testing.assert_array_equal(ht.asnumpy(view), [2, 3, 4])
    np.testing.assert_array_equal(ht.asnumpy(y), [2, 3, 4, 5])
    del view, y
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.usefixtures("cpu_by_default")
def test_dlpack_both_ways(dtype):
    x = ht.arange(12, dtype=ht.int32).astype(dtype).reshape(3, 4)
    assert x.__dlpack_device__() == (1, 0)
    for view in (x, x[::-1], x.T, x[1, 2]):
        n = np.from_dlpack(view)
        assert n.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(n, ht.asnumpy(view))
    n = np.arange(12).astype(dtype).reshape(3, 4)
    for view in (n, n[::-1], n.T, n[1:1]):
        y = ht.from_dlpack(view)
        assert y.dtype == np.dtype(dtype)
        np.testing.assert_array_equal(ht.asnumpy(y), view)


@pytest.mark.usefixtures("cpu_by_default")
def test_dlpack_shares_memory():
    n = np.zeros(3)
    x = ht.from_dlpack(n)
    x += 1
    np.testing.assert_array_equal(n, np.ones(3))
    m = np.from_dlpack(x)
    assert np.shares_memory(n, m)
    y = ht.from_dlpack(n, copy=True)
    y += 1
    np.testing.assert_array_equal(n, np.ones(3))


@pytest.mark.usefixtures("cpu_by_default")
def test_dlpack_capsules_have_versions():
    x = ht.ones(3)
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0)))
    legacy = repr(x.__dlpack__())
    assert "dltensor" in legacy and "versioned" not in legacy
    assert "versioned" not in repr(x.__dlpack__(max_version=(0, 8)))
    assert x.__dlpack__(copy=True, max_version=(1, 1)) is not None
    with pytest.raises(BufferError, match="dl_device"):
        x.__dlpack__(dl_device=(2, 0))


@pytest.mark.usefixtures("cpu_by_default")
def test_dlpack_carries_the_read_only_flag():
    n = np.arange(3.0)
    n.flags.writeable = False
    x = ht.from_dlpack(n)
    assert not x.flags["WRITEABLE"]
    assert not np.from_dlpack(x).flags.writeable
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__()


def assigned(x, shape):
    y = ht.zeros(shape)
    y[...] = x
    return y


def put_at(x):
    y = ht.zeros(3)
    y[ht.asarray([0, 1, 2])] = x
    return y


READERS = {
    "element-wise": lambda x: x + 1,
    "cast": lambda x: x.astype(ht.float32),
    "select": lambda x: ht.where(x > 0, x, 0),
    "copy": lambda x: ht.copy(x),
    "reduction": lambda x: ht.sum(x),
    "scan": lambda x: ht.cumulative_sum(x),
    "join": lambda x: ht.concat([x, x]),
    "product": lambda x: x @ x,
    "take": lambda x: ht.take(x, ht.asarray([2, 0])),
    "mask": lambda x: x[x > 0],
    "search": lambda x: ht.searchsorted(ht.asarray([0.0, 2.0]), x),
    "assignment": lambda x: assigned(x, (3,)),
    "broadcast assignment": lambda x: assigned(x, (2, 3)),
    "partial assignment": lambda x: assigned(x, (4, 3))[1:],
    "assignment at indices": put_at,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.usefixtures("cpu_by_default")
def test_shared_memory_is_read_when_the_operation_is_called(reader):
    memory = np.ones(3)
    x = ht.from_dlpack(memory)
    y = READERS[reader](x)
    expected = READERS[reader](ht.ones(3))
    memory[:] = -7
    np.testing.assert_array_equal(ht.asnumpy(y), ht.asnumpy(expected))


class OldProducer:
    """A library from before DLPack 1.0."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_legacy_capsules_are_read():
    n = np.arange(6.0).reshape(2, 3)
    for x in (ht.from_dlpack(OldProducer(n)), ht.asarray(OldProducer(n))):
        np.testing.assert_array_equal(ht.asnumpy(x), n)


def test_dlpack_owners_are_released():
    n = np.arange(5.0).view(Owned)
    gone = weakref.ref(n)
    x = ht.from_dlpack(n)
    del n
    gc.collect()
    assert gone() is not None
    del x
    gc.collect()
    assert gone() is None


def test_a_capsule_is_consumed_once():
    class Once:
        capsule = np.arange(3.0).__dlpack__()

        def __dlpack__(self, **keywords):
            return self.capsule

    once = Once()
    assert ht.from_dlpack(once).shape == (3,)
    with pytest.raises(BufferError, match="still to be consumed"):
        ht.from_dlpack(once)


class Producer:
    """Shows an array through its USM interface only."""

    def __init__(self, array):
        self.array = array
        self.__sycl_usm_array_interface__ = array.__sycl_usm_array_interface__


def test_the_usm_interface_shares_memory(queue):
    x = ht.arange(12, queue=queue, usm_type="shared").reshape(3, 4)
    y = ht.asarray(Producer(x[::-1, 1:]))
    assert (y.queue, y.usm_type, y.shape) == (queue, "shared", (3, 3))
    np.testing.assert_array_equal(ht.asnumpy(y), np.arange(12).reshape(3, 4)[::-1, 1:])
    y += 1
    assert ht.asnumpy(x)[0, 1] == 2


def test_foreign_usm_arrays_are_operands(queue):
    x = ht.arange(4, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x + Producer(x)), 2 * np.arange(4))
    np.testing.assert_array_equal(ht.asnumpy(Producer(x) - x), np.zeros(4))
    np.testing.assert_array_equal(ht.asnumpy(ht.add(Producer(x), 1)), np.arange(4) + 1)


def test_the_interface_of_our_arrays():
    x = ht.arange(12, dtype=ht.float32).reshape(3, 4)
    fields = x[1:, ::2].__sycl_usm_array_interface__
    assert fields["shape"] == (2, 2)
    assert fields["strides"] == (4, 2)
    assert fields["typestr"] == "<f4"
    assert fields["version"] == 1
    assert fields["syclobj"] == x.queue
    assert x.__sycl_usm_array_interface__["strides"] is None


def test_copies_and_pickles():
    x = ht.asarray(np.arange(6, dtype=np.int16).reshape(2, 3), usm_type="shared")
    for y in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        y += 1
        assert (y.usm_type, y.dtype, y.device) == ("shared", x.dtype, x.device)
        np.testing.assert_array_equal(ht.asnumpy(y), ht.asnumpy(x) + 1)


def test_arrays_can_be_referenced_weakly():
    x = ht.ones(3)
    gone = weakref.ref(x)
    assert gone() is x
    del x
    assert gone() is None


def test_tolist_and_item():
    x = ht.asarray([[1, 2], [3, 4]])
    assert x.tolist() == [[1, 2], [3, 4]]
    assert x[1, 1].item() == 4 and type(x[1, 1].item()) is int


@pytest.mark.parametrize("dtype", DTYPES)
def test_python_numbers_from_arrays(dtype):
    x = ht.ones((), dtype=dtype)
    assert bool(x) is True
    assert complex(x) == 1
    assert x.item() == 1
    if np.dtype(dtype).kind != "c":
        assert int(x) == 1 and float(x) == 1.0
    if np.dtype(dtype).kind in "iu":
        assert range(5)[x] == 1


def test_arrays_of_sub_devices_come_back_from_pickles_on_the_root_device(sub_devices):
    part = sub_devices[0].create_sub_devices(partition=[1])[0]
    for device in (sub_devices[0], part):
        x = ht.arange(3, queue=ht.Queue(device))
        y = pickle.loads(pickle.dumps(x))
        assert ht.asnumpy(y).tolist() == [0, 1, 2]
        assert y.device == ht.Device("cpu")


def test_broadcast_arrays_leave_read_only():
    x = ht.arange(3)
    for view in (ht.broadcast_to(x, (2, 3)), ht.broadcast_to(x, (2, 3))[0]):
        assert not view.flags["WRITEABLE"]
        assert not np.asarray(view).flags.writeable
        assert not np.from_dlpack(view).flags.writeable
        assert view.__sycl_usm_array_interface__["data"][1]
        assert ht.asarray(view).flags["WRITEABLE"] is False
        assert (view + 0).flags["WRITEABLE"]
        assert ht.copy(view).flags["WRITEABLE"]
    a, b = ht.broadcast_arrays(x, ht.zeros((2, 3)))
    assert not a.flags["WRITEABLE"]
    assert b.flags["WRITEABLE"]
