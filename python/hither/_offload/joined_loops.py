"""On GPUs, loops inside of prange loops whose iterations are independent too become dimensions of
the region, so that it has a work-item for each of their iterations.

The loop has to be the last statement of the prange loop's body. What precedes it is computed by
each work-item, and its range may not depend on the prange loop's index.
"""

from __future__ import annotations

import copy

from . import region
from .compilation import current
from .element_access import statements_of
from .inner_loops import EnteredLoop, assignments, live_before, needed_for, targets_of
from .loop_dependence import SerialOnly, draws_random
from .loop_exits import moved_raise
from .numba_adapter import (
    LoopNest,
    OffloadPass,
    Parfor,
    compute_use_defs,
    numba_ir,
    register_pass,
    types,
)
from .own_elements import Apart
from .shared_elements import sharing_of
from .team_loops import Refused, TeamLoops

_MOST_DIMENSIONS = 3


@register_pass(mutates_CFG=True, analysis_only=False)
class JoinLoops(OffloadPass):
    """Adds inner loops to the prange loops of a function that is compiled for a GPU."""

    _name = "hither_join_loops"

    def run_pass(self, state):
        compilation = current.get()
        queue = compilation and compilation.queue
        if queue is None or compilation.single_task or not region.runs_lanes(queue.device):
            return False
        for block in state.func_ir.blocks.values():
            body = []
            for statement in block.body:
                if _is_prange(statement) and not _is_used_later(statement, state.func_ir):
                    while (moved := _join(statement, state)) is not None:
                        body += moved
                    body += _measured(statement, state)
                body.append(statement)
            block.body = body
        return True


def _measured(parfor, state) -> list:
    """The statements that compute the limits of loops which a group may share."""
    try:
        return TeamLoops(parfor, state.func_ir, state.typemap).measured()
    except Refused:
        return []


def _is_prange(statement) -> bool:
    return isinstance(statement, Parfor) and statement.patterns[0][0] == "prange"


def _is_used_later(parfor, func_ir) -> bool:
    """Whether the function uses a variable that the iterations assign, such as the last index."""
    assigned = set().union(*compute_use_defs(parfor.loop_body).defmap.values())
    used: set = set()
    for block in func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, Parfor):
                inner = () if statement is parfor else statements_of(statement)
                used |= {v.name for s in inner for v in _variables(s)}
            else:
                used |= {v.name for v in statement.list_vars()}
    return not assigned.isdisjoint(used)


def _join(parfor, state) -> list | None:
    """Makes the inner loop of a prange loop another dimension of it, if that is possible. Returns
    the statements that have to precede the prange loop then."""
    if len(parfor.loop_nests) == _MOST_DIMENSIONS:
        return None
    found = _InnerLoop.find(parfor, state.typemap)
    if found is None or _carries_values(parfor, found) or draws_random(parfor, state.func_ir):
        return None
    joined = found.joined(parfor)
    arrays = {
        variable.name
        for statement in statements_of(joined)
        for variable in _variables(statement)
        if isinstance(state.typemap.get(variable.name), (types.Array, types.BaseTuple))
    }
    try:
        sharing = sharing_of(joined, state.func_ir, state.typemap, arrays)
    except SerialOnly:
        return None
    if sharing.updates or not all(isinstance(check, Apart) for check in sharing.checks):
        return None
    parfor.loop_nests, parfor.loop_body = joined.loop_nests, joined.loop_body
    parfor.joined_loops = region.joined_loops(parfor) + 1
    return found.moved


def _variables(statement):
    return [] if isinstance(statement, Parfor) else statement.list_vars()


class _InnerLoop:
    """The loop at the end of a prange loop's body.

    `first` is the block before it, `header` asks for its next number, and `after` are the blocks
    after it, which do nothing.
    """

    def __init__(self, first, header, after, index, limits, moved, kept):
        self.first, self.header, self.after = first, header, after
        self.index, self.limits = index, limits
        self.moved = moved  # statements that compute the limits
        self.kept = kept  # the other statements of the first block

    @classmethod
    def find(cls, parfor, typemap) -> _InnerLoop | None:
        blocks = parfor.loop_body
        first, last = min(blocks), max(blocks)
        loop = EnteredLoop.find(blocks, first, typemap)
        if loop is None:
            return None
        header = loop.header
        after = _after(blocks, loop.after)
        if after[-1:] != [last] or moved_raise(parfor):
            return None
        for label, block in blocks.items():
            targets = targets_of(block) if label not in (first, header, *after) else (header,)
            if not targets or not set(after).isdisjoint(targets):
                return None  # an exception, or break
        indices = {nest.index_variable.name for nest in parfor.loop_nests}
        moved = needed_for(loop.limits, assignments(blocks, (first,)), indices, typemap)
        if moved is None:
            return None
        order = [s for s in loop.before if s not in (loop.iterator, loop.made)]
        return cls(
            first, header, after, loop.index, loop.limits,
            [s for s in order if s in moved], [s for s in order if s not in moved],
        )  # fmt: skip

    def joined(self, parfor):
        """The prange loop with this loop as its last dimension."""
        result = copy.copy(parfor)
        result._kws = dict(parfor._kws)  # its attributes
        start, stop = self.limits
        result.loop_nests = [*parfor.loop_nests, LoopNest(self.index, start, stop, 1)]
        result.loop_body = {}
        inside = parfor.loop_body[self.header].body[-1].truebr
        for label, block in parfor.loop_body.items():
            if label not in (self.header, *self.after[:-1]):
                made = result.loop_body[label] = block.copy()
                made.body = [self._redirected(statement) for statement in block.body]
        first = result.loop_body[self.first]
        first.body = [*self.kept, numba_ir.Jump(inside, first.loc)]
        # The next inner loop is looked for at the end of the first block.
        if not any(inside in targets_of(b) for b in result.loop_body.values() if b is not first):
            first.body[-1:] = result.loop_body.pop(inside).body
        return result

    def _redirected(self, statement):
        """A statement that ends an iteration of the inner loop ends one of the region."""
        if isinstance(statement, numba_ir.Jump) and statement.target == self.header:
            return numba_ir.Jump(self.after[-1], statement.loc)
        if isinstance(statement, numba_ir.Branch) and self.header in statement.get_targets():
            targets = (
                self.after[-1] if target == self.header else target
                for target in (statement.truebr, statement.falsebr)
            )
            return numba_ir.Branch(statement.cond, *targets, statement.loc)
        return statement


def _after(blocks, label) -> list[int]:
    """The blocks from `label` on that do nothing but go to the next one."""
    after = []
    while not [s for s in blocks[label].body if not isinstance(s, (numba_ir.Del, numba_ir.Jump))]:
        after.append(label)
        if not targets_of(blocks[label]):
            break
        (label,) = targets_of(blocks[label])
    return after


def _carries_values(parfor, loop: _InnerLoop) -> bool:
    """Whether an iteration of one of the loops uses a variable's value from an earlier one."""
    blocks = parfor.loop_body
    before, defined = live_before(blocks)
    outer = set().union(*defined.values())
    inner = set().union(*(defined[b] for b in blocks if b not in (loop.first, *loop.after)))
    return bool(before[loop.first] & outer or before[loop.header] & inner)
