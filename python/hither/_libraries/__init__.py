"""Libraries for linear algebra, transforms and random numbers: how they are found and called.

Importing it tells the core where the installed libraries are.
"""

from . import cuda_folders, openblas, spirv_emitter
