"""Work-item functions, and the methods of items, as calls of `hither.*`."""

from __future__ import annotations

from typing import Any

from ..language import cuda_names, work_item
from .numba_adapter import (
    cgutils,
    errors,
    intrinsic,
    ir,
    models,
    overload_method,
    register_model,
    types,
)
from .target import TARGET

_i64, _i32 = ir.IntType(64), ir.IntType(32)
_LARGEST = {_i64: (1 << 63) - 1, _i32: (1 << 31) - 1}


def _dimension(dim) -> int:
    if not isinstance(dim, types.IntegerLiteral):
        raise errors.RequireLiteralValue("the dimension of a work-item function must be a constant")
    if not 0 <= dim.literal_value <= 2:
        raise errors.TypingError(
            f"dimension {dim.literal_value} does not exist: a range has dimensions 0 to 2"
        )
    return dim.literal_value


def call_builtin(builder, symbol, result, arguments, smallest):
    """Calls the builtin `symbol`, whose result is at least `smallest`."""
    callee = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(result, [a.type for a in arguments]), symbol
    )
    value = builder.call(callee, arguments)
    # Index wraparound (`i + n if i < 0 else i`) folds away on values that cannot be negative.
    limits = builder.module.add_metadata([result(smallest), result(_LARGEST[result])])
    value.set_metadata("range", limits)
    return value


def _query(symbol: str, smallest: int):
    @intrinsic(target=TARGET, prefer_literal=True)
    def function(typing_context, dim):
        number = _dimension(dim)

        def lower(context, builder, signature, arguments):
            return call_builtin(builder, symbol, _i64, [_i32(number)], smallest)

        return types.intp(dim), lower

    return function


def _sub_group_query(symbol: str, smallest: int):
    @intrinsic(target=TARGET)
    def function(typing_context):
        def lower(context, builder, signature, arguments):
            return builder.zext(call_builtin(builder, symbol, _i32, [], smallest), _i64)

        return types.intp(), lower

    return function


global_id = _query("hither.global_id", 0)
global_size = _query("hither.global_size", 1)
local_id = _query("hither.local_id", 0)
local_size = _query("hither.local_size", 1)
group_id = _query("hither.group_id", 0)
num_groups = _query("hither.num_groups", 1)
sub_group_size = _sub_group_query("hither.sub_group_size", 1)
sub_group_local_id = _sub_group_query("hither.sub_group_local_id", 0)
sub_group_id = _sub_group_query("hither.sub_group_id", 0)
num_sub_groups = _sub_group_query("hither.num_sub_groups", 1)


def _linear(index: str, extent: str):
    """The row-major index computed from three indices and extents."""

    @intrinsic(target=TARGET)
    def function(typing_context):
        def lower(context, builder, signature, arguments):
            value = call_builtin(builder, index, _i64, [_i32(0)], 0)
            for dim in (1, 2):
                step = call_builtin(builder, extent, _i64, [_i32(dim)], 1)
                inner = call_builtin(builder, index, _i64, [_i32(dim)], 0)
                value = builder.add(builder.mul(value, step, flags=["nsw"]), inner, flags=["nsw"])
            return value

        return types.intp(), lower

    return function


def _product(extent: str):
    @intrinsic(target=TARGET)
    def function(typing_context):
        def lower(context, builder, signature, arguments):
            value = call_builtin(builder, extent, _i64, [_i32(0)], 1)
            for dim in (1, 2):
                factor = call_builtin(builder, extent, _i64, [_i32(dim)], 1)
                value = builder.mul(value, factor, flags=["nsw"])
            return value

        return types.intp(), lower

    return function


global_linear_id = _linear("hither.global_id", "hither.global_size")
local_linear_id = _linear("hither.local_id", "hither.local_size")
group_linear_id = _linear("hither.group_id", "hither.num_groups")
global_linear_size = _product("hither.global_size")
local_linear_size = _product("hither.local_size")
group_linear_size = _product("hither.num_groups")


class ItemType(types.Opaque):
    """Numba's type of a work_item.Item, NdItem, Group or SubGroup, which have no data."""

    def __init__(self, kind: type):
        self.kind = kind
        super().__init__(f"hither.{kind.__name__}")


class _Item(ItemType):
    pass


class _NdItem(ItemType):
    pass


class _Group(ItemType):
    pass


class _SubGroup(ItemType):
    pass


ITEM_TYPES: dict[Any, ItemType] = {
    work_item.Item: _Item(work_item.Item),
    work_item.NdItem: _NdItem(work_item.NdItem),
    work_item.Group: _Group(work_item.Group),
    work_item.SubGroup: _SubGroup(work_item.SubGroup),
}
for _type in ITEM_TYPES.values():
    register_model(type(_type))(models.OpaqueModel)


