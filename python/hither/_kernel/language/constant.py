"""Arrays in constant memory, for use inside kernels."""

from __future__ import annotations

from typing import Any

from ..._documentation import complete
from .work_item import only_in_kernels


def array_like(array: Any) -> Any:
    """A read-only copy of `array`, a NumPy array, made when the kernel is compiled."""
    only_in_kernels("constant.array_like")


complete("constant", globals())
