"""dpctl._SyclQueueManager, which holds the default queue of a package."""

from __future__ import annotations

from typing import Any

import hither

__all__ = ["_SyclQueueManager"]


class _SyclQueueManager(hither.QueueManager):
    """hither.QueueManager with dpctl's names of methods."""

    def get_current_queue(self) -> hither.Queue:
        """The queue that the package computes on."""
        return self.queue()

    def get_current_device_type(self) -> str:
        """The kind of that queue's device."""
        return self.queue().device.device_type

    def get_current_backend(self) -> str:
        """The back end of that queue's device."""
        return self.queue().device.backend

    def set_global_queue(self, target: Any) -> None:
        """Makes ``target``'s queue the default in every thread."""
        self.set_default_queue(target)
