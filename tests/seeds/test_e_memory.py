"""Requirements E: memory management."""

import array
import gc
import os
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import hither as ht


def test_e06_the_kind_of_a_pointer():
    queue = ht.Queue("cpu")
    for name, kind in [
        ("device", ht.MemoryUSMDevice),
        ("shared", ht.MemoryUSMShared),
        ("host", ht.MemoryUSMHost),
    ]:
        memory = kind(8, queue=queue)
        assert ht.get_usm_type(memory.pointer, queue.context) == name
        assert ht.get_usm_type(memory.pointer, ht.Context("cpu")) == "unknown"
    assert ht.get_usm_type(id(queue), queue.context) == "unknown"


@pytest.mark.parametrize("kind", [ht.MemoryUSMShared, ht.MemoryUSMHost])
def test_e07_shared_and_host_memory_are_host_memory(kind):
    memory = kind(32)
    view = memoryview(memory)
    numbers = np.frombuffer(memory, np.float64)
    assert numbers.ctypes.data == memory.pointer
    numbers[:] = [1, 2, 3, 4]
    assert view.nbytes == 32 and not view.readonly
    assert bytes(view) == bytes(memory) == np.array([1.0, 2, 3, 4]).tobytes()
    assert bytearray(memory) == bytes(memory)


def test_e07_device_memory_is_out_of_the_hosts_reach():
    code = (
        "import hither as ht\n"
        "memory = ht.MemoryUSMDevice(8)\n"
        "assert not memory.host_accessible\n"
        "memory.copy_from_host(b'12345678')\n"
        "assert bytes(memory) == b'12345678'\n"
        "try:\n"
        "    memoryview(memory)\n"
        "except BufferError as error:\n"
        "    print(type(error).__name__, error)\n"
        "memoryview(ht.MemoryUSMShared(8))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "HITHER_STRICT_USM": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ExchangeError")
    assert "asnumpy" in done.stdout


def test_e08_memory_is_returned_with_the_last_reference():
    queue = ht.Queue("cpu")
    memory = ht.MemoryUSMShared(8, queue=queue)
    pointer, context = memory.pointer, queue.context
    view = memoryview(memory)
    gone = weakref.ref(view)
    del memory
    gc.collect()
    assert ht.get_usm_type(pointer, context) == "shared"
    del view
    gc.collect()
    assert gone() is None
    assert ht.get_usm_type(pointer, context) == "unknown"


def test_e08_memory_lives_until_the_work_that_uses_it_ended():
    queue = ht.Queue("cpu", in_order=False)
    gate = threading.Event()
    memory = ht.MemoryUSMShared(1 << 20, queue=queue)
    pointer = memory.pointer
    held = queue.submit_host(lambda: gate.wait(30))
    copied = queue.fill(memory, 1, depends_on=held)
    del memory
    gc.collect()
    assert ht.get_usm_type(pointer, queue.context) == "shared"
    gate.set()
    copied.wait()
    queue.wait()
    assert ht.get_usm_type(pointer, queue.context) == "unknown"


@pytest.mark.parametrize(
    "source",
    [b"12345678", bytearray(b"12345678"), array.array("b", b"12345678"), memoryview(b"12345678")],
    ids=["bytes", "bytearray", "array", "memoryview"],
)
def test_e09_buffers_come_and_go(source):
    memory = ht.MemoryUSMDevice(8)
    memory.copy_from_host(source)
    assert bytes(memory) == b"12345678"
    if not memoryview(source).readonly:
        memory.memset(65)
        assert bytes(memory.copy_to_host(source)) == b"A" * 8


def test_e12_explicit_transfer_makes_the_round_trip():
    host = np.random.default_rng(0).random(1000)
    memory = ht.MemoryUSMDevice(host.nbytes)
    memory.copy_from_host(host)
    assert np.array_equal(memory.copy_to_host(np.empty_like(host)), host)


@pytest.fixture(scope="module")
def increment():
    @ht.kernel
    def increment(x):
        i = ht.get_global_id(0)
        x[i] += 1

    return increment


def test_e01_numpy_data_come_back_from_kernels(increment):
    data = np.arange(100.0)
    before = ht.counters()
    with ht.device_context("cpu"):
        increment(data)
    after = ht.counters()
    assert np.array_equal(data, np.arange(100.0) + 1)
    assert after["launches"] == before["launches"] + 1


def test_e02_a_kernel_writes_into_the_producers_memory(increment):
    class Producer:
        def __init__(self):
            self.memory = ht.MemoryUSMShared(80, queue="cpu")
            self.memory.copy_from_host(np.zeros(10))
            self.__sycl_usm_array_interface__ = {
                **self.memory.__sycl_usm_array_interface__,
                "shape": (10,),
                "typestr": "<f8",
            }

    producer = Producer()
    before = ht.counters()
    increment(producer)
    increment[5](producer)
    producer.memory.queue.wait()
    after = ht.counters()
    assert np.frombuffer(producer.memory).tolist() == [2.0] * 5 + [1.0] * 5
    assert after["bytes_to_device"] == before["bytes_to_device"]


def test_e03_arrays_show_every_field():
    x = ht.reshape(ht.arange(24, dtype=np.float32, usm_type="shared"), (4, 6))
    for view in (x, x[::2, 1::3], x[::-1], x[1:1], x.T):
        shown = view.__sycl_usm_array_interface__
        assert shown["shape"] == view.shape
        assert shown["typestr"] == "<f4"
        assert isinstance(shown["data"][0], int) and shown["data"][1] is False
        if shown["strides"] is not None:  # they count elements
            assert tuple(4 * s for s in shown["strides"]) == view.strides
        assert isinstance(shown["offset"], int)
        assert shown["version"] == 1
        assert shown["syclobj"] == view.queue
        assert ht.UsmView(view).shape == view.shape


def test_e05_keys_agree_with_numpys_interface():
    shared = ht.reshape(ht.arange(24, dtype=np.int16, usm_type="shared"), (4, 6))[::2, ::-1]
    ht.synchronize(shared)
    ours = shared.__sycl_usm_array_interface__

    class Converted:
        """NumPy's interface from SUAI: strides in bytes."""

        __array_interface__ = {  # noqa: RUF012
            "shape": ours["shape"],
            "typestr": ours["typestr"],
            "data": (ours["data"][0] + 2 * ours["offset"], ours["data"][1]),
            "strides": tuple(2 * s for s in ours["strides"]),
            "version": 3,
        }

    theirs = np.asarray(Converted())
    assert np.array_equal(theirs, ht.asnumpy(shared))

    class Back:
        """SUAI from NumPy's interface: strides in elements."""

        __sycl_usm_array_interface__ = {  # noqa: RUF012
            **{k: theirs.__array_interface__[k] for k in ("shape", "typestr", "data")},
            "strides": tuple(s // 2 for s in theirs.__array_interface__["strides"]),
            "version": 1,
            "syclobj": shared.queue,
        }

    back = ht.asarray(Back(), copy=False)
    assert ht.UsmView(back).pointer == ht.UsmView(shared).pointer
    assert np.array_equal(ht.asnumpy(back), theirs)
    assert back.strides == shared.strides
