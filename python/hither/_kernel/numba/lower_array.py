"""Local, private and constant arrays."""

from __future__ import annotations

from ..language import constant, local, private
from .numba_adapter import (
    cgutils,
    errors,
    intrinsic,
    ir,
    make_array,
    populate_array,
    types,
)
from .target import TARGET

LOCAL_SPACE = 3
_i64 = ir.IntType(64)


def _shape_of(shape) -> tuple[int, ...]:
    return tuple(extent.literal_value for extent in shape)


def _element_of(name, dtype):
    if isinstance(dtype, types.DType):
        return dtype.dtype
    if isinstance(dtype, types.NumberClass):
        return dtype.instance_type
    raise errors.TypingError(f"{name}: dtype must be a constant, or the dtype of an array")


def array_of(context, builder, array_type, data, shape):
    """Numba's array over memory in the order of its layout: Fortran order for F, else C order.
    `shape` is a list of LLVM values."""
    itemsize = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    strides: list = []
    step = _i64(itemsize)
    is_fortran = array_type.layout == "F"
    for extent in shape if is_fortran else reversed(shape):
        strides.append(step)
        step = builder.mul(step, extent, flags=["nsw"])
    strides = strides if is_fortran else strides[::-1]
    array = make_array(array_type)(context, builder)
    populate_array(
        array,
        data=builder.bitcast(data, array.data.type),
        shape=shape,
        strides=strides,
        itemsize=_i64(itemsize),
        meminfo=None,
        parent=None,
    )
    return array._getvalue()


def local_memory(builder, memory_type, align):
    """The address of memory that the work-items of a group share."""
    name = builder.module.get_unique_name(".hither.local")
    memory = ir.GlobalVariable(builder.module, memory_type, name, addrspace=LOCAL_SPACE)
    memory.linkage = "internal"
    memory.initializer = ir.Constant(memory_type, ir.Undefined)
    memory.align = align
    return builder.addrspacecast(memory, ir.PointerType(memory_type))


def _of_group(context, builder, memory_type, align):
    return local_memory(builder, memory_type, align)


def _private_memory(context, builder, memory_type, align):
    # alloca_once would store a zero aggregate, which LLVM splits into one store per element.
    with builder.goto_entry_block():
        memory = builder.alloca(memory_type)
    memory.align = align
    return memory


def _check_element(name, dtype):
    element = _element_of(name, dtype)
    if not isinstance(element, (types.Number, types.Boolean, types.Record)):
        raise errors.TypingError(f"elements of {name} are numbers or records, not {element}")
    return element


def _emit(context, builder, result, extents, memory_of):
    """Allocates memory by `memory_of` and returns it with an array of constant extents over it."""
    item = context.get_data_type(result.dtype)
    count = 1
    for extent in extents:
        count *= extent
    memory_type = ir.ArrayType(item, count)
    align = max(context.get_abi_alignment(item), 16)
    memory = memory_of(context, builder, memory_type, align)
    return memory, array_of(context, builder, result, memory, [_i64(n) for n in extents])


@intrinsic(target=TARGET, prefer_literal=True)
def _local_array(typing_context, shape, dtype):
    result = types.Array(_check_element("local.array", dtype), len(shape), "C")
    extents = _shape_of(shape)

    def lower(context, builder, signature, arguments):
        return _emit(context, builder, result, extents, _of_group)[1]

    return result(shape, dtype), lower


@intrinsic(target=TARGET, prefer_literal=True)
def _private_array(typing_context, shape, dtype, zero):
    result = types.Array(_check_element("private.array", dtype), len(shape), "C")
    extents = _shape_of(shape)

    def lower(context, builder, signature, arguments):
        memory, array = _emit(context, builder, result, extents, _private_memory)
        if zero.literal_value:
            size = context.get_abi_sizeof(memory.type.pointee)
            cgutils.memset(builder, memory, _i64(size), 0)
        return array

    return result(shape, dtype, zero), lower


@intrinsic(target=TARGET)
def _array_like(typing_context, array):
    if not isinstance(array, types.Array):
        raise errors.TypingError(f"constant.array_like takes a NumPy array, not {array}")

    def lower(context, builder, signature, arguments):
        return arguments[0]

    return array(array), lower


REPLACEMENTS = {
    local.array: _local_array,
    private.array: _private_array,
    private.PrivateArray: _private_array,
    constant.array_like: _array_like,
}
