"""dpctl.SyclQueue, SyclContext and SyclEvent."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import hither
from hither.compat import _flavour
from hither.compat._look_alike import LookAlike
from hither.compat.dpctl.enum_types import kernel_arg_type as kernel_arg_type  # numba_dpex asks

_PROPERTIES = ("in_order", "enable_profiling")


class LaterQueue(metaclass=LookAlike):
    """dpctl.SyclQueue(device=None) or (context, device), property=, in flavour "dpctl-0.21": a
    hither.Queue that is in order if ``property`` contains "in_order".

    In this flavour only equal queues can be mixed. For a queue of another library, or a capsule
    with one, the result is that queue.
    """

    stands_for: type = hither.Queue

    def __new__(cls, *arguments: Any, property: Any = None) -> Any:
        if len(arguments) > 2 or (len(arguments) == 2 and None in arguments):
            raise hither.InvalidTypeError(
                "SyclQueue", "takes no argument, a device, or a context and a device"
            )
        names = list(property) if isinstance(property, list | tuple) else [property]
        for name in names:
            if name not in (None, 0, "default", *_PROPERTIES):
                raise hither.InvalidValueError(
                    "SyclQueue", f"property={name!r} is none of {', '.join(_PROPERTIES)}"
                )
        if arguments and _is_of_others(arguments[0]):
            return hither.Queue(*arguments)
        return hither.Queue(
            *arguments,
            in_order="in_order" in names,
            enable_profiling="enable_profiling" in names,
        )


# In flavour "seeds", queues are in order regardless of property=, so that they are equivalent to
# the default queue of their device, as in dpctl.
SyclQueue: Any = hither.Queue


def follow_flavour() -> None:
    """Binds SyclQueue to the class of the current flavour."""
    queue_class = hither.Queue if _flavour.current() == "seeds" else LaterQueue
    for module in (sys.modules[__name__], sys.modules[__package__]):
        module.SyclQueue = queue_class  # type: ignore[attr-defined]


def _is_of_others(target: Any) -> bool:
    """Whether it is a capsule with a queue or an object that provides one. Such a queue keeps its
    properties."""
    if isinstance(target, hither.Queue | hither.Context):
        return False
    return type(target).__name__ == "PyCapsule" or hasattr(target, "_get_capsule")


SyclContext = hither.Context


class SyclEvent(metaclass=LookAlike):
    """dpctl.SyclEvent(): a hither.Event that is complete."""

    stands_for: type = hither.Event

    def __new__(cls) -> Any:
        return hither.Event()

    @staticmethod
    def wait_for(events: hither.Event | Sequence[hither.Event]) -> None:
        """Blocks until all events are complete. Raises the first error."""
        for event in [events] if isinstance(events, hither.Event) else events:
            event.wait()
