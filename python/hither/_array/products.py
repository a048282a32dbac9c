"""Products of vectors and matrices."""

from __future__ import annotations

from .._hither import matmul, tensordot, vecdot

__all__ = ["matmul", "tensordot", "vecdot"]
