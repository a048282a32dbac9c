"""Functions that Numba's lowering calls by name and that no math library has."""

from __future__ import annotations

import cmath

from ..language.device_func import DeviceFunction
from .device_function import as_device_dispatcher
from .numba_adapter import ir, target_override, types


def _complex_power(base, exponent):
    if exponent == 0:
        return base * 0 + 1
    if base == 0:
        return base * 0
    return cmath.exp(exponent * cmath.log(base))


# symbol: function, type of its arguments and its result
_FUNCTIONS = {
    "numba_cpow": (DeviceFunction(_complex_power), types.complex128),
    "numba_cpowf": (DeviceFunction(_complex_power), types.complex64),
}


def define_runtime_functions(texts: list[str], seen: dict, target) -> list[str]:
    """Adds a module for each such function that the texts declare. `seen` contains the libraries
    that the texts include already."""
    added = []
    for symbol, (function, number) in _FUNCTIONS.items():
        if any(f'declare void @"{symbol}"' in text for text in texts):
            added += _define(symbol, function, number, seen, target)
    return texts + added


def _define(symbol, function, number, seen, target) -> list[str]:
    """Defines `void symbol(number* a, number* b, number* result)`, the signature that Numba
    calls."""
    dispatcher = as_device_dispatcher(function, target.typing_context.debug)
    with target_override(target.name):
        dispatcher.compile((number, number))
    compiled = dispatcher.overloads[number, number]
    context = target.target_context
    module = ir.Module(symbol)
    pointer = ir.PointerType(context.get_data_type(number))
    defined = ir.Function(module, ir.FunctionType(ir.VoidType(), [pointer] * 3), symbol)
    builder = ir.IRBuilder(defined.append_basic_block("entry"))
    *operands, result = defined.args
    values = [builder.load(operand) for operand in operands]
    power = context.call_conv.call_compiled(builder, compiled, values)
    # The function's Python numbers make complex128 of complex64.
    power = context.cast(builder, power, compiled.signature.return_type, number)
    builder.store(power, result)
    builder.ret_void()
    return [str(module), *compiled.library.texts(seen)]
