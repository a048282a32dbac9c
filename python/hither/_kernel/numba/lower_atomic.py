"""Atomic operations as LLVM's atomicrmw, cmpxchg, and atomic loads and stores."""

from __future__ import annotations

from ..language import atomic
from ..language.atomic_ref import AtomicRef
from ..language.scope import MemoryOrder, MemoryScope
from .numba_adapter import (
    basic_indexing,
    cgutils,
    errors,
    intrinsic,
    ir,
    make_array,
    models,
    overload_method,
    register_model,
    types,
)
from .target import TARGET

# name: instruction for signed, unsigned, float elements
_OPERATIONS = {
    "add": ("add", "add", "fadd"),
    "sub": ("sub", "sub", "fsub"),
    "min": ("min", "umin", "fmin"),
    "max": ("max", "umax", "fmax"),
    "and_": ("and", "and", None),
    "or_": ("or", "or", None),
    "xor": ("xor", "xor", None),
    "exch": ("xchg", "xchg", "xchg"),
}
SCOPES: dict[int, str] = {
    MemoryScope.WORK_ITEM: "singlethread",
    MemoryScope.SUB_GROUP: "subgroup",
    MemoryScope.WORK_GROUP: "workgroup",
    MemoryScope.DEVICE: "device",
    MemoryScope.SYSTEM: "",
}
_ORDERS: dict[int, str] = {
    MemoryOrder.RELAXED: "monotonic",
    MemoryOrder.ACQUIRE: "acquire",
    MemoryOrder.RELEASE: "release",
    MemoryOrder.ACQ_REL: "acq_rel",
    MemoryOrder.SEQ_CST: "seq_cst",
}
_FOR_LOAD = {"release": "monotonic", "acq_rel": "acquire"}
_FOR_STORE = {"acquire": "monotonic", "acq_rel": "release"}


def _ordering(order: str, scope: str) -> str:
    return f'syncscope("{scope}") {order}' if scope else order


def _check(name, array, index):
    if not isinstance(array, types.Array):
        raise errors.TypingError(f"the first argument of {name} must be an array, not {array}")
    if not array.mutable:
        raise errors.TypingError(f"Cannot modify readonly array of type: {array} ({name})")
    if not isinstance(array.dtype, (types.Integer, types.Float)):
        raise errors.TypingError(
            f"{name} works on integers and floats, not on {array.dtype} elements"
        )
    parts = tuple(index) if isinstance(index, types.BaseTuple) else (index,)
    if len(parts) != array.ndim or not all(isinstance(_present(p), types.Integer) for p in parts):
        raise errors.TypingError(
            f"{name} takes one integer index for each of the array's {array.ndim} dimension(s)"
        )


def _present(kind):
    """The type of an index that is not None: it may come from a function that also returns None."""
    return kind.type if isinstance(kind, types.Optional) else kind


def _check_value(name, element, *values):
    for value in values:
        if not isinstance(value, (types.Integer, types.Float, types.Boolean)):
            raise errors.TypingError(f"{name} cannot convert a {value} to {element}")


def _element_pointer(context, builder, array_type, array, index_type, index):
    if isinstance(index_type, types.BaseTuple):
        kinds, values = tuple(index_type), cgutils.unpack_tuple(builder, index, len(index_type))
    else:
        kinds, values = (index_type,), (index,)
    values = [
        context.cast(builder, value, kind, _present(kind))
        for kind, value in zip(kinds, values, strict=True)
    ]
    kinds = tuple(_present(kind) for kind in kinds)
    pointer, _, _ = basic_indexing(
        context,
        builder,
        array_type,
        make_array(array_type)(context, builder, array),
        kinds,
        values,
        boundscheck=context.enable_boundscheck,
    )
    return pointer


def _instruction(operation, name, element) -> str:
    signed, unsigned, floating = _OPERATIONS[operation]
    if isinstance(element, types.Float):
        if floating is None:
            raise errors.TypingError(f"{name} works on integers, not on {element} elements")
        return floating
    return signed if element.signed else unsigned


