"""Reductions (the rows of the reduction table), scans and searches.

They are lazy, and the kernel of a reduction also computes its operands.
"""

from __future__ import annotations

from .. import _hither
from .._hither import cumulative_prod, cumulative_sum, diff, nonzero, searchsorted

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "nonzero",
    "searchsorted",
    *_hither.reduction_functions,
]

globals().update({name: getattr(_hither, name) for name in _hither.reduction_functions})
