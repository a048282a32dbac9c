"""Scales random bits to a range of integers."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _hither
from ..._hither import Array, astype
from ...errors import InvalidTypeError, InvalidValueError, ScalarOverflowError

__all__ = ["integers_below"]

_LOW = 0xFFFFFFFF


def integers_below(draw: Any, low: Any, high: Any, dtype: np.dtype, endpoint: bool) -> Array:
    """Integers from low to high, from a draw's bits. low and high are numbers or arrays."""
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
    width = last - low + 1
    if width == 2**64:
        chosen = draw.bits()
    else:
        chosen = _below_32(draw, width) if width <= 2**32 else _below_64(draw, width)
    return _shifted(chosen, low, dtype)


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
    """chosen + low, in wrapping arithmetic. The result fits the dtype."""
    if dtype.kind == "u":
        return astype(chosen + low, dtype, copy=False)
    return astype(astype(chosen, np.int64) + low, dtype, copy=False)


def _below_32(draw: Any, width: int) -> Array:
    """The high part of 64 random bits times a width of at most 2**32."""
    bits = draw.bits()
    return ((bits >> 32) * width + (((bits & _LOW) * width) >> 32)) >> 32


def _high_product(a: Array, b: Any) -> Array:
    """The high half of the 128-bit product of two uint64."""
    a0, a1, b0, b1 = a & _LOW, a >> 32, b & _LOW, b >> 32
    low, left, right = a0 * b0, a0 * b1, a1 * b0
    carried = (low >> 32) + (left & _LOW) + (right & _LOW)
    return a1 * b1 + (left >> 32) + (right >> 32) + (carried >> 32)


def _below_64(draw: Any, width: Any) -> Array:
    """The high part of 128 random bits times the width."""
    high, low = draw.bits(0), draw.bits(1)
    carry = _high_product(low, width)
    middle = high * width + carry
    return _high_product(high, width) + astype(middle < carry, np.uint64)


def _between_arrays(draw: Any, low: Any, high: Any, dtype: np.dtype, endpoint: bool) -> Array:
    """Integers between arrays of bounds, which are int64. Waits for the bounds."""
    low, high = (_int64("low", low), _int64("high", high))
    last = high if endpoint else high - 1
    if bool(_hither.any(last < low)):
        raise InvalidValueError("integers", "a range from low to high is empty")
    least, most = _limits(dtype)
    if bool(_hither.any((low < least) | (last > min(most, 2**63 - 1)))):
        raise ScalarOverflowError("integers", f"a bound does not fit {dtype.name}")
    width = astype(last - low, np.uint64) + 1
    chosen = _hither.where(width == 0, draw.bits(), _below_64(draw, width))
    return astype(astype(chosen, np.int64) + low, dtype, copy=False)


def _int64(name: str, bound: Any) -> Any:
    if not isinstance(bound, Array):
        return _index(name, bound)
    if bound.dtype.kind not in "iu" or bound.dtype == np.uint64:
        raise InvalidTypeError("integers", f"{name} is {bound.dtype}; convert it to int64")
    return astype(bound, np.int64, copy=False)
