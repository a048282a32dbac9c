"""Prange loops with early exits. Numba runs them serially. If the exit is a `raise` or a failed
`assert`, hither runs them in parallel, because kernels can raise exceptions."""

from __future__ import annotations

from .._kernel.numba.access import value_of
from .numba_adapter import (
    OffloadPass,
    build_definitions,
    compute_cfg_from_blocks,
    intrinsic,
    numba,
    numba_ir,
    register_pass,
    types,
)

_LOOPS = (numba.prange, numba.pndindex)
_raised: list[tuple] = []  # exceptions and their arguments


@intrinsic(prefer_literal=True)
def raise_known(typing_context, number):
    """Raises the entry of `_raised` at a constant index."""

    def emit(context, builder, signature, arguments):
        exception, given = _raised[signature.args[0].literal_value]
        with builder.if_then(context.get_constant(types.boolean, True)):  # the block continues
            context.call_conv.return_user_exc(builder, exception, given)
        return context.get_dummy_value()

    return types.void(number), emit


@register_pass(mutates_CFG=True, analysis_only=False)
class RaiseInside(OffloadPass):
    """Replaces a `raise` that leaves a prange loop by a call inside the loop. The loop then has one
    exit, as Numba requires."""

    _name = "hither_raise_inside"

    def run_pass(self, state):
        blocks = state.func_ir.blocks
        graph = compute_cfg_from_blocks(blocks)
        changed = False
        for loop in graph.loops().values():
            if not any(_enters_loop(blocks[entry], state.func_ir) for entry in loop.entries):
                continue
            for label in loop.exits:
                before = [block for block, _ in graph.predecessors(label)]
                if _raises(blocks[label]) and loop.body.issuperset(before):
                    after = {b for p in before for b, _ in graph.successors(p)} & loop.body
                    target = after.pop() if len(after) == 1 else loop.header
                    _call_instead(blocks[label], target)
                    changed = True
        if changed:
            state.func_ir._definitions = build_definitions(blocks)
        return changed


def _enters_loop(block, func_ir) -> bool:
    return any(_is_call_of(s, lambda f: value_of(func_ir, f) in _LOOPS) for s in block.body)


def _is_call_of(statement, is_wanted) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(value, numba_ir.Expr) and value.op == "call" and is_wanted(value.func)


def _raises(block) -> bool:
    last = block.terminator
    return isinstance(last, numba_ir.StaticRaise) and last.exc_class is not None


def _call_instead(block, target):
    """Replaces the `raise` at the end of a block by a call and a jump to `target`, which is never
    executed."""
    last = block.body.pop()
    _raised.append((last.exc_class, last.exc_args))
    loc = last.loc

    def assign(value):
        variable = block.scope.redefine("$hither.raise", loc)
        block.append(numba_ir.Assign(value, variable, loc))
        return variable

    function = assign(numba_ir.Global("raise", raise_known, loc))
    number = assign(numba_ir.Const(len(_raised) - 1, loc))
    assign(numba_ir.Expr.call(function, [number], (), loc))
    block.append(numba_ir.Jump(target, loc))


def moved_raise(parfor) -> bool:
    """Whether the parfor's body contains a call that RaiseInside inserted."""
    return any(
        isinstance(statement.value, numba_ir.Global) and statement.value.value is raise_known
        for block in parfor.loop_body.values()
        for statement in block.find_insts(numba_ir.Assign)
    )


def is_serial_loop(statement, typemap) -> bool:
    """Whether the statement is a call of prange that Numba has not made a parfor."""
    return _is_call_of(statement, lambda f: _key(typemap.get(f.name)) in _LOOPS)


def _key(numba_type):
    return numba_type.typing_key if isinstance(numba_type, types.Function) else None
