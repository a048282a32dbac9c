"""Creation of arrays: from shapes, ranges, data on the host and other arrays.

Without an array as an argument, they use the innermost context's queue, else the default device's.
"""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither as h
from .._array import creation
from .._array.dtypes import kind_of
from .._array.host_fallback import refuse_dtype
from .._hither import Array, where
from .._names import a_type
from ..errors import InvalidTypeError, InvalidValueError
from ._arguments import dtype_of, whole
from ._direct import directly
from ._memory_order import axes_in_memory, back, copied, fits, is_fortran, memory_order, ordered
from ._placement import (
    as_array,
    chosen_queue,
    first_array,
    moved,
    operands,
    overriding,
    place_like,
    place_of,
    refuse_no_number,
    show_place,
)

if TYPE_CHECKING:
    from .._argument_types import Maker

__all__ = [
    "array",
    "asanyarray",
    "asarray",
    "asarray_chkfinite",
    "ascontiguousarray",
    "asfortranarray",
    "astype",
    "copy",
    "empty",
    "empty_like",
    "eye",
    "from_dlpack",
    "full",
    "full_like",
    "identity",
    "meshgrid",
    "ones",
    "ones_like",
    "require",
    "tri",
    "tril",
    "triu",
    "vander",
    "zeros",
    "zeros_like",
]


def _checked_dtype(function: str, dtype: Any) -> Any:
    if dtype is None:
        return None
    made = dtype_of(function, dtype)
    refuse_dtype(function, made)
    return made


_LISTS = (list, tuple)


def _of_list(given: Any) -> Array | None:
    """The numbers and arrays in a list as an array; None if the list holds something else."""
    try:
        return h.asarray(given)
    except (TypeError, ValueError, OverflowError):
        return None  # array() has the fitting error


