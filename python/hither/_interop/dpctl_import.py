"""What hither has to do where dpctl is imported, before it is if it can.

dpctl and dpnp put host tasks that take the GIL into SYCL's queues, which whoever waits has to know.

And Python's packages register Intel's OpenCL runtime for CPUs with a path of the machine that built
it. hither's driver makes that good for the time that it looks for devices itself; when dpctl may
look first, the environment has to name the runtime.
"""

from __future__ import annotations

import contextlib
import os
import pathlib
import sys

from .._environment import uses_sycl
from .._hither import expect_host_tasks

RUNTIME = pathlib.Path(sys.prefix, "lib").resolve() / "libintelocl.so"


def _is_registered() -> bool:
    """Whether the user or the system has registered a runtime of this name."""
    if os.environ.get("OCL_ICD_FILENAMES") or os.environ.get("OCL_ICD_VENDORS"):
        return True
    known = pathlib.Path("/etc/OpenCL/vendors").glob("*.icd")
    return any(RUNTIME.name in file.read_text(errors="replace") for file in known)


def _register() -> None:
    """Names the runtime in OCL_ICD_FILENAMES, where nobody has."""
    if not RUNTIME.exists() or " " in str(RUNTIME):  # there it lists its device, without contexts
        return
    if not _is_registered():
        os.environ["OCL_ICD_FILENAMES"] = str(RUNTIME)


def _prepare() -> None:
    expect_host_tasks()
    _register()


class _BeforeDpctl:
    """Finds no module; prepares when dpctl imports the first of its own, and for no mere probe."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.startswith("dpctl."):
            with contextlib.suppress(ValueError):  # another thread was first
                sys.meta_path.remove(self)
            _prepare()


def watch() -> None:
    """Prepares now if dpctl is there already, else when it is imported."""
    if not uses_sycl():
        return
    if "dpctl" in sys.modules:
        _prepare()
    else:
        sys.meta_path.insert(0, _BeforeDpctl())
