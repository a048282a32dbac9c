"""What all methods of Generator need: the seed, the count of draws, and the start of a draw."""

from __future__ import annotations

import functools
import inspect
import operator
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _hither
from ..._device_context import current_queue
from ..._hither import Array, asarray, asnumpy
from ..._names import a_type
from ...errors import InvalidTypeError, InvalidValueError
from ..host_call import has_memory, place
from .draw import Draw, shape_of
from .parameters import number_of

if TYPE_CHECKING:
    from ..._hither import Queue

__all__ = ["CountedDraws", "check_size"]


class CountedDraws:
    """A seed and the number of the next draw. Thread-safe."""

    def __init__(self, seed: int, queue: Queue | None, usm_type: str) -> None:
        self._seed = seed
        self._queue = queue
        self._usm_type: Any = usm_type
        self._lock = threading.Lock()
        self._draw = 0

    @property
    def seed(self) -> Any:
        """The seed, an int of 64 bits."""
        return self._seed

    @property
    def queue(self) -> Queue:
        """The queue of draws without arrays as parameters."""
        return self._queue or current_queue()

    @property
    def draw(self) -> int:
        """The number of the next draw. Setting it repeats or skips draws."""
        return self._draw

    @draw.setter
    def draw(self, number: int) -> None:
        number = operator.index(number)
        if not 0 <= number < 2**63:
            raise InvalidValueError("draw", f"{number} is not in [0, 2**63)")
        self._draw = number

    def _next_draw(self) -> tuple[int, int]:
        """The seed and the number of the next draw."""
        with self._lock:
            number = self._draw
            self._draw += 1
            return self._seed, number

    def _drawn(self, queue: Queue, usm_type: Any, shape: tuple[int, ...]) -> Draw:
        """The next draw."""
        return Draw(*self._next_draw(), queue, usm_type, shape)

    def _start(self, function: str, size: Any, *parameters: Any) -> tuple[Any, ...]:
        """A draw for these parameters, and the parameters on its queue."""
        arrays = tuple(p for p in parameters if has_memory(p))
        queue, usm_type = self.queue, self._usm_type
        if arrays:
            queue, usm_type, arrays = place(function, arrays, self._queue)
            moved = iter(arrays)
            parameters = tuple(next(moved) if has_memory(p) else p for p in parameters)
        parameters = tuple(
            self._real(function, i, parameter) for i, parameter in enumerate(parameters)
        )
        needed = _hither.broadcast_shapes(*(x.shape for x in arrays)) if arrays else ()
        shape = needed if size is None else shape_of(size)
        check_size(function, size, needed, shape)
        return self._drawn(queue, usm_type, shape), *parameters

    def _parameter_name(self, function: str, place: int) -> str:
        """The name of a parameter of a method."""
        return _parameters(getattr(type(self), function))[1 + place]

    def _real(self, function: str, place: int, parameter: Any) -> Any:
        """A parameter as an array, a float, or an int that fits int64. Those of integers(), which
        are integers of any size, are returned as they are."""
        if function == "integers":
            if isinstance(parameter, (Array, int, float, np.number)):
                return parameter
        elif isinstance(parameter, Array):
            if parameter.dtype.kind != "c":
                return parameter
        elif isinstance(parameter, (int, np.integer)):
            return number_of(function, self._parameter_name(function, place), int(parameter))
        elif isinstance(parameter, (float, np.floating)):
            return float(parameter)
        name = self._parameter_name(function, place)
        if isinstance(parameter, (Array, complex, np.complexfloating)):
            kind = getattr(parameter, "dtype", "complex")
            raise InvalidTypeError(
                function, f"{name} is {kind}; it must be real, so take its .real"
            )
        raise InvalidTypeError(
            function, f"{name} is {parameter!r}; it must be a number or an array"
        )

    def _start_vectors(self, function: str, *values: Any) -> tuple[Queue, Any, list[np.ndarray]]:
        """The queue of a draw with these arrays of parameters, its USM type, and the arrays on the
        host. Waits for arrays."""
        arrays = tuple(v for v in values if has_memory(v) and not isinstance(v, np.ndarray))
        queue, usm_type = self.queue, self._usm_type
        if arrays:
            queue, usm_type, _ = place(function, arrays, self._queue)
        hosts = [asnumpy(v) if has_memory(v) else np.asarray(v) for v in values]
        for host in hosts:
            if host.dtype.kind not in "biuf" and not _are_ints(host):
                raise InvalidTypeError(function, f"takes numbers and arrays, not {host!r}")
        return queue, usm_type, [h.astype(np.float64) if _are_ints(h) else h for h in hosts]

    def _array(self, values: Any, queue: Queue, usm_type: Any = None) -> Array:
        return asarray(np.asarray(values), queue=queue, usm_type=usm_type or self._usm_type)

    def _placed(self, name: str, x: Any) -> Array:
        """An array argument, on the queue of the call."""
        if not has_memory(x):
            raise InvalidTypeError(name, f"takes an array, not {a_type(x)}")
        (x,) = place(name, (x,), self._queue)[2]
        return x


@functools.cache
def _parameters(method: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(method).parameters)


def _are_ints(values: np.ndarray) -> bool:
    """Whether these are Python integers, some of which fit no dtype of integers."""
    return values.dtype.kind == "O" and all(isinstance(v, int) for v in values.ravel())


def check_size(function: str, size: Any, needed: tuple, shape: tuple) -> None:
    """Parameters are broadcast to the size, but the size is not broadcast."""
    stretched = zip(needed[::-1], shape[::-1], strict=False)
    if len(needed) > len(shape) or any(n not in (1, given) for n, given in stretched):
        raise InvalidValueError(function, f"size={size}, but the parameters' shape is {needed}")
