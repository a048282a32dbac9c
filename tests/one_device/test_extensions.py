"""The extensions of examples/extensions, in C, Cython and C++: built, imported and used."""

import os
import re
import subprocess
import sys
import sysconfig
import textwrap
import threading

import numpy as np
import pytest

import extensions
import hither as ht

pytestmark = pytest.mark.either_mode

for needed in ("Cython", "nanobind", "scipy"):
    pytest.importorskip(needed)


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return extensions.build(extensions.shared_folder(tmp_path_factory))


@pytest.fixture
def example(built, request):
    return extensions.load(built, request.param)


def of(name):
    return pytest.mark.parametrize("example", [name], indirect=True)


# -- C: luminance


@of("luminance")
@pytest.mark.parametrize("dtype", ["float32", "float64", "uint8"])
@pytest.mark.parametrize("shape", [(3,), (0, 3), (1, 1, 3), (5, 7, 3), (2, 3, 101, 3)])
def test_a_kernel_of_an_extension_in_c(example, dtype, shape):
    pixels = (np.random.default_rng(1).random(shape) * 200).astype(dtype)
    out = example.of(ht.asarray(pixels))
    assert isinstance(out, ht.Array) and (out.shape, out.dtype) == (shape[:-1], np.float32)
    weights = np.array([0.2126, 0.7152, 0.0722], np.float32)
    np.testing.assert_allclose(ht.asnumpy(out), pixels.astype(np.float32) @ weights, rtol=1e-6)


@of("luminance")
def test_it_takes_lazy_strided_and_foreign_arrays(example):
    class ForeignArray:
        def __init__(self, x):
            self.__sycl_usm_array_interface__ = x.__sycl_usm_array_interface__
            self.x = x

    x = ht.asarray(np.arange(24, dtype=np.float32).reshape(2, 4, 3))
    expected = ht.asnumpy(example.of(x))
    np.testing.assert_array_equal(ht.asnumpy(example.of(x * 2)), 2 * expected)
    np.testing.assert_array_equal(ht.asnumpy(example.of(x[:, ::-2])), expected[:, ::-2])
    np.testing.assert_array_equal(ht.asnumpy(example.of(ForeignArray(x))), expected)
    np.testing.assert_array_equal(ht.asnumpy(example.of(x) + 1), expected + 1)


@of("luminance")
def test_it_runs_where_its_user_says(example):
    x = ht.ones((2, 3), dtype="float32")
    assert example.of(x).queue == x.queue
    other = ht.Queue(x.queue.context, x.queue.device)
    assert example.of(x, other).queue == other
    assert example.of(x, x.queue.device.filter_string).queue == x.queue.device.default_queue


@of("luminance")
def test_it_refuses_in_hithers_words(example, sub_devices):
    with pytest.raises(ht.InvalidTypeError, match=r"numpy.ndarray is not an array in USM"):
        example.of(np.zeros(3))
    with pytest.raises(ht.InvalidValueError, match=r"luminance.of: the image's last dimension"):
        example.of(ht.zeros(4))
    with pytest.raises(ht.InvalidTypeError, match="is not a queue"):
        example.of(ht.zeros(3), 1.5)
    first, second = map(ht.Queue, sub_devices)
    with pytest.raises(ht.PlacementError):
        example.of(ht.zeros(3, queue=first), second)


@of("luminance")
def test_many_threads_may_call_it(example):
    x = ht.asarray(np.ones((100, 3), np.float32))
    expected = ht.asnumpy(example.of(x))
    wrong = []

    def call():
        for _ in range(50):
            if not np.array_equal(ht.asnumpy(example.of(x)), expected):
                wrong.append(1)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


# -- Cython: tridiagonal


def system(n, seed=0):
    random = np.random.default_rng(seed)
    short = max(n - 1, 0)
    parts = random.random(short), random.random(n) + 3, random.random(short), random.random(n)
    matrix = np.diag(parts[1])
    for k, part in ((-1, parts[0]), (1, parts[2])):
        matrix = matrix + (np.diag(part, k) if n > 1 else 0)
    return parts, matrix


@of("tridiagonal")
@pytest.mark.parametrize("n", [0, 1, 2, 7, 1001])
def test_a_library_call_of_an_extension_in_cython(example, n):
    parts, matrix = system(n)
    arrays = [ht.asarray(part) for part in parts]
    x = example.solve(*arrays)
    assert isinstance(x, ht.Array) and x.queue == arrays[1].queue
    np.testing.assert_allclose(matrix @ ht.asnumpy(x), parts[3], atol=1e-12)
    for array, part in zip(arrays, parts, strict=True):
        np.testing.assert_array_equal(ht.asnumpy(array), part)  # nothing was overwritten


@of("tridiagonal")
def test_it_converts_and_waits_for_its_arguments(example):
    parts, matrix = system(9)
    lower, diagonal, upper, right = (ht.asarray(part, dtype="float32") for part in parts)
    x = example.solve(lower[::-1][::-1], diagonal * 2, upper, right)
    doubled = matrix + np.diag(parts[1])
    np.testing.assert_allclose(doubled @ ht.asnumpy(x), parts[3], rtol=1e-5)


