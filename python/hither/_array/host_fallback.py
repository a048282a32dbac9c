"""Calls of NumPy's functions on the host, for what hither does not compute on devices.

Arguments are NumPy views of the arrays' memory where the host can access it, and copies elsewhere.
Results are hither arrays on the same queue.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
import types
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import numpy as np

from .. import _hither
from .._environment import host_fallback_policy
from .._hither import Array, DirectCall, DirectMethod, asarray, asnumpy
from ..errors import (
    ExchangeError,
    InvalidTypeError,
    InvalidValueError,
    PerformanceWarning,
    UnsupportedError,
)

__all__ = ["host_fallback"]

POLICIES = ("warn", "error", "silent")
# The dtypes of NumPy that arrays can hold, as characters.
DTYPES = frozenset("?bhilqBHILQefdFD")
ML_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2")

_policies: ContextVar[tuple[str, ...]] = ContextVar("hither_host_fallback", default=())
_FUNCTIONS = (types.FunctionType, types.MethodType, DirectCall, DirectMethod)
_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
_lock = threading.Lock()
_warned: set[str] = set()


class host_fallback(contextlib.ContextDecorator):  # noqa: N801 - used like a function
    """Determines, for a block, what happens when a function runs by NumPy on the host.

    ``policy`` is "warn" (the default of a process: one PerformanceWarning for each function if
    elements are copied), "silent", or "error": UnsupportedError for every such call, whether or
    not the host can access the memory. It applies to the thread or asyncio task that runs the
    block. HITHER_HOST_FALLBACK sets the policy of a process::

        with hither.host_fallback("error"):
            step(x)  # raises if a part of it does not run on the device of x
    """

    def __init__(self, policy: str) -> None:
        self.policy: str = _checked("host_fallback", policy)

    def __enter__(self) -> None:
        _policies.set((*_policies.get(), self.policy))

    def __exit__(self, *raised: Any) -> None:
        _policies.set(_policies.get()[:-1])


def _checked(where: str, policy: str) -> str:
    if policy not in POLICIES:
        raise InvalidValueError(where, f"{policy!r} is none of {', '.join(map(repr, POLICIES))}")
    return policy


def _policy() -> str:
    stack = _policies.get()
    if stack:
        return stack[-1]
    return _checked("HITHER_HOST_FALLBACK", host_fallback_policy())


def refuse_dtype(where: str, dtype: np.dtype) -> None:
    """Raises TypeError if hither's arrays cannot hold `dtype`."""
    if dtype.char not in DTYPES and not (dtype.isbuiltin == 2 and dtype.name in ML_DTYPES):
        raise InvalidTypeError(
            where,
            f"{dtype} is a dtype of NumPy alone; hither's arrays hold bool, integers, float16 to "
            f"float64, complex64, complex128, {', '.join(ML_DTYPES)}. Use numpy for such data",
        )


def _full_name(name: str, function: Any) -> str:
    """The name of a function, with its package."""
    owner = getattr(function, "__self__", function)  # the ufunc of a method
    for package in ("numpy", "scipy.special"):
        if getattr(sys.modules.get(package), name.partition(".")[0], None) is owner:
            return f"{package}.{name}"
    if not hasattr(owner, "nin"):
        return f"numpy.{name}"
    own = getattr(owner, "package", None)  # a ufunc of another package
    return name if own is None else f"{own}.{name}"


def _level_of_caller() -> int:
    """stacklevel= of a warning for the line outside of hither that made the call."""
    frame: types.FrameType | None = sys._getframe(1)
    level = 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    return level


def _as_numpys(value: Any) -> Any:
    if type(value) in (list, tuple):
        return type(value)(map(_as_numpys, value))
    return asnumpy(value) if isinstance(value, Array) else value


