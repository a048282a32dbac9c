"""The device context of the packages that hither.compat stands for."""

from __future__ import annotations

from typing import Any

import hither

__all__ = ["device_context"]


class device_context(hither.device_context):  # noqa: N801 - used like a function
    """hither.device_context with a warning for every kernel whose arrays have a queue. The
    documents of these packages specify it: the context has no effect on such kernels."""

    def __init__(self, target: Any = None, **options: Any) -> None:
        super().__init__(target, **{"always_warns": True, **options})
