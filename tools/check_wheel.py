"""Checks an installed wheel of hither; run it outside the source tree.

`alone`: only the wheel's own requirements are installed. `before`, `after`: Numba and JAX, which
contain their own LLVM, are imported and used before or after hither. `sycl`, `onemkl`: with the
extra of that name, Intel's OpenCL for CPUs is a device, and oneMKL works on it.
"""

import sys
from pathlib import Path


def use_others() -> None:
    import jax.numpy
    import numba

    assert numba.njit(lambda x: x + 1)(1) == 2
    assert float(jax.numpy.arange(4.0).sum()) == 6.0


def use_hither() -> None:
    import numpy as np

    import hither as ht
    from hither import _hither

    assert _hither.range_interfaces() == ["NVTX", "ITT"]

    x = np.linspace(0.0, 1.0, 1000)
    y = ht.asnumpy(ht.sqrt(ht.asarray(x) ** 2 + 1))
    assert np.allclose(y, np.sqrt(x**2 + 1))


def use_sycl(library: str) -> None:
    import numpy as np

    import hither as ht

    said = ht.absent_backends()
    assert "opencl:cpu:0" in [d.filter_string for d in ht.devices()], f"no OpenCL: {said}"
    assert ht.blas_name(ht.Device("opencl:cpu:0")).startswith(library), "not the library wanted"
    x = np.random.default_rng(0).standard_normal((100, 100))
    a = ht.asarray(x, device="opencl:cpu:0")
    assert np.allclose(ht.asnumpy(ht.sqrt(a * a + 1)), np.sqrt(x * x + 1))
    assert np.allclose(ht.asnumpy(a @ a), x @ x)
    assert np.allclose(ht.asnumpy(ht.linalg.inv(a)), np.linalg.inv(x))
    assert np.allclose(ht.asnumpy(ht.linalg.svdvals(a)), np.linalg.svd(x, compute_uv=False))
    assert np.allclose(ht.asnumpy(ht.fft.fft(a)), np.fft.fft(x))
    assert not library or mapped("libmkl_sycl_lapack", "libmkl_sycl_dft")


def mapped(*names: str) -> list[str]:
    """The mapped files of this process with names that begin with one of `names`."""
    lines = Path("/proc/self/maps").read_text().splitlines()
    files = {line.split(maxsplit=5)[-1] for line in lines}
    return sorted(path for path in files if Path(path).name.startswith(names))


def foreign_libraries(order: str) -> list[str]:
    """Libraries that the wheel contains or requires, mapped from outside this environment."""
    bundled = ("libtbb", "libhwy", "libhither", "libsycl", "libmkl")
    if order == "alone":  # an OpenCL of the system, which SYCL finds, may load its own copies
        bundled += ("libLLVM", "libhwloc", "libclang")
    return [path for path in mapped(*bundled) if sys.prefix not in path]


def main() -> None:
    order = sys.argv[1]
    if order == "before":
        use_others()
    use_hither()
    if order == "after":
        use_others()
        use_hither()
    if order in ("sycl", "onemkl"):
        use_sycl({"sycl": "", "onemkl": "oneMKL"}[order])
    foreign = foreign_libraries(order)
    assert not foreign, f"the wheel uses libraries of this system: {foreign}"
    print(f"wheel: works ({order})")


if __name__ == "__main__":
    main()
