"""CUDA memory shared with CuPy, PyTorch, JAX and numba-cuda, in place and in order."""

from __future__ import annotations

import gc
import importlib
import weakref

import numpy as np
import pytest

import hither as ht

DEVICES = [d.filter_string for d in ht.devices() if d.filter_string.startswith("cuda:")]
pytestmark = pytest.mark.skipif(not DEVICES, reason="no NVIDIA GPU")
DTYPES = ["int8", "int32", "int64", "uint8", "float16", "float32", "float64", "complex64",
          "complex128"]  # fmt: skip
SLOW = 1 << 24  # elements of work that takes a while


@pytest.fixture
def queue():
    return ht.Device(DEVICES[0]).default_queue


def package(name: str):
    return pytest.importorskip(name, reason=f"{name} is not installed")


class Cupy:
    name = "cupy"

    def __init__(self):
        self.module = package("cupy")

    def array(self, n):
        return self.module.asarray(n)

    def take(self, x):
        return self.module.from_dlpack(x)

    def host(self, t):
        return self.module.asnumpy(t)

    def address(self, t):
        return t.data.ptr

    def add_one_slowly(self, t):
        for _ in range(20):
            t += 1


class Torch(Cupy):
    name = "torch"

    def __init__(self):
        self.module = package("torch")
        if not self.module.cuda.is_available():
            pytest.skip("torch has no CUDA")

    def array(self, n):
        return self.module.as_tensor(np.ascontiguousarray(n)).cuda()

    def host(self, t):
        return t.cpu().numpy()

    def address(self, t):
        return t.data_ptr()


class Numba:
    name = "numba"

    def __init__(self):
        package("numba")
        try:
            self.module = importlib.import_module("numba.cuda")
            self.module.current_context()
        except Exception as error:
            pytest.skip(f"numba has no CUDA: {error}")

    def array(self, n):
        return self.module.to_device(np.ascontiguousarray(n))

    def take(self, x):
        return self.module.as_cuda_array(x)

    def host(self, t):
        return t.copy_to_host()

    def address(self, t):
        return t.device_ctypes_pointer.value


@pytest.fixture(params=[Cupy, Torch, Numba], ids=lambda p: p.name)
def other(request):
    return request.param()


@pytest.mark.parametrize("dtype", DTYPES)
def test_memory_is_shared_both_ways(other, queue, dtype):
    n = np.arange(12).astype(dtype).reshape(3, 4)
    foreign = other.array(n)
    array = ht.asarray(foreign)
    assert array.queue == queue and array.usm_type == "device"
    assert array.dtype == n.dtype and array.shape == n.shape
    assert array.__cuda_array_interface__["data"][0] == other.address(foreign)
    np.testing.assert_array_equal(ht.asnumpy(array), n)
    array += array
    np.testing.assert_array_equal(other.host(foreign), n + n)

    mine = ht.asarray(n, queue=queue) * 1
    taken = other.take(mine)
    assert other.address(taken) == mine.__cuda_array_interface__["data"][0]
    np.testing.assert_array_equal(other.host(taken), n)
    mine[1] = 7
    np.testing.assert_array_equal(other.host(taken), ht.asnumpy(mine))


