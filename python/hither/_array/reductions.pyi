"""Reductions, scans and searches."""

# Made by tools/stubs.py.

from .._hither import (
    cumulative_prod as cumulative_prod,
    cumulative_sum as cumulative_sum,
    diff as diff,
    nonzero as nonzero,
    searchsorted as searchsorted,
    sum as sum,
    prod as prod,
    min as min,
    max as max,
    any as any,
    all as all,
    count_nonzero as count_nonzero,
    mean as mean,
    var as var,
    std as std,
    argmin as argmin,
    argmax as argmax,
)

__all__ = [
    "cumulative_prod",
    "cumulative_sum",
    "diff",
    "nonzero",
    "searchsorted",
    "sum",
    "prod",
    "min",
    "max",
    "any",
    "all",
    "count_nonzero",
    "mean",
    "var",
    "std",
    "argmin",
    "argmax",
]
