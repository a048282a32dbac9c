"""Lowers bit functions to LLVM intrinsics, and the report of a wrong mask."""

from __future__ import annotations

from ..language import bits, cuda_warp
from .numba_adapter import errors, intrinsic, ir, types
from .target import TARGET


def _popc(builder, x):
    return builder.ctpop(x)


def _clz(builder, x):
    return builder.ctlz(x, ir.IntType(1)(0))


def _ffs(builder, x):
    lowest = builder.add(builder.cttz(x, ir.IntType(1)(0)), x.type(1))
    return builder.select(builder.icmp_signed("==", x, x.type(0)), x.type(0), lowest)


def _brev(builder, x):
    return builder.bitreverse(x)


def _of_bits(name, emit, result=None):
    @intrinsic(target=TARGET)
    def function(typing_context, x):
        if not isinstance(x, types.Integer):
            raise errors.TypingError(f"{name} works on integers, not on {x}")

        def lower(context, builder, signature, arguments):
            value = emit(builder, arguments[0])
            if result is None or value.type.width == result.bitwidth:
                return value
            return builder.zext(value, context.get_value_type(result))

        return (x if result is None else result)(x), lower

    return function


@intrinsic(target=TARGET)
def _report_mask(typing_context, is_wrong):
    def lower(context, builder, signature, arguments):
        with builder.if_then(arguments[0], likely=False):
            context.call_conv.report(builder, ValueError, (cuda_warp.WRONG_MASK,))
        return context.get_dummy_value()

    return types.none(types.boolean), lower


REPLACEMENTS = {
    cuda_warp.report_mask: _report_mask,
    bits.popc: _of_bits("popc", _popc, types.intp),
    bits.clz: _of_bits("clz", _clz, types.intp),
    bits.ffs: _of_bits("ffs", _ffs, types.intp),
    bits.brev: _of_bits("brev", _brev),
}
