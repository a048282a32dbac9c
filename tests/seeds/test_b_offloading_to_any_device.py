"""Requirements B: offloading to any device."""

import array
import asyncio
import os
import subprocess
import sys
import threading
import types

import numpy as np
import pytest

import hither as ht


class Exported:
    """An exporter in another package."""

    def __init__(self, memory, syclobj):
        self.memory = memory
        self.__sycl_usm_array_interface__ = {
            **memory.__sycl_usm_array_interface__,
            "syclobj": syclobj,
        }


def test_b03_the_default_is_set_for_a_block_thread_and_task(two_queues):
    first, second = two_queues
    outside = ht.current_queue()
    with ht.device_context(first):
        with pytest.raises(ZeroDivisionError), ht.device_context(second):
            assert ht.current_queue() == second
            raise ZeroDivisionError
        assert ht.current_queue() == first
        seen = []
        thread = threading.Thread(target=lambda: seen.append(ht.current_queue()))
        thread.start()
        thread.join()
        assert seen == [outside]
    assert ht.current_queue() == outside

    async def task(queue):
        with ht.device_context(queue):
            await asyncio.sleep(0)
            return ht.current_queue() == queue

    async def both():
        return await asyncio.gather(task(first), task(second))

    assert asyncio.run(both()) == [True, True]


def test_b07_selector_strings_are_taken_everywhere(device):
    name = str(device)
    assert ht.Queue(name).device == device
    assert ht.Queue(device).device == device
    assert ht.default_queue(name) == device.default_queue
    assert ht.MemoryUSMShared(8, queue=name).queue == device.default_queue
    assert ht.Context(name).devices == [device]
    assert ht.MemoryUSMShared(8, queue=device).queue == device.default_queue
    with ht.device_context(name):
        assert ht.current_queue() == device.default_queue


def test_b07_selector_strings_name_root_devices(sub_devices):
    assert ht.Device("cpu:0") in ht.devices()
    with pytest.raises(ht.InvalidValueError):
        ht.Queue(sub_devices[0].filter_string)


def test_b08_two_packages_share_the_default_context(device):
    def package(data=None):
        queue = ht.Queue(str(device))
        if data is None:
            memory = ht.MemoryUSMShared(32, queue=queue)
            memory.copy_from_host(np.arange(4.0))
            return queue, memory
        return queue, ht.UsmView(data)

    queue, memory = package()
    other, view = package(memory)
    assert queue.context == other.context
    assert view.pointer == memory.pointer


def test_b09_sub_devices_need_the_queue_or_the_context(sub_devices):
    queue = ht.Queue(sub_devices[0])
    memory = ht.MemoryUSMShared(8, queue=queue)
    with pytest.raises(ht.InvalidValueError, match="give the queue or the context"):
        ht.UsmView(Exported(memory, sub_devices[0]))
    for syclobj in (queue, queue.context):
        assert ht.UsmView(Exported(memory, syclobj)).pointer == memory.pointer


def test_b09_a_context_of_several_devices_has_the_device_of_the_pointer(sub_devices):
    several = ht.Context(sub_devices)
    with pytest.raises(ht.InvalidValueError, match="give the device too"):
        ht.Queue(several)  # no device is the default
    for device in sub_devices:
        queue = ht.Queue(several, device)
        for kind in (ht.MemoryUSMDevice, ht.MemoryUSMShared):
            memory = kind(8, queue=queue)
            for syclobj in (several, several._get_capsule(), queue):
                view = ht.UsmView(Exported(memory, syclobj))
                assert view.pointer == memory.pointer
                assert (view.device, view.queue.context) == (device, several)
    stranger = ht.MemoryUSMShared(8, queue=sub_devices[0])  # of the device's own context
    with pytest.raises(ht.ExchangeError, match="not bound"):
        ht.UsmView(Exported(stranger, several))