def _emit_load(context, builder, pointer, element, order="monotonic", scope=""):
    """An atomic load. Floats are loaded as integers, which every target supports."""
    bits = ir.IntType(element.bitwidth)
    value = builder.load_atomic(
        builder.bitcast(pointer, ir.PointerType(bits)),
        _ordering(_FOR_LOAD.get(order, order), scope),
        element.bitwidth // 8,
    )
    return builder.bitcast(value, pointer.type.pointee)


def _emit_store(context, builder, pointer, value, element, order="monotonic", scope=""):
    bits = ir.IntType(element.bitwidth)
    builder.store_atomic(
        builder.bitcast(value, bits),
        builder.bitcast(pointer, ir.PointerType(bits)),
        _ordering(_FOR_STORE.get(order, order), scope),
        element.bitwidth // 8,
    )


def _emit_exchange(builder, pointer, old, new, element, order="monotonic", scope=""):
    """A compare-exchange. Returns the old value and whether `new` was stored."""
    bits = ir.IntType(element.bitwidth)
    pair = builder.cmpxchg(
        builder.bitcast(pointer, ir.PointerType(bits)),
        builder.bitcast(old, bits),
        builder.bitcast(new, bits),
        _ordering(order, scope),
        _FOR_LOAD.get(order, order),
    )
    return builder.bitcast(builder.extract_value(pair, 0), old.type), builder.extract_value(pair, 1)


def _read_modify_write(operation):
    name = f"atomic.{operation}"

    @intrinsic(target=TARGET)
    def function(typing_context, array, index, value):
        _check(name, array, index)
        _check_value(name, array.dtype, value)
        instruction = _instruction(operation, name, array.dtype)

        def lower(context, builder, signature, arguments):
            pointer = _element_pointer(
                context, builder, signature.args[0], arguments[0], signature.args[1], arguments[1]
            )
            return builder.atomic_rmw(instruction, pointer, arguments[2], "monotonic")

        return array.dtype(array, index, array.dtype), lower

    return function


@intrinsic(target=TARGET)
def _compare_and_swap(typing_context, array, index, expected, value):
    _check("atomic.cas", array, index)
    _check_value("atomic.cas", array.dtype, expected, value)

    def lower(context, builder, signature, arguments):
        array_type, index_type = signature.args[:2]
        pointer = _element_pointer(
            context, builder, array_type, arguments[0], index_type, arguments[1]
        )
        old, new = arguments[2:]
        return _emit_exchange(builder, pointer, old, new, array_type.dtype)[0]

    return array.dtype(array, index, array.dtype, array.dtype), lower


@intrinsic(target=TARGET)
def _load(typing_context, array, index):
    _check("atomic.load", array.copy(readonly=False) if hasattr(array, "copy") else array, index)

    def lower(context, builder, signature, arguments):
        array_type, index_type = signature.args
        pointer = _element_pointer(context, builder, array_type, arguments[0], index_type,
                                   arguments[1])  # fmt: skip
        return _emit_load(context, builder, pointer, array_type.dtype)

    return array.dtype(array, index), lower


@intrinsic(target=TARGET)
def _store(typing_context, array, index, value):
    _check("atomic.store", array, index)
    _check_value("atomic.store", array.dtype, value)

    def lower(context, builder, signature, arguments):
        array_type, index_type = signature.args[:2]
        pointer = _element_pointer(
            context, builder, array_type, arguments[0], index_type, arguments[1]
        )
        _emit_store(context, builder, pointer, arguments[2], array_type.dtype)
        return context.get_dummy_value()

    return types.none(array, index, array.dtype), lower


class AtomicRefType(types.Type):
    """Numba's type of an AtomicRef: a pointer to the element."""

    def __init__(self, element, order: str, scope: str):
        self.element, self.order, self.scope = element, order, scope
        super().__init__(f"hither.AtomicRef({element}, {order}, {scope})")


@register_model(AtomicRefType)
class _AtomicRefModel(models.PrimitiveModel):
    def __init__(self, manager, reference):
        element = manager[reference.element].get_data_type()
        super().__init__(manager, reference, ir.PointerType(element))


