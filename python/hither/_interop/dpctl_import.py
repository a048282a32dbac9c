"""Preparations for programs that import dpctl, made before the import of dpctl if possible.

dpctl and dpnp submit host tasks that take the GIL to SYCL's queues. hither must know of them before
it waits for a queue.

The PyPI packages of Intel's OpenCL runtime for CPUs register it with a path of the build machine.
hither's driver corrects this while it searches for devices. If dpctl may search first, the
environment has to name the runtime.
"""

from __future__ import annotations

import contextlib
import os
import sys

from .._environment import uses_sycl
from .._hither import expect_host_tasks

RUNTIME = os.path.join(os.path.realpath(os.path.join(sys.prefix, "lib")), "libintelocl.so")


def _is_registered() -> bool:
    """Whether the user or the system has registered this runtime."""
    if os.environ.get("OCL_ICD_FILENAMES") or os.environ.get("OCL_ICD_VENDORS"):
        return True
    vendors = "/etc/OpenCL/vendors"
    for name in os.listdir(vendors) if os.path.isdir(vendors) else ():
        if name.endswith(".icd"):
            with open(os.path.join(vendors, name), errors="replace") as file:
                if os.path.basename(RUNTIME) in file.read():
                    return True
    return False


def _register() -> None:
    """Names the runtime in OCL_ICD_FILENAMES if it is not registered."""
    if not os.path.exists(RUNTIME) or " " in RUNTIME:  # with a space in its path it has no contexts
        return
    if not _is_registered():
        os.environ["OCL_ICD_FILENAMES"] = RUNTIME


def _prepare() -> None:
    expect_host_tasks()
    _register()


class _BeforeDpctl:
    """Finds no module. Prepares at the import of dpctl's first submodule, not at find_spec()."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.startswith("dpctl."):
            with contextlib.suppress(ValueError):  # another thread has removed it
                sys.meta_path.remove(self)
            _prepare()


def watch() -> None:
    """Prepares if dpctl has been imported, or when it is imported."""
    if not uses_sycl():
        return
    if "dpctl" in sys.modules:
        _prepare()
    else:
        sys.meta_path.insert(0, _BeforeDpctl())