def test_b10_syclobj_may_be_any_of_these(device):
    memory = ht.MemoryUSMShared(8, queue=device)
    queue = memory.queue
    for syclobj in (queue, queue.context, device, str(device), queue._get_capsule(),
                    queue.context._get_capsule()):  # fmt: skip
        assert ht.UsmView(Exported(memory, syclobj)).pointer == memory.pointer
    stranger = ht.Queue(ht.Context(device))
    with pytest.raises(ht.ExchangeError, match="not bound"):
        ht.UsmView(Exported(memory, stranger))


def test_b14_copies_between_usm_types_and_contexts(two_queues):
    kinds = (ht.MemoryUSMDevice, ht.MemoryUSMShared, ht.MemoryUSMHost)
    queues = (ht.default_queue("cpu"), *two_queues)
    everywhere = [kind(8, queue=queue) for kind in kinds for queue in queues]
    for number, source in enumerate(everywhere):
        source.copy_from_host(b"%08d" % number)
        for target in everywhere:
            target.copy_from_device(source)
            assert bytes(target) == b"%08d" % number


def test_b17_a_program_may_name_every_queue(device):
    queue = ht.Queue(ht.Context(device), device)
    memory = ht.MemoryUSMDevice(16, queue=queue)
    queue.fill(memory, b"\x01\x02").wait()
    target = bytearray(16)
    queue.copy(target, memory).wait()
    assert bytes(target) == b"\x01\x02" * 8
    assert ht.get_context() is None


def test_b20_the_device_of_a_pointer(device):
    queue = ht.Queue(device)
    memory = ht.MemoryUSMShared(8, queue=queue)
    assert ht.get_usm_device(memory.pointer, queue.context) == queue.device
    assert ht.get_usm_device(memory.pointer, queue) == queue.device
    with pytest.raises(ht.InvalidValueError, match="not bound"):
        ht.get_usm_device(id(memory), queue.context)


def ran_on(name):
    """The devices that ran kernels of this name since the history was cleared."""
    return [entry.device for entry in ht.kernel_history() if entry.name.startswith(name)]


@pytest.fixture(scope="module")
def double():
    @ht.kernel
    def double(x, y):
        i = ht.get_global_id(0)
        y[i] = 2 * x[i]

    return double


def test_b01_queue_names_where_a_function_runs(double, two_queues):
    other, queue = two_queues
    x = ht.arange(10, dtype=np.float64, queue=queue)
    y = ht.empty(10, dtype=np.float64, queue=queue)
    ht.clear_kernel_history()
    double[10](x, y, queue=queue)
    assert ran_on("double") == [queue.device.filter_string]
    assert ht.asnumpy(y).tolist() == [2.0 * i for i in range(10)]
    assert ht.zeros(3, queue=queue).queue == queue
    assert ht.linspace(0, 1, 3, queue=queue).queue == queue
    with pytest.raises(ht.PlacementError):
        double[10](x, y, queue=other)


# Functions that neither compute nor allocate, functions for kernels, decorators, and functions of
# arrays in host memory, of sharded arrays, and of functions.
_NEITHER = """
absent_backends asarray_interface asnumpy atomic_fence barrier benchmark blas_name blocks
broadcast_arrays compile fori_loop gather shard stream while_loop
broadcast_shapes broadcast_to can_cast check_array_api_version clear_kernel_history counters
current_queue default_queue device_func devices evaluate expand_dims explain finfo flip
get_cmake_dir get_context get_include get_pkgconfig_dir get_usm_device get_usm_type iinfo isdtype
kernel kernel_history launch load_module matrix_transpose mem_fence memory_info moveaxis
offload_report release_cached set_memory_limit
permute_dims pointer_info profile result_type set_blas_library set_spirv_emitter shuffle
shuffle_down shuffle_up shuffle_xor squeeze synchronize trim_pools unstack usm_array_like vectorize
""".split()


