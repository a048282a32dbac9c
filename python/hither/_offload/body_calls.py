"""Rewrites calls in the body of a parfor that are different in a kernel: arrays that an iteration
allocates, and random numbers."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from .._kernel.language import private
from .._kernel.numba.access import UNKNOWN, value_of
from .._kernel.numba.bind_calls import fold
from .._kernel.numba.refused import KernelRefused
from . import random_stream
from .host_access import is_scalar
from .numba_adapter import Dispatcher, Parfor, as_numpy_dtype, build_definitions, numba_ir, types

STATE = "$hither.random_state"
SEED = "$hither.random_seed"
ITEM = "$hither.random_item"
# Limit for arrays of an iteration, which are in registers or on the stack.
_MOST_PRIVATE_BYTES = 4096
_FILLS: dict[Any, bool] = {np.empty: False, np.zeros: True}


class BodyCalls:
    """Rewrites `blocks`, a copy of a parfor's body. `typemap` maps its variables to types."""

    def __init__(self, blocks, func_ir, typemap):
        self.blocks, self.typemap = blocks, typemap
        self.func_ir = func_ir.derive(blocks)
        self.func_ir._definitions = {**func_ir._definitions, **build_definitions(blocks)}
        self.uses_random = False
        self.is_long = False
        """Whether an iteration has a loop, or calls a function of the program."""

    def rewrite(self) -> None:
        self._rewrite_blocks(self.blocks)

    def _rewrite_blocks(self, blocks, in_loop=False):
        for label, block in blocks.items():
            repeated = in_loop or _reaches_itself(blocks, label)
            self.is_long = self.is_long or repeated
            body: list = []
            for statement in block.body:
                if _is_call(statement):
                    self._rewrite_call(statement, body, repeated)
                if isinstance(statement, Parfor):
                    self.is_long = True
                    self._rewrite_blocks({0: statement.init_block}, repeated)
                    self._rewrite_blocks(statement.loop_body, repeated)
                body.append(statement)
            block.body = body

    def _rewrite_call(self, statement, before, repeated):
        call = statement.value
        function = value_of(self.func_ir, call.func)
        self.is_long = self.is_long or isinstance(function, Dispatcher)
        if not isinstance(function, Hashable):
            return
        if random_stream.is_numpys(function):
            self._use_stream(statement, function, before)
        elif random_stream.is_pythons(function):
            raise KernelRefused(
                f"regions cannot call Python's random.{function.__name__}: call a function of "
                "np.random"
            )
        elif function in _FILLS:
            self._make_private(statement, _FILLS[function], before, repeated)

    def _use_stream(self, statement, function, before):
        call, loc = statement.value, statement.loc
        drawing = random_stream.replacement(function, len(call.args))
        made = types.unliteral(self.typemap.get(statement.target.name))
        if drawing is None or not isinstance(made, types.Number):
            raise KernelRefused(
                f"regions cannot call np.random.{function.__name__} in this way: they can draw one "
                f"number at a time from {random_stream.SHOWN}"
            )
        target = self._assign(numba_ir.Global("random", drawing, loc), statement, before)
        state = numba_ir.Var(statement.target.scope, STATE, loc)
        statement.value = numba_ir.Expr.call(target, [state, *call.args], call.kws, loc)
        self.uses_random = True

    def _make_private(self, statement, fill_zeros, before, repeated):
        """An array of constant shape becomes private memory."""
        array = self.typemap.get(statement.target.name)
        call, loc = statement.value, statement.loc
        if not isinstance(array, types.Array) or array.layout != "C" or not call.args:
            return
        shape = self._constant_shape(call.args[0])
        if shape is None or min(shape, default=0) < 0:
            return
        if math.prod(shape) * as_numpy_dtype(array.dtype).itemsize > _MOST_PRIVATE_BYTES:
            return
        if repeated and self._gets_other_names(statement.target.name):
            return  # all iterations of the loop use the same memory
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

    def _gets_other_names(self, name) -> bool:
        """Whether an array may have other names than the variable that it is assigned to."""
        names, renamed = {name}, 0 if name.startswith("$") else 1
        for statement in _statements_of(self.blocks):
            if not isinstance(statement, numba_ir.Assign):
                continue
            value = statement.value
            if isinstance(value, numba_ir.Var) and value.name in names:
                names.add(statement.target.name)
                renamed += 1
            elif isinstance(value, numba_ir.Expr) and any(
                v.name in names for v in value.list_vars()
            ):
                # Elements and shapes are no views of the array. All other values may be.
                made = self.typemap.get(statement.target.name)
                if isinstance(made, types.BoundFunction):
                    names.add(statement.target.name)
                elif not is_scalar(made):
                    renamed += 2
        return renamed > 1

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


def _statements_of(blocks):
    for _, block in sorted(blocks.items()):
        for statement in block.body:
            yield statement
            if isinstance(statement, Parfor):
                yield from statement.init_block.body
                yield from _statements_of(statement.loop_body)


def _reaches_itself(blocks, label) -> bool:
    seen: set = set()
    left = _targets_of(blocks[label])
    while left:
        at = left.pop()
        if at not in seen and at in blocks:
            seen.add(at)
            left += _targets_of(blocks[at])
    return label in seen


def _targets_of(block) -> list:
    last = block.body[-1] if block.body else None
    return list(last.get_targets()) if isinstance(last, numba_ir.Terminator) else []


def _is_call(statement) -> bool:
    return (
        isinstance(statement, numba_ir.Assign)
        and isinstance(statement.value, numba_ir.Expr)
        and statement.value.op == "call"
    )
