"""@hither.kernel and @hither.device_func."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable
from typing import Any, overload

from .._hither import KernelDispatcher
from .work_item import Item


class DeviceFunction:
    """A Python function that kernels, and other device functions, may call.

    It is typed and compiled for each combination of argument types it is called with, and inlined.
    """

    def __init__(self, py_func: Callable):
        functools.update_wrapper(self, py_func)
        self.py_func = py_func

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{self.py_func.__name__} is a device function: only kernels can call it "
            f"({self.py_func.__name__}.py_func is the Python function)"
        )

    def __repr__(self) -> str:
        return f"<hither.device_func {self.py_func.__qualname__}>"


def device_func(function: Callable) -> DeviceFunction:
    """Makes a function callable from kernels. Decorate with it; errors appear when a kernel is
    compiled."""
    if not callable(function):
        raise TypeError("device_func decorates a function: @hither.device_func above its def")
    return DeviceFunction(function)


@overload
def kernel(function: Callable) -> KernelDispatcher: ...
@overload
def kernel(
    *, debug: bool | None = None, fastmath: bool = False
) -> Callable[[Callable], KernelDispatcher]: ...
def kernel(
    function: Callable | None = None, *, debug: bool | None = None, fastmath: bool = False
) -> Any:
    """Makes a Python function a kernel: its body runs once for every work-item of a range.

    `f[n](...)`, `f[n, m](...)`, `f[hither.Range(n)](...)` and `f[hither.NdRange(g, l)](...)`
    launch it over a range, `f(...)` over the shape of its first array argument. The queue is the
    arrays' own (computation follows data); NumPy arrays need a `device_context` around the call,
    or `queue=`, are copied there and back, and the call returns when they are. Otherwise launches
    do not wait.

    The function is compiled when it is first called with arguments of new types. `debug` checks
    every index (default: the environment variable HITHER_DEBUG); an error inside a kernel is
    raised by the event, by `queue.wait()` and by reads of the arrays it writes. `fastmath` lets
    floating-point arithmetic be reordered.

    Raises, at the call: CompileError if the body cannot be a kernel, PlacementError if the
    arguments name no queue or several, TypeError for wrong arguments.
    """
    if function is None:
        return functools.partial(kernel, debug=debug, fastmath=fastmath)
    if not callable(function) or not hasattr(function, "__code__"):
        raise TypeError("kernel decorates a Python function: @hither.kernel above its def")
    if debug is None:
        debug = os.environ.get("HITHER_DEBUG", "0") not in ("", "0")
    names, defaults = _parameters_of(function)
    return KernelDispatcher(function, names, defaults, debug=debug, fastmath=fastmath)


def _parameters_of(function: Callable) -> tuple[list[str], dict[str, Any]]:
    """Names that a launch passes, and the defaults of those that have one."""
    parameters = list(inspect.signature(function).parameters.values())
    for parameter in parameters:
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            raise TypeError(
                f"{function.__name__}: a kernel's parameters are positional; {parameter} is not"
            )
    passed = parameters[1:] if takes_item(function) else parameters
    defaults = {p.name: p.default for p in passed if p.default is not p.empty}
    return [p.name for p in passed], defaults


def takes_item(function: Callable) -> bool:
    """Is the first parameter the work-item itself?"""
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        return False
    annotation = parameters[0].annotation
    if isinstance(annotation, str):
        return annotation.rpartition(".")[2] == "Item"
    return annotation is Item
