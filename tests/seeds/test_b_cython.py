"""Requirement B6 and "names people know": `cimport dpctl` and the class-bound LAPACK, compiled."""

from __future__ import annotations

import ctypes
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import extensions
import hither as ht
from c_api_table import Table

for needed in ("Cython", "scipy"):
    pytest.importorskip(needed)

pytestmark = pytest.mark.either_mode

SYCL = Path(sys.prefix)  # pip installs the runtime of DPC++ and its headers there
MATRIX = np.array([[2.0, 1.0], [1.0, 3.0]])
SOURCE = Path(__file__).parent / "typed_names.pyx"


def is_of_sycl(queue):
    return queue.backend in ("opencl", "level_zero")


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    return extensions.build_cython(extensions.shared_folder(tmp_path_factory), SOURCE)


@pytest.fixture
def typed(built, compat_names):
    return extensions.load(built, "typed_names")


@pytest.fixture
def sycl_objects(tmp_path_factory, compat_names):
    if not (SYCL / "include" / "sycl" / "sycl.hpp").exists():
        pytest.skip("needs the headers of DPC++")
    flags = ["-std=c++17", "-isystem", SYCL / "include", f"-L{SYCL / 'lib'}", "-lsycl",
             f"-Wl,-rpath,{SYCL / 'lib'}"]  # fmt: skip
    source = SOURCE.with_name("sycl_objects.pyx")
    folder = extensions.shared_folder(tmp_path_factory)
    return extensions.load(extensions.build_cython(folder, source, *flags), source.stem)


def test_b06_the_documents_lapack_in_cython(typed, device):
    a = ht.asarray(MATRIX, device=device)
    lapack, (u, s, vh) = typed.listing(str(device), a)
    assert lapack.queue.device == device
    assert u.queue == s.queue == vh.queue == lapack.queue
    np.testing.assert_allclose(ht.asnumpy(s), np.linalg.svd(MATRIX).S)
    np.testing.assert_allclose(ht.asnumpy(typed.listing_of_the_host_library(a).S), ht.asnumpy(s))


def test_b06_an_invalid_queue_is_refused(typed, device):
    with pytest.raises(ht.InvalidValueError, match="gpu:99"):
        typed.listing("gpu:99", MATRIX)
    elsewhere = ht.Queue(ht.Context(device), device)
    with pytest.raises(ht.PlacementError, match="cannot access"):
        typed.listing(str(device), ht.asarray(MATRIX, queue=elsewhere))


def test_scipys_declarations_are_available_too(typed):
    assert typed.scipys_own() == np.finfo(float).eps / 2


def test_typed_queues_contexts_devices_and_events(typed, queue):
    import dpctl

    other = typed.another(queue)
    assert isinstance(other, dpctl.SyclQueue)
    assert other.device == queue.device and other.context != queue.context
    device, event = typed.made(dpctl.SyclPlatform(queue.device))
    assert isinstance(device, dpctl.SyclDevice)
    assert typed.waited(event) == dpctl.event_status_type.complete
    assert typed.waited(queue.submit_barrier()) == dpctl.event_status_type.complete
    assert typed.Owner(queue).queue is queue
    assert typed.Owner(dpctl.SyclQueue(str(queue.device))).queue.device == queue.device
    assert typed.Owner(str(queue.device)).queue.device == queue.device


def test_typed_memory_and_arrays(typed, queue):
    memory = typed.counted(queue, 5)
    assert memory.queue == queue and bytes(memory) == bytes(range(5))
    copied = typed.on_device(memory)
    assert copied.usm_type == "device" and copied.tobytes() == bytes(range(5))
    assert typed.only_on_device(copied) == 5
    x = typed.doubled(ht.asarray(MATRIX, queue=queue))
    assert x.queue == queue
    np.testing.assert_array_equal(ht.asnumpy(x), 2 * MATRIX)


def test_typed_programs(typed, queue):
    from dpctl import program

    if queue.backend != "opencl":
        pytest.skip("needs a device that compiles OpenCL C")
    code = "kernel void f(global int* x, int a) { x[0] = a; }"
    assert typed.kernel_of(program.create_program_from_source(queue, code), "f") == 2


def test_references_are_addresses_of_sycl_objects(typed, queue):
    if not is_of_sycl(queue):
        for refused in (queue.addressof_ref, queue.context.get_context_ref):
            with pytest.raises(ht.UnsupportedError, match="is not on a SYCL device"):
                refused()
        with pytest.raises(ht.UnsupportedError, match="addressof_ref"):
            typed.reference(queue)
        return
    table = Table()
    assert typed.reference(queue) == queue.addressof_ref()
    there = table.make("queue_adopt_native", ctypes.c_void_p(queue.addressof_ref()))
    assert there.object() == queue
    there = table.make("context_adopt_native", ctypes.c_void_p(queue.context.addressof_ref()))
    assert there.object() == queue.context


def test_work_in_cpp_is_submitted_to_the_sycl_queue(sycl_objects, queue):
    memory = ht.MemoryUSMDevice(1000, queue=queue)
    if not is_of_sycl(queue):
        with pytest.raises(ht.UnsupportedError, match="is not on a SYCL device"):
            sycl_objects.filled(memory, 7)
        return
    assert sycl_objects.filled(memory, 7).tobytes() == bytes([7]) * 1000


@pytest.mark.parametrize("name", ["another", "made", "waited", "only_on_device", "on_device",
                                  "doubled"])  # fmt: skip
def test_objects_of_other_types_are_refused(typed, name):
    wrong = [np.ones(3), ht.Device("cpu"), "cpu", 1]
    if name == "only_on_device":
        wrong.append(ht.MemoryUSMShared(1, queue=ht.Queue("cpu")))
    for value in wrong:
        with pytest.raises(TypeError, match="has incorrect type"):
            getattr(typed, name)(value)


def test_attributes_and_none_are_checked_too(typed):
    owner = typed.Owner("cpu")
    with pytest.raises(TypeError, match="Cannot convert str to"):
        owner.queue = "cpu"
    with pytest.raises(TypeError, match="event"):
        typed.waited(None)


def test_programs_with_the_extension_run_unchanged(built, tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        f"import sys; sys.path.insert(0, {str(built)!r})\n"
        "import dpctl, dpctl.tensor, typed_names\n"
        "print(isinstance(typed_names.Owner('cpu').queue, dpctl.SyclQueue))\n"
        "a = dpctl.tensor.asarray([[3.0, 0.0], [0.0, 4.0]], device='cpu')\n"
        "print(typed_names.listing('cpu', a)[1].S)\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "hither.compat", script], capture_output=True, text=True
    )
    assert done.stdout == "True\n[4. 3.]\n", done.stderr


def test_the_library_is_importable_while_compat_is_installed(compat_names):
    import scipy.linalg.oneAPIlapack_cython as lapack_oneAPI
    from scipy.linalg import lapack_cython, svd

    from hither import compat

    assert lapack_oneAPI is lapack_cython is ht.lapack and svd
    compat.uninstall()
    with pytest.raises(ImportError):
        importlib.import_module("scipy.linalg.oneAPIlapack_cython")