def test_b01_every_function_that_computes_or_allocates_takes_a_queue(two_queues):
    other, queue = two_queues
    compute = ht.Queue(queue.context, queue.device)
    x = ht.asarray([[4.0, 1.0], [2.0, 3.0]], queue=queue)
    i = ht.asarray([[0, 1], [1, 0]], queue=queue)
    special = {
        "arange": (3,), "astype": (x, ht.float32), "clip": (x, 0, 2), "concat": ([x, x],),
        "cumulative_prod": (x[0],), "cumulative_sum": (x[0],), "empty": (3,), "eye": (2,),
        "from_dlpack": (x,), "full": (3, 1), "full_like": (x, 1), "linspace": (0, 1, 3),
        "meshgrid": (x[0], x[1]), "ones": (3,), "repeat": (x, 2), "reshape": (x, (4,)),
        "roll": (x, 1), "searchsorted": (x[0], x), "stack": ([x, x],), "take": (x, i[0], 0),
        "take_along_axis": (x, i), "tensordot": (x, x), "tile": (x, (2,)), "where": (x > 2, x, x),
        "zeros": (3,), "asarray": ([1, 2],), "usm_array_interface": None, "partition": (x, 1),
        "argpartition": (x, 1), "top_k": (x, 1), "percentile": (x, 50), "quantile": (x, 0.5),
    }  # fmt: skip
    seen = 0
    for name in sorted(dir(ht)):
        function = getattr(ht, name)
        skipped = name in _NEITHER or name.startswith(("get_", "group_", "_"))
        if skipped or not callable(function) or isinstance(function, type | types.ModuleType):
            continue
        if special.get(name, ()) is None:
            continue
        result = _called(function, special.get(name), x, i, compute)
        for made in result if isinstance(result, list | tuple) else (result,):
            assert made.queue == compute, name
        seen += 1
        if name in ("astype", "clip", "copy", "repeat", "reshape", "tile", "tril", "nonzero"):
            with pytest.raises(ht.PlacementError, match="cannot access"):
                _called(function, special.get(name), x, i, other)
    assert seen > 110


def _called(function, arguments, x, i, queue):
    """function(*arguments, queue=queue). Without arguments, one or two arrays are tried."""
    if arguments is not None:
        return function(*arguments, queue=queue)
    for given in ((x,), (x, x), (i,), (i, i)):
        try:
            return function(*given, queue=queue)
        except TypeError as error:
            last = error
    raise last


def test_b05_a_program_with_one_queue_need_not_name_it(double, device, monkeypatch):
    monkeypatch.setenv("HITHER_DEVICE", str(device))
    x = ht.arange(10, dtype=np.float64)
    y = ht.empty_like(x)
    ht.clear_kernel_history()
    double(x, y)
    assert ran_on("double") == [device.filter_string]
    assert ((x + y).queue, y.queue) == (x.queue, device.default_queue)
    assert ht.asnumpy(x + y).tolist() == [3.0 * i for i in range(10)]


def test_b12_collocate_makes_no_copy_in_one_context(sub_devices):
    context = ht.Context(sub_devices)
    first, second = (ht.Queue(context, device) for device in sub_devices)
    a, other = ht.arange(10, queue=first), ht.arange(10, queue=second)
    moved = a.collocate(other)
    assert moved.queue == second
    assert ht.UsmView(moved).pointer == ht.UsmView(a).pointer
    assert ht.asnumpy(moved + other).tolist() == [2 * i for i in range(10)]
    apart = ht.arange(10, queue=ht.Queue(sub_devices[0]))
    moved = apart.collocate(other)
    assert moved.queue == second
    assert ht.UsmView(moved).pointer != ht.UsmView(apart).pointer


def test_b13_copy_to_leaves_the_source(two_devices):
    a = ht.arange(10, queue=ht.Queue(two_devices[0]))
    for target in (two_devices[1], ht.Queue(two_devices[1]), "cpu", a.queue):
        copied = a.copy_to(target)
        assert copied.device == ht.default_queue(target).device
        copied[...] = 0
        assert ht.asnumpy(a).tolist() == list(range(10))
    with ht.device_context(two_devices[1]) as queue:
        assert a.copy_to().queue == queue


