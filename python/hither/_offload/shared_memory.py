"""Prevents Numba's parallel passes from removing writes to aliased arrays.

These passes remove writes to an array without later uses, and recognise only aliases made by
indexing, `.T` and a few functions. They would remove the loop in
`y = np.flip(x); y[:] = 1; return x`, or a loop after `t = (x, 0)`, `d = instance.data` or
`y = f(x)`. While an OffloadDispatcher compiles, variables that may share memory are treated as
arguments, whose writes are always kept.
"""

from __future__ import annotations

import numpy as np

from .compilation import current
from .host_access import SHAPES, is_scalar
from .numba_adapter import alias_analysis_extensions, numba_ir, types

# Methods and NumPy functions that can return their argument or a view of it.
_VIEWS = frozenset(
    "array_split asanyarray asarray ascontiguousarray asfortranarray atleast_1d atleast_2d "
    "atleast_3d broadcast_arrays broadcast_to diag diagonal dsplit expand_dims flip fliplr flipud "
    "hsplit imag moveaxis ndenumerate nditer ravel real require reshape rollaxis rot90 split "
    "squeeze swapaxes transpose view vsplit".split()
)
_KNOWN = ("binop", "unary", "inplace_binop", "arrayexpr", "cast", "null")
_NOT_MEMORY = (types.Callable, types.RangeType, types.SliceType, types.Dummy)


def _visit(statement, args, typemap, func_ir, alias_map, arg_aliases):
    """Numba's extension point, called for each statement before Numba's rules."""
    if current.get() is None or typemap is None or not isinstance(arg_aliases, set):
        return  # plain Numba, or a caller other than dead code elimination
    found = {v.name for v in sharing(statement, typemap) if is_memory(typemap.get(v.name))}
    if len(found) < 2:
        return
    left = list(found)
    while left:
        others = alias_map.get(left.pop(), set()) - found
        found |= others
        left += others
    arg_aliases |= found


def sharing(statement, typemap) -> list:
    """Variables that may share memory after the statement."""
    if not isinstance(statement, numba_ir.Assign):  # x[i] = y, x.a = y: arrays copy the value
        copies = isinstance(typemap.get(statement.target.name), types.Array)
        return [] if copies else statement.list_vars()
    value = statement.value
    if not isinstance(value, numba_ir.Expr) or value.op in _KNOWN:
        return []
    if value.op == "getattr" and value.attr in SHAPES:
        return []
    if value.op == "call" and _makes_memory(value, typemap.get(value.func.name)):
        return []
    return statement.list_vars()


def _makes_memory(call, function) -> bool:
    if isinstance(function, types.BoundFunction):
        name = str(function.typing_key).rpartition(".")[2]
        return isinstance(function.this, types.Array) and name not in _VIEWS
    if not isinstance(function, types.Function):
        return False
    called = function.typing_key
    module = getattr(called, "__module__", None) or type(called).__module__
    if module.partition(".")[0] not in ("numpy", "math", "cmath"):
        return False
    has_place = isinstance(called, np.ufunc) and len(call.args) + len(call.kws) > called.nin
    return not has_place and called.__name__ not in _VIEWS


def is_memory(numba_type) -> bool:
    if isinstance(numba_type, types.BoundFunction):
        # Of an array's methods only those that create an alias matter.
        return not isinstance(numba_type.this, types.Array) or not _makes_memory(None, numba_type)
    return (
        numba_type is not None
        and not is_scalar(numba_type)
        and not isinstance(numba_type, _NOT_MEMORY)
    )


def keep_what_is_shared() -> None:
    for kind in (numba_ir.Assign, numba_ir.SetItem, numba_ir.StaticSetItem, numba_ir.SetAttr):
        alias_analysis_extensions[kind] = _visit
