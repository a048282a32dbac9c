"""The arguments of the constructors: sparse matrices of hither and other packages, dense arrays,
shapes, and the arrays of a format."""

from __future__ import annotations

import contextlib
import operator
from typing import Any

import numpy as np

from ... import _hither as h
from ..._array.dtypes import kind_of
from ..._device_context import current_queue
from ..._hither import Array, asarray, astype
from ...errors import InvalidTypeError, InvalidValueError, PlacementError
from ...numpy._placement import as_array, chosen_queue, first_array, refuse_no_number
from . import _rows
from ._rows import Coordinates, Rows

__all__: list[str] = []

# The dtypes that indices keep.
_INDICES = (np.dtype(np.int32), np.dtype(np.int64))


class Place:
    """Where a constructor puts its arrays, and in which dtype."""

    def __init__(self, function: str, queue: Any, device: Any, usm_type: Any, dtype: Any) -> None:
        self.function = function
        self.asked = chosen_queue(queue, device, function)
        self.usm_type = usm_type
        self.dtype = None if dtype is None else h.dtype_argument(dtype)

    def arrays(self, values: dict[str, Any]) -> list[Array]:
        """The values as arrays of one queue: that of the arguments, or the one asked for."""
        home = first_array(values.values())
        queue = self.asked or (home.queue if home is not None else current_queue())
        moves = self.asked is not None
        return [self._array(name, value, queue, home, moves) for name, value in values.items()]

    def _array(self, name: str, value: Any, queue: Any, home: Any, moves: bool) -> Array:
        given = type(value) in (list, tuple) and name in ("data", "arg1")
        if given and self.dtype is not None and first_array((value,)) is None:
            # In this dtype integers beyond int64 stay exact. NumPy refuses complex numbers.
            with contextlib.suppress(TypeError, OverflowError):
                value = asarray(np.asarray(value, dtype=self.dtype), queue=queue)
        from_host = isinstance(value, np.ndarray) and home is None
        is_own = isinstance(value, Array)
        if from_host or (not is_own and hasattr(value, "__cuda_array_interface__")):
            return asarray(value, queue=queue, usm_type=self.usm_type)
        refuse_no_number(self.function, name, value)
        x = as_array(self.function, name, value, queue, home, moves)
        return x if self.usm_type is None else asarray(x, usm_type=self.usm_type)

    def like(self) -> Array:
        """An array in the place, for matrices without elements."""
        queue = self.asked or current_queue()
        return h.empty((0,), np.bool_, queue=queue, usm_type=self.usm_type)

    def cast(self, data: Array, copy: bool) -> Array:
        kind = data.dtype if self.dtype is None else self.dtype
        return data if kind == data.dtype and not copy else astype(data, kind)


def shape_of(function: str, shape: Any, dimensions: tuple[int, ...] = (1, 2)) -> tuple[int, ...]:
    """A shape as a tuple of integers."""
    given = (shape,) if np.isscalar(shape) else tuple(shape)
    try:
        found = tuple(map(operator.index, given))
    except TypeError:
        raise InvalidTypeError(function, f"shape is {shape!r}; it must contain integers") from None
    if len(found) not in dimensions:
        counts = " or ".join(map(str, dimensions))
        raise InvalidValueError(function, f"shape is {found}; this format has {counts} dimensions")
    if min(found) < 0:
        raise InvalidValueError(function, f"shape is {found}; it must not be negative")
    _rows.check_extents(function, "shape", found)
    return found


def is_shape(value: Any) -> bool:
    """Whether the argument is a tuple of one or two integers."""
    return (
        isinstance(value, tuple)
        and len(value) in (1, 2)
        and all(isinstance(n, (int, np.integer)) and not isinstance(n, bool) for n in value)
    )


def refuse_shape(function: str, value: Any) -> None:
    """Raises InvalidValueError for a tuple of three integers, a shape that has no format."""
    if isinstance(value, tuple) and len(value) == 3 and is_shape(value[:2]) and is_shape(value[2:]):
        raise InvalidValueError(function, f"the shape {value} has 3 extents; at most 2 are stored")


