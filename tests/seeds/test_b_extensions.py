"""Requirement B24: native extensions make queues, and take and return hither's objects."""

import ctypes
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import extensions
import hither as ht
from c_api_table import Table, View

pytestmark = pytest.mark.either_mode


@pytest.fixture(scope="module")
def table():
    return Table()


def test_b24_an_extension_makes_a_queue_from_a_selector(table, device):
    queue = table.make("queue_select", str(device).encode(), 0).object()
    assert isinstance(queue, ht.Queue) and queue.device == device
    assert ht.zeros(3, queue=queue).queue == queue


def test_b24_queues_and_contexts_cross_in_capsules(table, queue):
    there = table.make("queue_from_object", queue._get_capsule())
    assert there.object() == queue
    context = table.make("context_from_object", queue.context._get_capsule())
    assert context.object() == queue.context
    again = table.make("queue_from_object", there.object()._get_capsule())
    assert table.queue_equal(there, again) == 1


def test_b24_usm_arrays_cross_in_place(table, queue):
    x = ht.asarray([1.0, 2.0, 3.0], queue=queue)
    view = View()
    array = table.array(x)
    table.check(table.array_view(array, ctypes.byref(view), None))
    assert view.data == ht.UsmView(x).pointer
    fields = table.usm_interface(ctypes.byref(view), table.make("queue_from_object", queue))

    class Exported:
        __sycl_usm_array_interface__ = fields
        memory = array

    back = ht.asarray(Exported())
    assert back.queue == queue and ht.UsmView(back).pointer == view.data
    assert ht.asnumpy(array.object() + back).tolist() == [2, 4, 6]


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    for needed in ("Cython", "nanobind", "pybind11", "scipy"):
        pytest.importorskip(needed)
    return extensions.build(extensions.shared_folder(tmp_path_factory))


def test_b24_extensions_in_c_cython_and_cpp_take_and_return_objects(built, device):
    luminance, tridiagonal, diffusion, normalised = (
        extensions.load(built, name)
        for name in ("luminance", "tridiagonal", "diffusion", "normalised")
    )
    queue = normalised.queue(str(device))
    assert queue == device.default_queue
    image = ht.ones((4, 4, 3), queue=queue)
    grey = luminance.of(image, queue)
    spread = diffusion.diffuse(grey, 3, queue=queue)
    rows = normalised.rows(spread)
    ones = ht.ones(4, queue=queue)
    solved = tridiagonal.solve(ones[1:] * 0, ones, ones[1:] * 0, ones, queue=queue)
    assert {x.queue for x in (grey, spread, rows, solved)} == {queue}
    assert ht.asnumpy(solved * rows[0]).tolist() == pytest.approx([0.5] * 4)


def cpp_program(folder, line=""):
    """sum_on_device.cpp, compiled against the libhither of this process."""
    source, program = folder / "sum_on_device.cpp", folder / "sum_on_device"
    text = Path(__file__).with_name("sum_on_device.cpp").read_text()
    assert "// LINE\n" in text
    source.write_text(text.replace("// LINE\n", line + "\n"))
    maps = Path("/proc/self/maps").read_text().split()
    library = next(Path(word) for word in maps if "/libhither.so" in word)
    extensions.run(
        "g++", "-std=c++20", source, f"-I{ht.get_include()}", library,
        f"-Wl,-rpath,{library.parent}", "-o", program,
    )  # fmt: skip
    return program


def test_b24_a_program_in_cpp_computes_without_python_or_the_error_names_the_line(tmp_path, device):
    if "libasan" in os.environ.get("LD_PRELOAD", ""):
        pytest.skip("compilers would run with the sanitizer's library")

    def run(program):
        python = Path(sys.executable).parent
        environment = {**os.environ, "PATH": f"{python}:{os.environ['PATH']}",
                       "PYTHONPATH": str(Path(ht.__file__).parents[1])}  # fmt: skip
        command = [program, device.filter_string]
        return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)

    done = run(cpp_program(tmp_path))
    if done.returncode != 0:
        # The error names one line of C++. With this line alone the program runs.
        (line,) = re.findall(r"hither::set_spirv_emitter\(.*\);", done.stderr)
        assert "no SPIR-V emitter is set" in done.stderr
        done = run(cpp_program(tmp_path, line))
    assert (done.returncode, done.stdout) == (0, f"10000 on {device.filter_string}\n"), done.stderr
