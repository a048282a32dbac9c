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
        indexing.write(self, result, temporary=True)
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


_Method = Callable[..., Any]


class Operators:
    """The operators of a ShardedArray, and its methods that are functions of NumPy."""

    __slots__ = ()

    # One by one for type checkers, which do not see the types of the values of a tuple.
    __add__: _Method
    __radd__: _Method
    __iadd__: _Method
    __sub__: _Method
    __rsub__: _Method
    __isub__: _Method
    __mul__: _Method
    __rmul__: _Method
    __imul__: _Method
    __truediv__: _Method
    __rtruediv__: _Method
    __itruediv__: _Method
    __floordiv__: _Method
    __rfloordiv__: _Method
    __ifloordiv__: _Method
    __mod__: _Method
    __rmod__: _Method
    __imod__: _Method
    __pow__: _Method
    __rpow__: _Method
    __ipow__: _Method
    __and__: _Method
    __rand__: _Method
    __iand__: _Method
    __or__: _Method
    __ror__: _Method
    __ior__: _Method
    __xor__: _Method
    __rxor__: _Method
    __ixor__: _Method
    __lshift__: _Method
    __rlshift__: _Method
    __ilshift__: _Method
    __rshift__: _Method
    __rrshift__: _Method
    __irshift__: _Method
    __lt__: _Method
    __le__: _Method
    __gt__: _Method
    __ge__: _Method
    __neg__: _Method
    __pos__: _Method
    __invert__: _Method
    __abs__: _Method
    all: _Method
    any: _Method
    argmax: _Method
    argmin: _Method
    max: _Method
    mean: _Method
    min: _Method
    prod: _Method
    std: _Method
    sum: _Method
    var: _Method
    clip: _Method
    conj: _Method
    dot: _Method
    round: _Method

    __add__, __radd__, __iadd__ = operators("add")
    __sub__, __rsub__, __isub__ = operators("sub")
    __mul__, __rmul__, __imul__ = operators("mul")
    __truediv__, __rtruediv__, __itruediv__ = operators("truediv")
    __floordiv__, __rfloordiv__, __ifloordiv__ = operators("floordiv")
    __mod__, __rmod__, __imod__ = operators("mod")
    __pow__, __rpow__, __ipow__ = operators("pow")
    __and__, __rand__, __iand__ = operators("and_")
    __or__, __ror__, __ior__ = operators("or_")
    __xor__, __rxor__, __ixor__ = operators("xor")
    __lshift__, __rlshift__, __ilshift__ = operators("lshift")
    __rshift__, __rrshift__, __irshift__ = operators("rshift")
    __eq__: _Method = binary("eq")
    __ne__: _Method = binary("ne")
    __lt__, __le__, __gt__, __ge__ = map(binary, ("lt", "le", "gt", "ge"))
    __neg__, __pos__, __invert__, __abs__ = map(unary, ("neg", "pos", "invert", "abs"))
    all, any, argmax, argmin, max, mean, min, prod, std, sum, var = map(
        method, "all any argmax argmin max mean min prod std sum var".split()
    )
    clip, conj, dot, round = map(method, ("clip", "conj", "dot", "round"))