def is_foreign(value: Any) -> bool:
    """Whether the value is a sparse matrix of SciPy or CuPy."""
    module = type(value).__module__.partition(".")[0]
    return module in ("scipy", "cupyx") and hasattr(value, "tocoo") and hasattr(value, "nnz")


def refuse_foreign(function: str, name: str, value: Any) -> None:
    """Raises InvalidTypeError for a sparse matrix of SciPy or CuPy."""
    if is_foreign(value):
        package = "CuPy" if type(value).__module__.startswith("cupyx") else "SciPy"
        raise InvalidTypeError(
            function,
            f"{name} is {package}'s {type(value).__name__}; convert it with "
            "hither.scipy.sparse.csr_array(a)",
        )


def indices_of(function: str, name: str, x: Array) -> Array:
    """A vector of indices, int32 or int64. It waits for floats, which are checked."""
    if x.ndim != 1:
        raise InvalidValueError(function, f"{name} has shape {x.shape}; it must be a vector")
    if x.dtype in _INDICES:
        return x
    kind = kind_of(x.dtype)
    if kind == "f":  # as in SciPy, numbers lose their fractions
        if x.size and not bool(h.all(h.isfinite(x))):
            raise InvalidValueError(function, f"{name} contains NaN or infinity, not only indices")
        return astype(x, np.int64)
    if kind not in "biu":
        raise InvalidTypeError(function, f"{name} has dtype {x.dtype}; it must have integers")
    return astype(x, np.int32 if x.dtype.itemsize < 4 else np.int64)


def check_range(function: str, name: str, x: Array, extent: int) -> None:
    """Refuses indices that are not in [0, extent). It waits for them."""
    if x.size == 0:
        return
    low, high = h.min(x), h.max(x)
    h.evaluate(low, high)
    if int(low) < 0 or int(high) >= extent:
        wrong = int(low) if int(low) < 0 else int(high)
        raise InvalidValueError(
            function, f"{name} contains {wrong}; with this shape it must be in [0, {extent})"
        )


def assigned(name: str, value: Any, old: Array, are_indices: bool = False) -> Array:
    """The value that takes the place of an array of a sparse array, on the queue of `old`."""
    x = as_array(name, "the value", value, old.queue, old)
    if are_indices and kind_of(x.dtype) not in "iu":
        raise InvalidTypeError(name, f"the value has dtype {x.dtype}; it must have integers")
    if x.queue != old.queue:
        raise PlacementError(
            name, f"the value is on another queue, of {x.device}, than the sparse array, on "
            f"{old.device}; copy it with hither.asarray(v, queue=A.queue)",
        )  # fmt: skip
    return x


def compressed(place: Place, given: tuple, shape: Any, turned: bool, copy: bool) -> Any:
    """The lines of (data, indices, indptr), and the shape."""
    function = place.function
    names = ("data", "indices", "indptr")
    data, indices, indptr = place.arrays(dict(zip(names, given, strict=True)))
    if data.ndim != 1:
        raise InvalidValueError(function, f"data has shape {data.shape}; it must be a vector")
    indices = indices_of(function, "indices", indices)
    indptr = indices_of(function, "indptr", indptr)
    if indptr.size == 0:
        raise InvalidValueError(function, "indptr is empty; it has an element more than lines")
    if indices.dtype != indptr.dtype:
        indices, indptr = (astype(x, np.int64, copy=False) for x in (indices, indptr))
    shape = _compressed_shape(function, indices, indptr, shape, turned)
    lines = shape[-1] if turned else shape[0] if len(shape) == 2 else 1
    extent = shape[0] if turned else shape[-1]
    if indptr.size != lines + 1:
        raise InvalidValueError(
            function, f"indptr has {indptr.size} elements; shape {shape} needs {lines + 1}"
        )
    if data.size != indices.size:
        raise InvalidValueError(
            function, f"data has {data.size} elements and indices has {indices.size}"
        )
    data, indices = _checked(function, data, indices, indptr, extent)
    if copy:
        indices, indptr = h.copy(indices), h.copy(indptr)
    return Rows(place.cast(data, copy), indices, indptr, lines, extent), shape


