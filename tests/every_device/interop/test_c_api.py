"""The C API's functions on every device, called as an extension in C calls them."""

import ctypes
import gc
import threading
import weakref

import numpy as np
import pytest

import hither as ht
from c_api_table import (
    DEVICE,
    FLOAT32,
    FLOAT64,
    HOST,
    SHARED,
    FreeFunction,
    PointerInfo,
    Table,
    View,
)


@pytest.fixture(scope="module")
def table():
    return Table()


def sizes(*values):
    return (ctypes.c_int64 * len(values))(*values)


def describe(table, array, function="array_describe", *more):
    view = View()
    table.check(getattr(table, function)(array, ctypes.byref(view), *more))
    return view


# -- devices, contexts, queues, events


def test_a_queue_from_a_selector(table, device):
    queue = table.make("queue_select", device.filter_string.encode(), 3)
    found = queue.object()
    assert (found.device, found.in_order, found.enable_profiling) == (device, False, True)
    assert table.queue_properties(queue) == 3
    other = table.make("queue_select", device.filter_string.encode(), 3)
    assert table.queue_equivalent(queue, other) == 1 and table.queue_equal(queue, other) == 0
    plain = table.make("queue_select", device.filter_string.encode(), 0)
    assert table.queue_equivalent(queue, plain) == 0
    with pytest.raises(ht.InvalidValueError, match="4 is not a combination of properties"):
        table.make("queue_select", b"cpu", 4)
    with pytest.raises(ht.InvalidValueError, match="no_such"):
        table.make("queue_select", b"no_such", 0)


def test_handles_are_hithers_own_objects(table, queue):
    there = table.make("queue_from_object", queue)
    assert there.object() == queue
    assert table.make("queue_share", there).object() == queue
    assert table.make("queue_device", there).object() == queue.device
    assert table.make("queue_context", there).object() == queue.context
    assert table.make("context_from_object", queue).object() == queue.context
    assert table.make("context_from_object", queue.context).object() == queue.context
    device = table.make("device_from_object", queue.device)
    assert table.make("queue_default", device).object() == queue.device.default_queue
    assert table.make("context_default", device).object() == queue.device.default_context
    assert table.make("queue_from_object", queue.device.filter_string).object() == queue
    with ht.device_context(queue):
        assert table.make("queue_from_object", None).object() == queue
    for function in ("device", "context", "queue", "event", "memory", "array", "dtype"):
        with pytest.raises((ht.InvalidTypeError, ht.InvalidValueError)):
            out = ctypes.c_void_p()
            table.check(getattr(table, function + "_from_object")(1.5, ctypes.byref(out)))


def test_what_a_device_says_of_itself(table, device):
    handle = table.make("device_select", device.filter_string.encode())
    assert table.device_filter_string(handle).decode() == device.filter_string
    assert ["cpu", "gpu", "accelerator"][table.device_type(handle)] == device.device_type
    number, flag, count = ctypes.c_int64(), ctypes.c_int(), ctypes.c_size_t()
    table.check(table.device_info(handle, b"max_compute_units", ctypes.byref(number)))
    assert number.value == device.max_compute_units
    table.check(table.device_has(handle, b"fp64", ctypes.byref(flag)))
    assert flag.value == device.has_aspect_fp64
    with pytest.raises(ht.InvalidTypeError, match="vendor is not a number"):
        table.check(table.device_info(handle, b"vendor", ctypes.byref(number)))
    with pytest.raises(ht.InvalidValueError, match="not an aspect"):
        table.check(table.device_has(handle, b"wings", ctypes.byref(flag)))
    table.check(table.device_list(None, 0, ctypes.byref(count)))
    assert count.value == len(ht.devices())
    every = (ctypes.c_void_p * count.value)()
    table.check(table.device_list(every, count.value, ctypes.byref(count)))
    assert [table.device_to_object(d) for d in every] == ht.devices()
    for d in every:
        table.device_release(d)


def test_copies_fills_and_events(table, queue):
    there = table.make("queue_from_object", queue)
    memory = table.make("memory_allocate", there, 4000, SHARED, 256)
    address = table.memory_data(memory)
    assert address % 256 == 0 and table.memory_bytes(memory) == 4000
    assert table.memory_usm_type(memory) == SHARED
    pattern = ctypes.c_int32(42)
    filled = table.make("queue_fill", there, address, ctypes.byref(pattern), 4, 1000, None, 0)
    host = np.zeros(1000, np.int32)
    after = (ctypes.c_void_p * 1)(filled._as_parameter_)
    copied = table.make("queue_copy", there, host.ctypes.data, address, host.nbytes, after, 1)
    table.check(table.event_wait(copied))
    assert (host == 42).all()
    state = ctypes.c_int32()
    table.check(table.event_status(copied, ctypes.byref(state)))
    assert state.value == 2 and copied.object().is_complete
    table.check(table.queue_prefetch(there, address, 4000, None, 0, None))
    table.make("queue_barrier", there, None, 0)
    table.check(table.queue_wait(there))
    with pytest.raises(ht.InvalidValueError, match="pattern has 3 bytes"):
        table.check(table.queue_fill(there, address, ctypes.byref(pattern), 3, 1, None, 0, None))
    assert memory.object().pointer == address


