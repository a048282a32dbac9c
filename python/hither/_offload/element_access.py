"""Determines the elements of arrays that an iteration of a prange loop accesses: the array of the
program, and the index as far as the statements determine it."""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import Any

from .._kernel.numba.access import value_of
from .numba_adapter import Parfor, numba_ir, types
from .polynomial import Polynomial

_VIEWING_ATTRIBUTES = frozenset(("T", "flat", "imag", "real"))
_INDEXING = ("getitem", "static_getitem")


@dataclass(frozen=True)
class Gathered:
    """An element of an index array that the loop does not write to."""

    array: str
    index: Polynomial


@dataclass(frozen=True)
class Access:
    """An access of one statement to an array. `index` has a value, or None if it is not known, for
    each leading axis that is indexed. It is empty if any element may be accessed."""

    array: str  # a parameter of the region; for a tuple, with the position of the array in it
    index: tuple[Polynomial | Gathered | None, ...]
    statement: Any = field(compare=False)
    is_store: bool = False
    direct: bool = False  # the statement uses the parameter, not a view of it


class Accesses:
    """The accesses of a parfor's body to arrays from outside it. `written` has the names of the
    parameters that the body, or a function that it calls, may write to."""

    def __init__(self, parfor, func_ir, typemap, written):
        self.parfor, self.func_ir, self.typemap = parfor, func_ir, typemap
        self.written = written
        self.loops = [nest.index_variable.name for nest in parfor.loop_nests]
        self.statements = list(statements_of(parfor))
        self.values: dict[str, list] = {}
        for statement in self.statements:
            if isinstance(statement, numba_ir.Assign):
                self.values.setdefault(statement.target.name, []).append(statement.value)
        self.nests = {nest.index_variable.name: nest for nest in parfor.loop_nests}
        for inner in (s for s in self.statements if isinstance(s, Parfor)):
            for nest in inner.loop_nests:
                self.nests[nest.index_variable.name] = nest
                self.values.setdefault(nest.index_variable.name, []).append(None)

    def find(self) -> list[Access]:
        found: list[Access] = []
        for statement in self.statements:
            found += self._of(statement)
        return [a for a in found if not a.is_store or a.array.partition("[")[0] in self.written]

    def _of(self, statement) -> list[Access]:
        if isinstance(statement, (numba_ir.SetItem, numba_ir.StaticSetItem)):
            stored = self._through(statement.target, self._index_of(statement), statement, True)
            return stored + self._whole(statement.value, statement)
        if not isinstance(statement, numba_ir.Assign):
            return []
        value = statement.value
        if not isinstance(value, numba_ir.Expr):
            return []
        if value.op in _INDEXING:
            if self._is_array(statement.target) or not self._is_array(value.value):
                return []  # a view, whose own accesses are recorded; or an item of a tuple
            return self._through(value.value, self._index_of(value), statement, False)
        if value.op in ("getattr", "cast", "build_tuple", "exhaust_iter"):
            return []
        # Any other expression may read all its operands, and a call may write to them.
        found = [a for v in value.list_vars() for a in self._whole(v, statement)]
        if value.op == "call":
            found += [Access(a.array, a.index, statement, True) for a in found]
        return found

    def _whole(self, variable, statement) -> list[Access]:
        if not isinstance(variable, numba_ir.Var):
            return []
        if isinstance(self.typemap.get(variable.name), types.BoundFunction):
            defined = self.values.get(variable.name, ())
            owners = [v.value for v in defined if isinstance(v, numba_ir.Expr)]
            return [a for owner in owners for a in self._whole(owner, statement)]
        return self._through(variable, (), statement, False) if self._is_array(variable) else []

    def _through(self, variable, index, statement, is_store) -> list[Access]:
        return [
            Access(array, outer or index, statement, is_store, direct=not outer and exact)
            for array, outer, exact in self._roots(variable, set())
        ]

    def _roots(self, variable, seen) -> list[tuple[str, tuple, bool]]:
        """For each array that a variable may refer to: the array, the index of the first indexing
        that made the view, and whether the variable is the array itself."""
        name = variable.name
        if name in seen:
            return []
        values = self.values.get(name)
        if values is None:
            return [(name, (), True)]
        found = []
        for value in values:
            found += self._roots_of(value, seen | {name})
        return found

    def _roots_of(self, value, seen):
        if isinstance(value, numba_ir.Var):
            return self._roots(value, seen)
        if not isinstance(value, numba_ir.Expr):
            return []
        if value.op == "cast":
            return self._roots(value.value, seen)
        if value.op in _INDEXING:
            return self._roots_of_item(value, seen)
        if value.op == "getattr" and value.attr not in _VIEWING_ATTRIBUTES:
            return []
        # A call may return a view of an argument, or of the array whose method it is.
        inner = [r for v in value.list_vars() if self._may_hold(v) for r in self._roots(v, seen)]
        return [(array, (None,), False) for array, _, _ in inner]

    def _roots_of_item(self, value, seen):
        outer = self._roots(value.value, seen)
        if isinstance(self.typemap.get(value.value.name), types.BaseTuple):
            item = value.index if value.op == "static_getitem" else "?"
            return [(f"{array}[{item}]", index, exact) for array, index, exact in outer]
        if not self._is_array(value.value):
            return outer
        mine = self._index_of(value) or (None,)
        return [(array, index or mine, False) for array, index, _ in outer]

    def _may_hold(self, variable) -> bool:
        numba_type = self.typemap.get(variable.name)
        return isinstance(numba_type, (types.Array, types.BaseTuple, types.BoundFunction))

    def _is_array(self, variable) -> bool:
        return isinstance(self.typemap.get(variable.name), types.Array)

    # -- indices

    def _index_of(self, use) -> tuple[Polynomial | Gathered | None, ...]:
        index = index_of(use)
        if not isinstance(index, numba_ir.Var):
            given = index if isinstance(index, tuple) else (index,)
            numbers = [Polynomial.number(int(n)) if _is_integer(n) else None for n in given]
            return self._leading(numbers, given)
        items = self.items_of(index)
        return self._leading([self.polynomial(v) or self._gathered(v) for v in items], items)

    def _leading(self, found, items) -> tuple[Polynomial | Gathered | None, ...]:
        """The indices before an ellipsis. After it, axes are counted from the end."""
        for place, item in enumerate(items):
            numba_type = self.typemap.get(item.name) if isinstance(item, numba_ir.Var) else item
            if numba_type in (types.ellipsis, Ellipsis):
                return tuple(found[:place]) or (None,)
        return tuple(found)

    def items_of(self, index) -> list:
        """The variables that make up an index."""
        defined = self._only_value(index)
        if isinstance(defined, numba_ir.Expr) and defined.op == "build_tuple":
            return list(defined.items)
        return [index]

    def number(self, variable) -> Any:
        """A key that is equal for two variables only if their values are equal."""
        known = self.polynomial(variable)
        value = self._only_value(variable)
        if known is not None or not isinstance(value, numba_ir.Expr) or value.op not in _INDEXING:
            return variable.name if known is None else known
        roots = self._roots(value.value, set())
        if any(array.partition("[")[0] in self.written for array, _, _ in roots):
            return variable.name  # its value may change between two uses
        index = index_of(value)
        given = self.items_of(index) if isinstance(index, numba_ir.Var) else [index]
        items = [self.number(v) if isinstance(v, numba_ir.Var) else v for v in given]
        return (*sorted(roots, key=str), *items) if roots else variable.name

    def _gathered(self, variable) -> Gathered | None:
        value = self._only_value(variable)
        while isinstance(value, numba_ir.Expr) and value.op == "cast":
            value = self._only_value(value.value)
        if not isinstance(value, numba_ir.Expr) or value.op not in _INDEXING:
            return None
        roots, index = self._roots(value.value, set()), self._index_of(value)
        if len(roots) != 1 or len(index) != 1 or not isinstance(index[0], Polynomial):
            return None
        array, _, exact = roots[0]
        numba_type = self.typemap.get(array)
        fits = (
            isinstance(numba_type, types.Array)
            and numba_type.ndim == 1
            and isinstance(numba_type.dtype, types.Integer)
        )
        return Gathered(array, index[0]) if exact and fits and array not in self.written else None

    def polynomial(self, variable) -> Polynomial | None:
        """The variable as a polynomial in loop indices and in numbers that are equal in all
        iterations, or None."""
        if not isinstance(variable, numba_ir.Var):
            return Polynomial.number(int(variable)) if _is_integer(variable) else None
        numba_type = self.typemap.get(variable.name)
        if isinstance(numba_type, types.IntegerLiteral):
            return Polynomial.number(numba_type.literal_value)
        if not isinstance(types.unliteral(numba_type), types.Integer):
            return None
        name = variable.name
        if name in self.nests:
            return Polynomial.variable(name)
        if name not in self.values:
            known = value_of(self.func_ir, variable)
            is_known = _is_integer(known)
            return Polynomial.number(int(known)) if is_known else Polynomial.variable(name)
        values = self.values[name]
        value = values[0] if len(values) == 1 else None
        if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return Polynomial.number(int(value.value)) if _is_integer(value.value) else None
        if isinstance(value, numba_ir.Var):
            return self.polynomial(value)
        return self._polynomial_of(value, name) if isinstance(value, numba_ir.Expr) else None

    def _polynomial_of(self, value, name) -> Polynomial | None:
        if value.op == "cast":
            return self.polynomial(value.value)
        if value.op == "pair_first":
            return None if self._range_of(value) is None else Polynomial.variable(name)
        if value.op == "unary" and value.fn in (operator.neg, operator.pos):
            inner = self.polynomial(value.value)
            sign = -1 if value.fn is operator.neg else 1
            return None if inner is None else Polynomial().plus(inner, sign)
        if value.op not in ("binop", "inplace_binop"):
            return None
        left, right = self.polynomial(value.lhs), self.polynomial(value.rhs)
        function = value.immutable_fn if value.op == "inplace_binop" else value.fn
        if left is None or right is None:
            return None
        if function in (operator.add, operator.sub):
            return left.plus(right, 1 if function is operator.add else -1)
        return left.times(right) if function is operator.mul else None

    def bounds(self, name) -> tuple[Polynomial, Polynomial] | None:
        """The smallest and the largest value of a loop's index, if the loop is not empty."""
        if name in self.nests:
            nest = self.nests[name]
            given: Any = (nest.start, nest.stop, nest.step)
        else:
            given = self._range_of(self.values[name][0])
        start, stop, step = (self.polynomial(v) for v in given)
        if start is None or stop is None or step is None:
            return None
        one = Polynomial.number(1)
        if (step.floor() or 0) > 0:
            return start, stop.plus(one, -1)
        down = Polynomial().plus(step, -1).floor() or 0
        return (stop.plus(one), start) if down > 0 else None

    def _range_of(self, value):
        """The (start, stop, step) of the range that the value is the next number of."""
        for op in ("pair_first", "iternext", "getiter", "call"):
            if not isinstance(value, numba_ir.Expr) or value.op != op:
                return None
            if op != "call":
                value = self._only_value(value.value)
        called = self.typemap.get(value.func.name)
        if not isinstance(called, types.Function) or called.typing_key is not range or value.kws:
            return None
        given = list(value.args)
        return (*([0] if len(given) == 1 else []), *given, *([1] if len(given) < 3 else []))

    def _only_value(self, variable):
        values = self.values.get(variable.name, ())
        value = values[0] if len(values) == 1 else None
        return self._only_value(value) if isinstance(value, numba_ir.Var) else value


def index_of(use):
    """The index of an expression or a store: a variable or a constant value."""
    is_expression = isinstance(use, numba_ir.Expr)
    known = use._kws if is_expression else vars(use)
    return known.get("index_var") or known["index"]


def _is_integer(value) -> bool:
    return hasattr(value, "__index__") and not isinstance(value, bool)


def statements_of(parfor):
    """The statements of a parfor's body. The statements of an inner parfor precede the parfor."""
    for _, block in sorted(parfor.loop_body.items()):
        for statement in block.body:
            yield statement
            if isinstance(statement, Parfor):
                yield from statement.init_block.body
                yield from statements_of(statement)
