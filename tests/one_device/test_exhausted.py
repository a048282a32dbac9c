"""A process that has run out of file descriptors or address space, and its state afterwards.

The first use of a library opens it. Where that fails for want of descriptors or of memory, the call
says so; the next one finds the library, and code that was made for want of it is nowhere.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.either_mode

PREAMBLE = """
import ctypes, os, resource, sys
import numpy as np
import hither as ht
def limited(name, soft, work):
    kind = getattr(resource, name)
    before, hard = resource.getrlimit(kind)
    resource.setrlimit(kind, (soft, hard))
    try:
        return work()
    except (ht.DeviceError, MemoryError) as error:
        return error
    finally:
        resource.setrlimit(kind, (before, hard))
def mapped():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[0]) * os.sysconf("SC_PAGESIZE")
"""


def run(code: str, cache: pathlib.Path, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PREAMBLE + code],
        env=os.environ
        | {"HITHER_CACHE_DIR": str(cache), "HITHER_DEVICE": "native_cpu"}
        | environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, (done.returncode, done.stderr)
    return done.stdout.strip()


SINE = """
x = ht.asarray(np.linspace(0.0, 1.0, 1003))
ht.synchronize(x)
if os.environ.get("NO_DESCRIPTORS"):
    found = limited("RLIMIT_NOFILE", 3, lambda: ht.asnumpy(ht.sin(x)))
    if isinstance(found, np.ndarray):  # libm was open already, and SLEEF is linked
        assert np.array_equal(found, ht.asnumpy(ht.sin(x)))
    else:
        assert isinstance(found, ht.DeviceError) and "close files" in str(found), found
print(ht.asnumpy(ht.sin(x)).tobytes().hex())
"""


def test_kernels_have_the_same_bits_after_the_descriptors_were_used_up(
    tmp_path: pathlib.Path,
) -> None:
    healthy = run(SINE, tmp_path / "healthy")
    assert run(SINE, tmp_path / "shared", NO_DESCRIPTORS="1") == healthy
    assert run(SINE, tmp_path / "shared") == healthy


PRODUCT = """
x = ht.asarray(np.random.default_rng(1).random((300, 300)))
ht.synchronize(x @ x if os.environ.get("WARM") else x)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="needs /proc")
def test_openblas_is_found_after_the_descriptors_were_used_up(tmp_path: pathlib.Path) -> None:
    code = """
error = limited("RLIMIT_NOFILE", 3, lambda: ht.asnumpy(x @ x))
name = ht.blas_name(x.device)
assert not name or isinstance(error, ht.DeviceError), error
print(name)
"""
    assert run(PRODUCT + code, tmp_path) == run(PRODUCT + "print(ht.blas_name(x.device))", tmp_path)


def test_the_first_product_says_that_memory_is_short(tmp_path: pathlib.Path) -> None:
    code = """
for free in (1, 4, 16, 40, 64, 90, 120, 160):
    found = limited("RLIMIT_AS", mapped() + (free << 20), lambda: ht.asnumpy(x @ x))
    assert isinstance(found, (MemoryError, np.ndarray)), found
    if isinstance(found, np.ndarray):
        np.testing.assert_allclose(found, ht.asnumpy(x) @ ht.asnumpy(x))
name = ht.blas_name(x.device)
np.testing.assert_allclose(ht.asnumpy(x @ x), ht.asnumpy(x) @ ht.asnumpy(x))
print(name)
"""
    assert run(PRODUCT + code, tmp_path) == run(PRODUCT + "print(ht.blas_name(x.device))", tmp_path)


def test_products_of_many_threads_say_that_memory_is_short(tmp_path: pathlib.Path) -> None:
    code = """
import threading
results = []
start = threading.Barrier(6)
def multiply():
    start.wait()
    try:
        for _ in range(20):
            results.append(float(ht.sum(x @ x)))
    except MemoryError as error:
        results.append(None)
def all_at_once():
    start.wait()
    for thread in threads:
        thread.join()
threads = [threading.Thread(target=multiply) for _ in range(5)]
for thread in threads:
    thread.start()
limited("RLIMIT_AS", mapped() + (24 << 20), all_at_once)
expected = float(np.sum(ht.asnumpy(x) @ ht.asnumpy(x)))
assert results and all(r is None or abs(r - expected) < 1e-6 * expected for r in results), results
assert abs(float(ht.sum(x @ x)) - expected) < 1e-6 * expected
print("right")
"""
    assert run(PRODUCT + code, tmp_path, WARM="1") == "right"