def _compressed_shape(
    function: str, indices: Array, indptr: Array, shape: Any, turned: bool
) -> tuple[int, ...]:
    if shape is not None:
        return shape_of(function, shape, (2,) if turned else (1, 2))
    extent = int(h.max(indices)) + 1 if indices.size else 0
    lines = indptr.size - 1
    return (extent, lines) if turned else (lines, extent)


def _checked(
    function: str, data: Array, indices: Array, indptr: Array, extent: int
) -> tuple[Array, Array]:
    """The elements that indptr names, whose indices are in range. It waits for them: kernels
    address memory by them."""
    first, last = indptr[0], indptr[-1]
    falls = h.any(indptr[1:] < indptr[:-1])
    h.evaluate(first, last, falls)
    if int(first) != 0:
        raise InvalidValueError(function, f"indptr begins with {int(first)}, not with 0")
    if bool(falls):
        raise InvalidValueError(function, "indptr decreases; each line ends where the next begins")
    size = int(last)
    if size > indices.size:
        raise InvalidValueError(
            function, f"indptr ends with {size}, but there are {indices.size} elements"
        )
    if size < indices.size:
        data, indices = data[:size], indices[:size]
    check_range(function, "indices", indices, extent)
    return data, indices


def coordinates(place: Place, given: Any, shape: Any, copy: bool) -> Any:
    """The coordinates of (data, (row, column)) or (data, (column,)), and the shape."""
    function = place.function
    try:
        values, lines = given
        lines = tuple(lines)
    except (TypeError, ValueError):
        raise InvalidTypeError(function, "takes (data, (row, column)), or a dense array") from None
    if len(lines) not in (1, 2):
        raise InvalidValueError(function, f"there are {len(lines)} coordinates, not 1 or 2")
    names = ("row", "column")[-len(lines) :]
    data, *indices = place.arrays({"data": values, **dict(zip(names, lines, strict=True))})
    if data.ndim != 1:
        raise InvalidValueError(function, f"data has shape {data.shape}; it must be a vector")
    indices = [indices_of(function, n, x) for n, x in zip(names, indices, strict=True)]
    for name, x in zip(names, indices, strict=True):
        if x.size != data.size:
            raise InvalidValueError(function, f"{name} has {x.size} elements, data {data.size}")
    if shape is None:
        if data.size == 0:
            raise InvalidValueError(function, "there are no elements, so that shape is needed")
        shape = tuple(int(h.max(x)) + 1 for x in indices)
    shape = shape_of(function, shape)
    if len(shape) != len(indices):
        raise InvalidValueError(
            function, f"shape is {shape}, and there are {len(indices)} coordinates"
        )
    for name, x, extent in zip(names, indices, shape, strict=True):
        check_range(function, name, x, extent)
    if len({x.dtype for x in indices}) > 1:
        indices = [astype(x, np.int64, copy=False) for x in indices]
    if copy:
        indices = [h.copy(x) for x in indices]
    if len(indices) == 1:
        indices.insert(0, _rows.zeros((data.size,), indices[0].dtype, data))
    height = shape[0] if len(shape) == 2 else 1
    return Coordinates._make([place.cast(data, copy), *indices, height, shape[-1]]), shape


def dense(place: Place, given: Any) -> tuple[Rows, tuple[int, ...]]:
    """The rows of a dense array, and its shape."""
    (x,) = place.arrays({"arg1": given})
    if x.ndim not in (1, 2):
        raise InvalidValueError(
            place.function, f"arg1 has {x.ndim} dimensions; it must have 1 or 2"
        )
    matrix = h.reshape(x, (1, -1)) if x.ndim == 1 else x
    return _rows.from_dense(place.cast(matrix, copy=False)), x.shape
