"""NumPy whose arrays lie in shared USM: ``import hither.dparray as np``.

Every name of NumPy is here. What its functions and its operations make is a :class:`DPArray`, an
``ndarray`` over memory that the host and a device share, and computes as NumPy does, on the host.
Kernels, array functions of hither, and Numba functions in a device context use it without a copy.
Docs: docs/guide/dparray.md.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as _numpy

# NumPy's functions import it late, and its constants would be made in USM.
import numpy.ma

from hither.dparray._dp_array import DPArray, as_ndarray, from_ndarray
from hither.dparray._function import Submodule as _Submodule
from hither.dparray._function import wrap as _wrap

# Numba asks a module of its `name` before `__name__`, and recognises NumPy's functions by it.
name = "numpy"

__all__ = ["DPArray", "as_ndarray", "from_ndarray", *_numpy.__all__]


linalg = _Submodule("linalg")
fft = _Submodule("fft")
random = _Submodule("random", ours="hither.dparray._generator")
sys.modules.update({f"{__name__}.{m._path}": m for m in (linalg, fft, random)})


def __getattr__(wanted: str) -> Any:
    value = _wrap(getattr(_numpy, wanted), wanted)
    globals()[wanted] = value
    return value


def __dir__() -> list[str]:
    return sorted({*dir(_numpy), "DPArray", "as_ndarray", "from_ndarray"})
