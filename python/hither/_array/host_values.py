"""NumPy's functions that write to an array: fill, put and copyto.

They run on the queue of the array that they write to. Values and indices on the host are copied to
that queue.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._hither import Array, asarray, asnumpy, astype, reshape, take, where
from ..errors import InvalidTypeError, InvalidValueError, ScalarOverflowError

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
    flat = np.asarray(asnumpy(indices) if isinstance(indices, Array) else indices).reshape(-1)
    if flat.size == 0:
        return
    if flat.dtype.kind == "f" and isinstance(indices, (float, list, tuple)):
        flat = flat.astype(np.int64)  # NumPy converts lists of numbers, and no arrays
    if flat.dtype.kind not in "biu":
        raise InvalidTypeError("put", f"indices are {flat.dtype}, not integers")
    if mode not in ("raise", "wrap", "clip"):
        raise InvalidValueError("put", f'mode is {mode!r}; it is "raise", "wrap" or "clip"')
    if mode == "raise":
        outside = flat[(flat < -self.size) | (flat >= self.size)]
        if outside.size:
            raise IndexError(f"put: index {outside[0]} is out of bounds for {self.size} elements")
    if flat.dtype == np.uint64:  # larger numbers are past the end, but would become negative
        flat = np.minimum(flat, 2**63 - 1)
    flat = flat.astype(np.int64)
    if mode == "raise":
        flat = np.where(flat < 0, flat + self.size, flat)
    check_integers("put", values, self.dtype)
    given = values if isinstance(values, Array) else asarray(values, queue=self.queue)
    if given.size == 0:
        return
    given = reshape(given, (-1,))
    if given.size != flat.size:
        places = np.arange(flat.size) % given.size
        given = take(given, asarray(places, queue=given.queue), axis=0)
    if mode == "wrap":
        flat = flat % self.size
    elif mode == "clip":
        flat = flat.clip(0, self.size - 1)
    if self.ndim == 0:
        self[()] = given[-1]
    else:
        self[tuple(np.unravel_index(flat, self.shape))] = given


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