def test_what_an_address_is(table, queue):
    there = table.make("queue_from_object", queue)
    context = table.make("queue_context", there)
    memory = table.make("memory_allocate", there, 100, SHARED, 0)
    info = PointerInfo()
    table.check(table.pointer_query(table.memory_data(memory), context, ctypes.byref(info)))
    assert (info.base, info.usm_type) == (table.memory_data(memory), SHARED)
    on_stack = ctypes.c_int()
    table.check(table.pointer_query(ctypes.addressof(on_stack), context, ctypes.byref(info)))
    assert info.usm_type == -1


# -- arrays


@pytest.mark.parametrize("shape", [(), (0,), (1,), (3, 5), (2, 1, 70001)])
def test_arrays_to_and_fro(table, queue, shape):
    values = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    there = table.make("queue_from_object", queue)
    array = table.make(
        "array_from_host", values.ctypes.data, FLOAT64, len(shape), sizes(*shape), None, there,
        DEVICE,
    )  # fmt: skip
    x = array.object()
    assert isinstance(x, ht.Array) and x.queue == queue
    np.testing.assert_array_equal(ht.asnumpy(x), values)
    back = np.full(shape, -1.0)
    table.check(table.array_to_host(array, back.ctypes.data))
    np.testing.assert_array_equal(back, values)
    halves = table.make("array_astype", array, FLOAT32).object()
    assert halves.dtype == np.float32 and halves.shape == shape


def test_a_view_says_what_the_array_is(table, queue):
    x = ht.asarray(np.arange(12.0).reshape(3, 4), queue=queue, usm_type="shared")[::-1, 1:3]
    array = table.array(x)
    view = describe(table, array)
    assert (view.data, view.ndim, view.size, view.itemsize) == (None, 2, 6, 8)
    assert (view.dtype, view.usm_type, view.read_only, view.c_contiguous) == (FLOAT64, SHARED, 0, 0)
    assert (list(view.shape[:2]), list(view.strides[:2])) == ([3, 2], [-4, 1])
    address = ht.UsmView(x).pointer
    event = ctypes.c_void_p()
    assert describe(table, array, "array_view", ctypes.byref(event)).data == address
    table.check(table.event_wait(event))
    table.event_release(event)
    host = describe(table, array, "array_host_view")
    assert ctypes.c_double.from_address(host.data).value == x[0, 0] == 9
    assert table.make("array_queue", array).object() == queue


def test_views_have_room_for_16_dimensions(table, queue):
    there = table.make("queue_from_object", queue)
    assert describe(table, table.array(ht.ones((1,) * 16, queue=queue))).ndim == 16
    many = table.make("array_empty", there, FLOAT64, 32, sizes(*[1] * 32), SHARED)
    assert many.object().shape == (1,) * 32
    for name, *more in (("array_describe",), ("array_view", None), ("array_host_view",)):
        with pytest.raises(ht.UnsupportedError, match="ndim is 32; a hither_view has room for 16"):
            describe(table, many, name, *more)
    view = describe(table, table.array(ht.ones(2, queue=queue)))
    view.ndim = 17
    with pytest.raises(ht.UnsupportedError, match="ndim is 17; a hither_view has room for 16"):
        table.usm_interface(ctypes.byref(view), there)


def test_lazy_arrays_stay_lazy_until_someone_looks(table, queue):
    x = ht.ones(100, queue=queue) + 1
    array = table.array(x)
    describe(table, array)
    y = x * 2
    ht.clear_kernel_history()
    table.check(table.array_synchronize(table.array(y)))
    assert len(ht.kernel_history()) <= 1
    assert (ht.asnumpy(y) == 4).all()


def test_any_object_with_the_usm_interface_is_an_array_in_place(table, queue):
    class ForeignArray:
        def __init__(self, x):
            self.x = x
            self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__

    source = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    foreign = ForeignArray(source)
    gone = weakref.ref(foreign)
    array = table.array(foreign)
    assert describe(table, array, "array_view", None).data == ht.UsmView(source).pointer
    del foreign
    assert gone() is not None  # the handle keeps it
    del array
    ht.ones(1, queue=queue)
    gc.collect()
    assert gone() is None
    foreign = ForeignArray(source)
    foreign.__sycl_usm_array_interface__["shape"] = (4000,)
    with pytest.raises(ht.InvalidValueError, match=r"\['shape'\]"):
        table.array(foreign)


