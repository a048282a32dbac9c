"""Loops over range() in a form that LLVM can analyse. Numba's lowering hides the loop variable."""

from __future__ import annotations

from .numba_adapter import cgutils, ir


def checked_range(context, builder, make, arguments):
    """Emits range(start, stop, step) by `make`, with a check of the step unless it is a nonzero
    constant. Functions that must not raise can use ranges without a step or with a constant one."""
    step = arguments[2]
    if not isinstance(step, ir.Constant) or step.constant == 0:
        with cgutils.if_unlikely(builder, builder.icmp_signed("==", step, step.type(0))):
            text = "range() arg 3 must not be zero"
            context.call_conv.return_user_exc(builder, ValueError, (text,))
    return make(builder, arguments)


def iterator_of_range(context, builder, signature, arguments):
    """Computes the number of values by one division, which LLVM folds into comparisons."""
    state = context.make_helper(builder, signature.args[0], arguments[0])
    start, stop, step = state.start, state.stop, state.step
    zero, one = step.type(0), step.type(1)
    compare = builder.icmp_signed if signature.args[0].dtype.signed else builder.icmp_unsigned
    up = compare(">", step, zero)
    low, high = builder.select(up, start, stop), builder.select(up, stop, start)
    stride = builder.select(up, step, builder.neg(step))
    last = builder.udiv(builder.sub(builder.sub(high, low), one), stride)
    count = builder.select(compare("<", low, high), builder.add(last, one), zero)
    result = context.make_helper(builder, signature.return_type)
    result.iter = cgutils.alloca_once_value(builder, start)
    result.stop, result.step = stop, step
    result.count = cgutils.alloca_once_value(builder, count)
    return result._getvalue()


def next_of_range(context, builder, signature, arguments):
    """Adds the step before the test for the end, so that the loop variable is a plain recurrence.

    The addition is marked as free of overflow: only the value after the last one can overflow, and
    it is not read. LLVM can then prove that an index that counts up from 0 is not negative. The
    instructions that count iterations have metadata for the compiler, which replaces them on GPUs
    (ptx_loops.h).
    """
    (kind,) = signature.args
    state = context.make_helper(builder, kind, arguments[0])
    result = context.make_helper(builder, signature.return_type)
    count, value = builder.load(state.count), builder.load(state.iter)
    flags = ["nsw"] if kind.yield_type.signed else []
    left = builder.sub(count, count.type(1))
    builder.store(left, state.count)
    builder.store(builder.add(value, state.step, flags=flags), state.iter)
    result.first = value
    more = builder.icmp_signed(">", count, count.type(0))
    for instruction in (left, more):
        instruction.set_metadata("hither.trip_count", builder.module.add_metadata([]))
    result.second = more
    return result._getvalue()
