"""@hither.device_func: functions that kernels call."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any


class DeviceFunction:
    """A Python function that kernels and other device functions may call.

    It is compiled for each combination of argument types that it is called with, and inlined.
    """

    def __init__(self, py_func: Callable, signatures: Sequence[str] = ()):
        functools.update_wrapper(self, py_func)
        self.py_func = py_func
        self.signatures = tuple(signatures)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError(
            f"{self.py_func.__name__} is a device function: only kernels can call it "
            f"({self.py_func.__name__}.py_func is the Python function)"
        )

    def __repr__(self) -> str:
        return f"<hither.device_func {self.py_func.__qualname__}>"


def device_func(function: Any = None) -> Any:
    """Makes a function callable from kernels.

    The decorator takes no argument, a signature or a list of signatures:
    `@hither.device_func("f8(f8, f8)")`, or Numba's `float64(float64, float64)`. With signatures,
    arguments are converted to their types. Errors are raised when a kernel is compiled.
    """
    if function is None or not callable(function):
        return functools.partial(DeviceFunction, signatures=signature_texts(function))
    return DeviceFunction(function)


def signature_texts(given: Any) -> tuple[str, ...]:
    """The texts of a signature or a list of signatures, which may be Numba's objects."""
    if given is None:
        return ()
    if isinstance(given, str):
        return (given,)
    if isinstance(given, (list, tuple)) and all(isinstance(text, str) for text in given):
        return tuple(given)
    from ..numba.signature import text_of

    return tuple(map(text_of, given if isinstance(given, list) else [given]))
