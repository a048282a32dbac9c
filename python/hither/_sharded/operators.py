"""The operators of sharded arrays, and the methods that are NumPy's functions."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import InvalidTypeError, InvalidValueError
from . import indexing
from .elementwise import elementwise

__all__: list[str] = []


def binary(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)

    def forward(self: Any, other: Any) -> Any:
        return elementwise(name.strip("_"), function, self, other)

    return forward


def _reflected(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)

    def backward(self: Any, other: Any) -> Any:
        return elementwise(name.strip("_"), function, other, self)

    return backward


def _in_place(name: str, plain: str) -> Callable[..., Any]:
    function = getattr(operator, plain)

    def update(self: Any, other: Any) -> Any:
        result = elementwise(name, function, self, other)
        if result.shape != self.shape:
            raise InvalidValueError(
                name, f"the result has shape {result.shape} and the target {self.shape}"
            )
        if not np.can_cast(result.dtype, self.dtype, "same_kind"):
            raise InvalidTypeError(
                name,
                f"a result of {result.dtype} cannot be stored in {self.dtype}; write x = x op y, "
                "or cast with astype",
            )
        indexing.write(self, result)
        return self

    return update


def unary(name: str) -> Callable[..., Any]:
    function = getattr(operator, name)
    return lambda self: self._mapped(function)


# method -> the arguments of an example for [3.0, 1.0], and its result
_EXAMPLES = {
    "all": ("", "Array(True)"), "any": ("", "Array(True)"), "argmax": ("", "Array(0)"),
    "argmin": ("", "Array(1)"), "max": ("", "Array(3.)"), "mean": ("", "Array(2.)"),
    "min": ("", "Array(1.)"), "prod": ("", "Array(3.)"), "std": ("", "Array(1.)"),
    "sum": ("", "Array(4.)"), "var": ("", "Array(1.)"), "clip": ("0, 2", "Array([2., 1.])"),
    "conj": ("", "Array([3., 1.])"), "dot": ("2", "Array([6., 2.])"),
    "round": ("", "Array([3., 1.])"),
}  # fmt: skip
_METHOD = """hither.numpy.{name} of this array.

Parameters
----------
*arguments, **keywords
    Those of the function after the array.

Returns
-------
Array or ShardedArray
    The result: an Array on the first queue if the divided axis is reduced.

Examples
--------
>>> x = ht.shard([3.0, 1.0], ht.Mesh("cpu", parts=2))
>>> {call}
{result}
"""


def method(name: str) -> Callable[..., Any]:
    """A method that is NumPy's function of the same name."""

    def method(self: Any, *arguments: Any, **keywords: Any) -> Any:
        from .functions import call_function

        return call_function(name, (self, *arguments), keywords)

    given, result = _EXAMPLES[name]
    call = f"x.{name}({given})"
    call = f"ht.gather({call})" if "[" in result else call
    method.__name__, method.__qualname__ = name, f"ShardedArray.{name}"
    method.__doc__ = _METHOD.format(name=name, call=call, result=result)
    return method


def operators(name: str) -> tuple[Callable[..., Any], ...]:
    """x op y, y op x and x op= y."""
    return binary(name), _reflected(name), _in_place("i" + name.strip("_"), name)
