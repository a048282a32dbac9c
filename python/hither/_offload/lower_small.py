"""Emits the host's loop over the iterations of a small region."""

from __future__ import annotations

from contextlib import ExitStack

from .._kernel.numba.device_function import kernel_target
from .numba_adapter import cgutils, ir, llvm_binding, types
from .schedule import FEWEST_GROUPS
from .small_form import LONGEST_GROUP, SmallForm
from .symbols import COUNT

_i1, _i64 = ir.IntType(1), ir.IntType(64)


class SmallHostCode:
    """`host` is the HostCode of the region, `starts` and `extents` are those of its loops."""

    def __init__(self, host, form: SmallForm, starts, extents):
        self.host, self.form = host, form
        self.context, self.builder = host.context, host.builder
        self.starts, self.extents = starts, extents
        passed = host.passed
        self.reductions = form.reductions
        self.arguments = dict(zip(passed.names, passed.types, strict=True))
        self.items = None

    def is_small(self):
        """Whether there are few iterations, and no array that they write overlaps another, as an
        i1."""
        builder = self.builder
        most = _i64(self.form.most_items)
        fits, items = _i1(1), _i64(1)
        for extent in self.extents:
            fits = builder.and_(fits, builder.icmp_unsigned("<=", extent, most))
            items = builder.mul(items, extent)
            if len(self.extents) > 2:  # the product of many extents could wrap
                items = builder.select(builder.icmp_unsigned("<=", items, most), items, _i64(-1))
        self.items = items
        fits = builder.and_(fits, builder.icmp_unsigned("<=", items, most))
        return builder.and_(fits, builder.not_(self._overlaps()))

    def _overlaps(self):
        builder, found = self.builder, _i1(0)
        arrays = {n: self._place(n, t) for n, t in self.arguments.items() if _is_array(t)}
        written = [name for name in arrays if name in self.form.written]
        for number, name in enumerate(written):
            for other in arrays:
                if other == name or other in written[:number]:
                    continue
                a, b = arrays[name], arrays[other]
                meets = builder.and_(a.overlaps(b), builder.not_(a.is_same_as(b)))
                found = builder.or_(found, meets)
        return found

    def _place(self, name, numba_type):
        value = self.host.value_of(name, numba_type)
        return Place(self.builder, self.context.make_array(numba_type)(
            self.context, self.builder, value
        ), numba_type)  # fmt: skip

    def emit(self, results):
        """Emits all iterations. `results` maps each variable that is reduced to the address of its
        result."""
        self._link()
        self._count()
        values = [self.host.value_of(name, t) for name, t in self.arguments.items()]
        buffers = [self._buffer(r) for r in self.reductions]
        identities = [self._identity(r) for r in self.reductions]
        with ExitStack() as loops:
            indices = [
                loops.enter_context(cgutils.for_range(self.builder, extent)).index
                for extent in self.extents
            ]
            position = self._position(indices)
            started = [self._started(d, index) for d, index in enumerate(indices)]
            found = self._call(self.form.body, self.form.compiled, [*values, *started, *identities])
            if len(buffers) == 1:
                found = [found]
            elif buffers:
                found = cgutils.unpack_tuple(self.builder, found)
            for n, buffer in enumerate(buffers):
                value = self._combined(n, found[n], identities[n])
                self.builder.store(value, self._item(buffer, position))
        if self.reductions:
            self._join(buffers, identities, results)

    def _link(self):
        """Adds the functions to the library of the function that is lowered."""
        self.host.lowerer.library.add_linking_library(_Linked(self.form.module))

    def _count(self):
        form = ir.FunctionType(ir.VoidType(), [])
        function = cgutils.get_or_insert_function(self.builder.module, form, COUNT)
        for attribute in ("inaccessiblememonly", "nounwind"):
            function.attributes.add(attribute)
        self.builder.call(function, [])

    def _call(self, name, compiled, values):
        call_conv = kernel_target.target_context.call_conv
        return call_conv.call_compiled(self.builder, compiled, values, name)

    def _combined(self, n, value, other):
        reduction, name = self.reductions[n], self.form.combines[n]
        return self._call(name, reduction.combine, [value, other])

    def _identity(self, reduction):
        if reduction.identity is None:
            return self.host.value_of(reduction.name, reduction.type)
        return self.context.get_constant(reduction.type, reduction.identity)

    def _position(self, indices):
        position = indices[0]
        for extent, index in zip(self.extents[1:], indices[1:], strict=True):
            position = self.builder.add(self.builder.mul(position, extent), index)
        return position

    def _started(self, d, index):
        builder = self.builder
        if d not in self.host.passed.starts:
            return index
        index = builder.add(index, self.starts[d], flags=["nsw"])
        if self.form.lowest[d] is not None:
            known = builder.icmp_signed(">=", index, _i64(self.form.lowest[d]))
            builder.assume(known)
        return index

    def _buffer(self, reduction):
        """Memory for the results of the iterations, and for the rest of the last group."""
        count = self.form.most_items + LONGEST_GROUP
        value_type = self.context.get_value_type(reduction.type)
        with self.builder.goto_entry_block():
            return self.builder.alloca(ir.ArrayType(value_type, count))

    def _item(self, buffer, position):
        return self.builder.gep(buffer, [_i64(0), position], inbounds=True)

    def _join(self, buffers, identities, results):
        """Combines the results of iterations in the order of schedule.GroupWriter, by groups of the
        length that Region::reduce determines."""
        builder = self.builder
        totals = [
            cgutils.alloca_once_value(builder, self.host.value_of(r.name, r.type))
            for r in self.reductions
        ]
        longest = -(-self.form.most_items // FEWEST_GROUPS)
        with ExitStack() as branches:
            for length in range(1, longest):
                few = builder.icmp_unsigned("<=", self.items, _i64(length * FEWEST_GROUPS))
                here, longer = branches.enter_context(builder.if_else(few))
                with here:
                    self._join_groups(length, buffers, identities, totals)
                branches.enter_context(longer)
            self._join_groups(longest, buffers, identities, totals)
        for reduction, total in zip(self.reductions, totals, strict=True):
            model = self.context.data_model_manager[reduction.type]
            value = model.as_data(builder, builder.load(total))
            builder.store(value, results[reduction.name])

    def _join_groups(self, length, buffers, identities, totals):
        builder = self.builder
        groups = builder.udiv(builder.add(self.items, _i64(length - 1)), _i64(length))
        for n, (buffer, total) in enumerate(zip(buffers, totals, strict=True)):
            for rest in range(length - 1):
                place = self._item(buffer, builder.add(self.items, _i64(rest)))
                builder.store(identities[n], place)
            with cgutils.for_range(builder, groups) as loop:
                first = builder.mul(loop.index, _i64(length))
                items = [
                    builder.load(self._item(buffer, builder.add(first, _i64(i))))
                    for i in range(length)
                ]
                partial = self._pairwise(n, items, identities[n])
                builder.store(self._combined(n, builder.load(total), partial), total)

    def _pairwise(self, n, items, identity):
        """Combines the items as lanes of a group: those of the second half with those of the
        first."""
        width = 1
        while width < len(items):
            width *= 2
        items = items + [identity] * (width - len(items))
        while len(items) > 1:
            half = len(items) // 2
            items = [self._combined(n, items[i], items[i + half]) for i in range(half)]
        return items[0]


class _Linked:
    """A library for Numba to link, with functions that are inlined. They have no code of their
    own."""

    def __init__(self, text: str):
        self._module = llvm_binding.parse_assembly(text)
        self._reload_init: set = set()

    def _ensure_finalized(self):
        """Does nothing: the module is complete."""

    def _get_module_for_linking(self):
        return self._module


def _is_array(numba_type) -> bool:
    return isinstance(numba_type, types.Array)


class Place:
    """The addresses between which the elements of an array are."""

    def __init__(self, builder, array, numba_type):
        self.builder, self.ndim = builder, numba_type.ndim
        self.data = builder.ptrtoint(array.data, _i64)
        self.shape = cgutils.unpack_tuple(builder, array.shape) if self.ndim else []
        self.strides = cgutils.unpack_tuple(builder, array.strides) if self.ndim else []
        self.low, self.high = self.data, builder.add(self.data, array.itemsize)
        if numba_type.layout == "C":
            size = builder.mul(array.nitems, array.itemsize)
            self.high = builder.add(self.data, size)
            return
        for extent, stride in zip(self.shape, self.strides, strict=True):
            reach = builder.mul(builder.sub(extent, _i64(1)), stride)
            down = builder.icmp_signed("<", stride, _i64(0))
            self.low = builder.add(self.low, builder.select(down, reach, _i64(0)))
            self.high = builder.add(self.high, builder.select(down, _i64(0), reach))
        empty = builder.icmp_signed("==", array.nitems, _i64(0))
        self.high = builder.select(empty, self.low, self.high)

    def overlaps(self, other):
        builder = self.builder
        return builder.and_(
            builder.icmp_unsigned("<", self.low, other.high),
            builder.icmp_unsigned("<", other.low, self.high),
        )

    def is_same_as(self, other):
        """Whether both arrays have the same elements in the same order."""
        builder = self.builder
        if self.ndim != other.ndim:
            return _i1(0)
        same = builder.icmp_unsigned("==", self.data, other.data)
        pairs = [*zip(self.shape, other.shape, strict=True)]
        pairs += zip(self.strides, other.strides, strict=True)
        for mine, others in pairs:
            same = builder.and_(same, builder.icmp_unsigned("==", mine, others))
        return same
