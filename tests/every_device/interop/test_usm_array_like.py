"""Foreign classes and addresses as arrays in USM."""

import gc
import weakref
from dataclasses import dataclass

import numpy as np
import pytest

import hither as ht


@ht.usm_array_like("samples")
class Recording:
    def __init__(self, samples):
        self.samples = samples


@ht.usm_array_like("data")
@dataclass(frozen=True)
class Frozen:
    data: object


@pytest.mark.parametrize("make", [Recording, Frozen])
def test_instances_go_where_arrays_go(queue, make):
    x = ht.asarray(np.arange(6.0).reshape(2, 3), queue=queue).T
    shown = make(x)
    y = ht.asarray(shown)
    assert ht.UsmView(y).pointer == ht.UsmView(x).pointer
    assert (y.shape, y.queue) == ((3, 2), queue)
    y += 1
    assert ht.asnumpy(x).tolist() == [[1, 4], [2, 5], [3, 6]]

    @ht.kernel
    def double(a):
        i = ht.get_global_id(0)
        a[i, 0] *= 2

    double[ht.Range(3)](shown)
    assert ht.asnumpy(x)[:, 0].tolist() == [2, 4, 6]


def test_memory_and_wrappers_of_wrappers(queue):
    memory = ht.MemoryUSMShared(24, queue=queue)
    view = ht.UsmView(Recording(Recording(memory)))
    assert (view.pointer, view.shape) == (memory.pointer, (24,))


def test_what_was_shown_lives_as_long_as_its_takers(queue):
    recording = Recording(ht.ones(4, queue=queue))
    taken = ht.asarray(recording)
    recording.samples = ht.zeros(4, queue=queue)
    assert ht.asnumpy(taken).tolist() == [1, 1, 1, 1]
    assert ht.asnumpy(ht.asarray(recording)).tolist() == [0, 0, 0, 0]
    gone = weakref.ref(recording)
    del recording
    assert gone() is not None and ht.asnumpy(taken + 1).tolist() == [2, 2, 2, 2]
    del taken
    ht.ones(1, queue=queue)
    gc.collect()
    assert gone() is None


def test_an_attribute_that_is_no_array_is_named():
    for wrong in (np.zeros(3), None):
        with pytest.raises(
            ht.InvalidTypeError, match=r"Recording.samples: is a \w+, which is not an array"
        ):
            _ = Recording(wrong).__sycl_usm_array_interface__

    @ht.usm_array_like("x")
    class Slots:
        __slots__ = ("x",)

    slots = Slots()
    slots.x = ht.ones(1)
    with pytest.raises(ht.InvalidTypeError, match=r"Slots.x: needs a class with __dict__"):
        _ = slots.__sycl_usm_array_interface__


def test_an_address_is_checked_field_by_field(queue):
    memory = ht.MemoryUSMShared(80, queue=queue)
    show = ht.usm_array_interface
    fields = show(memory.pointer, (2, 5), "float64", queue=queue)
    assert fields["data"] == (memory.pointer, False)
    assert (fields["shape"], fields["strides"], fields["typestr"]) == ((2, 5), None, "<f8")
    assert (fields["syclobj"], fields["version"], fields["offset"]) == (queue, 1, 0)

    class Shown:
        kept = memory
        __sycl_usm_array_interface__ = show(
            memory.pointer + 72, 10, np.float64, queue=queue, strides=-1, read_only=True
        )

    x = ht.UsmView(Shown())
    assert (x.shape, x.strides, x.read_only, x.queue) == ((10,), (-1,), True, queue)
    for pointer, shape, dtype, strides, error, message in [
        (memory.pointer, (11,), "float64", None, ht.InvalidValueError, r"\['shape'\]"),
        (memory.pointer, (2,), "float64", (10,), ht.InvalidValueError, r"\['shape'\]"),
        (memory.pointer, (2,), "float64", (1, 1), ht.InvalidValueError, "2 numbers for 1"),
        (memory.pointer + 4, (2,), "float64", None, ht.InvalidValueError, r"\['data'\]"),
        (memory.pointer, (-2,), "float64", None, ht.InvalidValueError, ""),
        (memory.pointer, (2,), "U3", None, ht.InvalidTypeError, ""),
    ]:
        with pytest.raises(error, match=message or None):
            show(pointer, shape, dtype, queue=queue, strides=strides)
    on_host = np.zeros(3)
    with pytest.raises(ht.ExchangeError, match="not bound to the context"):
        show(on_host.ctypes.data, (3,), "float64", queue=queue)
