"""One kernel as its contestants run it: hither, OpenCL C, CUDA C++ and a Numba function.

native/row_kernels.cl has the kernels in C. OpenCL C runs through pyopencl on Intel's runtime for
CPUs (`pip install pyopencl intel-opencl-rt`; a runtime next to this Python is found without further
settings, others by OCL_ICD_VENDORS). Without pyopencl, hither's own device opencl:cpu runs hither's
kernel instead. CUDA C++ runs through CuPy.
"""

from __future__ import annotations

import os
import sys
import tempfile
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from batches import Contestant
from gpu_peers import installed

import hither as ht

TILE, GROUP, BINS, CLUSTERS, TAPS = 16, 256, 20, 16, 15
INTEL, CUDA = "Intel OpenCL", "CUDA C++"

IN_OPENCL = """
#define KERNEL __kernel void
#define DEVICE inline
#define GLOBAL __global
#define LOCAL __local
#define X() get_global_id(0)
#define Y() get_global_id(1)
#define LOCAL_X() get_local_id(0)
#define LOCAL_Y() get_local_id(1)
#define GROUP_X() get_group_id(0)
#define ITEMS_X() get_global_size(0)
#define BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define ADD_LOCAL(place, value) atomic_add(place, value)
#define CLAMP(i, n) clamp(i, 0L, (n) - 1)
"""
IN_CUDA = """
#define KERNEL extern "C" __global__ void
#define DEVICE __device__ inline
#define GLOBAL
#define LOCAL __shared__
typedef unsigned int uint;
#define X() (blockIdx.x * (long)blockDim.x + threadIdx.x)
#define Y() (blockIdx.y * (long)blockDim.y + threadIdx.y)
#define LOCAL_X() threadIdx.x
#define LOCAL_Y() threadIdx.y
#define GROUP_X() blockIdx.x
#define ITEMS_X() ((long)gridDim.x * blockDim.x)
#define BARRIER() __syncthreads()
#define ADD_LOCAL(place, value) atomicAdd(place, value)
#define CLAMP(i, n) min(max((i), 0L), (n) - 1)
"""


def source(prefix: str, dtype: str) -> str:
    """The file of kernels after `prefix`, for one type of its numbers."""
    real = {"float32": "float", "float64": "double"}.get(dtype, "float")
    constants = {"REAL": real, "TILE": TILE, "GROUP": GROUP, "BINS": BINS, "CLUSTERS": CLUSTERS,
                 "TAPS": TAPS}  # fmt: skip
    words = "".join(f"#define {name} {value}\n" for name, value in constants.items())
    text = Path(__file__).parent / "native" / "row_kernels.cl"
    return prefix + words + text.read_text()


@dataclass(frozen=True)
class Program:
    """A kernel's arguments are `inputs`, then `results`, which begin as zeros, then `numbers`.

    Its C function has the same name and arguments.
    """

    kernel: Any
    inputs: list[np.ndarray]
    results: list[np.ndarray]
    numbers: tuple[int, ...]
    size: tuple[int, ...]
    expected: Callable[[], Any]
    numba: Callable[..., Any] | None = None
    """Has the kernel's arguments."""
    numpy: bool = True
    """Whether `expected` is a program that NumPy's users would write, and is timed."""
    local: tuple[int, ...] = ()
    read: Callable[..., Any] = lambda *results: results if len(results) > 1 else results[0]
    """What is compared with `expected`."""
    tolerance: float = 1e-4
    name: str = ""
    """Of the C function, if it is not the kernel's."""

    @property
    def c_name(self) -> str:
        return self.name or self.kernel.__name__

    @property
    def groups(self) -> tuple[int, ...]:
        """The groups' extents for CUDA C++, which has no default."""
        return self.local or ((GROUP,) if len(self.size) == 1 else (TILE, TILE))


def by_hither(program: Program, queue: ht.Queue) -> Contestant:
    inputs = [ht.asarray(x, queue=queue) for x in program.inputs]
    results = [ht.asarray(x, queue=queue) for x in program.results]
    if program.local:
        launch = program.kernel[ht.NdRange(program.size, program.local)]
    else:
        launch = program.kernel[ht.Range(*program.size)]

    def call() -> None:
        launch(*inputs, *results, *program.numbers)

    def answer() -> Any:
        call()
        return program.read(*map(ht.asnumpy, results))

    return Contestant(call, queue.wait, answer)


