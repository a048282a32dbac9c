"""hither, dpctl, dpnp, Numba, JAX and oneMKL in one process, in any order of import."""

from __future__ import annotations

import glob
import importlib.util
import os
import subprocess
import sys

import pytest

import hither as ht

pytestmark = pytest.mark.either_mode

PACKAGES = ["hither", "dpctl", "dpnp", "numba", "jax"]
# PyPI's package mkl is a library alone: what imports it loads it, its names visible to all.
MKL = next(iter(sorted(glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*")))), None)
THERE = [name for name in PACKAGES if importlib.util.find_spec(name)] + ["mkl"] * bool(MKL)

# Each package does something of its own; in any order, and all of them in one process.
WORK = """
import numpy as np

def hither():
    import hither as ht
    assert ht.asnumpy(ht.arange(1000, device="native_cpu") * 2).sum() == 999000
    for device in ht.devices():
        try:
            assert int(ht.sum(ht.arange(1000, device=device))) == 499500
        except ht.UnsupportedError:
            continue
    rows = np.arange(90000.0).reshape(300, 300) % 7 + 300 * np.eye(300)
    a = ht.asarray(rows, device="native_cpu")
    assert np.allclose(ht.asnumpy(a @ a), rows @ rows)
    assert np.allclose(ht.asnumpy(ht.linalg.inv(a) @ a), np.eye(300))
    if "numba" in sys.modules:
        @ht.kernel
        def double(x):
            x[ht.get_global_id(0)] *= 2
        x = ht.ones(10, device="native_cpu")
        double[ht.Range(10)](x)
        assert float(ht.sum(x)) == 20

def dpctl():
    import dpctl, dpctl.memory
    for device in dpctl.get_devices():
        if device.has_aspect_usm_shared_allocations:
            memory = dpctl.memory.MemoryUSMShared(64, queue=dpctl.SyclQueue(device))
            memory.copy_from_host(np.arange(64, dtype=np.uint8))
            assert memory.copy_to_host().sum() == 2016

def dpnp():
    import dpctl, dpnp
    if dpctl.has_cpu_devices() or dpctl.has_gpu_devices():
        assert int(dpnp.arange(1000, device=dpctl.get_devices()[0]).sum()) == 499500

def numba():
    import numba
    @numba.njit(parallel=True)
    def total(x):
        s = 0.0
        for i in numba.prange(x.size):
            s += x[i]
        return s
    assert total(np.arange(1000.0)) == 499500

def jax():
    import jax.numpy as jnp
    assert int(jnp.arange(1000).sum()) == 499500

def mkl():
    from ctypes import POINTER, c_double, c_int
    x, y, z = np.arange(90000.0) % 7, np.ones(90000), np.zeros(90000)
    at = lambda array: array.ctypes.data_as(POINTER(c_double))
    _mkl.cblas_ddot.restype = c_double
    assert _mkl.cblas_ddot(c_int(90000), at(x), c_int(1), at(y), c_int(1)) == x.sum()
    n = c_int(300)
    _mkl.cblas_dgemm(c_int(101), c_int(111), c_int(111), n, n, n, c_double(1), at(x), n, at(y), n,
                     c_double(0), at(z), n)
    assert np.allclose(z.reshape(300, 300), x.reshape(300, 300) @ y.reshape(300, 300))

def together():
    import hither as ht
    if "dpnp" in sys.modules:
        import dpnp
        for name in [d.filter_string for d in ht.devices() if "opencl" in d.filter_string]:
            try:
                x = ht.arange(10, device=name) + 1
                d = dpnp.asarray(x)
            except ht.UnsupportedError:
                continue
            d *= 3
            assert int(ht.sum(ht.asarray(d))) == 165
    if "jax" in sys.modules:
        import jax.numpy as jnp
        assert int(ht.sum(ht.from_dlpack(jnp.arange(10)))) == 45
    print("devices:", [d.filter_string for d in ht.devices()])
"""


IMPORTS = {"mkl": f"import ctypes\n_mkl = ctypes.CDLL({MKL!r}, mode=ctypes.RTLD_GLOBAL)\n"}


def run(order, works, **environment):
    code = f"import sys\n{WORK}\n"
    code += "".join(IMPORTS.get(name, f"import {name} as _{name}\n") for name in order)
    code += "".join(f"{name}()\n" for name in works) + "together()\n"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300,
        env=os.environ | environment,
    )  # fmt: skip
    assert done.returncode == 0, f"{order}, then {works}:\n{done.stderr}"
    return done.stdout


def turned(names, by):
    return names[by:] + names[:by]


# Any two packages come in both orders; each is the first and the last one once.
ORDERS = [turned(list(names), by) for names in (THERE, THERE[::-1]) for by in range(len(THERE))]


@pytest.mark.skipif(len(THERE) < 3, reason=f"only {', '.join(THERE)} installed")
@pytest.mark.parametrize("order", ORDERS, ids="-".join)
def test_any_order_of_import_and_of_first_use(order):
    run(order, turned(order, 1))


dpctl_there = pytest.mark.skipif("dpctl" not in THERE, reason="dpctl is not installed")


RUNTIME = os.path.join(sys.prefix, "lib", "libintelocl.so")


def printed(code):
    """The output of a process in which OpenCL's runtime has not been named."""
    environment = os.environ.copy()
    if environment.get("OCL_ICD_FILENAMES") == RUNTIME:  # by this process's hither
        del environment["OCL_ICD_FILENAMES"]
    if "OCL_ICD_FILENAMES" in environment or not os.path.exists(RUNTIME) or not ht.devices()[1:]:
        pytest.skip("no OpenCL runtime of Python's packages, or one that the environment names")
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, timeout=120, check=True, env=environment,
    )  # fmt: skip
    return done.stdout


@dpctl_there
@pytest.mark.parametrize("order", [["hither", "dpctl"], ["dpctl", "hither"]], ids="-".join)
def test_dpctl_finds_the_cpu_whichever_is_imported_first(order):
    code = "".join(f"import {name}\n" for name in order)
    code += "devices = dpctl.get_devices(), hither.devices()\n"
    code += "for d in devices: print([n for e in d if 'opencl' in (n := e.filter_string)])\n"
    by_dpctl, by_hither = printed(code).splitlines()
    expected = [n for d in ht.devices() if "opencl" in (n := d.filter_string)]
    assert by_dpctl == by_hither == str(expected)


@dpctl_there
def test_it_is_said_why_the_cpu_is_missing_when_dpctl_looked_first():
    said = printed(
        "import dpctl; dpctl.get_devices()\n"
        "import hither; print(hither.devices()); print(hither.absent_backends())"
    )
    assert "use hither first" in said and "OCL_ICD_FILENAMES" in said
