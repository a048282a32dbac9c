"""Barriers, fences and group functions as calls of `hither.*`."""

from __future__ import annotations

from ..language import group_function as functions
from ..language.scope import MemFence, MemoryOrder, MemoryScope
from ..language.work_item import Group, SubGroup
from .bind_calls import OPERATIONS
from .call_convention import set_line
from .lower_atomic import SCOPES
from .lower_work_item import ItemType
from .numba_adapter import cgutils, errors, intrinsic, ir, types
from .target import TARGET

_i8, _i32 = ir.IntType(8), ir.IntType(32)
_void = ir.VoidType()
_BOTH = int(MemFence.LOCAL | MemFence.GLOBAL)
_FENCE_ORDERS = {
    MemoryOrder.ACQUIRE: "acquire",
    MemoryOrder.RELEASE: "release",
    MemoryOrder.ACQ_REL: "acq_rel",
    MemoryOrder.SEQ_CST: "seq_cst",
}


def _call(builder, symbol, result, *arguments):
    callee = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [a.type for a in arguments]), symbol
    )
    callee.attributes.add("convergent")
    call = builder.call(callee, arguments)
    set_line(call)
    return call


def _prefix(name, group) -> str:
    if not isinstance(group, ItemType) or group.kind not in (Group, SubGroup):
        raise errors.TypingError(
            f"{name} takes a group (item.get_group(), item.get_sub_group()), not {group}"
        )
    return "hither.group" if group.kind is Group else "hither.sub_group"


def _element(name, x):
    """Numba's type of the values, and its suffix in the names of hither.* functions."""
    x = types.unliteral(x)
    if isinstance(x, types.Boolean):
        return types.uint8, "u8"
    if isinstance(x, types.Integer):
        return x, f"{'i' if x.signed else 'u'}{x.bitwidth}"
    if isinstance(x, types.Float):
        return x, f"f{x.bitwidth}"
    raise errors.TypingError(f"{name} works on booleans, integers and floats, not on {x}")


def call_barrier(builder, fence: int) -> None:
    """Work-items of the group wait for each other. `fence`: one or both of MemFence."""
    _call(builder, "hither.barrier", _void, _i32(int(fence)))


@intrinsic(target=TARGET, prefer_literal=True)
def _barrier(typing_context, fence):
    if not 0 <= fence.literal_value <= _BOTH:
        raise errors.TypingError("barrier takes a hither.MemFence, or two of them combined by |")

    def lower(context, builder, signature, arguments):
        call_barrier(builder, fence.literal_value)
        return context.get_dummy_value()

    return types.none(fence), lower


@intrinsic(target=TARGET, prefer_literal=True)
def _group_barrier(typing_context, group, fence_scope):
    symbol = _prefix("group_barrier", group) + "_barrier"
    if symbol == "hither.group_barrier":
        symbol = "hither.barrier"

    def lower(context, builder, signature, arguments):
        _call(builder, symbol, _void, _i32(_BOTH))
        return context.get_dummy_value()

    return types.none(group, fence_scope), lower


@intrinsic(target=TARGET, prefer_literal=True)
def _mem_fence(typing_context, fence):
    def lower(context, builder, signature, arguments):
        builder.fence("acq_rel", SCOPES[MemoryScope.WORK_GROUP])
        return context.get_dummy_value()

    return types.none(fence), lower


@intrinsic(target=TARGET, prefer_literal=True)
def _atomic_fence(typing_context, memory_order, memory_scope):
    order, scope = memory_order.literal_value, memory_scope.literal_value
    if order not in set(MemoryOrder) or scope not in set(MemoryScope):
        raise errors.TypingError("atomic_fence takes a hither.MemoryOrder and a hither.MemoryScope")

    def lower(context, builder, signature, arguments):
        if order in _FENCE_ORDERS:  # a relaxed fence has no effect
            builder.fence(_FENCE_ORDERS[order], SCOPES[scope] or None)
        return context.get_dummy_value()

    return types.none(memory_order, memory_scope), lower


def _combining(function, middle):
    @intrinsic(target=TARGET, prefer_literal=True)
    def combine(typing_context, group, x, op):
        if not isinstance(op, types.IntegerLiteral):
            return None
        prefix, operation = _prefix(function, group), OPERATIONS[op.literal_value]
        element, name = _element(function, x)
        if isinstance(element, types.Float) and operation in ("and", "or", "xor"):
            raise errors.TypingError(f"{function} with {operation!r} works on integers, not {x}")

        def lower(context, builder, signature, arguments):
            symbol = f"{prefix}_{middle}.{operation}.{name}"
            value = arguments[1]
            return _call(builder, symbol, value.type, value)

        return element(group, element, op), lower

    return combine


def _moving(function, middle, only_sub_groups):
    @intrinsic(target=TARGET)
    def move(typing_context, group, x, item):
        prefix = _prefix(function, group)
        if only_sub_groups and prefix != "hither.sub_group":
            raise errors.TypingError(f"{function} works in a sub-group: item.get_sub_group()")
        if not isinstance(item, types.Integer):
            raise errors.TypingError(f"{function} takes an integer, not {item}")
        element, name = _element(function, x)

        def lower(context, builder, signature, arguments):
            value, place = arguments[1:]
            symbol = f"{prefix}_{middle}.{name}"
            return _call(builder, symbol, value.type, value, place)

        return element(group, element, types.int32), lower

    return move


def _voting(function, middle, negate):
    @intrinsic(target=TARGET)
    def vote(typing_context, group, condition):
        prefix = _prefix(function, group)

        def lower(context, builder, signature, arguments):
            holds = builder.zext(arguments[1], _i8)
            found = _call(builder, f"{prefix}_{middle}", _i8, holds)
            return builder.icmp_unsigned("==" if negate else "!=", found, _i8(0))

        return types.boolean(group, types.boolean), lower

    return vote


REPLACEMENTS = {
    functions.barrier: _barrier,
    functions.group_barrier: _group_barrier,
    functions.mem_fence: _mem_fence,
    functions.atomic_fence: _atomic_fence,
    functions.group_reduce: _combining("group_reduce", "reduce"),
    functions.group_inclusive_scan: _combining("group_inclusive_scan", "inclusive_scan"),
    functions.group_exclusive_scan: _combining("group_exclusive_scan", "exclusive_scan"),
    functions.group_broadcast: _moving("group_broadcast", "broadcast", False),
    functions.group_any_of: _voting("group_any_of", "any_of", False),
    functions.group_all_of: _voting("group_all_of", "all_of", False),
    functions.group_none_of: _voting("group_none_of", "any_of", True),
    functions.shuffle: _moving("shuffle", "shuffle", True),
    functions.shuffle_xor: _moving("shuffle_xor", "shuffle_xor", True),
    functions.shuffle_up: _moving("shuffle_up", "shuffle_up", True),
    functions.shuffle_down: _moving("shuffle_down", "shuffle_down", True),
}
