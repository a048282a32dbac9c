"""dpnp: NumPy's functions for hither's arrays."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hither
from hither.compat._look_alike import LookAlike
from hither.compat.dpctl import tensor
from hither.compat.dpnp import random

__all__ = [
    "array",
    "array_equal",
    "asarray",
    "asnumpy",
    "deg2rad",
    "degrees",
    "fmax",
    "fmin",
    "get_usm_ndarray",
    "ndarray",
    "rad2deg",
    "radians",
    "random",
    "tensor",
]

asnumpy: Any = hither.asnumpy

# Alternative names of functions in NumPy.
_ALSO = {
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "bitwise_not": "bitwise_invert",
    "concatenate": "concat",
    "conjugate": "conj",
    "fabs": "abs",
    "invert": "bitwise_invert",
    "left_shift": "bitwise_left_shift",
    "mod": "remainder",
    "power": "pow",
    "right_shift": "bitwise_right_shift",
    "true_divide": "divide",
}


class ndarray(metaclass=LookAlike):  # noqa: N801 - dpnp's name
    """``dpnp.ndarray(shape, dtype=float)``: a hither.Array, whose elements are undefined."""

    stands_for: type = hither.Array

    def __new__(cls, shape: Any, dtype: Any = None, **options: Any) -> Any:
        return tensor.empty(shape, dtype=dtype, **options)


def array(a: Any, dtype: Any = None, *, copy: bool = True, like: Any = None, **options: Any) -> Any:
    """A new array with the elements of a. With copy=False it shares a's memory if possible."""
    _check_like("array", like)
    return tensor.asarray(a, dtype=dtype, copy=copy or None, **options)


def asarray(a: Any, dtype: Any = None, *, like: Any = None, **options: Any) -> Any:
    """The elements of a, without a copy if possible."""
    _check_like("asarray", like)
    return tensor.asarray(a, dtype=dtype, **options)


def _check_like(function: str, like: Any) -> None:
    if like is not None:
        raise NotImplementedError(f"{function}: like= must be None; use sycl_queue=like.sycl_queue")


def array_equal(a1: Any, a2: Any) -> bool:
    """Whether both have the same shape and the same elements."""
    return a1.shape == a2.shape and bool(hither.all(a1 == a2))


def degrees(x: Any) -> Any:
    """Converts radians to degrees."""
    return x * (180 / math.pi)


def radians(x: Any) -> Any:
    """Converts degrees to radians."""
    return x * (math.pi / 180)


rad2deg: Any = degrees
deg2rad: Any = radians


def fmax(x1: Any, x2: Any) -> Any:
    """The larger of both, or the other one if one is NaN."""
    return _but_nan(hither.maximum(x1, x2), x1, x2)


def fmin(x1: Any, x2: Any) -> Any:
    """The smaller of both, or the other one if one is NaN."""
    return _but_nan(hither.minimum(x1, x2), x1, x2)


def _but_nan(chosen: Any, x1: Any, x2: Any) -> Any:
    """``chosen``, or the other operand if one of the two is NaN."""
    if chosen.dtype.kind != "f":
        return chosen
    return hither.where(x1 != x1, x2, hither.where(x2 != x2, x1, chosen))


def get_usm_ndarray(a: Any) -> Any:
    """The dpctl array of a dpnp array, which is the same object."""
    return a


def __getattr__(name: str) -> Any:
    """dtypes are NumPy's, fft and linalg are hither's, and other names are dpctl.tensor's."""
    if name.startswith("_"):
        raise AttributeError(name)
    if name in ("fft", "linalg", "__version__"):
        return getattr(hither, name)
    if isinstance(getattr(np, name, None), type) and issubclass(getattr(np, name), np.generic):
        return getattr(np, name)
    return getattr(tensor, _ALSO.get(name, name))
