"""Tasks of Dask that end when their results are there.

hither's operations are lazy. Without this, a task would return a pending array, and the time, the
memory and the errors of its operations would belong to the task that reads it first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from dask._task_spec import Alias, DataNode, GraphNode, Task
from dask.callbacks import Callback

from .._device_context import device_context
from .._hither import Array, copy, synchronize
from ..errors import Error, PlacementError
from .arrivals import home

__all__: list[str] = []


_CONTAINERS = (list, tuple, set, frozenset, dict)
_MOST_PARTS = 1000


def _arrays_in(value: Any, depth: int = 3) -> Iterator[Array]:
    """The arrays in a result and in its containers, but for containers of many parts and those
    inside of three others: most results are not hither's, and examining them takes time."""
    if isinstance(value, Array):
        yield value
    elif depth and isinstance(value, _CONTAINERS) and len(value) <= _MOST_PARTS:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _arrays_in(part, depth - 1)


def evaluated(value: Any) -> Any:
    """The value, when the arrays in it have their elements. Raises the error of an array that has
    failed."""
    arrays = list(_arrays_in(value))
    if arrays:
        synchronize(*arrays)
    return value


def compact(value: Any) -> Any:
    """An array of its own instead of a view of less than half of another array, which would stay
    in memory for it."""
    if type(value) is not Array or value.base is None or value.base.nbytes <= 2 * value.nbytes:
        return value
    return copy(value)


def _value(x: Any) -> Any:
    return x


class EvaluatedTask(Task):
    """A task that computes another node of a graph, and evaluates the arrays in the result."""

    __slots__ = ()

    def _run(self, values: Any) -> Any:
        try:
            return super().__call__(values)
        except PlacementError as error:
            if "in host memory" not in error.message:
                raise
            message = f"{error.message}. For arrays of Dask, use x.to_backend('hither')"
            raise PlacementError(error.where, message) from error

    def __call__(self, values: Any = ()) -> Any:
        queue = home()
        if queue is None:
            return evaluated(self._run(values))
        with device_context(queue):
            try:
                result = evaluated(compact(self._run(values)))
            except BaseException:
                # The queue has not reported the error of a kernel that an array reported. The next
                # task would get it.
                with contextlib.suppress(Error):
                    queue.wait()
                raise
            queue.wait()  # also for kernels that write to no array of the result
            return result


def evaluating(node: GraphNode, kind: type[EvaluatedTask] = EvaluatedTask) -> GraphNode:
    """The node for a scheduler to compute in place of another one, with the same result."""
    if isinstance(node, (EvaluatedTask, DataNode, Alias)) or getattr(node, "is_coro", False):
        return node
    return kind(node.key, _value, node, _data_producer=node.data_producer)


def _replace(graph: dict[Any, Any], state: Any) -> None:
    for key, node in graph.items():
        if isinstance(node, GraphNode):
            graph[key] = evaluating(node)


_callback = Callback(start_state=_replace)


def register() -> None:
    """Makes the schedulers in this process (threads, synchronous, processes) evaluate."""
    _callback.register()
