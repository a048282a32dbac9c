"""On GPUs, the work-items of a group share the inner loops of an iteration, if these combine
numbers into sums, products, minima, maxima or bits, such as the norm of a row.

Neighbouring work-items then read neighbouring elements, and few long rows occupy the whole device.
The form is for loops whose numbers of iterations are known before the launch, and is chosen at the
launch if one of them is long enough.
"""

from __future__ import annotations

import copy
import operator
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._kernel.language.device_func import device_func
from .._kernel.language.group_function import group_reduce
from .._kernel.language.work_item import get_group, get_local_id
from .inner_loops import (
    EnteredLoop,
    assignments,
    is_expression,
    is_pure,
    live_before,
    needed_for,
    targets_of,
)
from .loop_dependence import draws_random
from .loop_exits import moved_raise
from .numba_adapter import as_numpy_dtype, numba_ir, types

# Work-items of a group: those of a sub-group on NVIDIA GPUs.
WIDTH = 32
# With fewer iterations in all of its loops, an iteration is one work-item's.
FEWEST_ITERATIONS = 64


@device_func
def _item():
    return np.int64(get_local_id(0))


@device_func
def _sum(x):
    return group_reduce(get_group(), x, "add")


@device_func
def _product(x):
    return group_reduce(get_group(), x, "mul")


@device_func
def _least(x):
    return group_reduce(get_group(), x, "min")


@device_func
def _largest(x):
    return group_reduce(get_group(), x, "max")


@device_func
def _all_bits(x):
    return group_reduce(get_group(), x, "and")


@device_func
def _any_bits(x):
    return group_reduce(get_group(), x, "or")


@device_func
def _odd_bits(x):
    return group_reduce(get_group(), x, "xor")


@dataclass(frozen=True)
class _Combining:
    """How partial results are combined. Work-items begin with `identity`, or with the variable's
    value before the loop if combining it again changes nothing."""

    of_items: Any
    joined: Any
    identity: int | None


_SUM = _Combining(_sum, operator.add, 0)
_PRODUCT = _Combining(_product, operator.mul, 1)
_COMBINED: dict[Any, _Combining] = {
    operator.add: _SUM, operator.iadd: _SUM, operator.sub: _SUM, operator.isub: _SUM,
    operator.mul: _PRODUCT, operator.imul: _PRODUCT,
    min: _Combining(_least, None, None), max: _Combining(_largest, None, None),
    **dict.fromkeys((operator.and_, operator.iand), _Combining(_all_bits, None, None)),
    **dict.fromkeys((operator.or_, operator.ior), _Combining(_any_bits, None, None)),
    **dict.fromkeys((operator.xor, operator.ixor), _Combining(_odd_bits, operator.xor, 0)),
}  # fmt: skip
_LEFT_ONLY = (operator.sub, operator.isub)  # the variable has to be the left operand


class Refused(Exception):
    """The inner loops of an iteration cannot be shared."""


@dataclass
class _Loop:
    """An inner loop. `before` is the block that ends by entering it, `header` asks for its next
    number, and `after` follows it."""

    before: int
    header: int
    after: int
    index: str
    made: Any  # the statement that makes the range
    limits: tuple
    inside: set
    combined: dict  # by variables


