"""Calls in the body of a parfor that mean something else in a kernel: arrays that an iteration
makes for itself, and random numbers."""

from __future__ import annotations

import numpy as np

from ..kernel import private
from ..kernel.access import UNKNOWN, value_of
from ..kernel.bind_calls import fold
from . import random_stream
from .numba_adapter import Parfor, as_numpy_dtype, build_definitions, numba_ir, types

STATE = "$hither.random_state"
SEED = "$hither.random_seed"
ITEM = "$hither.random_item"
# An iteration's arrays are in registers or on its stack.
_MOST_PRIVATE_BYTES = 4096
_FILLS = {np.empty: False, np.zeros: True}


class BodyCalls:
    """Rewrites `blocks`, a copy of a parfor's body. `typemap` has the types of its variables."""

    def __init__(self, blocks, func_ir, typemap):
        self.blocks, self.typemap = blocks, typemap
        self.func_ir = func_ir.derive(blocks)
        self.func_ir._definitions = {**func_ir._definitions, **build_definitions(blocks)}
        self.uses_random = False

    def rewrite(self) -> None:
        self._rewrite_blocks(self.blocks.values())

    def _rewrite_blocks(self, blocks):
        for block in blocks:
            body: list = []
            for statement in block.body:
                if _is_call(statement):
                    self._rewrite_call(statement, body)
                if isinstance(statement, Parfor):
                    self._rewrite_blocks([statement.init_block, *statement.loop_body.values()])
                body.append(statement)
            block.body = body

    def _rewrite_call(self, statement, before):
        call = statement.value
        function = value_of(self.func_ir, call.func)
        try:
            if function in random_stream.REPLACEMENTS:
                self._use_stream(statement, random_stream.REPLACEMENTS[function], before)
            elif function in _FILLS:
                self._make_private(statement, _FILLS[function], before)
        except TypeError:  # not hashable
            return

    def _use_stream(self, statement, function, before):
        call, loc = statement.value, statement.loc
        if isinstance(function, dict):
            function = function.get(len(call.args))
        made = self.typemap.get(statement.target.name)
        if call.kws or function is None or not isinstance(types.unliteral(made), types.Number):
            return
        target = self._assign(numba_ir.Global("random", function, loc), statement, before)
        state = numba_ir.Var(statement.target.scope, STATE, loc)
        statement.value = numba_ir.Expr.call(target, [state, *call.args], (), loc)
        self.uses_random = True

    def _make_private(self, statement, fill_zeros, before):
        """An array of constant shape becomes private memory."""
        array = self.typemap.get(statement.target.name)
        call, loc = statement.value, statement.loc
        if not isinstance(array, types.Array) or array.layout != "C" or not call.args:
            return
        shape = self._constant_shape(call.args[0])
        if shape is None or np.prod(shape) * array.dtype.bitwidth // 8 > _MOST_PRIVATE_BYTES:
            return
        extents = [self._constant(n, statement, before) for n in shape]
        function = self._assign(numba_ir.Global("array", private.array, loc), statement, before)
        given = [
            self._assign(numba_ir.Expr.build_tuple(extents, loc), statement, before),
            self._assign(
                numba_ir.Global("dtype", as_numpy_dtype(array.dtype), loc), statement, before
            ),
            self._constant(int(fill_zeros), statement, before),
        ]
        statement.value = numba_ir.Expr.call(function, given, (), loc)

    def _constant_shape(self, variable) -> tuple[int, ...] | None:
        shape = value_of(self.func_ir, variable, fold)
        if shape is UNKNOWN:
            shape = self._literal_shape(variable)
        if isinstance(shape, (int, np.integer)):
            return (int(shape),)
        if isinstance(shape, tuple) and all(isinstance(n, (int, np.integer)) for n in shape):
            return tuple(int(n) for n in shape)
        return None

    def _literal_shape(self, variable):
        numba_type = self.typemap.get(variable.name)
        if isinstance(numba_type, types.IntegerLiteral):
            return numba_type.literal_value
        if isinstance(numba_type, types.BaseTuple) and all(
            isinstance(item, types.IntegerLiteral) for item in numba_type
        ):
            return tuple(item.literal_value for item in numba_type)
        return None

    def _constant(self, value, statement, before):
        return self._assign(numba_ir.Const(value, statement.loc), statement, before)

    def _assign(self, value, statement, before):
        variable = statement.target.scope.redefine("$hither", statement.loc)
        before.append(numba_ir.Assign(value, variable, statement.loc))
        return variable


def _is_call(statement) -> bool:
    return (
        isinstance(statement, numba_ir.Assign)
        and isinstance(statement.value, numba_ir.Expr)
        and statement.value.op == "call"
    )
