"""Ranks of MPI with one core each: a stencil whose edges they exchange, compared with NumPy's
arrays in the same ranks, and several ranks compared with one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from timing import Budget, Effort, Row

import hither as ht

PROGRAM = Path(__file__).parent / "mpi_stencil.py"
SIDE, STEPS = 4096, 20
QUICK = 0.5  # seconds of effort below which the grid is a quarter as large
EFFICIENCY = 0.85
ONE = "one rank"
# Open MPI refuses to run as root, as in containers, unless these are set.
ALLOWED = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def measured(ranks: int, side: int) -> tuple[float, float]:
    """The seconds of a step with hither's arrays and with NumPy's."""
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    mpiexec = shutil.which("mpiexec", path=search) or "mpiexec"
    command = [mpiexec, "-n", str(ranks), "--bind-to", "core", sys.executable, str(PROGRAM)]
    environment = {**os.environ, **ALLOWED, "HITHER_DEVICE": "native_cpu", "HITHER_NULL_DEVICE": ""}
    output = subprocess.run(
        [*command, str(side), str(STEPS)], env=environment, text=True, check=True,
        capture_output=True,
    ).stdout  # fmt: skip
    hither, numpy = map(float, output.split())
    return hither, numpy


def rows(effort: Effort) -> list[Row]:
    side = SIDE // 2 if effort.seconds < QUICK else SIDE
    counts = [p for p in (1, 2, 4, 8) if p <= ht.Device("cpu").max_compute_units]
    found, one = [], 0.0
    for ranks in counts:
        hither, numpy = measured(ranks, side)
        one = one or hither
        case = f"five-point stencil, {side} x {side}, {ranks} ranks"
        found.append(Row(case, {"NumPy": numpy, "hither": hither}, Budget(1.0, "NumPy")))
        if ranks > 1:
            times = {ONE: one, "hither": hither}
            found.append(Row(f"{ranks} against 1", times, Budget(1 / (EFFICIENCY * ranks), ONE)))
    return found