def test_kernels_are_not_compiled_where_memory_is_short(tmp_path: pathlib.Path) -> None:
    """An interrupted LLVM keeps its locks: the next kernel would wait for ever."""
    code = """
x = ht.asarray(np.linspace(0.5, 1.0, 1003))
ht.synchronize(ht.cos(x) + 1)
names = ["sin", "tan", "exp", "log", "sqrt", "atan", "sinh", "log1p", "expm1", "asinh", "tanh"]
short = 0
for i in range(33):
    name = names[i % 11]
    f, g = getattr(ht, name), getattr(np, {"atan": "arctan", "asinh": "arcsinh"}.get(name, name))
    h = (ht.add, ht.multiply, ht.subtract)[i // 11]
    make = lambda: ht.asnumpy(f(x) * (h(f(x), ht.mean(x))))
    ctypes.CDLL(None).malloc_trim(0)
    found = limited("RLIMIT_AS", mapped() + i * 50_000, make)
    assert isinstance(found, (MemoryError, np.ndarray)), found
    short += isinstance(found, MemoryError)
    v = ht.asnumpy(x)
    for right in (make(), found):
        if isinstance(right, np.ndarray):
            expected = g(v) * getattr(np, h.__name__)(g(v), v.mean())
            np.testing.assert_allclose(right, expected, rtol=1e-9, atol=1e-9)
print("right", short > 0)
"""
    assert run(code, tmp_path, HITHER_DISK_CACHE="0") == "right True"


@pytest.mark.parametrize("variable", ["HITHER_POOL_LIMIT", "HITHER_CACHE_SIZE"])
@pytest.mark.parametrize("text", ["abc", "-1", "10 ", "1e9", "18446744073709551616"])
def test_a_variable_that_is_no_number_is_refused(
    tmp_path: pathlib.Path, variable: str, text: str
) -> None:
    code = """
for _ in range(2):
    try:
        float(ht.sum(ht.ones(5) * 3))
    except ValueError as error:
        print(error)
"""
    said = run(code, tmp_path, **{variable: text}).splitlines()
    assert len(said) == 2
    assert all(line.startswith(variable) and f'"{text}"' in line for line in said)


@pytest.mark.parametrize("mebibytes", [25, 60, 90, 130])
def test_the_first_transform_says_that_memory_is_short(tmp_path, mebibytes):
    assert (
        run(
            f"""
x = ht.asarray(np.random.default_rng(0).random(1009))
ht.synchronize(x)
for work in (ht.fft.fft, lambda x: ht.lapack.lu_factor(ht.reshape(x[:9], (3, 3)))):
    error = limited("RLIMIT_AS", mapped() + {mebibytes} * 2**20, lambda: work(x))
    assert isinstance(error, ht.OutOfMemoryError) and "SciPy needs" in str(error), error
import scipy.fft
print(np.array_equal(ht.asnumpy(ht.fft.fft(x)), scipy.fft.fft(ht.asnumpy(x))))
""",
            tmp_path,
        )
        == "True"
    )


def test_without_memory_for_threads_the_calling_thread_works(tmp_path):
    code = """
queue = ht.Queue("native_cpu", in_order=False)
seen = []
limited("RLIMIT_AS", mapped() + 1_000_000, lambda: queue.submit_host(lambda: seen.append(1)).wait())
x = ht.asarray(np.arange(2_000_003.0), queue=queue)
print(seen, float(ht.sum(x * 2)) == 2 * np.arange(2_000_003.0).sum())
"""
    assert run(code, tmp_path) == "[1] True"


LIMIT = "print(ht.memory_info(x).limit, x.device.global_mem_size)"


@pytest.mark.parametrize(
    ("text", "bytes"),
    [("1000000", 1000000), ("900K", 900 << 10), ("64M", 64 << 20), ("3G", 3 << 30)],
)
def test_a_variable_limits_the_memory(tmp_path: pathlib.Path, text: str, bytes: int) -> None:
    code = "x = ht.ones(3)\n" + LIMIT
    assert run(code, tmp_path, HITHER_MEMORY_LIMIT=text).split()[0] == str(bytes)


def test_a_limit_may_be_a_per_cent_of_the_memory(tmp_path: pathlib.Path) -> None:
    code = "x = ht.ones(3)\n" + LIMIT
    limit, whole = map(int, run(code, tmp_path, HITHER_MEMORY_LIMIT="50%").split())
    assert limit == whole // 100 * 50


def test_arrays_beyond_the_variable_are_refused_until_the_program_lifts_it(
    tmp_path: pathlib.Path,
) -> None:
    code = """
x = ht.ones(10**6)
try:
    ht.synchronize(x)
except ht.OutOfMemoryError as error:
    print("the limit is 1048576 bytes" in str(error))
ht.set_memory_limit(None)
print(float(ht.sum(ht.ones(10**6))))
"""
    assert run(code, tmp_path, HITHER_MEMORY_LIMIT="1M").split() == ["True", "1000000.0"]


@pytest.mark.parametrize("text", ["abc", "0", "-1", "1k", "1GB", "1.5G", "101%", "99999999999G"])
def test_a_limit_that_cannot_be_read_is_refused(tmp_path: pathlib.Path, text: str) -> None:
    code = """
for _ in range(2):
    try:
        float(ht.sum(ht.ones(5) * 3))
    except ValueError as error:
        print(error)
"""
    said = run(code, tmp_path, HITHER_MEMORY_LIMIT=text).splitlines()
    assert len(said) == 2
    assert all(f'HITHER_MEMORY_LIMIT: the environment variable is "{text}"' in s for s in said)
