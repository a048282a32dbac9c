"""CuPy's functions that NumPy lacks."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import numpy as np

from .. import _hither
from .._hither import Array

__all__ = ["asnumpy", "get_array_module"]

# Other names of CuPy: the end of a sentence.
REMEDIES = {
    "ElementwiseKernel": "make a function of numbers element-wise with @hither.vectorize",
    "RawKernel": "use hither.cuda.Program, or write the kernel with @hither.kernel for any device",
    "RawModule": "use hither.cuda.Program, or write the kernels with @hither.kernel for any device",
    "ReductionKernel": "make a function a reduction with @hither.reduction(identity=...)",
    "cuda": "hither has devices(), device_context and Queue",
    "fuse": "leave it out: operations are fused without a decorator",
    "get_default_memory_pool": "use hither.memory_info, release_cached and set_memory_limit",
}


def asnumpy(x: Any, out: np.ndarray | None = None, *, wait: bool = True) -> Any:
    """A NumPy array with the elements of an array: hither.asnumpy. Others are converted by NumPy.

    Parameters
    ----------
    x : array_like
        An array of hither, or what numpy.asarray takes.
    out : numpy.ndarray, optional
        Where the elements are written.
    wait : bool
        False returns while x is computed and copied; it needs out. CuPy calls it ``blocking``.

    Returns
    -------
    numpy.ndarray or hither.Event
        The elements in host memory. Without waiting, an event that is complete when out has them.

    See Also
    --------
    hither.asnumpy

    Examples
    --------
    >>> import hither.numpy as np
    >>> np.asnumpy(np.ones(2))
    array([1., 1.])
    """
    if isinstance(x, Array) or out is not None or not wait:
        return _hither.asnumpy(x, out, wait=wait)
    return np.asarray(x)


def get_array_module(*args: Any) -> ModuleType:
    """The module whose functions compute with these arrays: hither.numpy or numpy.

    Parameters
    ----------
    *args
        Arrays and other values.

    Returns
    -------
    module
        hither.numpy if a value is an array of hither, a sharded or a sparse one, else numpy.

    Examples
    --------
    >>> import hither.numpy as np
    >>> def softplus(x):
    ...     xp = np.get_array_module(x)
    ...     return xp.maximum(x, 0) + xp.log1p(xp.exp(-abs(x)))
    >>> softplus(np.zeros(2))
    Array([0.69314718, 0.69314718])
    """
    return sys.modules["hither.numpy"] if any(map(_is_hithers, args)) else np


def _is_hithers(value: Any) -> bool:
    # Sharded and sparse arrays are known by their module, which need not be imported. A DPArray is
    # an array of NumPy.
    if isinstance(value, np.ndarray):
        return False
    return isinstance(value, Array) or type(value).__module__.partition(".")[0] == "hither"
