"""Checks a hither that was installed from a wheel; run it outside the source tree.

`alone`: only the wheel's own requirements are installed. `before`, `after`: Numba and JAX, which
bring LLVMs of their own, are imported and used before or after hither.
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

    x = np.linspace(0.0, 1.0, 1000)
    y = ht.asnumpy(ht.sqrt(ht.asarray(x) ** 2 + 1))
    assert np.allclose(y, np.sqrt(x**2 + 1))


def foreign_libraries() -> list[str]:
    """Libraries of LLVM, oneTBB or hwloc that are mapped from outside this environment."""
    mapped = {line.split()[-1] for line in Path("/proc/self/maps").read_text().splitlines()}
    names = ("libLLVM", "libtbb", "libhwloc", "libhither", "libclang")
    return sorted(
        path for path in mapped if Path(path).name.startswith(names) and sys.prefix not in path
    )


def main() -> None:
    order = sys.argv[1]
    if order == "before":
        use_others()
    use_hither()
    if order == "after":
        use_others()
        use_hither()
    foreign = foreign_libraries()
    assert not foreign, f"the wheel uses libraries of this system: {foreign}"
    print(f"wheel: works ({order})")


if __name__ == "__main__":
    main()
