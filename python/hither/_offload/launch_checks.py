"""Host code that checks, before a region is launched, that its iterations do not conflict."""

from __future__ import annotations

from collections.abc import Callable

from .atomic_updates import MOST_BYTES
from .lower_small import Place
from .numba_adapter import cgutils, ir, types
from .own_elements import Apart, Distinct, Spread
from .symbols import INDICES_MAY_REPEAT

_i1, _i32, _i64 = ir.IntType(1), ir.IntType(32), ir.IntType(64)


class LaunchChecks:
    """Emits the checks. `numbers` maps a loop's index to the loop's bounds (start, stop)."""

    def __init__(self, lowerer, numbers):
        self.lowerer, self.typemap = lowerer, lowerer.fndesc.typemap
        self.context, self.builder = lowerer.context, lowerer.builder
        self.numbers = numbers

    def may_conflict(self, checks):
        """Whether iterations may access the same element, as an i1."""
        found = _i1(0)
        emit: dict[type, Callable] = {
            Apart: self._views_overlap,
            Distinct: self._indices_conflict,
            Spread: self._spread_conflicts,
        }
        for check in checks:
            found = self.builder.or_(found, emit[type(check)](check))
        return found

    def are_large(self, names):
        """Whether copies of these arrays would take too much memory."""
        builder, total = self.builder, _i64(0)
        for name in names:
            array = self._array(name)
            total = builder.add(total, builder.mul(array.nitems, array.itemsize))
        return builder.icmp_signed(">", total, _i64(MOST_BYTES))

    def _spread_conflicts(self, check: Spread):
        builder = self.builder
        start, stop = self.numbers[check.loop.index]
        step = self._value(check.step)
        lows, highs = zip(*map(self._limits, check.offsets), strict=True)
        low, high = self._least(lows), self._largest(highs)
        down = builder.icmp_signed("<", step, _i64(0))
        size = builder.select(down, builder.neg(step), step)
        close = builder.icmp_signed("<=", size, builder.sub(high, low))
        ends = [builder.mul(step, n) for n in (start, builder.sub(stop, _i64(1)))]
        least = builder.add(self._least(ends), low)
        largest = builder.add(self._largest(ends), high)
        wraps = builder.and_(
            builder.icmp_signed("<", least, _i64(0)),
            builder.icmp_signed(">=", builder.sub(largest, least), self._extent(check)),
        )
        several = builder.icmp_signed(">", builder.sub(stop, start), _i64(1))
        return builder.and_(several, builder.or_(close, wraps))

    def _indices_conflict(self, check: Distinct):
        builder = self.builder
        start, stop = self.numbers[check.loop.index]
        step, rest = (self._value(p) for p in check.at.split(check.loop.index))
        first = builder.add(builder.mul(step, start), rest)
        indices = self._array(check.indices)
        item = self.typemap[check.indices].dtype
        given = [
            builder.bitcast(indices.data, cgutils.voidptr_t),
            cgutils.unpack_tuple(builder, indices.shape)[0],
            cgutils.unpack_tuple(builder, indices.strides)[0],
            _i32(-item.bitwidth // 8 if item.signed else item.bitwidth // 8),
            first, step, builder.sub(stop, start), self._extent(check),
        ]  # fmt: skip
        form = ir.FunctionType(_i32, [value.type for value in given])
        function = cgutils.get_or_insert_function(builder.module, form, INDICES_MAY_REPEAT)
        return builder.icmp_signed("!=", builder.call(function, given), _i32(0))

    def _views_overlap(self, check: Apart):
        a, b = (
            Place(self.builder, self._array(name), self.typemap[name])
            for name in (check.array, check.other)
        )
        overlap = a.overlaps(b)
        if check.may_be_same:
            overlap = self.builder.and_(overlap, self.builder.not_(a.is_same_as(b)))
        return overlap

    def _array(self, name):
        value = self.lowerer.loadvar(name)
        array = self.context.make_array(self.typemap[name])
        return array(self.context, self.builder, value)

    def _extent(self, check):
        shape = self._array(check.array).shape
        return cgutils.unpack_tuple(self.builder, shape)[check.axis]

    def _limits(self, offset):
        builder = self.builder
        low = high = self._value(offset.fixed)
        for factor, inner in offset.inner:
            by = self._value(factor)
            least, largest = self._value(inner.least), self._value(inner.largest)
            ends = [builder.mul(by, n) for n in (least, self._largest([least, largest]))]
            low, high = (
                builder.add(low, self._least(ends)),
                builder.add(high, self._largest(ends)),
            )
        return low, high

    def _value(self, polynomial):
        builder, total = self.builder, _i64(0)
        for names, coefficient in polynomial.terms:
            term = _i64(coefficient)
            for name in names:
                numba_type = self.typemap[name]
                value = self.lowerer.loadvar(name)
                term = builder.mul(term, self.context.cast(builder, value, numba_type, types.int64))
            total = builder.add(total, term)
        return total

    def _least(self, values):
        return self._chosen("<", values)

    def _largest(self, values):
        return self._chosen(">", values)

    def _chosen(self, order, values):
        found, *others = values
        for value in others:
            better = self.builder.icmp_signed(order, value, found)
            found = self.builder.select(better, value, found)
        return found
