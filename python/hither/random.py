"""Random numbers: generators of arrays, and functions of a seed for kernels.

A :class:`Generator` has the interface of NumPy's generators and makes arrays on a device. It is
counter-based (Philox): element i of draw d depends only on the seed, i and d, not on the device or
the number of cores, and has the same bits on every device. ``vonmises``, ``dirichlet`` and
``multivariate_normal`` are exceptions, whose last bits may differ.
``hither.random(queue=q)`` gives the functions bound to a queue.

In kernels, ``bits``, ``uniform_float32``, ``uniform_float64``, ``normal_float32`` and
``normal_float64`` of this module are functions of (seed, item, draw) that give the same numbers;
the normal ones up to the last bits of the device's log and cos.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ._documentation import complete
from ._libraries.bound_library import LibraryModule
from ._libraries.random.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]

# Device functions, whose module is imported at the first use of one.
_IN_KERNELS = (
    "bits",
    "normal_float32",
    "normal_float64",
    "philox4x32",
    "uniform_float32",
    "uniform_float64",
)


def __getattr__(name: str) -> Any:
    if name not in _IN_KERNELS:
        raise AttributeError(f"module 'hither.random' has no attribute {name!r}")
    value = getattr(importlib.import_module("hither._kernel.language.random"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_IN_KERNELS])


complete("random", globals())
sys.modules[__name__].__class__ = LibraryModule
