"""The classes of hither.errors."""

import pickle

import pytest

import hither as ht
from hither import _hither

BUILT_IN = {
    ht.InvalidValueError: ValueError,
    ht.InvalidTypeError: TypeError,
    ht.AxisError: ValueError,
    ht.OutOfRangeError: IndexError,
    ht.ScalarOverflowError: OverflowError,
    ht.PlacementError: ValueError,
    ht.OutOfMemoryError: MemoryError,
    ht.ExchangeError: BufferError,
    ht.DeviceError: RuntimeError,
    ht.CompileError: RuntimeError,
    ht.KernelError: RuntimeError,
    ht.UnsupportedError: NotImplementedError,
}


@pytest.mark.parametrize("kind", BUILT_IN)
def test_errors_are_hithers_and_pythons(kind):
    error = kind("where", "what", 7)
    assert isinstance(error, ht.Error)
    assert isinstance(error, BUILT_IN[kind])
    assert (error.where, error.message, error.native_code) == ("where", "what", 7)
    assert str(error) == "where: what"


def test_errors_survive_pickling():
    copy = pickle.loads(pickle.dumps(ht.PlacementError("f", "no queue")))
    assert type(copy) is ht.PlacementError
    assert str(copy) == "f: no queue"


def test_a_core_error_has_its_parts():
    with pytest.raises(ht.InvalidTypeError) as caught:
        _hither.dtype_argument("no such dtype")
    assert caught.value.where == "dtype"
    assert "no such dtype" in caught.value.message
    assert caught.value.native_code == 0


def test_warnings_can_be_told_apart():
    assert not issubclass(ht.PlacementWarning, ht.PerformanceWarning)
    assert not issubclass(ht.PerformanceWarning, ht.PlacementWarning)
