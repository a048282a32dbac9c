"""The device context: the secondary way to say where work runs.

Computation follows data; a context is for what has no data on a device yet: NumPy arrays given to a
kernel, creation functions, and Numba functions.
"""

from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any

from ._hither import (
    OpenContext,
    context_queue,
    context_variable,
    default_queue,
    innermost_device_context,
)
from ._offload.hook import ON_SERIAL
from ._offload.hook import install as install_hook
from .errors import InvalidValueError

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


class device_context(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Makes a queue the current one for a block, in the thread or asyncio task that runs the block.

    ``target`` is a :class:`Queue`, a :class:`Device` or a filter string; the block gets the queue::

        with hither.device_context("cpu") as queue:
            axpy[n](2.0, numpy_x, numpy_y)

    ``on_serial`` says what becomes of Numba functions that say ``parallel=False``: "error",
    "ignore" the flag, run them on the "host", or each of their regions as a "single_task".
    Parallel regions with fewer iterations than ``keep_below``, for which copies and a launch would
    not pay, run on the host's cores; by default 0 on a CPU, 256 elsewhere. 0 offloads all.
    ``results="dparray"`` makes dparrays of the arrays that Numba functions make and return; with
    None they are so where an argument is one, or where the function's globals bind
    :mod:`hither.dparray`, and plain NumPy arrays elsewhere. A kernel whose arrays are on a queue
    that is not equivalent to the context's runs on theirs, with a :class:`PlacementWarning`; with
    ``always_warns`` the warning comes for every kernel whose arrays have a queue.

    Contexts nest; the one around is restored when a block ends, by an exception too. A task that is
    started inside a block keeps the context. One object may be entered many times and by many
    threads. Also a decorator of functions.

    Raises when made, not when entered: ValueError or TypeError if ``target`` names no device.
    Leaving it raises ValueError, and closes it all the same, when another one that was entered
    inside of it is still open, or when it is not open in this thread or task.
    """

    def __init__(
        self,
        target: Any = None,
        *,
        on_serial: str = "error",
        keep_below: int | None = None,
        results: str | None = None,
        always_warns: bool = False,
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
        if results not in (None, "dparray"):
            raise InvalidValueError("results", f'is {results!r}; it is "dparray" or None')
        self.on_serial, self.results, self.always_warns = on_serial, results, bool(always_warns)

    def __enter__(self) -> Queue:
        install_hook()
        context_variable.set(
            OpenContext(
                self.queue,
                self,
                context_variable.get(),
                on_serial=ON_SERIAL.index(self.on_serial),
                keep_below=self.keep_below,
                always_warns=self.always_warns,
                dparray_results=self.results == "dparray",
            )
        )
        return self.queue

    def __exit__(
        self,
        exception_type: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        top = context_variable.get()
        context_variable.set(without(top, self))
        if top is None or top.owner is not self:
            raise InvalidValueError("device_context.__exit__", _out_of_order(top, self))

    def __repr__(self) -> str:
        return f"<hither.device_context of {self.queue!r}>"


def without(top: OpenContext | None, owner: object) -> OpenContext | None:
    """The stack without the innermost entry that ``owner`` opened: the top one, if blocks were left
    in order."""
    if top is None or top.owner is owner:
        return top and top.previous
    return top.after(without(top.previous, owner))


def _out_of_order(top: OpenContext | None, left: device_context) -> str:
    inner = top
    while inner is not None and inner.owner is not left:
        inner = inner.previous
    if inner is None or top is None:
        return (
            f"{left!r} is not open in this thread or task: leave a context where it was entered, "
            "and once"
        )
    return (
        f"{left!r} was left while {top.owner!r}, entered inside of it, is open: leave the inner "
        "one first (a generator that waits inside a `with` block keeps its context open)"
    )


offload_to_sycl_device = device_context


def get_context() -> OpenContext | None:
    """The innermost device context, or None outside of all.

    The :class:`OpenContext` has the block's ``queue``, ``device`` and ``context``, its ``owner``
    (the :class:`device_context`) and the one around it, ``previous``.
    """
    return innermost_device_context()


def current_queue() -> Queue:
    """The queue of the innermost device context or :class:`QueueManager` block, else that of the
    default device."""
    return context_queue() or default_queue()
