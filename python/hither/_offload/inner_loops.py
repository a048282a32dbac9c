"""What loops inside of prange loops consist of: their ranges, and statements that several
work-items may execute."""

from __future__ import annotations

import operator
from collections import Counter
from dataclasses import dataclass
from typing import Any

from .host_access import SHAPES
from .numba_adapter import compute_use_defs, numba_ir, types

# Expressions that may be computed any number of times.
_PURE = ("binop", "inplace_binop", "unary", "cast", "getattr", "build_tuple", "exhaust_iter",
         "static_getitem")  # fmt: skip
# Operations of limits, which are computed even if the prange loop has no iterations. None raises.
_SAFE = (operator.add, operator.sub, operator.mul, operator.neg, operator.pos)


def targets_of(block):
    end = block.body[-1] if block.body else None
    return end.get_targets() if isinstance(end, (numba_ir.Jump, numba_ir.Branch)) else ()


def is_expression(statement) -> bool:
    return isinstance(statement, numba_ir.Assign) and isinstance(statement.value, numba_ir.Expr)


def is_pure(statement, typemap) -> bool:
    """Whether each work-item may execute the statement: it only computes a variable's value, and
    makes no array that the inner loop could write to."""
    if isinstance(statement, numba_ir.Del):
        return True
    if not isinstance(statement, numba_ir.Assign):
        return False
    value = statement.value
    if not isinstance(value, numba_ir.Expr) or value.op in ("getiter", *_PURE):
        return True
    if value.op == "getitem":  # of a tuple it may raise IndexError
        return isinstance(typemap.get(value.value.name), types.Array)
    if value.op != "call":
        return False
    numbers = (types.Number, types.Boolean)
    result = typemap.get(statement.target.name)
    returns = isinstance(result, (*numbers, types.RangeType))
    given = (v for v in value.list_vars() if v is not value.func)
    return returns and all(isinstance(typemap.get(v.name), numbers) for v in given)


def limits_of(call, typemap):
    """The start and the stop of the loop, whose step is 1."""
    if not isinstance(call, numba_ir.Expr) or call.op != "call" or call.kws:
        return None
    called = typemap.get(call.func.name)
    if not isinstance(called, types.Function) or called.typing_key is not range:
        return None
    return {1: (0, *call.args), 2: tuple(call.args)}.get(len(call.args))


def needed_for(limits, given, indices, typemap) -> list | None:
    """The statements that compute the limits, or None if the limits depend on the loop's indices or
    on elements of arrays, or may raise: a loop without iterations computes none. `given` is the
    result of assignments()."""
    defined, changing = given
    needed: list = []
    names = [v.name for v in limits if isinstance(v, numba_ir.Var)]
    while names:
        name = names.pop()
        if name in indices or name in changing:
            return None
        statement = defined.get(name)
        if statement is None or statement in needed:
            continue
        needed.append(statement)
        value = statement.value
        if isinstance(value, numba_ir.Var):
            names.append(value.name)
        elif isinstance(value, numba_ir.Expr):
            of_array = any(isinstance(typemap.get(v.name), types.Array) for v in value.list_vars())
            about = value._kws
            if value.op not in _PURE or (of_array and about.get("attr") not in SHAPES):
                return None
            if value.op in ("binop", "inplace_binop", "unary") and _may_raise(about, typemap):
                return None
            names += [v.name for v in value.list_vars()]
    return needed


def assignments(blocks, labels) -> tuple[dict, set]:
    """The statements of these blocks that give variables their only value, by name, and the names
    of the variables that get others."""
    found = [
        (label, s)
        for label, block in blocks.items()
        for s in block.body
        if isinstance(s, numba_ir.Assign)
    ]
    counts = Counter(s.target.name for _, s in found)
    defined = {s.target.name: s for label, s in found if label in labels}
    defined = {name: s for name, s in defined.items() if counts[name] == 1}
    return defined, set(counts) - set(defined)


@dataclass
class EnteredLoop:
    """A loop over a range of step 1, which a block enters that else only computes numbers."""

    before: list  # the block's other statements
    header: int  # the block that asks for the next number
    inside: int  # the first block of an iteration
    after: int  # the block after the loop
    index: Any
    iterator: Any  # the statement that makes the iterator
    made: Any  # the statement that makes the range
    limits: tuple

    @classmethod
    def find(cls, blocks, label, typemap) -> EnteredLoop | None:
        *before, jump = blocks[label].body or [None]
        if not isinstance(jump, numba_ir.Jump) or not all(is_pure(s, typemap) for s in before):
            return None
        header = jump.target
        *asks, branch = blocks[header].body
        operations = [s.value.op for s in asks if is_expression(s)]
        if operations != ["iternext", "pair_first", "pair_second"] or len(asks) != 3:
            return None
        if not isinstance(branch, numba_ir.Branch):
            return None
        defined = {s.target.name: s for s in before if isinstance(s, numba_ir.Assign)}
        iterator = defined.get(asks[0].value.value.name)
        made = iterator and defined.get(iterator.value.value.name)
        limits = made and limits_of(made.value, typemap)
        if limits is None:
            return None
        return cls(
            before, header, branch.truebr, branch.falsebr, asks[1].target, iterator, made, limits
        )


def _may_raise(operation, typemap) -> bool:
    function = operation.get("immutable_fn", operation["fn"])
    if function in (operator.floordiv, operator.mod):
        divisor = typemap.get(operation["rhs"].name)
        return not isinstance(divisor, types.IntegerLiteral) or divisor.literal_value == 0
    return function not in _SAFE


def live_before(blocks) -> tuple[dict, dict]:
    """For each block the variables whose values before it may be used, and those it defines."""
    found = compute_use_defs(blocks)
    used, defined = found.usemap, found.defmap
    before = {label: set(names) for label, names in used.items()}
    changed = True
    while changed:
        changed = False
        for label, block in blocks.items():
            after = {name for target in targets_of(block) for name in before[target]}
            live = used[label] | after - defined[label]
            changed |= live != before[label]
            before[label] = live
    return before, defined
