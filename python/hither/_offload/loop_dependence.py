"""Finds prange loops whose iterations depend on each other.

Numba's parallel passes run them in parallel anyway, with wrong results. A device context, which
enables these passes for every function, must not change results.
"""

from __future__ import annotations

import operator

from .._kernel.numba.access import value_of
from . import random_stream
from .numba_adapter import Parfor, numba_ir, types


class SerialOnly(Exception):
    """The loop or function must run serially; the text is the reason."""


def require_independent(parfor, typemap) -> None:
    """Raises SerialOnly if an iteration uses a variable's value from another iteration, except to
    contribute to a reduction."""
    statements = list(_statements_of(parfor))
    assigned = {s.target.name for s in statements if isinstance(s, numba_ir.Assign)}
    for name in sorted(assigned & set(parfor.params) - set(parfor.redvars)):
        raise _carried(name)
    for name in parfor.redvars:
        if _subtracts_from_others(parfor.reddict[name]):
            raise _carried(name)
        if not isinstance(typemap[name], types.Array) and _is_looked_at(name, statements):
            raise _carried(name)


def draws_random(parfor, func_ir) -> bool:
    """Whether iterations draw random numbers from a generator, whose numbers then depend on the
    order of the iterations and on the thread."""
    found = [s for s in _statements_of(parfor) if isinstance(s, numba_ir.Assign)]
    inside = func_ir.derive(func_ir.blocks)
    inside._definitions = {**func_ir._definitions, **{s.target.name: [s.value] for s in found}}
    calls = [s.value for s in found if isinstance(s.value, numba_ir.Expr) and s.value.op == "call"]
    return any(random_stream.draws(value_of(inside, call.func)) for call in calls)


def _carried(name) -> SerialOnly:
    shown = name.partition(".")[0].lstrip("$")
    return SerialOnly(
        f"{shown} carries a value from one iteration of a prange loop to the next, and it is not a "
        "reduction"
    )


def _statements_of(parfor):
    """The statements of the body, including those of inner parfors."""
    for block in parfor.loop_body.values():
        for statement in block.body:
            if isinstance(statement, Parfor):
                yield from statement.init_block.body
                yield from _statements_of(statement)
            else:
                yield statement


def _subtracts_from_others(reduction) -> bool:
    """Whether it is `s = x - s` or `s = x / s`, which is not a sum or product."""
    value = reduction.reduce_nodes[0].value
    changing = reduction.redop in (operator.isub, operator.itruediv)
    return changing and value.lhs.name.endswith("#init")


def _is_looked_at(name, statements) -> bool:
    """Whether the value of a reduction variable is used for anything but its next value."""
    values, known = {name}, 0
    while len(values) > known:
        known = len(values)
        for statement in statements:
            if isinstance(statement, numba_ir.Assign) and not values.isdisjoint(
                _read_by(statement)
            ):
                values.add(statement.target.name)
    return any(
        v.name in values
        for statement in statements
        if not isinstance(statement, (numba_ir.Assign, numba_ir.Del))
        for v in statement.list_vars()
    )


def _read_by(assignment) -> set[str]:
    return {v.name for v in assignment.list_vars()} - {assignment.target.name}
