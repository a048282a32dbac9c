"""Modules whose functions can be bound to a queue: hither.blas, lapack, linalg, fft, random."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from .._device_context import current_queue
from .._hither import default_queue
from .._interop.pickled_names import module_by_name
from .._names import missing_attribute
from .._queue_manager import QueueManager

if TYPE_CHECKING:
    from .._hither import Queue

__all__: list[str] = []


class LibraryModule(types.ModuleType):
    """A module of functions that take ``queue=``. Calling it returns them bound to a queue."""

    def __call__(self, queue: Any = None) -> Library:
        """The module's functions, bound to ``queue``; see :class:`Library`."""
        return Library(self, queue)

    def __reduce__(self) -> tuple[Any, ...]:
        return module_by_name(self)

    def __getattr__(self, name: str) -> Any:
        raise missing_attribute(self.__name__, name, vars(self).get("__all__", ()))


class Library:
    """The functions of a module, bound to a queue::

        lapack = hither.lapack(queue="gpu:1")
        u, s, vh = lapack.svd(a)

    ``queue`` is a queue, a device or a filter string: every function runs there, regardless of
    defaults and contexts, and refuses arrays that the queue cannot access. It may be a
    :class:`QueueManager`, which provides the queue of each call. With None no queue is bound: the
    arrays determine it, else the device context. ``queue=`` at a call has precedence.

    The constructor raises ValueError or TypeError if ``queue`` names no device.
    """

    def __init__(self, module: types.ModuleType, queue: Any = None) -> None:
        self._module = module
        self._target = (
            queue if queue is None or isinstance(queue, QueueManager) else default_queue(queue)
        )

    @property
    def queue(self) -> Queue:
        """The queue of calls. If no queue is bound, the queue of calls without data."""
        if self._target is None:
            return current_queue()
        return self._target.queue() if isinstance(self._target, QueueManager) else self._target

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # copy reads such names before the copy has a module
            raise AttributeError(name)
        if name not in self._module.__all__:
            raise AttributeError(f"{self._module.__name__} has no function {name!r}")
        function = getattr(self._module, name)

        @functools.wraps(function)
        def bound(*arguments: Any, **keywords: Any) -> Any:
            if keywords.get("queue") is None and self._target is not None:
                keywords["queue"] = self.queue
            return function(*arguments, **keywords)

        return bound

    def __dir__(self) -> list[str]:
        return ["queue", *self._module.__all__]

    def __repr__(self) -> str:
        where = "the queue of the arrays" if self._target is None else repr(self._target)
        return f"<{self._module.__name__} on {where}>"
