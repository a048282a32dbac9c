"""The names with which messages of errors begin: those of the functions that programs call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from .._checked_call import refusal
from ..errors import Error, KernelError

__all__: list[str] = []

# The classes of errors of wrong arguments.
REFUSALS = (TypeError, ValueError, IndexError, OverflowError)
# What errors name in place of a function.
_ARGUMENTS = {
    "axis", "bool", "dtype", "fill_value", "filter string", "mask", "nbytes", "out", "queue",
    "scalar", "shape", "strides", "usm_type", "x", "x1", "x2",
}  # fmt: skip
# They call functions of programs, whose errors keep their names.
_WITH_CALLBACKS = {
    "apply_along_axis", "apply_over_axes", "fromfunction", "fromiter", "pad", "piecewise",
}  # fmt: skip


def renamed(error: Any, function: str) -> Any:
    """The error of a call of `function`. Its message begins with that name, and not with that of a
    function that it calls."""
    if function in _WITH_CALLBACKS or isinstance(error, KernelError):
        return error
    if isinstance(error, Error):
        where = error.where
        if where and where != function and not where.endswith(f".{function}"):
            error.where = function
            if where in _ARGUMENTS or where.isupper():  # the latter are environment variables
                error.message = f"{where}: {error.message}"
    elif type(error) in REFUSALS and len(error.args) == 1 and isinstance(error.args[0], str):
        text = error.args[0]
        name, colon, message = text.partition(": ")
        if colon and name not in _ARGUMENTS and hasattr(np, name):
            text = message
        if not text.startswith((f"{function}:", f"{function}(")):
            error.args = (f"{function}: {text}",)
    return error


def named(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, whose errors begin with its name."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            error = refusal(error, function, args, kwargs)
            raise renamed(error, function.__name__)  # noqa: B904
        except REFUSALS as error:
            raise renamed(error, function.__name__)  # noqa: B904

    return call
