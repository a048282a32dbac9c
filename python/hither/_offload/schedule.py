"""Emits the entries of the kernels of a parfor, which map work-items to iterations.

A parfor without reductions has one work-item per iteration. A parfor with reductions is divided
into groups of consecutive iterations, one work-item per group, by a rule that depends only on the
number of iterations (Region::reduce). A group has LANES partial results, to which consecutive
iterations contribute cyclically, so that its loop is vectorised. It combines them pairwise. A
second kernel combines the results of the groups (see totals). The tree is fixed: a sum has the same
bits for any number of threads.

GPUs have one work-item for each partial result of a group instead, so that neighbours read
neighbouring elements. ROWS groups are a work-group, whose work-items combine their partial results
in local memory, in the same tree.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from .._kernel.language.scope import MemFence
from .._kernel.numba.entry import Parameters, argument_value, parameters_of
from .._kernel.numba.lower_array import array_of, local_memory
from .._kernel.numba.lower_group import call_barrier
from .._kernel.numba.lower_work_item import call_builtin
from .numba_adapter import cgutils, ir, types

LANES = 32
ROWS = 8  # kRows of offload_region.cpp
FEWEST_GROUPS = 64  # kFewestGroups of offload_region.cpp
_POINTER, _INT64 = 0, 4
_GLOBAL_SPACE = 1
_i8, _i64, _i32 = ir.IntType(8), ir.IntType(64), ir.IntType(32)


@dataclass
class Reduction:
    """A variable that iterations contribute to."""

    name: str
    type: object  # the type in the kernel: a number or an array
    identity: object  # the initial partial result; None: the variable's initial value
    combine: object  # compiled combine(value, other); for an array, of its elements
    argument: int = -1  # index of the array among the region's arguments

    @property
    def is_array(self) -> bool:
        return isinstance(self.type, types.Array)


class Entry:
    """Builder of the entry of one kernel of a region.

    All kernels of a region have the same parameters: extents of the loops, starts of the loops
    that do not start at 0, arguments, initial values of the reduction variables, and for reductions
    the length and number of groups and the addresses of partial and final results.
    """

    def __init__(
        self, context, name, dimensions, lowest, starts, arguments, reductions, draws_random, dense
    ):
        self.context, self.name = context, name
        self.dimensions = dimensions
        self.lowest = lowest  # for each loop: a lower bound of the indices, or None
        self.starts = starts  # positions of the loops that do not start at 0
        self.arguments = arguments
        self.reductions = reductions
        self.draws_random = draws_random
        self.dense = dense  # see argument_value
        self.scalars = [r for r in reductions if not r.is_array]
        self.module = ir.Module("entry")
        self.parameters = Parameters()
        for _ in range(dimensions + len(starts)):
            self.parameters.add(_i64, _INT64)
        given = parameters_of(context, [*arguments, *(r.type for r in self.scalars)])
        self.parameters.llvm += given.llvm
        self.parameters.codes += given.codes
        self.slots = slot_count(self.parameters.codes)
        if reductions:
            for _ in range(2):
                self.parameters.add(_i64, _INT64)
            for _ in range(2 * len(reductions)):
                self.parameters.add(ir.PointerType(_i8, _GLOBAL_SPACE), _POINTER)
        form = ir.FunctionType(ir.VoidType(), self.parameters.llvm)
        function = ir.Function(self.module, form, name)
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self._read_parameters(iter(function.args))

    def _read_parameters(self, given):
        builder, context = self.builder, self.context
        self.extents = [next(given) for _ in range(self.dimensions)]
        self.start_of = {d: next(given) for d in self.starts}
        self.values = [
            argument_value(context, builder, a, given, self.dense) for a in self.arguments
        ]
        self.first = {r.name: argument_value(context, builder, r.type, given) for r in self.scalars}
        if not self.reductions:
            return
        self.length, self.groups = next(given), next(given)
        generic = ir.PointerType(_i8)
        addresses = iter([builder.addrspacecast(next(given), generic) for _ in 2 * self.reductions])
        self.partials = {r.name: next(addresses) for r in self.reductions}
        self.results = {r.name: next(addresses) for r in self.reductions}

    def global_id(self, dimension: int):
        return call_builtin(self.builder, "hither.global_id", _i64, [_i32(dimension)], 0)

    def local_id(self, dimension: int):
        return call_builtin(self.builder, "hither.local_id", _i64, [_i32(dimension)], 0)

    def call(self, compiled, values):
        return self.context.call_conv.call_compiled(self.builder, compiled, values)

    def unravel(self, position, extents) -> list:
        """The indices for a row-major position."""
        indices: list = []
        for extent in reversed(extents[1:]):
            indices.insert(0, self.builder.urem(position, extent))
            position = self.builder.udiv(position, extent)
        return [position, *indices]

    def iterate(self, body, indices, accumulators) -> list:
        """Emits one iteration. Returns the new values of the reduction variables that are
        numbers."""
        started = [self._started(d, index) for d, index in enumerate(indices)]
        reduced = {r.argument for r in self.reductions}
        values = [v for position, v in enumerate(self.values) if position not in reduced]
        if self.draws_random:
            values.append(self._position(indices))
        value = self.call(body, [*values, *started, *accumulators])
        if len(self.scalars) < 2:
            return [value] * len(self.scalars)
        return cgutils.unpack_tuple(self.builder, value)

    def _started(self, d, index):
        builder = self.builder
        if d in self.start_of:
            index = builder.add(index, self.start_of[d], flags=["nsw"])
        if self.lowest[d] is not None and (d in self.start_of or self.reductions):
            # Negative indices count from the end. LLVM can rarely prove that there are none.
            known = builder.icmp_signed(">=", index, _i64(self.lowest[d]))
            form = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
            assume = cgutils.get_or_insert_function(self.module, form, "llvm.assume")
            builder.call(assume, [known])
        return index

    def _position(self, indices):
        position = indices[0]
        for extent, index in zip(self.extents[1:], indices[1:], strict=True):
            position = self.builder.add(self.builder.mul(position, extent), index)
        return position

    def is_in_place(self, reduction, whole):
        """Whether the only group updates the elements of the array itself."""
        address = self.builder.ptrtoint(self.partials[reduction.name], _i64)
        return self.builder.icmp_signed("==", address, self.builder.ptrtoint(whole.data, _i64))

    def text(self) -> str:
        self.builder.ret_void()
        return f"{self.module}{_MARKS}"


def slot_count(codes) -> int:
    """Number of slots that parameters take; see target::Signature."""
    return sum(2 if code == 9 else 1 for code in codes)


def emit_iterations(entry: Entry, body) -> str:
    """The entry with one iteration per work-item."""
    in_range = min(entry.dimensions, 3)
    ids = [entry.global_id(d) for d in range(in_range)]
    merged = entry.dimensions - in_range + 1
    entry.iterate(body, [*entry.unravel(ids[0], entry.extents[:merged]), *ids[1:]], [])
    return entry.text()


def emit_teams(entry: Entry, body, width: int) -> str:
    """The entry with one iteration per group of `width` work-items."""
    position = entry.builder.udiv(entry.global_id(0), _i64(width))
    entry.iterate(body, entry.unravel(position, entry.extents), [])
    return entry.text()


def emit_single_task(entry: Entry, body) -> str:
    """The entry with all iterations, in order, in one work-item."""
    with ExitStack() as loops:
        indices = [
            loops.enter_context(cgutils.for_range(entry.builder, extent)).index
            for extent in entry.extents
        ]
        entry.iterate(body, indices, [])
    return entry.text()


def emit_groups(entry: Entry, body) -> str:
    """The entry with one group of iterations per work-item, for parfors with reductions."""
    group = entry.global_id(0)
    entry.global_id(1)  # the range has two dimensions, see Region::reduce
    return GroupWriter(entry, body, group).text()


def emit_lanes(entry: Entry, body) -> str:
    """The entry with one work-item for each partial result of a group, for GPUs. A work-group has
    ROWS groups."""
    return LaneWriter(entry, body, entry.global_id(0), entry.global_id(1)).text()


def join_in_tree(entry: Entry, reduction: Reduction, value, rows: int):
    """Combines the values of the LANES work-items of each row of a work-group pairwise, in local
    memory. Returns the row's result in its first work-item."""
    builder, context = entry.builder, entry.context
    element = context.get_data_type(reduction.type)
    model = context.data_model_manager[reduction.type]
    align = max(context.get_abi_alignment(element), 16)
    memory = local_memory(builder, ir.ArrayType(element, rows * LANES), align)
    lane = entry.local_id(1)
    place = builder.add(builder.mul(entry.local_id(0), _i64(LANES)), lane)

    def address(offset):
        return builder.gep(memory, [_i64(0), builder.add(place, _i64(offset))], inbounds=True)

    so_far = cgutils.alloca_once_value(builder, value)
    builder.store(model.as_data(builder, value), address(0))
    width = LANES // 2
    while width:
        call_barrier(builder, MemFence.LOCAL)
        with builder.if_then(builder.icmp_signed("<", lane, _i64(width))):
            other = model.from_data(builder, builder.load(address(width)))
            joined = entry.call(reduction.combine, [builder.load(so_far), other])
            builder.store(joined, so_far)
            builder.store(model.as_data(builder, joined), address(0))
        width //= 2
    return builder.load(so_far)