@pytest.mark.parametrize(
    "source",
    [
        np.arange(6, dtype=np.int16).reshape(2, 3),
        b"123456",
        bytearray(b"123456"),
        array.array("d", [1, 2, 3]),
        memoryview(b"123456"),
    ],
    ids=lambda s: type(s).__name__,
)
def test_b15_buffers_become_arrays(device, source):
    x = ht.asarray(source, device=device)
    expected = np.asarray(memoryview(source))
    assert (x.shape, x.dtype) == (expected.shape, expected.dtype)
    assert np.array_equal(ht.asnumpy(x), expected)
    x[...] = 0  # a copy: the source does not change
    assert np.array_equal(np.asarray(memoryview(source)), expected)
    if memoryview(source).readonly:
        alias = ht.asarray(source, copy=False, device="cpu", usm_type="host")
        with pytest.raises(ValueError, match="read-only"):
            alias[...] = 0


def test_b16_host_data_run_on_the_given_queue_or_context(double, two_devices):
    x, y = np.arange(5.0), np.zeros(5)
    ht.clear_kernel_history()
    double[5](x, y, queue=ht.Queue(two_devices[0]))
    assert y.tolist() == [0, 2, 4, 6, 8]
    y[:] = 0
    with ht.device_context(two_devices[1]):
        double[5](x, y)
    assert y.tolist() == [0, 2, 4, 6, 8]
    assert ran_on("double") == [device.filter_string for device in two_devices]


@pytest.mark.parametrize("kind", ["shared", "host"])
def test_b18_host_code_in_a_context_stays_on_the_host(device, kind):
    def host_module(values):
        return sum(values.tolist()) / len(values)

    with ht.device_context(device):
        x = ht.asarray([1.0, 2, 3], usm_type=kind)
        ht.synchronize(x)
        before = ht.counters()
        assert np.sum(np.arange(10)) == 45
        view = np.asarray(x)
        assert view.ctypes.data == ht.UsmView(x).pointer  # zero-copy
        assert np.sum(view) == 6 and host_module(memoryview(x)) == 2
    after = ht.counters()
    moved = ("launches", "bytes_to_device", "bytes_to_host")
    assert [after[name] for name in moved] == [before[name] for name in moved]


HOST_CODE = """
import numpy as np
import hither as ht

x = ht.asarray([1.0, 2, 3])
assert x.usm_type == "device"
for reach in (np.asarray, memoryview, bytes, np.frombuffer):
    try:
        reach(x)
    except (ht.ExchangeError, BufferError) as error:
        assert "asnumpy" in str(error), error
    else:
        raise SystemExit(f"{reach} was not refused")
assert np.array(x).sum() == 6  # a copy that the program asks for
for kind in ("shared", "host"):
    assert np.asarray(ht.asarray([1.0], usm_type=kind)).sum() == 1
ht.clear_kernel_history()
total = np.sum(np.sqrt(x))  # dispatched: hither's functions, where x is
assert isinstance(total, ht.Array) and total.queue == x.queue
assert abs(float(total) - (1 + 2**0.5 + 3**0.5)) < 1e-12
assert {entry.device for entry in ht.kernel_history()} == {x.device.filter_string}
print("refused")
"""


def test_b18_device_memory_is_refused_by_host_code(device):
    done = subprocess.run(
        [sys.executable, "-c", HOST_CODE],
        env={**os.environ, "HITHER_STRICT_USM": "1", "HITHER_DEVICE": str(device)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "refused\n"


def test_b23_allocation_and_compute_queue_may_differ_in_one_context(double, sub_devices):
    context = ht.Context(sub_devices)
    allocation, compute = (ht.Queue(context, device) for device in sub_devices)
    x = ht.arange(10, dtype=np.float64, queue=allocation)
    y = ht.zeros(10, dtype=np.float64, queue=allocation)
    ht.clear_kernel_history()
    double[10](x, y, queue=compute)
    assert ran_on("double") == [compute.device.filter_string]
    assert x.queue == y.queue == allocation
    assert ht.asnumpy(y).tolist() == [2.0 * i for i in range(10)]
