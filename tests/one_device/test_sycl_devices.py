"""SYCL devices: their descriptors and their memory."""

from __future__ import annotations

import os
import pathlib
import shutil
import subprocess
import sys

import numpy as np
import pytest

import hither as ht

pytestmark = pytest.mark.either_mode

BACKENDS = ("opencl", "level_zero")
DEVICES = [d.filter_string for d in ht.devices() if d.filter_string.split(":")[0] in BACKENDS]
LIBSYCL = pathlib.Path(sys.prefix, "lib", "libsycl.so.9")
WHY_NONE = "; ".join(a for a in ht.absent_backends() if a.startswith("sycl")) or "HITHER_SYCL=0"
needs_sycl = pytest.mark.skipif(not DEVICES, reason=f"no SYCL device: {WHY_NONE}")


@pytest.fixture(params=DEVICES)
def sycl_device(request):
    return ht.Device(request.param)


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, check=True, timeout=120, env=os.environ | environment,
    )  # fmt: skip
    return done.stdout.strip()


def test_they_are_listed_or_it_is_said_why():
    if not DEVICES:
        assert WHY_NONE


def test_they_can_be_switched_off():
    code = "import hither; print([str(d) for d in hither.devices()], hither.absent_backends())"
    printed = run(code, HITHER_SYCL="0")
    assert "native_cpu:cpu:0" in printed
    assert "opencl" not in printed and "level_zero" not in printed and "sycl" not in printed


@needs_sycl
def test_finding_them_leaves_the_environment_as_it_was():
    code = (
        "import ctypes, hither; hither.devices(); libc = ctypes.CDLL(None)\n"
        "libc.getenv.restype = ctypes.c_char_p\n"
        "print([(libc.getenv(name.encode()) or b'').decode() for name in\n"
        "       ('OCL_ICD_FILENAMES', 'OCL_ICD_VENDORS')])"
    )
    before = [os.environ.get(name, "") for name in ("OCL_ICD_FILENAMES", "OCL_ICD_VENDORS")]
    assert run(code) == str(before)


@pytest.mark.skipif(not LIBSYCL.exists(), reason="no libsycl of Python's packages")
def test_a_runtime_in_a_path_with_a_space_is_not_offered(tmp_path):
    folder = tmp_path / "a folder"
    folder.mkdir()
    for library in (*LIBSYCL.parent.glob("libur_loader.so.0"), LIBSYCL):
        shutil.copy(library, folder)
    (folder / "libintelocl.so").touch()
    code = (
        f"import ctypes; ctypes.CDLL({str(folder / LIBSYCL.name)!r})\n"
        "import hither; hither.devices(); print(hither.absent_backends())"
    )
    variables = {"OCL_ICD_FILENAMES": "", "OCL_ICD_VENDORS": ""}
    assert "path with a space" in run(code, LD_LIBRARY_PATH=str(LIBSYCL.parent), **variables)


def test_native_cpu_stays_the_first_cpu():
    assert ht.Device("cpu").filter_string == "native_cpu:cpu:0"
    if "opencl:cpu:0" in DEVICES:
        assert ht.Device("cpu:1").filter_string == "opencl:cpu:0"
        assert ht.Device("opencl").filter_string.startswith("opencl:")


@needs_sycl
def test_they_answer_sycls_descriptors(sycl_device):
    names = {"name", "vendor", "driver_version", "version", "backend_version", "platform_name",
             "max_compute_units", "max_work_group_size", "sub_group_sizes", "local_mem_size",
             "global_mem_size", "partition_properties", "vendor_id", "extensions"}  # fmt: skip
    assert names <= set(sycl_device.info_names)
    assert sycl_device.max_compute_units > 0
    assert sycl_device.info("global_mem_size") > 0
    assert len(sycl_device.info("max_work_item_sizes3d")) == 3
    assert sycl_device.filter_string.split(":")[1] in sycl_device.aspects


@pytest.mark.skipif("opencl:cpu:0" not in DEVICES, reason="no OpenCL CPU device")
@pytest.mark.parametrize("first", ["native_cpu", "opencl:cpu:0"])
def test_each_processor_has_a_worker_once_a_cpu_is_divided(first):
    code = (
        "import ctypes, hither\n"
        f"mesh = hither.Mesh({first!r}, parts=2)\n"
        "x = hither.shard(hither.ones(1_000_000, device=mesh[0].device), mesh)\n"
        "(x + 1).synchronize()\n"
        "device = hither.Device('opencl:cpu:0')\n"
        "mesh = hither.Mesh(device, parts=2)\n"
        "files = {line.split()[-1] for line in open('/proc/self/maps') if 'libtbb.so.12' in line}\n"
        "if device.max_compute_units > 1 and files and 'Intel' in device.vendor:\n"
        "    workers = ctypes.CDLL(files.pop())\n"
        "    allowed = workers._ZN3tbb6detail2r127global_control_active_valueEi\n"
        "    allowed.restype = ctypes.c_size_t\n"
        "    assert allowed(0) > device.max_compute_units, allowed(0)  # with the calling thread"
    )
    run(code)


