"""dpctl.program and SyclQueue.submit, by hither.compat."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

import hither as ht

SOURCE = """
__kernel void axpy(__global NUMBER *a, __global NUMBER *b, __global NUMBER *c, NUMBER d) {
  size_t i = get_global_id(0);
  c[i] = d * a[i] + b[i];
}
__kernel void row(__global int *x) { x[get_global_id(1)] = get_global_size(0); }
__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void reverse(__global int *x, __local int *scratch) {
  size_t i = get_local_id(0);
  scratch[i] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  x[get_global_id(0)] = scratch[3 - i];
}
"""

pytestmark = pytest.mark.usefixtures("compat_names")


@pytest.fixture
def opencl(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("OpenCL C is OpenCL's")
    return sycl_queue


def built(queue, number="int"):
    import dpctl.program

    return dpctl.program.create_program_from_source(queue, SOURCE, f"-DNUMBER={number}")


@pytest.mark.parametrize(
    ("word", "dtype", "number"),
    [("short", "i2", ctypes.c_short), ("int", "i4", ctypes.c_int), ("uint", "u4", ctypes.c_uint),
     ("long", "i8", ctypes.c_longlong), ("ulong", "u8", ctypes.c_ulonglong),
     ("float", "f4", ctypes.c_float), ("double", "f8", ctypes.c_double),
     ("float", "f4", np.float32), ("long", "i8", int)],
)  # fmt: skip
def test_submit(opencl, word, dtype, number):
    import dpctl
    import dpctl.memory
    import dpctl.tensor as dpt

    kernel = built(opencl, word).get_sycl_kernel("axpy")
    a, b = np.arange(64, dtype=dtype), np.arange(64, 0, -1).astype(dtype)
    usm = [dpctl.memory.MemoryUSMDevice(a.nbytes, queue=opencl) for _ in range(2)]
    for memory, host in zip(usm, (a, b), strict=True):
        opencl.memcpy(memory, host, a.nbytes)
    for sizes in (([64],), ([64], [16]), ([2, 64], [2, 8], [dpctl.SyclEvent()]), ([2, 2, 64],)):
        c = dpt.zeros(64, dtype=dtype, sycl_queue=opencl)
        event = opencl.submit(kernel, [*usm, c, number(3)], *sizes)
        assert event.execution_status == dpctl.event_status_type.complete
        np.testing.assert_array_equal(dpt.asnumpy(c), 3 * a + b)


def test_the_last_size_is_opencls_first(opencl):
    import dpctl.tensor as dpt

    x = dpt.zeros(3, dtype="i4", sycl_queue=opencl)
    opencl.submit(built(opencl).get_sycl_kernel("row"), [x], [3, 5])
    np.testing.assert_array_equal(dpt.asnumpy(x), 5)


def test_local_memory(opencl):
    import dpctl
    import dpctl.tensor as dpt

    x = dpt.arange(8, dtype="i4", sycl_queue=opencl)
    kernel = built(opencl).get_sycl_kernel("reverse")
    opencl.submit(kernel, [x, dpctl.LocalAccessor(4, "i4")], [8], [4])
    np.testing.assert_array_equal(dpt.asnumpy(x), [3, 2, 1, 0, 7, 6, 5, 4])


@pytest.mark.parametrize("in_order", [True, False])
def test_events_order_what_is_submitted(opencl, in_order):
    """Other queues, host tasks and memory whose order hither does not know."""
    import time

    import dpctl.memory

    queue = ht.Queue(opencl.context, opencl.device, in_order=in_order)
    other = ht.Queue(opencl.context, opencl.device, in_order=in_order)
    kernel = built(opencl).get_sycl_kernel("axpy")
    x = dpctl.memory.MemoryUSMShared(4096, queue=queue)
    seen = np.frombuffer(x, np.int32)  # outside the task: it waits for the queue

    def slow():
        time.sleep(0.1)
        seen[:] = 5

    before = other.submit_host(slow)
    first = queue.submit_async(kernel, [x, x, x, ctypes.c_int(1)], [1024], None, [before])
    second = other.submit_async(kernel, [x, x, x, ctypes.c_int(2)], [1024], [64], first)
    queue._submit_keep_args_alive([x], [first, second]).wait()
    np.testing.assert_array_equal(seen, 30)


def test_a_kernel_tells_of_itself(opencl):
    program = built(opencl)
    assert program.has_sycl_kernel("axpy") and not program.has_sycl_kernel("nothing")
    kernel = program.get_sycl_kernel("axpy")
    assert kernel.get_function_name() == "axpy"
    assert kernel.num_args == kernel.get_num_args() == 4
    assert 1 <= kernel.work_group_size <= opencl.device.max_work_group_size
    assert kernel.preferred_work_group_size_multiple >= 1
    assert kernel.private_mem_size >= 0
    assert kernel.max_sub_group_size >= 1 and kernel.max_num_sub_groups >= 1
    assert kernel.compile_num_sub_groups == kernel.compile_sub_group_size == 0
    with pytest.raises(ValueError, match="none of num_args"):
        kernel._kernel.info("size")


def test_misuse_is_refused(opencl):
    import dpctl.program

    source, spirv = (
        dpctl.program.create_program_from_source,
        dpctl.program.create_program_from_spirv,
    )
    with pytest.raises(dpctl.program.SyclProgramCompilationError, match="error"):
        source(opencl, "kernel void add( }")
    with pytest.raises(dpctl.program.SyclProgramCompilationError, match="not SPIR-V"):
        spirv(opencl, b"text")
    for make, arguments in ((source, (opencl, b"x")), (spirv, (opencl, "x")), (source, ("cpu", "")),
                            (source, (opencl, "", ["-DX"]))):  # fmt: skip
        with pytest.raises(TypeError, match=r"is a|is not"):
            make(*arguments)
    kernel = built(opencl).get_sycl_kernel("row")
    with pytest.raises(ValueError, match="no kernel 'nothing'"):
        built(opencl).get_sycl_kernel("nothing")
    with pytest.raises(ht.InvalidTypeError, match="not a SyclKernel"):
        opencl.submit("row", [], [4])
    with pytest.raises(ht.InvalidTypeError, match="no NumPy arrays"):
        opencl.submit(kernel, [np.zeros(4, np.int32)], [4])
    x = ht.zeros(5, dtype="i4", queue=opencl)
    for sizes in (([5], [2]), ([4], [2, 2]), ([1, 1, 1, 1],), ([],)):
        with pytest.raises((dpctl.SyclKernelInvalidRangeError, ht.InvalidTypeError)):
            opencl.submit(kernel, [x], *sizes)
    with pytest.raises(ht.PlacementError, match="belongs to another context"):
        own = ht.Queue(ht.Context(opencl.device), opencl.device)
        own.submit(kernel, [ht.zeros(4, dtype="i4", queue=own)], [4])


def test_other_devices_take_no_opencl_c():
    import dpctl.program

    queue = ht.Queue("native_cpu")
    with pytest.raises(ht.UnsupportedError, match="cannot build OpenCL C or SPIR-V"):
        dpctl.program.create_program_from_source(queue, "kernel void f() {}")
