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
from ..._compile.draws import RecordableDraws, place_of_draw, refuse_state_of
from ..._compile.host_steps import call_as_step
from ..._compile.traced_number import is_traced
from ..._device_context import current_queue
from ..._hither import Array, asarray, asnumpy, hold_state_of, recording_is_refused
from ..._names import a_type
from ...errors import InvalidTypeError, InvalidValueError
from ..host_call import has_memory, place
from .draw import (
    Draw,
    key_of_start,
    number_of_start,
    shape_of,
    start_of,
    start_of_number,
    start_of_part,
)
from .parameters import number_of

if TYPE_CHECKING:
    from ..._hither import Queue

__all__ = ["CountedDraws", "check_size", "recordable"]


class CountedDraws(RecordableDraws):
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
        refuse_state_of(self)
        return self._seed

    @property
    def queue(self) -> Queue:
        """The queue of draws without arrays as parameters."""
        return self._queue or current_queue()

    @property
    def draw(self) -> int:
        """The number of the next draw. Setting it repeats or skips draws."""
        refuse_state_of(self)
        return self._draw

    @draw.setter
    def draw(self, number: int) -> None:
        number = operator.index(number)
        if not 0 <= number < 2**63:
            raise InvalidValueError("draw", f"{number} is not in [0, 2**63)")
        refuse_state_of(self)
        self._draw = number

    def _next_draw(self) -> tuple[int, int]:
        """The seed and the number of the next draw."""
        with self._lock:
            number = self._draw
            self._draw += 1
            return self._seed, number

    def _next_start(self) -> int:
        """The state of the next draw."""
        return start_of(*self._next_draw())

    def _drawn(self, queue: Queue, usm_type: Any, shape: tuple[int, ...]) -> Draw:
        """The next draw."""
        place = place_of_draw(self)
        return Draw(self._next_start(), queue, usm_type, shape, place)

    # -- for the runs of recorded functions

    @property
    def _next(self) -> tuple[int, int]:
        """The seed, and the number of the next draw."""
        with self._lock:
            return self._seed, self._draw

    @_next.setter
    def _next(self, state: tuple[int, int]) -> None:
        with self._lock:
            self._seed, self._draw = state

    def _take_draws(self, count: int) -> tuple[int, int]:
        """The seed, and the number of the first of `count` draws, which the caller makes."""
        with self._lock:
            first = self._draw
            self._draw += count
            return self._seed, first

    def _give_back_draws(self, state: tuple[int, int], count: int) -> None:
        """The draws have not been made. Those that other threads have made since stay."""
        with self._lock:
            if (self._seed, self._draw - count) == state:
                self._draw -= count

    @staticmethod
    def _number_of_draw(seed: int, number: int, parts: tuple[int, ...] | None) -> complex:
        """The key of a part of a draw; without `parts` its state, as a number."""
        start = start_of(seed, number)
        if parts is None:
            return number_of_start(start)
        return key_of_start(functools.reduce(start_of_part, parts, start))

    def _of_one_draw(self, start: Callable[[], int]) -> Any:
        """A generator like this one, whose draw has the state that start() gives."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__, _lock=threading.Lock(), _next_start=start)
        return made

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
        elif is_traced(parameter) and isinstance(parameter, float):
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


def recordable(method: Callable[..., Any], on_host: bool | None) -> Callable[..., Any]:
    """A method that draws, in recorded functions too. Its kernels are recorded, or it is a step on
    the host, if it is `on_host`. None: if a parameter is an array, whose elements are checked."""
    name = f"random.{method.__name__}"

    @functools.wraps(method)
    def draw(self: CountedDraws, *arguments: Any, **keywords: Any) -> Any:
        if recording_is_refused() or on_host is False:
            return method(self, *arguments, **keywords)
        if on_host is None and not any(map(has_memory, (*arguments, *keywords.values()))):
            return method(self, *arguments, **keywords)
        return _draw_as_step(name, method, self, arguments, keywords)

    return draw


def _draw_as_step(
    name: str, method: Any, generator: CountedDraws, arguments: Any, keywords: Any
) -> Any:
    place = place_of_draw(generator)
    state = generator._take_draws(1)
    number: Any = number_of_start(start_of(*state))
    if place is not None:
        number = place.number(number, None)
    is_drawn = False

    def drawn(number: complex, *arguments: Any, **keywords: Any) -> Any:
        def start() -> int:
            nonlocal is_drawn
            is_drawn = True
            return start_of_number(number)

        return method(generator._of_one_draw(start), *arguments, **keywords)

    try:
        return call_as_step(name, drawn, (number, *arguments), keywords)
    except BaseException:
        if not is_drawn:
            generator._give_back_draws(state, 1)
        raise


hold_state_of(CountedDraws)