@needs_sycl
@pytest.mark.parametrize("usm_type", ["device", "shared", "host"])
@pytest.mark.parametrize("n", [0, 1, 1000, 3_000_001])
def test_arrays_come_back_as_they_went(sycl_device, usm_type, n):
    host = np.random.default_rng(n).standard_normal(n)
    there = ht.asarray(host, device=sycl_device, usm_type=usm_type)
    assert there.device == sycl_device
    assert there.usm_type == usm_type
    np.testing.assert_array_equal(ht.asnumpy(there), host)


@needs_sycl
def test_arrays_move_between_drivers(sycl_device):
    host = np.arange(100_000, dtype=np.int32)
    there = ht.asarray(host, device=sycl_device)
    back = there.to_device("native_cpu")
    assert back.device.filter_string == "native_cpu:cpu:0"
    again = back.to_device(sycl_device)
    np.testing.assert_array_equal(ht.asnumpy(back), host)
    np.testing.assert_array_equal(ht.asnumpy(again), host)


@needs_sycl
def test_pointers_are_known_in_their_context_alone(sycl_device):
    queue = sycl_device.default_queue
    for kind, cls in (("device", ht.MemoryUSMDevice), ("shared", ht.MemoryUSMShared),
                      ("host", ht.MemoryUSMHost)):  # fmt: skip
        memory = cls(1000, queue=queue)
        info = ht.pointer_info(memory.pointer + 999, queue.context)
        assert (info.usm_type, info.device) == (kind, sycl_device)
        assert (
            ht.pointer_info(memory.pointer, ht.Device("native_cpu").default_queue.context) is None
        )
        assert ht.pointer_info(memory.pointer, ht.Context(sycl_device)) is None


@needs_sycl
def test_a_part_too_small_to_be_cut_says_so(sycl_device):
    if sycl_device.backend != "opencl" or sycl_device.max_compute_units < 2:
        pytest.skip("needs a device of OpenCL with two compute units")
    part = sycl_device.create_sub_devices(partition=[1, 1])[0]
    for partition in (1, [1]):
        with pytest.raises(ht.UnsupportedError, match=r"asks for 1 parts of 1 .* at most"):
            part.create_sub_devices(partition=partition)


@needs_sycl
def test_sub_devices_have_contexts_of_their_own(sycl_device):
    if sycl_device.max_compute_units < 2 or "partition_by_counts" not in sycl_device.info(
        "partition_properties"
    ):
        pytest.skip(f"{sycl_device} does not divide")
    parts = sycl_device.create_sub_devices(partition=[1, 1])
    assert [part.max_compute_units for part in parts] == [1, 1]
    assert all(part.parent_device == sycl_device for part in parts)
    x = ht.asarray(np.arange(5), device=parts[0])
    y = ht.asarray(x, queue=ht.Queue(parts[1]))
    np.testing.assert_array_equal(ht.asnumpy(y), np.arange(5))
    assert not x.queue.equivalent(y.queue)


@needs_sycl
def test_a_device_without_spirv_says_so(sycl_device):
    if "cl_khr_il_program" in sycl_device.info("extensions"):
        pytest.skip(f"{sycl_device} takes SPIR-V")
    x = ht.asarray([1.0, 2.0], device=sycl_device)
    with pytest.raises(ht.UnsupportedError):
        ht.asnumpy(x + 1)


@needs_sycl
@pytest.mark.parametrize("in_order", [True, False])
def test_a_process_may_end_with_work_under_way(sycl_device, in_order):
    code = (
        "import time, hither as ht\n"
        f"q = ht.Queue({str(sycl_device)!r}, in_order={in_order})\n"
        "m = ht.MemoryUSMDevice(1 << 28, queue=q)\n"
        "done = [q.fill(m, 3) for _ in range(4)]\n"
        "q.submit_host(lambda: time.sleep(0.2), depends_on=done)\n"
        "q.fill(m, 4)\n"
        "del q\n"
        "print('end')"
    )
    assert run(code) == "end"
