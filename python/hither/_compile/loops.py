"""Loops whose steps are compiled functions."""

from __future__ import annotations

import operator
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar

from .._checked_call import checked
from .._hither import refuse_recording, run_steps
from ..errors import InvalidTypeError
from .compiled_function import CompiledFunction

_State = TypeVar("_State")

_ATTRIBUTE = "__hither_step__"


class _Step(CompiledFunction):
    """An attribute of its function, so that both live equally long. Copies of the function make
    their own."""

    def __reduce__(self) -> Any:
        return type(None), ()


def _compiled_once(name: str, function: Any) -> Callable[..., Any]:
    """The compiled function; objects that are not functions written in Python stay as they are."""
    if not callable(function):
        raise InvalidTypeError(name, f"calls a function; {function!r} is not callable")
    if not isinstance(function, types.FunctionType):
        return function
    step = function.__dict__.get(_ATTRIBUTE)
    # A function with functools.wraps has the attributes of another one.
    if not isinstance(step, _Step) or step.__wrapped__ is not function:
        step = function.__dict__[_ATTRIBUTE] = _Step(function)
    return step


@checked
def fori_loop(n: int, body: Callable[[int, _State], _State], state: _State) -> _State:
    """Runs ``state = body(i, state)`` for i from 0 to n - 1.

    Parameters
    ----------
    n : int
        Number of steps. None are run for n < 1.
    body : callable
        The step, which is compiled as by `hither.compile`. Its result is the next state.
    state : array, number, or lists, tuples and dicts of them
        The first state.

    Returns
    -------
    object
        The last state. If it is an array that pending work computes, it is not waited for.

    Raises
    ------
    InvalidTypeError
        Where `body` reads elements of an array on the host.

    See Also
    --------
    compile, while_loop

    Examples
    --------
    >>> import hither as ht
    >>> with ht.device_context("cpu"):
    ...     x = ht.zeros(3)
    >>> ht.asnumpy(ht.fori_loop(10, lambda i, x: x + i, x))
    array([45., 45., 45.])
    """
    try:
        count = operator.index(n)
    except TypeError:
        raise InvalidTypeError(
            "fori_loop", f"n is {n!r}; pass an int, the number of steps"
        ) from None
    step = _compiled_once("fori_loop", body)
    if isinstance(step, CompiledFunction):
        return run_steps(step, max(min(count, sys.maxsize), 0), state)
    for i in range(count):
        state = step(i, state)
    return state


@checked
def while_loop(
    cond: Callable[[_State], Any], body: Callable[[_State], _State], state: _State
) -> _State:
    """Runs ``state = body(state)`` as long as ``cond(state)`` is true.

    Parameters
    ----------
    cond : callable
        Gives an array of one element, or a Python bool. Compiled as by `hither.compile`.
    body : callable
        The step. Compiled as by `hither.compile`.
    state : array, number, or lists, tuples and dicts of them
        The first state.

    Returns
    -------
    object
        The last state. Each step waits until `cond` is known.

    See Also
    --------
    compile, fori_loop

    Examples
    --------
    >>> import hither as ht
    >>> with ht.device_context("cpu"):
    ...     x = ht.full(3, 1.0)
    >>> ht.asnumpy(ht.while_loop(lambda x: ht.sum(x) < 100, lambda x: 2 * x, x))
    array([64., 64., 64.])
    """
    refuse_recording("the condition of a while_loop is read")
    condition, step = _compiled_once("while_loop", cond), _compiled_once("while_loop", body)
    while bool(condition(state)):
        state = step(state)
    return state
