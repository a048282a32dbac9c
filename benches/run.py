"""Compares hither with NumPy, numexpr, Numba (parallel=True) and C++ loops on the same cores.

`python benches/run.py [rows [OPTIONS] [NAMES]]` runs the rows of rows.def (rows.py).
`python benches/run.py NAMES [--quick]`; NAMES are `all`, or files of this folder: small, compiled,
launch, stream, fuse, reduce, sort, layout, functions, libraries, random_numbers, small_matrices,
sparse_arrays, images, special, barrier, compile_time, offload, reach (workers of Dask), sharded
(parts of the CPU), blocks (arrays larger than a device), mpi (ranks of MPI), gpu (compared with
CuPy, PyTorch and JAX, eager and compiled, if there is an NVIDIA GPU).
Each time is the best of several; the contestants alternate within one run. "best" in the column
budget is the fastest of NumPy, numexpr, Numba and SciPy; "C++" is the loop in native/.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import time
from pathlib import Path

# Waiting threads must sleep: if they spin, they slow the next contestant down.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
os.environ.setdefault("GOMP_SPINCOUNT", "0")
os.environ.setdefault(
    "NUMBA_CACHE_DIR", str(Path(__file__).parent.parent / ".cache" / "bench" / "numba")
)

# The null device records launches and does not run them: only host time remains.
os.environ.setdefault("HITHER_NULL_DEVICE", "1")

BENCHES = (
    "small", "compiled", "launch", "stream", "fuse", "reduce", "sort", "layout", "functions",
    "libraries", "random_numbers", "small_matrices", "sparse_arrays", "images", "special",
    "barrier", "compile_time", "offload", "reach", "sharded", "blocks", "mpi", "gpu",
)  # fmt: skip


def main() -> int:
    if sys.argv[1:2] in ([], ["rows"]):
        import rows

        return rows.main(sys.argv[2:])
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="+", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--quick", action="store_true", help="measure less, in under a minute")
    arguments = parser.parse_args()
    names = BENCHES if arguments.names == ["all"] else arguments.names
    unknown = set(names) - set(BENCHES)
    if unknown:
        parser.error(f"no bench named {', '.join(sorted(unknown))}; there are {', '.join(BENCHES)}")

    from table import render
    from timing import Effort

    import hither as ht

    effort = Effort(0.3 if arguments.quick else 2.0)
    device = ht.default_queue().device
    print(f"{device.name} ({device.filter_string}, {device.max_compute_units} compute units)")
    groups = {}
    for name in names:
        started = time.perf_counter()
        groups[name] = importlib.import_module(name).rows(effort)
        print(f"{name}: {time.perf_counter() - started:.0f} s", file=sys.stderr, flush=True)
    print(render(groups))
    wrong = [row.case for rows in groups.values() for row in rows if "hither" in row.wrong]
    if wrong:
        print(f"wrong answers: {', '.join(wrong)}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
