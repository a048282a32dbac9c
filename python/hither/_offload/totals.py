"""Emits the kernels that combine the results of the groups of a parfor's reductions.

Up to FEWEST_GROUPS results are combined in order, more of them cyclically in LANES partial results
and those pairwise. The results of arrays are combined in order.
"""

from __future__ import annotations

from .numba_adapter import cgutils, ir
from .schedule import FEWEST_GROUPS, LANES, Entry, load_result, store_result

# On a GPU, where each load takes long, a work-item loads this many results before it uses them.
LOADS_AT_ONCE = 32
_i64 = ir.IntType(64)


def emit_gather(entry: Entry) -> str:
    """The entry that combines the results of more than FEWEST_GROUPS groups cyclically, on GPUs.
    Each of LANES work-items writes to a place that no other group's result uses."""
    builder, lane = entry.builder, entry.global_id(0)
    for reduction in entry.scalars:
        address = entry.partials[reduction.name]
        first = builder.mul(lane, _i64(LANES))
        so_far = cgutils.alloca_once_value(
            builder, load_result(entry, reduction.type, address, first)
        )
        rest = builder.sub(builder.add(entry.groups, _i64(LANES - 1)), lane)
        count = builder.sub(builder.udiv(rest, _i64(LANES)), _i64(1))

        def join(begin, many, reduction=reduction, so_far=so_far):
            others = []
            for n in range(many):
                row = builder.mul(builder.add(begin, _i64(n + 1)), _i64(LANES))
                group = builder.add(lane, row)
                place = builder.mul(group, _i64(LANES))
                address = entry.partials[reduction.name]
                others.append(load_result(entry, reduction.type, address, place))
            for other in others:
                value = entry.call(reduction.combine, [builder.load(so_far), other])
                builder.store(value, so_far)

        _in_blocks(builder, count, LOADS_AT_ONCE, join)
        place = builder.add(first, _i64(1))
        store_result(entry, reduction, address, place, builder.load(so_far))
    return entry.text()


def _in_blocks(builder, count, many, emit):
    """Emits `count` iterations, `many` at once where that many are left."""
    whole = builder.udiv(count, _i64(many))
    with cgutils.for_range(builder, whole) as loop:
        emit(builder.mul(loop.index, _i64(many)), many)
    done = builder.mul(whole, _i64(many))
    with cgutils.for_range(builder, builder.sub(count, done)) as loop:
        emit(builder.add(done, loop.index), 1)


def emit_total(entry: Entry, lanes: int) -> str:
    """The entry that combines the groups' results. The first work-item combines numbers (on GPUs
    emit_gather() has computed the partial results of many groups); each work-item combines one
    element of every array. A group has memory for the results of `lanes` lanes; its result is the
    first."""
    builder = entry.builder
    item = entry.global_id(0)
    with builder.if_then(builder.icmp_signed("==", item, _i64(0))):
        for reduction in entry.scalars:
            total = cgutils.alloca_once_value(builder, entry.first[reduction.name])
            few = builder.icmp_signed("<=", entry.groups, _i64(FEWEST_GROUPS))
            with builder.if_else(few) as (in_order, in_lanes):
                with in_order:
                    _join_in_order(entry, reduction, lanes, total)
                with in_lanes:
                    _join_in_lanes(entry, reduction, lanes, total)
            store_result(
                entry, reduction, entry.results[reduction.name], _i64(0), builder.load(total)
            )
    for reduction in entry.reductions:
        if reduction.is_array:
            _join_elements(entry, reduction, item)
    return entry.text()


def _join_in_order(entry, reduction, lanes, total):
    builder, address = entry.builder, entry.partials[reduction.name]

    def join(first, count):
        places = [builder.mul(builder.add(first, _i64(n)), _i64(lanes)) for n in range(count)]
        for other in [load_result(entry, reduction.type, address, place) for place in places]:
            builder.store(entry.call(reduction.combine, [builder.load(total), other]), total)

    _in_blocks(builder, entry.groups, LOADS_AT_ONCE if lanes > 1 else 1, join)


def _join_in_lanes(entry, reduction, lanes, total):
    builder, address = entry.builder, entry.partials[reduction.name]
    results = cgutils.alloca_once(
        builder, ir.ArrayType(entry.context.get_value_type(reduction.type), LANES)
    )

    def of_lane(lane):
        return builder.gep(results, [_i64(0), lane], inbounds=True)

    def join(lane, other):
        value = entry.call(reduction.combine, [builder.load(of_lane(lane)), other])
        builder.store(value, of_lane(lane))

    with cgutils.for_range(builder, _i64(LANES)) as loop:
        place = loop.index
        if lanes > 1:
            place = builder.add(builder.mul(place, _i64(lanes)), _i64(1))
        builder.store(load_result(entry, reduction.type, address, place), of_lane(loop.index))
    if lanes == 1:
        with cgutils.for_range(builder, builder.sub(entry.groups, _i64(LANES))) as loop:
            group = builder.add(loop.index, _i64(LANES))
            lane = builder.and_(loop.index, _i64(LANES - 1))
            join(lane, load_result(entry, reduction.type, address, group))
    width = LANES // 2
    while width:
        with cgutils.for_range(builder, _i64(width)) as loop:
            join(loop.index, builder.load(of_lane(builder.add(loop.index, _i64(width)))))
        width //= 2
    found = builder.load(of_lane(_i64(0)))
    builder.store(entry.call(reduction.combine, [builder.load(total), found]), total)


def _join_elements(entry, reduction, item):
    """Combines one element into the program's array, in place."""
    builder, context = entry.builder, entry.context
    whole = context.make_array(reduction.type)(context, builder, entry.values[reduction.argument])
    element = reduction.type.dtype
    with builder.if_then(builder.icmp_signed("<", item, whole.nitems)):
        shape = cgutils.unpack_tuple(builder, whole.shape)
        is_fortran = reduction.type.layout == "F"  # the order of the partial arrays, too
        indices = entry.unravel(item, shape[::-1] if is_fortran else shape)
        indices = indices[::-1] if is_fortran else indices
        place = cgutils.get_item_pointer(context, builder, reduction.type, whole, indices)
        model = context.data_model_manager[element]
        total = cgutils.alloca_once_value(builder, model.from_data(builder, builder.load(place)))
        with cgutils.for_range(builder, entry.groups) as loop:
            index = builder.add(builder.mul(loop.index, whole.nitems), item)
            other = load_result(entry, element, entry.partials[reduction.name], index)
            joined = entry.call(reduction.combine, [builder.load(total), other])
            builder.store(joined, total)
        builder.store(model.as_data(builder, builder.load(total)), place)
