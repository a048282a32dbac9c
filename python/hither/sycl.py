"""A program's own kernels in OpenCL C, SPIR-V or SYCL's C++, on hither's queues and arrays."""

from ._interop.sycl_program import Kernel, Program

__all__ = ["Kernel", "Program"]
