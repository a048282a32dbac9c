"""mpi4py takes hither's arrays as buffers: four ranks on each device."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mpi4py", reason="mpi4py is not installed")

RANKS = Path(__file__).parent / "mpi_ranks.py"
# Four ranks on any number of cores, also as root: Open MPI refuses both by default.
ALLOWED = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}


def run_ranks(count: int, *command: str, **environment: str) -> subprocess.CompletedProcess:
    """Starts ranks with the mpiexec of this Python's environment, or of the system."""
    search = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    mpiexec = shutil.which("mpiexec", path=search)
    if mpiexec is None:
        pytest.skip("mpi4py is installed, but there is no mpiexec")
    return subprocess.run(
        [mpiexec, "-n", str(count), sys.executable, *command],
        env={**os.environ, **ALLOWED, **environment}, text=True, capture_output=True, timeout=120,
    )  # fmt: skip


def takes_gpu_memory() -> bool:
    """Whether the system's Open MPI was built with CUDA; others end at an address of a GPU."""
    if not (info := shutil.which("ompi_info")):
        return False
    found = subprocess.run([info, "--parsable", "--all"], text=True, capture_output=True)
    return "mpi_built_with_cuda_support:value:true" in found.stdout


def test_four_ranks_exchange_arrays(device):
    if device.backend == "cuda" and not takes_gpu_memory():
        pytest.skip("this MPI takes no memory of GPUs")
    result = run_ranks(4, str(RANKS), HITHER_DEVICE=device.filter_string)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "passed 10 checks on 4 ranks" in result.stdout


DEVICE_MEMORY = """
import hither as ht
from mpi4py import MPI
x = ht.zeros(3)
try:
    MPI.COMM_SELF.Allreduce(MPI.IN_PLACE, x)
except BufferError as error:
    print(error)
y = ht.asarray(x, usm_type="host")
MPI.COMM_SELF.Allreduce(MPI.IN_PLACE, y)
print(y + 1)
"""


@pytest.mark.either_mode
def test_memory_that_the_host_cannot_access():
    result = run_ranks(1, "-c", DEVICE_MEMORY, HITHER_DEVICE="native_cpu", HITHER_STRICT_USM="1")
    assert result.returncode == 0, result.stdout + result.stderr
    assert 'usm_type="shared"' in result.stdout
    assert "[1. 1. 1.]" in result.stdout
