"""Work-item functions as calls of `hither.*`."""

from __future__ import annotations

from . import work_item
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
_LARGEST = (1 << 63) - 1


def _dimension(dim) -> int:
    if not isinstance(dim, types.IntegerLiteral):
        raise errors.RequireLiteralValue("the dimension of a work-item function must be a constant")
    if not 0 <= dim.literal_value <= 2:
        raise errors.TypingError(
            f"a range has dimensions 0 to 2, and {dim.literal_value} was asked for"
        )
    return dim.literal_value


def _query(symbol: str, smallest: int):
    @intrinsic(target=TARGET, prefer_literal=True)
    def function(typing_context, dim):
        number = _dimension(dim)

        def lower(context, builder, signature, arguments):
            callee = cgutils.get_or_insert_function(
                builder.module, ir.FunctionType(_i64, [_i32]), symbol
            )
            value = builder.call(callee, [_i32(number)])
            # Index wraparound (`i + n if i < 0 else i`) folds away on values that cannot be
            # negative.
            limits = builder.module.add_metadata([_i64(smallest), _i64(_LARGEST)])
            value.set_metadata("range", limits)
            return value

        return types.intp(dim), lower

    return function


global_id = _query("hither.global_id", 0)
global_size = _query("hither.global_size", 1)

REPLACEMENTS = {work_item.get_global_id: global_id, work_item.get_global_size: global_size}


class ItemType(types.Opaque):
    """Numba's type of a work_item.Item."""

    def __init__(self):
        super().__init__("hither.Item")


item_type = ItemType()
register_model(ItemType)(models.OpaqueModel)


@overload_method(ItemType, "get_id", target=TARGET, prefer_literal=True)
def _item_get_id(item, dim):
    return lambda item, dim: global_id(dim)


@overload_method(ItemType, "get_range", target=TARGET, prefer_literal=True)
def _item_get_range(item, dim):
    return lambda item, dim: global_size(dim)


@overload_method(ItemType, "get_linear_id", target=TARGET)
def _item_get_linear_id(item):
    def linear(item):
        rows = global_id(0) * global_size(1) + global_id(1)
        return rows * global_size(2) + global_id(2)

    return linear
