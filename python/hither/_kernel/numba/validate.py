"""Refuses Python statements and calls that kernels do not support, with a clear error."""

from __future__ import annotations

import builtins
import dis
import inspect
import operator

import numpy

from ... import _hither
from .access import called_function
from .call_convention import is_internal
from .numba_adapter import KernelPass, errors, numba_ir, register_pass

_ALLOCATING = frozenset(
    getattr(numpy, name)
    for name in (
        "zeros ones empty full zeros_like ones_like empty_like full_like array arange linspace eye "
        "identity copy concatenate stack vstack hstack repeat tile outer kron"
    ).split()
)
_SORTING = frozenset(
    getattr(numpy, name)
    for name in (
        "sort argsort unique median nanmedian percentile nanpercentile quantile nanquantile "
        "partition argpartition"
    ).split()
) | {builtins.sorted}
_PRODUCTS = frozenset((numpy.dot, numpy.vdot, numpy.matmul, operator.matmul, operator.imatmul))
_LANGUAGE = "hither._kernel.language."
_HOST_ONLY = {
    builtins.open: "open",
    builtins.input: "input",
    builtins.str: "making text",
    builtins.format: "making text",
    builtins.repr: "making text",
}
_CONTAINERS = {"build_list": "list", "build_set": "set", "build_map": "dict"}


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseStatements(KernelPass):
    """Checks the bytecode, because Numba's IR hides some statements."""

    _name = "hither_refuse_statements"

    def run_pass(self, state):
        function = state.func_id.func
        if state.func_id.is_generator:
            raise errors.UnsupportedError(
                "a kernel cannot yield: write its results into an array argument"
            )
        if function.__code__.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
            raise errors.UnsupportedError(
                "a kernel cannot be async: write a plain def; launches are asynchronous already"
            )
        line, with_statement = function.__code__.co_firstlineno, False
        for instruction in dis.get_instructions(function):
            line = instruction.positions.lineno or line
            with_statement |= instruction.opname in ("BEFORE_WITH", "LOAD_SPECIAL")
            if instruction.opname == "IMPORT_NAME":
                raise errors.UnsupportedError(
                    f"a kernel cannot import ({instruction.argval}): import above the function",
                    loc=numba_ir.Loc(function.__code__.co_filename, line),
                )
            if instruction.opname == "PUSH_EXC_INFO":
                what = "a with statement" if with_statement else "try and except"
                raise errors.UnsupportedError(
                    f"a kernel cannot contain {what}: an exception ends the work-item, and the "
                    "event of the launch reports it; test with `if` instead",
                    loc=numba_ir.Loc(function.__code__.co_filename, line),
                )
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseWhatKernelsCannot(KernelPass):
    """Refuses allocation, containers, files and NumPy's random numbers."""

    _name = "hither_refuse_what_kernels_cannot"

    def run_pass(self, state):
        if is_internal(state.func_id.filename):
            return False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                if isinstance(statement.value, numba_ir.Expr):
                    _check_expression(state.func_ir, statement.value)
        return False


def _check_expression(func_ir, expression):
    if expression.op in _CONTAINERS:
        raise errors.UnsupportedError(
            f"a kernel cannot make a {_CONTAINERS[expression.op]}: use a tuple, a constant array "
            "of the program, or an array argument",
            loc=expression.loc,
        )
    if expression.op in ("binop", "inplace_binop"):
        function = expression.fn
    elif expression.op == "call":
        function = called_function(func_ir, expression.func)
    else:
        return
    if function is None:
        return
    fault = _fault_of(function)
    if fault is None and expression.op == "call" and expression.vararg is None:
        fault = _fault_of_arguments(function, expression.args, dict(expression.kws))
    if fault is not None:
        raise errors.UnsupportedError(fault, loc=expression.loc)


def _fault_of_arguments(function, arguments, keywords) -> str | None:
    """What is wrong with the arguments of print or of a function of the kernel language."""
    if function is builtins.print and keywords:
        return (
            f"print takes no {', '.join(f'{k}=' for k in keywords)} in a kernel: it prints its "
            "values on a line, with spaces between them"
        )
    module = str(getattr(function, "__module__", ""))
    if not inspect.isfunction(function) or not module.startswith(_LANGUAGE):
        return None
    signature = inspect.signature(function)
    try:
        signature.bind(*arguments, **keywords)
    except TypeError as error:
        owner = module.rpartition(".")[2]
        prefix = f"{owner}." if owner in ("atomic", "local", "private", "constant") else ""
        name = f"{prefix}{function.__name__}"
        return f"{name}: {error}; the call is {name}({', '.join(signature.parameters)})"
    return None


def _fault_of(function) -> str | None:
    """Why kernels cannot call a function, with a remedy; None if they may."""
    try:
        hash(function)
    except TypeError:
        return None
    name = getattr(function, "__name__", str(function))
    if function in _ALLOCATING:
        return f"a kernel cannot allocate arrays (numpy.{name}): pass the array as an argument"
    if function in _SORTING:
        module = "" if function is builtins.sorted else "numpy."
        return f"a kernel cannot sort ({module}{name}): sort before the launch, and pass the result"
    if function in _PRODUCTS:
        return (
            f"kernels have no products of whole arrays ({name}): write a loop over the elements, "
            "or call hither.matmul outside the kernel"
        )
    if function in _HOST_ONLY:
        return (
            f"{_HOST_ONLY[function]} does not work inside a kernel: write the values to an array "
            "argument, or simulate the kernel with HITHER_SIMULATE=1"
        )
    owner = getattr(function, "__module__", None)
    owner = str(owner or type(getattr(function, "__self__", None)).__module__)
    if owner.startswith(("numpy.random", "random")):
        return (
            "kernels cannot use NumPy's random numbers: draw them by hither.random, or pass an "
            "array"
        )
    if owner.startswith(("numpy.linalg", "numpy.fft")):
        return (
            f"kernels cannot call numpy.{owner.split('.')[1]}.{name}, which works on whole arrays: "
            "call it before the launch and pass the result, or write a loop over the elements"
        )
    return None


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseGlobalArrays(KernelPass):
    """Refuses hither's arrays as globals of kernels. Numba, which knows their type once a device
    context has been opened, would copy their elements into the code."""

    _name = "hither_refuse_global_arrays"

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                value = statement.value
                if isinstance(value, (numba_ir.Global, numba_ir.FreeVar)) and isinstance(
                    value.value, _hither.Array
                ):
                    raise errors.UnsupportedError(
                        f"the global {value.name} is an array, but not NumPy's: pass it as an "
                        "argument, because kernels can use only NumPy's arrays as constants",
                        loc=statement.loc,
                    )
        return False


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseReturnValue(KernelPass):
    """Refuses return values of kernels. Device functions may return values."""

    _name = "hither_refuse_return_value"

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Return):
                if not _is_none(state.func_ir, statement.value):
                    raise errors.UnsupportedError(
                        "a kernel returns nothing: write the result into an array argument",
                        loc=statement.loc,
                    )
        return False


def _is_none(func_ir, variable) -> bool:
    definition = func_ir.get_definition(variable)
    if isinstance(definition, numba_ir.Expr) and definition.op == "cast":
        definition = func_ir.get_definition(definition.value)
    return isinstance(definition, numba_ir.Const) and definition.value is None