@intrinsic(target=TARGET, prefer_literal=True)
def _make_reference(typing_context, array, index, order, scope, space):
    if not isinstance(order, types.IntegerLiteral):
        return None
    whole = types.unliteral(index)
    _check("AtomicRef", array, whole)
    if order.literal_value not in _ORDERS or scope.literal_value not in SCOPES:
        raise errors.TypingError("AtomicRef takes a hither.MemoryOrder and a hither.MemoryScope")
    result = AtomicRefType(array.dtype, _ORDERS[order.literal_value], SCOPES[scope.literal_value])

    def lower(context, builder, signature, arguments):
        return _element_pointer(
            context, builder, signature.args[0], arguments[0], whole, arguments[1]
        )

    return result(array, whole, order, scope, space), lower


def _fetch(operation):
    name = f"AtomicRef.{operation}"

    @intrinsic(target=TARGET)
    def function(typing_context, reference, value):
        _check_value(name, reference.element, value)
        instruction = _instruction(operation, name, reference.element)

        def lower(context, builder, signature, arguments):
            return builder.atomic_rmw(
                instruction, *arguments, _ordering(reference.order, reference.scope)
            )

        return reference.element(reference, reference.element), lower

    return function


@intrinsic(target=TARGET)
def _load_reference(typing_context, reference):
    def lower(context, builder, signature, arguments):
        return _emit_load(
            context, builder, arguments[0], reference.element, reference.order, reference.scope
        )

    return reference.element(reference), lower


@intrinsic(target=TARGET)
def _store_reference(typing_context, reference, value):
    _check_value("AtomicRef.store", reference.element, value)

    def lower(context, builder, signature, arguments):
        pointer, stored = arguments
        _emit_store(
            context, builder, pointer, stored, reference.element, reference.order, reference.scope
        )
        return context.get_dummy_value()

    return types.none(reference, reference.element), lower


@intrinsic(target=TARGET)
def _exchange_reference(typing_context, reference, expected, value):
    """A tuple of the old value and whether `value` was stored."""
    element = reference.element
    _check_value("AtomicRef.compare_exchange", element, expected, value)

    def lower(context, builder, signature, arguments):
        pointer, old, new = arguments
        old, stored = _emit_exchange(
            builder, pointer, old, new, element, reference.order, reference.scope
        )
        return context.make_tuple(builder, signature.return_type, (old, stored))

    return types.Tuple((element, types.boolean))(reference, element, element), lower


def _method(name, function):
    @overload_method(AtomicRefType, name, target=TARGET)
    def method(reference, value):
        return lambda reference, value: function(reference, value)


for _name, _operation in {
    "fetch_add": "add", "fetch_sub": "sub", "fetch_min": "min", "fetch_max": "max",
    "fetch_and": "and_", "fetch_or": "or_", "fetch_xor": "xor", "exchange": "exch",
}.items():  # fmt: skip
    _method(_name, _fetch(_operation))
_method("store", _store_reference)


@overload_method(AtomicRefType, "load", target=TARGET)
def _load_method(reference):
    return lambda reference: _load_reference(reference)


@overload_method(AtomicRefType, "compare_exchange", target=TARGET)
def _compare_exchange(reference, expected_ref, desired, expected_idx=0):
    if not isinstance(expected_ref, types.Array):
        return lambda reference, expected_ref, desired, expected_idx=0: _exchange_reference(
            reference, expected_ref, desired
        )[0]

    def exchange(reference, expected_ref, desired, expected_idx=0):
        old, stored = _exchange_reference(reference, expected_ref[expected_idx], desired)
        if not stored:
            expected_ref[expected_idx] = old
        return stored

    return exchange


REPLACEMENTS = {getattr(atomic, name): _read_modify_write(name) for name in _OPERATIONS}
REPLACEMENTS |= {
    atomic.cas: _compare_and_swap,
    atomic.load: _load,
    atomic.store: _store,
    AtomicRef: _make_reference,
}
