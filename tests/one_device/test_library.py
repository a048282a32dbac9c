"""Kernels in C++, loaded from the bitcode that hither_add_kernels writes."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode

ROOT = Path(__file__).parents[2]
CLANG = shutil.which("clang++-19", path="/usr/bin:/usr/lib/llvm-19/bin")
SOURCE = """
#include <hither/device.h>
using namespace hither::device;

HITHER_KERNEL void axpy(double a, const double* x, double* y) {
  const int64_t i = global_id();
  y[i] = a * x[i] + y[i];
}
HITHER_KERNEL void every_type(bool flag, int8_t b, uint16_t h, int32_t i, uint64_t l, float f,
                              double* out) {
  out[0] = flag; out[1] = b; out[2] = h; out[3] = i; out[4] = l; out[5] = f;
}
HITHER_KERNEL void histogram(const int32_t* values, int64_t* bins, float* sum) {
  const int32_t value = values[global_id()];
  atomic_add(&bins[value & 7], 1);
  atomic_add(sum, value);
}
HITHER_KERNEL void where_am_i(int64_t* out) {
  out[global_id(0) * global_size(1) + global_id(1)] = global_id(0) * 1000 + global_id(1);
}
HITHER_KERNEL void even(const int32_t* x) { HITHER_ASSERT(x[global_id()] % 2 == 0); }
HITHER_KERNEL void reverse_groups(const float* in, float* out, HITHER_LOCAL_POINTER(float) room) {
  const int64_t i = local_id(), n = local_size();
  room[i] = in[global_id()];
  barrier(kLocalFence);
  out[global_id()] = room[n - 1 - i];
}
"""


def compiled(folder: Path, source: str) -> Path:
    if not CLANG:
        pytest.skip("there is no clang 19 to compile kernels in C++")
    (folder / "kernels.cpp").write_text(source)
    flags = ["-std=c++20", "-O2", "-fno-exceptions", "-fno-rtti", "-nostdinc++"]
    command = [CLANG, *flags, "-DHITHER_DEVICE_CODE", f"-I{ROOT}/include", "-c", "-emit-llvm"]
    subprocess.run([*command, "kernels.cpp", "-o", "kernels.bc"], cwd=folder, check=True)
    return folder / "kernels.bc"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    return ht.load_module(compiled(tmp_path_factory.mktemp("library"), SOURCE))


def test_kernels_have_names_and_types(library):
    names = ["axpy", "every_type", "histogram", "where_am_i", "even", "reverse_groups"]
    assert list(library) == names and len(library) == 6
    assert library.axpy is library["axpy"]
    assert library.axpy.parameter_types == ("double", "ptr", "ptr")
    assert "axpy" in dir(library)
    with pytest.raises(AttributeError, match="no kernel 'nope'"):
        library.nope  # noqa: B018


@pytest.mark.parametrize("n", [0, 1, 7, 100_003])
def test_axpy(library, n):
    x, y = np.arange(n, dtype=float), np.ones(n)
    out = ht.asarray(y)
    library.axpy[ht.Range(n)](2.5, ht.asarray(x), out)
    np.testing.assert_array_equal(ht.asnumpy(out), 2.5 * x + y)


def test_pending_arguments_and_default_range(library):
    x = ht.arange(10, dtype=ht.float64) * 2
    y = x + 1
    library.axpy(1, x, y)
    np.testing.assert_array_equal(ht.asnumpy(y), np.arange(10) * 4.0 + 1)


def test_host_arrays_go_there_and_back(library):
    x, y = np.arange(5.0), np.ones(5)
    with ht.device_context(x_queue := ht.Queue("cpu")):
        library.axpy[5](3, x, y)
    np.testing.assert_array_equal(y, 3 * np.arange(5.0) + 1)
    with pytest.raises(ht.PlacementError):
        library.axpy[5](3, x, y)
    library.axpy[5](1, x, y, queue=x_queue)
    np.testing.assert_array_equal(y, 4 * np.arange(5.0) + 1)


def test_numbers_become_the_kernels_types(library):
    out = ht.zeros(6)
    library.every_type[1](True, -5, 65535, -(2**31), 2**64 - 1, 0.5, out)
    expected = [1, -5, 65535, -(2**31), float(2**64 - 1), 0.5]
    np.testing.assert_array_equal(ht.asnumpy(out), expected)
    with pytest.raises(OverflowError):
        library.every_type[1](True, -5, 70000, 0, 0, 0.5, out)


def test_atomics(library):
    values = np.random.default_rng(3).integers(0, 100, 50_000, dtype=np.int32)
    bins, total = ht.zeros(8, dtype=ht.int64), ht.zeros(1, dtype=ht.float32)
    library.histogram[values.size](ht.asarray(values), bins, total)
    np.testing.assert_array_equal(ht.asnumpy(bins), np.bincount(values & 7, minlength=8))
    np.testing.assert_allclose(float(total[0]), values.sum(), rtol=1e-3)


def test_two_dimensions_and_views(library):
    whole = ht.zeros((4, 3, 5), dtype=ht.int64)
    library.where_am_i[ht.Range(3, 5)](whole[2])
    expected = np.zeros((4, 3, 5), dtype=np.int64)
    expected[2] = np.arange(3)[:, None] * 1000 + np.arange(5)
    np.testing.assert_array_equal(ht.asnumpy(whole), expected)


def test_assertions_are_raised_with_their_line(library):
    library.even[2](ht.asarray(np.array([2, 4], dtype=np.int32)))
    queue = ht.Queue("cpu")
    event = library.even.launch(3, ht.asarray(np.array([2, 3, 4], dtype=np.int32), queue=queue))
    with pytest.raises(ht.KernelError, match=r"assertion failed.*work-item \(1"):
        event.wait()


def test_local_memory_and_barriers(library):
    x = np.arange(64, dtype=np.float32)
    out = ht.zeros(64, dtype=ht.float32)
    room = ht.LocalAccessor(16, ht.float32)
    library.reverse_groups[ht.NdRange(64, 16)](ht.asarray(x), out, room)
    np.testing.assert_array_equal(ht.asnumpy(out), x.reshape(4, 16)[:, ::-1].ravel())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((1.0, "array"), "argument #2 is missing"),
        ((1.0, 2.0, "array"), "parameter 1 is a pointer; pass an array"),
        ((1.0, "strided", "array"), "not C-contiguous"),
        ((1.0, "array", "read-only"), "read-only"),
    ],
)
def test_wrong_arguments(library, arguments, words):
    there = {
        "array": ht.ones(4),
        "strided": ht.ones(8)[::2],
        "read-only": ht.broadcast_to(ht.ones(4), (1, 4))[0],
    }
    with pytest.raises((ht.Error, TypeError, ValueError), match=words):
        library.axpy[4](*[there.get(a, a) if isinstance(a, str) else a for a in arguments])


def test_what_is_no_library(tmp_path):
    with pytest.raises(FileNotFoundError):
        ht.load_module(tmp_path / "nothing.bc")
    with pytest.raises(ht.CompileError, match="not LLVM IR"):
        ht.load_module(b"BC of something else")
    with pytest.raises(ht.CompileError, match="HITHER_KERNEL"):
        ht.load_module(compiled(tmp_path, "void f() {}"))
    structure = "#include <hither/device.h>\nstruct P { double a[9]; };\n"
    with pytest.raises(ht.CompileError, match=r"parameter 0 .* structure"):
        ht.load_module(compiled(tmp_path, structure + "HITHER_KERNEL void f(P p) {}"))


def test_a_damaged_library_is_refused(tmp_path):
    code = compiled(tmp_path, SOURCE).read_bytes()
    refused = 0
    for at in range(0, len(code), 150):  # LLVM's reader ends the process for some of them
        damaged = bytearray(code)
        damaged[at] ^= 1 << (at % 8)
        try:
            ht.load_module(bytes(damaged))
        except ht.CompileError:
            refused += 1
    assert refused > 8
    with pytest.raises(ht.CompileError):
        ht.load_module(code[: len(code) // 2])
    assert len(ht.load_module(code)) == 6
