"""hither's arrays as chunks of Dask's arrays."""

from __future__ import annotations

import functools
import math
from typing import Any

from .._hither import Array, full

__all__: list[str] = []


def _count(x: Array, axis: Any = None, keepdims: bool = False, dtype: Any = None, **_: Any) -> Any:
    """The number of elements that a reduction over the axes combines, for each result."""
    given = range(x.ndim) if axis is None else axis if isinstance(axis, (tuple, list)) else (axis,)
    axes = {a % x.ndim for a in given} if x.ndim else set()
    count = math.prod(x.shape[a] for a in axes)
    shape = tuple(
        1 if a in axes else extent for a, extent in enumerate(x.shape) if keepdims or a not in axes
    )
    return full(shape, count, dtype or float, queue=x.queue, usm_type=x.usm_type)


@functools.cache
def register() -> None:
    """Tells Dask how to count the elements of hither's chunks, where it would make NumPy's arrays:
    means and variances divide by the counts. Other functions of Dask call NumPy's protocols."""
    try:
        from dask.array.dispatch import numel_lookup
    except ImportError:  # this version of Dask has no such table
        return
    numel_lookup.register(Array, _count)
