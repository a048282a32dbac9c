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
