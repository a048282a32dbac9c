"""Rewrites calls inside kernels to hither's functions and those with keyword-only parameters.

Keywords and defaults become positional arguments. Parameters that must be constants are folded.
"""

from __future__ import annotations

import inspect
import operator

import numpy

from ..._names import did_you_mean
from ..language import constant, cuda_names, group_function, local, private, scope, work_item
from ..language.atomic_ref import AtomicRef
from ..language.cuda_names import Indices, Query
from ..language.device_func import DeviceFunction
from ..language.item_parameter import DIMENSIONS
from .access import UNKNOWN, value_of
from .numba_adapter import KernelPass, as_numpy_dtype, errors, numba_ir, register_pass, types

OPERATIONS = ("add", "mul", "min", "max", "and", "or", "xor")
_FUNCTIONS_OF = {
    operator.add: "add", operator.mul: "mul", operator.and_: "and", operator.or_: "or",
    operator.xor: "xor", min: "min", max: "max", sum: "add", numpy.add: "add",
    numpy.multiply: "mul", numpy.minimum: "min", numpy.maximum: "max", numpy.bitwise_and: "and",
    numpy.bitwise_or: "or", numpy.bitwise_xor: "xor",
}  # fmt: skip


def has_keyword_only(function) -> bool:
    """Whether a Python function has keyword-only parameters. Numba does not support them: it gets a
    function in which they are positional, and calls with positional arguments."""
    return getattr(function, "__code__", None) is not None and bool(
        function.__code__.co_kwonlyargcount
    )


def _operation(value) -> int:
    name = value if isinstance(value, str) else _FUNCTIONS_OF.get(value)
    if name not in OPERATIONS:
        raise ValueError(f"{value!r} is none of {', '.join(OPERATIONS)}")
    return OPERATIONS.index(name)


def _shape(value) -> tuple[int, ...]:
    shape = value if isinstance(value, tuple) else (value,)
    if not shape or len(shape) > 3 or not all(_is_integer(n) and n > 0 for n in shape):
        raise ValueError(f"{value!r} is not a shape: a positive int, or a tuple of up to three")
    return tuple(int(n) for n in shape)


def _is_integer(value) -> bool:
    return isinstance(value, (int, numpy.integer)) and not isinstance(value, bool)


def _integer(value) -> int:
    if not _is_integer(value):
        raise ValueError(f"{value!r} is not an integer")
    return int(value)


def _dtype(value) -> numpy.dtype:
    try:
        dtype = as_numpy_dtype(value) if isinstance(value, types.Type) else numpy.dtype(value)
    except TypeError as error:
        known = (name for name in numpy.sctypeDict if isinstance(name, str))
        raise TypeError(f"{error}{did_you_mean(str(value), known)}") from None
    if dtype.hasobject or dtype.kind not in "biufcV":
        raise ValueError(f"{value!r} is neither a number nor a record")
    return dtype


# The modules of element-wise functions. The language's module atomic has another function add.
_ELEMENTWISE = ("hither._hither", "hither.compat.dpctl", "hither.compat.dpnp")

# function: its constant parameters, and the functions that check and convert their values
_ARRAY = {"shape": _shape, "dtype": _dtype}
_OPERATION = {"op": _operation}
_CONSTANTS: dict = {
    local.array: _ARRAY,
    private.array: _ARRAY | {"zero": bool},
    private.PrivateArray: _ARRAY | {"fill_zeros": bool},
    AtomicRef: dict.fromkeys(("memory_order", "memory_scope", "address_space"), _integer),
    group_function.barrier: {"fence": _integer},
    group_function.mem_fence: {"fence": _integer},
    group_function.group_barrier: {"fence_scope": _integer},
    group_function.atomic_fence: {"memory_order": _integer, "memory_scope": _integer},
    group_function.group_reduce: _OPERATION,
    group_function.group_inclusive_scan: _OPERATION,
    group_function.group_exclusive_scan: _OPERATION,
    constant.array_like: {},
    group_function.group_broadcast: {},
}
# Functions that take a dimension, and names of methods that do. Only items have such methods.
_OF_DIMENSION = {
    value
    for value in (*vars(work_item).values(), cuda_names.grid, cuda_names.gridsize)
    if inspect.isfunction(value) and {"dim", "ndim"} & set(inspect.signature(value).parameters)
}
_METHODS_OF_DIMENSION = {
    name
    for kind in (work_item.Item, work_item.NdItem, work_item.Group)
    for name, value in vars(kind).items()
    if inspect.isfunction(value) and "dim" in inspect.signature(value).parameters
}
_BINARY = {
    operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow,
    operator.lshift, operator.rshift, operator.or_, operator.and_, operator.xor, operator.truediv,
}  # fmt: skip

