"""The command `hither doctor`."""

import os
import subprocess
import sys

import pytest

import hither as ht
from hither import __main__ as command
from hither._tools import doctor

pytestmark = pytest.mark.either_mode


def test_every_device_computes(capsys):
    command.main(["doctor"])
    printed = capsys.readouterr().out
    for device in ht.devices():
        assert device.filter_string in printed
    assert "the default device is" in printed
    assert "compiled code is kept in" in printed or "compiled code is not kept" in printed


def test_a_device_that_hither_does_not_support_is_no_problem(monkeypatch):
    def refuse(value, device):
        raise ht.UnsupportedError("load_kernel", "no SPIR-V")

    monkeypatch.setattr(ht, "asarray", refuse)
    found = list(doctor._devices())
    assert {finding.level for finding in found} == {"note"}
    assert "computes nothing: load_kernel: no SPIR-V" in found[0].text


def _text_of(findings):
    return "\n".join(map(str, findings))


@pytest.fixture
def bus(tmp_path, monkeypatch):
    """A PCI bus with one display controller of a vendor, and no driver."""

    def with_card(vendor):
        folder = tmp_path / "0000:01:00.0"
        folder.mkdir()
        (folder / "vendor").write_text(vendor + "\n")
        (folder / "class").write_text("0x030000\n")
        (tmp_path / "0000:02:00.0").mkdir()  # a device that cannot be read
        monkeypatch.setattr(doctor.glob, "glob", lambda pattern: map(str, tmp_path.iterdir()))
        monkeypatch.setattr(doctor.os.path, "exists", lambda path: False)
        monkeypatch.setattr(ht, "devices", lambda: [ht.Device("cpu")])

    return with_card


def test_a_gpu_without_its_driver_is_a_problem(bus, monkeypatch):
    bus("0x10de")
    for name in ("HITHER_CUDA", "HITHER_SYCL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ht, "absent_backends", lambda: ["cuda: no NVIDIA driver (libcuda.so.1)"])
    text = _text_of(doctor._graphics_cards())
    assert "problem: there is an NVIDIA GPU, but hither cannot use it: no NVIDIA driver" in text
    assert "Install NVIDIA's driver for CUDA 12.0 or later" in text
    assert "note:    this machine shows no Intel GPU" in text


def test_a_container_without_access_to_the_gpu_is_a_problem(bus, monkeypatch):
    bus("0x10de")
    monkeypatch.delenv("HITHER_CUDA", raising=False)
    monkeypatch.setattr(doctor.os.path, "exists", lambda path: path == "/proc/driver/nvidia")
    assert "docker run --gpus all" in _text_of(doctor._graphics_cards())


def test_an_intel_gpu_without_the_sycl_extra_is_a_problem(bus, monkeypatch):
    bus("0x8086")
    monkeypatch.delenv("HITHER_SYCL", raising=False)
    monkeypatch.setattr(ht, "absent_backends", lambda: ["sycl: libsycl.so.8 was not found"])
    text = _text_of(doctor._graphics_cards())
    assert "SYCL's runtime is not usable: libsycl.so.8 was not found" in text
    assert 'pip install "hither[sycl]"' in text
    monkeypatch.setattr(ht, "absent_backends", list)
    assert "access /dev/dri" in _text_of(doctor._graphics_cards())


def test_back_ends_that_are_left_out_are_named(bus, monkeypatch):
    bus("0x10de")
    monkeypatch.setenv("HITHER_CUDA", "0")
    monkeypatch.setenv("HITHER_SYCL", "0")
    text = _text_of(doctor._graphics_cards())
    assert "HITHER_CUDA is 0" in text
    assert "HITHER_SYCL is 0" in text


def run(**environment):
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "hither", "doctor"],
        capture_output=True, text=True, timeout=120, env=os.environ | environment,
    )  # fmt: skip


def test_wrong_variables_are_problems(tmp_path):
    file = tmp_path / "file"
    file.write_text("")
    done = run(HITHER_OPENBLAS="/missing", HITHER_CACHE_DIR=str(file), HITHER_DEVICE="foo")
    assert done.returncode == 1
    assert "problem: environment variable HITHER_OPENBLAS: there is no file" in done.stdout
    assert "problem: there is no default device: HITHER_DEVICE" in done.stdout
    assert f"compiled code is not kept: {file} is not a folder" in done.stdout
    assert not done.stderr


def test_a_disabled_cache_is_a_problem():
    done = run(HITHER_DISK_CACHE="0")
    assert done.returncode == 1
    assert "it is disabled: unset HITHER_DISK_CACHE" in done.stdout


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "hither._kernel.numba.numba_version", raising=False)
    found = doctor._numba()
    assert found.level == "note"
    assert found.remedy == 'Run: pip install "hither[numba]"'
    monkeypatch.setattr(ht, "blas_name", lambda device: None)
    assert "pip install scipy-openblas64" in doctor._products().remedy
