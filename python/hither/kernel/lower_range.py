"""The steps of a loop over range()."""

from __future__ import annotations


def next_of_range(context, builder, signature, arguments):
    """What Numba's own does, in a form that LLVM sees through.

    A value is stepped on before it is known whether another follows, so the loop's variable is a
    plain recurrence; and without overflow, which only the step after the last value could have, and
    nobody reads that. An index that counts up from 0 is then seen to be no negative one.
    """
    (kind,) = signature.args
    state = context.make_helper(builder, kind, arguments[0])
    result = context.make_helper(builder, signature.return_type)
    count, value = builder.load(state.count), builder.load(state.iter)
    flags = ["nsw"] if kind.yield_type.signed else []
    builder.store(builder.sub(count, count.type(1)), state.count)
    builder.store(builder.add(value, state.step, flags=flags), state.iter)
    result.first = value
    result.second = builder.icmp_signed(">", count, count.type(0))
    return result._getvalue()
