"""Makes device functions from a parfor: one for an iteration, and one that combines two partial
results of a reduction.

Numba has typed the parfor for the host. The statements are typed again in the kernel's typing
context, so that a call such as `math.sin` gets the kernel's implementation.
"""

from __future__ import annotations

import copy
import operator
from typing import Any

import numpy as np

from .._kernel.language import private
from .._kernel.numba.access import FindWrittenArguments
from .._kernel.numba.pipeline import KernelCompiler, LowerKernel
from . import random_stream
from .body_calls import ITEM, SEED, STATE
from .numba_adapter import (
    IndexValueType,
    IRLegalization,
    IRProcessing,
    NoPythonBackend,
    NoPythonSupportedFeatureValidation,
    NopythonTypeInference,
    OffloadPass,
    Parfor,
    build_definitions,
    compiler,
    lower_parfor_sequential,
    numba_ir,
    register_pass,
    rename_labels,
    target_override,
    types,
)


class NotOffloaded(Exception):
    """A parfor stays on the host; the text is the reason."""


@register_pass(mutates_CFG=True, analysis_only=False)
class FlattenParfors(OffloadPass):
    """Makes loops of parfors inside parfors."""

    _name = "hither_flatten_parfors"

    def run_pass(self, state):
        if not any(_parfors_of(block) for block in state.func_ir.blocks.values()):
            return False
        state.metadata.setdefault("parfors", {})
        lower_parfor_sequential(
            state.typingctx, state.func_ir, state.typemap, state.calltypes, state.metadata
        )
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


def _parfors_of(block):
    return [statement for statement in block.body if isinstance(statement, Parfor)]


class ParforFunctionCompiler(KernelCompiler):
    """Compiles IR that Numba's passes up to parfors have processed."""

    passes: Any = (
        (IRProcessing, "process IR"),
        (NopythonTypeInference, "infer types"),
        (FlattenParfors, "flatten parfors"),
        (FindWrittenArguments, "find written arguments"),
        (NoPythonSupportedFeatureValidation, "validate features"),
        (IRLegalization, "legalise"),
        (LowerKernel, "lower"),
        (NoPythonBackend, "finish"),
    )