def test_order_is_kept_without_waiting(other, queue):
    """Each library sees the other's writes to shared memory, in program order."""
    x = ht.zeros(SLOW, dtype=np.float32, queue=queue)
    x += 1
    taken = other.take(x)
    for _ in range(30):
        x += 1
    assert other.host(taken)[-1] == 31
    if hasattr(other, "add_one_slowly"):
        for _ in range(3):
            other.add_one_slowly(taken)
            x += 1
        assert float(x[-1]) == 31 + 63
        other.add_one_slowly(taken)
        y = x * 2
        taken *= 0
        assert float(y[SLOW // 2]) == 2 * (31 + 83)


def test_memory_goes_when_both_sides_are_done(other, queue):
    foreign = other.array(np.arange(1000.0))
    try:
        gone = weakref.ref(foreign)
    except TypeError:
        gone = None
    array = ht.asarray(foreign)
    expected = np.arange(1000.0)
    del foreign
    gc.collect()
    np.testing.assert_array_equal(ht.asnumpy(array), expected)
    del array
    queue.wait()
    ht.synchronize()
    gc.collect()
    ht.asnumpy(ht.zeros(1, queue=queue))
    gc.collect()
    assert gone is None or gone() is None

    before = ht.counters()["live_allocations"]
    mine = ht.arange(1000, dtype=np.float64, queue=queue) + 0
    taken = other.take(mine)
    del mine
    gc.collect()
    np.testing.assert_array_equal(other.host(taken), expected)
    del taken
    gc.collect()
    assert ht.counters()["live_allocations"] == before


def test_memory_that_others_still_read_is_not_given_away(other, queue):
    if not hasattr(other, "add_one_slowly"):
        pytest.skip("needs operators")
    for _ in range(10):
        taken = other.take(ht.ones(SLOW, dtype=np.float32, queue=queue) + 0)
        other.add_one_slowly(taken)
        total = taken + taken
        del taken
        gc.collect()
        fresh = ht.full(SLOW, -5.0, dtype=np.float32, queue=queue) + 0
        fresh.evaluate()
        assert other.host(total)[[0, -1]].tolist() == [42, 42]
        del fresh, total


def test_views_and_empty_arrays(other, queue):
    n = np.arange(24, dtype=np.float32).reshape(4, 6)
    x = ht.asarray(n, queue=queue)
    for cut in (np.s_[1:, ::2], np.s_[:, 3], np.s_[2], np.s_[:0]):
        np.testing.assert_array_equal(other.host(other.take(x[cut])), n[cut])
    np.testing.assert_array_equal(other.host(other.take(x.T)), n.T)
    foreign = other.array(n)
    np.testing.assert_array_equal(ht.asnumpy(ht.asarray(foreign[1:, ::2])), n[1:, ::2])
    empty = ht.asarray(other.array(np.zeros((0, 3))))
    assert empty.shape == (0, 3)


def test_their_arrays_are_arguments(other, queue):
    foreign = other.array(np.arange(8, dtype=np.float32))
    x = ht.ones(8, dtype=np.float32, queue=queue)
    np.testing.assert_array_equal(ht.asnumpy(x + foreign), 1 + np.arange(8))
    np.testing.assert_array_equal(ht.asnumpy(ht.sum(foreign)), 28)
    x[...] = foreign
    np.testing.assert_array_equal(ht.asnumpy(x), np.arange(8))

    @ht.kernel
    def double(a):
        a[ht.get_global_id(0)] *= 2

    double[ht.Range(8)](foreign)
    np.testing.assert_array_equal(other.host(foreign), 2 * np.arange(8))


def test_copies_and_queues(other, queue):
    foreign = other.array(np.arange(4.0))
    for copied in (ht.asarray(foreign, copy=True), ht.asarray(foreign, dtype=np.float32)):
        copied += 1
        np.testing.assert_array_equal(other.host(foreign), np.arange(4.0))
    second = ht.Queue(queue.device)
    there = ht.asarray(foreign, queue=second)
    assert there.queue == second
    there += 1
    np.testing.assert_array_equal(other.host(foreign), np.arange(1.0, 5))
    on_host = ht.asarray(foreign, device="cpu")
    np.testing.assert_array_equal(np.asarray(on_host), np.arange(1.0, 5))
    with pytest.raises(ValueError, match="copy=False"):
        ht.asarray(foreign, device="cpu", copy=False)


def test_streams_that_the_other_side_names(queue):
    torch = Torch().module
    x = ht.zeros(SLOW, dtype=np.float32, queue=queue)
    stream = torch.cuda.Stream()
    for _ in range(20):
        x += 1
    with torch.cuda.stream(stream):
        taken = torch.from_dlpack(x)  # the stream waits, the host does not
        doubled = taken * 2
        back = ht.from_dlpack(doubled)
        assert float(back[-1]) == 40
    for given in (None, 1, 2, stream.cuda_stream, -1):
        assert x.__dlpack__(stream=given) is not None
    for wrong, kind in ((0, ValueError), (-2, ValueError), ("1", TypeError), (True, TypeError)):
        with pytest.raises(kind, match="stream"):
            x.__dlpack__(stream=wrong)


def test_jax_shares_in_place(queue):
    jax = package("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("jax has no GPU")
    foreign = jax.numpy.arange(1000.0)
    array = ht.from_dlpack(foreign)
    assert array.queue == queue
    assert array.__cuda_array_interface__["data"][0] == foreign.unsafe_buffer_pointer()
    np.testing.assert_array_equal(ht.asnumpy(array * 2), 2 * np.arange(1000.0))
    x = ht.arange(SLOW, dtype=np.float32, queue=queue) * 2
    taken = jax.dlpack.from_dlpack(x)
    assert taken.unsafe_buffer_pointer() == x.__cuda_array_interface__["data"][0]
    assert float(taken[-1]) == 2 * (SLOW - 1)
    del taken


def test_read_only_memory_stays_read_only(queue):
    numba = Numba()
    foreign = numba.array(np.arange(4.0))

    class Shown:
        __cuda_array_interface__ = foreign.__cuda_array_interface__ | {
            "data": (foreign.__cuda_array_interface__["data"][0], True)
        }

    x = ht.asarray(Shown())
    assert not x.flags["WRITEABLE"]
    with pytest.raises(ValueError, match="read-only"):
        x += 1
    assert x.__cuda_array_interface__["data"][1] is True
    with pytest.raises(BufferError, match="read-only"):
        x.__dlpack__()


@pytest.mark.parametrize(
    ("field", "value", "kind"),
    [
        ("data", (1 << 20, False), BufferError),
        ("data", 5, TypeError),
        ("shape", [4], TypeError),
        ("shape", (-1,), ValueError),
        ("strides", (3,), ValueError),
        ("strides", (8, 8), ValueError),
        ("typestr", ">f8", TypeError),
        ("version", 9, ValueError),
        ("stream", 0, ValueError),
        ("mask", object(), ValueError),
    ],
)
def test_wrong_fields_are_named(queue, field, value, kind):
    x = ht.arange(4, dtype=np.float64, queue=queue) + 0

    class Wrong:
        keep = x
        __cuda_array_interface__ = x.__cuda_array_interface__ | {field: value}

    with pytest.raises(kind, match=field):
        ht.asarray(Wrong())
    del Wrong


def test_usm_types_have_their_dlpack_devices(queue):
    kinds = {"device": (2, 0), "shared": (13, 0), "host": (3, 0)}
    for usm_type, device in kinds.items():
        x = ht.asarray(np.arange(5.0), queue=queue, usm_type=usm_type)
        assert x.__dlpack_device__() == device
        n = np.from_dlpack(x, device="cpu") if usm_type == "device" else np.from_dlpack(x)
        np.testing.assert_array_equal(n, np.arange(5.0))
        if usm_type != "device":
            x += 1
            np.testing.assert_array_equal(n, np.arange(1.0, 6))
            assert x.__dlpack__(dl_device=(2, 0)) is not None
    with pytest.raises(BufferError, match="copy=False"):
        ht.ones(3, queue=queue).__dlpack__(dl_device=(1, 0), copy=False)
    with pytest.raises(BufferError, match="dl_device"):
        ht.ones(3, queue=queue).__dlpack__(dl_device=(2, 99))
    cupy = Cupy().module
    shared = ht.asarray(np.arange(5.0), queue=queue, usm_type="shared")
    np.testing.assert_array_equal(cupy.asnumpy(cupy.from_dlpack(shared)), np.arange(5.0))


def test_arrays_of_a_context_of_ones_own_are_not_lent(queue):
    own = ht.Queue(ht.Context(queue.device), queue.device)
    x = ht.ones(3, queue=own)
    with pytest.raises(BufferError, match="context of its own"):
        x.__dlpack__()
    with pytest.raises(BufferError, match="context of its own"):
        _ = x.__cuda_array_interface__


def test_cpu_arrays_have_no_cuda_interface():
    assert not hasattr(ht.ones(3, device="cpu"), "__cuda_array_interface__")


def test_a_kernel_of_theirs_on_our_stream(queue):
    cupy = Cupy().module
    add = cupy.RawKernel(
        'extern "C" __global__ void add(float* x, float y) { x[threadIdx.x] += y; }', "add"
    )
    x = ht.zeros(32, dtype=np.float32, queue=queue)
    x += 1

    def work(stream, address):
        with cupy.cuda.ExternalStream(stream):
            add((1,), (32,), (np.uintp(address), np.float32(2)))

    event = queue.submit_native(work, writes=[x])
    x *= 2
    assert float(x[5]) == 6
    event.wait()
    with pytest.raises(ht.UnsupportedError, match="no queue that a library can put work into"):
        ht.default_queue("cpu").submit_native(lambda stream: None)
