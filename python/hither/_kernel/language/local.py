"""Arrays in local memory, for use inside kernels."""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from .work_item import only_in_kernels


def array(shape: Any, dtype: Any) -> Any:
    """An array in the local memory of a work-group, shared by its work-items.

    `shape` (an int or a tuple of up to three) and `dtype` are constants. The initial content is
    undefined. A kernel with local memory is launched over an NdRange. A launch that needs more
    local memory than the device has (`local_mem_size` bytes per group) is refused. For a shape that
    the launch decides, pass a hither.LocalAccessor.
    """
    only_in_kernels("local.array")


complete("local", globals())
