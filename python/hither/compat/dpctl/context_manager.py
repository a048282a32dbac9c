"""dpctl.device_context, and queries of the current context."""

from __future__ import annotations

import warnings
from typing import Any

import hither
from hither.compat import _contexts


def device_context(target: Any = None) -> _contexts.device_context:
    """hither.device_context with a PendingDeprecationWarning, because later dpctl releases do not
    have it.

    Python does not show this warning by default.
    """
    warnings.warn(
        "dpctl.device_context is the secondary way: let computation follow the data, or use "
        "hither.device_context",
        PendingDeprecationWarning,
        stacklevel=2,
    )
    return _contexts.device_context(target)


def get_current_queue() -> hither.Queue:
    """The queue of the innermost device context, else that of the default device."""
    return hither.current_queue()


def get_current_device_type() -> str:
    """The kind of the current queue's device."""
    return hither.current_queue().device.device_type


def get_current_backend() -> str:
    """The back end of the current queue's device."""
    return hither.current_queue().device.backend


def is_in_device_context() -> bool:
    """Whether this thread or task is inside a device context."""
    return hither.get_context() is not None


def get_num_activated_queues() -> int:
    """The number of device contexts that are open in this thread or task."""
    count, context = 0, hither.get_context()
    while context is not None:
        count, context = count + context.is_device_context, context.previous
    return count