def _make(kind: type):
    @intrinsic(target=TARGET)
    def function(typing_context):
        def lower(context, builder, signature, arguments):
            return context.get_dummy_value()

        return ITEM_TYPES[kind](), lower

    return function


group = _make(work_item.Group)
sub_group = _make(work_item.SubGroup)


def _of_dimension(item_type, name, query):
    @overload_method(item_type, name, target=TARGET, prefer_literal=True)
    def method(item, dim):
        return lambda item, dim: query(dim)


def _of_item(item_type, name, query):
    @overload_method(item_type, name, target=TARGET)
    def method(item):
        return lambda item: query()


_WITH_DIMENSION = {
    (_Item, "get_id"): global_id,
    (_Item, "get_range"): global_size,
    (_NdItem, "get_global_id"): global_id,
    (_NdItem, "get_global_range"): global_size,
    (_NdItem, "get_local_id"): local_id,
    (_NdItem, "get_local_range"): local_size,
    (_NdItem, "get_group_range"): num_groups,
    (_Group, "get_group_id"): group_id,
    (_Group, "get_group_range"): num_groups,
    (_Group, "get_local_id"): local_id,
    (_Group, "get_local_range"): local_size,
}
_WITHOUT = {
    (_Item, "get_linear_id"): global_linear_id,
    (_Item, "get_linear_range"): global_linear_size,
    (_NdItem, "get_global_linear_id"): global_linear_id,
    (_NdItem, "get_global_linear_range"): global_linear_size,
    (_NdItem, "get_local_linear_id"): local_linear_id,
    (_NdItem, "get_local_linear_range"): local_linear_size,
    (_NdItem, "get_group_linear_id"): group_linear_id,
    (_NdItem, "get_group"): group,
    (_NdItem, "get_sub_group"): sub_group,
    (_Group, "get_group_linear_id"): group_linear_id,
    (_Group, "get_group_linear_range"): group_linear_size,
    (_Group, "get_local_linear_id"): local_linear_id,
    (_Group, "get_local_linear_range"): local_linear_size,
    (_SubGroup, "get_local_id"): sub_group_local_id,
    (_SubGroup, "get_local_range"): sub_group_size,
    (_SubGroup, "get_group_id"): sub_group_id,
    (_SubGroup, "get_group_range"): num_sub_groups,
}
for (_class, _name), _function in _WITH_DIMENSION.items():
    _of_dimension(_class, _name, _function)
for (_class, _name), _function in _WITHOUT.items():
    _of_item(_class, _name, _function)


@overload_method(_Group, "leader", target=TARGET)
def _group_leader(item):
    return lambda item: local_linear_id() == 0


@overload_method(_SubGroup, "leader", target=TARGET)
def _sub_group_leader(item):
    return lambda item: sub_group_local_id() == 0


def _grid(name, query):
    @intrinsic(target=TARGET, prefer_literal=True)
    def function(typing_context, ndim):
        count = getattr(ndim, "literal_value", None)
        if count not in (1, 2, 3):
            raise errors.RequireLiteralValue(f"{name} takes the constant 1, 2 or 3")

        def lower(context, builder, signature, arguments):
            values = [
                call_builtin(builder, query, _i64, [_i32(dim)], 0) for dim in (2, 1, 0)[:count]
            ]
            if count == 1:
                return values[0]
            return context.make_tuple(builder, signature.return_type, values)

        result = types.intp if count == 1 else types.UniTuple(types.intp, count)
        return result(ndim), lower

    return function


REPLACEMENTS = {
    cuda_names.grid: _grid("grid", "hither.global_id"),
    cuda_names.gridsize: _grid("gridsize", "hither.global_size"),
    work_item.get_global_id: global_id,
    work_item.get_global_size: global_size,
    work_item.get_local_id: local_id,
    work_item.get_local_size: local_size,
    work_item.get_group_id: group_id,
    work_item.get_num_groups: num_groups,
    work_item.get_global_linear_id: global_linear_id,
    work_item.get_local_linear_id: local_linear_id,
    work_item.get_group_linear_id: group_linear_id,
    work_item.get_sub_group_size: sub_group_size,
    work_item.get_sub_group_id: sub_group_id,
    work_item.get_sub_group_local_id: sub_group_local_id,
    work_item.get_num_sub_groups: num_sub_groups,
    work_item.get_group: group,
    work_item.get_sub_group: sub_group,
}
