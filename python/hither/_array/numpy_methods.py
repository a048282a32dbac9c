"""Methods and attributes of NumPy's arrays, implemented by the functions of hither.numpy."""

from __future__ import annotations

import builtins
import importlib
import inspect
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .. import _hither
from .._checked_call import checked
from .._hither import Array, asarray, asnumpy, dtype_argument, reshape
from ..errors import InvalidTypeError, InvalidValueError, OutOfRangeError
from .dtypes import is_of_ml_dtypes
from .host_fallback import refuse_dtype
from .manipulation import byte_strides, element_strides

__all__: list[str] = []


def _function(name: str) -> Any:
    return getattr(importlib.import_module("hither.numpy"), name)


_PARAMETER = inspect.Parameter
_NAMED_ONLY = {"stable"}


def _numpys_method(name: str, *parameters: str, **defaults: Any) -> Callable[..., Any]:
    """A method that calls hither.numpy's function. The signature shows its parameters."""

    def method(self: Array, *arguments: Any, **keywords: Any) -> Any:
        return _function(name)(self, *arguments, **keywords)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"hither.numpy.{name}(x, ...), with NumPy's parameters."
    either = _PARAMETER.POSITIONAL_OR_KEYWORD
    shown = [_PARAMETER("self", either, annotation="Array")]
    shown += [_PARAMETER(n, either, annotation="Any") for n in parameters]
    for key, value in defaults.items():
        kind = _PARAMETER.KEYWORD_ONLY if key in _NAMED_ONLY else either
        annotation = "Any | None" if value is None or key == "axis" else "Any"
        shown.append(_PARAMETER(key, kind, default=value, annotation=annotation))
    method.__signature__ = inspect.Signature(shown, return_annotation="Any")  # type: ignore
    return method


for _own in (
    _numpys_method("argpartition", "kth", axis=-1, kind="introselect", order=None),
    _numpys_method("argsort", axis=-1, kind=None, order=None, stable=None),
    _numpys_method("choose", "choices", out=None, mode="raise"),
    _numpys_method("cumprod", axis=None, dtype=None, out=None),
    _numpys_method("cumsum", axis=None, dtype=None, out=None),
    _numpys_method("diagonal", offset=0, axis1=0, axis2=1),
    _numpys_method("dot", "b", out=None),
    _numpys_method("nonzero"),
    _numpys_method("ravel", order="C"),
    _numpys_method("repeat", "repeats", axis=None),
    _numpys_method("round", decimals=0, out=None),
    _numpys_method("searchsorted", "v", side="left", sorter=None),
    _numpys_method("swapaxes", "axis1", "axis2"),
    _numpys_method("trace", offset=0, axis1=0, axis2=1, dtype=None, out=None),
):
    setattr(Array, _own.__name__, _own)


def _compress(self: Array, condition: Any, axis: Any = None, out: Any = None) -> Array:
    """The slices along an axis where `condition` is true."""
    return _function("compress")(condition, self, axis, out)


