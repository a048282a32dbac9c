"""Raises UnboundLocalError for local variables that are read before they are assigned, as Python.

In Numba such a variable is 0. If a path through the function reaches a read without an assignment,
an additional boolean variable records whether the variable has been assigned, and the read checks
it. Functions without such paths are not changed. LLVM folds the checks whose outcome it knows.
"""

from __future__ import annotations

from .access import value_of
from .bind_calls import fold
from .call_convention import is_internal
from .numba_adapter import (
    KernelPass,
    cgutils,
    compute_cfg_from_blocks,
    errors,
    intrinsic,
    numba_ir,
    register_pass,
    types,
)
from .target import TARGET


@register_pass(mutates_CFG=False, analysis_only=False)
class RequireBoundLocals(KernelPass):
    """Runs before SSA form is built, so that it can add plain variables."""

    _name = "hither_require_bound_locals"

    def run_pass(self, state):
        if is_internal(state.func_id.filename):
            return False
        reads = _unbound_reads(state.func_ir)
        if reads:
            _Marks(state.func_ir, set().union(*reads.values())).insert(reads)
        return bool(reads)


def _is_local(name: str) -> bool:
    return not name.startswith("$")


def _bound_by(statement) -> str | None:
    if isinstance(statement, numba_ir.Assign) and _is_local(statement.target.name):
        return statement.target.name
    return None


def _read_by(statement) -> set[str]:
    """Names of the local variables that the statement reads."""
    read = statement.value if isinstance(statement, numba_ir.Assign) else statement
    variables = [read] if isinstance(read, numba_ir.Var) else getattr(read, "list_vars", list)()
    return {v.name for v in variables if _is_local(v.name)}


def _walk(statements, bound: set[str]):
    """Updates `bound` for each statement. Yields each statement with the names that it reads and
    that are not bound before it."""
    for statement in statements:
        yield statement, _read_by(statement) - bound
        if name := _bound_by(statement):
            bound.add(name)


def _unbound_reads(func_ir) -> dict[int, list[str]]:
    """Maps the identity of a statement to the names that it may read before they are bound."""
    flow = _Flow(func_ir)
    return {
        id(statement): sorted(unbound)
        for label in flow.order
        for statement, names in _walk(func_ir.blocks[label].body, flow.before(label))
        if (unbound := names & flow.everything)
    }


class _Flow:
    """Data flow: the names that are bound on every path to and through each block."""

    def __init__(self, func_ir):
        self.blocks = func_ir.blocks
        self.graph = compute_cfg_from_blocks(self.blocks)
        self.order = [label for label in self.graph.topo_order() if label in self.blocks]
        self.everything = {
            name for b in self.blocks.values() for name in map(_bound_by, b.body) if name
        }
        self.loops = {  # those that run at least once
            header: loop.body
            for header, loop in self.graph.loops().items()
            if _runs(func_ir, self.blocks[header])
        }
        self.after = dict.fromkeys(self.order, self.everything)  # the iteration only removes names
        while self._step():
            pass

    def before(self, label) -> set[str]:
        if label == self.graph.entry_point():
            return set()
        sources = [p for p, _ in self.graph.predecessors(label) if p in self.after]
        known = [set(self._along(source, label)) for source in sources]
        return set.intersection(*known) if known else set()

    def _along(self, label, successor) -> set[str]:
        """The names that are bound on the edge from a block to its successor."""
        body = self.loops.get(label)
        if body is None or successor in body:
            return self.after[label]
        back_edges = [self.after[p] for p, _ in self.graph.predecessors(label) if p in body]
        return self._through(label, set.intersection(*map(set, back_edges)))

    def _through(self, label, bound: set[str]) -> set[str]:
        for _ in _walk(self.blocks[label].body, bound):
            pass
        return bound

    def _step(self) -> bool:
        changed = False
        for label in self.order:
            bound = self._through(label, self.before(label))
            changed |= bound != self.after[label]
            self.after[label] = bound
        return changed


def _runs(func_ir, header) -> bool:
    """Whether the block is the header of a `for` over a constant, non-empty tuple or range."""
    for statement in header.find_insts(numba_ir.Assign):
        if getattr(statement.value, "op", None) != "iternext":
            continue
        try:
            iterator = func_ir.get_definition(statement.value.value)
            over = iterator.value if getattr(iterator, "op", None) == "getiter" else None
            call = over and func_ir.get_definition(over)
        except KeyError:
            return False
        if getattr(call, "op", None) == "call" and value_of(func_ir, call.func) is range:
            numbers = [value_of(func_ir, v, fold) for v in call.args]
            return all(isinstance(n, int) for n in numbers) and len(range(*numbers)) > 0
        found = over and value_of(func_ir, over, fold)
        return isinstance(found, tuple) and len(found) > 0
    return False


class _Marks:
    """For each of `names`, a boolean variable that records whether it has been assigned."""

    def __init__(self, func_ir, names: set[str]):
        self.func_ir = func_ir
        first = func_ir.blocks[min(func_ir.blocks)]
        self.scope = first.scope
        self.marks = {
            name: self.scope.redefine("$hither_bound", func_ir.loc) for name in sorted(names)
        }

    def insert(self, reads: dict) -> None:
        first = min(self.func_ir.blocks)
        for label, block in self.func_ir.blocks.items():
            body: list = []
            if label == first:
                for mark in self.marks.values():
                    self._assign(body, mark, numba_ir.Const(False, self.func_ir.loc))
            for statement in block.body:
                for name in reads.get(id(statement), ()):
                    self._require(body, name, statement.loc)
                body.append(statement)
                if (name := _bound_by(statement)) in self.marks:
                    self._assign(body, self.marks[name], numba_ir.Const(True, statement.loc))
            block.body = body

    def _require(self, body, name, loc):
        function = self._temporary(body, numba_ir.Global("require_bound", require_bound, loc))
        number = self._temporary(body, numba_ir.Const(_number_of(name), loc))
        call = numba_ir.Expr.call(function, [self.marks[name], number], (), loc)
        self._temporary(body, call)

    def _temporary(self, body, value):
        variable = self.scope.redefine("$hither", value.loc)
        self._assign(body, variable, value)
        return variable

    def _assign(self, body, variable, value):
        self.func_ir._definitions[variable.name].append(value)
        body.append(numba_ir.Assign(value, variable, value.loc))


_names: list[str] = []  # names of all variables that were ever checked


def _number_of(name: str) -> int:
    """The number that represents a name during compilation. The caller holds Numba's compiler
    lock."""
    if name not in _names:
        _names.append(name)
    return _names.index(name)


@intrinsic(target=TARGET, prefer_literal=True)
def require_bound(typing_context, is_bound, number):
    if not isinstance(is_bound, types.Boolean) or not isinstance(number, types.IntegerLiteral):
        raise errors.TypingError("require_bound takes a bool and a constant")
    name = _names[number.literal_value]
    text = f"cannot access local variable '{name}' where it is not associated with a value"

    def lower(context, builder, signature, arguments):
        with cgutils.if_unlikely(builder, builder.not_(arguments[0])):
            context.call_conv.return_user_exc(builder, UnboundLocalError, (text,))
        return context.get_dummy_value()

    return types.none(types.boolean, number), lower
