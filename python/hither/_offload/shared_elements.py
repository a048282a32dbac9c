"""Handles prange loops whose iterations may access the same element of an array.

A device context makes such loops parallel, although the program did not ask for it, and must not
change their results. Iterations access disjoint elements if an index is linear in the loop's index.
Updates such as ``h[x[i]] += 1`` may conflict. They become reductions of the whole array, which have
a fixed tree. A loop with other possible conflicts runs on the host. With ``parallel=True`` in the
decorator, Numba's rule holds: the program guarantees that iterations do not conflict.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from .._kernel.numba.access import value_of
from .atomic_updates import StoredUpdate, has_atomics
from .element_access import Access, Accesses, index_of
from .loop_dependence import SerialOnly
from .numba_adapter import Parfor, as_numpy_dtype, numba_ir, types
from .own_elements import Apart, Check, Distinct, own_elements
from .same_memory import Origins

_SAME = {operator.sub: operator.add}  # subtracted values are added up first
_OPERATORS = (
    operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor,
)  # fmt: skip
_FUNCTIONS = {
    min: min, max: max, np.minimum: min, np.maximum: max, np.add: operator.add,
    np.subtract: operator.sub, np.multiply: operator.mul, np.bitwise_and: operator.and_,
    np.bitwise_or: operator.or_, np.bitwise_xor: operator.xor,
}  # fmt: skip


@dataclass(frozen=True)
class Update:
    """A reduction of the elements of an array, with the fields of Numba's parfor reductions."""

    redop: object  # combines two partial results
    init_val: object
    stores: tuple[StoredUpdate, ...] | None  # None: there are no atomic operations for it
    reduce_nodes: tuple = ()


@dataclass
class Sharing:
    """The conditions under which the iterations of a loop are independent: reductions of arrays, by
    name, and checks at launch."""

    updates: dict[str, Update]
    checks: list[Check]


def sharing_of(parfor, func_ir, typemap, written: Iterable[str]) -> Sharing:
    """Determines how iterations share arrays. Raises SerialOnly, with the reason, if they may
    conflict."""
    accesses = Accesses(parfor, func_ir, typemap, frozenset(written))
    found = Sharing({}, [])
    by_array: dict[str, list[Access]] = {}
    for access in accesses.find():
        by_array.setdefault(access.array, []).append(access)
    for array, uses in sorted(by_array.items()):
        if not any(use.is_store for use in uses):
            continue
        checks = own_elements(accesses, uses)
        # An update needs no pass over an index array. Comparisons of numbers cost nothing.
        looks = checks is None or any(isinstance(check, Distinct) for check in checks)
        update = _Updates(accesses, array, uses).find() if looks else None
        if update is not None:
            found.updates[array] = update
        elif checks is None:
            raise SerialOnly(_reason(array, uses))
        else:
            found.checks += checks
    found.checks += _views_apart(accesses, by_array, found.updates)
    return found


def _views_apart(accesses, by_array, updates) -> list[Apart]:
    """The checks of arrays that derive from one array, such as `x` and `y = x[1:]`, if the loop
    writes one of them."""
    stored = {array for array, uses in by_array.items() if any(use.is_store for use in uses)}
    pairs = [pair for pair in combinations(sorted(by_array), 2) if not stored.isdisjoint(pair)]
    checks: list[Apart] = []
    origins = Origins(accesses.func_ir, accesses.typemap) if pairs else None
    for pair in pairs:
        if not origins.are_common(*pair):
            continue
        uses = [use for array in pair for use in by_array[array]]
        if not all(isinstance(accesses.typemap.get(array), types.Array) for array in pair):
            raise SerialOnly(_reason(min(stored.intersection(pair)), uses))
        may_be_same = updates.keys().isdisjoint(pair) and own_elements(accesses, uses) == []
        array, other = pair if pair[0] in stored else reversed(pair)  # reports name the first one
        checks.append(Apart(array, other, may_be_same))
    return checks


def conflict_in(array: str) -> str:
    return f"iterations of a prange loop may access the same element of {shown_name(array)}"


def shown_name(name: str) -> str:
    """The name in the program of a variable of the IR."""
    return name.partition(".")[0].lstrip("$")


def _reason(array, uses) -> str:
    lines = sorted({use.statement.loc.line for use in uses if use.is_store})
    return (
        f"{conflict_in(array)}, which line {' and line '.join(map(str, lines))} writes: the index "
        "is neither linear in the loop's index nor an element of an index array, and the accesses "
        "are not all updates such as += with that index; parallel=True in the decorator asserts "
        "that iterations never conflict"
    )


