"""Warnings."""

from __future__ import annotations

__all__ = ["SparseEfficiencyWarning", "SparseWarning"]


class SparseWarning(Warning):
    """The general warning of sparse arrays."""


class SparseEfficiencyWarning(SparseWarning):
    """An operation takes more time or memory than a similar one."""