class _Lanes:
    """The partial results of a group. The members of a structure (the index and the value of an
    extreme) have an array each, because neighbouring lanes then are vectors."""

    def __init__(self, entry, reduction, count, start):
        self.builder = entry.builder
        self.type = entry.context.get_value_type(reduction.type)
        self.is_structure = isinstance(self.type, ir.LiteralStructType)
        members = self.type.elements if self.is_structure else [self.type]
        self.arrays = [
            cgutils.alloca_once(self.builder, ir.ArrayType(member, count)) for member in members
        ]
        with cgutils.for_range(self.builder, _i64(count)) as loop:
            self.store(start, loop.index)

    def _places(self, lane):
        return [self.builder.gep(a, [_i64(0), lane], inbounds=True) for a in self.arrays]

    def load(self, lane):
        members = [self.builder.load(place) for place in self._places(lane)]
        return cgutils.pack_struct(self.builder, members) if self.is_structure else members[0]

    def store(self, value, lane):
        is_structure = self.is_structure
        members = cgutils.unpack_tuple(self.builder, value) if is_structure else [value]
        for member, place in zip(members, self._places(lane), strict=True):
            self.builder.store(member, place)


class GroupWriter:
    """Emits the loops over the iterations of a group."""

    def __init__(self, entry: Entry, body, group, lanes=LANES):
        self.entry, self.body, self.group = entry, body, group
        self.builder = entry.builder
        # Arrays would take too much memory in each lane.
        self.lanes = 1 if any(r.is_array for r in entry.reductions) else lanes
        self.accumulators = [_Lanes(entry, r, self.lanes, self._identity(r)) for r in entry.scalars]
        self.arrays = [self._partial_array(r) for r in entry.reductions if r.is_array]

    def _identity(self, reduction):
        if reduction.identity is None:
            return self.entry.first[reduction.name]
        return self.entry.context.get_constant(reduction.type, reduction.identity)

    def _partial_array(self, reduction):
        """The group's partial array, filled with the identity, or the array itself if there is one
        group."""
        entry, builder, context = self.entry, self.builder, self.entry.context
        whole = context.make_array(reduction.type)(
            context, builder, entry.values[reduction.argument]
        )
        shape = cgutils.unpack_tuple(builder, whole.shape)
        element = reduction.type.dtype
        pointer = ir.PointerType(context.get_data_type(element))
        first = builder.mul(self.group, whole.nitems)
        data = builder.gep(builder.bitcast(entry.partials[reduction.name], pointer), [first])
        identity = context.get_constant(element, reduction.identity)
        stored = context.data_model_manager[element].as_data(builder, identity)
        with (
            builder.if_then(builder.not_(entry.is_in_place(reduction, whole))),
            cgutils.for_range(builder, whole.nitems) as loop,
        ):
            builder.store(stored, builder.gep(data, [loop.index]))
        # The body's code for arrays in Fortran order does not use strides.
        layout = "F" if reduction.type.layout == "F" else "C"
        packed = types.Array(element, reduction.type.ndim, layout)
        return array_of(context, builder, packed, data, shape)

    def text(self) -> str:
        entry, builder = self.entry, self.builder
        items = entry.extents[0]
        for extent in entry.extents[1:]:
            items = builder.mul(items, extent, flags=["nsw"])
        first = builder.mul(self.group, entry.length, flags=["nsw"])
        first = _smaller(builder, first, items)
        last = _smaller(builder, builder.add(first, entry.length, flags=["nsw"]), items)
        if entry.dimensions == 1:
            self._run([], first, builder.sub(last, first, flags=["nsw"]))
        else:
            self._rows(first, last)
        self.join_lanes()
        self.store_partials(self.group)
        return entry.text()

    def store_partials(self, index):
        entry = self.entry
        for reduction, lanes in zip(entry.scalars, self.accumulators, strict=True):
            value = lanes.load(_i64(0))
            store_result(entry, reduction, entry.partials[reduction.name], index, value)

    def _rows(self, first, last):
        """Emits positions first to last, row by row. Only the innermost index runs in lanes."""
        entry, builder = self.entry, self.builder
        at = cgutils.alloca_once_value(builder, first)
        inner = entry.extents[-1]
        with _while(builder, lambda: builder.icmp_signed("<", builder.load(at), last)):
            position = builder.load(at)
            row = builder.udiv(position, inner)
            column = builder.sub(position, builder.mul(row, inner))
            left = builder.sub(last, position, flags=["nsw"])
            count = _smaller(builder, builder.sub(inner, column, flags=["nsw"]), left)
            self._run(entry.unravel(row, entry.extents[:-1]), column, count)
            builder.store(builder.add(position, count, flags=["nsw"]), at)

    def _run(self, outer, start, count):
        """Emits `count` iterations from `start` in the innermost dimension."""
        builder = self.builder
        width = _i64(self.lanes)
        whole = builder.udiv(count, width)
        with cgutils.for_range(builder, whole) as block:
            base = builder.add(start, builder.mul(block.index, width, flags=["nsw"]), flags=["nsw"])
            with _whole_loop(builder, self.lanes) as lane:
                self._iterate_lane(outer, base, lane)
        done = builder.mul(whole, width, flags=["nsw"])
        if self.lanes > 1:
            left = builder.sub(count, done, flags=["nsw"])
            self._iterate_lanes(outer, builder.add(start, done, flags=["nsw"]), left)

    def _iterate_lanes(self, outer, base, count):
        with cgutils.for_range(self.builder, count) as loop:
            self._iterate_lane(outer, base, loop.index)

    def _iterate_lane(self, outer, base, lane):
        entry, builder = self.entry, self.builder
        given = iter([lanes.load(lane) for lanes in self.accumulators])
        arrays = iter(self.arrays)
        values = [next(arrays if r.is_array else given) for r in entry.reductions]
        index = builder.add(base, lane, flags=["nsw"])
        found = entry.iterate(self.body, [*outer, index], values)
        for lanes, value in zip(self.accumulators, found, strict=True):
            lanes.store(value, lane)

    def join_lanes(self):
        entry, builder = self.entry, self.builder
        width = self.lanes // 2
        while width:
            with cgutils.for_range(builder, _i64(width)) as loop:
                other = builder.add(loop.index, _i64(width))
                for reduction, lanes in zip(entry.scalars, self.accumulators, strict=True):
                    given = [lanes.load(loop.index), lanes.load(other)]
                    lanes.store(entry.call(reduction.combine, given), loop.index)
            width //= 2


