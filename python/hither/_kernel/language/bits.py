"""Bit operations on integers, for use inside kernels, under numba.cuda's names."""

from __future__ import annotations

from typing import Any

from .work_item import only_in_kernels


def popc(x: Any) -> int:
    """Number of bits that are set."""
    only_in_kernels("popc")


def clz(x: Any) -> int:
    """Number of leading zeros; the width of the type for 0."""
    only_in_kernels("clz")


def ffs(x: Any) -> int:
    """Position of the lowest bit that is set, counted from 1; 0 for 0."""
    only_in_kernels("ffs")


def brev(x: Any) -> Any:
    """The bits in reverse order."""
    only_in_kernels("brev")
