"""Arrays of a work-item's own, for use inside kernels."""

from __future__ import annotations

from typing import Any

from .work_item import only_in_kernels


def array(shape: Any, dtype: Any) -> Any:
    """An array of which each work-item has one, in registers where it fits.

    `shape` (an int or a tuple of ints) and `dtype` are constants. Its content is undefined at
    first.
    """
    only_in_kernels("private.array")
