"""The device context, which chooses the queue of work whose arguments do not determine one.

Computation follows data. A context applies to calls without data on a device: kernels with NumPy
arrays, creation functions, and Numba functions.
"""

from __future__ import annotations

import contextlib
import operator
from typing import TYPE_CHECKING, Any

from ._checked_call import checked
from ._hither import (
    OpenContext,
    context_queue,
    context_variable,
    default_queue,
    host_runs_small_regions,
    innermost_device_context,
)
from ._offload.hook import ON_SERIAL
from ._offload.hook import install as install_hook
from .errors import InvalidTypeError, InvalidValueError

if TYPE_CHECKING:
    from types import TracebackType

    from ._hither import Queue

__all__ = [
    "OpenContext",
    "check_usm_type",
    "current_queue",
    "device_context",
    "get_context",
    "offload_to_sycl_device",
]


def check_usm_type(usm_type: Any) -> None:
    """Raises InvalidValueError unless `usm_type` names a type of USM, for calls that may not make
    an array."""
    if not isinstance(usm_type, str) or usm_type not in ("device", "shared", "host"):
        raise InvalidValueError("usm_type", f'{usm_type!r} is not "device", "shared" or "host"')


class device_context(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Makes a queue the current one for a block, in the thread or asyncio task that runs the block.

    ``target`` is a :class:`Queue`, a :class:`Device` or a filter string. The context yields the
    queue::

        with hither.device_context("cpu") as queue:
            axpy[n](2.0, numpy_x, numpy_y)

    ``on_serial`` determines the treatment of Numba functions with ``parallel=False``: "error",
    "ignore" the flag, run them on the "host", or run each of their regions as a "single_task".
    Parallel regions with fewer iterations than ``keep_below`` run on the host's cores, because
    copies and a launch would cost more than they save. The default is 0 on a CPU and 256
    elsewhere; 0 offloads all regions. With None, functions on the built-in CPU device run regions
    of few operations themselves, without a launch. With ``results="dparray"``, arrays that Numba
    functions allocate and return become dparrays. With None they become dparrays if an argument is
    one, or if the function's globals contain :mod:`hither.dparray`, and are plain NumPy arrays
    otherwise. If a kernel's arrays are on a queue that is not equivalent to the context's, the
    kernel runs on the arrays' queue with a :class:`PlacementWarning`. With ``always_warns``, every
    kernel whose arrays have a queue causes the warning.

    Contexts nest. The outer context is restored when a block ends, also by an exception. A task
    that is started inside a block inherits the context. One object may be entered several times and
    by several threads. It is also a decorator of functions.
    """

    @checked
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
        self.keep_below: int
        self._kind = ON_SERIAL.index(on_serial)  # of KINDS
        if keep_below is None:
            self.keep_below = 0 if self.queue.device.device_type == "cpu" else 256
            if host_runs_small_regions(self.queue):
                self._kind += len(ON_SERIAL)
        else:
            try:
                self.keep_below = min(operator.index(keep_below), 2**63 - 1)
            except TypeError:
                raise InvalidTypeError(
                    "keep_below", f"is {keep_below!r}; pass an int, a number of iterations"
                ) from None
            if self.keep_below < 0:
                raise InvalidValueError("keep_below", f"is {keep_below}; pass 0 or more iterations")
        if results not in (None, "dparray"):
            raise InvalidValueError("results", f'is {results!r}; it is "dparray" or None')
        self.on_serial, self.results = on_serial, results
        self.always_warns: bool = bool(always_warns)

    def __enter__(self) -> Queue:
        install_hook()
        context_variable.set(
            OpenContext(
                self.queue,
                self,
                context_variable.get(),
                on_serial=self._kind,
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
        if top is not None and top.owner is self:
            context_variable.set(top.previous)
            return
        context_variable.set(without(top, self))
        raise InvalidValueError("device_context.__exit__", _out_of_order(top, self))

    def __repr__(self) -> str:
        return f"<hither.device_context of {self.queue!r}>"


def without(top: OpenContext | None, owner: object) -> OpenContext | None:
    """The stack without the innermost entry that ``owner`` opened. If blocks are left in order,
    that is the top entry."""
    if top is None or top.owner is owner:
        return top and top.previous
    return top.after(without(top.previous, owner))


def _out_of_order(top: OpenContext | None, left: device_context) -> str:
    inner = top
    while inner is not None and inner.owner is not left:
        inner = inner.previous
    if inner is None or top is None:
        return (
            f"{left!r} is not open in this thread or task: leave a context where you entered it, "
            "and once"
        )
    return (
        f"{left!r} was left while {top.owner!r}, entered inside it, is open: leave the inner "
        "one first (a generator that is suspended inside a `with` block keeps its context open)"
    )


offload_to_sycl_device = device_context


def get_context() -> OpenContext | None:
    """The innermost device context, or None outside all contexts.

    The :class:`OpenContext` has the block's ``queue``, ``device`` and ``context``, its ``owner``
    (the :class:`device_context`), and the enclosing entry, ``previous``.
    """
    return innermost_device_context()


def current_queue() -> Queue:
    """The queue of the innermost device context or :class:`QueueManager` block, or the queue of the
    default device."""
    return context_queue() or default_queue()
