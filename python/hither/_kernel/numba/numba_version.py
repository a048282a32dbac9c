"""The versions of Numba that compile kernels and offloaded loops.

hither uses Numba's internals, which any minor version may change. A newer version than those that
the tests cover has to compile a kernel, and an offloaded loop, that compute correct values here.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable

import numpy as np

try:
    import numba
except ModuleNotFoundError as error:
    if error.name != "numba":
        raise
    raise ImportError(
        "kernels written in Python need Numba, which is not installed: pip install 'hither[numba]' "
        "(arrays work without Numba)"
    ) from error
except Exception as error:  # Numba raises SystemError and others for unsuitable packages
    raise ImportError(
        f"kernels written in Python need Numba, whose import fails here: {error} "
        "(arrays work without Numba)"
    ) from error

# Minor versions that the tests cover. pyproject.toml has the oldest patch release.
OLDEST = (0, 68)
NEWEST = (0, 68)
REMEDY = f"pip install 'numba>={OLDEST[0]}.{OLDEST[1]},<{NEWEST[0]}.{NEWEST[1] + 1}'"

_lock = threading.RLock()
_checks: dict[str, Exception | None] = {}  # by what was checked: its fault


def refuse_older() -> None:
    """Raises ImportError for a version that is older than those that the tests cover."""
    if _version() < OLDEST:
        raise ImportError(
            f"kernels written in Python need Numba {OLDEST[0]}.{OLDEST[1]} or later, but "
            f"{numba.__version__} is installed: {REMEDY}"
        )


def check_kernels() -> None:
    """Raises ImportError if this version of Numba is untested and does not compile kernels."""
    if _version() > NEWEST:
        _check_once("a kernel", _run_kernel)


def check_loops() -> None:
    """Raises ImportError if this version of Numba is untested and does not compile loops."""
    if _version() > NEWEST:
        _check_once("an offloaded loop", _run_loop)


def _version() -> tuple[int, ...]:
    return tuple(numba.version_info[:2])


def _check_once(what: str, run: Callable) -> None:
    with _lock:
        if what not in _checks:
            _checks[what] = None  # the check itself compiles: its own calls pass
            try:
                run()
            except Exception as fault:
                _checks[what] = fault
            else:
                warnings.warn(
                    f"hither was not tested with Numba {numba.__version__}; {what} compiled with "
                    f"it gave correct values. Tested versions: {REMEDY}",
                    stacklevel=2,
                )
        fault = _checks[what]
    if fault is not None:
        raise ImportError(
            f"hither does not work with Numba {numba.__version__}: {what} compiled with it fails "
            f"({type(fault).__name__}: {fault}); {REMEDY}"
        ) from fault


def _expect(found: np.ndarray, wanted: np.ndarray) -> None:
    if not np.array_equal(found, wanted):
        raise ArithmeticError(f"it computed {found}, not {wanted}")


def _run_kernel() -> None:
    import hither as ht

    @ht.kernel
    def kernel(x, scale, y):
        i = ht.get_global_id(0)
        if i < x.shape[0] - 1:
            y[i] = scale * x[i + 1] + np.sqrt(x[i]) + i // 2

    x, y = np.arange(9.0), np.zeros(9)
    with ht.device_context("cpu"):
        kernel(x, 0.5, y)
    _expect(y, np.append(0.5 * x[1:] + np.sqrt(x[:-1]) + np.arange(8) // 2, 0))


def _run_loop() -> None:
    import hither as ht

    @numba.njit
    def loop(x, y):
        for i in numba.prange(x.size):
            y[i] = 2 * x[i] + i // 2
        return np.sum(x * y)

    x, y = np.arange(9.0), np.zeros(9)
    with ht.device_context("cpu"):
        total = loop(x, y)
    _expect(y, 2 * x + np.arange(9) // 2)
    _expect(np.asarray(total), np.sum(x * y))
    if "kernel" not in str(ht.offload_report(loop)):
        raise ArithmeticError("it ran on the host")
