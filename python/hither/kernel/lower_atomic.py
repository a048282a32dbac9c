"""Atomic operations as LLVM's atomicrmw and cmpxchg, in relaxed ("monotonic") order."""

from __future__ import annotations

from . import atomic
from .numba_adapter import (
    basic_indexing,
    cgutils,
    errors,
    intrinsic,
    ir,
    make_array,
    types,
)
from .target import TARGET

# name: instruction for signed, unsigned, float elements
_OPERATIONS = {
    "add": ("add", "add", "fadd"),
    "sub": ("sub", "sub", "fsub"),
    "min": ("min", "umin", "fmin"),
    "max": ("max", "umax", "fmax"),
    "and_": ("and", "and", None),
    "or_": ("or", "or", None),
    "xor": ("xor", "xor", None),
    "exch": ("xchg", "xchg", "xchg"),
}


def _check(name, array, index):
    if not isinstance(array, types.Array):
        raise errors.TypingError(
            f"the first argument of atomic.{name} must be an array, not {array}"
        )
    if not array.mutable:
        raise errors.TypingError(f"Cannot modify readonly array of type: {array} (atomic.{name})")
    if not isinstance(array.dtype, (types.Integer, types.Float)):
        raise errors.TypingError(
            f"atomic.{name} works on integers and floats, not on {array.dtype} elements"
        )
    count = len(index) if isinstance(index, types.BaseTuple) else 1
    parts = tuple(index) if isinstance(index, types.BaseTuple) else (index,)
    if count != array.ndim or not all(isinstance(part, types.Integer) for part in parts):
        raise errors.TypingError(
            f"atomic.{name} takes one integer index for each of the array's "
            f"{array.ndim} dimension(s)"
        )


def _element_pointer(context, builder, array_type, array, index_type, index):
    if isinstance(index_type, types.BaseTuple):
        kinds, values = tuple(index_type), cgutils.unpack_tuple(builder, index, len(index_type))
    else:
        kinds, values = (index_type,), (index,)
    pointer, _, _ = basic_indexing(
        context,
        builder,
        array_type,
        make_array(array_type)(context, builder, array),
        kinds,
        values,
        boundscheck=context.enable_boundscheck,
    )
    return pointer


def _read_modify_write(name):
    signed, unsigned, floating = _OPERATIONS[name]

    @intrinsic(target=TARGET)
    def function(typing_context, array, index, value):
        _check(name, array, index)
        if isinstance(array.dtype, types.Float):
            instruction = floating
        else:
            instruction = signed if array.dtype.signed else unsigned
        if instruction is None:
            raise errors.TypingError(
                f"atomic.{name} works on integers, not on {array.dtype} elements"
            )

        def lower(context, builder, signature, arguments):
            pointer = _element_pointer(
                context, builder, signature.args[0], arguments[0], signature.args[1], arguments[1]
            )
            return builder.atomic_rmw(instruction, pointer, arguments[2], "monotonic")

        return array.dtype(array, index, array.dtype), lower

    return function


@intrinsic(target=TARGET)
def _compare_and_swap(typing_context, array, index, expected, value):
    _check("cas", array, index)

    def lower(context, builder, signature, arguments):
        array_type, index_type = signature.args[:2]
        pointer = _element_pointer(
            context, builder, array_type, arguments[0], index_type, arguments[1]
        )
        old, new = arguments[2:]
        if not isinstance(array_type.dtype, types.Float):
            return builder.extract_value(
                builder.cmpxchg(pointer, old, new, "monotonic", "monotonic"), 0
            )
        bits = ir.IntType(array_type.dtype.bitwidth)
        pair = builder.cmpxchg(
            builder.bitcast(pointer, ir.PointerType(bits)),
            builder.bitcast(old, bits),
            builder.bitcast(new, bits),
            "monotonic",
            "monotonic",
        )
        return builder.bitcast(builder.extract_value(pair, 0), old.type)

    return array.dtype(array, index, array.dtype, array.dtype), lower


REPLACEMENTS = {getattr(atomic, name): _read_modify_write(name) for name in _OPERATIONS}
REPLACEMENTS[atomic.cas] = _compare_and_swap
