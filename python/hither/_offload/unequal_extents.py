"""Runs a function on the host if extents of its arguments differ that its parallel code takes for
equal.

Numba equates the extents of the operands of `t + x`, unless it knows that one is 1, and asserts
this before the parfor. Here a function first compares the extents that follow from its arguments.
If they differ, plain Numba code, which broadcasts, runs instead: nothing has been written yet.
"""

from __future__ import annotations

import copy
import itertools
import operator
import uuid
import warnings
from functools import partial

from ..errors import PerformanceWarning
from .array_type import HitherArray
from .broadcast import Emitter, index_types
from .compilation import current
from .host_access import SHAPES
from .numba_adapter import (
    NativeValue,
    OffloadPass,
    Parfor,
    array_analysis,
    build_definitions,
    cgutils,
    find_callname,
    find_max_label,
    get_definition,
    guard,
    intrinsic,
    ir,
    numba_ir,
    register_pass,
    rename_labels,
    types,
    unbox,
)

_PURE = (array_analysis.wrap_index, slice, len, min, max)
_BOXED = (types.Number, types.Boolean, types.NoneType, types.Omitted, types.Array)
_VIEWING = (types.SliceType, types.NoneType, types.EllipsisType, types.Integer)
_ARITHMETIC = (operator.add, operator.sub, operator.mul)
_ASSERTION = ("assert_equiv", "numba.parfors.array_analysis")
_versions: dict = {}  # as long as their compiled code, which Numba never frees


class HostVersion:
    """What compiled code calls instead. Numba calls `compile` when it first needs it."""

    def __init__(self, key, argument_types, output_types):
        self.key, self.argument_types, self.output_types = key, argument_types, output_types
        self.compiled = None

    def __reduce__(self):
        return HostVersion, (self.key, self.argument_types, self.output_types)

    def compile(self, _):
        return self

    def __call__(self, *arguments):
        version = _versions[self.key]
        if self.compiled is None:  # first, because Numba forgets which warnings were shown
            self.compiled = version.plain().compile(self.argument_types)
        code = version.py_func.__code__
        warnings.warn_explicit(
            f"{version.py_func.__qualname__} ran on the host, because extents of its arguments "
            "differ; np.broadcast_to(x, y.shape) makes them equal",
            PerformanceWarning,
            code.co_filename,
            code.co_firstlineno,
            registry=version.py_func.__globals__.setdefault("__warningregistry__", {}),
        )
        return self.compiled(*arguments)


def _remember(key):
    """Numba also calls it when it loads the function from its cache."""
    _versions[key] = current.get().version


@intrinsic
def _compared(typing_context, before, first, second, any_order):
    """Adds bits to the result of earlier comparisons: 1 if the operand with one of two extents has
    to be broadcast, and 2 if that is not possible. Numba takes two extents for equal once it has
    asserted it, so that the bit 2 next to the bit 1 may be wrong."""

    def emit(context, builder, signature, arguments):
        before, first, second, any_order = arguments
        one, number = first.type(1), before.type
        differ = builder.icmp_signed("!=", first, second)
        fits = builder.icmp_signed("==", second, one)
        other = builder.and_(any_order, builder.icmp_signed("==", first, one))
        fits = builder.or_(fits, other)
        result = builder.select(fits, number(1), number(2))
        return builder.or_(before, builder.select(differ, result, number(0)))

    return types.intp(types.intp, types.intp, types.intp, types.boolean), emit


@intrinsic
def _must_broadcast(typing_context, compared):
    """Whether the host version has to run. It needs the GIL, which threads of loops do not have."""

    def emit(context, builder, signature, arguments):
        form = ir.FunctionType(ir.IntType(32), [])
        has_gil = cgutils.get_or_insert_function(builder.module, form, "PyGILState_Check")
        found = builder.trunc(arguments[0], ir.IntType(1))
        return builder.and_(found, cgutils.is_true(builder, builder.call(has_gil, [])))

    return types.boolean(types.intp), emit


