"""`x.reshape(...)` in kernels. Numba's implementation calls a function of its C library."""

from __future__ import annotations

import functools

from .numba_adapter import cgutils, ir, make_array, populate_array, types

_i64 = ir.IntType(64)


def reshape(context, builder, sig, args):
    """A view of an array in C order, without a copy. One negative extent is computed from the
    others. Raises ValueError for another number of elements, and NotImplementedError for an array
    in another order."""
    array = make_array(sig.args[0])(context, builder, args[0])
    given = _extents(context, builder, sig.args[1:], args[1:])
    zero, one = _i64(0), _i64(1)
    negative = [builder.icmp_signed("<", extent, zero) for extent in given]
    known = _product(
        builder, [builder.select(n, one, e) for n, e in zip(negative, given, strict=True)]
    )
    divisor = builder.select(builder.icmp_signed("==", known, zero), one, known)
    inferred = builder.sdiv(array.nitems, divisor)
    extents = [builder.select(n, inferred, e) for n, e in zip(negative, given, strict=True)]
    unknown = functools.reduce(builder.add, [builder.zext(n, _i64) for n in negative], zero)
    fails = builder.or_(
        builder.icmp_signed(">", unknown, one),
        builder.icmp_signed("!=", _product(builder, extents), array.nitems),
    )
    _raise_if(context, builder, fails, ValueError, "total size of new array must be unchanged")
    if sig.args[0].layout != "C":
        message = "reshape in a kernel takes arrays in C order only"
        _raise_if(context, builder, _not_in_c_order(builder, array), NotImplementedError, message)
    result = make_array(sig.return_type)(context, builder)
    populate_array(
        result,
        data=array.data,
        shape=extents,
        strides=_packed(builder, extents, array.itemsize),
        itemsize=array.itemsize,
        meminfo=array.meminfo,
        parent=array.parent,
    )
    return result._getvalue()


def _extents(context, builder, given_types, given) -> list:
    if isinstance(given_types[0], types.BaseTuple):
        given_types, given = tuple(given_types[0]), cgutils.unpack_tuple(builder, given[0])
    return [
        context.cast(builder, value, given_type, types.int64)
        for value, given_type in zip(given, given_types, strict=True)
    ]


def _product(builder, factors):
    return functools.reduce(builder.mul, factors, _i64(1))


def _packed(builder, extents, itemsize) -> list:
    strides: list = []
    step = itemsize
    for extent in reversed(extents):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    return strides


def _not_in_c_order(builder, array):
    found = ir.Constant(ir.IntType(1), 0)
    shape, strides = (cgutils.unpack_tuple(builder, part) for part in (array.shape, array.strides))
    packed = _packed(builder, shape, array.itemsize)
    for extent, stride, expected in zip(shape, strides, packed, strict=True):
        differs = builder.icmp_signed("!=", stride, expected)
        several = builder.icmp_signed(">", extent, _i64(1))
        found = builder.or_(found, builder.and_(differs, several))
    return found


def _raise_if(context, builder, condition, exception, message):
    with cgutils.if_unlikely(builder, condition):
        context.call_conv.return_user_exc(builder, exception, (message,))