def clone(node):
    """A copy of IR. Variables, constants and globals are shared with the original."""
    if isinstance(node, (numba_ir.Var, numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
        return node
    if isinstance(node, (numba_ir.Inst, numba_ir.Stmt)):
        new = copy.copy(node)
        new.__dict__.update({name: clone(value) for name, value in node.__dict__.items()})
        return new
    if isinstance(node, numba_ir.Block):
        new = numba_ir.Block(node.scope, node.loc)
        new.body = [clone(s) for s in node.body if not isinstance(s, numba_ir.Del)]
        return new
    if isinstance(node, dict):
        return {key: clone(value) for key, value in node.items()}
    if isinstance(node, (list, tuple)) and not hasattr(node, "_fields"):
        return type(node)(clone(item) for item in node)
    return node


class FunctionBuilder:
    """Builds a separate function from statements."""

    def __init__(self, func_ir, loc):
        self.func_ir = func_ir
        self.loc = loc
        self.scope = next(iter(func_ir.blocks.values())).scope
        self.entry = numba_ir.Block(self.scope, loc)
        self.names: list[str] = []
        self.types: list = []

    def assign(self, name: str, value):
        self.entry.append(numba_ir.Assign(value, self.variable(name), self.loc))

    def variable(self, name: str):
        return numba_ir.Var(self.scope, name, self.loc)

    def argument(self, name: str, numba_type):
        position = len(self.names)
        self.names.append(name)
        self.types.append(numba_type)
        self.assign(name, numba_ir.Arg(name, position, self.loc))

    def start_random_stream(self):
        loc = self.loc
        self.assign("$hither.private", numba_ir.Global("array", private.array, loc))
        self.assign("$hither.three", numba_ir.Const(3, loc))
        self.assign(
            "$hither.shape", numba_ir.Expr.build_tuple([self.variable("$hither.three")], loc)
        )
        self.assign("$hither.dtype", numba_ir.Global("dtype", np.dtype("u8"), loc))
        self.assign("$hither.fill", numba_ir.Const(0, loc))
        given = [self.variable(f"$hither.{name}") for name in ("shape", "dtype", "fill")]
        made = numba_ir.Expr.call(self.variable("$hither.private"), given, (), loc)
        self.assign(STATE, made)
        self.assign("$hither.start", numba_ir.Global("start", random_stream.start, loc))
        given = [self.variable(name) for name in (STATE, SEED, ITEM)]
        started = numba_ir.Expr.call(self.variable("$hither.start"), given, (), loc)
        self.assign("$hither.started", started)

    def result(self, block, names: list[str]):
        """Ends `block` by returning these variables."""
        result = self.variable("$hither.result")
        if not names:
            value = numba_ir.Const(None, self.loc)
        elif len(names) == 1:
            value = self.variable(names[0])
        else:
            value = numba_ir.Expr.build_tuple([self.variable(n) for n in names], self.loc)
        returned = self.variable("$hither.returned")
        block.append(numba_ir.Assign(value, result, self.loc))
        block.append(numba_ir.Assign(numba_ir.Expr.cast(result, self.loc), returned, self.loc))
        block.append(numba_ir.Return(returned, self.loc))

    def compile(self, target, blocks, result_type, flags, local_types):
        blocks = rename_labels(blocks)
        func_ir = self.func_ir.derive(
            blocks,
            arg_count=len(self.names),
            arg_names=tuple(self.names),
            force_non_generator=True,
            loc=self.loc,
        )
        func_ir._definitions = build_definitions(blocks)
        with target_override(target.name):
            return compiler.compile_ir(
                target.typing_context,
                target.target_context,
                func_ir,
                tuple(self.types),
                result_type,
                flags,
                local_types,
                pipeline_class=ParforFunctionCompiler,
            )


def result_type(reduction_types):
    if not reduction_types:
        return types.none
    return reduction_types[0] if len(reduction_types) == 1 else types.Tuple(reduction_types)


def body_function(parfor, calls, func_ir, typemap, target, flags, arguments) -> object:
    """The function of one iteration. `calls` is its BodyCalls. `arguments` has the (name, type in
    the kernel) of the variables that it reads and writes. If it draws random numbers, the position
    of the iteration is a further argument."""
    builder = FunctionBuilder(func_ir, parfor.loc)
    reductions = [(name, typemap[name]) for name in parfor.redvars]
    returned = [name for name, t in reductions if not isinstance(t, types.Array)]
    for name, value in constants_of(parfor, typemap).items():
        builder.assign(name, value)
    for name, numba_type in arguments:
        builder.argument(name, numba_type)
    if calls.uses_random:
        builder.argument(ITEM, types.uint64)
        builder.start_random_stream()
    local_types = {}
    for nest in parfor.loop_nests:
        name = nest.index_variable.name
        local_types[name] = index_type(typemap[name])
        builder.argument(name, local_types[name])
    for name, numba_type in reductions:
        builder.argument(name, kernel_type(name, numba_type))
        if name in returned:
            local_types[name] = builder.types[-1]
    blocks = calls.blocks
    builder.entry.append(numba_ir.Jump(min(blocks), parfor.loc))
    builder.result(blocks[max(blocks)], returned)
    blocks[0] = builder.entry
    result = result_type([local_types[name] for name in returned])
    return builder.compile(target, blocks, result, flags, local_types)


def index_type(numba_type):
    """The signed type of a loop index. Numba makes indices that start at 0 unsigned, so that `-i`
    or `2.0**-i` would differ from the program's values."""
    return types.intp if numba_type == types.uintp else types.unliteral(numba_type)


_KEPT_IDENTITY = {
    operator.iadd: operator.add,
    operator.isub: operator.add,
    operator.imul: operator.mul,
    operator.itruediv: operator.mul,
    # of shared_elements.Update
    **{
        joined: joined
        for joined in (
            operator.add, operator.mul, operator.and_, operator.or_, operator.xor, min, max,
        )
    },
}  # fmt: skip


def combine_operator(reduction):
    """The operator that combines partial results of a reduction, or None if it has no operator.
    Subtracted values are added up first, and divisors are multiplied first."""
    return _KEPT_IDENTITY.get(reduction.redop)


def combine_function(parfor, name, numba_type, func_ir, target, flags):
    """Compiles combine(value, other) -> value for the reduction variable `name` or its elements."""
    builder = FunctionBuilder(func_ir, parfor.loc)
    reduction = parfor.reddict[name]
    other = f"{name}#init"
    builder.argument(name, numba_type)
    builder.argument(other, numba_type)
    joined = combine_operator(reduction)
    if joined is not None:
        last = "$hither.joined"
        builder.assign(last, _joined(builder, joined, name, other))
    else:
        last = _splice_reduce_nodes(builder, parfor, name, reduction.reduce_nodes)
    builder.result(builder.entry, [last])
    return builder.compile(target, {0: builder.entry}, numba_type, flags, {})


def _joined(builder, function, name, other):
    """The variable that holds function(name, other)."""
    given = [builder.variable(name), builder.variable(other)]
    if function not in (min, max):
        return numba_ir.Expr.binop(function, *given, builder.loc)
    builder.assign("$hither.join", numba_ir.Global("join", function, builder.loc))
    return numba_ir.Expr.call(builder.variable("$hither.join"), given, (), builder.loc)


def _splice_reduce_nodes(builder, parfor, name, nodes) -> str:
    """Appends the statements that Numba recorded for the reduction. Returns the variable with the
    result."""
    kept = []
    for node in nodes:
        kept.append(node)
        if node.target.unversioned_name == builder.scope.get_exact(name).unversioned_name:
            break
    given = {name, f"{name}#init"} | {node.target.name for node in kept}
    needed = {v.name for node in kept for v in node.list_vars()} - given
    for block in [*parfor.loop_body.values(), parfor.init_block]:
        for statement in block.body:
            if isinstance(statement, numba_ir.Assign) and statement.target.name in needed:
                if not isinstance(statement.value, (numba_ir.Global, numba_ir.FreeVar)):
                    continue
                builder.entry.append(clone(statement))
                needed.discard(statement.target.name)
    if needed:
        raise NotOffloaded(f"the reduction of {_shown(name)} is not one of +, *, min and max")
    builder.entry.body.extend(clone(node) for node in kept)
    return kept[-1].target.name


def _shown(name: str) -> str:
    """The name in the program of a variable of the IR."""
    return name.partition(".")[0].lstrip("$") or "a variable"


def constants_of(parfor, typemap) -> dict:
    """Variables whose type implies their value. The kernel assigns them, and the launch does not
    pass them."""
    found = {}
    for name in sorted(parfor.params):
        value = constant_of(typemap[name], parfor.loc)
        if value is not None and name not in parfor.redvars:
            found[name] = value
    return found


def constant_of(numba_type, loc):
    if isinstance(numba_type, types.Literal):
        return numba_ir.Const(numba_type.literal_value, loc)
    if isinstance(numba_type, types.Omitted):
        return numba_ir.Const(numba_type.value, loc)
    if isinstance(numba_type, types.NoneType):
        return numba_ir.Const(None, loc)
    if isinstance(numba_type, types.Dispatcher):
        return numba_ir.Global("function", numba_type.dispatcher, loc)
    if isinstance(numba_type, types.Module):
        return numba_ir.Global("module", numba_type.pymod, loc)
    if isinstance(numba_type, types.Function):
        return numba_ir.Global("function", numba_type.typing_key, loc)
    return None


_VALUES = (
    types.Integer,
    types.Float,
    types.Complex,
    types.Boolean,
    types.Record,
    types.NPDatetime,
    types.NPTimedelta,
    IndexValueType,
)


def kernel_type(name, numba_type):
    """The type of a variable in the kernel. Raises NotOffloaded for types that kernels cannot
    take."""
    found = _kernel_type(types.unliteral(numba_type))
    if found is None:
        raise NotOffloaded(f"{_shown(name)} is {numba_type}, which cannot be passed to a kernel")
    return found


def _kernel_type(t):
    if isinstance(t, types.Optional):
        inner = _kernel_type(t.type)
        optional = isinstance(inner, types.Number | types.Boolean | types.Array)
        return types.Optional(inner) if optional else inner
    if isinstance(t, types.Array):
        if not isinstance(t.dtype, _VALUES):
            return None
        return types.Array(t.dtype, t.ndim, t.layout, readonly=not t.mutable, aligned=t.aligned)
    if isinstance(t, types.BaseTuple):
        items = [_kernel_type(item) for item in t]
        if None in items:
            return None
        if isinstance(t, types.BaseNamedTuple):
            if len(set(items)) == 1:
                return types.NamedUniTuple(items[0], len(items), t.instance_class)
            return types.NamedTuple(items, t.instance_class)
        return types.Tuple(items)
    return t if isinstance(t, _VALUES) else None
