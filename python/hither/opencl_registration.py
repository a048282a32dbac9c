"""Lets dpctl find Intel's OpenCL runtime for CPUs where Python's packages brought it.

They register it with a path of the machine that built it. hither's driver makes that good for the
time that it looks for devices itself; when dpctl may look first, the environment has to name the
runtime.
"""

from __future__ import annotations

import os
import pathlib
import sys

RUNTIME = pathlib.Path(sys.prefix, "lib").resolve() / "libintelocl.so"


def _is_registered() -> bool:
    """Whether the user or the system has registered a runtime of this name."""
    if os.environ.get("OCL_ICD_FILENAMES") or os.environ.get("OCL_ICD_VENDORS"):
        return True
    known = pathlib.Path("/etc/OpenCL/vendors").glob("*.icd")
    return any(RUNTIME.name in file.read_text(errors="replace") for file in known)


def register() -> None:
    """Names the runtime in OCL_ICD_FILENAMES, where nobody has."""
    if not _is_registered():
        os.environ["OCL_ICD_FILENAMES"] = str(RUNTIME)


class _BeforeDpctl:
    """Finds no module; registers the runtime when dpctl is about to be imported."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "dpctl":
            sys.meta_path.remove(self)
            register()


def watch() -> None:
    """Registers the runtime now if dpctl is there already, else when it is imported."""
    if os.environ.get("HITHER_SYCL") == "0" or not RUNTIME.exists():
        return
    if " " in str(RUNTIME):  # where it lists its device and makes no context
        return
    if "dpctl" in sys.modules:
        register()
    else:
        sys.meta_path.insert(0, _BeforeDpctl())
