"""The environment variables HITHER_*: checks of their values, and those that Python modules read.

No other Python module reads one. The core reads its own, such as HITHER_DEVICE and HITHER_EAGER.
"""

from __future__ import annotations

import os

from ._hither import environment_is

__all__ = [
    "check",
    "checks_kernels",
    "checks_races",
    "cuda_libraries_folder",
    "faults",
    "host_fallback_policy",
    "simulates_kernels",
    "uses_sycl",
]

# The value as which every value except "0" and "1" is read.
_SWITCHES = {
    "HITHER_CUDA": "1",
    "HITHER_DEBUG": "0",
    "HITHER_DISK_CACHE": "1",
    "HITHER_EAGER": "0",
    "HITHER_NULL_DEVICE": "0",
    "HITHER_ONEMKL": "1",
    "HITHER_RANGES": "0",
    "HITHER_SIMULATE": "0",
    "HITHER_STRICT_USM": "0",
    "HITHER_SYCL": "1",
}
_FOLDERS = ("HITHER_CACHE_DIR", "HITHER_CUDA_LIBRARIES")
_FILES = ("HITHER_LIBDEVICE", "HITHER_OPENBLAS")
_CHOICES = {"HITHER_CHECK": ("races",), "HITHER_MASKED_LOOPS": ("never", "always")}
# Their readers raise errors.
_OTHERS = (
    "HITHER_CACHE_SIZE",
    "HITHER_DEVICE",
    "HITHER_HOST_FALLBACK",
    "HITHER_MEMORY_LIMIT",
    "HITHER_POOL_LIMIT",
)
_OF_DEV = ("HITHER_DEV_SYCL", "HITHER_PYTHON")  # the script `dev` reads them


def faults() -> list[tuple[str, str]]:
    """Variables with values that no reader expects, and misspelt names, each with its fault."""
    given = ((name, value) for name, value in os.environ.items() if name.startswith("HITHER_"))
    return [(name, fault) for name, value in given if (fault := _fault_of(name, value))]


def check() -> None:
    """Warns of :func:`faults`."""
    for name, fault in faults():
        import warnings

        warnings.warn(f"environment variable {name}: {fault}", UserWarning, stacklevel=3)


def _fault_of(name: str, value: str) -> str | None:
    """What is wrong with a variable, or None."""
    if not value:
        return None
    if name in _SWITCHES:
        if value in ("0", "1"):
            return None
        return f"{value!r} is neither 0 nor 1, and is read as {_SWITCHES[name]}"
    if name in _CHOICES:
        known = " or ".join(map(repr, _CHOICES[name]))
        return None if value in _CHOICES[name] else f"{value!r} is not {known}, and is ignored"
    if name in _FOLDERS:
        exists = os.path.isdir(value)
        if exists or (name == "HITHER_CACHE_DIR" and not os.path.lexists(value)):  # it is created
            return None
        return f"{value!r} is not a folder; set it to an existing folder, or unset it"
    if name in _FILES:
        if os.path.isfile(value) or os.path.dirname(value) == "":  # the loader searches for names
            return None
        return f"there is no file {value!r}; set it to an existing file, or unset it"
    return None if name in (*_OTHERS, *_OF_DEV) else _misspelt(name)


def _misspelt(name: str) -> str | None:
    from ._names import nearest

    proposal = nearest(name, (*_SWITCHES, *_CHOICES, *_FOLDERS, *_FILES, *_OTHERS), at_least=0.85)
    return proposal and f"hither reads no variable of this name; did you mean {proposal}?"


def checks_kernels() -> bool:
    """HITHER_DEBUG: with "1", kernels are compiled with `debug=True` by default."""
    return os.environ.get("HITHER_DEBUG") == "1"


def checks_races() -> bool:
    """HITHER_CHECK: with "races", data races of kernels and offloaded loops are errors."""
    return environment_is("HITHER_CHECK", "races")


def cuda_libraries_folder() -> str:
    """HITHER_CUDA_LIBRARIES: the only folder to search for NVIDIA's libraries.

    If it is not set, the result is "": packages, toolkits and the system's folders are searched.
    """
    return os.environ.get("HITHER_CUDA_LIBRARIES", "")


def host_fallback_policy() -> str:
    """HITHER_HOST_FALLBACK: what happens when a function runs by NumPy on the host ("warn", "error"
    or "silent"), outside of the blocks of hither.host_fallback."""
    return os.environ.get("HITHER_HOST_FALLBACK", "") or "warn"


def simulates_kernels() -> bool:
    """HITHER_SIMULATE: with "1", kernels run as Python functions. HITHER_CHECK=races implies it."""
    return os.environ.get("HITHER_SIMULATE") == "1" or checks_races()


def uses_sycl() -> bool:
    """HITHER_SYCL: with "0", SYCL's runtime is not loaded and its devices are not listed."""
    return os.environ.get("HITHER_SYCL") != "0"
