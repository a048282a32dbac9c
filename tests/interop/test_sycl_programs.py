"""Programs in OpenCL C, SPIR-V and SYCL C++: builds, launches and errors."""

from __future__ import annotations

import gc
import os
import pathlib

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode

OPENCL = """
__kernel void fill_all(__global float *x, char a, uchar b, short c, ushort d, int e, uint f,
                       long g, ulong h, float i, double j, float2 k, __local float *scratch) {
  size_t at = get_global_id(0), here = get_local_id(0);
  scratch[here] = a + b + c + d + e + f + g + h + i + (float)j + k.x * k.y;
  barrier(CLK_LOCAL_MEM_FENCE);
  x[at] = scratch[get_local_size(0) - 1 - here] + SHIFT * at;
}
__kernel void where_am_i(__global int *x) {
  size_t row = get_global_id(1), column = get_global_id(0);
  x[row * get_global_size(0) + column] = 100 * row + column;
}
__kernel void double_it(__global int *x) { x[get_global_id(0)] *= 2; }
"""

SYCL = """
#include <sycl/sycl.hpp>
#include "factor.h"
namespace experimental = sycl::ext::oneapi::experimental;
using sycl::ext::oneapi::this_work_item::get_nd_item;

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<1>))
void axpy(float a, const float* x, float* y) {
  const size_t i = get_nd_item<1>().get_global_linear_id();
  y[i] += kFactor * a * x[i];
}

template <typename Number>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((experimental::nd_range_kernel<2>))
void position(Number* x) {
  const auto item = get_nd_item<2>();
  x[item.get_global_linear_id()] = 100 * item.get_global_id(0) + item.get_global_id(1);
}
"""


@pytest.fixture
def opencl(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("OpenCL C is OpenCL's")
    return ht.sycl.Program(OPENCL, queue=sycl_queue, options=["-DSHIFT=0"])


@pytest.fixture(scope="module")
def compiled():
    """SYCL source, built once for each queue; the compiler takes seconds."""
    made = {}

    def program(queue):
        key = queue.device.filter_string
        if key not in made:
            made[key] = ht.sycl.Program(
                SYCL, queue=queue, language="sycl", names=["position<int>"],
                files={"factor.h": "constexpr float kFactor = 2;"},
            )  # fmt: skip
        return made[key]

    return program


def test_arguments_of_every_kind(opencl, sycl_queue):
    x = ht.zeros(64, dtype="float32", queue=sycl_queue)
    numbers = [np.int8(-1), np.uint8(2), np.int16(-3), np.uint16(4), np.int32(-5), np.uint32(6),
               7, np.uint64(8), np.float32(0.5), 0.25, np.complex64(3 + 4j)]  # fmt: skip
    event = opencl["fill_all"][ht.NdRange(64, 16)](x, *numbers, ht.LocalAccessor(16, "float32"))
    np.testing.assert_array_equal(ht.asnumpy(x), np.full(64, 18 + 0.75 + 12, np.float32))
    event.wait()


def test_the_last_dimension_is_opencls_first(opencl, sycl_queue):
    x = ht.zeros((3, 5), dtype="int32", queue=sycl_queue)
    opencl["where_am_i"][ht.Range(3, 5)](x)
    expected = 100 * np.arange(3)[:, None] + np.arange(5)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)
    opencl["where_am_i"][ht.NdRange((3, 5), (1, 5))](x)
    np.testing.assert_array_equal(ht.asnumpy(x), expected)


@pytest.mark.parametrize("in_order", [True, False])
def test_launches_are_in_order_with_all_else(opencl, sycl_queue, in_order):
    queue = ht.Queue(sycl_queue.context, sycl_queue.device, in_order=in_order)
    x = ht.ones(1 << 16, dtype="int32", queue=queue)
    double = opencl["double_it"]
    for _ in range(6):
        x += 1  # pending
        double[1 << 16](x)
        x -= 2
    # y -> 2 (y + 1) - 2 = 2 y
    np.testing.assert_array_equal(ht.asnumpy(x), 64)


