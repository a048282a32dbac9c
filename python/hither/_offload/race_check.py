"""HITHER_CHECK=races for offloaded functions.

A call in a device context first runs the Python function, in which each iteration of a prange loop
is an item, and raises KernelError for a data race. It then restores the arrays and runs as usual.
"""

from __future__ import annotations

import ast
import contextlib
import ctypes
import inspect
import random
import sys
import textwrap
import threading
import warnings
from collections.abc import Iterator
from types import FrameType
from typing import Any

import numpy as np

from .._hither import Array
from .._kernel.simulation.group import Place, run_item, running
from .._kernel.simulation.kernel import HostArrays, leaves
from .._kernel.simulation.races import Watch
from ..errors import KernelError

# Types of arguments that are immutable or restored after the check, besides functions.
_RESTORED = (
    bool, int, float, complex, str, bytes, type, slice, type(None), np.generic, np.dtype,
    np.ndarray, Array,
)  # fmt: skip
_state = threading.local()
_warned: set[Any] = set()


class _LoopWatch(Watch):
    """The accesses to arrays during one prange loop."""

    items = "iterations"
    advice = (
        "let each iteration write elements of its own, or sum up into a number or a whole array "
        "(total += v), which is a reduction"
    )

    def argument(self, name: str, value: Any) -> Any:
        if type(value) is list:  # other variables may refer to it
            value[:] = [self.argument(f"{name}[{i}]", item) for i, item in enumerate(value)]
            return value
        if isinstance(value, np.ndarray) and not value.dtype.fields:
            value = value.view(np.ndarray)  # and not of a former loop's watch
        return super().argument(name, value)


def install(dispatcher_class: Any) -> None:
    """Makes calls of the versions of Numba's functions for device contexts check for races."""
    numba_call = dispatcher_class.__call__

    def call(self: Any, *arguments: Any, **keywords: Any) -> Any:
        if getattr(self, "single_task", True):  # or it is of another class, without the attribute
            return numba_call(self, *arguments, **keywords)
        if _checked() is not None:
            with _same_closure(self.py_func):
                return self.py_func(*arguments, **keywords)
        reason = _check(self, arguments, keywords)
        result = numba_call(self, *arguments, **keywords)
        if reason is not None:  # an exception of the program has been raised before
            _warn(self.py_func, reason)
        return result

    dispatcher_class.__call__ = call


def _checked() -> str | None:
    """The function that this thread is checking, if any."""
    return getattr(_state, "function", None)


def _check(dispatcher: Any, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> str | None:
    """Runs the Python function, and restores its arguments. Returns why that was not possible."""
    from numba.misc.special import pndindex, prange

    setattr(prange, "__new__", staticmethod(_prange))  # noqa: B010 - for mypy
    pndindex.__code__ = _pndindex.__code__
    values = [*arguments, *keywords.values()]
    for leaf in leaves(values):
        if not isinstance(leaf, _RESTORED) and not hasattr(leaf, "py_func"):
            return f"the state of a {type(leaf).__name__} cannot be restored"
    host = HostArrays()
    given = [host.of(value) for value in values]
    arrays = [leaf for leaf in leaves(given) if isinstance(leaf, np.ndarray)]
    before = [(array, array.copy()) for array in arrays if array.flags.writeable]
    lists = [(found, list(found)) for found in _lists(tuple(values))]
    states = np.random.get_state(), random.getstate()
    _state.function = dispatcher.py_func.__qualname__
    count = len(arguments)
    try:
        with np.errstate(all="ignore"), _same_closure(dispatcher.py_func):
            dispatcher.py_func(*given[:count], **dict(zip(keywords, given[count:], strict=True)))
    except KernelError:
        raise
    except Exception as error:
        return repr(error)
    finally:
        _state.function = None
        run_item(None)
        np.random.set_state(states[0])
        random.setstate(states[1])
        for array, elements in before:
            array[...] = elements
        for items, former in lists:
            items[:] = former
    return None


def _lists(value: Any) -> Iterator[list[Any]]:
    """The lists in an argument."""
    if type(value) is list:
        yield value
    if isinstance(value, (tuple, list)):
        for item in value:
            yield from _lists(item)


@contextlib.contextmanager
def _same_closure(function: Any) -> Iterator[None]:
    """Restores the variables of enclosing functions, which loops replace by watched arrays."""
    before = [(cell, cell.cell_contents) for cell in function.__closure__ or ()]
    try:
        yield
    finally:
        for cell, content in before:
            cell.cell_contents = content


def _warn(function: Any, reason: str) -> None:
    if function not in _warned:
        _warned.add(function)
        code = function.__code__
        warnings.warn_explicit(
            f"{function.__qualname__} runs without a check for data races, because it cannot run "
            f"as a Python function: {reason}",
            UserWarning,
            code.co_filename,
            code.co_firstlineno,
        )


def _ends_early(frame: FrameType) -> bool:
    """Whether the loop that begins in the frame's line has an exit, so that it is not parallel."""
    try:
        lines, first = inspect.getsourcelines(frame.f_code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError):
        return False
    return any(
        isinstance(node, ast.For) and node.lineno + first - 1 == frame.f_lineno and _has_exit(node)
        for node in ast.walk(tree)
    )


def _has_exit(node: ast.AST, outermost: bool = True) -> bool:
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Return) or (outermost and isinstance(inner, ast.Break)):
            return True
        is_loop = isinstance(inner, (ast.For, ast.While))
        if not isinstance(inner, (ast.FunctionDef, ast.Lambda)) and _has_exit(
            inner, outermost and not is_loop
        ):
            return True
    return False


def _prange(_: type, *limits: int) -> range | Iterator[int]:
    """numba.prange in Python functions. The outermost loop is parallel."""
    indices = range(*limits)
    return watched(indices, (len(indices),), sys._getframe(1))


def _pndindex(*shape: Any) -> Any:
    """numba.pndindex in Python functions, which runs in Numba's module."""
    import sys

    import numpy

    from hither._offload.race_check import watched

    sizes = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    return watched(numpy.ndindex(*shape), sizes, sys._getframe(1))


def watched(indices: Any, sizes: tuple[int, ...], frame: FrameType) -> Any:
    """The indices of a loop over a range of these sizes, which is the outermost if it is parallel.

    While a function is checked, each index is an item. frame: that of the loop.
    """
    function = _checked()
    if function is None or running() is not None or _ends_early(frame):
        return indices
    watch = _LoopWatch(function)
    variables = frame.f_locals
    for name, value in list(variables.items()):
        variables[name] = watch.argument(name, value)
    # Before Python 3.13, f_locals is a copy of the variables.
    ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))
    return _items(function, indices, sizes)


def _items(function: str, indices: Any, sizes: tuple[int, ...]) -> Iterator[Any]:
    try:
        for index in indices:
            place = index if isinstance(index, tuple) else (index,)
            run_item(Place(function, place, sizes, (0,) * len(place), (1,) * len(place), []))
            yield index
    finally:
        run_item(None)
