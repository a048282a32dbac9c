"""Reductions and searches. They are lazy and compute what they reduce in their own kernel."""

from __future__ import annotations

from ._hither import (
    all,
    any,
    argmax,
    argmin,
    count_nonzero,
    max,
    mean,
    min,
    nonzero,
    prod,
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
    "max",
    "mean",
    "min",
    "nonzero",
    "prod",
    "std",
    "sum",
    "var",
]
