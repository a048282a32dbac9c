"""Determines the regions whose results may stay on the device: those after which the host accesses
no array before the next region.

Results are copied back before host code handles an exception. Arrays whose memory may be freed
before the next region are always copied back (see outlives).
"""

from __future__ import annotations

from .numba_adapter import Parfor, numba_ir, types

# Attributes of arrays that do not depend on the elements.
SHAPES = frozenset("shape size ndim strides itemsize nbytes dtype".split())
_PARTS = ("getitem", "static_getitem", "getattr", "cast", "exhaust_iter")
_SCALARS = (types.Number, types.Boolean, types.NoneType, types.UnicodeType, types.StringLiteral,
            types.DTypeSpec, types.Function, types.Module)  # fmt: skip


def mark_what_stays(block, typemap) -> None:
    """Sets `keep` of the region lowerers of the parfors in a block."""
    latest = None
    for statement in block.body:
        if isinstance(statement, Parfor):
            if latest is not None and _leaves_arrays_alone(statement.init_block.body, typemap):
                latest.lowerer.keep = statement.lowerer is not None
            latest = statement if statement.lowerer is not None else None
        elif latest is not None and not _leaves_arrays_alone([statement], typemap):
            latest = None


def _leaves_arrays_alone(statements, typemap) -> bool:
    return all(_is_harmless(statement, typemap) for statement in statements)


def _is_harmless(statement, typemap) -> bool:
    if isinstance(statement, numba_ir.Del):
        return True
    if isinstance(statement, numba_ir.Print):
        return all(is_scalar(typemap[v.name]) for v in statement.list_vars())
    if not isinstance(statement, numba_ir.Assign):
        return False
    value = statement.value
    if not isinstance(value, numba_ir.Expr):
        return True
    if value.op == "getattr":
        return value.attr in SHAPES or isinstance(typemap[value.value.name], types.Module)
    if value.op in ("static_getitem", "exhaust_iter", "build_tuple", "cast"):
        owner = value._kws.get("value")
        return owner is None or not isinstance(typemap[owner.name], types.Array)
    return all(is_scalar(typemap[v.name]) for v in value.list_vars())


def outlives(name, func_ir) -> bool:
    """Whether the caller of the function keeps the array's memory alive: the array is an argument
    or a part of one."""
    value = func_ir._definitions.get(name)
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
        if isinstance(value, numba_ir.Expr) and value.op in _PARTS:
            value = value.value
        if isinstance(value, numba_ir.Var):
            value = func_ir._definitions.get(value.name)
    return isinstance(value, numba_ir.Arg)


def is_scalar(numba_type) -> bool:
    if isinstance(numba_type, types.BaseTuple):
        return all(is_scalar(item) for item in numba_type)
    return isinstance(numba_type, _SCALARS)