def array(
    object: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K", subok: bool = False,
    ndmin: int = 0, ndmax: int = 0, like: Any = None, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Array:  # fmt: skip
    """An array with the elements of an array, a number, or nested sequences; a copy by default.

    >>> import hither.numpy as np
    >>> np.array([[1, 2], [3, 4]], dtype="float32").shape
    (2, 2)
    """
    if type(object) in _LISTS and dtype is like is queue is device is usm_type is None:
        made = _of_list(object) if ndmin == 0 and copy is True and order == "K" else None
        if made is not None:
            return made
    dtype = _checked_dtype("array", dtype)
    order = memory_order("array", order, "K")
    home = _like(like, object)
    place = place_of(queue, device, usm_type, home)
    if isinstance(object, Array):
        if queue is None and device is None and like is None:
            place["queue"] = object.queue
    else:
        if isinstance(object, (np.ndarray, np.generic)) and dtype is None:
            refuse_dtype("array", object.dtype)
        if object is None and dtype is not None and dtype.kind in "fc":
            object = math.nan  # as in NumPy
        refuse_no_number("array", "object", object)
        if isinstance(object, (list, tuple, range)) and (
            home is None or (like is not None and first_array((object,)) is None)
        ):
            object = np.asarray(object, dtype)
            refuse_dtype("array", object.dtype)
            if order != "F" and object.ndim >= ndmin and (copy or copy is None):
                return h.asarray(object, copy=True, **place)
    result = _imported(object, dtype, True if copy else copy, order, place)
    ndmin = whole("array", "ndmin", ndmin)
    if result.ndim < ndmin:
        result = h.reshape(result, (1,) * (ndmin - result.ndim) + result.shape)
    return result


def _imported(x: Any, dtype: Any, copy: Any, order: str, place: dict[str, Any]) -> Array:
    """x as an array in a memory order. `copy` is True, False for never, or None for if needed."""
    if not isinstance(x, (Array, np.ndarray)):
        return ordered(h.asarray(x, dtype=dtype, copy=copy, **place), order)
    same = fits(x, order)
    if copy is False and not same:
        raise InvalidValueError(
            "array", f"copy=False, but the memory is not in the order {order!r}; leave copy out"
        )
    kept = same and isinstance(x, Array) and (dtype is None or dtype == x.dtype)
    if not copy and kept and isinstance(x, Array) and _is_at(x, place):
        # A result without dimensions is a number in NumPy, which writes to an array of it leave.
        return h.copy(x) if copy is None and x.ndim == 0 else x
    if copy is False or (copy is None and kept):
        return h.asarray(x, dtype=dtype, copy=copy, **place)
    axes = axes_in_memory(x, order)
    source = x if axes is None else x.transpose(axes)
    made = h.asarray(source, dtype=dtype, copy=copy, **place)
    return back(ordered(made, "C"), axes)


def _is_at(x: Array, place: dict[str, Any]) -> bool:
    return place["queue"] == x.queue and place["usm_type"] in (None, x.usm_type)


def _like(like: Any, object: Any) -> Any:
    if like is not None and not isinstance(like, Array):
        raise InvalidTypeError("like", f"is {a_type(like)}; it must be a hither.Array")
    return like if like is not None else first_array((object,))


def asarray(
    a: Any, dtype: Any = None, order: Any = None, *, device: Any = None, copy: Any = None,
    like: Any = None, queue: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """The argument as an array: itself if it is one of this dtype and place, else a copy. Arrays
    without dimensions are copied, unless copy=False, because results are such arrays where NumPy's
    are numbers.

    ``like`` names an array on whose queue the result is.
    """
    if dtype is order is device is copy is like is queue is usm_type is None:
        if type(a) is Array:
            return a if a.ndim else h.copy(a)
        made = _of_list(a) if type(a) in _LISTS else None
        if made is not None:
            return made
    return array(
        a, dtype, copy=copy, order=order, like=like, queue=queue, device=device, usm_type=usm_type
    )


asanyarray = asarray


def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None, **place: Any) -> Array:
    """asarray(); raises ValueError if an element is NaN or infinite. It reads the array."""
    result = asarray(a, dtype, order, **place)
    if kind_of(result.dtype) in "fc" and not bool(h.all(h.isfinite(result))):
        raise ValueError("asarray_chkfinite: a contains NaN or infinity")
    return result


def ascontiguousarray(a: Any, dtype: Any = None, *, like: Any = None, **place: Any) -> Array:
    """The argument as an array in C order, with at least one dimension."""
    return array(a, dtype, copy=None, order="C", ndmin=1, like=like, **place)


def asfortranarray(a: Any, dtype: Any = None, *, like: Any = None, **place: Any) -> Array:
    """The argument as an array in Fortran order, with at least one dimension."""
    return array(a, dtype, copy=None, order="F", ndmin=1, like=like, **place)


def require(
    a: Any, dtype: Any = None, requirements: Any = None, *, like: Any = None, **place: Any
) -> Array:
    """The argument as an array that satisfies these requirements, copied if it does not.

    They are the memory order ("C" or "F"), that it can be written ("W"), and that it has its
    memory alone ("O"); all arrays are aligned ("A") and of this class ("E").
    """
    wanted = {_requirement(name) for name in requirements or ()}
    if {"C", "F"} <= wanted:
        raise InvalidValueError("require", 'requirements name both "C" and "F" order; give one')
    order = "F" if "F" in wanted else "C" if "C" in wanted else None
    result = array(a, dtype, copy=None, order=order, like=like, **place)
    unwritable = "W" in wanted and not result.flags.writeable
    shared = "O" in wanted and result.base is not None
    return copied(result, order or "A") if unwritable or shared else result


_REQUIREMENTS = {
    "C": "C", "C_CONTIGUOUS": "C", "CONTIGUOUS": "C", "F": "F", "F_CONTIGUOUS": "F",
    "FORTRAN": "F", "A": "A", "ALIGNED": "A", "W": "W", "WRITEABLE": "W", "O": "O", "OWNDATA": "O",
    "E": "E", "ENSUREARRAY": "E",
}  # fmt: skip


def _requirement(name: Any) -> str:
    letter = _REQUIREMENTS.get(str(name).upper())
    if letter is None:
        raise KeyError(f"require: {name!r} is none of {', '.join(_REQUIREMENTS)}")
    return letter


@operands("a")
def copy(a: Any, order: Any = "K", subok: bool = False) -> Any:
    """A copy of the array."""
    return copied(a, memory_order("copy", order, "K"))


@operands("x")
def astype(x: Any, dtype: Any, /, *, copy: bool = True) -> Any:
    """The elements converted to another dtype."""
    wanted = np.float64 if dtype is None else _checked_dtype("astype", dtype)
    return h.astype(x, wanted, copy=copy)


def _of_shape(name: str, numpys: Callable[..., Any], doc: str) -> Callable[..., Any]:
    """empty, zeros or ones."""
    make = getattr(h, name)

    def create(
        shape: Any, dtype: Any = None, order: str = "C", *, device: Any = None, like: Any = None,
        queue: Any = None, usm_type: Any = None,
    ) -> Array:  # fmt: skip
        place = place_of(queue, device, usm_type, like)
        extents, dtype = _elements(name, shape, np.float64 if dtype is None else dtype)
        if memory_order(name, order, "C", "CF") == "F" and len(extents) > 1:
            return make(extents[::-1], dtype, **place).T
        return make(extents, dtype, **place)

    create.__name__ = create.__qualname__ = name
    create.__doc__ = doc
    return directly(lambda: make, operands=0, positional=2, keywords="dtype")(create)


def _elements(function: str, shape: Any, dtype: Any) -> tuple[tuple[int, ...], Any]:
    """The shape and dtype of a new array. Dtypes with a shape, as ("f8", (3,)), add dimensions."""
    made = dtype_of(function, dtype)
    return (*_shape(shape), *made.shape), _checked_dtype(function, made.base)


def _shape(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (Array, np.ndarray)):
        shape = shape.tolist()
    if isinstance(shape, (tuple, list)):
        return tuple(operator.index(n) for n in shape)
    return (operator.index(shape),)


_Maker = Callable[..., Array]
empty: Maker = _of_shape("empty", np.empty, "An array whose elements are undefined.")
zeros: Maker = _of_shape("zeros", np.zeros, "An array of zeros.")
ones: Maker = _of_shape("ones", np.ones, "An array of ones.")


def _cast(number: Any, dtype: Any) -> Any:
    """A number as full() casts it: as astype() does, but Python integers have to fit."""
    if isinstance(number, Array):
        return h.astype(number, dtype, copy=False)
    if not isinstance(number, (float, complex, np.generic)):
        return number
    if isinstance(number, np.generic):
        refuse_dtype("full", number.dtype)
    return np.asarray(number).astype(dtype).item()


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", *, device: Any = None,
    like: Any = None, queue: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """An array filled with a number, or with an array that broadcasts to `shape`."""
    home = like if like is not None else first_array((fill_value,))
    place = place_of(queue, device, usm_type, home)
    extents, dtype = (_shape(shape), None) if dtype is None else _elements("full", shape, dtype)
    if not isinstance(fill_value, (bool, int, float, complex, np.generic, Array)):
        fill_value = as_array("full", "fill_value", fill_value, place["queue"], home)
    if dtype is not None:
        fill_value = _cast(fill_value, dtype)
    if isinstance(fill_value, Array) and fill_value.ndim:
        result = h.copy(h.broadcast_to(h.asarray(fill_value, **place), extents))
    else:
        if isinstance(fill_value, Array):
            dtype = fill_value.dtype if dtype is None else dtype
        result = h.full(extents, fill_value, dtype, **place)
    return ordered(result, memory_order("full", order, "C", "CF"))


def _alike(name: str, doc: str) -> Callable[..., Any]:
    """empty_like, zeros_like or ones_like."""
    make, native = globals()[name.removesuffix("_like")], getattr(h, name)
    first = "prototype" if name == "empty_like" else "a"

    def create(
        prototype: Any, /, dtype: Any = None, order: str = "K", subok: bool = True,
        shape: Any = None, *, device: Any = None, queue: Any = None, usm_type: Any = None,
    ) -> Array:  # fmt: skip
        x, extents, axes = _prototype(name, prototype, shape, order, queue, device)
        place = place_of(queue, device, usm_type, x)
        kind = x.dtype if dtype is None else dtype
        return back(make(extents, kind, queue=place["queue"], usm_type=place["usm_type"]), axes)

    def call(*args: Any, **kwargs: Any) -> Array:
        alone = len(args) == 1 and not kwargs and type(args[0]) is Array
        if alone and axes_in_memory(args[0], "K") is None:
            return native(args[0])
        if first in kwargs:
            args = (kwargs.pop(first), *args)
        if (own := overriding(args[:1])) is not None:
            return own.__hither_function__(name, args, kwargs)
        return create(*args, **kwargs)

    signature = inspect.signature(create)
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [p.replace(name=first, kind=kind) if p.name == "prototype" else
                  p.replace(kind=kind) if p.kind is p.POSITIONAL_ONLY else p
                  for p in signature.parameters.values()]  # fmt: skip
    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__name__ = call.__qualname__ = name
    call.__doc__ = doc
    return call


def _prototype(
    name: str, x: Any, shape: Any, order: Any, queue: Any, device: Any
) -> tuple[Array, tuple[int, ...], list[int] | None]:
    """The prototype as an array, and the extents and axes of the result as they are in memory."""
    order = memory_order(name, order, "K")
    if not isinstance(x, Array):
        x = asarray(x, queue=queue, device=device)
    extents = x.shape if shape is None else _shape(shape)
    if order == "A":
        order = "F" if is_fortran(x) else "C"
    if order == "F" and len(extents) > 1:
        axes: list[int] | None = list(range(len(extents)))[::-1]
    else:
        axes = axes_in_memory(x, order) if len(extents) == x.ndim else None
    return x, extents if axes is None else tuple(extents[axis] for axis in axes), axes


empty_like: _Maker = _alike("empty_like", "empty() with the shape, dtype and place of an array.")
zeros_like: _Maker = _alike("zeros_like", "zeros() with the shape, dtype and place of an array.")
ones_like: _Maker = _alike("ones_like", "ones() with the shape, dtype and place of an array.")


def full_like(
    a: Any, fill_value: Any, dtype: Any = None, order: str = "K", subok: bool = True,
    shape: Any = None, *, device: Any = None, queue: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """full() with the shape, dtype and place of an array."""
    if (own := overriding((a,))) is not None:
        options = {"dtype": dtype, "shape": shape, "device": device, "queue": queue}
        return own.__hither_function__("full_like", (a, fill_value), options)
    x, extents, axes = _prototype("full_like", a, shape, order, queue, device)
    place = place_of(queue, device, usm_type, x)
    if axes is not None and np.ndim(fill_value):
        fill_value = h.permute_dims(h.broadcast_to(asarray(fill_value, like=x), x.shape), axes)
    kind = x.dtype if dtype is None else dtype
    made = full(extents, fill_value, kind, queue=place["queue"], usm_type=place["usm_type"])
    return back(made, axes)


def from_dlpack(x: Any, /, *, device: Any = None, copy: Any = None, queue: Any = None) -> Array:
    """An array over the memory of an object with __dlpack__."""
    return h.from_dlpack(x, device=device, copy=copy, queue=queue)


def eye(
    N: int, M: Any = None, k: int = 0, dtype: Any = float, order: str = "C", *,  # noqa: N803
    device: Any = None, like: Any = None, queue: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """Ones on the k-th diagonal and zeros elsewhere."""
    place = place_of(queue, device, usm_type, like)
    columns = None if M is None else whole("eye", "M", M)
    made = creation.eye(whole("eye", "N", N), columns, whole("eye", "k", k),
                        dtype=_checked_dtype("eye", dtype), **place)  # fmt: skip
    return made if order == "C" else ordered(made, memory_order("eye", order, "C", "CF"))


def identity(n: int, dtype: Any = None, *, like: Any = None, **place: Any) -> Array:
    """The identity matrix of n rows."""
    return eye(n, dtype=np.float64 if dtype is None else dtype, like=like, **place)


def tri(
    N: int, M: Any = None, k: int = 0, dtype: Any = float, *, like: Any = None,  # noqa: N803
    queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """Ones on and below the k-th diagonal and zeros elsewhere."""
    place = place_of(queue, device, usm_type, like)
    N, columns = max(N, 0), max(N if M is None else M, 0)  # noqa: N806
    rows = h.expand_dims(h.iota(N, whole("tri", "k", k), 1, np.int64, **place), 1)
    below = h.iota(columns, 0, 1, np.int64, **place) <= rows
    return h.astype(below, _checked_dtype("tri", dtype) or np.float64, copy=False)


@operands("m")
def tril(m: Any, k: int = 0) -> Any:
    """m with zeros above the k-th diagonal of its last two axes."""
    return creation.tril(_rows(m), k=k)


@operands("m")
def triu(m: Any, k: int = 0) -> Any:
    """m with zeros below the k-th diagonal of its last two axes."""
    return creation.triu(_rows(m), k=k)


def _rows(m: Array) -> Array:
    return h.broadcast_to(m, (m.shape[0], m.shape[0])) if m.ndim == 1 else m


@operands("x")
def vander(x: Any, N: Any = None, increasing: bool = False) -> Any:  # noqa: N803
    """The matrix whose columns are the powers of a vector, in descending order by default.

    >>> import hither.numpy as np
    >>> np.vander([2, 3], 3).tolist()
    [[4, 2, 1], [9, 3, 1]]
    """
    if x.ndim != 1:
        raise ValueError(f"vander: x has shape {x.shape}; it must have one dimension")
    count = x.size if N is None else N
    kind = np.promote_types(x.dtype, int)
    rows = h.broadcast_to(h.expand_dims(h.astype(x, kind), 1), (x.size, count))
    first = h.expand_dims(h.iota(count, 0, 1, np.int64, **place_like(x)), 0) == 0
    powers = h.cumulative_prod(where(first, 1, rows), axis=1, dtype=kind)
    return powers if increasing else h.copy(h.flip(powers, 1))


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy", queue: Any = None,
    device: Any = None, usm_type: Any = None,
) -> tuple[Array, ...]:  # fmt: skip
    """An array of coordinates for each of the vectors `xi`; with sparse=True they have extent 1
    along the axes of the others.

    >>> import hither.numpy as np
    >>> [x.shape for x in np.meshgrid([1, 2, 3], [4, 5])]
    [(2, 3), (2, 3)]
    """
    if indexing not in ("xy", "ij"):
        raise ValueError(f'meshgrid: indexing={indexing!r} is neither "xy" nor "ij"')
    home = first_array(xi)
    place = place_of(queue, device, usm_type, home)
    moves = chosen_queue(queue, device) is not None
    arrays = [
        h.reshape(as_array("meshgrid", "xi", x, place["queue"], home, moves), (-1,)) for x in xi
    ]
    swap = indexing == "xy" and len(arrays) > 1
    order = [1, 0, *range(2, len(arrays))] if swap else list(range(len(arrays)))
    spread = [
        h.reshape(x, (1,) * order[i] + (-1,) + (1,) * (len(arrays) - order[i] - 1))
        for i, x in enumerate(arrays)
    ]
    if not sparse:
        shape = h.broadcast_shapes(*(x.shape for x in spread)) if spread else ()
        spread = [h.broadcast_to(x, shape) for x in spread]
    return tuple(moved(h.copy(x) if copy else x, usm_type) for x in spread)


show_place(asarray_chkfinite, ascontiguousarray, asfortranarray, require, identity)
