"""The device context of the packages that hither.compat stands for."""

from __future__ import annotations

from typing import Any

import hither

__all__ = ["device_context"]


class device_context(hither.device_context):  # noqa: N801 - used like a function
    """hither.device_context, which warns of every kernel whose arrays have a queue, as the
    documents of those packages say: the context has no effect on it."""

    def __init__(self, target: Any = None, **options: Any) -> None:
        super().__init__(target, **{"always_warns": True, **options})