@register_pass(mutates_CFG=True, analysis_only=False)
class CompareExtents(OffloadPass):
    """Follows the pass that makes parfors."""

    _name = "hither_compare_extents"

    def run_pass(self, state):
        hoist = _Hoist(state)
        for block in state.func_ir.blocks.values():
            hoist.visit(block)
        boxed = all(map(_can_be_boxed, (*state.args, state.return_type)))
        if boxed and hoist.compared is not hoist.nothing:
            hoist.branch()
        return True


def _can_be_boxed(numba_type) -> bool:
    if isinstance(numba_type, types.BaseTuple):
        return all(map(_can_be_boxed, numba_type))
    if isinstance(numba_type, HitherArray):
        return numba_type.host
    return isinstance(numba_type, _BOXED)


@unbox(types.IntegerLiteral)
@unbox(types.BooleanLiteral)
def _unbox_literal(numba_type, obj, c):
    """The type of a constant in a result."""
    value_type, value = numba_type.literal_type, numba_type.literal_value
    return NativeValue(c.context.get_constant_generic(c.builder, value_type, value))


class _NotKnown(Exception):
    """An extent does not follow from the arguments."""


class _Hoist(Emitter):
    """Makes the statements at the beginning of the function."""

    def __init__(self, state):
        self.blocks = state.func_ir.blocks
        state.func_ir._definitions = build_definitions(self.blocks)
        self.entry = self.blocks[min(self.blocks)]
        super().__init__(state, self.entry.scope, self.entry.loc)
        named = zip(state.func_ir.arg_names, state.args, strict=True)
        self.arguments = [
            self.assign(numba_ir.Arg(name, position, self.loc), numba_type)
            for position, (name, numba_type) in enumerate(named)
        ]
        self.known: dict = {}
        self.compared = self.nothing = self.number(0)

    def visit(self, block):
        made, in_place = [], True
        for statement in reversed(block.body):
            if isinstance(statement, Parfor):
                in_place = not str(statement.patterns[0]).startswith("array expression")
                for inner in (statement.init_block, *statement.loop_body.values()):
                    self.visit(inner)
            made.append(self.replaced(statement, in_place))
        block.body = [s for statements in reversed(made) for s in statements]

    def replaced(self, statement, in_place) -> list:
        """The statement. An assertion of equal extents gets a text that says what to do. The first
        operand of an operator in place is the target, which is never broadcast."""
        call = statement.value if isinstance(statement, numba_ir.Assign) else None
        if not isinstance(call, numba_ir.Expr) or call.op != "call":
            return [statement]
        if guard(find_callname, self.state.func_ir, call) != _ASSERTION:
            return [statement]
        message, *extents = call.args
        text = self.state.typemap[message.name].literal_value
        names = text.removeprefix("Sizes of ").partition(" do not match")[0].split(", ")
        typemap = self.state.typemap
        if not all(isinstance(typemap.get(name), types.Array) for name in names):
            return [statement]  # what the condition of a branch implies
        if not all(isinstance(typemap[extent.name], types.Integer) for extent in extents):
            return [statement]
        try:
            hoisted = [self.hoisted(extent) for extent in extents]
        except _NotKnown:
            pass
        else:
            any_order = self.assign(numba_ir.Const(not in_place, self.loc), types.boolean)
            for pair in itertools.pairwise(hoisted):
                self.compared = self.call(_compared, [self.compared, *pair, any_order])
        shown = [name.partition(".")[0] for name in names if not name.startswith("$")]
        told = Emitter(self.state, statement.target.scope, statement.loc)
        told.assert_equal(
            f"line {statement.loc.line}: extents of the operands differ"
            f"{' (' + ', '.join(shown) + ')' if shown else ''}. Offloaded code broadcasts an "
            "extent of 1 if this is known at compile time, as in x[:, None]; write "
            "np.broadcast_to(x, y.shape) for the operand x that has to get the shape of y",
            *extents,
        )
        return told.statements

    def hoisted(self, variable):
        """The variable's value, computed from the arguments."""
        if variable.name not in self.known:
            value = self.definition(variable)
            self.known[variable.name] = self.computed(value, self.state.typemap[variable.name])
        return self.known[variable.name]

    def definition(self, variable, seen=()):
        """The only value of the variable, or None if it is in `seen`."""
        if variable.name in seen:
            return None
        values = self.state.func_ir._definitions[variable.name]
        found = [
            self.definition(value, (*seen, variable.name))
            if isinstance(value, numba_ir.Var)
            else value
            for value in values
        ]
        found = [value for value in found if value is not None]
        if any(value is not found[0] for value in found):
            raise _NotKnown
        return found[0] if found else None

    def computed(self, value, numba_type):
        if isinstance(value, numba_ir.Arg):
            return self.arguments[value.index]
        if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return self.assign(value, numba_type)
        if not isinstance(value, numba_ir.Expr) or not self.is_pure(value, numba_type):
            raise _NotKnown
        made = copy.copy(value)
        made._kws = {name: self.operand(part) for name, part in value._kws.items()}
        if value in self.state.calltypes:
            self.state.calltypes[made] = self.state.calltypes[value]
        return self.assign(made, numba_type)

    def operand(self, part):
        if isinstance(part, numba_ir.Var):
            return self.hoisted(part)
        return type(part)(map(self.operand, part)) if isinstance(part, (list, tuple)) else part

    def is_pure(self, value, numba_type) -> bool:
        """Whether it can be computed at any time: it reads no element and raises nothing."""
        if value.op == "getattr":
            return value.attr in SHAPES or value.attr == "T"
        if value.op == "call":
            called = guard(get_definition, self.state.func_ir, value.func)
            is_value = isinstance(called, (numba_ir.Global, numba_ir.FreeVar))
            return is_value and any(called.value is function for function in _PURE)
        if value.op in ("getitem", "static_getitem"):
            owner = self.state.typemap[value.value.name]
            is_view = isinstance(numba_type, types.Array) and all(
                isinstance(item, _VIEWING) for item in index_types(value, self.state.typemap)
            )
            return isinstance(owner, types.BaseTuple) or is_view
        if value.op == "binop":
            return value.fn in _ARITHMETIC and isinstance(numba_type, types.Integer)
        return value.op in ("build_tuple", "cast", "exhaust_iter")

    def branch(self):
        """Inserts the statements, and calls the host version if extents differ."""
        state, key = self.state, uuid.uuid4().hex
        _remember(key)
        state.reload_init.append(partial(_remember, key))
        host = HostVersion(key, tuple(state.args), state.return_type)
        other = Emitter(state, self.scope, self.loc)
        value = numba_ir.Global("host", host, self.loc)
        function = other.assign(value, types.ObjModeDispatcher(host))
        given = [
            other.assign(numba_ir.Const(None, self.loc), types.none)
            if isinstance(state.typemap[argument.name], types.Omitted)
            else argument
            for argument in self.arguments
        ]
        call = numba_ir.Expr.call(function, given, (), self.loc)
        state.calltypes[call] = state.return_type(*(state.typemap[v.name] for v in given))
        result = other.assign(call, state.return_type)
        result = other.assign(numba_ir.Expr.cast(result, self.loc), state.return_type)
        first, new = min(self.blocks), find_max_label(self.blocks) + 1
        self.blocks[new], self.blocks[new + 1] = self.entry, numba_ir.Block(self.scope, self.loc)
        self.blocks[new + 1].body = [*other.statements, numba_ir.Return(result, self.loc)]
        self.blocks[first] = numba_ir.Block(self.scope, self.loc)
        differ = self.call(_must_broadcast, [self.compared])
        jump = numba_ir.Branch(differ, new + 1, new, self.loc)
        self.blocks[first].body = [*self.statements, jump]
        # Later passes visit the blocks in this order, which is the source's.
        state.func_ir.blocks = dict(sorted(rename_labels(self.blocks).items()))
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
