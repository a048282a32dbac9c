"""The adapter to Numba, which compiles Python kernels to LLVM IR text.

Only this package and hither._offload import Numba.
"""
