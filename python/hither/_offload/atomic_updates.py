"""Turns updates of shared elements into atomic operations, for arrays whose copies would take too
much memory."""

from __future__ import annotations

import copy
import operator
from dataclasses import dataclass
from typing import Any

from .._kernel.language import atomic
from .element_access import index_of
from .numba_adapter import Parfor, numba_ir, types

# If the arrays of a region have more bytes than this in total, they are updated in place. Four
# copies would be 1 GiB; see offload_region.cpp.
MOST_BYTES = 1 << 28
_FUNCTIONS: dict[Any, Any] = {
    operator.add: atomic.add, operator.sub: atomic.sub, min: atomic.min, max: atomic.max,
    operator.and_: atomic.and_, operator.or_: atomic.or_, operator.xor: atomic.xor,
}  # fmt: skip


@dataclass(frozen=True)
class StoredUpdate:
    """The storing statement of `array[k] = array[k] operation operand`."""

    store: Any
    operation: Any
    operand: Any


def has_atomics(dtype, updates) -> bool:
    """Whether there are atomic operations for all updates of an array."""
    if isinstance(dtype, types.Float):
        possible = dtype.bitwidth >= 32
        known = (operator.add, operator.sub, min, max)
    else:
        possible = isinstance(dtype, types.Integer)
        known = tuple(_FUNCTIONS)
    return possible and all(
        update.operation in known and isinstance(index_of(update.store), (numba_ir.Var, int))
        for update in updates
    )


def with_atomics(parfor, updates):
    """The parfor with these StoredUpdates as atomic operations, or None if its body does not
    contain one of them."""
    by_store = {id(update.store): update for update in updates}
    made = _rewritten(parfor, by_store)
    return None if by_store else made


def _rewritten(parfor, by_store):
    made = copy.copy(parfor)
    made._kws = dict(parfor._kws)  # the attributes of the parfor
    made.loop_body = {}
    for label, block in parfor.loop_body.items():
        new = numba_ir.Block(block.scope, block.loc)
        for statement in block.body:
            update = by_store.pop(id(statement), None)
            if update is not None:
                _append_atomic(new, update)
            elif isinstance(statement, Parfor):
                new.append(_rewritten(statement, by_store))
            else:
                new.append(statement)
        made.loop_body[label] = new
    return made


def _append_atomic(block, update):
    """Appends the atomic operation. LLVM removes the code that computed the new value."""
    store = update.store
    loc, scope = store.loc, store.target.scope

    def assign(value):
        variable = scope.redefine("$hither.atomic", loc)
        block.append(numba_ir.Assign(value, variable, loc))
        return variable

    index = index_of(store)
    if not isinstance(index, numba_ir.Var):
        index = assign(numba_ir.Const(index, loc))
    function = assign(numba_ir.Global("atomic", _FUNCTIONS[update.operation], loc))
    given = [store.target, index, update.operand]
    assign(numba_ir.Expr.call(function, given, (), loc))
