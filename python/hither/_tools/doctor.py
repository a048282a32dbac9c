"""`hither doctor`: checks of an installation, each with a remedy."""

from __future__ import annotations

import glob
import os
import platform
import warnings
from collections.abc import Iterator
from typing import NamedTuple

import hither as ht

from .. import _environment
from .cache import cache_info
from .memory import readable_size

__all__ = ["Finding", "findings"]

_NVIDIA, _INTEL = "0x10de", "0x8086"


class Finding(NamedTuple):
    """The result of one check: "ok", "note" (something optional is missing) or "problem"."""

    level: str
    text: str
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.level + ':':<9}{self.text}" + (f"\n{'':<9}{self.remedy}" * bool(self.remedy))


def findings() -> Iterator[Finding]:
    """The results of all checks."""
    yield Finding("ok", f"hither {ht.__version__}, Python {platform.python_version()}")
    for name, fault in _environment.faults():
        yield Finding("problem", f"environment variable {name}: {fault}")
    yield from _devices()
    yield from _default_device()
    yield from _graphics_cards()
    yield _numba()
    yield _products()
    yield _cache()


def _devices() -> Iterator[Finding]:
    for device in ht.devices():
        try:
            result = int(ht.asarray(1, device=device) + 1)
        except ht.UnsupportedError as error:
            yield Finding(
                "note",
                f"{device.filter_string} computes nothing: {error}",
                "Other devices are not affected. Select one of them by HITHER_DEVICE.",
            )
            continue
        except ht.Error as error:
            yield Finding("problem", f"{device.filter_string} computes nothing: {error}")
            continue
        if result != 2:
            yield Finding("problem", f"{device.filter_string} computes 1 + 1 as {result}")
        else:
            yield Finding("ok", f"{device.filter_string} works: {device.name}")


def _default_device() -> Iterator[Finding]:
    try:
        yield Finding("ok", f"the default device is {ht.Device().filter_string}")
    except ht.Error as error:
        yield Finding("problem", f"there is no default device: {error}")


def _graphics_cards() -> Iterator[Finding]:
    """For each kind of GPU: whether it is usable, and if not, the reason."""
    absent = {a.partition(": ")[0]: a.partition(": ")[2] for a in ht.absent_backends()}
    present = {device.backend for device in ht.devices() if device.has_aspect_gpu}
    if "cuda" not in present:
        yield _without_nvidia(absent.get("cuda", ""), _cards(_NVIDIA))
    if not {"level_zero", "opencl"} & present:
        yield _without_intel(absent.get("sycl", ""), _cards(_INTEL))


def _without_nvidia(reason: str, cards: int) -> Finding:
    if os.environ.get("HITHER_CUDA") == "0":
        return Finding("note", "NVIDIA GPUs are left out, because HITHER_CUDA is 0", "Unset it.")
    if not cards and not os.path.exists("/proc/driver/nvidia"):
        return Finding("note", "this machine shows no NVIDIA GPU")
    text = f"there is an NVIDIA GPU, but hither cannot use it: {reason or 'no device was found'}"
    if os.path.exists("/proc/driver/nvidia"):
        return Finding(
            "problem",
            text,
            "The kernel module is loaded. In a container, start it with access to the GPUs "
            "(docker run --gpus all); else install the driver's libraries (libcuda.so.1).",
        )
    return Finding(
        "problem", text, "Install NVIDIA's driver for CUDA 12.0 or later (525 or later)."
    )


def _without_intel(reason: str, cards: int) -> Finding:
    if os.environ.get("HITHER_SYCL") == "0":
        return Finding("note", "SYCL devices are left out, because HITHER_SYCL is 0", "Unset it.")
    if not cards:
        return Finding("note", "this machine shows no Intel GPU")
    if reason:
        return Finding(
            "problem",
            f"there is an Intel GPU, but SYCL's runtime is not usable: {reason}",
            'Run: pip install "hither[sycl]"',
        )
    return Finding(
        "problem",
        "there is an Intel GPU, but SYCL lists no GPU",
        "Install Intel's GPU driver (packages intel-opencl-icd and libze-intel-gpu1), and let your "
        "user access /dev/dri (group render).",
    )


def _cards(vendor: str) -> int:
    """The number of display controllers of a vendor on the PCI bus, as Linux lists them."""
    count = 0
    for folder in glob.glob("/sys/bus/pci/devices/*"):
        try:
            with open(f"{folder}/vendor") as file, open(f"{folder}/class") as kind:
                count += file.read().strip() == vendor and kind.read().startswith("0x03")
        except OSError:
            continue
    return count


def _numba() -> Finding:
    """Whether kernels written in Python compile."""
    try:
        from .._kernel.numba.numba_version import check_kernels, numba, refuse_older

        refuse_older()
        with warnings.catch_warnings(record=True) as untested:
            warnings.simplefilter("always")
            check_kernels()
    except ImportError as error:
        return Finding("note", str(error), 'Run: pip install "hither[numba]"')
    if untested:
        return Finding("note", str(untested[0].message))
    return Finding("ok", f"kernels written in Python compile with Numba {numba.__version__}")


def _products() -> Finding:
    name = ht.blas_name(ht.Device("cpu"))
    if name:
        return Finding("ok", f"matrix products on the CPU use {name}")
    return Finding(
        "note",
        "no BLAS was found, so matrix products on the CPU use hither's own, slower kernels",
        "Run: pip install scipy-openblas64, or set HITHER_OPENBLAS to a BLAS library.",
    )


def _cache() -> Finding:
    try:
        cache = cache_info()
    except ht.Error as error:
        return Finding("problem", f"the disk cache is not usable: {error}")
    if cache.fault:
        return Finding("problem", f"compiled code is not kept: {cache.fault}")
    return Finding(
        "ok",
        f"compiled code is kept in {cache.folder} "
        f"({cache.entries} entries, {readable_size(cache.bytes)})",
    )
