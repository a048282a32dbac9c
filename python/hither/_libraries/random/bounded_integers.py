"""Integers between bounds."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError, ScalarOverflowError

__all__ = ["integers_between"]

_ALL = 2**64 - 1


def integers_between(draw: Any, low: Any, high: Any, dtype: np.dtype, endpoint: bool) -> Array:
    """Integers from low to high. low and high are numbers or arrays."""
    if dtype.kind not in "biu":
        raise InvalidTypeError("integers", f"dtype={dtype} is not an integer dtype")
    if isinstance(low, Array) or isinstance(high, Array):
        return _between_arrays(draw, low, high, dtype, endpoint)
    low, last = _index("low", low), _index("high", high) - (not endpoint)
    if last < low:
        raise InvalidValueError("integers", f"the range from low={low} to high={high} is empty")
    least, most = _limits(dtype)
    if low < least or last > most:
        raise ScalarOverflowError("integers", f"[{low}, {last}] does not fit {dtype.name}")
    return _shifted(draw.below(last - low + 1 & _ALL), low & _ALL, dtype)


def _limits(dtype: np.dtype) -> tuple[int, int]:
    if dtype.kind == "b":
        return 0, 1
    return int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)


def _index(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        raise InvalidTypeError("integers", f"{name}={value!r} is not an integer") from None


def _shifted(chosen: Array, low: Any, dtype: np.dtype) -> Array:
    """chosen + low, both uint64, in wrapping arithmetic. The result fits the dtype."""
    total = chosen if not isinstance(low, Array) and low == 0 else chosen + low
    if dtype.kind == "u":
        return astype(total, dtype, copy=False)
    return astype(astype(total, np.int64), dtype, copy=False)


def _between_arrays(draw: Any, low: Any, high: Any, dtype: np.dtype, endpoint: bool) -> Array:
    """Integers between arrays of bounds. Waits for the bounds."""
    wide = np.dtype(np.uint64 if dtype.kind == "u" else np.int64)
    least, most = _limits(dtype)
    low = _bound(f"low of {dtype}", low, 0, least, most, wide)
    last = _bound(f"high of {dtype}", high, 0 if endpoint else 1, least, most, wide)
    bad = last < low
    if bool(_hither.any(bad) if isinstance(bad, Array) else bad):
        raise InvalidValueError("integers", "a range from low to high is empty")
    low, last = (astype(x, np.uint64) if isinstance(x, Array) else x & _ALL for x in (low, last))
    return _shifted(draw.below(last - low + 1), low, dtype)


def _bound(name: str, bound: Any, less: int, least: int, most: int, wide: np.dtype) -> Any:
    """The bound minus `less`, an int or an array of the dtype `wide`, if it fits the dtype with the
    limits `least` and `most`."""
    found: Any
    outside: Any = False
    if not isinstance(bound, Array):
        found = _index(name, bound) - less
        outside = not least <= found <= most
    else:
        if bound.dtype.kind not in "biu":
            raise InvalidTypeError("integers", f"{name} is {bound.dtype}; convert it to int64")
        if bound.dtype.kind == "b":
            bound = astype(bound, np.int64)
        own_least, own_most = _limits(bound.dtype)
        if own_most - less > most:
            outside = _hither.any(bound > most + less)
        if own_least - less < least:
            outside = outside | _hither.any(bound < least + less)
        found = astype(bound, wide, copy=False) - less
    if bool(outside):
        raise ScalarOverflowError("integers", f"{name} is outside [{least}, {most}]")
    return found
