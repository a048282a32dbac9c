"""Calls of Python functions whose errors name the wrong argument and show the call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

__all__ = ["check_calls", "check_functions", "checked", "refusal"]

_F = TypeVar("_F", bound=Callable[..., Any])


def checked(function: _F) -> _F:
    """The function, with hither's error for a call that does not fit its signature.

    It costs a tenth of a microsecond a call. A function that takes any arguments is returned
    itself.
    """
    code = getattr(function, "__code__", None)
    any_arguments = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS
    if (
        code is not None
        and code.co_argcount + code.co_kwonlyargcount == 0
        and code.co_flags & any_arguments == any_arguments
    ):
        return function

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            raise refusal(error, function, arguments, keywords)  # noqa: B904

    return call  # type: ignore[return-value]


def refusal(
    error: TypeError,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
) -> TypeError:
    """The error to raise for a call that raised `error` in the caller's frame: hither's if the call
    does not fit the signature, else the same."""
    if error.__traceback__ is None or error.__traceback__.tb_next is not None:
        return error  # the function has run: Python refuses a call before it has a frame
    from ._call_errors import of_function

    refused = of_function(function, arguments, keywords)
    refused.__suppress_context__ = True
    return refused


def check_functions(
    namespace: dict[str, Any],
    names: Iterable[str],
    check: Callable[[Callable[..., Any]], Callable[..., Any]] = checked,
) -> None:
    """Checks calls of those public functions of a module that are hither's own.

    `check` makes the function that does so. A function that a decorator has made checks its calls
    itself.
    """
    for name in names:
        value = namespace[name]
        is_own = inspect.isfunction(value) and value.__module__.startswith("hither.")
        if is_own and not hasattr(value, "__wrapped__"):
            namespace[name] = check(value)


def check_calls(namespace: dict[str, Any], names: Iterable[str]) -> None:
    """Checks calls of the public functions of a module, and of its classes' public methods."""
    for name in names:
        value = namespace[name]
        if inspect.isfunction(value):
            namespace[name] = checked(value)
        elif inspect.isclass(value):
            for key, method in list(vars(value).items()):
                if inspect.isfunction(method) and (key == "__init__" or not key.startswith("_")):
                    setattr(value, key, checked(method))
