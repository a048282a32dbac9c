"""hither's own arrays as arguments of Numba functions.

They have a Numba type of their own, of which the values are Numba's arrays over the same memory.
Whatever a function makes of one (views, results) is a NumPy array. In memory that the host cannot
reach only regions may touch them: elsewhere in the function that is an error when it is compiled.
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
    """A hither.Array. `host` says whether plain host code may touch its memory."""

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
        return True  # array expressions of it are fused

    def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
        return types.Array  # what an operation gives is memory of the function


register_model(HitherArray)(models.ArrayModel)


@lower_cast(HitherArray, types.Array)
def _as_array(context, builder, fromty, toty, value):
    """Where a variable is either: the values are the same."""
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
    """An array that a function names and is not given is frozen when that is compiled, as NumPy's
    are. Code may point at the copy, so that it stays."""
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
    """Address, number of elements, size of one, extents and strides in bytes."""
    queue = _hither.context_queue()
    if queue is not None and array.queue.context != queue.context:
        raise PlacementError(
            f"{array.queue.device.filter_string} holds an argument in memory of its own, and the "
            f"device context is one of {queue.device.filter_string}: copy it with to_device, or "
            "open a context for its queue"
        )
    address = array.__sycl_usm_array_interface__["data"][0]
    array.synchronize()
    size = array.itemsize
    return (address, array.size, size, *array.shape, *(s * size for s in array.strides))


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
    """Programs without hither read Numba's own cache too, and do not have this type. Numba knows
    what cannot be cached by the name of a global."""
    mark = cgutils.add_global_variable(
        module, cgutils.voidptr_t, "numba.dynamic.globals.hither.Array"
    )
    mark.linkage = "weak"  # or it would be dropped
    mark.initializer = ir.Constant(cgutils.voidptr_t, None)


@box(HitherArray)
def _box(typ, value, c):
    """The argument itself: nothing else has this type."""
    array = c.context.make_array(typ)(c.context, c.builder, value)
    c.pyapi.incref(array.parent)
    c.context.nrt.decref(c.builder, typ, value)
    return array.parent


def refuse_host_access(func_ir, typemap) -> None:
    """Raises TypingError where code that runs on the host touches an array that only a device
    reaches."""
    for block in func_ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, Parfor) and statement.lowerer is not None:
                continue
            for variable in statement.list_vars():
                numba_type = typemap.get(variable.name)
                if not isinstance(numba_type, HitherArray) or numba_type.host:
                    continue
                if not _only_names(statement):
                    raise errors.TypingError(
                        f"{variable.name.partition('.')[0]} is in memory of a device, which the "
                        "host cannot touch: use it in parallel regions alone, or pass memory of "
                        "usm_type='shared'",
                        loc=statement.loc,
                    )


def _only_names(statement) -> bool:
    if isinstance(statement, (numba_ir.Del, numba_ir.Return)):
        return True
    if not isinstance(statement, numba_ir.Assign):
        return False
    value = statement.value
    if isinstance(value, numba_ir.Expr):
        return value.op == "cast" or (value.op == "getattr" and value.attr in SHAPES)
    return True
