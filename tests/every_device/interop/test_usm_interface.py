"""Reading and writing __sycl_usm_array_interface__."""

import numpy as np
import pytest

import hither as ht


class Producer:
    """A foreign array that shows a dict."""

    def __init__(self, memory, **changes):
        self.memory = memory
        fields = {
            "shape": (memory.nbytes // 4,),
            "typestr": "<f4",
            "data": (memory.pointer, False),
            "strides": None,
            "offset": 0,
            "version": 1,
            "syclobj": memory.queue,
        }
        fields.update(changes)
        self.__sycl_usm_array_interface__ = {k: v for k, v in fields.items() if v is not ...}


class Broken:
    """A foreign array whose attributes raise."""

    def __init__(self, error):
        self.error = error

    @property
    def __sycl_usm_array_interface__(self):
        raise self.error


@pytest.fixture
def memory(queue):
    return ht.MemoryUSMShared(64, queue=queue)


def test_memory_shows_bytes(memory):
    shown = memory.__sycl_usm_array_interface__
    assert shown == {
        "shape": (64,),
        "typestr": "|u1",
        "data": (memory.pointer, False),
        "strides": None,
        "offset": 0,
        "version": 1,
        "syclobj": memory.queue,
    }
    view = ht.UsmView(memory)
    assert (view.pointer, view.shape, view.strides, view.dtype) == (
        memory.pointer, (64,), (1,), np.uint8,
    )  # fmt: skip
    assert view.usm_type == "shared" and view.owner is memory


def test_a_view_copies_nothing_and_keeps_the_owner(memory):
    view = ht.UsmView(Producer(memory, shape=(2, 3), strides=(4, 1), offset=5))
    assert view.pointer == memory.pointer + 20
    assert (view.shape, view.strides) == ((2, 3), (4, 1))
    assert view.queue == memory.queue and view.device == memory.device
    assert view.__sycl_usm_array_interface__["strides"] == (4, 1)
    assert view.__sycl_usm_array_interface__["data"] == (memory.pointer + 20, False)


def test_negative_strides_reach_back(memory):
    view = ht.UsmView(Producer(memory, shape=(4, 4), strides=(-4, -1), offset=15))
    assert view.strides == (-4, -1)


@pytest.mark.parametrize("offset", [-(2**63), -(2**62), -17, 2**62, 2**63 - 1])
def test_offsets_beyond_the_memory_are_refused(memory, offset):
    with pytest.raises(ht.Error, match="reach"):
        ht.asarray(Producer(memory, shape=(4,), strides=None, offset=offset))


def test_the_read_only_flag_is_kept(memory):
    view = ht.UsmView(Producer(memory, data=(memory.pointer, True)))
    assert view.read_only
    assert view.__sycl_usm_array_interface__["data"][1] is True


@pytest.mark.parametrize("what", ["queue", "context", "device", "string", "queue_capsule",
                                  "context_capsule", "duck"])  # fmt: skip
def test_syclobj_may_be_many_things(memory, what):
    class Duck:
        filter_string = memory.device.filter_string

    syclobj = {
        "queue": memory.queue,
        "context": memory.context,
        "device": memory.sycl_device,
        "string": memory.device.filter_string,
        "queue_capsule": memory.queue._get_capsule(),
        "context_capsule": memory.context._get_capsule(),
        "duck": Duck(),
    }[what]
    view = ht.UsmView(Producer(memory, syclobj=syclobj))
    assert view.queue.equivalent(memory.queue)
    assert view.pointer == memory.pointer


def test_a_context_of_ones_own(device):
    context = ht.Context(device)
    queue = ht.Queue(context, device)
    memory = ht.MemoryUSMDevice(16, queue=queue)
    for syclobj in (queue, context, context._get_capsule()):
        assert ht.UsmView(Producer(memory, syclobj=syclobj)).queue.context == context


def test_without_data_the_buffer_is_used():
    queue = ht.Queue("cpu")

    class Buffered(bytearray):
        @property
        def __sycl_usm_array_interface__(self):
            return {"shape": (4,), "typestr": "<f4", "version": 1, "syclobj": queue}

    source = Buffered(np.arange(4, dtype=np.float32).tobytes())
    view = ht.UsmView(source)
    assert view.usm_type == "host" and not view.read_only
    assert view.pointer == np.frombuffer(source, np.uint8).ctypes.data
    with pytest.raises(BufferError):
        source.extend(b"more")  # the view holds the buffer


def test_copies_take_any_producer(memory):
    memory.copy_from_host(np.arange(16, dtype=np.float32))
    target = ht.MemoryUSMDevice(64, queue=memory.queue)
    target.copy_from_device(Producer(memory))
    assert bytes(target) == bytes(memory)


def test_an_empty_array_needs_no_address(memory):
    view = ht.UsmView(Producer(memory, shape=(0, 3), data=(0, False)))
    assert view.shape == (0, 3)


def test_a_borrowed_view_does_not_bound_what_is_known():
    source = np.arange(10, dtype=np.float32)
    queue = ht.Queue("cpu")
    parts = [ht.asarray(source[:5], device=queue, copy=False)]

    class Whole:
        def __init__(self):
            self.__sycl_usm_array_interface__ = {
                "shape": (10,), "typestr": "<f4", "version": 1, "syclobj": queue,
                "data": (source.ctypes.data, False),
            }  # fmt: skip

    with pytest.raises(ht.InvalidValueError, match="reach bytes 0 to 40 of an allocation of 20"):
        ht.asarray(Whole())  # the rest is not validated
    parts.append(ht.asarray(source[4:], device=queue, copy=False))
    whole = ht.asarray(Whole())
    parts[0] += 1
    parts[1] *= 2
    expected = [1, 2, 3, 4, 10, 10, 12, 14, 16, 18]
    np.testing.assert_array_equal(np.asarray(whole), expected)
    np.testing.assert_array_equal(source, expected)


@ht.kernel
def write_one(x):
    x[0] = 1


@pytest.mark.parametrize(
    "take",
    [ht.asarray, ht.asnumpy, ht.sin, ht.MemoryUSMShared, write_one[1], lambda x: ht.ones(2) + x],
    ids=["asarray", "asnumpy", "function", "memory", "kernel", "operator"],
)
def test_what_the_attribute_raises_is_let_out(take):
    with pytest.raises(RuntimeError, match="is no more"):
        take(Broken(RuntimeError("is no more")))


def test_an_attribute_error_means_that_there_is_none():
    with pytest.raises(ht.InvalidTypeError, match="cannot become an array"):
        ht.asarray(Broken(AttributeError("has none")))
