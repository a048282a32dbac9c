"""Random numbers as operations on arrays: functions of a key, an item and parameters.

The functions are those of the device library (``src/device_library/random.cpp``). Integers,
additions, multiplications, divisions and square roots are the same on every device, so the bits of
their results are, too. An operation has at most three operands: a key is a complex number whose
parts are 32-bit integers, and so are two parameters.
"""

from __future__ import annotations

import functools
from typing import Any

from ..._compile.traced_number import is_traced
from ..._hither import Array, UserOp

__all__ = ["all_of_counter", "bits", "number", "of_counter", "scaled_bits"]

_KINDS = {"float32": "float", "float64": "double", "int64": "i64", "uint64": "i64",
          "complex128": "{ double, double }"}  # fmt: skip


def _parts(name: str) -> str:
    """Takes a complex argument apart."""
    return "\n".join(
        f"  %{name}{i} = extractvalue {{ double, double }} %{name}, {i}" for i in (0, 1)
    )


def _operation(
    function: str, result: str, operands: dict[str, str], arguments: str, lines: str = ""
) -> UserOp:
    """The function of the device library as an operation of these operands. `arguments` are those
    of the function, whose types the operands' parts have."""
    kind, symbol = _KINDS[result], f"hither_random_{function}"
    types = ", ".join(argument.split()[0] for argument in arguments.split(", "))
    heads = ", ".join(f"{_KINDS[dtype]} %{name}" for name, dtype in operands.items())
    code = "\n".join(
        [f"declare {kind} @{symbol}({types})",
         f"define {kind} @{symbol}_operation({heads}) alwaysinline {{",
         *(_parts(name) for name, dtype in operands.items() if dtype == "complex128"),
         *([lines] if lines else []),
         f"  %found = call {kind} @{symbol}({arguments})",
         f"  ret {kind} %found", "}"]
    )  # fmt: skip
    name = f"random_{function}"
    return UserOp(name, f"{symbol}_operation", [code], list(operands.values()), result)


_ITEM = {"item": "uint64", "key": "complex128"}
_HEAD = "i64 %item, double %key0, double %key1"


@functools.cache
def _unary(function: str, result: str) -> UserOp:
    arguments = f"{_HEAD}, double %a, double 0.0, double 0.0"
    return _operation(function, result, {**_ITEM, "a": "float64"}, arguments)


@functools.cache
def _binary(function: str, result: str, more: str = ", double 0.0") -> UserOp:
    arguments = f"{_HEAD}, double %a0, double %a1{more}"
    return _operation(function, result, {**_ITEM, "a": "complex128"}, arguments)


@functools.cache
def _ternary(function: str, result: str) -> UserOp:
    """Its operands are complex: two parameters, the third one and the item, and the key."""
    operands = {"a": "complex128", "b": "complex128", "key": "complex128"}
    return _operation(
        function,
        result,
        operands,
        f"{_HEAD}, double %a0, double %a1, double %b0",
        "  %item = fptoui double %b1 to i64",
    )


@functools.cache
def bits() -> UserOp:
    """The operation (item, key) to 64 random bits."""
    return _operation("bits", "uint64", _ITEM, _HEAD)


@functools.cache
def scaled_bits(narrow: bool) -> UserOp:
    """The operation (item, key, width) to an integer below the width. If `narrow`, the width is at
    most 2**32, else 0 means 2**64."""
    function = "below_32" if narrow else "below"
    return _operation(function, "uint64", {**_ITEM, "width": "uint64"}, f"{_HEAD}, i64 %width")


def _pair(a: Any, b: Any) -> Any:
    """a + b i, without arithmetic."""
    if isinstance(a, Array) or isinstance(b, Array):
        return _joining()(a, b)
    for x in (a, b):
        if is_traced(x) and x.trace is not None:
            return x.trace.pair(a, b)
    return complex(float(a), float(b))


@functools.cache
def _joining() -> UserOp:
    code = """define { double, double } @hither_random_pair(double %a, double %b) alwaysinline {
  %half = insertvalue { double, double } poison, double %a, 0
  %pair = insertvalue { double, double } %half, double %b, 1
  ret { double, double } %pair
}"""
    return UserOp("pair", "hither_random_pair", [code], ["float64"] * 2, "complex128")


def number(function: str, result: str, items: Array, key: complex, parameters: tuple) -> Array:
    """Numbers of a distribution with up to three parameters, which are numbers or arrays."""
    if len(parameters) < 2:
        return _unary(function, result)(items, key, *(parameters or (0.0,)))
    if len(parameters) == 2:
        return _binary(function, result)(items, key, _pair(*parameters))
    a, b, c = parameters
    return _ternary(function, result)(_pair(a, b), _pair(c, items), key)


_SHORT = {"float32": "f32", "float64": "f64"}


def of_counter(name: str, dtype: str, items: Array, key: complex, a: Any, b: Any) -> Array:
    """uniform, normal or exponential numbers. Adjacent elements share a counter."""
    operation = _binary(f"{name}_{_SHORT[dtype]}", dtype, "")
    return operation(items, key, _pair(a, b))


def all_of_counter(name: str, dtype: str, counters: Array, key: complex, a: Any, b: Any) -> Array:
    """The same numbers, all that share a counter in the bytes of one complex128."""
    operation = _binary(f"{name}_all_{_SHORT[dtype]}", "complex128", "")
    return operation(counters, key, _pair(a, b))