@of("tridiagonal")
def test_errors_of_its_task_come_with_the_result(example):
    zeros = ht.zeros(3), ht.zeros(4), ht.zeros(3), ht.ones(4)
    x = example.solve(*zeros, queue=ht.Queue(zeros[0].queue.context, zeros[0].queue.device))
    for _ in range(2):
        with pytest.raises(ht.KernelError, match="the matrix is singular"):
            ht.asnumpy(x + 1)
    with pytest.raises(ValueError, match=r"expected 3 numbers, not an array of shape \(4,\)"):
        example.solve(zeros[1], zeros[1], zeros[2], zeros[3])


# -- nanobind: diffusion


def heat(values, steps, rate):
    for _ in range(steps):
        inner = values[1:-1, 1:-1]
        around = values[1:-1, :-2] + values[1:-1, 2:] + values[:-2, 1:-1] + values[2:, 1:-1]
        values = values.copy()
        values[1:-1, 1:-1] = inner + np.float32(rate) * (around - 4 * inner)
    return values


@of("diffusion")
@pytest.mark.parametrize("shape", [(1, 1), (3, 3), (17, 33), (0, 4)])
@pytest.mark.parametrize("steps", [0, 1, 6])
def test_kernels_in_cpp_of_an_extension_with_nanobind(example, shape, steps):
    start = np.random.default_rng(2).random(shape).astype(np.float32)
    x = ht.asarray(start)
    out = example.diffuse(x, steps, rate=0.2)
    assert isinstance(out, ht.Array) and out.queue == x.queue
    np.testing.assert_allclose(ht.asnumpy(out), heat(start, steps, 0.2), rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(ht.asnumpy(x), start)


@of("diffusion")
def test_its_arguments_are_cast_and_its_errors_are_hithers(example):
    x = ht.ones((4, 4))
    queue = ht.Queue(x.queue.context, x.queue.device)
    assert example.diffuse(start=x, steps=1, queue=queue).queue == queue
    assert example.diffuse(x, 1, queue=None).queue == x.queue
    with pytest.raises(ht.InvalidValueError, match="diffuse: start has to have two dimensions"):
        example.diffuse(ht.ones(4), 1)
    for wrong in (np.ones((4, 4)), None, 3):
        with pytest.raises(TypeError, match=r"start: hither.Array"):
            example.diffuse(wrong, 1)


# -- pybind11: normalised


@of("normalised")
def test_array_operations_of_an_extension_with_pybind11(example):
    values = np.random.default_rng(3).random((5, 4))
    x = ht.asarray(values)
    ht.clear_kernel_history()
    y = example.rows(x)
    np.testing.assert_allclose(
        ht.asnumpy(y), values / np.linalg.norm(values, axis=1, keepdims=True), rtol=1e-14
    )
    with pytest.raises(ht.InvalidValueError, match="rows: x has no rows"):
        example.rows(ht.asarray(1.0))
    with pytest.raises(TypeError, match=r"x: hither.Array"):
        example.rows(values)


@of("normalised")
def test_every_class_crosses_both_ways(example):
    x = ht.ones(3)
    assert example.place(x) == (x.device, x.queue.context, x.queue)
    assert example.queue(x.queue) == x.queue
    assert example.queue(x.queue.device.filter_string) == x.queue.device.default_queue
    with ht.device_context(x.queue):
        assert example.queue(None) == x.queue
    memory = example.allocate(x.queue, 100)
    assert isinstance(memory, ht.MemoryUSMShared) and memory.nbytes == 100
    event = example.evaluate(x)
    event.wait()
    assert event.is_complete


# -- what an extension checks when it is imported


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("old.version = 2", r"needs version 1 .* has version 2"),
        ("old.bytes -= 8", r"with a table of \d+ bytes; hither 0.* has version 1 with \d+"),
        ("del hither._hither._C_API", "too old to have a C API"),
    ],
)
def test_an_older_hither_is_an_import_error(built, change, message):
    program = f"""
        import ctypes, sys
        import c_api_table, hither
        sys.path.insert(0, {str(built)!r})
        class Start(ctypes.Structure):
            _fields_ = [("version", ctypes.c_uint32), ("bytes", ctypes.c_uint32)]
        old = Start.from_address(c_api_table.Table().address)
        {change}
        import luminance
    """
    tests = extensions.SOURCE.parents[1] / "tests"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tests)!r})\n"
         + textwrap.dedent(program)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert "ImportError" in done.stderr
    assert re.search(message, done.stderr), done.stderr


def test_hither_need_not_be_imported_before_an_extension_in_c(built):
    program = f"import sys; sys.path.insert(0, {str(built)!r}); import luminance, tridiagonal"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_compiler_and_pkg_config_are_enough(tmp_path):
    told = subprocess.run(
        ["pkg-config", "--cflags", "hither-c"],
        env={**os.environ, "PKG_CONFIG_PATH": ht.get_pkgconfig_dir()},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    source, made = extensions.SOURCE / "luminance.c", tmp_path / "luminance.so"
    python = f"-I{sysconfig.get_path('include')}"
    strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    extensions.run("gcc", *strict, python, *told.stdout.split(), source, "-o", made)
    program = "import hither as ht, luminance; print(ht.asnumpy(luminance.of(ht.ones((2, 3)))))"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r}); {program}"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == "[1. 1.]\n"
