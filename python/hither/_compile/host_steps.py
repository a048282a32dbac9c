"""Calls of libraries as steps of recordings: they run on the host, between recorded kernels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from .._hither import Array, record_call, recording_is_refused, refuse_recording
from .traced_number import is_traced, replaced

__all__ = ["as_host_step", "call_as_step", "make_host_steps"]

_F = TypeVar("_F", bound=Callable[..., Any])


class _Place:
    """Where a call has an array or a number, at this index of those of a run."""

    __slots__ = ("index",)

    def __init__(self, index: int) -> None:
        self.index = index


class _Array(_Place):
    __slots__ = ()


class _Number(_Place):
    __slots__ = ()


class _Call:
    """A call without its arrays and traced numbers, which each run gives anew."""

    def __init__(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
    ) -> None:
        self._function = function
        self.arrays: list[Array] = []
        self.numbers: list[Any] = []
        self._arguments = replaced((arguments, keywords), self._place)
        # Most calls have arrays and numbers as arguments, not in containers in these.
        whole = [*self._arguments[0], *self._arguments[1].values()]
        self._is_flat = sum(isinstance(x, _Place) for x in whole) == self._places
        self.first: _Outcome | None = _Outcome()

    @property
    def _places(self) -> int:
        return len(self.arrays) + len(self.numbers)

    def _place(self, x: Any) -> Any:
        if isinstance(x, Array):
            self.arrays.append(x)
            return _Array(len(self.arrays) - 1)
        if is_traced(x) and x.symbol:
            self.numbers.append(x)
            return _Number(len(self.numbers) - 1)
        return x.value if is_traced(x) else x

    def _filled(self, arrays: list[Array], numbers: list[Any]) -> Any:
        def given(x: Any) -> Any:
            if type(x) is _Array:
                return arrays[x.index]
            return numbers[x.index] if type(x) is _Number else x

        arguments, keywords = self._arguments
        if self._is_flat:
            return [given(x) for x in arguments], {k: given(x) for k, x in keywords.items()}
        return replaced(self._arguments, given)

    def __call__(self, arrays: list[Array], numbers: list[Any]) -> list[Array] | None:
        """The arrays of a run's result. None after an error: the recorded function then runs
        itself, and raises it."""
        first, self.first = self.first, None
        arguments, keywords = self._filled(arrays, numbers)
        try:
            result = self._function(*arguments, **keywords)
        except Exception as error:
            if first is not None:
                first.error = error
            return None
        if first is not None:
            first.result = result
        return [result] if type(result) is Array else _arrays_in(result)


class _Outcome:
    """Of the call that is recorded."""

    result: Any = None
    error: Exception | None = None


def _arrays_in(result: Any) -> list[Array]:
    found: list[Array] = []
    replaced(result, lambda part: found.append(part) if isinstance(part, Array) else part)
    return found


def _with_arrays(result: Any, arrays: list[Array]) -> Any:
    """The result with the arrays that the recording knows."""
    following = iter(arrays)

    def own(part: Any) -> Any:
        if isinstance(part, Array):
            return next(following)
        if part is not None:
            refuse_recording("a library call returns a value that is not an array")
        return part

    return replaced(result, own)


def call_as_step(
    name: str, function: Callable[..., Any], arguments: tuple[Any, ...], keywords: dict[str, Any]
) -> Any:
    """function(*arguments, **keywords) as a step of what the thread records."""
    call = _Call(function, arguments, keywords)
    outcome = call.first
    assert outcome is not None
    arrays = record_call(call, name, call.arrays, call.numbers)
    if outcome.error is not None:
        raise outcome.error
    call.arrays, call.numbers = [], []
    return _with_arrays(outcome.result, arrays)


def as_host_step(function: _F, name: str) -> _F:
    """The function, whose calls are steps of the recordings of functions that call it. Its work is
    not recorded, so that it may read elements on the host."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if recording_is_refused():
            return function(*arguments, **keywords)
        return call_as_step(name, function, arguments, keywords)

    return call  # type: ignore[return-value]


def make_host_steps(namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Makes functions of a module steps of recordings."""
    module = namespace["__name__"].partition(".")[2]
    for name in names:
        namespace[name] = as_host_step(namespace[name], f"{module}.{name}")
