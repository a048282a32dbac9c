"""NumPy's names, parameters, values and dtypes for arrays on devices.

``import hither.numpy as np`` instead of ``import numpy as np``: calls run on the queue of their
arrays. Without an array on a device they use the innermost context's queue, else the default
device's. Functions take NumPy's parameters, then the keywords ``queue``, ``device`` and
``usm_type``. What hither does not compute itself runs by NumPy on the host, and returns arrays on
the same queue; see hither.host_fallback. docs/numpy.md describes the differences from NumPy.
"""

from __future__ import annotations

from typing import Any

from numpy import __version__ as __version__
from numpy import _NoValue as _NoValue

from .._array.array_api import __array_api_version__ as __array_api_version__
from .._array.array_api import __array_namespace_info__ as __array_namespace_info__
from .._checked_call import check_functions
from .._documentation import complete
from .._hither import Array as ndarray  # noqa: N813 - NumPy's name
from .._names import did_you_mean
from . import (
    _creation,
    _elementwise,
    _histograms,
    _host_names,
    _index_arrays,
    _index_grids,
    _indexing,
    _insertion,
    _iteration,
    _joining,
    _manipulation,
    _mathematics,
    _names_of_cupy,
    _nan_reductions,
    _number_classes,
    _order_statistics,
    _padding,
    _polynomials,
    _products,
    _ranges,
    _reductions,
    _sets,
    _sorting,
    _statistics,
    _writes,
    emath,
    fft,
    linalg,
    random,
    testing,
)
from ._names_in_errors import named

_MODULES = (
    _host_names, _creation, _elementwise, _histograms, _index_arrays, _index_grids, _indexing,
    _insertion, _iteration, _joining, _manipulation, _mathematics, _nan_reductions,
    _number_classes, _order_statistics, _padding, _polynomials, _products, _ranges, _reductions,
    _sets, _sorting, _statistics, _writes, _names_of_cupy,
)  # fmt: skip

__all__ = ["emath", "fft", "linalg", "ndarray", "random", "testing"]
for _module in (*_MODULES, emath, fft, linalg, random):
    check_functions(vars(_module), _module.__all__, named)
for _module in _MODULES:
    globals().update({name: getattr(_module, name) for name in _module.__all__})
    __all__ += _module.__all__
complete("numpy", globals())

# Modules of NumPy, which need no arrays or work with its own.
_MODULES_OF_NUMPY = ("dtypes", "polynomial", "typing", "version")

from . import lib  # noqa: E402  (it imports functions of this module)

__all__ += ["lib"]


def __getattr__(name: str) -> Any:
    import numpy

    if name in _MODULES_OF_NUMPY:
        return getattr(numpy, name)
    message = f"module 'hither.numpy' has no attribute {name!r}"
    if not name.startswith("_") and hasattr(numpy, name):
        message += f"; numpy.{name} works with NumPy's own arrays"
    elif name in _names_of_cupy.REMEDIES:
        message += f"; {_names_of_cupy.REMEDIES[name]}"
    elif not name.startswith("_"):  # Python and tools ask for many such names
        message += did_you_mean(name, __all__)
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
