"""Shifts by any amount, as NumPy defines them. In LLVM a shift by the width of the type or more
gives poison."""

from __future__ import annotations

import operator

import numpy as np

from .numba_adapter import ir

_LEFT = (operator.lshift, operator.ilshift)
_RIGHT = (operator.rshift, operator.irshift)
OPERATORS = _LEFT + _RIGHT
UFUNCS = (np.left_shift, np.right_shift)


def shift_of(function):
    """The lowering of one of OPERATORS or UFUNCS."""
    return _shift_left if function in _LEFT or function is np.left_shift else _shift_right


def _operands(context, builder, signature, arguments):
    """The value and the amount in the type of the result, and the width of that type. A negative
    amount, read as an unsigned number, is above the width too."""
    result = signature.return_type
    value, amount = (
        context.cast(builder, argument, given, result)
        for argument, given in zip(arguments, signature.args, strict=True)
    )
    return value, amount, ir.Constant(value.type, value.type.width)


def _shift_left(context, builder, signature, arguments):
    value, amount, width = _operands(context, builder, signature, arguments)
    inside = builder.icmp_unsigned("<", amount, width)
    return builder.select(inside, builder.shl(value, amount), ir.Constant(value.type, 0))


def _shift_right(context, builder, signature, arguments):
    value, amount, width = _operands(context, builder, signature, arguments)
    inside = builder.icmp_unsigned("<", amount, width)
    if signature.return_type.signed:
        last = ir.Constant(value.type, value.type.width - 1)
        return builder.ashr(value, builder.select(inside, amount, last))
    return builder.select(inside, builder.lshr(value, amount), ir.Constant(value.type, 0))
