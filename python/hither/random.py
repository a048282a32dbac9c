"""Random numbers: generators of arrays here, and functions of a seed for kernels.

A :class:`Generator` has the interface of NumPy's and makes arrays on the device that will use them.
It is counter-based (Philox): element i of its draw d depends on the seed, i and d alone, not on the
device, the number of cores or what else was drawn. The random bits, integers and uniform numbers
are the same on every device; normal and other numbers come from them through the device's log, cos
and so on, whose last bits may differ. ``hither.random(queue=q)`` gives the functions bound to a
queue.

In kernels, ``bits``, ``uniform_float32``, ``uniform_float64``, ``normal_float32`` and
``normal_float64`` of this module are functions of (seed, item, draw) that give the same numbers.
"""

from __future__ import annotations

import importlib
import sys
from typing import Any

from ._libraries.bound_library import LibraryModule
from ._libraries.random.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]

# Device functions need Numba, which is imported when one is named.
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


sys.modules[__name__].__class__ = LibraryModule
