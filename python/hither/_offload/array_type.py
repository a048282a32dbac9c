"""hither.Array as an argument type of Numba functions.

The type's values are Numba arrays over the same memory. Views and results that a function makes of
one are NumPy arrays. If the host cannot access the memory, only regions and functions of the shape
may use the array, and any other use in the function is a compile error.
"""

from __future__ import annotations

import numpy as np

from .. import _hither
from ..errors import PlacementError
from .host_access import SHAPES
from .numba_adapter import (
    BaseContext,
    NativeValue,
    Parfor,
    as_numba_dtype,
    box,
    cgutils,
    errors,
    ir,
    lower_cast,
    models,
    numba_ir,
    register_model,
    typeof_impl,
    types,
    unbox,
    unbox_buffer,
)
from .target import HostContext


class HitherArray(types.Array):
    """A hither.Array. `host` says whether host code can access its memory."""

    def __init__(self, dtype, ndim, layout, readonly, host):
        self.host = host
        place = "" if host else ", of a device"
        kind = "readonly " if readonly else ""
        super().__init__(
            dtype, ndim, layout, readonly=readonly,
            name=f"{kind}hither.Array({dtype}, {ndim}d, {layout}{place})",
        )  # fmt: skip

    @property
    def key(self):
        return (*super().key, self.host)

    @property
    def is_internal(self):
        return True  # Numba fuses array expressions of it

    def unify(self, typingctx, other):
        """The type of a variable that refers to this array or to another one. If this array is in
        memory of a device, host code may not use the variable."""
        unified = _unify_arrays(self, typingctx, other)
        if unified is None or not (is_on_device(self) or is_on_device(other)):
            return unified
        return HitherArray(
            unified.dtype, unified.ndim, unified.layout, not unified.mutable, host=False
        )

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return types.Array  # an operation allocates its result


def _unify_with_device_array(array, typingctx, other):
    if is_on_device(other) and not isinstance(array, HitherArray):
        return other.unify(typingctx, array)
    return _unify_arrays(array, typingctx, other)


_unify_arrays = types.Array.unify
types.Array.unify = _unify_with_device_array  # type: ignore[method-assign]
register_model(HitherArray)(models.ArrayModel)


@lower_cast(HitherArray, HitherArray)
@lower_cast(HitherArray, types.Array)
@lower_cast(types.Array, HitherArray)
def _as_array(context, builder, fromty, toty, value):
    """Unifies the two types of a variable, whose values have the same form."""
    return value


@typeof_impl.register(_hither.Array)
def type_of(array, context):
    """Numba's type of a hither.Array."""
    flags = array.flags
    layout = "C" if flags["C_CONTIGUOUS"] else "F" if flags["F_CONTIGUOUS"] else "A"
    dtype = as_numba_dtype(array.dtype)
    return HitherArray(dtype, array.ndim, layout, not flags["WRITEABLE"], _on_host(array))


_frozen: list[np.ndarray] = []
_make_constant_array = BaseContext.make_constant_array


def _constant_array(context, builder, typ, array):
    """A global array is copied when the function is compiled, as Numba does with NumPy's arrays.
    The copy is never freed, because compiled code may contain its address."""
    if isinstance(array, _hither.Array):
        array = np.asarray(_hither.asnumpy(array), order="F" if typ.layout == "F" else "C")
        _frozen.append(array)
    return _make_constant_array(context, builder, typ, array)


BaseContext.make_constant_array = _constant_array


def _on_host(array) -> bool:
    try:
        memoryview(array)
    except BufferError:
        return False
    return True


def describe(array) -> tuple[int, ...]:
    """Address, number of elements, size of an element, extents, and strides in bytes."""
    queue = _hither.context_queue()
    if queue is not None and array.queue.context != queue.context:
        raise PlacementError(
            f"an argument is in memory of {array.queue.device.filter_string}, but the device "
            f"context is for {queue.device.filter_string}: copy the array with to_device, or open "
            "a context for its queue"
        )
    address = array.__sycl_usm_array_interface__["data"][0]
    array.synchronize()
    size = array.itemsize
    return (address, array.size, size, *array.shape, *array.strides)


@unbox(HitherArray)
def _unbox(typ, obj, c):
    is_plain = not isinstance(c.context, HostContext)
    if is_plain and typ.host:
        _keep_from_disk(c.builder.module)
    if typ.host:
        return unbox_buffer(typ, obj, c)
    if is_plain:
        raise errors.TypingError(
            f"a {typ} cannot be an argument of a function that runs on the host: call it in a "
            "device context, or pass memory of usm_type='shared'"
        )
    builder, pyapi = c.builder, c.pyapi
    function = pyapi.unserialize(pyapi.serialize_object(describe))
    words = pyapi.call_function_objargs(function, [obj])
    pyapi.decref(function)
    array = c.context.make_array(typ)(c.context, builder)
    failed = cgutils.is_null(builder, words)
    with builder.if_then(builder.not_(failed), likely=True):
        given = [
            pyapi.long_as_longlong(pyapi.tuple_getitem(words, i)) for i in range(3 + 2 * typ.ndim)
        ]
        data = builder.inttoptr(given[0], array.data.type)
        array.data, array.nitems, array.itemsize = data, given[1], given[2]
        array.shape = cgutils.pack_array(builder, given[3 : 3 + typ.ndim], ir.IntType(64))
        array.strides = cgutils.pack_array(builder, given[3 + typ.ndim :], ir.IntType(64))
        array.parent = obj
        address = builder.bitcast(data, cgutils.voidptr_t)
        array.meminfo = pyapi.nrt_meminfo_new_from_pyobject(address, obj)
        pyapi.decref(words)
    return NativeValue(array._getvalue(), is_error=failed)


