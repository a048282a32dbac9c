"""Default queues of packages: how an author lets users say where the package computes."""

from __future__ import annotations

import contextlib
import contextvars
from typing import TYPE_CHECKING, Any

from ._hither import default_queue
from .device_context import current_queue

if TYPE_CHECKING:
    from ._hither import Queue

__all__ = ["QueueManager", "shared_queues"]


class QueueBlock(contextlib.ContextDecorator):
    """What :meth:`QueueManager.current` gives: ``queue`` is the default while it is entered."""

    def __init__(
        self, blocks: contextvars.ContextVar[tuple[QueueBlock, ...]], queue: Queue
    ) -> None:
        self._blocks = blocks
        self.queue = queue

    def __enter__(self) -> Queue:
        self._blocks.set((*self._blocks.get(), self))
        return self.queue

    def __exit__(self, *error: object) -> None:
        blocks = list(self._blocks.get())
        for at in reversed(range(len(blocks))):
            if blocks[at] is self:
                del blocks[at]
                self._blocks.set(tuple(blocks))
                return
        raise RuntimeError(
            "this block of a QueueManager was not entered in this thread or task, or has ended"
        )


class QueueManager:
    """Where one package allocates and computes when nothing else says so.

    A package makes one and offers its methods as functions of its own::

        queues = hither.QueueManager()
        set_default_queue, current = queues.set_default_queue, queues.current

        def allocate(shape, queue=None):
            return hither.empty(shape, queue=queues.queue(queue))

    Packages that want to be led together use one object, :data:`shared_queues` or their own.
    A manager rules nobody else: neither other managers nor hither's device contexts.

    What :meth:`queue` says, the first that there is: its argument; the innermost :meth:`current`
    block of this thread or asyncio task; what :meth:`set_default_queue` set, for all threads;
    the queue of the device context, else that of the default device.

    ``default`` is a :class:`Queue`, a :class:`Device` or a filter string, or None.
    """

    def __init__(self, default: Any = None) -> None:
        self._default: Queue | None = None
        self._blocks: contextvars.ContextVar[tuple[QueueBlock, ...]] = contextvars.ContextVar(
            "hither.QueueManager", default=()
        )
        if default is not None:
            self.set_default_queue(default)

    def queue(self, target: Any = None) -> Queue:
        """The queue to allocate on or to compute on; ``target``'s, where a user gave one."""
        if target is not None:
            return default_queue(target)
        if blocks := self._blocks.get():
            return blocks[-1].queue
        return self._default or current_queue()

    def set_default_queue(self, target: Any) -> None:
        """Makes ``target``'s queue the default for the rest of the program, in every thread.

        ``target`` is a queue, a device or a filter string; None leaves the choice to hither again.
        Raises ValueError or TypeError, and changes nothing, if it names no device.
        """
        self._default = None if target is None else default_queue(target)

    def current(self, target: Any) -> QueueBlock:
        """Makes ``target``'s queue the default for a block, in the thread or task that runs it.

        Blocks nest; the one around is in force again when a block ends, by an exception too. One
        object may be entered again, also inside its own block. Of blocks that end in another order
        the last entered one that has not ended is in force.
        """
        return QueueBlock(self._blocks, default_queue(target))


shared_queues = QueueManager()
"""For packages that leave the choice to one manager for all of them."""
