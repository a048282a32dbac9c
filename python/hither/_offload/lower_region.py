"""Emits the host code of a region, which packs its arguments and calls the core."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass

import numpy as np

from .._kernel.numba.entry import is_optional_array, parameters_of
from .body_calls import SEED
from .hook import RegionFailed
from .launch_checks import LaunchChecks
from .lower_small import SmallHostCode
from .numba_adapter import cgutils, ir, numba_ir, types
from .region import Passed, RegionSource
from .schedule import slot_count
from .symbols import LAUNCH
from .team_loops import FEWEST_ITERATIONS

_i8, _i32, _i64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
_IN_ORDER = 2  # launch::kInOrder
_SAME_VALUE = (types.Array, types.BaseTuple, types.Record)  # equal form on host and in kernels


@dataclass
class RegionLowerer:
    """Lowers a parfor that has a region. Numba calls it as `parfor.lowerer`."""

    region: RegionSource
    passed: Passed
    keep: bool = False  # the host accesses no array before the next region

    def __call__(self, lowerer, parfor):
        for statement in parfor.init_block.body:
            lowerer.lower_inst(statement)
        HostCode(lowerer, parfor, self.region, self.passed, self.keep).emit()


def _seed():
    return np.uint64(np.random.randint(0, 2**63 - 1))


class HostCode:
    def __init__(self, lowerer, parfor, region, passed, keep):
        self.lowerer, self.parfor, self.region, self.keep = lowerer, parfor, region, keep
        self.passed = passed
        self._mode = int(keep)  # launch::kKeep
        self.context, self.builder = lowerer.context, lowerer.builder
        self.typemap = lowerer.fndesc.typemap
        count = max(region.slots + 2 + 2 * len(region.reductions), 1)
        self.slots = cgutils.alloca_once(self.builder, ir.ArrayType(_i64, count))
        self.next_slot = 0

    def emit(self):
        nests = self.parfor.loop_nests
        starts = [self._number(nest.start) for nest in nests]
        stops = [self._number(nest.stop) for nest in nests]
        extents = [self._extent(start, stop) for start, stop in zip(starts, stops, strict=True)]
        results = self._places_of_results()
        bounds = {
            n.index_variable.name: b
            for n, b in zip(nests, zip(starts, stops, strict=True), strict=True)
        }
        if self.passed.small is None:
            self._pack_and_launch(starts, extents, bounds, results)
        else:
            small = SmallHostCode(self, self.passed.small, starts, extents)
            conflict = LaunchChecks(self.lowerer, bounds).may_conflict(self.passed.checks)
            fits = self.builder.and_(small.is_small(), self.builder.not_(conflict))
            with self.builder.if_else(fits) as (here, otherwise):
                with here:
                    small.emit(results)
                with otherwise:
                    self._pack_and_launch(starts, extents, bounds, results)
        for name, place in results.items():
            value = self.context.data_model_manager[self.passed.reductions[name]].from_data(
                self.builder, self.builder.load(place)
            )
            host_type = self.typemap[name]
            value = self.context.cast(self.builder, value, self.passed.reductions[name], host_type)
            self.lowerer.storevar(value, name)

    def _pack_and_launch(self, starts, extents, bounds, results):
        shape = cgutils.alloca_once(self.builder, ir.ArrayType(_i64, len(extents)))
        for d, extent in enumerate(extents):
            self.builder.store(extent, self._word(shape, d))
            self._put(extent)
        for d in self.passed.starts:
            self._put(starts[d])
        for name, numba_type in zip(self.passed.names, self.passed.types, strict=True):
            self._pack(numba_type, self.value_of(name, numba_type))
        for name in results:
            numba_type = self.passed.reductions[name]
            self._pack(numba_type, self.value_of(name, numba_type))
        self._launch_either(bounds, self._word(shape, 0), results)

    def _places_of_results(self) -> dict:
        """Memory for the results of reductions that are numbers."""
        return {
            name: cgutils.alloca_once(self.builder, self.context.get_data_type(t))
            for name, t in self.passed.reductions.items()
            if not isinstance(t, types.Array)
        }

    def _put_results(self, region, results):
        """Stores the addresses of the results where the core expects them. The reductions of an
        alternative region of this loop are a prefix of these."""
        at = region.slots + 2 + len(region.reductions)
        for name in list(self.passed.reductions)[: len(region.reductions)]:
            if name in results:
                address = self.builder.ptrtoint(results[name], _i64)
                self.builder.store(address, self._word(self.slots, at))
            at += 1

    def _number(self, bound):
        if not isinstance(bound, numba_ir.Var):
            return _i64(bound)
        value = self.lowerer.loadvar(bound.name)
        return self.context.cast(self.builder, value, self.typemap[bound.name], types.intp)

    def _extent(self, start, stop):
        builder = self.builder
        extent = builder.sub(stop, start)
        return builder.select(builder.icmp_signed(">", extent, _i64(0)), extent, _i64(0))

    def value_of(self, name, numba_type):
        if name == SEED:
            return self.context.compile_internal(self.builder, _seed, types.uint64(), [])
        value = self.lowerer.loadvar(name)
        host_type = self.typemap[name]
        if isinstance(host_type, types.Optional) and not isinstance(numba_type, types.Optional):
            # None raises an error here, as its use in the loop would.
            value = self.context.cast(self.builder, value, host_type, host_type.type)
            host_type = host_type.type
        if isinstance(numba_type, _SAME_VALUE) or is_optional_array(numba_type):
            return value
        return self.context.cast(self.builder, value, host_type, numba_type)

    def _word(self, memory, index):
        return self.builder.gep(memory, [_i32(0), _i32(index)], inbounds=True)

    def _put(self, value):
        place = self._word(self.slots, self.next_slot)
        self.builder.store(value, self.builder.bitcast(place, value.type.as_pointer()))
        self.next_slot += 1

    def _pack(self, numba_type, value):
        """Packs a value as the int64 slots that entry.argument_value() reads."""
        builder, context = self.builder, self.context
        if isinstance(numba_type, types.BaseTuple):
            for item, part in zip(numba_type, cgutils.unpack_tuple(builder, value), strict=True):
                self._pack(item, part)
        elif is_optional_array(numba_type):
            optional = context.make_helper(builder, numba_type, value)
            self._put(builder.zext(optional.valid, _i64))
            absent = ir.Constant(optional.data.type, None)
            self._pack(numba_type.type, builder.select(optional.valid, optional.data, absent))
        elif isinstance(numba_type, types.Array):
            array = context.make_array(numba_type)(context, builder, value)
            self._put(builder.ptrtoint(array.data, _i64))
            words = list(cgutils.unpack_tuple(builder, array.shape, numba_type.ndim))
            if numba_type.layout != "C":
                words += cgutils.unpack_tuple(builder, array.strides, numba_type.ndim)
            for word in words:
                self._put(word)
        elif isinstance(numba_type, types.Record):
            place = builder.bitcast(self._word(self.slots, self.next_slot), value.type)
            cgutils.raw_memcpy(builder, place, value, _i64(numba_type.size), _i64(1))
            self.next_slot += self._words_of(numba_type)
        else:
            stored = context.data_model_manager[numba_type].as_data(builder, value)
            place = self._word(self.slots, self.next_slot)
            builder.store(stored, builder.bitcast(place, stored.type.as_pointer()))
            self.next_slot += self._words_of(numba_type)

    def _words_of(self, numba_type) -> int:
        return slot_count(parameters_of(self.context, [numba_type]).codes)

    def _launch_either(self, numbers, extents, results):
        """Launches one of the region's variants: the serial one if iterations may conflict, the one
        with atomic operations if copies of arrays would take too much memory, the one for long
        inner loops, or else the plain one."""
        checks = LaunchChecks(self.lowerer, numbers)
        others = []
        if self.passed.in_order is not None:
            others.append(
                (checks.may_conflict(self.passed.checks), self.passed.in_order, _IN_ORDER)
            )
        if self.passed.atomic is not None:
            others.append((checks.are_large(self.passed.updated), self.passed.atomic, self._mode))
        if self.passed.team is not None:
            others.append((self._has_long_loops(), self.passed.team, self._mode))
        with ExitStack() as branches:
            for condition, region, mode in others:
                branch = self.builder.if_else(condition, likely=False)
                instead, otherwise = branches.enter_context(branch)
                with instead:
                    self._launch(region, extents, results, mode)
                branches.enter_context(otherwise)
            self._launch(self.region, extents, results, self._mode)

    def _has_long_loops(self):
        """Whether one of the inner loops that a group may share is long enough."""
        builder, found = self.builder, ir.Constant(ir.IntType(1), 0)
        for start, stop in self.passed.inner:
            extent = self._extent(self._number(start), self._number(stop))
            is_long = builder.icmp_signed(">=", extent, _i64(FEWEST_ITERATIONS))
            found = builder.or_(found, is_long)
        return found

    def _launch(self, region, extents, results, mode):
        self._put_results(region, results)
        builder = self.builder
        module = builder.module
        handle = cgutils.add_global_variable(module, cgutils.voidptr_t, "hither.region")
        handle.linkage = "internal"
        handle.initializer = ir.Constant(cgutils.voidptr_t, None)
        words = _i64.as_pointer()
        form = ir.FunctionType(_i32, [handle.type, _i64, words, words, _i32])
        launch = cgutils.get_or_insert_function(module, form, LAUNCH)
        failed = builder.call(
            launch, [handle, _i64(region.id), extents, self._word(self.slots, 0), _i32(mode)]
        )
        with cgutils.if_unlikely(builder, builder.icmp_signed("!=", failed, _i32(0))):
            # The hook replaces this exception by the region's error.
            self.context.call_conv.return_user_exc(
                builder, RegionFailed, (f"a parallel region failed at line {self.parfor.loc.line}",)
            )
