"""Lowers `x[1:3] = y` inside kernels to loops. Numba's lowering may copy the source, for which
kernels have no memory. access.FindWrittenArguments refuses sources that may overlap the target."""

from __future__ import annotations

from .numba_adapter import (
    basic_indexing,
    cgutils,
    errors,
    ir,
    load_item,
    make_array,
    normalize_indices,
    store_item,
    types,
)

_i64 = ir.IntType(64)


def sets_many(signature) -> bool:
    """Whether this operator.setitem assigns to more than one element."""
    array, index, _ = signature.args
    indices = index.types if isinstance(index, types.BaseTuple) else (index,)
    return isinstance(array, types.Array) and not (
        len(indices) == array.ndim and all(isinstance(i, types.Integer) for i in indices)
    )


def set_many(context, builder, signature, arguments):
    """Lowers an assignment to a part of an array that is not a single element."""
    array_type, index_type, value_type = signature.args
    target = make_array(array_type)(context, builder, arguments[0])
    pair = (index_type,), (arguments[1],)
    if isinstance(index_type, types.BaseTuple):
        pair = index_type.types, cgutils.unpack_tuple(builder, arguments[1], len(index_type))
    pair = normalize_indices(context, builder, *pair)
    try:
        data, shape, strides = basic_indexing(
            context, builder, array_type, target, *pair, boundscheck=context.enable_boundscheck
        )
    except NotImplementedError:
        raise errors.UnsupportedError(
            f"a kernel cannot assign to an array at an index of type {index_type}: use integers "
            "and slices, or write a loop"
        ) from None
    load = _source(context, builder, value_type, arguments[2], shape)
    with cgutils.loop_nest(builder, shape, _i64) as position:
        value, dtype = load(position)
        value = context.cast(builder, value, dtype, array_type.dtype)
        element = _element(context, builder, data, shape, strides, position)
        store_item(context, builder, array_type, value, element)
    return context.get_dummy_value()


def _element(context, builder, data, shape, strides, position):
    return cgutils.get_item_pointer2(context, builder, data, shape, strides, "A", position)


def _source(context, builder, value_type, value, shape):
    """A function that gives the value, and its type, for a position in the target."""
    if not isinstance(value_type, types.Array):
        if isinstance(value_type, types.Sequence):
            raise errors.UnsupportedError(
                f"a kernel cannot assign a {value_type} to a slice: assign a number or an array, "
                "or write a loop"
            )
        return lambda position: (value, value_type)
    source = make_array(value_type)(context, builder, value)
    extents = cgutils.unpack_tuple(builder, source.shape, value_type.ndim)
    strides = cgutils.unpack_tuple(builder, source.strides, value_type.ndim)
    more = len(shape) - value_type.ndim
    if more < 0:
        raise errors.TypingError(
            f"an array of {value_type.ndim} dimensions cannot be assigned to a part of "
            f"{len(shape)} dimensions"
        )
    for axis, extent in enumerate(extents):
        strides[axis] = _stride(context, builder, extent, strides[axis], shape[more + axis])

    def load(position):
        item = _element(context, builder, source.data, extents, strides, position[more:])
        return load_item(context, builder, value_type, item), value_type.dtype

    return load


def _stride(context, builder, extent, stride, wanted):
    """The stride of a source whose extent is the wanted one, or 1, which is broadcast."""
    one = builder.icmp_signed("==", extent, _i64(1))
    fits = builder.or_(one, builder.icmp_signed("==", extent, wanted))
    with builder.if_then(builder.not_(fits), likely=False):
        context.call_conv.return_user_exc(
            builder, ValueError, ("the array assigned to a slice has another shape",)
        )
    return builder.select(one, _i64(0), stride)