class LaneWriter(GroupWriter):
    """Emits the loops over the iterations of one lane of a group. The last groups of a work-group
    may have no iterations."""

    def __init__(self, entry: Entry, body, group, lane):
        super().__init__(entry, body, group, lanes=1)
        self.lane = lane

    def _run(self, outer, start, count):
        builder, width = self.builder, _i64(LANES)
        own = builder.sub(builder.add(count, _i64(LANES - 1)), self.lane, flags=["nsw"])
        first = builder.add(start, self.lane, flags=["nsw"])
        with cgutils.for_range(builder, builder.udiv(own, width)) as loop:
            index = builder.add(first, builder.mul(loop.index, width, flags=["nsw"]))
            self._iterate_lanes(outer, index, _i64(1))

    def store_partials(self, index):
        entry, builder = self.entry, self.builder
        found = [
            join_in_tree(entry, r, lanes.load(_i64(0)), ROWS)
            for r, lanes in zip(entry.scalars, self.accumulators, strict=True)
        ]
        is_first = builder.icmp_signed("==", self.lane, _i64(0))
        is_group = builder.icmp_signed("<", index, entry.groups)
        with builder.if_then(builder.and_(is_first, is_group)):
            for reduction, value in zip(entry.scalars, found, strict=True):
                store_result(entry, reduction, entry.partials[reduction.name], index, value)


