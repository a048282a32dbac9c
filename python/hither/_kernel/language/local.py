"""Arrays in local memory, for use inside kernels."""

from __future__ import annotations

from typing import Any

from .work_item import only_in_kernels


def array(shape: Any, dtype: Any) -> Any:
    """An array of which each work-group has one, and which all its work-items see.

    `shape` (an int or a tuple of up to three) and `dtype` are constants. Its content is undefined
    at first. A kernel that has one is launched over an NdRange; one that needs more than the
    device has (`local_mem_size` bytes a group) is refused before it is launched. For shapes that
    the launch decides pass a hither.LocalAccessor.
    """
    only_in_kernels("local.array")
