"""NVIDIA's libraries on hither's queues: cuFFT, cuSOLVER and a program's own CUDA kernels.

Each is opened when it is first needed and puts its work into a queue's stream, in order with
everything else, by ``Queue.submit_native``. Nothing of NVIDIA's is needed to install hither.
"""

from ._interop.cuda_program import Program

__all__ = ["Program"]