class _Updates:
    """Finds out whether all accesses to an array are `h[k] = h[k] op v` with one operation."""

    def __init__(self, accesses, array, uses):
        self.accesses, self.array, self.uses = accesses, array, uses
        self.typemap = accesses.typemap
        self.used: dict[str, int] = {}
        for statement in accesses.statements:
            for variable in _read_by(statement):
                self.used[variable.name] = self.used.get(variable.name, 0) + 1

    def find(self) -> Update | None:
        if not all(use.direct for use in self.uses):
            return None
        reads = {use.statement.target.name: use.statement for use in self.uses if not use.is_store}
        stores = [self._stored(u.statement, reads) for u in self.uses if u.is_store]
        known = [stored for stored in stores if stored is not None]
        operations = {_SAME.get(stored.operation, stored.operation) for stored in known}
        if reads or len(operations) != 1 or len(known) < len(stores):
            return None
        return self._update(operations.pop(), known)

    def _update(self, operation, stores) -> Update | None:
        array = self.typemap.get(self.array)
        if not isinstance(array, types.Array):
            return None
        identity = _identity(operation, as_numpy_dtype(array.dtype))
        if identity is None:
            return None
        fixed = all(len(self.accesses.values.get(s.operand.name, ())) < 2 for s in stores)
        atomic = fixed and has_atomics(array.dtype, stores)
        return Update(operation, identity, tuple(stores) if atomic else None)

    def _stored(self, store, reads) -> StoredUpdate | None:
        """The update `h[k] = h[k] op v`, or None. Its read is removed from `reads`."""
        if not isinstance(store, (numba_ir.SetItem, numba_ir.StaticSetItem)):
            return None
        value = self._computed(store.value)
        if self._converts(value):
            value = self._computed(value.args[0])
        operation, operands, sides = self._operands(value)
        for place in sides:
            operand = self._renamed(operands[place])
            read = reads.get(operand)
            if read is None or self.used.get(operand) != 1:
                continue
            if not self._same_index(read.value, store):
                return None
            del reads[operand]
            other = operands[1 - place]
            return StoredUpdate(store, operation, other) if self._fits(operation, other) else None
        return None

    def _converts(self, value) -> bool:
        """Whether it is a conversion to the type of the array's elements, as in a store."""
        if not isinstance(value, numba_ir.Expr) or value.op != "call":
            return False
        function, array = self.typemap.get(value.func.name), self.typemap.get(self.array)
        return (
            isinstance(function, types.NumberClass)
            and isinstance(array, types.Array)
            and (function.instance_type == array.dtype)
        )

    def _operands(self, value):
        """The operation, its two operands, and the operands that may be the array's element."""
        if not isinstance(value, numba_ir.Expr):
            return None, (), ()
        if value.op in ("binop", "inplace_binop"):
            operation = value.immutable_fn if value.op == "inplace_binop" else value.fn
            first_only = operation is operator.sub
            if operation in _OPERATORS:
                return operation, (value.lhs, value.rhs), (0,) if first_only else (0, 1)
        if value.op == "call" and len(value.args) == 2 and not value.kws:
            called = value_of(self.accesses.func_ir, value.func)
            known = called in _FUNCTIONS if callable(called) else False
            if known:
                operation = _FUNCTIONS[called]
                return operation, tuple(value.args), (0,) if operation is operator.sub else (0, 1)
        return None, (), ()

    def _computed(self, variable):
        """The expression of a variable that has no other use."""
        if not isinstance(variable, numba_ir.Var):
            return None
        values = self.accesses.values.get(variable.name, ())
        if len(values) != 1 or self.used.get(variable.name) != 1:
            return None
        value = values[0]
        if isinstance(value, numba_ir.Var):
            return self._computed(value)
        if isinstance(value, numba_ir.Expr) and value.op == "cast":
            return self._computed(value.value)
        return value

    def _renamed(self, variable) -> str:
        value = self._computed(variable)
        while isinstance(value, numba_ir.Expr) and value.op == "cast":
            variable, value = value.value, self._computed(value.value)
        return variable.name

    def _same_index(self, read, store) -> bool:
        read_index, store_index = index_of(read), index_of(store)
        if not isinstance(read_index, numba_ir.Var) or not isinstance(store_index, numba_ir.Var):
            return type(read_index) is type(store_index) and read_index == store_index
        items = self.accesses.items_of(read_index)
        return all(isinstance(self._index_type(v), types.Integer) for v in items) and (
            list(map(self.accesses.number, items))
            == list(map(self.accesses.number, self.accesses.items_of(store_index)))
        )

    def _index_type(self, variable):
        return types.unliteral(self.typemap.get(variable.name))

    def _fits(self, operation, operand) -> bool:
        """Whether partial results can be combined later. A store into integers truncates to their
        width, which commutes with sums, products and bitwise operations of integers, but not with
        fractions or comparisons."""
        element = as_numpy_dtype(self.typemap[self.array].dtype)
        given = types.unliteral(self.typemap.get(operand.name))
        if not isinstance(given, (types.Number, types.Boolean)):
            return False
        value = as_numpy_dtype(given)
        if operation in (min, max):
            return np.can_cast(value, element, "safe")
        if element.kind == "b":
            return value.kind == "b"
        return "iufc".index(value.kind.replace("b", "i").replace("u", "i")) <= "iufc".index(
            element.kind.replace("u", "i")
        )


def _read_by(statement):
    if isinstance(statement, (numba_ir.Del, Parfor)):  # a parfor's statements come separately
        return []
    if isinstance(statement, numba_ir.Assign):
        value = statement.value
        if isinstance(value, numba_ir.Var):
            return [value]
        return value.list_vars() if isinstance(value, numba_ir.Expr) else []
    return statement.list_vars()


def _identity(operation, dtype):
    """The identity of the operation for a dtype, or None if there is none."""
    if operation in (min, max):
        if dtype.kind == "f":
            return np.inf if operation is min else -np.inf
        if dtype.kind not in "iu":
            return None
        limits = np.iinfo(dtype)
        return int(limits.max if operation is min else limits.min)
    if operation in (operator.and_, operator.or_, operator.xor):
        if dtype.kind not in "biu":
            return None
        bits = ~np.zeros((), dtype) if operation is operator.and_ else np.zeros((), dtype)
        return bits.item()
    if dtype.kind not in "iufc":
        return None
    return 1 if operation is operator.mul else 0
