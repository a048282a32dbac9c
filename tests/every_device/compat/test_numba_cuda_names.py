"""Kernels written for numba.cuda, with one import changed (requirement E11 and beyond)."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import hither as ht
from hither.compat import numba_cuda as cuda
from hither.compat._numba_cuda_remedies import REMEDIES


@pytest.fixture(autouse=True)
def current(device):
    with ht.device_context(device):
        yield


@cuda.jit
def increment(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1


@cuda.jit
def places(out):
    x, y = cuda.grid(2)
    out[y, x, 0] = cuda.threadIdx.x
    out[y, x, 1] = cuda.threadIdx.y
    out[y, x, 2] = cuda.blockIdx.x
    out[y, x, 3] = cuda.blockIdx.y
    out[y, x, 4] = cuda.blockDim.x * 100 + cuda.blockDim.y
    out[y, x, 5] = cuda.gridDim.x * 100 + cuda.gridDim.y
    out[y, x, 6] = cuda.gridsize(2)[0] * 100 + cuda.gridsize(2)[1]


def test_one_dimension_and_a_tail():
    a = cuda.to_device(np.arange(10.0))
    increment[3, 4](a)
    increment.forall(10)(a)
    assert a.copy_to_host().tolist() == list(np.arange(10.0) + 2)


def test_x_is_the_contiguous_dimension():
    out = cuda.device_array((6, 8, 7), np.int64)
    places[(2, 3), (4, 2)](out)
    y, x = np.indices((6, 8))
    expected = [x % 4, y % 2, x // 4, y // 2, 402 + 0 * x, 203 + 0 * x, 806 + 0 * x]
    assert np.array_equal(out.copy_to_host(), np.stack(expected, axis=2))


def test_numpy_arrays_come_back_also_with_device_arrays():
    host = np.zeros(8)
    increment[2, 4](host)
    assert host.all()

    @cuda.jit
    def add(a, b, c):
        i = cuda.grid(1)
        c[i] = a[i] + b[i]

    c = np.zeros(8)
    add[2, 4](cuda.to_device(host), host, c)
    assert (c == 2).all()


def test_a_kernel_without_arrays_runs_on_the_current_queue():
    @cuda.jit
    def check(number):
        if number < 0:
            raise ValueError("negative")

    check[1, 2](1)
    cuda.synchronize()
    check[1, 2](-1)
    with pytest.raises(ValueError, match="negative"):
        cuda.synchronize()
    assert increment.py_func.__name__ == "increment"


def test_shared_arrays_and_syncthreads():
    @cuda.jit("void(float32[:], float32[:])")
    def reverse(a, out):
        block = cuda.shared.array(shape=16, dtype=np.float32)
        i, t = cuda.grid(1), cuda.threadIdx.x
        block[t] = a[i]
        cuda.syncthreads()
        out[i] = block[15 - t]

    a = np.arange(64, dtype=np.float32)
    out = np.zeros_like(a)
    reverse[4, 16](a, out)
    assert np.array_equal(out, a.reshape(4, 16)[:, ::-1].ravel())


def test_device_functions_local_and_constant_arrays():
    table = np.array([1.0, 10.0, 100.0])

    @cuda.jit(device=True)
    def weighted(values):
        weights = cuda.const.array_like(table)
        total = 0.0
        for k in range(3):
            total += values[k] * weights[k]
        return total

    @cuda.jit
    def run(out):
        own = cuda.local.array(3, np.float64)
        i = cuda.grid(1)
        for k in range(3):
            own[k] = i + k
        out[i] = weighted(own) + math.floor(0.5)

    out = np.zeros(4)
    run[1, 4](out)
    assert out.tolist() == [210 + 111 * i for i in range(4)]


def test_atomics_and_counts():
    @cuda.jit
    def count(x, totals):
        i = cuda.grid(1)
        above = cuda.syncthreads_count(x[i] > 0.5)
        every = cuda.syncthreads_and(x[i] >= 0)
        some = cuda.syncthreads_or(x[i] > 2)
        cuda.threadfence()
        if cuda.threadIdx.x == 0:
            cuda.atomic.add(totals, 0, above)
            cuda.atomic.add(totals, 1, 1 if every else 0)
            cuda.atomic.add(totals, 2, 1 if some else 0)
        cuda.atomic.max(totals, 3, i)
        cuda.atomic.compare_and_swap(totals, 4, 0, 9)

    x = np.random.default_rng(1).random(64)
    totals = np.zeros(5, np.int64)
    count[4, 16](x, totals)
    assert totals.tolist() == [(x > 0.5).sum(), 4, 0, 63, 9]


def test_streams_and_arrays():
    queue = cuda.stream()
    a = cuda.to_device(np.zeros(4), stream=queue)
    increment[1, 4, queue](a)
    cuda.synchronize()
    assert a.copy_to_host().all() and a.queue == queue
    like = cuda.device_array_like(a)
    assert like.shape == (4,) and like.dtype == a.dtype
    out = np.empty(4)
    assert a.copy_to_host(out) is out and out.all()
    assert cuda.is_available() and cuda.get_current_device() == cuda.stream().device


def test_launches_that_cannot_be():
    with pytest.raises(ht.InvalidValueError, match=r"kernel\[blocks, threads\]"):
        increment(np.zeros(4))
    with pytest.raises(ht.UnsupportedError, match="LocalAccessor"):
        increment[1, 4, 0, 1024]
    for size in (1.5, "4", (1, None)):
        with pytest.raises(ht.InvalidTypeError, match="is not a size: give one to three ints"):
            increment[size, 4]


def test_names_that_are_missing_say_what_to_use():
    for name, remedy in (("reduce", "hither.reduction"), ("cg", "second"),
                         ("detect", "devices"), ("grids", 'did you mean "grid"')):  # fmt: skip
        with pytest.raises(AttributeError, match=remedy):
            getattr(cuda, name)

    @cuda.jit
    def select(x):
        x[0] = cuda.selp(True, 1, 2)

    with pytest.raises(ht.CompileError, match="has no selp; write a if condition else b"):
        select[1, 1](np.zeros(1))


def test_remedies_are_for_names_that_are_missing():
    assert not [name for name in REMEDIES if name in cuda.__all__]


@pytest.mark.either_mode
def test_the_selected_device_is_current():
    default, before = ht.Device(), cuda.get_current_device()
    kind = (default.backend, default.device_type)
    devices = [d for d in ht.devices() if (d.backend, d.device_type) == kind]
    with cuda.select_device(len(devices) - 1) as selected:
        assert selected == cuda.get_current_device() == devices[-1]
    with cuda.select_device(0):
        assert cuda.get_current_device() == devices[0]

    assert len(cuda.gpus) == len(cuda.list_devices()) == len(devices)
    with cuda.gpus[-1] as first, cuda.gpus[0]:
        assert cuda.get_current_device() == devices[0]
        with first:
            assert cuda.get_current_device() == devices[-1]
    assert [gpu.id for gpu in cuda.gpus] == list(range(len(devices)))
    assert cuda.gpus[0].name == devices[0].name and cuda.get_current_device() == before

    def select_in_a_thread():
        with ht.device_context(devices[0]):
            selected = cuda.select_device(len(devices) - 1)  # without a block: until it is left
            with selected:
                return cuda.get_current_device()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(select_in_a_thread).result() == devices[-1]
    for wrong in (-1, len(devices)):
        with pytest.raises(ht.InvalidValueError, match="the devices are"):
            cuda.select_device(wrong)
    with pytest.raises(ht.InvalidTypeError, match="index is 'gpu'; pass an int"):
        cuda.select_device("gpu")


@pytest.mark.parametrize("dtype", "int8 uint8 int16 uint16 int32 uint32 int64 uint64".split())
def test_functions_of_bits(dtype):
    @cuda.jit
    def bits(x, counts, reversed_bits):
        i = cuda.grid(1)
        counts[i, 0] = cuda.popc(x[i])
        counts[i, 1] = cuda.clz(x[i])
        counts[i, 2] = cuda.ffs(x[i])
        reversed_bits[i] = cuda.brev(x[i])

    limits = np.iinfo(dtype)
    rng = np.random.default_rng(0)
    x = rng.integers(limits.min, limits.max, 64, dtype, endpoint=True)
    x[:4] = 0, 1, limits.min, limits.max
    counts, reversed_bits = np.zeros((64, 3), np.int64), np.zeros_like(x)
    bits[2, 32](x, counts, reversed_bits)
    for value, found, turned in zip(x, counts, reversed_bits, strict=True):
        text = np.binary_repr(value, limits.bits)
        lowest = limits.bits - text.rindex("1") if "1" in text else 0
        leading = limits.bits - len(text.lstrip("0"))
        assert found.tolist() == [text.count("1"), leading, lowest]
        assert np.binary_repr(turned, limits.bits) == text[::-1]


@cuda.jit
def warps(mask, out):
    i, lane = cuda.grid(1), cuda.laneid()
    out[i, 0] = lane
    out[i, 1] = cuda.warpsize()
    out[i, 2] = cuda.shfl_sync(mask, i, 3)
    out[i, 3] = cuda.shfl_up_sync(mask, i, 2)
    out[i, 4] = cuda.shfl_down_sync(mask, i, 2)
    out[i, 5] = cuda.shfl_xor_sync(mask, i, 1)
    out[i, 6] = cuda.all_sync(mask, lane < 5)
    out[i, 7] = cuda.any_sync(mask, lane == 4)
    out[i, 8] = cuda.ballot_sync(mask, lane % 2 == 1)
    cuda.syncwarp()


@pytest.mark.parametrize("threads", [24, 32, 64])
def test_warps_are_sub_groups(threads):
    out = np.zeros((2 * threads, 9), np.int64)
    warps[2, threads](-1, out)
    i = np.arange(2 * threads)
    lane, size = out[:, 0], out[:, 1]
    first = i - lane
    assert np.array_equal(out[:, 2], first + 3 % size)
    assert np.array_equal(out[:, 3], np.where(lane >= 2, i - 2, i))
    assert np.array_equal(out[:, 4], np.where(lane + 2 < size, i + 2, i))
    assert np.array_equal(out[:, 5], np.where(lane ^ 1 < size, first + (lane ^ 1), i))
    assert np.array_equal(out[:, 6], size <= 5)
    assert np.array_equal(out[:, 7], size > 4)
    odd = [sum(1 << n for n in range(1, int(s), 2)) for s in size]
    assert np.array_equal(out[:, 8], odd)


def test_masks_name_the_items_of_the_sub_group():
    out = np.zeros((128, 9), np.int64)
    warps[1, 128](-1, out)
    size = int(out[0, 1])
    again = np.zeros_like(out)
    warps[1, 128]((1 << size) - 1, again)
    assert np.array_equal(out, again)
    for wrong in (1, (1 << (2 * size)) - 1):
        queue = cuda.stream()
        result = cuda.to_device(out, stream=queue)
        with pytest.raises(ht.KernelError, match="mask of a warp function does not") as error:
            warps[1, 128, queue](wrong, result)
            queue.synchronize()
        assert "cuda_warp.py" not in str(error.value)


def test_streams_and_events_are_waited_for():
    stream = cuda.stream()
    start, end = cuda.event(), cuda.event(timing=True)
    a = cuda.to_device(np.zeros(1 << 16), stream=stream)
    start.record(stream)
    for _ in range(3):
        increment[256, 256, stream](a)
    end.record(stream)
    end.wait(cuda.stream())
    end.synchronize()
    assert start.query() and end.query()
    assert 0 < start.elapsed_time(end) == cuda.event_elapsed_time(start, end) < 1e5
    with pytest.raises(ht.InvalidValueError, match="was not recorded"):
        start.elapsed_time(cuda.event())
    with stream.auto_synchronize():
        increment[256, 256, stream](a)
    stream.synchronize()
    assert (a.copy_to_host(stream=stream) == 4).all()
    a.copy_to_device(np.full(1 << 16, 7.0), stream=stream)
    assert (a.copy_to_host() == 7).all()
    assert cuda.to_device(np.ones(1 << 16), to=a) is a
    assert (a.copy_to_host() == 1).all()
