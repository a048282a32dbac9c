"""Names that need no device: data types and their rules, printing, input and output, iteration.

They are NumPy's own objects, or call NumPy's function with copies of the elements.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

import numpy as np

from .. import _hither as h
from .._array.array_utils import byte_bounds, normalize_axis_index
from .._array.dtypes import is_of_ml_dtypes
from .._array.dtypes import result_type as promoted
from .._array.host_fallback import refuse_dtype, run_on_host
from .._array.manipulation import byte_strides
from .._hither import Array, asarray, asnumpy
from ..errors import ExchangeError, InvalidTypeError
from ._placement import operands, place_of, with_place

# NumPy's own objects, which take no arrays, or dtypes in their place.
OWN = (
    "False_ ScalarType True_ base_repr binary_repr bool bool_ broadcast_shapes byte bytes_ "
    "cdouble character clongdouble complex64 complex128 csingle datetime64 double dtype e "
    "errstate euler_gamma exceptions flexible float16 float32 float64 format_float_positional "
    "format_float_scientific get_printoptions getbufsize geterr geterrcall half index_exp inf "
    "int8 int16 int32 int64 int_ intc intp isdtype issubdtype iterable little_endian long "
    "longdouble longlong mintypecode nan ndindex newaxis object_ pi printoptions promote_types "
    "s_ sctypeDict set_printoptions setbufsize seterr seterrcall short show_config single str_ "
    "timedelta64 typecodes typename ubyte uint uint8 uint16 uint32 uint64 uintc uintp ulong "
    "ulonglong ushort void"
).split()
_NAMES = frozenset(dir(np))  # hasattr would warn of names that NumPy 1.26 announces.
OWN = [name for name in OWN if name in _NAMES]

# Functions that make arrays from data on the host.
FROM_HOST = ("frombuffer fromfile fromiter fromstring genfromtxt load loadtxt").split()

# Functions that read elements on the host to print or store them.
READS = "array2string array_repr array_str save savetxt savez savez_compressed".split()

# Functions of data that arrays of numbers do not hold, and of NumPy's own classes.
REFUSED = (
    "asmatrix bmat busday_count busday_offset datetime_as_string datetime_data frompyfunc "
    "fromregex is_busday nested_iters"
).split()

# Classes of NumPy's own arrays, for isinstance().
CHECKED = "matrix memmap recarray record".split()

__all__ = [
    *OWN, *FROM_HOST, *READS, *REFUSED, *CHECKED, "apply_along_axis", "apply_over_axes", "can_cast",
    "common_type", "finfo", "fromfunction", "iinfo", "iscomplexobj", "isfortran", "isrealobj",
    "isscalar", "may_share_memory", "min_scalar_type", "ndenumerate", "ndim", "packbits", "poly1d",
    "result_type", "shape", "shares_memory", "size", "unpackbits", "vectorize",
]  # fmt: skip

globals().update({name: getattr(np, name) for name in OWN})


def _copied_in(value: Any, name: str, place: dict[str, Any]) -> Any:
    if isinstance(value, np.lib.npyio.NpzFile):
        archive: Any = value
        archive.__class__, archive._place = _Archive, place
        return archive
    if isinstance(value, (list, tuple)):
        return type(value)(_copied_in(item, name, place) for item in value)
    if not isinstance(value, np.ndarray):  # an unpickled object, or text in an archive
        return value
    refuse_dtype(name, value.dtype)
    return asarray(value, **place)


class _Archive(np.lib.npyio.NpzFile):
    """NumPy's archive of arrays, which reads an array and copies it when it is asked for."""

    _place: dict[str, Any]

    def __getitem__(self, key: str) -> Any:
        return _copied_in(super().__getitem__(key), "load", self._place)


def _made_on_host(name: str) -> Callable[..., Any]:
    function = getattr(np, name)

    def make(
        *args: Any, queue: Any = None, device: Any = None, usm_type: Any = None, **kwargs: Any
    ) -> Any:
        like = kwargs.pop("like", None)
        return _copied_in(function(*args, **kwargs), name, place_of(queue, device, usm_type, like))

    return _described(make, function, f"numpy.{name}: the array is read on the host and copied.")


def _described(made: Any, function: Any, doc: str) -> Callable[..., Any]:
    made.__name__ = made.__qualname__ = function.__name__
    made.__doc__ = doc
    with contextlib.suppress(ValueError):  # functions written in C, before NumPy 2.4
        made.__signature__ = with_place(inspect.signature(function))
    return made