_GROWING = {operator.pow, operator.lshift}


@register_pass(mutates_CFG=False, analysis_only=False)
class BindCalls(KernelPass):
    """Runs before type inference and changes only Numba's IR."""

    _name = "hither_bind_calls"

    def run_pass(self, state):
        changed = False
        for block in state.func_ir.blocks.values():
            body: list = []
            for statement in block.body:
                if isinstance(statement, numba_ir.Assign):
                    changed |= _Rewrite(state.func_ir, statement, body).run()
                body.append(statement)
            block.body = body
        self._drop_indices(state.func_ir)
        return changed

    def _drop_indices(self, func_ir):
        """Removes the index classes, which nothing uses any more. Numba has no type for them."""
        for block in func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                value = value_of(func_ir, statement.target)
                if isinstance(value, type) and issubclass(value, Indices):
                    statement.value = numba_ir.Const(0, statement.loc)
                    func_ir._definitions[statement.target.name] = [statement.value]


class _Rewrite:
    """Rewrites one statement. Statements that must precede it are appended to `before`."""

    def __init__(self, func_ir, statement, before):
        self.func_ir, self.statement, self.before = func_ir, statement, before

    def run(self) -> bool:
        expression = self.statement.value
        if isinstance(expression, (numba_ir.Global, numba_ir.FreeVar)):
            return self._name_numpys(expression.value)
        if not isinstance(expression, numba_ir.Expr):
            return False
        if expression.op == "getattr":
            return self._fold_attribute()
        if expression.op != "call":
            return False
        function = value_of(self.func_ir, expression.func)
        if function is getattr:
            return self._name_attribute(expression)
        if isinstance(function, DeviceFunction) and has_keyword_only(function.py_func):
            return self._bind(expression, function.py_func, {})
        try:
            constants, has_dimension = _CONSTANTS.get(function), function in _OF_DIMENSION
        except TypeError:
            return False
        if has_dimension or self._is_method_of_dimension(expression.func):
            return self._fold_dimension(expression)
        return constants is not None and self._bind(expression, function, constants)

    def _is_method_of_dimension(self, variable) -> bool:
        definition = self.func_ir.get_definition(variable, lhs_only=False)
        return (
            isinstance(definition, numba_ir.Expr)
            and definition.op == "getattr"
            and definition.attr in _METHODS_OF_DIMENSION
        )

    def _fold_dimension(self, call) -> bool:
        """Folds a dimension to a constant. Numba treats Python integers as constants, but not
        NumPy's integers or sums of integers."""
        given = [*call.args, *(variable for _, variable in call.kws)]
        known = value_of(self.func_ir, given[0], fold) if len(given) == 1 else UNKNOWN
        if not _is_integer(known) or {name for name, _ in call.kws} - {"dim", "ndim"}:
            return False
        call.args, call.kws = [self._variable(known, call.loc)], ()
        return True

    def _fold_attribute(self) -> bool:
        value = value_of(self.func_ir, self.statement.target)
        if isinstance(value, Query):
            self._define(self.statement.target, self._query(value))
            return True
        if self.statement.value.attr == "dimensions":
            value = getattr(self.func_ir.func_id.func, DIMENSIONS, UNKNOWN)
        elif not isinstance(value, scope.ENUMERATIONS):
            return self._name_numpys(value)
        if value is UNKNOWN:
            return False
        self._define(self.statement.target, numba_ir.Const(int(value), self.statement.loc))
        return True

    def _name_numpys(self, value) -> bool:
        """Replaces hither's and dpnp's element-wise functions by NumPy's, which take numbers."""
        if not (getattr(value, "__module__", None) or "").startswith(_ELEMENTWISE):
            return False
        name = getattr(value, "__name__", None)
        ufunc = getattr(numpy, name, None) if isinstance(name, str) else None
        if not isinstance(ufunc, numpy.ufunc):
            return False
        self._define(self.statement.target, numba_ir.Global(name, ufunc, self.statement.loc))
        return True

    def _name_attribute(self, call) -> bool:
        """Replaces getattr(x, name), where the name is a closure variable, by x.name. Numba needs
        the name in its IR."""
        name = value_of(self.func_ir, call.args[1]) if len(call.args) == 2 else None
        if not isinstance(name, str):
            return False
        self._define(
            self.statement.target, numba_ir.Expr.getattr(call.args[0], name, self.statement.loc)
        )
        return True

    def _query(self, query):
        loc = self.statement.loc
        function = self._assign(numba_ir.Global("query", query.function, loc), loc)
        return numba_ir.Expr.call(function, [self._variable(query.dim, loc)], (), loc)

    def _define(self, variable, value):
        self.func_ir._definitions[variable.name] = [value]
        self.statement.value = value

    def _bind(self, call, function, constants) -> bool:
        if call.vararg is not None:
            return False
        signature = inspect.signature(function)
        try:
            bound = signature.bind(*call.args, **dict(call.kws))
        except TypeError as error:
            name = _name_of(function)
            text = f"{name}: {error}; the call is {name}({', '.join(signature.parameters)})"
            raise errors.TypingError(text, loc=call.loc) from None
        bound.apply_defaults()
        call.args = [
            self._argument(function, name, value, constants.get(name), call.loc)
            for name, value in bound.arguments.items()
        ]
        call.kws = ()
        return True

    def _argument(self, function, name, value, convert, loc):
        if isinstance(value, numba_ir.Var):
            if convert is None:
                return value
            known = value_of(self.func_ir, value, fold)
            if known is UNKNOWN and convert is _dtype:
                return value  # the dtype attribute of an array, which type inference knows
            if known is UNKNOWN:
                raise errors.TypingError(_not_constant(function, name), loc=loc)
            value = known
        if convert is None:
            return self._assign(numba_ir.Global("default", value, loc), loc)
        try:
            value = convert(value)
        except (ValueError, TypeError) as error:
            raise errors.TypingError(f"{_name_of(function)}: {name}: {error}", loc=loc) from None
        return self._variable(value, loc)

    def _variable(self, value, loc):
        if isinstance(value, tuple):
            parts = [self._variable(part, loc) for part in value]
            return self._assign(numba_ir.Expr.build_tuple(parts, loc), loc)
        if isinstance(value, numpy.dtype):
            return self._assign(numba_ir.Global("dtype", value, loc), loc)
        return self._assign(numba_ir.Const(int(value), loc), loc)

    def _assign(self, value, loc):
        scope_of = self.statement.target.scope
        variable = scope_of.redefine("$hither", loc)
        self.func_ir._definitions[variable.name] = [value]
        self.before.append(numba_ir.Assign(value, variable, loc))
        return variable


