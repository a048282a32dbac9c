"""numba_dpex.dpjit: functions of arrays whose loops run on the arrays' queue."""

from __future__ import annotations

import dis
import functools
import threading
from collections.abc import Callable, Iterator
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

import hither

__all__ = ["DpjitFunction", "dpjit"]

_HOST_ONLY = ("debug", "cache", "error_model", "fastmath", "inline", "parallel", "nogil")
_making = threading.RLock()


class DpjitFunction:
    """A function that runs on the queue of its array arguments, or on a queue argument.

    A function without a loop is called as Python code, because operations on arrays are kernels
    anyway. A function with a loop is compiled by Numba, with NumPy in place of ``dpnp``, and its
    parallel regions are offloaded to the queue. Arrays that it creates are returned as hither's
    arrays on the queue. Without arrays and queues among the arguments, the current queue is used.
    Raises PlacementError if array arguments are on queues that are not equivalent.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self.py_func = function
        self._options = {k: v for k, v in options.items() if k in _HOST_ONLY and k != "parallel"}
        self._dispatcher: Any = None
        functools.update_wrapper(self, function)

    @property
    def dispatcher(self) -> Any:
        """The Numba function, in which dpnp is replaced by NumPy and dpjit functions by Numba's."""
        with _making:
            if self._dispatcher is None:
                self._make_dispatcher()
            return self._dispatcher

    def _make_dispatcher(self) -> None:
        import numba

        function = self.py_func
        scope = dict(function.__globals__)
        cells = tuple(CellType() for _ in function.__closure__ or ())
        made = FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, cells or None
        )
        self._dispatcher = numba.njit(**self._options)(functools.update_wrapper(made, function))
        # After the dispatcher is made, because functions may call themselves and each other.
        for name in _names(function.__code__):
            if name in scope:
                scope[name] = _inside(scope[name])
        for cell, outer_cell in zip(cells, function.__closure__ or (), strict=True):
            cell.cell_contents = _inside(outer_cell.cell_contents)

    @functools.cached_property
    def has_loop(self) -> bool:
        """Whether the function, or one that it calls, contains a backward jump."""
        return any(
            "JUMP_BACKWARD" in instruction.opname
            for instruction in dis.get_instructions(self.py_func)
        )

    def _calls_a_loop(self) -> bool:
        reached = [self]
        for function in reached:  # the loop appends to it
            if function.has_loop:
                return True
            for value in _named_by(function.py_func):
                if isinstance(value, DpjitFunction) and value not in reached:
                    reached.append(value)
        return False

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if not self._calls_a_loop():
            return self.py_func(*arguments, **keywords)
        queue = _queue_of((*arguments, *keywords.values()))
        with hither.device_context(queue):
            result = self.dispatcher(*arguments, **keywords)
        return _on_queue(result, queue)


def dpjit(function: Any = None, **options: Any) -> Any:
    """Decorator without arguments, or with options of Numba's jit."""
    if function is None or not callable(function):
        return functools.partial(DpjitFunction, **options)
    return DpjitFunction(function, **options)


def _queue_of(arguments: tuple[Any, ...]) -> hither.Queue:
    arrays = [a for a in arguments if isinstance(a, hither.Array)]
    for other in arrays[1:]:
        if not other.queue.equivalent(arrays[0].queue):
            raise hither.PlacementError(
                "dpjit", f"arrays are on {arrays[0].queue} and on {other.queue}"
            )
    queues = [a for a in arguments if isinstance(a, hither.Queue)]
    return arrays[0].queue if arrays else queues[0] if queues else hither.current_queue()


def _on_queue(result: Any, queue: hither.Queue) -> Any:
    if isinstance(result, tuple):
        return tuple(_on_queue(one, queue) for one in result)
    return hither.asarray(result, queue=queue) if isinstance(result, np.ndarray) else result


def _names(code: CodeType) -> Iterator[str]:
    """The names of globals that the function and its inner functions may use."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _named_by(function: Any) -> Iterator[Any]:
    """The values of the globals and closure variables that the function uses."""
    for name in _names(function.__code__):
        if name in function.__globals__:
            yield function.__globals__[name]
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def _inside(value: Any) -> Any:
    if isinstance(value, ModuleType) and value.__name__.endswith("compat.dpnp"):
        return np
    return value.dispatcher if isinstance(value, DpjitFunction) else value
