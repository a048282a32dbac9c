"""Kernels that run as Python functions."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, Event, LocalAccessor, NdRange, Queue, Range, asnumpy
from ..._libraries.host_call import has_memory, place
from ...errors import InvalidTypeError, InvalidValueError, PlacementError
from ..language import decorator
from ..language.item_parameter import item_parameter
from ..language.options import CompileOptions
from .group import Launch, Place
from .language import install as install_language
from .language import shared_array
from .races import Watch

__all__ = ["HostArrays", "SimulatedKernel", "install", "launch", "leaves"]


class SimulatedKernel:
    """A kernel whose launches call its Python function for each work-item, and wait."""

    def __init__(
        self, function: Callable, names: Sequence[str], defaults: dict[str, Any], options: Any
    ) -> None:
        self.py_func = self.__wrapped__ = function
        self.options = options
        self.compile_time = 0.0
        self._names, self._defaults = list(names), defaults
        self._item = item_parameter(function)

    def __call__(self, *arguments: Any, **keywords: Any) -> None:
        self._launch(None, arguments, keywords)

    def __getitem__(self, key: Any) -> Callable[..., None]:
        given = range_of(key)
        return lambda *arguments, **keywords: self._launch(given, arguments, keywords)

    def __getattr__(self, name: str) -> Any:
        if name == "py_func":  # a copy has no function yet
            raise AttributeError(name)
        return getattr(self.py_func, name)

    def __repr__(self) -> str:
        return f"<hither.kernel {self.py_func.__qualname__}, simulated>"

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    def _compile_for(self, types: Any) -> None:
        """Nothing is compiled."""

    def _launch(
        self, given: Range | NdRange | None, positional: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        name = self.py_func.__name__
        bound, queue = self._bound(name, positional, dict(keywords))
        values = [_with_arrays(value) for value in bound]
        arrays = [v for v in leaves(values) if isinstance(v, (Array, np.ndarray))]
        where = _placed(name, arrays, queue)
        host = HostArrays()
        watch = Watch(name)
        seen = [
            watch.argument(n, host.of(value)) for n, value in zip(self._names, values, strict=True)
        ]
        global_size, local_size = _sizes(name, given, arrays)
        largest = where.device.max_work_group_size
        if local_size is not None and np.prod(local_size, dtype=object) > largest:
            raise InvalidValueError(
                name, f"local size {local_size} has more than the device's {largest} items"
            )
        item = [] if self._item is None else [self._item()]

        def body(at: Place) -> None:
            given = map(_accessed, seen, self._names, itertools.repeat(at))
            if self.py_func(*item, *given) is not None:
                raise InvalidTypeError(
                    name, "a kernel returns nothing: write the result into an array argument"
                )

        with np.errstate(all="ignore"):
            Launch(name, body, global_size, local_size).run()
        host.store()

    def _bound(
        self, name: str, positional: tuple[Any, ...], keywords: dict[str, Any]
    ) -> tuple[list[Any], Any]:
        """The arguments in order, and queue=."""
        queue = keywords.pop("queue", None)
        for event in keywords.pop("depends_on", None) or ():
            event.wait()
        if len(positional) > len(self._names):
            raise InvalidTypeError(
                name, f"takes {len(self._names)} arguments, {len(positional)} given"
            )
        values = dict(zip(self._names, positional, strict=False))
        for key, value in keywords.items():
            if key not in self._names:
                raise InvalidTypeError(
                    name, f"has no parameter {key}; a launch also takes queue= and depends_on="
                )
            if key in values:
                raise InvalidTypeError(name, f"argument {key} is given twice")
            values[key] = value
        values = self._defaults | values
        for key in self._names:
            if key not in values:
                raise InvalidTypeError(name, f"argument {key} is missing")
        return [values[key] for key in self._names], queue


def launch(kernel: Any, range: Any, *arguments: Any, **keywords: Any) -> Event:
    """hither.launch(), also for simulated kernels."""
    if not isinstance(kernel, SimulatedKernel):
        return _hither.launch(kernel, range, *arguments, **keywords)
    kernel._launch(None if range is None else range_of(range), arguments, keywords)
    return Event()


def range_of(key: Any) -> Range | NdRange:
    """The range that a subscript of a kernel means."""
    if isinstance(key, (Range, NdRange)):
        return key
    if isinstance(key, tuple) and any(isinstance(part, (tuple, list, Range)) for part in key):
        return NdRange(*key)
    return Range(*key) if isinstance(key, tuple) else Range(key)


def _sizes(
    name: str, given: Range | NdRange | None, arrays: list[Any]
) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
    """The global and the local size of a launch."""
    if given is None:
        if not arrays:
            raise InvalidValueError(name, "no argument is an array; launch it over a range")
        if arrays[0].ndim == 0:
            return (1,), None
        if arrays[0].ndim > 3:
            raise InvalidValueError(
                name, f"its first array has {arrays[0].ndim} dimensions; launch it over a range"
            )
        return tuple(arrays[0].shape), None
    if isinstance(given, Range):
        return tuple(given), None
    sizes: tuple[int, ...] = tuple(given.global_range)
    local: tuple[int, ...] = tuple(given.local_range)
    for extent, part in zip(sizes, local, strict=True):
        if part == 0 or extent % part:
            raise InvalidValueError(name, f"local size {local} does not divide global size {sizes}")
    return sizes, local


def leaves(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def _with_arrays(value: Any) -> Any:
    """The argument with hither's or NumPy's arrays over the memory of other objects."""
    if isinstance(value, tuple):
        items = [_with_arrays(item) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, (Array, np.ndarray, np.generic, LocalAccessor, bool, int, float, complex)):
        return value
    if has_memory(value):
        return _hither.asarray(value)
    try:
        return np.asarray(memoryview(value))
    except TypeError:
        return value


def _placed(name: str, arrays: list[Any], queue: Any) -> Queue:
    """The queue of the launch. Raises the PlacementError that the kernel would raise."""
    if arrays:
        return place(name, tuple(arrays), queue)[0]
    if queue is None:
        raise PlacementError(name, "no argument is an array, so it needs queue=")
    return _hither.default_queue(queue)


def _accessed(value: Any, name: str, at: Place) -> Any:
    """The argument of one work-item: accessors become arrays of the group."""
    if not isinstance(value, LocalAccessor):
        return value
    return shared_array(at, value.shape, value.dtype, name)


class HostArrays:
    """NumPy arrays over, or copies of, the arrays of a launch."""

    def __init__(self) -> None:
        self._copies: list[tuple[Any, np.ndarray, np.ndarray]] = []

    def of(self, value: Any) -> Any:
        """The argument of the Python function for an argument of the launch."""
        if isinstance(value, tuple):
            items = [self.of(item) for item in value]
            return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
        if isinstance(value, np.ndarray) and value.dtype.fields:
            return value.view(np.recarray)  # its elements have the fields as attributes
        if not isinstance(value, Array):
            return value
        try:
            view = np.asarray(memoryview(value))
            if view.flags.writeable:
                return view
        except (BufferError, TypeError, ValueError):
            pass  # the host cannot access it
        copy = np.array(asnumpy(value))
        self._copies.append((value, copy, copy.copy()))
        return copy

    def store(self) -> None:
        """Writes what has changed in copies back to the arrays."""
        for array, copy, before in self._copies:
            if copy.tobytes() != before.tobytes():
                array[...] = _hither.asarray(copy, queue=array.queue)


def _make(function: Callable, options: CompileOptions) -> SimulatedKernel:
    if not callable(function) or not hasattr(function, "__code__"):
        raise TypeError("kernel decorates a Python function: @hither.kernel above its def")
    return SimulatedKernel(function, *decorator._parameters_of(function), options)


def install() -> None:
    """Makes @hither.kernel and hither.launch() simulate."""
    install_language()
    decorator._make = _make  # type: ignore[assignment]
    sys.modules["hither"].launch = launch
