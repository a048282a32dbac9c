"""NumPy's functions that write to an array: fill, put and copyto.

They run on the queue of the array that they write to. Values and indices on the host are copied to
that queue.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._hither import (
    Array,
    asarray,
    asnumpy,
    astype,
    clip,
    floor_divide,
    minimum,
    remainder,
    reshape,
    tile,
    where,
)
from ..errors import InvalidTypeError, InvalidValueError, OutOfRangeError, ScalarOverflowError

__all__: list[str] = []


def check_integers(function: str, values: Any, dtype: np.dtype[Any]) -> None:
    """Refuses Python's integers, also in lists and tuples, that an integer dtype cannot hold."""
    if dtype.kind not in "iu" or not isinstance(values, (int, list, tuple)):
        return
    if isinstance(values, int):
        limits = np.iinfo(dtype)
        if not limits.min <= values <= limits.max:
            raise ScalarOverflowError(
                function,
                f"the number {values} does not fit {dtype}; cast the array to a wider dtype first",
            )
        return
    for value in values:
        check_integers(function, value, dtype)


def fill(self: Array, value: Any) -> None:
    """Sets every element to a number."""
    if isinstance(value, Array) and value.ndim == 0:
        value = value.item()
    if np.ndim(value) != 0:
        raise InvalidValueError("fill", "value is an array; it must be a number")
    self[...] = value


def put(self: Array, indices: Any, values: Any, mode: str = "raise") -> None:
    """Sets the elements at the flat `indices`, in C order, to `values`, which are repeated if there
    are fewer of them. `mode` is "raise", "wrap" or "clip", as in numpy.put."""
    places = _flat_places(self, indices)
    if places.size == 0:
        return
    if places.dtype.kind not in "biu":
        raise InvalidTypeError("put", f"indices are {places.dtype}, not integers")
    if mode not in ("raise", "wrap", "clip"):
        raise InvalidValueError("put", f'mode is {mode!r}; it is "raise", "wrap" or "clip"')
    if self.size == 0:
        raise OutOfRangeError("put", "there are no elements to set")
    if places.dtype == np.uint64:  # larger numbers are past the end, but would become negative
        places = minimum(places, 2**63 - 1)
    places = astype(places, np.int64, copy=False)
    if mode == "wrap":
        places = remainder(places, self.size)
    elif mode == "clip":
        places = clip(places, 0, self.size - 1)
    check_integers("put", values, self.dtype)
    given = values if isinstance(values, Array) else asarray(values, queue=self.queue)
    if given.size == 0:
        return
    given = reshape(given, (-1,))
    if 1 < given.size < places.size:
        given = tile(given, (-(-places.size // given.size),))
    if given.size not in (1, places.size):
        given = given[: places.size]
    try:
        _set_flat(self, places, given)
    except IndexError:
        flat = asnumpy(places)
        outside = flat[(flat < -self.size) | (flat >= self.size)]
        message = f"index {outside[0]} is out of bounds for {self.size} elements"
        raise OutOfRangeError("put", message) from None


def _flat_places(x: Array, indices: Any) -> Array:
    """The indices in one dimension, on x's queue if they are on the host."""
    if not isinstance(indices, Array):
        given = np.asarray(indices)
        if given.dtype.kind == "f" and isinstance(indices, (float, list, tuple)):
            given = given.astype(np.int64)  # NumPy converts lists of numbers, and no arrays
        if given.dtype.kind not in "biu" and given.size:
            raise InvalidTypeError("put", f"indices are {given.dtype}, not integers")
        indices = asarray(given.reshape(-1), queue=x.queue)
    return reshape(indices, (-1,))


def _set_flat(x: Array, places: Array, values: Array) -> None:
    """x.reshape(-1)[places] = values, also where that is no view of x."""
    if x.ndim == 1:
        x[places] = values
    elif x.flags["C_CONTIGUOUS"]:
        reshape(x, (-1,))[places] = values
    else:
        # Negative indices, and those out of range, are so along the first axis too.
        key: list[Array] = []
        for extent in x.shape[:0:-1]:
            key.insert(0, remainder(places, extent))
            places = floor_divide(places, extent)
        x[(places, *key)] = values


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> Any:
    """numpy.copyto for a hither.Array as target. NotImplemented for other targets."""
    if not isinstance(dst, Array):
        return NotImplemented
    given: Any = src if isinstance(src, Array) or np.isscalar(src) else np.asarray(src)
    # A Python number takes the dtype of the target unless its kind is a higher one.
    source = given.dtype if hasattr(given, "dtype") else np.result_type(dst.dtype, given)
    if not np.can_cast(source, dst.dtype, casting):
        raise InvalidTypeError(
            "copyto", f"{source} cannot be cast to {dst.dtype} by casting={casting!r}"
        )
    if np.dtype(source).kind == "c" and dst.dtype.kind != "c":
        given = given.real  # casting="unsafe" discards imaginary parts
    if where is True:
        dst[...] = given
    else:
        dst[...] = _chosen(dst, given, where)
    return None


def _chosen(dst: Array, given: Any, mask: Any) -> Array:
    if isinstance(mask, (Array, np.ndarray)) and mask.dtype.kind != "b":
        raise InvalidTypeError("copyto", f"where has dtype {mask.dtype}, not bool")
    mask = asarray(mask if isinstance(mask, Array) else np.asarray(mask, bool), queue=dst.queue)
    if isinstance(given, np.ndarray):
        given = asarray(given, queue=dst.queue)
    if isinstance(given, Array):  # where() would convert both to a common dtype
        given = astype(given, dst.dtype, copy=False)
    return where(mask, given, dst)


Array.fill = fill  # type: ignore[method-assign]
Array.put = put  # type: ignore[method-assign]
