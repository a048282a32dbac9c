"""The functions of _kernel.language, and their implementations inside kernels."""

from __future__ import annotations

from typing import Any

from . import lower_array, lower_atomic, lower_cuda, lower_group, lower_work_item

REPLACEMENTS: dict[Any, Any] = {
    **lower_work_item.REPLACEMENTS,
    **lower_array.REPLACEMENTS,
    **lower_atomic.REPLACEMENTS,
    **lower_cuda.REPLACEMENTS,
    **lower_group.REPLACEMENTS,
}
