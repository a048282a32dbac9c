"""First calls, cold and from the disk cache, and imports; each in its own processes."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import Budget, Effort, Row

# Where it may not be written next to the modules, each import compiles them.
BYTE_CODE = Path(__file__).parent.parent / ".cache" / "bench" / "byte_code"

# Prints the seconds of the process's first expression and of a second, different one.
ARRAYS = """
import time
import numpy as np, hither as ht
x = ht.asarray(np.linspace(0.1, 1.0, 1000))
ht.synchronize(x)
before = time.perf_counter()
(x * 2 + 1).synchronize()
first = time.perf_counter()
(ht.exp(x) * x - ht.sqrt(x + 0.5)).synchronize()
print(first - before, time.perf_counter() - first)
"""

KERNEL = """
import time
import numpy as np, hither as ht, numba
@ht.kernel
def axpy(a, x, y):
    i = ht.get_global_id(0)
    y[i] = a * x[i] + y[i]
@ht.kernel
def norm(x, y):
    i = ht.get_global_id(0)
    y[i] = (x[i] * x[i] + y[i] * y[i]) ** 0.5
x, y = ht.asarray(np.ones(1000)), ht.asarray(np.ones(1000))
before = time.perf_counter()
axpy[ht.Range(1000)](2.0, x, y); y.synchronize()
first = time.perf_counter()
norm[ht.Range(1000)](x, y); y.synchronize()
print(first - before, time.perf_counter() - first)
"""

# Decorated in a file, so that Numba's output can be stored; prints the seconds of its first call.
STORED_KERNEL = """
import os, sys, time, importlib.util
import numpy as np, hither as ht
path = os.path.join(os.environ["HITHER_CACHE_DIR"], "stored_kernel.py")
with open(path, "a") as file:
    if not file.tell():
        file.write('''import hither as ht
@ht.kernel(cache=True)
def axpy(a, x, y):
    i = ht.get_global_id(0)
    y[i] = a * x[i] + y[i]
''')
x, y = ht.asarray(np.ones(1000)), ht.asarray(np.ones(1000))
ht.synchronize(x, y)
before = time.perf_counter()
spec = importlib.util.spec_from_file_location("stored_kernel", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.axpy[ht.Range(1000)](2.0, x, y); y.synchronize()
print(time.perf_counter() - before)
"""

NUMBA = """
import time
import numpy as np
from numba import njit
@njit(parallel=True)
def first_function(x): return x * 2 + 1
@njit(parallel=True)
def second_function(x): return np.exp(x) * x - np.sqrt(x + 0.5)
x = np.linspace(0.1, 1.0, 1000)
before = time.perf_counter()
first_function(x)
first = time.perf_counter()
second_function(x)
print(first - before, time.perf_counter() - first)
"""

IMPORT = """
import time
before = time.perf_counter()
import {module}
print(time.perf_counter() - before)
"""


def seconds(
    program: str, cache: str | None = None, more: dict[str, str] | None = None
) -> list[float]:
    """The numbers that a program prints in a new process with `cache` as its disk cache."""
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(BYTE_CODE)} | (more or {})
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    if cache is not None:
        environment["HITHER_CACHE_DIR"] = cache
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode != 0:
        raise RuntimeError(f"a measured program failed:\n{done.stderr}")
    return [float(word) for word in done.stdout.split()]


def fastest(runs: list[list[float]]) -> list[float]:
    return [min(column) for column in zip(*runs, strict=True)]


def cold_and_cached(
    program: str, times: int, more: dict[str, str] | None = None
) -> tuple[list[float], list[float]]:
    """Fastest of several processes, with an empty cache and then with the cache that it filled."""
    cold, cached = [], []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            cold.append(seconds(program, folder, more))
            cached.append(seconds(program, folder, more))
    return fastest(cold), fastest(cached)


def rows(effort: Effort) -> list[Row]:
    times = 3 if effort.seconds >= 1 else 1
    cold, cached = cold_and_cached(ARRAYS, times)
    kernel_cold, kernel_cached = cold_and_cached(KERNEL, times)
    numba = fastest([seconds(NUMBA) for _ in range(times)])
    imports = {
        module: fastest([seconds(IMPORT.format(module=module)) for _ in range(times + 2)])[0]
        for module in ("hither", "numpy", "numba")
    }
    return [
        Row("first expression of a process, cold", {"hither": cold[0], "Numba": numba[0]}),
        Row(
            "first call of a new expression, cold",
            {"hither": cold[1], "Numba": numba[1]},
            Budget(30e-3, None),
        ),
        Row("first expression of a process, from disk", {"hither": cached[0]}),
        Row("a new expression, from disk", {"hither": cached[1]}, Budget(1e-3, None)),
        Row("first kernel of a process, cold", {"hither": kernel_cold[0], "Numba": numba[0]}),
        Row("first call of a new kernel, cold", {"hither": kernel_cold[1], "Numba": numba[1]}),
        Row("a new kernel, from disk", {"hither": kernel_cached[1]}),
        Row(
            "import",
            {"hither": imports["hither"], "NumPy": imports["numpy"], "Numba": imports["numba"]},
            Budget(150e-3, None),
        ),
    ]
