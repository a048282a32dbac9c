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
from patience import comes_true


def test_e06_the_kind_of_a_pointer(device):
    queue = ht.Queue(device)
    for name, kind in [
        ("device", ht.MemoryUSMDevice),
        ("shared", ht.MemoryUSMShared),
        ("host", ht.MemoryUSMHost),
    ]:
        memory = kind(8, queue=queue)
        assert ht.get_usm_type(memory.pointer, queue.context) == name
        assert ht.get_usm_type(memory.pointer, ht.Context(device)) == "unknown"
    assert ht.get_usm_type(id(queue), queue.context) == "unknown"


@pytest.mark.parametrize("kind", [ht.MemoryUSMShared, ht.MemoryUSMHost])
def test_e07_shared_and_host_memory_are_host_memory(device, kind):
    memory = kind(32, queue=device)
    view = memoryview(memory)
    numbers = np.frombuffer(memory, np.float64)
    assert numbers.ctypes.data == memory.pointer
    numbers[:] = [1, 2, 3, 4]
    assert view.nbytes == 32 and not view.readonly
    assert bytes(view) == bytes(memory) == np.array([1.0, 2, 3, 4]).tobytes()
    assert bytearray(memory) == bytes(memory)


def test_e07_the_host_cannot_access_device_memory(device):
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
        env={**os.environ, "HITHER_STRICT_USM": "1", "HITHER_DEVICE": str(device)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("ExchangeError")
    assert "asnumpy" in done.stdout


def test_e08_memory_is_returned_with_the_last_reference(device):
    queue = ht.Queue(device)
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


def test_e08_memory_lives_until_the_work_that_uses_it_has_ended(device):
    queue = ht.Queue(device, in_order=False)
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
    assert comes_true(lambda: ht.get_usm_type(pointer, queue.context) == "unknown")


def test_e08_foreign_memory_is_released_by_its_owner_once(device):
    released = []

    class Foreign(Fields):
        pass

    memory, fields = complete_fields(device)
    foreign = Foreign(fields, memory)
    weakref.finalize(foreign, released.append, "interface")
    x = ht.asarray(foreign)
    y = x[1:] + 0  # pending work and views hold it too
    view = x[2:]
    del foreign, x
    gc.collect()
    assert released == []
    assert ht.asnumpy(y).shape == (3, 6)
    del y
    gc.collect()
    assert released == [] and ht.asnumpy(view)[0, 0] == 12
    del view
    gc.collect()
    device.default_queue.wait()
    assert comes_true(lambda: released == ["interface"])
    del memory, fields


def test_e08_dlpack_is_released_by_its_deleter_once(device):
    released = []

    class Shared(np.ndarray):
        pass

    source = np.arange(12.0).view(Shared)
    weakref.finalize(source, released.append, "dlpack")
    x = ht.from_dlpack(source)
    view, there = x[3:], x.to_device(device) + 1  # work that reads it, on any device
    del source, x
    gc.collect()
    assert released == [] and ht.asnumpy(view)[0] == 3
    del view
    assert ht.asnumpy(there)[0] == 1
    del there
    gc.collect()
    device.default_queue.wait()
    assert comes_true(lambda: released == ["dlpack"])


@pytest.mark.parametrize(
    "kind", [bytes, bytearray, lambda values: array.array("b", values), memoryview]
)
def test_e09_buffers_are_copied_in_and_out(device, kind):
    source = kind(b"12345678")
    memory = ht.MemoryUSMDevice(8, queue=device)
    memory.copy_from_host(source)
    assert bytes(memory) == b"12345678"
    if not memoryview(source).readonly:
        memory.memset(65)
        assert bytes(memory.copy_to_host(source)) == b"A" * 8


def test_e12_explicit_transfer_makes_the_round_trip(device):
    host = np.random.default_rng(0).random(1000)
    memory = ht.MemoryUSMDevice(host.nbytes, queue=device)
    memory.copy_from_host(host)
    assert np.array_equal(memory.copy_to_host(np.empty_like(host)), host)
    x = ht.asarray(np.zeros(1000), device=device)
    x.copy_to_device(host)
    assert np.array_equal(x.copy_to_host(), host)
    there = ht.asarray(host, device="cpu").to_device(device)
    assert there.device == device
    assert np.array_equal(there.copy_to_host(np.empty_like(host)), host)


ROUND_TRIP = """
import numpy as np
import hither as ht
host = np.random.default_rng(0).random(1000)
before = ht.counters()
x = ht.asarray(host)
back = x.copy_to_host()
after = ht.counters()
assert x.usm_type == "device" and np.array_equal(back, host) and back is not host
assert [after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")] == [8000, 8000]
"""


def test_e12_a_round_trip_is_one_copy_each_way(strictly):
    strictly(ROUND_TRIP)


MOVED = """
import numpy as np
import hither as ht

@ht.kernel
def increment(x):
    i = ht.get_global_id(0)
    x[i] += 1

def moved(call):
    before = ht.counters()
    call()
    after = ht.counters()
    return [after[k] - before[k] for k in ("bytes_to_device", "bytes_to_host")]
"""


def test_e01_numpy_data_are_moved_to_kernels_and_back(strictly):
    strictly(f"""{MOVED}
data = np.arange(100.0)
with ht.device_context(ht.Device()):
    assert moved(lambda: increment(data)) == [800, 800]
assert np.array_equal(data, np.arange(100.0) + 1)
assert ht.kernel_history()[-1].device == ht.Device().filter_string
""")


def test_e02_a_kernel_works_in_the_producers_memory(strictly):
    strictly(f"""{MOVED}
class Producer:
    def __init__(self):
        self.memory = ht.MemoryUSMShared(80)
        self.memory.copy_from_host(np.zeros(10))
        self.__sycl_usm_array_interface__ = {{
            **self.memory.__sycl_usm_array_interface__,
            "shape": (10,),
            "typestr": "<f8",
        }}

producer = Producer()
assert moved(lambda: (increment(producer), increment[5](producer))) == [0, 0]
producer.memory.queue.wait()
assert np.frombuffer(producer.memory).tolist() == [2.0] * 5 + [1.0] * 5
assert ht.UsmView(producer).pointer == producer.memory.pointer
with ht.device_context(ht.Device()):
    assert moved(lambda: increment(np.zeros(10))) == [80, 80]  # this copy is counted
""")


def test_e13_private_arrays_are_zeroed_for_each_item_and_iteration(device):
    @ht.kernel
    def counted(x, out):
        i = ht.get_global_id(0)
        for step in range(3):
            own = ht.private.array((4, 2), ht.int32)
            for k in range(x.shape[1]):
                own[x[i, k], step % 2] += 1
            for k in range(4):
                for n in range(2):
                    out[i, step, k] += own[k, n]

    @ht.kernel
    def left_alone(x, out):
        i = ht.get_global_id(0)
        own = ht.private.array(4, ht.int32, zero=False)
        for k in range(4):
            own[k] = x[i, k]
        for k in range(4):
            out[i, 0, k] = own[3 - k]

    x = np.random.default_rng(0).integers(0, 4, (1000, 7))
    out = ht.zeros((1000, 3, 4), dtype=ht.int64, device=device)
    counted[1000](ht.asarray(x, device=device), out)
    expected = np.stack([np.bincount(row, minlength=4) for row in x])
    assert np.array_equal(ht.asnumpy(out), np.repeat(expected[:, None, :], 3, axis=1))
    left_alone[1000](ht.asarray(x, device=device), out)
    assert np.array_equal(ht.asnumpy(out)[:, 0], x[:, 3::-1])


def test_e13_private_arrays_are_zeroed_in_groups_too(device):
    @ht.kernel
    def summed(x, out):
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        own = ht.private.array(4, ht.float64)
        shared = ht.local.array(8, ht.float64)
        own[i % 4] += x[i]
        shared[k] = own[0] + own[1] + own[2] + own[3]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        out[i] = shared[7 - k] + own[(i + 1) % 4]

    x = ht.arange(64.0, device=device)
    out = ht.zeros(64, device=device)
    summed[ht.NdRange(64, 8)](x, out)
    assert np.array_equal(ht.asnumpy(out), np.arange(64.0).reshape(8, 8)[:, ::-1].ravel())


def test_e03_arrays_export_every_field(device):
    x = ht.reshape(ht.arange(24, dtype=np.float32, usm_type="shared", device=device), (4, 6))
    for view in (x, x[::2, 1::3], x[::-1], x[1:1], x.T):
        fields = view.__sycl_usm_array_interface__
        assert fields["shape"] == view.shape
        assert fields["typestr"] == "<f4"
        assert isinstance(fields["data"][0], int) and fields["data"][1] is False
        if fields["strides"] is not None:  # they count elements
            assert tuple(4 * s for s in fields["strides"]) == view.strides
        assert isinstance(fields["offset"], int)
        assert fields["version"] == 1
        assert fields["syclobj"] == view.queue
        assert ht.UsmView(view).shape == view.shape


class Fields:
    def __init__(self, fields, memory):
        self.__sycl_usm_array_interface__, self.memory = fields, memory


def complete_fields(device):
    memory = ht.MemoryUSMShared(96, queue=device)
    memory.copy_from_host(np.arange(24, dtype=np.float32))
    return memory, {
        "shape": (4, 6), "typestr": "<f4", "typedescr": [("", "<f4")],
        "data": (memory.pointer, False), "strides": (6, 1), "offset": 0, "version": 1,
        "syclobj": memory.queue,
    }  # fmt: skip


def test_e03_integers_may_be_numpys(device):
    memory, fields = complete_fields(device)
    given = {"shape": (np.int64(2), np.int32(6)), "strides": (np.int16(12), np.uint8(1)),
             "offset": np.int64(1), "version": np.int8(1)}  # fmt: skip
    x = ht.asarray(Fields({**fields, **given, "shape": (np.int64(2), np.int32(5))}, memory))
    expected = np.arange(24, dtype=np.float32).reshape(4, 6)[::2, 1:]
    assert x.shape == (2, 5) and np.array_equal(ht.asnumpy(x), expected)
    with pytest.raises(ht.InvalidTypeError, match=r"\['shape'\]"):
        ht.asarray(Fields({**fields, "shape": (np.bool_(True), 6)}, memory))


@pytest.mark.parametrize("field", ["typedescr", "descr"])
def test_e03_the_description_is_checked_against_typestr(device, field):
    memory, fields = complete_fields(device)
    for good in ([("", "<f4")], [("", "f4")], [("value", "<f4")], None):
        assert ht.UsmView(Fields({**fields, field: good}, memory)).dtype == np.float32
    for bad in ([("", "<f8")], [("", "<i4")], [], [("a", "<f2"), ("b", "<f2")], [("", 4)], [("",)]):
        with pytest.raises(ht.InvalidValueError, match=rf"\['{field}'\]: .* typestr"):
            ht.UsmView(Fields({**fields, field: bad}, memory))
    for ill in ("<f4", [1], ("", "<f4")):
        with pytest.raises(ht.InvalidTypeError, match=rf"\['{field}'\]"):
            ht.UsmView(Fields({**fields, field: ill}, memory))


@pytest.mark.parametrize("field", ["shape", "typestr", "data", "version", "syclobj"])
def test_e03_missing_fields_are_named(device, field):
    memory, fields = complete_fields(device)
    del fields[field]
    with pytest.raises(ht.InvalidValueError, match=rf"\['{field}'\]: is missing"):
        ht.UsmView(Fields(fields, memory))


def test_e03_an_unknown_version_is_refused(device):
    memory, fields = complete_fields(device)
    with pytest.raises(ht.InvalidValueError, match=r"\['version'\]: 2 is unknown"):
        ht.UsmView(Fields({**fields, "version": 2}, memory))


def test_e05_keys_agree_with_numpys_interface(device):
    shared = ht.reshape(ht.arange(24, dtype=np.int16, usm_type="shared", device=device), (4, 6))[
        ::2, ::-1
    ]
    ht.synchronize(shared)
    fields = shared.__sycl_usm_array_interface__

    class Converted:
        """NumPy's interface from SUAI, with strides in bytes."""

        __array_interface__ = {  # noqa: RUF012
            "shape": fields["shape"],
            "typestr": fields["typestr"],
            "data": (fields["data"][0] + 2 * fields["offset"], fields["data"][1]),
            "strides": tuple(2 * s for s in fields["strides"]),
            "version": 3,
        }

    converted = np.asarray(Converted())
    assert np.array_equal(converted, ht.asnumpy(shared))

    class Back:
        """SUAI from NumPy's interface, with strides in elements."""

        __sycl_usm_array_interface__ = {  # noqa: RUF012
            **{k: converted.__array_interface__[k] for k in ("shape", "typestr", "data")},
            "strides": tuple(s // 2 for s in converted.__array_interface__["strides"]),
            "version": 1,
            "syclobj": shared.queue,
        }

    back = ht.asarray(Back(), copy=False)
    assert ht.UsmView(back).pointer == ht.UsmView(shared).pointer
    assert np.array_equal(ht.asnumpy(back), converted)
    assert back.strides == shared.strides


def test_e10_local_memory_is_one_per_group_and_bounded(device):
    @ht.kernel
    def reversed_in_groups(x):
        block = ht.local.array((2, 4), ht.float32)
        i, k = ht.get_global_id(0), ht.get_local_id(0)
        block[k // 4, k % 4] = x[i]
        ht.barrier(ht.LOCAL_MEM_FENCE)
        x[i] = block[(7 - k) // 4, (7 - k) % 4]

    x = ht.arange(32, dtype=ht.float32, device=device)
    reversed_in_groups[ht.NdRange(32, 8)](x)
    assert np.array_equal(ht.asnumpy(x), np.arange(32).reshape(4, 8)[:, ::-1].ravel())

    @ht.kernel
    def greedy(x, scratch):
        scratch[ht.get_local_id(0)] = 1
        x[ht.get_global_id(0)] = scratch[0]

    most = x.device.local_mem_size
    before = ht.asnumpy(x).copy()
    with pytest.raises(ht.InvalidValueError, match="local_mem_size"):
        greedy[ht.NdRange(32, 8)](x, ht.LocalAccessor(most, ht.float64))
    assert np.array_equal(ht.asnumpy(x), before)


def test_e11_a_kernel_of_numba_cuda_ports_by_replacing_shared_arrays(device):
    from hither.compat import numba_cuda as cuda

    def body(array):
        def sums(x, out):
            shared = array(shape=16, dtype=np.float64)
            t = cuda.threadIdx.x
            shared[t] = x[cuda.grid(1)]
            cuda.syncthreads()
            if t == 0:
                total = 0.0
                for k in range(16):
                    total += shared[k]
                out[cuda.blockIdx.x] = total

        return cuda.jit(sums)

    x = ht.arange(64, dtype=ht.float64, device=device)
    for make in (cuda.shared.array, ht.local.array):
        out = ht.zeros(4, device=device)
        body(make)[4, 16](x, out)
        assert ht.asnumpy(out).tolist() == [120, 376, 632, 888]


def test_e11_items_beyond_the_end_may_return_before_a_barrier(device):
    from hither.compat import numba_cuda as cuda

    @cuda.jit
    def reversed_in_blocks(x, out):
        shared = cuda.shared.array(shape=16, dtype=np.float64)
        t, i = cuda.threadIdx.x, cuda.grid(1)
        shared[t] = 0
        if i >= x.size:
            return
        cuda.syncthreads()
        shared[15 - t] = x[i]
        cuda.syncthreads()
        out[i] = shared[t]

    out = ht.zeros(40, device=device)
    reversed_in_blocks[3, 16](ht.arange(40, dtype=ht.float64, device=device), out)
    padded = np.concatenate([np.arange(40.0), np.zeros(8)]).reshape(3, 16)
    assert np.array_equal(ht.asnumpy(out), padded[:, ::-1].ravel()[:40])


def test_e13_private_and_constant_memory(device):
    table = np.array([3, 1, 2])

    @ht.kernel
    def sorted_privately(x, out):
        i = ht.get_global_id(0)
        own = ht.private.array(3, ht.int64)
        order = ht.constant.array_like(table)
        for k in range(3):
            own[order[k] - 1] = x[i, k]
        for k in range(3):
            out[i, k] = own[k]

    x = np.arange(12).reshape(4, 3)
    out = ht.zeros((4, 3), dtype=ht.int64, device=device)
    sorted_privately[4](ht.asarray(x, device=device), out)
    assert np.array_equal(ht.asnumpy(out), x[:, [1, 2, 0]])