class TeamLoops:
    """The inner loops of a prange loop's iteration, which run one after another. Raises Refused."""

    def __init__(self, parfor, func_ir, typemap):
        self.parfor, self.typemap = parfor, typemap
        self.blocks = parfor.loop_body
        if parfor.redvars or moved_raise(parfor) or draws_random(parfor, func_ir):
            raise Refused
        self.loops: list[_Loop] = []
        label = min(self.blocks)
        while (loop := self._loop_after(label)) is not None:
            self.loops.append(loop)
            label = loop.after
        tail = self._reached(label, None)
        if not self.loops or any(self._asks(self.blocks[t]) for t in tail):
            raise Refused
        self._require_neighbours()

    @property
    def limits(self) -> list[tuple]:
        """The start and the stop of each loop: variables of the function, or numbers."""
        return [loop.limits for loop in self.loops]

    def measured(self) -> list:
        """The statements that compute the limits, which leave the iteration: they have to precede
        the prange loop."""
        moved = self._measuring()
        order = [s for label in self._before_loops() for s in self.blocks[label].body if s in moved]
        for label in self._before_loops():
            block = self.blocks[label]
            block.body = [s for s in block.body if s not in moved]
        return order

    def are_measured(self) -> bool:
        """Whether the limits are known before the prange loop."""
        return not self._measuring()

    def _measuring(self) -> list:
        indices = {nest.index_variable.name for nest in self.parfor.loop_nests}
        given = assignments(self.blocks, self._before_loops())
        found: list = []
        for loop in self.loops:
            needed = needed_for(loop.limits, given, indices, self.typemap)
            if needed is None:
                raise Refused
            found += [s for s in needed if s not in found]
        return found

    def _before_loops(self) -> list[int]:
        return [loop.before for loop in self.loops]

    def _loop_after(self, label) -> _Loop | None:
        """The loop that the block enters; None if it enters none."""
        end = self.blocks[label].body[-1:]
        if not isinstance(end and end[0], numba_ir.Jump) or not self._asks(
            self.blocks[end[0].target]
        ):
            return None
        found = EnteredLoop.find(self.blocks, label, self.typemap)
        if found is None:
            raise Refused
        inside = self._reached(found.inside, found.header)
        if inside & self._reached(found.after, None):
            raise Refused  # it may end early
        loop = _Loop(
            label, found.header, found.after, found.index.name, found.made, found.limits, inside, {}
        )
        if not all(self._only_computes(s) for s in self._statements(loop)):
            raise Refused
        carried = self._carried(loop)
        for name in carried:
            loop.combined[name] = self._combining(loop, name, carried)
        return loop

    @staticmethod
    def _asks(block) -> bool:
        return any(is_expression(s) and s.value.op == "iternext" for s in block.body)

    def _reached(self, label, without) -> set:
        found, left = set(), [label]
        while left:
            at = left.pop()
            if at != without and at not in found:
                found.add(at)
                left += targets_of(self.blocks[at])
        return found

    def _statements(self, loop) -> list:
        return [s for label in sorted(loop.inside) for s in self.blocks[label].body]

    def _only_computes(self, statement) -> bool:
        if isinstance(statement, (numba_ir.Jump, numba_ir.Branch)):
            return True
        asks = is_expression(statement) and statement.value.op in ("iternext", "getiter")
        return not asks and is_pure(statement, self.typemap)

    def _carried(self, loop) -> list:
        """The variables that an iteration of the loop passes on. No other one of the loop's may be
        used after it."""
        before, defined = live_before(self.blocks)
        inner = set().union(*(defined[label] for label in loop.inside), defined[loop.header])
        carried = before[loop.header] & inner
        if before[loop.after] & inner - carried or not carried:
            raise Refused
        return sorted(carried)

    def _combining(self, loop, name, carried) -> _Combining:
        """How the loop combines the values of a variable, which it may not use otherwise. Numba
        gives it other names on the way, but not that of another variable that is passed on."""
        statements = self._statements(loop)
        names, found = {name}, set[_Combining]()
        pending = True
        while pending:
            pending = False
            for s in statements:
                if isinstance(s, numba_ir.Assign) and names & self._used(s):
                    if (combining := self._operation(s.value, names)) is not None:
                        found.add(combining)
                    pending |= s.target.name not in names
                    names.add(s.target.name)
        for s in statements:
            about = names & ({s.target.name} if isinstance(s, numba_ir.Assign) else set())
            if about and not names & self._used(s):
                raise Refused  # it gets a value that does not depend on its last one
            if not isinstance(s, numba_ir.Assign) and names & self._used(s):
                raise Refused
        if len(found) != 1 or names.intersection(carried) != {name}:
            raise Refused
        if not isinstance(self.typemap[name], (types.Integer, types.Float)):
            raise Refused
        return found.pop()

    @staticmethod
    def _used(statement) -> set:
        """The variables whose values the statement uses."""
        if isinstance(statement, numba_ir.Assign):
            value = statement.value
            if isinstance(value, numba_ir.Var):
                return {value.name}
            return {v.name for v in value.list_vars()} if is_expression(statement) else set()
        return {v.name for v in statement.list_vars()}

    def _operation(self, value, names) -> _Combining | None:
        """The operation that combines one of the variables with a number; None for a copy."""
        if isinstance(value, numba_ir.Var):
            return None
        if value.op in ("binop", "inplace_binop"):
            operation, given = value.fn, [value.lhs.name, value.rhs.name]
        elif value.op == "call" and not value.kws and len(value.args) == 2:
            called = self.typemap.get(value.func.name)
            operation, given = getattr(called, "typing_key", None), [v.name for v in value.args]
        else:
            raise Refused
        if operation not in _COMBINED or sum(name in names for name in given) != 1:
            raise Refused
        kinds = [self.typemap[name] for name in given]
        if not all(isinstance(k, (types.Integer, types.Float, types.Boolean)) for k in kinds):
            raise Refused
        # The minimum of a number and NaN is the first of the two.
        ordered = operation in (min, max) and any(isinstance(k, types.Float) for k in kinds)
        if (operation in _LEFT_ONLY or ordered) and given[0] not in names:
            raise Refused
        return _COMBINED[operation]

    def _require_neighbours(self) -> None:
        """Work-items have to read neighbours. Where neighbouring iterations of the prange loop do,
        as in a product of matrices, its work-items share more."""
        outer = self.parfor.loop_nests[-1].index_variable.name
        of_items = 0
        for loop in self.loops:
            shifted = self._shifted(loop)
            for s in self._statements(loop):
                if not is_expression(s) or s.value.op != "getitem":
                    continue
                array = self.typemap[s.value.value.name]
                if not isinstance(array, types.Array):
                    continue
                last = self._last_index(s.value.index.name)
                if last == outer and array.layout != "F":
                    raise Refused
                of_items += last in shifted
        if not of_items:
            raise Refused

    def _shifted(self, loop) -> set:
        """The loop's index, and sums of it and other numbers."""
        found = {loop.index}
        for s in self._statements(loop):
            if not isinstance(s, numba_ir.Assign):
                continue
            value = s.value
            if isinstance(value, numba_ir.Var) and value.name in found:
                found.add(s.target.name)
            elif is_expression(s) and value.op == "binop" and value.fn is operator.add:
                found |= {s.target.name} if {value.lhs.name, value.rhs.name} & found else set()
        return found

    def _last_index(self, name) -> str:
        for block in self.blocks.values():
            for s in block.body:
                if is_expression(s) and s.target.name == name and s.value.op == "build_tuple":
                    return s.value.items[-1].name
        return name

    def shared(self):
        """The prange loop whose iterations are those of groups with WIDTH work-items."""
        made = copy.copy(self.parfor)
        made._kws = dict(self.parfor._kws)  # its attributes
        made.loop_body = {label: block.copy() for label, block in self.blocks.items()}
        writer = _Writer(made.loop_body, self.typemap)
        for loop in self.loops:
            joining = writer.divide(loop)
        writer.leave_to_first_item(self.loops[-1].after, joining)
        return made


