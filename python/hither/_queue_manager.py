"""Default queues of packages: how an author lets users say where the package computes."""

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
    """What :meth:`QueueManager.current` gives: ``queue`` is the default while it is entered."""

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
    """The stack of blocks and device contexts, the innermost first."""
    while top is not None:
        yield top
        top = top.previous


class QueueManager:
    """Where one package allocates and computes when nothing else says so.

    A package makes one and offers its methods as functions of its own::

        queues = hither.QueueManager()
        set_default_queue, current = queues.set_default_queue, queues.current

        def allocate(shape, queue=None):
            return hither.empty(shape, queue=queues.queue(queue))

    Packages that want to be led together use one object, :data:`shared_queues` or their own.
    A default that :meth:`set_default_queue` set is this manager's alone. The blocks of all managers
    and hither's device contexts are one stack, of a thread or asyncio task: inside a block,
    hither's functions that make arrays, and ``copy_to()`` without arguments, use its queue too.

    What :meth:`queue` says, the first that there is: its argument; the innermost of this manager's
    blocks and of the device contexts inside of it; the manager's default, for all threads; the
    innermost block or device context of anyone; the default device.

    ``default`` is a :class:`Queue`, a :class:`Device` or a filter string, or None.
    """

    def __init__(self, default: Any = None) -> None:
        self._default: Queue | None = None
        if default is not None:
            self.set_default_queue(default)

    def queue(self, target: Any = None) -> Queue:
        """The queue to allocate on or to compute on; ``target``'s, where a user gave one."""
        if target is not None:
            return default_queue(target)
        return self._block_queue() or self._default or current_queue()

    def _block_queue(self) -> Queue | None:
        inner: Queue | None = None  # of the innermost device context
        for entry in _entries(context_variable.get()):
            if entry.is_device_context:
                inner = inner or entry.queue
            elif entry.owner.manager is self:
                return inner or entry.queue
        return None

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
        return QueueBlock(self, default_queue(target))


shared_queues = QueueManager()
"""For packages that leave the choice to one manager for all of them."""