class HostCall:
    """One call of a function of NumPy: its arguments as NumPy's arrays, its results as hither's."""

    def __init__(
        self, name: str, function: Any, like: Array | None, queue: Any, usm_type: Any
    ) -> None:
        self.name, self.full_name = name, _full_name(name, function)
        self.queue = queue if queue is not None else like.queue if like is not None else None
        self.usm_type = usm_type or (like.usm_type if like is not None else None)
        self.given: dict[int, tuple[Array, np.ndarray, bool]] = {}
        self.bytes = 0
        self.items = 0

    def to_host(self, value: Any) -> Any:
        """The value with NumPy's arrays instead of hither's, also inside of sequences."""
        if isinstance(value, Array):
            return self._view(value)
        if type(value) in (list, tuple):
            return type(value)(map(self.to_host, value))
        if type(value) is dict:
            return {key: self.to_host(item) for key, item in value.items()}
        if type(value) is slice:
            return slice(*map(self.to_host, (value.start, value.stop, value.step)))
        numpys = getattr(value, "numpy_ufunc", None)
        if numpys is not None:
            return numpys
        return self._callback(value) if isinstance(value, _FUNCTIONS) else value

    def _view(self, x: Array) -> np.ndarray:
        for array, view, _ in self.given.values():
            if array is x:
                return view
        try:
            view, copied = np.asarray(x), False
        except ExchangeError:
            view, copied = asnumpy(x), True
            self.bytes += x.nbytes
        self.items = max(self.items, x.size)
        self.given[id(view)] = x, view, copied
        return view

    def _callback(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A function for NumPy to call, which calls `function` with hither's arrays."""

        def called(*args: Any, **kwargs: Any) -> Any:
            result = function(
                *map(self._argument, args), **{k: self._argument(v) for k, v in kwargs.items()}
            )
            return _as_numpys(result)

        return called

    def _argument(self, value: Any) -> Any:
        return self.to_device(value) if isinstance(value, np.ndarray) else value

    def to_device(self, value: Any) -> Any:
        """The value with hither's arrays instead of NumPy's, also inside of sequences."""
        if isinstance(value, (np.ndarray, np.generic)):
            known = self.given.get(id(value))
            if known is not None:
                return known[0]
            array = np.asarray(value)
            refuse_dtype(self.name, array.dtype)
            self.items = max(self.items, array.size)
            if any(copied for _, _, copied in self.given.values()):
                self.bytes += array.nbytes
            return asarray(array, queue=self.queue, usm_type=self.usm_type, copy=True)
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(self.to_device, value))
        if type(value) in (list, tuple):
            return type(value)(map(self.to_device, value))
        return value

    def write_back(self) -> None:
        """Copies to the device what the function wrote to copies."""
        for array, view, copied in self.given.values():
            if copied and array.flags.writeable:
                self.bytes += array.nbytes
                array[...] = asarray(view, queue=array.queue)

    def report(self, seconds: float, made: Any) -> None:
        """Records the call, which made the arrays in `made`, and warns once for each function that
        copied elements."""
        device = self.queue.device.filter_string if self.queue is not None else "host"
        name = self.full_name
        _hither.record_host_call(name, device, self.items, self.bytes, seconds)
        for array in arrays_in(made):
            _hither.note_host_work(
                array,
                f"{name} has run over {self.items} elements of {device}; {self.bytes} bytes copied",
            )
        if not self.bytes or _policy() != "warn":
            return
        with _lock:
            first = name not in _warned
            _warned.add(name)
        if first:
            warnings.warn(
                f"{name} runs on the host: {self.bytes} bytes were copied between "
                f"{device} and the host. hither.host_fallback chooses what happens",
                PerformanceWarning,
                stacklevel=_level_of_caller(),
            )


def arrays_in(value: Any) -> Iterator[Array]:
    """The hither arrays among a value and the items of its sequences."""
    if isinstance(value, Array):
        yield value
    elif type(value) in (list, tuple):
        for item in value:
            yield from arrays_in(item)
    elif type(value) is dict:
        yield from arrays_in(list(value.values()))


def run_on_host(
    name: str,
    function: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    *,
    queue: Any = None,
    usm_type: Any = None,
    writes: bool = False,
) -> Any:
    """The result of a function of NumPy, which runs on the host, with arrays on the queue of the
    arguments, or on `queue`. With `writes`, what it writes to its arguments is written back."""
    kwargs = kwargs or {}
    if _policy() == "error":
        raise UnsupportedError(
            name,
            "hither does not compute this call on the device, and hither.host_fallback or "
            "HITHER_HOST_FALLBACK forbids NumPy's function on the host",
        )
    like = next(arrays_in((args, kwargs)), None)
    call = HostCall(name, function, like, queue, usm_type)
    start = time.perf_counter()
    result = function(*call.to_host(args), **call.to_host(kwargs))
    if writes or kwargs.get("out") is not None:
        call.write_back()
    result = call.to_device(result)
    call.report(time.perf_counter() - start, (result, args[0]) if writes else result)
    return result