def _sort(
    self: Array, axis: int = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> None:
    """Sorts along an axis, in place."""
    self[...] = _function("sort")(self, operator.index(axis), kind, order, stable=stable)


def _partition(
    self: Array, kth: Any, axis: int = -1, kind: str = "introselect", order: Any = None
) -> None:
    """Orders along an axis as hither.numpy.partition does, in place."""
    self[...] = _function("partition")(self, kth, operator.index(axis), kind, order)


def _transpose(self: Array, *axes: Any) -> Array:
    """A view with the axes in the given order, or in reverse order. The axes may be given one by
    one."""
    if len(axes) == 1 and (axes[0] is None or np.ndim(axes[0]) > 0):
        (axes,) = axes
    elif not axes:
        return _function("transpose")(self)
    return _function("transpose")(self, axes)


def _reshape(
    self: Array, *shape: Any, order: str = "C", copy: bool | None = None, **given: Any
) -> Array:
    """The elements in another shape; the extents may be given one by one."""
    extents = given.pop("shape", shape[0] if len(shape) == 1 else shape)
    if order == "C" and not isinstance(extents, Array):
        return reshape(self, extents, copy=copy)
    return _function("reshape")(self, extents, order, copy=copy)


def _take(
    self: Array, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise", *,
    queue: Any = None,
) -> Array:  # fmt: skip
    """The elements at indices along an axis, or of the flattened array."""
    return _function("take")(self, indices, axis, out, mode, queue=queue)


def _squeeze(self: Array, axis: Any = None, *, queue: Any = None) -> Array:
    """A view without these axes, or without all axes, of extent 1."""
    return _function("squeeze")(self, axis, queue=queue)


def _flatten(self: Array, order: str = "C") -> Array:
    """A copy with one axis."""
    if order == "C":
        return reshape(self, -1, copy=True)
    return _hither.copy(_function("ravel")(self, order))


def _astype(
    self: Array, dtype: Any, order: str = "K", casting: Any = "unsafe", subok: bool = True,
    copy: bool = True, *, device: Any = None, queue: Any = None,
) -> Array:  # fmt: skip
    """The elements converted to another dtype, if `casting` allows it."""
    dtype = np.float64 if dtype is None else dtype
    if casting != "unsafe" and not np.can_cast(self.dtype, dtype, casting):
        raise InvalidTypeError(
            "astype", f"{self.dtype} cannot be cast to {np.dtype(dtype)} by casting={casting!r}"
        )
    placed = device is not None or queue is not None
    result = _hither.astype(self, dtype, copy=copy and placed, device=device, queue=queue)
    if result is self and copy:
        return _function("copy")(self, order)
    return result if order == "K" else _function("array")(result, copy=None, order=order)


def _copy(self: Array, order: str = "C", *, queue: Any = None) -> Array:
    """A copy in new memory."""
    if queue is None and order != "C":
        return _function("copy")(self, order)
    return _hither.copy(self, queue=queue)


def _clip(self: Array, min: Any = None, max: Any = None, out: Any = None, **given: Any) -> Array:
    """The elements, limited to the interval [min, max]; None is no limit."""
    limits = {type(min), type(max)}
    if out is None and not given and self.dtype.kind == "f" and limits <= {int, float, type(None)}:
        return _hither.clip(self, min, max)
    return _function("clip")(self, min=min, max=max, out=out, **given)


def _conjugate(self: Array, out: Any = None) -> Array:
    """The complex conjugate."""
    if out is not None:
        return _function("conjugate")(self, out=out)
    return _hither.conj(self) if self.dtype.kind == "c" else self


def _arrow_array(self: Array, type: Any = None) -> Any:
    """The elements as an array of pyarrow, where the host can access the memory."""
    return importlib.import_module("pyarrow").array(np.asarray(self), type=type)


_item = Array.item


def _item_at(self: Array, *place: Any) -> Any:
    """The element at an index, or the only element, as a Python number."""
    if not place:
        return _item(self)
    if len(place) == 1 and isinstance(place[0], tuple):
        place = place[0]
    if len(place) == 1:
        return _item(reshape(self, (-1,))[place[0]])
    if len(place) != self.ndim:
        raise ValueError(f"item: {len(place)} indices for {self.ndim} dimensions")
    return _item(self[place])


def _tobytes(self: Array, order: str = "C") -> bytes:
    """The elements' bytes, copied to the host."""
    return asnumpy(self).tobytes(order)


def _tofile(self: Array, fid: Any, sep: str | None = None, format: str = "%s") -> None:
    """Writes the elements to a file, as numpy.ndarray.tofile does."""
    asnumpy(self).tofile(fid, sep or "", format)


def _get(self: Array) -> np.ndarray:
    """A copy on the host, as a NumPy array."""
    return asnumpy(self)


def _set(self: Array, values: Any) -> None:
    """Sets all elements to those of an array of this shape, which may be on the host."""
    given = values if isinstance(values, Array) else np.asarray(values)
    if given.shape != self.shape:
        raise InvalidValueError("set", f"values have shape {given.shape}, the array {self.shape}")
    self[...] = given


def _sizeof(self: Array) -> int:
    return object.__sizeof__(self) + self.nbytes


def _round(self: Array, ndigits: Any = None) -> Any:
    """round() of an array without dimensions: an int, or an array if ndigits is given."""
    if self.ndim:
        raise TypeError("round(): the array has dimensions; use hither.round or x.round()")
    return builtins.round(_item(self)) if ndigits is None else _function("round")(self, ndigits)


class _Reinterpreted:
    """The memory of an array, seen as elements of another dtype."""

    def __init__(self, array: Array, interface: dict[str, Any]) -> None:
        self._array = array
        self.__sycl_usm_array_interface__ = interface


# Methods of NumPy's scalars: what they return, and its type.
_OF_SCALARS = {
    "as_integer_ratio": ("Two integers whose quotient is the element.", "tuple[int, int]"),
    "bit_count": ("How many bits of the element's absolute value are 1.", "int"),
    "hex": ("The element as hexadecimal text, as float.hex() writes it.", "str"),
    "is_integer": ("Whether the element is a whole number.", "bool"),
}


def _scalars_method(name: str) -> Callable[..., Any]:
    """A method of NumPy's scalars, which arrays without dimensions take the place of."""

    def method(self: Array) -> Any:
        if self.ndim:
            raise InvalidTypeError(name, f"takes an array without dimensions, not {self.ndim}")
        element = asnumpy(self)[()]
        if not hasattr(element, name):
            raise InvalidTypeError(name, f"is no method of numbers of dtype {self.dtype}")
        return getattr(element, name)()

    method.__name__ = method.__qualname__ = name
    text, kind = _OF_SCALARS[name]
    method.__doc__ = f"{text} The array has no dimensions. The call waits for it."
    method.__annotations__["return"] = kind
    return method


def _setflags(self: Array, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """Sets whether this array may be written. Other views of the memory do not change."""
    if align is not None and not align:
        raise InvalidValueError("align", "cannot be False: elements are always aligned")
    if uic:
        raise InvalidValueError("uic", "cannot be True: no array is a copy that is written back")
    if write is not None:
        self.flags.writeable = bool(write)


def _view(self: Array, dtype: Any = None, type: Any = None) -> Array:
    """A view of the same memory, as elements of another dtype."""
    if isinstance(dtype, builtins.type) and issubclass(dtype, Array):
        dtype = None
    if dtype is None:
        return self[...]
    narrow = isinstance(dtype, str) and dtype.startswith(("bfloat", "float8"))
    wanted = dtype_argument(dtype) if narrow else np.dtype(dtype)
    if wanted == self.dtype:
        return self[...]
    refuse_dtype("view", wanted)
    if is_of_ml_dtypes(wanted):
        return _hither.view_as(_view(self, np.dtype(f"u{wanted.itemsize}")), wanted)
    if is_of_ml_dtypes(self.dtype):
        return _view(_hither.view_as(self, np.dtype(f"u{self.itemsize}")), wanted)
    if not wanted.isnative:
        raise InvalidTypeError(
            "view",
            f"{wanted!r} is not in the byte order of this machine; "
            "copy the array to the host, and use numpy.ndarray.view",
        )
    shape, strides = list(self.shape), list(byte_strides(self))
    old, new = self.itemsize, wanted.itemsize
    if old != new:
        if not shape or (strides[-1] != old and shape[-1] > 1):
            raise ValueError(
                f"view: the last axis must be contiguous to view {self.dtype} as {wanted}"
            )
        if shape[-1] * old % new:
            raise ValueError(
                f"view: {shape[-1]} elements of {old} bytes are no multiple of {new} bytes"
            )
        shape[-1], strides[-1] = shape[-1] * old // new, new
    if self.size == 0:
        return _hither.empty(tuple(shape), wanted, queue=self.queue, usm_type=self.usm_type)
    # No step is made along an axis of one element: its stride may be any.
    strides = [s if n > 1 else new for n, s in zip(shape, strides, strict=True)]
    if any(s % new for s in strides):
        raise ValueError(f"view: strides {byte_strides(self)} are no multiples of {new} bytes")
    if not self.queue.in_order or self.usm_type != "device" or self.device.device_type == "cpu":
        # The view does not know the work that writes x, which the host and other tasks wait for.
        _hither.synchronize(self)
    interface = dict(self.__sycl_usm_array_interface__)
    first = interface["data"][0] + interface.get("offset", 0) * old
    if first % new:
        raise ValueError(
            f"view: the first element is at no multiple of {new} bytes; copy the array first"
        )
    interface.update(
        typestr=wanted.str, shape=tuple(shape), strides=tuple(s // new for s in strides), offset=0,
        data=(first, interface["data"][1]),
    )  # fmt: skip
    interface.pop("typedescr", None)
    return asarray(_Reinterpreted(self, interface))


class FlatElements:
    """The elements of an array in C order: x.flat. Indices read and write them. `index` is the
    place of the next element of the iteration."""

    def __init__(self, base: Array) -> None:
        self.base = base
        self.index = 0
        self._items: Iterator[Array] | None = None

    def __len__(self) -> int:
        return self.base.size

    def __iter__(self) -> Iterator[Array]:
        return self

    def __next__(self) -> Array:
        if self._items is None:
            self._items = iter(reshape(self.base, (-1,)))
        item = next(self._items)
        self.index += 1
        return item

    @property
    def coords(self) -> tuple[int, ...]:
        """The indices of the next element."""
        return tuple(int(i) for i in np.unravel_index(self.index, self.base.shape))

    def __getitem__(self, key: Any) -> Array:
        self._check(key)
        return _hither.copy(reshape(self.base, (-1,))[key])

    @staticmethod
    def _check(key: Any) -> None:
        if key is None or (isinstance(key, tuple) and len(key) > 1):
            raise OutOfRangeError("flat", f"{key!r} is not one index; give an integer or a slice")

    def __setitem__(self, key: Any, value: Any) -> None:
        self._check(key)
        flat = _hither.copy(reshape(self.base, (-1,)))
        flat[key] = value
        self.base[...] = reshape(flat, self.base.shape)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return asnumpy(self.base).reshape(-1).astype(dtype or self.base.dtype)

    def copy(self) -> Array:
        """The elements as a vector."""
        return _hither.copy(reshape(self.base, (-1,)))


def _set_flat(self: Array, values: Any) -> None:
    given = values if isinstance(values, Array) else asarray(values, queue=self.queue)
    self[...] = _function("resize")(given, self.shape)


def memory_interface(x: Array) -> dict[str, Any]:
    """The memory by NumPy's interface, whether or not the program may access it on the host."""
    usm = x.__sycl_usm_array_interface__
    address, read_only = usm["data"]
    return {"version": 3, "shape": x.shape, "typestr": x.dtype.str, "strides": byte_strides(x),
            "data": (address + usm.get("offset", 0) * x.itemsize, read_only)}  # fmt: skip


def _array_interface(self: Array) -> dict[str, Any]:
    """The memory by NumPy's interface, where the host can access it."""
    try:
        memoryview(self).release()  # type: ignore[arg-type]
    except BufferError as error:
        raise AttributeError(f"__array_interface__: {error}") from None
    return memory_interface(self)


def _part_in_memory(x: Array, name: str) -> Array:
    """A view of the real or imaginary parts of complex elements."""
    interface = dict(x.__sycl_usm_array_interface__)
    half = x.itemsize // 2
    address, read_only = memory_interface(x)["data"]
    interface.update(
        typestr=f"<f{half}", strides=tuple(2 * step for step in element_strides(x)), offset=0,
        data=(address + (half if name == "imag" else 0), read_only),
    )  # fmt: skip
    interface.pop("typedescr", None)
    return asarray(_Reinterpreted(x, interface))


def _part(name: str) -> property:
    """x.real or x.imag, to which values can be assigned."""
    read = vars(Array)[name].__get__

    def get(self: Array) -> Array:
        if name == "real" and self.dtype.kind != "c":
            return self
        return read(self, Array)

    def set_(self: Array, values: Any) -> None:
        if name == "imag" and self.dtype.kind != "c":
            raise TypeError("the array is not complex: it has no imaginary part to set")
        if self.dtype.kind != "c":
            self[...] = values
        elif self.size:
            _part_in_memory(self, name)[...] = values

    return property(get, set_, doc=vars(Array)[name].__doc__)


def _order_of(strides: Any, shape: Any, dtype: Any) -> str:
    """The order of new elements with these strides: "C" or "F"."""
    extents = tuple(shape) if isinstance(shape, Iterable) else (shape,)
    for order in "CF":
        steps = [np.dtype(dtype).itemsize]
        for n in extents[:0:-1] if order == "C" else extents[:-1]:
            steps.append(steps[-1] * n)
        if tuple(strides) == tuple(steps[::-1] if order == "C" else steps)[: len(extents)]:
            return order
    raise InvalidValueError(
        "ndarray",
        f"strides={tuple(strides)} are those of neither order of shape {extents}; give order=, or "
        "make a view with lib.stride_tricks.as_strided",
    )


def _new(
    cls: type[Array], shape: Any, dtype: Any = float, buffer: Any = None, offset: int = 0,
    strides: Any = None, order: Any = None, *, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Array:  # fmt: skip
    """An array of this shape, whose elements are undefined, or are read from a buffer."""
    if buffer is None:
        if strides is not None:
            order = _order_of(strides, shape, dtype)
        return _function("empty")(shape, dtype, order or "C", queue=queue, device=device,
                                  usm_type=usm_type)  # fmt: skip
    host = np.ndarray(shape, dtype, buffer, offset, strides, order)
    return _function("array")(host, queue=queue, device=device, usm_type=usm_type)


def _initialised(self: Array, *arguments: Any, **keywords: Any) -> None:
    """Nothing is left to do: the array is complete."""


for _name, _method in {
    "__init__": _initialised, "__new__": staticmethod(_new), "__round__": _round,
    "__sizeof__": _sizeof, "__class_getitem__": classmethod(types.GenericAlias),
    "__array_interface__": property(_array_interface), "__arrow_array__": _arrow_array,
    "astype": checked(_astype), "clip": checked(_clip), "compress": checked(_compress),
    "conj": _conjugate, "conjugate": _conjugate, "copy": _copy,
    "data": property(lambda x: memoryview(x), doc="The memory, where the host can access it."),
    "flat": property(FlatElements, _set_flat, doc="The elements in C order."),
    "flatten": checked(_flatten), "get": _get, "imag": _part("imag"), "item": _item_at,
    "partition": checked(_partition), "real": _part("real"), "reshape": _reshape, "set": _set,
    "setflags": checked(_setflags), "sort": checked(_sort), "squeeze": checked(_squeeze),
    "take": checked(_take),
    "tobytes": _tobytes, "tofile": _tofile,
    "transpose": _transpose, "view": _view,
}.items():  # fmt: skip
    setattr(Array, _name, _method)
for _name in _OF_SCALARS:
    setattr(Array, _name, _scalars_method(_name))