def _reader(name: str) -> Callable[..., Any]:
    function = getattr(np, name)

    @functools.wraps(function)
    def read(*args: Any, **kwargs: Any) -> Any:
        if name in ("save", "savez", "savez_compressed"):
            _refuse_to_save(name, (*args, *kwargs.values()))
        return function(*map(_on_host, args), **{k: _on_host(v) for k, v in kwargs.items()})

    read.__doc__ = f"numpy.{name}, with a copy of the elements on the host."
    return read


def _refuse_to_save(name: str, values: Iterable[Any]) -> None:
    """Raises TypeError for arrays whose dtype is lost in NumPy's files."""
    for value in values:
        if isinstance(value, Array) and is_of_ml_dtypes(value.dtype):
            raise InvalidTypeError(
                name, f"NumPy's files cannot store {value.dtype}; save x.astype('float32')"
            )


def _on_host(value: Any) -> Any:
    return asnumpy(value) if isinstance(value, Array) else value


_REFUSAL = """{}

Parameters
----------
*args, **kwargs
    Any arguments.

Raises
------
InvalidTypeError
    Always."""


def _refused(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise InvalidTypeError(
            name, f"is a function of NumPy's own objects; use numpy.{name}, and copy arrays of "
            "numbers with hither.asnumpy(x)"
        )  # fmt: skip

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__ = _REFUSAL.format(f"Refuses: numpy.{name} works with NumPy's own objects.")
    return refuse


globals().update({name: _made_on_host(name) for name in FROM_HOST})
globals().update({name: _reader(name) for name in READS})
globals().update({name: _refused(name) for name in REFUSED})


class _OnlyChecked(type):
    """The type of classes that stand for one of NumPy's in isinstance() and issubclass()."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, getattr(np, cls.__name__))

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, getattr(np, cls.__name__))


def _checked(name: str) -> type:
    text = f"Stands for numpy.{name} in isinstance() and issubclass(). It makes no objects."
    return _OnlyChecked(name, (), {"__new__": _refused(name), "__doc__": _REFUSAL.format(text)})


globals().update({name: _checked(name) for name in CHECKED})


def finfo(dtype: Any) -> Any:
    """The limits of a floating-point dtype, or of an array's."""
    kind = dtype.dtype if isinstance(dtype, Array) else dtype
    with contextlib.suppress(TypeError):
        found = h.dtype_argument(kind)
        if is_of_ml_dtypes(found):
            import ml_dtypes

            return ml_dtypes.finfo(found)
    return np.finfo(kind)


def iinfo(int_type: Any) -> Any:
    """The limits of an integer dtype, or of an array's."""
    return np.iinfo(int_type.dtype) if isinstance(int_type, Array) else np.iinfo(int_type)


def _dtype_of(value: Any) -> Any:
    return value.dtype if isinstance(value, Array) else value


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether a cast between dtypes, or from an array's dtype, is possible by a rule."""
    return np.can_cast(_dtype_of(from_), _dtype_of(to), casting)


def result_type(*arrays_and_dtypes: Any) -> np.dtype:
    """The dtype that NumPy's promotion gives for arrays, dtypes and numbers."""
    given = [_dtype_of(value) for value in arrays_and_dtypes]
    if any(isinstance(value, np.dtype) and is_of_ml_dtypes(value) for value in given):
        return promoted(*given)
    return np.result_type(*given)


def common_type(*arrays: Any) -> Any:
    """The floating-point type that the elements of all arrays convert to."""
    return np.common_type(*(np.zeros(0, x.dtype) if isinstance(x, Array) else x for x in arrays))


def min_scalar_type(a: Any, /) -> np.dtype:
    """The smallest dtype that holds a number; the dtype of an array."""
    if isinstance(a, Array) and a.ndim:
        return a.dtype
    return np.min_scalar_type(a.item() if isinstance(a, Array) else a)


def iscomplexobj(x: Any) -> bool:
    """Whether the dtype is complex."""
    return x.dtype.kind == "c" if isinstance(x, Array) else np.iscomplexobj(x)


def isrealobj(x: Any) -> bool:
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


def isfortran(a: Any) -> bool:
    """Whether the memory is in Fortran order and not in C order."""
    return builtins.bool(a.flags.fnc if isinstance(a, Array) else np.isfortran(a))


def isscalar(element: Any) -> bool:
    """Whether the argument is a number; also an array without dimensions, as results are."""
    return element.ndim == 0 if isinstance(element, Array) else np.isscalar(element)


def ndim(a: Any) -> int:
    """The number of dimensions."""
    return a.ndim if isinstance(a, Array) else np.ndim(a)


def shape(a: Any) -> tuple[int, ...]:
    """The extents."""
    return a.shape if isinstance(a, Array) else np.shape(a)


def size(a: Any, axis: Any = None) -> int:
    """The number of elements, or the product of the extents along axes."""
    if not isinstance(a, Array):
        return np.size(a, axis)
    return np.size(np.broadcast_to(np.int8(0), a.shape), axis)


def _bounds(x: Any) -> tuple[int, int]:
    if isinstance(x, np.ndarray):
        return byte_bounds(x)
    start = x.__sycl_usm_array_interface__["data"][0] + (
        x.__sycl_usm_array_interface__.get("offset", 0) * x.itemsize
    )
    ends = [(n - 1) * s for n, s in zip(x.shape, byte_strides(x), strict=True)]
    return (start + sum(e for e in ends if e < 0),
            start + sum(e for e in ends if e > 0) + x.itemsize)  # fmt: skip


def may_share_memory(a: Any, b: Any, /, max_work: Any = 0) -> bool:
    """Whether the memory of two arrays may overlap, by their first and last addresses."""
    if not all(isinstance(x, (Array, np.ndarray)) and size(x) for x in (a, b)):
        return False
    (low1, high1), (low2, high2) = _bounds(a), _bounds(b)
    return low1 < high2 and low2 < high1


def shares_memory(a: Any, b: Any, /, max_work: Any = -1) -> bool:
    """Whether the memory of two arrays overlaps. The strides are compared by NumPy, on addresses
    alone."""
    if not may_share_memory(a, b):
        return False
    low = min(_bounds(a)[0], _bounds(b)[0])
    length = max(_bounds(a)[1], _bounds(b)[1]) - low
    span = (
        np.broadcast_to(np.zeros((), np.int8), (1,))
        if length > 1 << 24
        else np.zeros(length, np.int8)
    )
    if span.size < length:
        return True
    views = [_same_strides(x, span, low) for x in (a, b)]
    return np.shares_memory(views[0], views[1], max_work=max_work)


def _same_strides(x: Any, span: np.ndarray, low: int) -> np.ndarray:
    strides = byte_strides(x) if isinstance(x, Array) else x.strides
    before = sum((n - 1) * s for n, s in zip(x.shape, strides, strict=True) if s < 0)
    start = _bounds(x)[0] - before - low
    return np.ndarray((*x.shape, x.itemsize), np.int8, span, start, (*strides, 1))


@operands("arr")
def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """The results of a function of vectors for all lines along an axis, one call for each line."""
    lines = h.moveaxis(arr, axis, -1)
    places = list(np.ndindex(lines.shape[:-1]))
    if not places:
        raise ValueError("apply_along_axis: an axis is empty, so that there is no line")
    found = [func1d(lines[place], *args, **kwargs) for place in places]
    parts = [x if isinstance(x, Array) else asarray(x, queue=arr.queue) for x in found]
    result = h.reshape(h.stack(parts), (*lines.shape[:-1], *parts[0].shape))
    own = parts[0].ndim
    place = axis % arr.ndim
    return h.moveaxis(result, tuple(range(result.ndim - own, result.ndim)),
                      tuple(range(place, place + own))) if own else result  # fmt: skip


@operands("a")
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """func(a, axis) for one axis after the other; dimensions that it removes are kept."""
    for axis in np.atleast_1d(axes).tolist():
        axis = axis % a.ndim if axis < 0 else axis
        result = func(a, axis)
        if result.ndim not in (a.ndim, a.ndim - 1) and a.ndim:
            raise ValueError(
                f"apply_over_axes: func returned {result.ndim} dimensions for {a.ndim}; it may "
                "remove one"
            )
        a = result if result.ndim >= a.ndim else h.expand_dims(result, axis)
    return a


def fromfunction(
    function: Any, shape: Any, *, dtype: Any = float, like: Any = None, queue: Any = None,
    device: Any = None, usm_type: Any = None, **kwargs: Any,
) -> Any:  # fmt: skip
    """The result of a function of the arrays of indices along each axis.

    >>> import hither.numpy as np
    >>> np.fromfunction(lambda i, j: i + j, (2, 2), dtype=int).tolist()
    [[0, 1], [1, 2]]
    """
    from ._index_arrays import indices

    place = place_of(queue, device, usm_type, like)
    given = indices(shape, dtype, queue=place["queue"], usm_type=place["usm_type"])
    return function(*h.unstack(given), **kwargs)


class vectorize(np.vectorize):  # noqa: N801 - NumPy's name
    """numpy.vectorize: a Python function is called for each element, on the host.

    hither.vectorize compiles such a function for the device.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is np._NoValue:  # a decorator with arguments, which gets its function
            return super().__call__(*args, **kwargs)
        if getattr(self, "signature", None) is None:
            return run_on_host("vectorize", super().__call__, args, kwargs)

        def function(*slices: Any, **named: Any) -> Any:
            return self.pyfunc(*slices, **named)

        def call(function: Any, *args: Any, **kwargs: Any) -> Any:
            made = np.vectorize(
                function, otypes=self.otypes, excluded=self.excluded, signature=self.signature
            )
            return made(*args, **kwargs)

        # An argument that is a function is called with hither's arrays.
        return run_on_host("vectorize", call, (function, *args), kwargs)


class poly1d(np.poly1d):  # noqa: N801 - NumPy's name
    """numpy.poly1d, a polynomial whose coefficients are a hither.Array."""

    def __init__(self, c_or_r: Any, r: bool = False, variable: Any = None) -> None:
        given = c_or_r if isinstance(c_or_r, (Array, np.poly1d)) else asarray(c_or_r)
        super().__init__(given, r, variable)


class ndenumerate:  # noqa: N801 - NumPy's name
    """Pairs of an index and the element there, which is read when the loop reaches it."""

    def __init__(self, arr: Any) -> None:
        self._pairs = np.ndenumerate(arr) if not isinstance(arr, Array) else self._read(arr)

    @staticmethod
    def _read(x: Array) -> Iterator[Any]:
        """Later writes to x are seen: in its own memory, or because each element is copied."""
        try:
            return np.ndenumerate(np.asarray(x))
        except ExchangeError:
            return ((index, asnumpy(x[index])[()]) for index in np.ndindex(x.shape))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._pairs)


def _bits(x: Array, axis: Any) -> tuple[Array, int]:
    if axis is None:
        return h.reshape(x, (-1,)), 0
    return x, normalize_axis_index(axis, x.ndim)


def _factors(bitorder: str, like: Array) -> Array:
    if bitorder not in ("big", "little"):
        raise ValueError(f"bitorder={bitorder!r} is neither 'big' nor 'little'")
    exponents = (0, 7, 1) if bitorder == "little" else (7, 0, -1)
    return h.iota(8, exponents[0], exponents[2], np.uint8, queue=like.queue)


@operands("a")
def packbits(a: Any, /, axis: Any = None, bitorder: str = "big") -> Any:
    """The elements, as bits, in bytes of eight along an axis.

    >>> import hither.numpy as np
    >>> np.packbits([1, 0, 1]).tolist()
    [160]
    """
    if a.dtype.kind not in "biu":
        raise TypeError(f"packbits: a is {a.dtype}; it must be of bools or integers")
    lines, axis = _bits(a, axis)
    bits = h.moveaxis(h.astype(lines != 0, np.uint8), axis, -1)
    missing = -bits.shape[-1] % 8
    if missing:
        zeros = h.zeros((*bits.shape[:-1], missing), np.uint8, queue=a.queue)
        bits = h.concat([bits, zeros], -1)
    groups = h.reshape(bits, (bits.size // 8, 8))
    shifted = h.bitwise_left_shift(groups, _factors(bitorder, a))
    packed = h.reshape(
        h.sum(shifted, axis=-1, dtype=np.uint8), (*bits.shape[:-1], bits.shape[-1] // 8)
    )
    return h.moveaxis(packed, -1, axis)


@operands("a")
def unpackbits(a: Any, /, axis: Any = None, count: Any = None, bitorder: str = "big") -> Any:
    """The bits of bytes as elements along an axis."""
    if a.dtype != np.uint8:
        raise TypeError(f"unpackbits: a is {a.dtype}, not uint8")
    lines, axis = _bits(a, axis)
    lines = h.moveaxis(lines, axis, -1)
    flat = h.reshape(lines, (lines.size, 1))
    bits = h.bitwise_and(h.bitwise_right_shift(flat, _factors(bitorder, a)), 1)
    bits = h.reshape(bits, (*lines.shape[:-1], lines.shape[-1] * 8))
    if count is not None:
        length = bits.shape[-1]
        kept = count if count >= 0 else length + count
        if kept > length:
            zeros = h.zeros((*bits.shape[:-1], kept - length), np.uint8, queue=a.queue)
            bits = h.concat([bits, zeros], -1)
        bits = bits[..., :kept]
    return h.moveaxis(h.copy(bits), -1, axis)
