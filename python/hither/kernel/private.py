"""Arrays of a work-item's own, for use inside kernels."""

from __future__ import annotations

from typing import Any

from .work_item import only_in_kernels


def array(shape: Any, dtype: Any, fill_zeros: bool = False) -> Any:
    """An array of which each work-item has one, in registers where it fits.

    `shape` (an int or a tuple of up to three), `dtype` and `fill_zeros` are constants. Its content
    is undefined at first, or 0 with `fill_zeros`.
    """
    only_in_kernels("private.array")