def test_spirv(sycl_queue):
    dpctl = pytest.importorskip("dpctl", reason="its tests bring SPIR-V")
    file = pathlib.Path(dpctl.__file__).parent / "tests" / "input_files" / "multi_kernel.spv"
    if not file.exists():
        pytest.skip("dpctl came without its tests")
    program = ht.sycl.Program(file, queue=sycl_queue)
    assert program.language == "spirv" and "add" in program and "nothing" not in program
    x, y, z = (ht.arange(64, dtype="int32", queue=sycl_queue) + i for i in range(3))
    program["add"][64](x, y, z)
    np.testing.assert_array_equal(ht.asnumpy(z), ht.asnumpy(x + y))


def test_sycl_source(compiled, sycl_queue):
    program = compiled(sycl_queue)
    x = ht.arange(64, dtype="float32", queue=sycl_queue)
    y = ht.ones(64, dtype="float32", queue=sycl_queue)
    program["axpy"][ht.NdRange(64, 8)](np.float32(0.5), x, y)
    np.testing.assert_array_equal(ht.asnumpy(y), 1 + np.arange(64))
    z = ht.zeros((4, 6), dtype="int32", queue=sycl_queue)
    program["position<int>"][ht.NdRange((4, 6), (2, 3))](z)
    np.testing.assert_array_equal(ht.asnumpy(z), 100 * np.arange(4)[:, None] + np.arange(6))


def test_bad_source_is_refused_in_the_compilers_words(sycl_queue):
    with pytest.raises(ht.CompileError, match=r"unknown_thing"):
        ht.sycl.Program("void f() { unknown_thing(); }", queue=sycl_queue, language="sycl")
    if sycl_queue.backend == "opencl":
        with pytest.raises(ht.CompileError, match=r"unknown_type"):
            ht.sycl.Program("__kernel void f(unknown_type x) {}", queue=sycl_queue)


def test_damaged_spirv_is_refused(sycl_queue):
    magic = b"\x03\x02\x23\x07"
    for code, why in ((magic + b"\0" * 60, "damaged at byte 20"),
                      (magic, "does not begin with the header"),
                      (magic + b"\0" * 16 + b"\x11\0\x09\0", "damaged at byte 20")):  # fmt: skip
        with pytest.raises(ht.CompileError, match=why):
            ht.sycl.Program(code, queue=sycl_queue)
    with pytest.raises(ht.CompileError, match="not SPIR-V"):
        ht.sycl.Program("text", queue=sycl_queue, language="spirv")


def test_programs_end_with_their_last_reference(opencl, sycl_queue):
    """Each program has at least 1.8 MB of CPU code."""
    x = ht.zeros(64, dtype="int32", queue=sycl_queue)

    def one(i):
        ht.sycl.Program(OPENCL, queue=sycl_queue, options=f"-DSHIFT={i}")["double_it"][64](x)

    def resident():
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf(
            "SC_PAGE_SIZE"
        )

    for i in range(10):
        one(i)
    x.queue.wait()
    before = resident()
    for i in range(40):
        one(i)
    x.queue.wait()
    assert resident() - before < 40e6


