"""Finds variables of a function that may refer to the same memory because they derive from one
array: views, parts of a tuple or a list, and results of calls."""

from __future__ import annotations

from itertools import permutations

from .compilation import current
from .element_access import index_of, statements_of
from .numba_adapter import Parfor, build_definitions, numba_ir, parfor_module, types
from .shared_memory import is_memory, sharing

_FIXED = (types.Array, types.BaseTuple, types.Optional, types.BoundFunction)
_WHOLE = {"slice(None)", "slice(None, None)", "slice(None, None, None)", "Ellipsis"}
_WRITES = (numba_ir.SetItem, numba_ir.StaticSetItem)


class Origins:
    """The variables that each variable of a function derives from."""

    def __init__(self, func_ir, typemap):
        self.typemap = typemap
        self._found: dict[str, set[str]] = {}
        self._sources: dict[str, set[str]] = {}
        self._values: dict[str, list] = {}
        for block in func_ir.blocks.values():
            for statement in _all_statements(block):
                if isinstance(statement, (numba_ir.Assign, numba_ir.SetAttr, *_WRITES)):
                    self._add(statement)
        is_new = True
        while is_new:
            is_new = False
            for name, sources in self._sources.items():
                found = self._found.setdefault(name, set())
                known = len(found)
                found.update(*(self._found.get(source, ()) for source in sources))
                is_new |= len(found) > known

    def _add(self, statement) -> None:
        names = {v.name for v in self._variables(statement) if self._is_memory(v.name)}
        target = statement.target.name
        if isinstance(statement, numba_ir.Assign):
            self._values.setdefault(target, []).append(statement.value)
        fixed = all(isinstance(self.typemap.get(name), _FIXED) for name in names)
        if isinstance(statement, numba_ir.Assign) and fixed:
            given = [(target, names - {target})]
        else:  # lists, dictionaries and objects also refer to what is put into them later
            given = [(name, names - {name}) for name in names]
        for name, sources in given:
            self._sources.setdefault(name, set()).update(sources)
        if isinstance(statement, numba_ir.Assign) and not (fixed and names - {target}):
            self._found.setdefault(target, set()).add(target)

    def _variables(self, statement):
        value = statement.value
        if isinstance(statement, numba_ir.Assign) and isinstance(value, numba_ir.Var):
            return [value]
        if isinstance(value, numba_ir.Expr) and value.op in ("cast", "inplace_binop"):
            return [value.value if value.op == "cast" else value.lhs]
        return sharing(statement, self.typemap)

    def _is_memory(self, name) -> bool:
        return is_memory(self.typemap.get(name))

    def are_common(self, a: str, b: str) -> bool:
        """Whether two arrays may derive from one. `t[1]` is an item of a tuple, `t[?]` any one."""
        (a, *item), (b, *other) = self._resolved(a), self._resolved(b)
        given = self._found.get(a, {a})
        if a == b and given == {a} and item and other and "?" not in (*item, *other):
            return item == other  # of a tuple from the caller
        return not given.isdisjoint(self._found.get(b, {b}))

    def _resolved(self, array: str) -> list[str]:
        """The name of the variable, and the items that the function does not determine."""
        name, *items = array.replace("]", "").split("[")
        while items and items[0] != "?":
            made = self._value(name)
            if not isinstance(made, numba_ir.Expr) or made.op != "build_tuple":
                break
            name = made.items[int(items.pop(0))].name
        return [name, *items]

    def are_equal(self, a: str, b: str) -> bool:
        """Whether two arrays have the same elements in the same order."""
        return self._elements(a) == self._elements(b)

    def _value(self, name):
        """The value of a variable that is assigned once."""
        values = self._values.get(name, ())
        return values[0] if len(values) == 1 else None

    def _elements(self, name):
        """A key that is equal for arrays and indices that are."""
        value = self._value(name)
        literal = getattr(self.typemap.get(name), "literal_value", None)
        if literal is not None:
            return repr(literal)
        if isinstance(self.typemap.get(name), types.NoneType):
            return repr(None)
        if isinstance(value, numba_ir.Var):
            return self._elements(value.name)
        if isinstance(value, numba_ir.Expr) and value.op == "cast":
            return self._elements(value.value.name)
        if isinstance(value, numba_ir.Expr) and value.op == "build_tuple":
            return tuple(self._elements(item.name) for item in value.items)
        called = isinstance(value, numba_ir.Expr) and value.op == "call" and value.func.name
        if called and getattr(self.typemap.get(called), "typing_key", None) is slice:
            return f"slice({', '.join(str(self._elements(v.name)) for v in value.args)})"
        if isinstance(value, numba_ir.Expr) and value.op in ("getitem", "static_getitem"):
            index = index_of(value)
            known = isinstance(index, numba_ir.Var)
            key = self._elements(index.name) if known else repr(index)
            parts = key if isinstance(key, tuple) else (key,)
            array = self._elements(value.value.name)
            return array if set(parts) <= _WHOLE else (array, key)
        return name


def _all_statements(block):
    for statement in block.body:
        yield statement
        if isinstance(statement, Parfor):
            yield from statement.init_block.body
            yield from statements_of(statement)


def _try_fuse(equiv_set, first, second, metadata, func_ir, typemap):
    """Numba's fusion of two loops. It compares the names of arrays only, so that loops are not
    fused here if one of them writes an array that the other one uses by another name, unless both
    names mean the same elements and each iteration accesses one of them."""
    func_ir._definitions = build_definitions(func_ir.blocks)
    if current.get() is not None and _share_elements(first, second, func_ir, typemap):
        text = "- fusion failed: one loop writes an array that the other one uses by another name"
        return None, parfor_module.FusionReport(first.id, second.id, text)
    return _numbas_try_fuse(equiv_set, first, second, metadata, func_ir, typemap)


def _share_elements(first, second, func_ir, typemap) -> bool:
    origins = Origins(func_ir, typemap)
    loops = [(parfor, _own_elements(parfor, func_ir)) for parfor in (first, second)]
    for (one, mine), (other, others) in permutations(loops):
        for name in _arrays_of(one, typemap, written=True):
            for used in _arrays_of(other, typemap, written=False) - {name}:
                are_own = name in mine and used in others and origins.are_equal(name, used)
                if not are_own and origins.are_common(name, used):
                    return True
    return False


def _own_elements(parfor, func_ir) -> set[str]:
    """The arrays of which each iteration accesses the element at the loop's index only."""
    index, nests = parfor.index_var.name, parfor.get_loop_nest_vars()
    at_index, elsewhere = parfor_module.get_array_indexed_with_parfor_index(
        parfor.loop_body.values(), index, nests, func_ir
    )
    return at_index - elsewhere


def _arrays_of(parfor, typemap, written: bool) -> set[str]:
    """The arrays that a loop uses, or those that it may write."""
    found = set()
    for statement in statements_of(parfor):
        if isinstance(statement, Parfor):
            continue
        is_call = isinstance(statement, numba_ir.Assign) and (
            isinstance(statement.value, numba_ir.Expr) and statement.value.op == "call"
        )
        if written and isinstance(statement, _WRITES):
            found.add(statement.target.name)
        elif is_call or not written:
            found |= {v.name for v in statement.list_vars()}
    return {name for name in found if isinstance(typemap.get(name), types.Array)}


_numbas_try_fuse = parfor_module.try_fuse
parfor_module.try_fuse = _try_fuse
