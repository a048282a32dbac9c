"""dpctl.SyclQueue, SyclContext and SyclEvent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import hither
from hither.compat.look_alike import LookAlike

_PROPERTIES = ("in_order", "enable_profiling")


class SyclQueue(metaclass=LookAlike):
    """dpctl.SyclQueue(device=None) or (context, device), property=: a hither.Queue.

    The queue is in order, whether ``property`` names "in_order" or not, so that it is equivalent to
    the default queue of its device, as dpctl's is.
    """

    stands_for = hither.Queue

    def __new__(cls, *arguments: Any, property: str | Sequence[str] | None = None) -> Any:
        names = [property] if isinstance(property, str) else list(property or ())
        for name in names:
            if name not in _PROPERTIES:
                raise hither.InvalidValueError(
                    "SyclQueue", f"property={name!r} is none of {', '.join(_PROPERTIES)}"
                )
        return hither.Queue(*arguments, enable_profiling="enable_profiling" in names)


class SyclContext(metaclass=LookAlike):
    """dpctl.SyclContext(devices): a hither.Context."""

    stands_for = hither.Context

    def __new__(cls, devices: Any = None) -> Any:
        return hither.Context(devices)


class SyclEvent(metaclass=LookAlike):
    """dpctl.SyclEvent(): a hither.Event that is complete."""

    stands_for = hither.Event

    def __new__(cls) -> Any:
        return hither.Event()

    @staticmethod
    def wait_for(events: hither.Event | Sequence[hither.Event]) -> None:
        """Blocks until all ended; raises the first one's error."""
        for event in [events] if isinstance(events, hither.Event) else events:
            event.wait()
