"""Emits the kernels that combine the results of the groups of a parfor's reductions.

Up to FEWEST_GROUPS results are combined in order, more of them cyclically in LANES partial results
and those pairwise. The results of arrays are combined in order. A single group has updated them in
place.
"""

from __future__ import annotations

from .numba_adapter import cgutils, ir
from .schedule import FEWEST_GROUPS, LANES, Entry, join_in_tree, load_result, store_result

# On a GPU, where each load takes long, a work-item loads this many results before it uses them.
LOADS_AT_ONCE = 32
_i64 = ir.IntType(64)


def _in_blocks(builder, count, many, emit):
    """Emits `count` iterations, `many` at once where that many are left."""
    whole = builder.udiv(count, _i64(many))
    with cgutils.for_range(builder, whole) as loop:
        emit(builder.mul(loop.index, _i64(many)), many)
    done = builder.mul(whole, _i64(many))
    with cgutils.for_range(builder, builder.sub(count, done)) as loop:
        emit(builder.add(done, loop.index), 1)


def emit_total(entry: Entry) -> str:
    """The entry that combines the groups' results. The first work-item combines numbers; each
    work-item combines one element of every array."""
    builder = entry.builder
    item = entry.global_id(0)
    with builder.if_then(builder.icmp_signed("==", item, _i64(0))):
        for reduction in entry.scalars:
            with _few_or_many(entry) as (few, many):
                with few:
                    _join_in_order(entry, reduction, 1)
                with many:
                    _join_in_lanes(entry, reduction)
    for reduction in entry.reductions:
        if reduction.is_array:
            _join_elements(entry, reduction, item)
    return entry.text()


def emit_total_of_lanes(entry: Entry) -> str:
    """The same for GPUs, with one work-group of LANES work-items; there are no arrays."""
    builder, lane = entry.builder, entry.global_id(1)
    entry.global_id(0)  # the range has two dimensions, as that of the groups
    is_first = builder.icmp_signed("==", lane, _i64(0))
    for reduction in entry.scalars:
        with _few_or_many(entry) as (few, many):
            with few, builder.if_then(is_first):
                _join_in_order(entry, reduction, LOADS_AT_ONCE)
            with many:
                found = join_in_tree(entry, reduction, _of_lane(entry, reduction, lane), 1)
                with builder.if_then(is_first):
                    first = entry.first[reduction.name]
                    _store(entry, reduction, entry.call(reduction.combine, [first, found]))
    return entry.text()


def _few_or_many(entry):
    return entry.builder.if_else(entry.builder.icmp_signed("<=", entry.groups, _i64(FEWEST_GROUPS)))


def _store(entry, reduction, value):
    store_result(entry, reduction, entry.results[reduction.name], _i64(0), value)


def _of_lane(entry, reduction, lane):
    """The combined results of every LANES-th group, from the lane's own one on."""
    builder, address = entry.builder, entry.partials[reduction.name]
    so_far = cgutils.alloca_once_value(builder, load_result(entry, reduction.type, address, lane))
    rest = builder.sub(builder.add(entry.groups, _i64(LANES - 1)), lane)
    count = builder.sub(builder.udiv(rest, _i64(LANES)), _i64(1))

    def join(begin, many):
        rows = [builder.mul(builder.add(begin, _i64(n + 1)), _i64(LANES)) for n in range(many)]
        places = [builder.add(lane, row) for row in rows]
        for other in [load_result(entry, reduction.type, address, place) for place in places]:
            value = entry.call(reduction.combine, [builder.load(so_far), other])
            builder.store(value, so_far)

    _in_blocks(builder, count, LOADS_AT_ONCE, join)
    return builder.load(so_far)


def _join_in_order(entry, reduction, loads):
    builder, address = entry.builder, entry.partials[reduction.name]
    total = cgutils.alloca_once_value(builder, entry.first[reduction.name])

    def join(first, count):
        places = [builder.add(first, _i64(n)) for n in range(count)]
        for other in [load_result(entry, reduction.type, address, place) for place in places]:
            builder.store(entry.call(reduction.combine, [builder.load(total), other]), total)

    _in_blocks(builder, entry.groups, loads, join)
    _store(entry, reduction, builder.load(total))


def _join_in_lanes(entry, reduction):
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
        found = load_result(entry, reduction.type, address, loop.index)
        builder.store(found, of_lane(loop.index))
    with cgutils.for_range(builder, builder.sub(entry.groups, _i64(LANES))) as loop:
        group = builder.add(loop.index, _i64(LANES))
        lane = builder.and_(loop.index, _i64(LANES - 1))
        join(lane, load_result(entry, reduction.type, address, group))
    width = LANES // 2
    while width:
        with cgutils.for_range(builder, _i64(width)) as loop:
            join(loop.index, builder.load(of_lane(builder.add(loop.index, _i64(width)))))
        width //= 2
    first = entry.first[reduction.name]
    found = builder.load(of_lane(_i64(0)))
    _store(entry, reduction, entry.call(reduction.combine, [first, found]))


def _join_elements(entry, reduction, item):
    """Combines one element into the program's array, in place."""
    builder, context = entry.builder, entry.context
    whole = context.make_array(reduction.type)(context, builder, entry.values[reduction.argument])
    element = reduction.type.dtype
    is_element = builder.icmp_signed("<", item, whole.nitems)
    needed = builder.and_(is_element, builder.not_(entry.is_in_place(reduction, whole)))
    with builder.if_then(needed):
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
