"""The entry of a kernel module, which converts the flat parameters of target::Signature to Numba's
arguments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from .lower_array import LOCAL_SPACE, array_of
from .lower_work_item import ItemType
from .numba_adapter import cgutils, ir, populate_array, types

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
LOCAL_BYTES = 10
_GLOBAL_SPACE = 1
_i8, _i64 = ir.IntType(8), ir.IntType(64)


class LocalArray(types.Array):
    """The type of a LocalAccessor at the entry: local memory whose size the launch decides. The
    kernel's body sees a plain array."""

    def __init__(self, dtype, ndim):
        super().__init__(dtype, ndim, "C", name=f"LocalArray({dtype}, {ndim}d)")

    def plain(self):
        """The type that the kernel's body sees."""
        return types.Array(self.dtype, self.ndim, "C")


@dataclass
class Parameters:
    """The entry's parameters: their LLVM types, and their values of target::Parameter."""

    llvm: list = field(default_factory=list)
    codes: list[int] = field(default_factory=list)

    def add(self, llvm_type, code: int):
        self.llvm.append(llvm_type)
        self.codes.append(code)


def parameters_of(context, argument_types) -> Parameters:
    """The parameters of the entry for these arguments.

    An array is passed as its pointer, its extents and, unless it is C-contiguous, its strides in
    bytes. An int64 that says whether the array is not None precedes those of an optional array. A
    tuple is passed as its items. A record or another value that is not a number is passed as its
    bytes, eight per parameter.
    """
    result = Parameters()
    for argument in argument_types:
        _add(context, result, argument)
    return result


def _add(context, result, argument):
    if isinstance(argument, ItemType):
        return
    if isinstance(argument, types.BaseTuple):
        for item in argument:
            _add(context, result, item)
    elif isinstance(argument, LocalArray):
        result.add(ir.PointerType(_i8, LOCAL_SPACE), LOCAL_BYTES)
        for _ in range(argument.ndim):
            result.add(_i64, _INT64)
    elif is_optional_array(argument):
        result.add(_i64, _INT64)
        _add(context, result, argument.type)
    elif isinstance(argument, types.Array):
        element = context.get_data_type(argument.dtype)
        result.add(ir.PointerType(element, _GLOBAL_SPACE), _POINTER)
        for _ in range(argument.ndim * (1 if argument.layout == "C" else 2)):
            result.add(_i64, _INT64)
    elif argument in _NUMBERS:
        result.add(context.get_data_type(argument), _NUMBERS[argument])
    else:
        for _ in range(_slots(context, argument)):
            result.add(_i64, _INT64)


def is_optional_array(argument) -> bool:
    return isinstance(argument, types.Optional) and isinstance(argument.type, types.Array)


def _slots(context, argument) -> int:
    """Number of int64 parameters of a record or another value that is not a number."""
    if isinstance(argument, types.Record):
        return (argument.size + 7) // 8
    return (context.get_abi_sizeof(context.get_data_type(argument)) + 7) // 8


def emit_entry(context, compiled, given_types, name: str, *, prints: bool) -> tuple[str, list[int]]:
    """The text and the parameters of the module's entry `name`, which takes `given_types`, and a
    print buffer if it `prints`, and calls the compiled function."""
    module = ir.Module("entry")
    wanted_types = compiled.signature.args
    parameters = parameters_of(context, given_types)
    if prints:
        parameters.add(ir.PointerType(_i8, _GLOBAL_SPACE), _POINTER)
    entry = ir.Function(module, ir.FunctionType(ir.VoidType(), parameters.llvm), name)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    given = iter(entry.args)
    values = []
    for argument, wanted in zip(given_types, wanted_types, strict=True):
        value = argument_value(context, builder, argument, given)
        values.append(context.cast(builder, value, inner_type(argument), wanted))
    context.call_conv.call_compiled(builder, compiled, values)
    builder.ret_void()
    return str(module), parameters.codes


def inner_type(argument):
    """The type that the body of the kernel sees."""
    return argument.plain() if isinstance(argument, LocalArray) else argument


def argument_value(context, builder, argument, given: Iterator, rows_are_dense=False):
    """Numba's value of an argument, from the entry's parameters that `given` yields.

    With `rows_are_dense`, the last stride of every array is the size of an element.
    """
    if isinstance(argument, ItemType):
        return context.get_dummy_value()
    if isinstance(argument, types.BaseTuple):
        items = [argument_value(context, builder, item, given, rows_are_dense) for item in argument]
        return context.make_tuple(builder, argument, items)
    if isinstance(argument, LocalArray):
        memory = builder.addrspacecast(next(given), ir.PointerType(_i8))
        shape = [next(given) for _ in range(argument.ndim)]
        return array_of(context, builder, argument.plain(), memory, shape)
    if is_optional_array(argument):
        optional = context.make_helper(builder, argument)
        optional.valid = builder.trunc(next(given), ir.IntType(1))
        optional.data = _array(context, builder, argument.type, given, rows_are_dense)
        return optional._getvalue()
    if isinstance(argument, types.Array):
        return _array(context, builder, argument, given, rows_are_dense)
    model = context.data_model_manager[argument]
    if argument in _NUMBERS:
        return model.from_data(builder, next(given))
    memory = _words(context, builder, argument, given)
    if isinstance(argument, types.Record):
        return builder.bitcast(memory, context.get_value_type(argument))
    pointer = ir.PointerType(context.get_data_type(argument))
    return model.from_data(builder, builder.load(builder.bitcast(memory, pointer)))


def _words(context, builder, argument, given):
    """Memory that holds the bytes of a value."""
    slots = _slots(context, argument)
    memory = cgutils.alloca_once(builder, ir.ArrayType(_i64, slots))
    for i in range(slots):
        builder.store(next(given), builder.gep(memory, [_i64(0), _i64(i)], inbounds=True))
    return memory


def _array(context, builder, argument, given, rows_are_dense):
    pointer = next(given)
    shape = [next(given) for _ in range(argument.ndim)]
    generic = builder.addrspacecast(pointer, ir.PointerType(pointer.type.pointee))
    if argument.layout == "C":
        return array_of(context, builder, argument, generic, shape)
    array = context.make_array(argument)(context, builder)
    itemsize = _i64(context.get_abi_sizeof(context.get_data_type(argument.dtype)))
    strides = [next(given) for _ in range(argument.ndim)]
    if rows_are_dense and argument.layout == "A":
        strides[-1] = itemsize
    populate_array(
        array,
        data=builder.bitcast(generic, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=itemsize,
        meminfo=None,
        parent=None,
    )
    return array._getvalue()