def _not_constant(function, name) -> str:
    text = f"{_name_of(function)}: {name} must be a constant"
    if function is local.array and name == "shape":
        text += "; pass a hither.LocalAccessor for a size that the launch decides"
    return text


def _name_of(function) -> str:
    module = function.__module__.rpartition(".")[2]
    return f"{module}.{function.__name__}" if function.__name__ == "array" else function.__name__


def _fold_item(func_ir, expression):
    owner = value_of(func_ir, expression.value, fold)
    index = expression.index
    if isinstance(index, numba_ir.Var):
        index = value_of(func_ir, index, fold)
    if isinstance(owner, tuple) and _is_integer(index) and -len(owner) <= index < len(owner):
        return owner[index]
    return UNKNOWN


def fold(func_ir, expression):
    """The value of an expression of constants. UNKNOWN also where Python's operator raises, for
    example divisions by zero, and for numbers far beyond 64 bits."""
    if expression.op == "binop" and expression.fn in _BINARY:
        parts = [value_of(func_ir, v, fold) for v in (expression.lhs, expression.rhs)]
        if UNKNOWN in parts or (expression.fn in _GROWING and parts[1] > 64):
            return UNKNOWN
        try:
            return expression.fn(*parts)
        except (ArithmeticError, ValueError, TypeError):
            return UNKNOWN
    if expression.op == "unary":
        value = value_of(func_ir, expression.value, fold)
        return UNKNOWN if value is UNKNOWN else expression.fn(value)
    if expression.op in ("getitem", "static_getitem"):
        return _fold_item(func_ir, expression)
    if expression.op == "build_tuple":
        parts = [value_of(func_ir, item, fold) for item in expression.items]
        return UNKNOWN if UNKNOWN in parts else tuple(parts)
    return UNKNOWN