class _Writer:
    """Changes the blocks of an iteration."""

    def __init__(self, blocks, typemap):
        self.blocks, self.typemap = blocks, typemap
        first = blocks[min(blocks)]
        self.scope, self.loc = first.scope, first.loc
        self.unfinished = [label for label, block in blocks.items() if not targets_of(block)]
        start: list = []
        self.item = self._call(_item, [], start)
        first.body[:0] = start

    def _assign(self, value, to, name="$hither.team"):
        variable = self.scope.redefine(name, self.loc)
        to.append(numba_ir.Assign(value, variable, self.loc))
        return variable

    def _call(self, function, given, to):
        called = self._assign(numba_ir.Global("function", function, self.loc), to)
        return self._assign(numba_ir.Expr.call(called, given, (), self.loc), to)

    def _number(self, value, to):
        return self._assign(numba_ir.Const(value, self.loc), to)

    def divide(self, loop: _Loop) -> int:
        """Gives each work-item its iterations of the loop. Returns how many statements after the
        loop combine their results."""
        block = self.blocks[loop.before]
        at = block.body.index(loop.made)
        start, stop = (limit if isinstance(limit, numba_ir.Var) else None for limit in loop.limits)
        new: list = []
        first = start or self._number(loop.limits[0], new)
        first = self._assign(numba_ir.Expr.binop(operator.add, first, self.item, self.loc), new)
        stop = stop or self._number(loop.limits[1], new)
        step = self._number(WIDTH, new)
        call = loop.made.value
        ranged = numba_ir.Expr.call(call.func, [first, stop, step], (), self.loc)
        new.append(numba_ir.Assign(ranged, loop.made.target, loop.made.loc))
        block.body[at : at + 1] = new
        after: list = []
        for name, combining in loop.combined.items():
            variable = numba_ir.Var(self.scope, name, self.loc)
            own = self._enter(variable, combining, block)
            total = self._call(combining.of_items, [variable], after)
            if own is not None:
                joined = numba_ir.Expr.binop(combining.joined, own, total, self.loc)
                total = self._assign(joined, after)
            after.append(numba_ir.Assign(total, variable, self.loc))
        self.blocks[loop.after].body[:0] = after
        return len(after)

    def _enter(self, variable, combining, block):
        """Lets work-items begin with the identity. Returns the value from before the loop."""
        if combining.identity is None:
            return None
        jump = block.body.pop()
        own = self._assign(variable, block.body)
        kind = as_numpy_dtype(self.typemap[variable.name]).type
        block.body.append(
            numba_ir.Assign(numba_ir.Const(kind(combining.identity), self.loc), variable, self.loc)
        )
        block.body.append(jump)
        return own

    def leave_to_first_item(self, label, joining) -> None:
        """The statements after the last loop, but for the `joining` first, are the first
        work-item's."""
        block = self.blocks[label]
        rest = max(self.blocks) + 1
        end = rest + 1
        self.blocks[rest] = numba_ir.Block(self.scope, self.loc)
        self.blocks[rest].body = block.body[joining:]
        self.blocks[end] = numba_ir.Block(self.scope, self.loc)
        block.body = block.body[:joining]
        zero = self._number(0, block.body)
        is_first = self._assign(
            numba_ir.Expr.binop(operator.eq, self.item, zero, self.loc), block.body
        )
        block.append(numba_ir.Branch(is_first, rest, end, self.loc))
        for unfinished in self.unfinished:
            left = self.blocks[rest if unfinished == label else unfinished]
            left.append(numba_ir.Jump(end, self.loc))