def test_memory_of_the_extension_comes_back_once(table, queue):
    there = table.make("queue_from_object", queue)
    lent = ht.MemoryUSMShared(80, queue=queue)
    released = []
    free = FreeFunction(released.append)
    memory = table.make("memory_adopt", there, lent.pointer, 80, SHARED, free, 7)
    array = table.make("array_from_memory", memory, 16, FLOAT64, 1, sizes(8), None, there, 0)
    y = array.object()
    y[...] = 3
    del memory, array
    assert released == []
    assert (ht.asnumpy(y) == 3).all()
    del y
    gc.collect()
    assert released == [7]
    assert bytes(lent.copy_to_host()[:16]) is not None


def test_layouts_outside_of_memory_are_refused(table, queue):
    there = table.make("queue_from_object", queue)
    memory = table.make("memory_allocate", there, 80, SHARED, 0)
    for offset, shape, strides, message in [
        (8, [10], None, "reach outside"),
        (0, [2], [10], "reach outside"),
        (-8, [1], None, "reach outside"),
        (4, [2], None, "is not aligned for float64"),
        (0, [-1], None, "negative"),
        (0, [2**40, 2**40], None, "elements"),
    ]:
        with pytest.raises(ht.InvalidValueError, match=message):
            table.make(
                "array_from_memory", memory, offset, FLOAT64, len(shape), sizes(*shape),
                strides and sizes(*strides), there, 0,
            )  # fmt: skip
    with pytest.raises(ht.InvalidValueError, match="ndim is 33"):
        table.make("array_empty", there, FLOAT64, 33, sizes(*[1] * 33), DEVICE)
    with pytest.raises(ht.InvalidTypeError, match="not a hither_dtype"):
        table.make("array_empty", there, 99, 1, sizes(1), DEVICE)
    with pytest.raises(ht.InvalidTypeError, match="not a hither_usm_type"):
        table.make("array_empty", there, FLOAT64, 1, sizes(1), 3)


def test_strided_views_assignment_and_queues(table, queue):
    there = table.make("queue_from_object", queue)
    x = ht.asarray(np.arange(10.0), queue=queue)
    every_other = table.make("array_strided", table.array(x), 1, sizes(5), sizes(-2), 9)
    assert ht.asnumpy(every_other.object()).tolist() == [9, 7, 5, 3, 1]
    table.check(table.array_assign(every_other, table.array(ht.asarray([0.5], queue=queue))))
    assert ht.asnumpy(x).tolist() == [0, 0.5, 2, 0.5, 4, 0.5, 6, 0.5, 8, 0.5]
    assert table.make("array_copy", every_other).object().strides == (8,)
    assert table.make("array_to_queue", every_other, there, HOST).object().usm_type == "host"
    made = table.make("array_convert", [1, 2, 3], there).object()
    assert ht.asnumpy(made).tolist() == [1, 2, 3] and made.queue == queue
    with pytest.raises(ht.OutOfRangeError, match="outside the array's elements"):
        table.make("array_strided", table.array(x), 1, sizes(6), sizes(-2), 9)


def test_the_interface_of_a_view(table, queue):
    x = ht.asarray(np.arange(6.0).reshape(2, 3), queue=queue).T
    view = describe(table, table.array(x), "array_view", None)
    fields = table.usm_interface(ctypes.byref(view), table.make("queue_from_object", queue))
    assert fields == x.__sycl_usm_array_interface__


# -- errors


def test_null_is_refused_in_words(table, queue):
    with pytest.raises(ht.InvalidValueError, match="a handle is NULL"):
        table.check(table.queue_wait(None))
    with pytest.raises(ht.InvalidValueError, match="output pointer is NULL"):
        table.check(table.queue_select(b"cpu", 0, None))
    with pytest.raises(ht.InvalidValueError, match="shape is NULL"):
        table.make("array_empty", table.make("queue_from_object", queue), FLOAT64, 1, None, 0)
    for noun in ("device", "context", "queue", "event", "memory", "array", "kernel", "module"):
        getattr(table, f"{noun}_release")(None)


def test_each_thread_has_its_own_last_error(table):
    assert table.queue_wait(None) == 1
    seen = []

    def other():
        seen.append(table.error_message())
        table.queue_select(b"no_such", 0, ctypes.byref(ctypes.c_void_p()))
        seen.append(table.error_message())

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    assert seen[0] == b"" and b"no_such" in seen[1]
    assert b"handle is NULL" in table.error_message()


def test_exceptions_of_python_pass_through(table):
    class Odd:
        def _get_capsule(self):
            raise ZeroDivisionError("odd")

    with pytest.raises(ZeroDivisionError, match="odd"):
        table.make("context_from_object", Odd())
    assert table.error_message().endswith(b"ZeroDivisionError: odd")


def test_extensions_raise_errors_of_hithers_classes(table):
    with pytest.raises(ht.PlacementError, match=r"^mine: no queue$") as caught:
        table.raise_new(5, b"mine", b"no queue")
    assert (caught.value.where, caught.value.message) == ("mine", "no queue")
