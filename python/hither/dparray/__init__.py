"""NumPy with arrays in shared USM: ``import hither.dparray as np``.

The module has every name of NumPy. Functions and operations return a :class:`DPArray`, an
``ndarray`` over memory that the host and a device share. They compute on the host, as NumPy does.
Kernels, hither's array functions, and Numba functions in a device context use a DPArray without a
copy. See docs/howto/dparray.md.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as _numpy

# NumPy's functions import it on demand, which would create its constants in USM.
import numpy.ma

from hither._documentation import complete as _complete
from hither.dparray._dp_array import DPArray, as_ndarray, from_ndarray
from hither.dparray._function import Submodule as _Submodule
from hither.dparray._function import wrap as _wrap

# Numba reads `name` of a module before `__name__`, and recognises NumPy's functions by it.
name = "numpy"

__all__ = ["DPArray", "as_ndarray", "from_ndarray", *_numpy.__all__]


linalg: _Submodule = _Submodule("linalg")
fft: _Submodule = _Submodule("fft")
random: _Submodule = _Submodule("random", replacements="hither.dparray._generator")
sys.modules.update({f"{__name__}.{m._path}": m for m in (linalg, fft, random)})


def __getattr__(wanted: str) -> Any:
    value = _wrap(getattr(_numpy, wanted), wanted)
    globals()[wanted] = value
    return value


def __dir__() -> list[str]:
    return sorted({*dir(_numpy), "DPArray", "as_ndarray", "from_ndarray"})


_complete("dparray", globals())
