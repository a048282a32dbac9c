"""Kernels of a program in OpenCL C, SPIR-V or SYCL C++, on hither's queues and arrays."""

from ._documentation import complete
from ._interop.sycl_program import Kernel, Program

__all__ = ["Kernel", "Program"]

complete("sycl", globals())
