"""Reductions, scans and searches.

They are lazy, and the kernel of a reduction also computes its operands.
"""

from __future__ import annotations

from .._hither import (
    all,
    any,
    argmax,
    argmin,
    count_nonzero,
    cumulative_prod,
    cumulative_sum,
    diff,
    max,
    mean,
    min,
    nonzero,
    prod,
    searchsorted,
    std,
    sum,
    var,
)

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "count_nonzero",
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "searchsorted",
    "std",
    "sum",
    "var",
]
