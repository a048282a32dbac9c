"""Default queues of packages, by which users choose where a package computes."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from ._device_context import current_queue, without
from ._hither import OpenContext, context_variable, default_queue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ._hither import Queue

__all__ = ["QueueManager", "shared_queues"]


class QueueBlock(contextlib.ContextDecorator):
    """The result of :meth:`QueueManager.current`: ``queue`` is the default inside the block."""

    def __init__(self, manager: QueueManager, queue: Queue) -> None:
        self.manager = manager
        self.queue = queue

    def __enter__(self) -> Queue:
        around = context_variable.get()
        context_variable.set(OpenContext(self.queue, self, around, is_device_context=False))
        return self.queue

    def __exit__(self, *error: object) -> None:
        top = context_variable.get()
        if all(entry.owner is not self for entry in _entries(top)):
            raise RuntimeError(
                "this block of a QueueManager was not entered in this thread or task, or has ended"
            )
        context_variable.set(without(top, self))


def _entries(top: OpenContext | None) -> Iterator[OpenContext]:
    """The stack of blocks and device contexts, innermost first."""
    while top is not None:
        yield top
        top = top.previous


class QueueManager:
    """The default queue of one package, for allocations and computations.

    A package creates one and exports its methods as functions::

        queues = hither.QueueManager()
        set_default_queue, current = queues.set_default_queue, queues.current

        def allocate(shape, queue=None):
            return hither.empty(shape, queue=queues.queue(queue))

    Packages with a common default share one object, :data:`shared_queues` or another one. A default
    set by :meth:`set_default_queue` applies to this manager only. The blocks of all managers and
    hither's device contexts form one stack per thread or asyncio task: inside a block, hither's
    creation functions, and ``copy_to()`` without arguments, use its queue too.

    The result of :meth:`queue` is the first of these that exists: its argument; the innermost of
    this manager's blocks, or of the device contexts inside it; the manager's default, for all
    threads; the innermost block of any manager or device context; the default device's queue.

    ``default`` is a :class:`Queue`, a :class:`Device` or a filter string, or None.
    """

    def __init__(self, default: Any = None) -> None:
        self._default: Queue | None = None
        if default is not None:
            self.set_default_queue(default)

    def queue(self, target: Any = None) -> Queue:
        """The queue to allocate on or to compute on. It is ``target``'s queue unless that is
        None."""
        if target is not None:
            return default_queue(target)
        return self._block_queue() or self._default or current_queue()

    def _block_queue(self) -> Queue | None:
        inner: Queue | None = None  # the queue of the innermost device context
        for entry in _entries(context_variable.get()):
            if entry.is_device_context:
                inner = inner or entry.queue
            elif entry.owner.manager is self:
                return inner or entry.queue
        return None

    def set_default_queue(self, target: Any) -> None:
        """Makes ``target``'s queue the default for the rest of the program, in every thread.

        ``target`` is a queue, a device or a filter string; None removes the default. Raises
        ValueError or TypeError, without a change, if it names no device.
        """
        self._default = None if target is None else default_queue(target)

    def current(self, target: Any) -> QueueBlock:
        """Makes ``target``'s queue the default for a block, in the thread or task that runs it.

        Blocks nest. The outer block becomes current when a block ends, also by an exception. One
        object may be entered again, also inside its own block. If blocks end in another order, the
        last entered block that has not ended is current.
        """
        return QueueBlock(self, default_queue(target))


shared_queues: QueueManager = QueueManager()
"""A manager for packages that have no manager of their own."""
