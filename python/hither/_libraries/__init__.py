"""Calls of libraries for linear algebra and transforms, and the random number generators.

Importing this package tells the core where installed libraries are.
"""

from . import cuda_folders, openblas, spirv_emitter
