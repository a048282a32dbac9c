"""Loops over prange that can be left early. Numba runs those serially. Where it is `raise` or a
failed `assert` that leaves one, it is parallel here: kernels can raise."""

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
    """Raises the entry of `_raised` that a constant names."""

    def emit(context, builder, signature, arguments):
        exception, given = _raised[signature.args[0].literal_value]
        with builder.if_then(context.get_constant(types.boolean, True)):  # the block goes on
            context.call_conv.return_user_exc(builder, exception, given)
        return context.get_dummy_value()

    return types.void(number), emit


@register_pass(mutates_CFG=True, analysis_only=False)
class RaiseInside(OffloadPass):
    """A `raise` that leaves a loop over prange becomes a call in the loop, which has then one exit,
    as Numba wants it."""

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
    """Of the `raise` that ends the block; `target` follows it as far as Numba sees."""
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
    """Whether its body calls what RaiseInside wrote."""
    return any(
        isinstance(statement.value, numba_ir.Global) and statement.value.value is raise_known
        for block in parfor.loop_body.values()
        for statement in block.find_insts(numba_ir.Assign)
    )


def is_serial_loop(statement, typemap) -> bool:
    """Whether it is a call of prange that Numba has left as it is."""
    return _is_call_of(statement, lambda f: _key(typemap.get(f.name)) in _LOOPS)


def _key(numba_type):
    return numba_type.typing_key if isinstance(numba_type, types.Function) else None
