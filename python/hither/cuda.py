"""CUDA kernels of a program on hither's queues and arrays: CUDA C++, PTX and cubins.

NVIDIA's libraries are opened at their first use. They submit their work to a queue's stream, in the
queue's order, by ``Queue.submit_native``. Installing hither needs no NVIDIA software.
"""

from ._documentation import complete
from ._interop.cuda_program import Program

__all__ = ["Program"]

complete("cuda", globals())
