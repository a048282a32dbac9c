"""Converts values to the type of the array's elements before a parfor stores them.

If Numba fuses parfors, a statement that read `x[i]` after `x[i] = v` uses `v` itself, although the
store converts it: the sum of two int8 is an int64 for Numba, and a float64 may go into an array of
float32. The parallel function would not wrap or round where the plain function does.
"""

from __future__ import annotations

from .compilation import current
from .numba_adapter import (
    OffloadPass,
    Parfor,
    mk_unique_var,
    numba_ir,
    register_pass,
    remove_call_handlers,
    types,
)

_NUMBERS = (types.Number, types.Boolean)


@register_pass(mutates_CFG=False, analysis_only=False)
class ConvertStoredValues(OffloadPass):
    """Follows the pass that makes parfors, and precedes those that fuse them."""

    _name = "hither_convert_stored_values"

    def run_pass(self, state):
        for parfor in _parfors_of(state.func_ir.blocks):
            for block in parfor.loop_body.values():
                block.body = [s for old in block.body for s in _converted(old, parfor, state)]
        return True


def _parfors_of(blocks):
    for block in blocks.values():
        for parfor in block.body:
            if isinstance(parfor, Parfor):
                yield parfor
                yield from _parfors_of(parfor.loop_body)


def _converted(statement, parfor, state) -> list:
    """The statement, after the conversion of the value that it stores."""
    if not isinstance(statement, numba_ir.SetItem):
        return [statement]
    element = getattr(state.typemap[statement.target.name], "dtype", None)
    given = types.unliteral(state.typemap[statement.value.name])
    # Numba records the element's type for the value of `x += y`, whatever the sum is.
    known = parfor.patterns[0] != ("inplace_binop", "")
    if not isinstance(element, _NUMBERS) or not isinstance(given, _NUMBERS):
        return [statement]
    if known and given == element:
        return [statement]
    loc, scope = statement.loc, statement.value.scope
    function = numba_ir.Var(scope, mk_unique_var("$hither.type"), loc)
    value = numba_ir.Var(scope, mk_unique_var("$hither.stored"), loc)
    state.typemap[function.name] = types.NumberClass(element)
    state.typemap[value.name] = element
    call = numba_ir.Expr.call(function, (statement.value,), (), loc)
    state.calltypes[call] = element(given)
    stored = numba_ir.SetItem(statement.target, statement.index, value, loc)
    array, index, _ = state.calltypes.pop(statement).args
    state.calltypes[stored] = types.none(array, index, element)
    return [
        numba_ir.Assign(numba_ir.Global(str(element), element, loc), function, loc),
        numba_ir.Assign(call, value, loc),
        stored,
    ]


def _may_be_removed(_call, _lives, called) -> bool:
    """Numba's extension point: whether a call has no effect besides its result."""
    return current.get() is not None and len(called) == 1 and isinstance(called[0], _NUMBERS)


remove_call_handlers.append(_may_be_removed)