# LLVM would unroll a loop over lanes before it makes vectors, which it does not find afterwards.
_MARKS = """
!9000 = distinct !{!9000, !9001, !9002}
!9001 = !{!"llvm.loop.unroll.disable"}
!9002 = !{!"llvm.loop.vectorize.followup_vectorized", !9003}
!9003 = !{!"llvm.loop.unroll.full"}
"""


class _Mark:
    """The metadata above, to which llvmlite's own classes cannot refer."""

    @staticmethod
    def get_reference() -> str:
        return "!9000"


@contextmanager
def _whole_loop(builder, count):
    """A loop of `count` iterations, at least one, that LLVM makes vectors of if it can. The entry
    has one such loop."""
    before, body = builder.block, builder.append_basic_block("lane")
    end = builder.append_basic_block("lanes.end")
    builder.branch(body)
    builder.position_at_end(body)
    index = builder.phi(_i64)
    index.add_incoming(_i64(0), before)
    yield index
    following = builder.add(index, _i64(1), flags=["nuw", "nsw"])
    index.add_incoming(following, builder.block)
    again = builder.cbranch(builder.icmp_unsigned("<", following, _i64(count)), body, end)
    again.set_metadata("llvm.loop", _Mark)
    builder.position_at_end(end)


@contextmanager
def _while(builder, condition):
    """A loop that runs as long as the test that `condition()` emits holds."""
    head, body = builder.append_basic_block("test"), builder.append_basic_block("body")
    end = builder.append_basic_block("end")
    builder.branch(head)
    builder.position_at_end(head)
    builder.cbranch(condition(), body, end)
    builder.position_at_end(body)
    yield
    builder.branch(head)
    builder.position_at_end(end)


def _smaller(builder, a, b):
    return builder.select(builder.icmp_signed("<", a, b), a, b)


def _place(entry, numba_type, address, index):
    pointer = ir.PointerType(entry.context.get_data_type(numba_type))
    return entry.builder.gep(entry.builder.bitcast(address, pointer), [index])


def store_result(entry, reduction, address, index, value):
    model = entry.context.data_model_manager[reduction.type]
    place = _place(entry, reduction.type, address, index)
    entry.builder.store(model.as_data(entry.builder, value), place)


def load_result(entry, numba_type, address, index):
    place = _place(entry, numba_type, address, index)
    return entry.context.data_model_manager[numba_type].from_data(
        entry.builder, entry.builder.load(place)
    )