def test_a_launch_under_way_outlives_its_program(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("OpenCL C is OpenCL's")
    long = """__kernel void count(__global int *x) {
      volatile int n = 0;
      for (int i = 0; i < 20000000; i++) n = n + 1;
      x[get_global_id(0)] = n;
    }"""
    x = ht.zeros(4, dtype="int32", queue=sycl_queue)
    event = ht.sycl.Program(long, queue=sycl_queue)["count"][4](x)
    gc.collect()
    event.wait()
    np.testing.assert_array_equal(ht.asnumpy(x), 20000000)


def test_options_are_a_list_or_one_text(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("OpenCL C is OpenCL's")
    source = "__kernel void f(__global int *x) { x[get_global_id(0)] = A + B; }"
    for options in ("-DA=3 '-D B=4'", ["-DA=3", "-DB=4"], ("-DA=3", "-DB=4")):
        x = ht.zeros(4, dtype="int32", queue=sycl_queue)
        ht.sycl.Program(source, queue=sycl_queue, options=options)["f"][4](x)
        np.testing.assert_array_equal(ht.asnumpy(x), 7)
    for word in ({"options": [3]}, {"language": "sycl", "names": [3]}):
        with pytest.raises(ht.InvalidTypeError, match="has an int; give texts"):
            ht.sycl.Program(source, queue=sycl_queue, **word)


def test_an_array_for_local_memory_is_refused_by_its_place(sycl_queue):
    if sycl_queue.backend != "opencl":
        pytest.skip("OpenCL C is OpenCL's")
    code = "__kernel void f(__global float* x, __local float* scratch) { scratch[0] = x[0]; }"
    program, x = ht.sycl.Program(code, queue=sycl_queue), ht.ones(4, queue=sycl_queue)
    with pytest.raises(ht.InvalidValueError, match=r"argument 2 of 2 is an array.*a LocalAccessor"):
        program["f"][ht.NdRange(4, 4)](x, x)
    program["f"][ht.NdRange(4, 4)](x, ht.LocalAccessor(4, "float32")).wait()


def test_misuse_is_refused(opencl, sycl_queue):
    x = ht.zeros(8, dtype="int32", queue=sycl_queue)
    with pytest.raises(ht.InvalidValueError, match=r"has no kernel 'nothing'"):
        opencl["nothing"]
    double = opencl["double_it"]
    with pytest.raises(ht.InvalidValueError, match="takes 1 arguments, not 2"):
        double[8](x, 1)
    with pytest.raises(ht.InvalidValueError, match="takes C-contiguous arrays"):
        double[4](x[::2])
    with pytest.raises(ht.InvalidTypeError, match="not a str"):
        double[8]("x")
    with pytest.raises(ht.InvalidTypeError, match="is launched as"):
        double["8"]
    own = ht.Queue(ht.Context(sycl_queue.device), sycl_queue.device)
    with pytest.raises(ht.PlacementError, match="was loaded on"):
        double[8](ht.zeros(8, dtype="int32", queue=own))
    with pytest.raises(ht.UnsupportedError, match=r"native_cpu:cpu:0 cannot build"):
        ht.sycl.Program(OPENCL, queue="native_cpu")
    with pytest.raises(ht.InvalidValueError, match="is none of"):
        ht.sycl.Program(OPENCL, queue=sycl_queue, language="fortran")
    with pytest.raises(ht.InvalidValueError, match="SYCL source only"):
        ht.sycl.Program(OPENCL, queue=sycl_queue, names=["f"])
    with pytest.raises(ht.InvalidTypeError, match="not text or bytes"):
        ht.sycl.Program(3, queue=sycl_queue)


def test_an_argument_of_the_wrong_size_or_kind_is_named(opencl, sycl_queue):
    source = """__kernel void f(__global float *x, float a, __local float *scratch) {
      scratch[get_local_id(0)] = a;
      x[get_global_id(0)] = scratch[get_local_id(0)];
    }"""
    launch = ht.sycl.Program(source, queue=sycl_queue)["f"][ht.NdRange(8, 8)]
    x = ht.zeros(8, dtype="float32", queue=sycl_queue)
    a, scratch = np.float32(2), ht.LocalAccessor(8, "float32")
    for arguments, why in (
        ((x, 2.0, scratch), r"f: argument 2 of 3 is a number of 8 bytes.*np\.float32\(x\)"),
        ((a, a, scratch), "argument 1 of 3 is a number of 4 bytes"),
        ((x, x, scratch), "argument 2 of 3 is an array"),
        ((x, scratch, scratch), "argument 2 of 3 is a LocalAccessor"),
    ):
        with pytest.raises(ht.InvalidValueError, match=why):
            launch(*arguments)
    launch(x, a, scratch)
    np.testing.assert_array_equal(ht.asnumpy(x), 2)


def test_local_memory_beyond_the_devices_is_refused(opencl, sycl_queue):
    x = ht.zeros(8, dtype="float32", queue=sycl_queue)
    most = sycl_queue.device.local_mem_size
    numbers = [np.int8(0)] * 11
    with pytest.raises(ht.InvalidValueError, match=rf"needs {most + 1} bytes.* has {most}"):
        opencl["fill_all"][ht.NdRange(8, 8)](x, *numbers, ht.LocalAccessor(most + 1, "int8"))
