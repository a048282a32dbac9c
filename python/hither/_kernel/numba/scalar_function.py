"""Functions of scalars as LLVM IR that array kernels call."""

from __future__ import annotations

import dis
import hashlib
import re
from dataclasses import dataclass

import numpy

from . import fault
from .device_function import as_device_dispatcher, kernel_target
from .explain import explain
from .front_end import number_type, with_stable_names
from .lower_print import prints
from .numba_adapter import global_compiler_lock, ir, target_override, types
from .refused import KernelRefused
from .runtime_functions import define_runtime_functions

_PLACE = "hither_scalar_function"
# Numba emits such a call wherever a callee might fail, even if it cannot.
_RAISE = re.compile(r'^\s*call void @"?hither\.raise"?\(.*\)$', re.MULTILINE)


@dataclass(frozen=True)
class ScalarFunction:
    """The fields of hither::UserOpSource, with names of dtypes."""

    symbol: str
    texts: list[str]
    operands: list[str]
    result: str


def compile_scalar_function(function, dtypes: list[str]) -> ScalarFunction:
    """Types and lowers a DeviceFunction for these operands. Raises KernelRefused."""
    try:
        given = [number_type(dtype) for dtype in dtypes]
        with global_compiler_lock:
            return _compile(function, given)
    except KernelRefused:
        raise
    except Exception as error:  # Numba also raises internal exceptions
        raise KernelRefused(explain(error, function.py_func)) from error


def _compile(function, given) -> ScalarFunction:
    dispatcher = as_device_dispatcher(function, debug=False)
    arguments = tuple(_declared_for(function, dispatcher.declared, given) or given)
    with target_override(kernel_target.name):
        dispatcher.compile(arguments)
    compiled = dispatcher.overloads[arguments]
    result = types.unliteral(compiled.signature.return_type)
    if not isinstance(result, (types.Number, types.Boolean)):
        raise KernelRefused(f"{function.__name__} returns {result}; it must return a number")
    seen: dict = {}
    texts = compiled.library.texts(seen)
    texts = define_runtime_functions([_wrapper(compiled, arguments, result), *texts], seen,
                                     kernel_target)  # fmt: skip
    texts, messages = fault.number_faults(texts, function.py_func.__code__.co_filename)
    for text in messages:
        if text.startswith("UnboundLocalError: "):
            raise KernelRefused(f"{text}: assign to it on every path to this use")
    if prints(texts):
        raise KernelRefused(
            f"{function.__name__} prints, which only kernels can (@hither.kernel): return the "
            "value and print the array"
        )
    if _raises(function.py_func) or set(messages) - {fault.INTERNAL_TEXT}:
        raise KernelRefused(
            f"{function.__name__} raises an exception, which array operations cannot report: "
            "return nan instead"
        )
    texts = [_RAISE.sub("", text) for text in texts]
    texts = with_stable_names(texts, _PLACE, f"{_PLACE}.part")
    symbol = "user." + hashlib.sha256("".join(texts).encode()).hexdigest()[:24]
    return ScalarFunction(
        symbol=symbol,
        texts=[text.replace(_PLACE, symbol) for text in texts],
        operands=[_name(argument) for argument in arguments],
        result=_name(result),
    )


def _raises(function) -> bool:
    return any(i.opname == "RAISE_VARARGS" for i in dis.get_instructions(function))


def _declared_for(function, declared, given):
    """The types of the first signature that NumPy can cast the operands to, or None if nothing is
    declared."""
    for arguments, _ in declared:
        if len(arguments) == len(given) and all(
            numpy.can_cast(_name(g), _name(a)) for g, a in zip(given, arguments, strict=True)
        ):
            return arguments
    if declared:
        names = ", ".join(map(_name, given))
        raise KernelRefused(
            f"{function.__name__} is declared for {' or '.join(function.signatures)}, not for "
            f"({names})"
        )
    return None


def _name(number) -> str:
    return "bool" if isinstance(number, types.Boolean) else str(number)


def _wrapper(compiled, arguments, result) -> str:
    """The function in the form that array kernels call."""
    context = kernel_target.target_context
    module = ir.Module(_PLACE)
    models = [context.data_model_manager[argument] for argument in arguments]
    form = ir.FunctionType(
        context.get_data_type(result), [context.get_data_type(argument) for argument in arguments]
    )
    defined = ir.Function(module, form, _PLACE)
    defined.attributes.add("alwaysinline")
    builder = ir.IRBuilder(defined.append_basic_block("entry"))
    values = [model.from_data(builder, v) for model, v in zip(models, defined.args, strict=True)]
    value = context.call_conv.call_compiled(builder, compiled, values)
    builder.ret(context.data_model_manager[result].as_data(builder, value))
    return str(module)