def _keep_from_disk(module) -> None:
    """Excludes the module from Numba's disk cache, which programs without hither, and so without
    this type, read too. Numba recognises uncacheable modules by the name of a global."""
    mark = cgutils.add_global_variable(
        module, cgutils.voidptr_t, "numba.dynamic.globals.hither.Array"
    )
    mark.linkage = "weak"  # otherwise LLVM would remove it
    mark.initializer = ir.Constant(cgutils.voidptr_t, None)


@box(HitherArray)
def _box(typ, value, c):
    """Returns the argument itself, or an array that the function has allocated, which has no
    parent."""
    builder = c.builder
    array = c.context.make_array(typ)(c.context, builder, value)
    given = cgutils.is_not_null(builder, array.parent)
    result = cgutils.alloca_once_value(builder, array.parent)
    with builder.if_else(given) as (argument, allocated):
        with argument:
            c.pyapi.incref(array.parent)
            c.context.nrt.decref(builder, typ, value)
        with allocated:
            plain = types.Array(typ.dtype, typ.ndim, typ.layout, readonly=not typ.mutable)
            builder.store(c.box(plain, value), result)
    return builder.load(result)


# Functions that read the shape and the dtype of an array only.
_OF_SHAPES = (np.empty_like, np.zeros_like, np.ones_like, np.full_like, np.shape, np.size, len)


def refuse_host_access(func_ir, typemap) -> None:
    """Raises TypingError where host code uses an array in memory that only a device can access."""
    arrays = {name for name, numba_type in typemap.items() if is_on_device(numba_type)}
    on_device = _names_of(arrays, func_ir, typemap)
    views = _names_of(_views_of(on_device, func_ir, typemap), func_ir, typemap)
    for block in func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, Parfor) and statement.lowerer is not None:
                continue
            for variable in statement.list_vars():
                if variable.name not in on_device:
                    continue
                if not _leaves_elements_alone(statement, typemap, views):
                    name = variable.name.partition(".")[0]
                    shown = "an array" if name.startswith("$") else name
                    raise errors.TypingError(
                        f"{shown} is in device memory, which the host cannot access: use it only "
                        f"in parallel regions and for its shape, {_advice(statement)}, or pass "
                        "memory of usm_type='shared'",
                        loc=statement.loc,
                    )


def _advice(statement) -> str:
    """What else to do instead of the statement."""
    value = getattr(statement, "value", None)
    is_cast = isinstance(value, numba_ir.Expr) and value.op == "cast"
    if isinstance(statement, numba_ir.Return) or is_cast:
        return "return the array itself and take the view from the result"
    if isinstance(value, numba_ir.Expr) and value.op.startswith("build_"):
        return "give the function a tuple of arrays as its argument"
    return "inline a helper function by @njit(inline='always')"


def _views_of(names, func_ir, typemap) -> set[str]:
    """The variables that are assigned a view of the array of one of `names`."""
    return {
        statement.target.name
        for block in func_ir.blocks.values()
        for statement in block.find_insts(numba_ir.Assign)
        if _is_view(statement, typemap) and statement.value.value.name in names
    }


def _names_of(names, func_ir, typemap) -> set[str]:
    """The variables that may refer to the array of one of `names` or to a view of it."""
    names, known = set(names), 0
    while len(names) > known:
        known = len(names)
        for block in func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                value = statement.value
                if _is_name(value) or _is_view(statement, typemap):
                    source = value if isinstance(value, numba_ir.Var) else value.value
                    if isinstance(source, numba_ir.Var) and source.name in names:
                        names.add(statement.target.name)
    return names


def is_on_device(numba_type) -> bool:
    """Whether it is the type of an array that the host cannot access."""
    return isinstance(numba_type, HitherArray) and not numba_type.host


def _is_name(value) -> bool:
    is_cast = isinstance(value, numba_ir.Expr) and value.op == "cast"
    return is_cast or isinstance(value, numba_ir.Var)


def _is_view(statement, typemap) -> bool:
    """Whether an assignment makes a view of an array by slices and integers."""
    value = statement.value
    if not isinstance(value, numba_ir.Expr) or value.op not in ("getitem", "static_getitem"):
        return False
    index = typemap.get(value.index.name) if value.op == "getitem" else None
    parts = index if isinstance(index, types.BaseTuple) else (index,)
    return isinstance(typemap[statement.target.name], types.Array) and not any(
        isinstance(part, (types.Array, types.List)) for part in parts
    )


def _leaves_elements_alone(statement, typemap, views) -> bool:
    if isinstance(statement, numba_ir.Del):
        return True
    if isinstance(statement, numba_ir.Return):  # other types become arrays of NumPy
        name = statement.value.name
        return isinstance(typemap[name], HitherArray) and name not in views
    if not isinstance(statement, numba_ir.Assign):
        return False
    value = statement.value
    if isinstance(value, numba_ir.Expr) and value.op == "getattr":
        return value.attr in SHAPES
    if isinstance(value, numba_ir.Expr) and value.op == "call":
        return getattr(typemap[value.func.name], "typing_key", None) in _OF_SHAPES
    return not isinstance(value, numba_ir.Expr) or _is_name(value) or _is_view(statement, typemap)
