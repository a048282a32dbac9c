"""DLPack's table of C functions, as extensions use it."""

import ctypes
import gc
from ctypes import c_char_p, c_int, c_int32, c_uint32, c_void_p

import numpy as np
import pytest

import hither as ht


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Managed(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("context", c_void_p),
        ("deleter", ctypes.CFUNCTYPE(None, c_void_p)),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    ]


SetError = ctypes.CFUNCTYPE(None, c_void_p, c_char_p, c_char_p)
Out = ctypes.POINTER(ctypes.POINTER(Managed))


class Exchange(ctypes.Structure):
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("previous", c_void_p),
        ("allocate", ctypes.PYFUNCTYPE(c_int, ctypes.POINTER(Tensor), Out, c_void_p, SetError)),
        ("from_object", ctypes.PYFUNCTYPE(c_int, ctypes.py_object, Out)),
        (
            "to_object",
            ctypes.PYFUNCTYPE(c_int, ctypes.POINTER(Managed), ctypes.POINTER(c_void_p)),
        ),
        ("view", ctypes.PYFUNCTYPE(c_int, ctypes.py_object, ctypes.POINTER(Tensor))),
        ("stream", ctypes.PYFUNCTYPE(c_int, c_int32, c_int32, ctypes.POINTER(c_void_p))),
    ]


@pytest.fixture(scope="module")
def table():
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = c_void_p, [ctypes.py_object, c_char_p]
    capsule = ht.Array.__dlpack_c_exchange_api__
    found = Exchange.from_address(pointer(capsule, b"dlpack_exchange_api"))
    assert (found.major, found.previous) == (1, None) and found.minor >= 3
    return found


@pytest.fixture(autouse=True)
def known_to_dlpack(device):
    try:
        ht.ones(1, device=device).__dlpack_device__()
    except ht.ExchangeError:
        pytest.skip("DLPack does not know the device")


def object_of(table, managed):
    out = c_void_p()
    assert table.to_object(managed, ctypes.byref(out)) == 0
    found = ctypes.cast(out, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))
    return found


def test_tensors_share_memory_both_ways(table, queue):
    x = ht.asarray(np.arange(12.0).reshape(3, 4), queue=queue)[:, ::-2]
    managed = ctypes.POINTER(Managed)()
    assert table.from_object(x, ctypes.byref(managed)) == 0
    tensor = managed.contents.tensor
    assert tensor.data == ht.UsmView(x).pointer
    assert (tensor.device_type, tensor.device_id) == x.__dlpack_device__()
    assert (tensor.code, tensor.bits, tensor.lanes) == (2, 64, 1)
    assert (tensor.shape[:2], tensor.strides[:2]) == ([3, 2], [4, -2])
    y = object_of(table, managed)
    assert isinstance(y, ht.Array) and ht.UsmView(y).pointer == tensor.data
    y += 1
    np.testing.assert_array_equal(ht.asnumpy(x), np.arange(12.0).reshape(3, 4)[:, ::-2] + 1)


def test_a_view_of_a_lazy_array_has_its_values(table, queue):
    x = ht.arange(5, dtype="int32", queue=queue) * 3
    tensor, stream = Tensor(), c_void_p(1)
    assert table.view(x, ctypes.byref(tensor)) == 0
    assert table.stream(tensor.device_type, tensor.device_id, ctypes.byref(stream)) == 0
    assert (tensor.ndim, tensor.shape[0], tensor.strides[0]) == (1, 5, 1)
    assert tensor.data == ht.UsmView(x).pointer and stream.value is None
    if tensor.device_type == 1:
        assert (c_int32 * 5).from_address(tensor.data)[:] == [0, 3, 6, 9, 12]


def test_tensors_are_allocated_like_others(table, queue):
    like, managed = Tensor(), ctypes.POINTER(Managed)()
    lent = ht.zeros((2, 3), dtype="uint8", queue=queue)
    assert table.view(lent, ctypes.byref(like)) == 0
    never = SetError(lambda context, kind, message: pytest.fail(message.decode()))
    assert table.allocate(ctypes.byref(like), ctypes.byref(managed), None, never) == 0
    x = object_of(table, managed)
    assert (x.shape, x.dtype) == ((2, 3), np.uint8)
    assert x.__dlpack_device__() == (like.device_type, like.device_id)
    x[...] = 7
    assert (ht.asnumpy(x) == 7).all()


def test_faults_are_told_as_dlpack_has_it(table, queue):
    managed, like, told = ctypes.POINTER(Managed)(), Tensor(), []
    with pytest.raises(ht.InvalidTypeError, match=r"not a hither\.Array"):
        table.from_object(np.zeros(3), ctypes.byref(managed))
    x = ht.zeros(3, queue=queue)
    assert table.view(x, ctypes.byref(like)) == 0
    like.bits = 3
    tell = SetError(lambda context, kind, message: told.append((kind, message)))
    assert table.allocate(ctypes.byref(like), ctypes.byref(managed), None, tell) == -1
    assert told[0][0] == b"BufferError" and b"3 bits" in told[0][1]


def test_a_tensor_of_an_unknown_version_is_deleted_and_refused(table, queue):
    managed = ctypes.POINTER(Managed)()
    x = ht.ones(3, queue=queue)
    assert table.from_object(x, ctypes.byref(managed)) == 0
    managed.contents.major = 2
    with pytest.raises(ht.ExchangeError, match="version 2 of the tensor is unknown"):
        table.to_object(managed, ctypes.byref(c_void_p()))
    del x
    gc.collect()  # the fixture of leaks sees that nothing holds the memory any more
