"""The entry of a kernel module: from the flat parameters of target::Signature to Numba's
arguments."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from .lower_work_item import ItemType
from .numba_adapter import ir, populate_array, types

# target::Parameter
_POINTER = 0
_NUMBERS = {
    types.boolean: 1, types.int8: 1, types.uint8: 1,
    types.int16: 2, types.uint16: 2,
    types.int32: 3, types.uint32: 3,
    types.int64: 4, types.uint64: 4,
    types.float32: 6, types.float64: 7,
    types.complex64: 8, types.complex128: 9,
}  # fmt: skip
_INT64 = _NUMBERS[types.int64]
_GLOBAL_SPACE = 1
_i64 = ir.IntType(64)


@dataclass
class Parameters:
    """What the entry takes: LLVM types, and the same as numbers of target::Parameter."""

    llvm: list = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def add(self, llvm_type, code: int):
        self.llvm.append(llvm_type)
        self.codes.append(code)


def parameters_of(context, argument_types) -> Parameters:
    """An array is its pointer, its extents and, unless it is C-contiguous, its strides in bytes."""
    result = Parameters()
    for argument in argument_types:
        if isinstance(argument, ItemType):
            continue
        if isinstance(argument, types.Array):
            element = context.get_data_type(argument.dtype)
            result.add(ir.PointerType(element, _GLOBAL_SPACE), _POINTER)
            words = argument.ndim * (1 if argument.layout == "C" else 2)
            for _ in range(words):
                result.add(_i64, _INT64)
        else:
            result.add(context.get_data_type(argument), _NUMBERS[argument])
    return result


def emit_entry(context, compiled, name: str) -> tuple[str, list[int]]:
    """The text of the module that defines `name` and calls the compiled function, and its
    parameters."""
    module = ir.Module("entry")
    argument_types = compiled.signature.args
    description = compiled.fndesc
    callee = ir.Function(
        module,
        context.call_conv.get_function_type(description.restype, description.argtypes),
        description.llvm_func_name,
    )
    parameters = parameters_of(context, argument_types)
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), parameters.llvm), name)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    given = iter(entry.args)
    values = [_argument(context, builder, argument, given) for argument in argument_types]
    context.call_conv.call_function(
        builder, callee, compiled.signature.return_type, argument_types, values
    )
    builder.ret_void()
    return str(module), parameters.codes


def _argument(context, builder, argument, given):
    if isinstance(argument, ItemType):
        return context.get_dummy_value()
    if isinstance(argument, types.Array):
        return _array(context, builder, argument, given)
    return context.data_model_manager[argument].from_data(builder, next(given))


def _array(context, builder, argument, given):
    pointer = next(given)
    shape = [next(given) for _ in range(argument.ndim)]
    itemsize = context.get_abi_sizeof(context.get_data_type(argument.dtype))
    if argument.layout == "C":
        strides: list[Any] = []
        step = _i64(itemsize)
        for extent in reversed(shape):
            strides.insert(0, step)
            step = builder.mul(step, extent, flags=["nsw"])
    else:
        strides = [next(given) for _ in range(argument.ndim)]
    array = context.make_array(argument)(context, builder)
    generic = builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee))
    populate_array(
        array,
        data=builder.bitcast(generic, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=_i64(itemsize),
        meminfo=None,
        parent=None,
    )
    return array._getvalue()