def by_numba(program: Program) -> Contestant | None:
    if program.numba is None:
        return None
    function, results = program.numba, [x.copy() for x in program.results]

    def call() -> None:
        function(*program.inputs, *results, *program.numbers)

    def answer() -> Any:
        call()
        return program.read(*results)

    return Contestant(call, lambda: None, answer)


def register_runtime() -> None:
    """Names Intel's runtime next to this Python to the loader of pyopencl."""
    runtime = Path(sys.prefix) / "lib" / "libintelocl.so"
    if "OCL_ICD_VENDORS" in os.environ or not runtime.exists():
        return
    ht.devices()  # hither's own OpenCL does not read the variable below after this
    folder = Path(tempfile.gettempdir()) / f"hither-bench-{os.getuid()}"
    folder.mkdir(exist_ok=True)
    (folder / "intel.icd").write_text(f"{runtime}\n")
    os.environ["OCL_ICD_VENDORS"] = f"{folder}/"


@cache
def opencl_devices() -> dict[str, Any]:
    """OpenCL's CPU devices by the names of their runtimes; none without pyopencl or a runtime."""
    register_runtime()
    try:
        import pyopencl as cl

        warnings.simplefilter("ignore", cl.CompilerWarning)
        platforms = cl.get_platforms()
    except Exception:  # not installed, or no runtime
        return {}
    names = {"Intel(R) OpenCL": INTEL, "Portable Computing Language": "PoCL"}
    return {
        names.get(platform.name, platform.name): device
        for platform in platforms
        for device in platform.get_devices(cl.device_type.CPU)
    }


def by_opencl(program: Program, device: Any, dtype: str) -> Contestant:
    import pyopencl as cl

    context = cl.Context([device])
    queue = cl.CommandQueue(context)
    built = cl.Program(context, source(IN_OPENCL, dtype)).build()
    kernel = cl.Kernel(built, program.c_name)
    flags = cl.mem_flags.COPY_HOST_PTR
    buffers = [cl.Buffer(context, flags, hostbuf=x) for x in (*program.inputs, *program.results)]
    kernel.set_args(*buffers, *map(np.int64, program.numbers))
    size, local = program.size[::-1], program.local[::-1] or None

    def answer() -> Any:
        results = [np.empty_like(x) for x in program.results]
        cl.enqueue_nd_range_kernel(queue, kernel, size, local)
        for result, buffer in zip(results, buffers[len(program.inputs) :], strict=True):
            cl.enqueue_copy(queue, result, buffer)
        return program.read(*results)

    return Contestant(
        lambda: cl.enqueue_nd_range_kernel(queue, kernel, size, local), queue.finish, answer
    )


def by_cuda(program: Program, dtype: str) -> Contestant | None:
    cupy = installed("cupy")
    if cupy is None:
        return None
    kernel = cupy.RawModule(code=source(IN_CUDA, dtype)).get_function(program.c_name)
    arrays = [cupy.asarray(x) for x in (*program.inputs, *program.results)]
    arguments = (*arrays, *map(np.int64, program.numbers))
    extents = zip(program.size, program.groups, strict=True)
    blocks = tuple(items // group for items, group in extents)[::-1]

    def call() -> None:
        kernel(blocks, program.groups[::-1], arguments)

    def answer() -> Any:
        call()
        return program.read(*map(cupy.asnumpy, arrays[len(program.inputs) :]))

    return Contestant(call, cupy.cuda.get_current_stream().synchronize, answer)


def stand_in(program: Program) -> Contestant | None:
    """hither's kernel on its own OpenCL device."""
    devices = [d for d in ht.devices() if d.filter_string == "opencl:cpu:0"]
    return by_hither(program, devices[0].default_queue) if devices else None


def kernel_contestants(
    program: Program, queue: ht.Queue, on_gpu: bool, dtype: str
) -> dict[str, Contestant]:
    """Everyone who can run the kernel here."""
    found: dict[str, Contestant | None] = {"hither": by_hither(program, queue)}
    if on_gpu:
        found[CUDA] = by_cuda(program, dtype)
    else:
        if program.numpy:
            found["NumPy"] = Contestant(program.expected, lambda: None, None)
        found["Numba"] = by_numba(program)
        devices = opencl_devices()
        found |= {name: by_opencl(program, device, dtype) for name, device in devices.items()}
        if INTEL not in devices:
            found[INTEL] = stand_in(program)
    return {name: made for name, made in found.items() if made}
