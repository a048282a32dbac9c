"""The device context: the secondary way to say where work runs.

Computation follows data; a context is for what has no data on a device yet: NumPy arrays given to a
kernel, creation functions, and Numba functions.
"""

from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any

from ._hither import OpenContext, context_queue, context_variable, default_queue
from .errors import InvalidValueError
from .offload.hook import ON_SERIAL
from .offload.hook import install as install_hook

if TYPE_CHECKING:
    from types import TracebackType

    from ._hither import Queue

__all__ = [
    "OpenContext",
    "current_queue",
    "device_context",
    "get_context",
    "offload_to_sycl_device",
]


# What a context does with Numba functions that say parallel=False.


class device_context(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Makes a queue the current one for a block, in the thread or asyncio task that runs the block.

    ``target`` is a :class:`Queue`, a :class:`Device` or a filter string; the block gets the queue::

        with hither.device_context("cpu") as queue:
            axpy[n](2.0, numpy_x, numpy_y)

    ``on_serial`` says what becomes of Numba functions that say ``parallel=False``: "error",
    "ignore" the flag, run them on the "host", or each of their regions as a "single_task".
    Parallel regions with fewer iterations than ``keep_below``, for which copies and a launch would
    not pay, run on the host's cores; by default 0 on a CPU, 256 elsewhere. 0 offloads all.

    Contexts nest; the one around is restored when a block ends, by an exception too. A task that is
    started inside a block keeps the context. One object may be entered many times and by many
    threads. Also a decorator of functions.

    Raises when made, not when entered: ValueError or TypeError if ``target`` names no device.
    """

    def __init__(
        self, target: Any = None, *, on_serial: str = "error", keep_below: int | None = None
    ) -> None:
        self.queue: Queue = default_queue(target)
        if on_serial not in ON_SERIAL:
            raise InvalidValueError(
                "on_serial", f"is {on_serial!r}; it is one of {', '.join(map(repr, ON_SERIAL))}"
            )
        if keep_below is None:
            keep_below = 0 if self.queue.device.device_type == "cpu" else 256
        self.keep_below = min(operator.index(keep_below), 2**63 - 1)
        if self.keep_below < 0:
            raise InvalidValueError("keep_below", f"is {keep_below}; it counts iterations")
        self.on_serial = on_serial

    def __enter__(self) -> Queue:
        install_hook()
        context_variable.set(
            OpenContext(
                self.queue,
                self,
                context_variable.get(),
                ON_SERIAL.index(self.on_serial),
                self.keep_below,
            )
        )
        return self.queue

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        context_variable.set(_without(context_variable.get(), self))

    def __repr__(self) -> str:
        return f"<hither.device_context of {self.queue!r}>"


def _without(top: OpenContext | None, owner: device_context) -> OpenContext | None:
    """The stack without the innermost entry that ``owner`` opened.

    That entry is the top one, unless generators left their blocks out of order.
    """
    if top is None or top.owner is owner:
        return top and top.previous
    rest = _without(top.previous, owner)
    return OpenContext(top.queue, top.owner, rest, top.on_serial, top.keep_below)


offload_to_sycl_device = device_context


def get_context() -> OpenContext | None:
    """The innermost device context, or None outside of all.

    The :class:`OpenContext` has the block's ``queue``, ``device`` and ``context``, its ``owner``
    (the :class:`device_context`) and the one around it, ``previous``.
    """
    return context_variable.get()


def current_queue() -> Queue:
    """The queue of the innermost device context, else that of the default device."""
    return context_queue() or default_queue()
