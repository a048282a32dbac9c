"""Which array arguments a function may write to.

Arrays that are only read are not copied back to the host, may be read-only, and do not order later
reads after the kernel. The analysis is conservative: it reports "written" in doubt. It also finds
`x[1:] = x[:-1]`, which would need a copy of the source.
"""

from __future__ import annotations

from types import ModuleType

import numpy as np

from ..language import atomic, local, private
from .numba_adapter import Dispatcher, KernelPass, errors, numba_ir, register_pass, types

WRITTEN = "hither_written"

_READING_METHODS = frozenset(
    "sum mean min max prod argmin argmax any all var std ravel reshape transpose flatten view "
    "nonzero item".split()
)
_ATOMICS = tuple(
    getattr(atomic, name) for name in dir(atomic) if not name.startswith("_") and name != "load"
)
_MAKING = (local.array, private.array, private.PrivateArray)
_WRITING = (np.copyto, np.fill_diagonal, np.nan_to_num, np.place, np.put, np.putmask)


_WRITES = (numba_ir.SetItem, numba_ir.StaticSetItem, numba_ir.SetAttr)


@register_pass(mutates_CFG=False, analysis_only=True)
class FindWrittenArguments(KernelPass):
    """Stores the positions of written array arguments in metadata["hither_written"]."""

    _name = "hither_find_written_arguments"

    def run_pass(self, state):
        finder = _Finder(state.func_ir, state.typemap, state.calltypes)
        state.metadata[WRITTEN] = finder.run()
        return False


class _Finder:
    def __init__(self, func_ir, typemap, calltypes):
        self.func_ir, self.typemap, self.calltypes = func_ir, typemap, calltypes
        # variable name -> the arrays that it may be a view of: positions of arguments, and names of
        # variables that hold an array made in this function
        self.arguments = {}
        self.written = set()

    def run(self) -> frozenset:
        before = None
        while before != (state := self._state()):
            before = state
            for block in self.func_ir.blocks.values():
                for statement in block.body:
                    self._visit(statement)
        return frozenset(self.written)

    def _state(self):
        return sum(len(v) for v in self.arguments.values()), len(self.written)

    def _of(self, variable) -> set:
        return self.arguments.get(variable.name, set())

    def _visit(self, statement):
        if isinstance(statement, numba_ir.Assign):
            self._assign(statement)
        elif isinstance(statement, _WRITES):
            written = self._of(statement.target)
            self.written |= written
            is_array = isinstance(self.typemap.get(statement.value.name), types.Array)
            if is_array and written & self._of(statement.value):
                raise errors.UnsupportedError(
                    "the target and the source of a slice assignment are parts of one array, which "
                    "may overlap: write a loop",
                    loc=statement.loc,
                )

    def _assign(self, statement):
        value, found = statement.value, set()
        if isinstance(value, numba_ir.Arg):
            found = {value.index}
        elif isinstance(value, numba_ir.Var):
            found = self._of(value)
        elif isinstance(value, numba_ir.Expr):
            for variable in value.list_vars():
                found |= self._of(variable)
            if value.op == "call":
                self._call(value)
                if value_of(self.func_ir, value.func) in _MAKING:
                    found = {statement.target.name}
            elif value.op == "inplace_binop":
                self.written |= self._of(value.lhs)
        if found and not isinstance(
            self.typemap.get(statement.target.name), (types.Number, types.Boolean)
        ):
            self.arguments.setdefault(statement.target.name, set()).update(found)

    def _call(self, call):
        passed = [*call.args, *(variable for _, variable in call.kws)]
        called = self.typemap.get(call.func.name)
        if isinstance(called, types.Dispatcher):
            self._device_function(called.dispatcher, call, passed)
        elif isinstance(called, types.BoundFunction):
            key = called.typing_key
            name = key[-1] if isinstance(key, tuple) else str(key).rpartition(".")[2]
            if name not in _READING_METHODS:
                self.written |= self._of(call.func)
        elif not self._reads_only(call):
            for variable in passed:
                self.written |= self._of(variable)

    def _device_function(self, dispatcher: Dispatcher, call, passed):
        signature = self.calltypes.get(call)
        result = dispatcher.overloads.get(tuple(signature.args)) if signature else None
        known = result.metadata.get(WRITTEN) if result is not None else None
        for position, variable in enumerate(passed):
            if known is None or call.kws or position in known:
                self.written |= self._of(variable)

    def _reads_only(self, call) -> bool:
        """Whether the call only reads its arguments: true for built-in functions and NumPy's,
        except atomics and calls with an output argument."""
        value = value_of(self.func_ir, call.func)
        if value in _ATOMICS or value in _WRITING:
            return False
        if isinstance(value, np.ufunc) and len(call.args) + len(call.kws) > value.nin:
            return False
        module = getattr(value, "__module__", None) or ""
        return module.partition(".")[0] in ("numpy", "math", "cmath", "builtins", "operator")


UNKNOWN = object()


def value_of(func_ir, variable, fold=None):
    """The value of a variable that is assigned once: a constant, a global, a closure variable, or
    an attribute of these. `fold(func_ir, expression)` evaluates other expressions. UNKNOWN if there
    is no such value."""
    try:
        definition = func_ir.get_definition(variable)
    except KeyError:
        return UNKNOWN
    if isinstance(definition, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
        return definition.value
    if isinstance(definition, numba_ir.Expr) and definition.op == "getattr":
        owner = value_of(func_ir, definition.value)
        if isinstance(owner, (ModuleType, type)):
            return getattr(owner, definition.attr, UNKNOWN)
    if isinstance(definition, numba_ir.Expr) and fold is not None:
        return fold(func_ir, definition)
    return UNKNOWN


def called_function(func_ir, variable):
    """The function that the variable of a call refers to, or None."""
    value = value_of(func_ir, variable)
    return value if value is not UNKNOWN and callable(value) else None


__all__ = ["UNKNOWN", "WRITTEN", "FindWrittenArguments", "called_function", "value_of"]
