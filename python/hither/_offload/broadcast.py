"""Makes operators on arrays of different shapes broadcast as in NumPy.

Numba's parfor of `t += y` reads y at the indices of t, and that of `t + y` reads a vector at the
last index. This is wrong if y has fewer dimensions or an extent of 1. Numba also does not know that
the extent of a new axis is 1.
"""

from __future__ import annotations

from .compilation import current
from .numba_adapter import (
    OffloadPass,
    Parfor,
    array_analysis,
    find_build_sequence,
    find_callname,
    find_const,
    guard,
    mk_unique_var,
    numba_ir,
    register_pass,
    types,
)

_EXPAND = ("expand_dims", "numpy")


class Emitter:
    """Makes typed statements."""

    def __init__(self, state, scope, loc):
        self.state, self.scope, self.loc = state, scope, loc
        self.statements: list = []

    def assign(self, value, numba_type):
        variable = numba_ir.Var(self.scope, mk_unique_var("$hither.value"), self.loc)
        self.state.typemap[variable.name] = numba_type
        self.statements.append(numba_ir.Assign(value, variable, self.loc))
        return variable

    def number(self, value: int):
        return self.assign(numba_ir.Const(value, self.loc), types.intp)

    def extent(self, array, axis: int):
        shape_type = types.UniTuple(types.intp, self.state.typemap[array.name].ndim)
        shape = self.assign(numba_ir.Expr.getattr(array, "shape", self.loc), shape_type)
        extent = numba_ir.Expr.static_getitem(shape, axis, None, self.loc)
        self.state.calltypes[extent] = None
        return self.assign(extent, types.intp)

    def call(self, function, given, form=None):
        typing_context = self.state.typingctx
        function_type = typing_context.resolve_value_type(function)
        types_of = form or tuple(self.state.typemap[v.name] for v in given)
        signature = typing_context.resolve_function_type(function_type, types_of, {})
        value = numba_ir.Global(function._name, function, self.loc)
        call = numba_ir.Expr.call(self.assign(value, function_type), given, (), self.loc)
        self.state.calltypes[call] = signature
        return self.assign(call, signature.return_type)

    def assert_equal(self, text, *extents):
        message = self.assign(numba_ir.Const(text, self.loc), types.StringLiteral(text))
        given = [message, *extents]
        form = types.StarArgTuple.from_types(tuple(self.state.typemap[v.name] for v in given))
        self.call(array_analysis.assert_equiv, given, (form,))


@register_pass(mutates_CFG=False, analysis_only=False)
class KnowNewAxes(OffloadPass):
    """Precedes Numba's analysis of arrays, and tells it that the extents of new axes are 1."""

    _name = "hither_know_new_axes"

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            block.body = [s for old in block.body for s in (old, *_extents_of_new(old, state))]
        return True


def _extents_of_new(statement, state) -> list:
    value = statement.value if isinstance(statement, numba_ir.Assign) else None
    if not isinstance(value, numba_ir.Expr):
        return []
    result, axes = state.typemap.get(statement.target.name), []
    if value.op in ("getitem", "static_getitem") and isinstance(result, types.Array):
        axes = _new_axes(index_types(value, state.typemap), result.ndim)
    elif value.op == "call" and guard(find_callname, state.func_ir, value) == _EXPAND:
        axis = guard(find_const, state.func_ir, [*value.args, *dict(value.kws).values()][-1])
        axes = [axis % result.ndim] if isinstance(axis, int) else []
    emit = Emitter(state, statement.target.scope, statement.loc)
    for axis in axes:
        emit.assert_equal("a new axis", emit.extent(statement.target, axis), emit.number(1))
    return emit.statements


def index_types(value, typemap) -> list:
    """The types of the items of an index."""
    index = value.index if value.op == "getitem" else value.index_var
    index_type = typemap[index.name] if index is not None else types.intp
    return list(index_type) if isinstance(index_type, types.BaseTuple) else [index_type]


def _new_axes(items, dimensions) -> list:
    """The axes of the result that `None` in an index makes."""
    kept = [item for item in items if not isinstance(item, types.Integer)]
    if types.ellipsis in kept:
        at = kept.index(types.ellipsis)
        kept[at : at + 1] = [types.slice2_type] * (dimensions - len(kept) + 1)
    return [axis for axis, item in enumerate(kept) if item == types.none]


def _shape_of_reshaped(self, scope, equiv_set, loc, args, kws):
    """Numba's analysis of `reshape`, which takes a -1 for an extent if it is in a tuple."""
    built = guard(find_build_sequence, self.func_ir, args[1]) if current.get() else None
    if built is not None and len(args) == 2:
        args = [args[0], *built[0]]
    return _shape_of_reshaped_plain(self, scope, equiv_set, loc, args, kws)


_shape_of_reshaped_plain = array_analysis.ArrayAnalysis._analyze_op_call_numpy_reshape
array_analysis.ArrayAnalysis._analyze_op_call_numpy_reshape = _shape_of_reshaped


@register_pass(mutates_CFG=False, analysis_only=False)
class IndexOperands(OffloadPass):
    """Follows the pass that makes parfors, and makes their indices of operands those of NumPy."""

    _name = "hither_index_operands"

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            for parfor in block.find_insts(Parfor):
                if str(parfor.patterns[0]).startswith(("('inplace_binop", "array expression")):
                    for body in parfor.loop_body.values():
                        body.body = [s for old in body.body for s in _indexed(old, parfor, state)]
        return True


def _indexed(statement, parfor, state) -> list:
    """The statement, with other indices if it reads an element of an operand."""
    value = statement.value if isinstance(statement, numba_ir.Assign) else None
    if not isinstance(value, numba_ir.Expr) or value.op != "getitem":
        return [statement]
    operand, loops, loc = state.typemap[value.value.name], parfor.loop_nests, statement.loc
    if not isinstance(operand, types.Array) or not 0 < operand.ndim <= len(loops):
        return [statement]
    if value.index.name.startswith("$const_ind_0"):  # the element of an array without dimensions
        return [statement]
    extents = parfor.equiv_set.get_shape(value.value) or [None] * operand.ndim
    is_one = [e is not None and parfor.equiv_set.get_equiv_const(e) == 1 for e in extents]
    if operand.ndim == len(loops) and not any(is_one):
        return [statement]
    emit = Emitter(state, statement.target.scope, loc)
    index = [nest.index_variable for nest in loops[-operand.ndim :]]
    for axis, one in enumerate(is_one):
        if one:
            index[axis] = emit.assign(numba_ir.Const(0, loc), types.uintp)
    if len(index) > 1:
        form = types.UniTuple(types.uintp, len(index))
        index = [emit.assign(numba_ir.Expr.build_tuple(index, loc), form)]
    read = numba_ir.Expr.getitem(value.value, index[0], loc)
    state.calltypes[read] = state.calltypes.pop(value).return_type(
        operand, state.typemap[index[0].name]
    )
    return [*emit.statements, numba_ir.Assign(read, statement.target, loc)]
