"""Libraries on devices with memory that the host cannot access, and without optional packages."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import hither as ht

STRICT = """
import numpy as np
import hither as ht

queue = ht.Queue("native_cpu")
a = ht.asarray(np.diag([1.0, 2.0, 4.0]), queue=queue)
try:
    np.asarray(a)
except BufferError:
    pass
else:
    raise SystemExit("the host reaches device USM")
for result, expected in (
    (ht.lapack.inv(a), np.diag([1, 0.5, 0.25])),
    (ht.lapack.solve(a, a), np.eye(3)),
    (ht.fft.fft(a + 0j), np.fft.fft(np.diag([1, 2, 4]))),
    (ht.fft.ifftn(a + 1j), np.fft.ifftn(np.diag([1, 2, 4]) + 1j)),
    (ht.fft.rfft(a), np.fft.rfft(np.diag([1, 2, 4]))),
    (ht.linalg.matrix_norm(a, ord=2), 4),
    (ht.blas.gemm(a, a), np.diag([1, 4, 16])),
):
    assert (result.queue, result.usm_type) == (queue, "device")
    np.testing.assert_allclose(ht.asnumpy(result), expected, atol=1e-12)
random = ht.random.Generator(1, queue=queue)
assert sorted(random.permutation(4).tolist()) == [0, 1, 2, 3]
assert random.poisson(ht.asarray([2.0], queue=queue), 5).shape == (5,)
print("done")
"""


def run(code: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_arrays_that_the_host_cannot_see_are_copied() -> None:
    assert run(STRICT, HITHER_STRICT_USM="1") == "done"


def test_a_library_imports_what_it_needs_when_it_is_called() -> None:
    code = """
import sys, hither as ht
print([m for m in ("scipy", "numba", "hither.fft") if m in sys.modules], end=" ")
ht.fft, ht.linalg, ht.lapack, ht.blas, ht.random.Generator(1).random(3)
print([m for m in ("scipy", "numba") if m in sys.modules])
"""
    assert run(code) == "[] []"


def test_kernels_import_numpys_functions_for_numba_only_where_they_use_them() -> None:
    pytest.importorskip("numba")
    code = """
import sys, numba, numpy as np, hither as ht
@ht.kernel
def doubled(x):
    i = ht.get_global_id(0)
    x[i] = 2 * x[i]
@ht.device_func
def total(row):
    return row.sum()
@numba.njit
def product(row):
    return np.prod(row)
@ht.kernel
def sums(x, out):
    i = ht.get_global_id(0)
    out[i] = total(x[i]) + product(x[i])
x = ht.ones((3, 4))
doubled(x[0])
slow = ("scipy.linalg", "cffi", "numba.np.arraymath")
print([m for m in slow if m in sys.modules], end=" ")
out = ht.zeros(3)
sums[ht.Range(3)](x, out)
print(out.tolist())
"""
    assert run(code, HITHER_DEVICE="native_cpu") == "[] [24.0, 5.0, 5.0]"


def test_a_generator_does_not_depend_on_the_threads() -> None:
    whole = ht.random.Generator(5, queue="native_cpu").normal(size=100_000)
    part = ht.random.Generator(5, queue=ht.Device("cpu").create_sub_devices([1])[0].default_queue)
    assert bool(ht.all(whole == part.normal(size=100_000).to_device("native_cpu")))
