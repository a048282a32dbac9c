"""NumPy with hither's names and promotion rules: the reference for random programs."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

# hither promotes the operands to one dtype first; NumPy looks for a loop that takes both dtypes.
_PROMOTED = (
    "add subtract multiply divide floor_divide remainder power atan2 hypot logaddexp copysign "
    "nextafter maximum minimum equal not_equal less less_equal greater greater_equal bitwise_and "
    "bitwise_or bitwise_xor bitwise_left_shift bitwise_right_shift"
).split()


def _promoted(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(a: Any, b: Any) -> Any:
        t = np.result_type(a, b)
        return function(*(x.astype(t) if isinstance(x, np.ndarray) else x for x in (a, b)))

    return call


def _floor_divide(a: Any, b: Any) -> Any:
    """NumPy's, but the Array API standard's quotients of infinities."""
    result = np.floor_divide(a, b)
    if result.dtype.kind != "f":
        return result
    return np.where(np.isinf(a) | np.isinf(b), np.divide(a, b), result).astype(result.dtype)[()]


def _in_single(function: Callable[..., Any], x: np.ndarray, **more: Any) -> Any:
    """The result for float16, whose intermediate sums overflow in NumPy, but not in hither."""
    if x.dtype != np.float16:
        return function(x, **more)
    return np.asarray(function(x.astype(np.float32), **more)).astype(np.float16)[()]


def _float_of(dtype: np.dtype) -> np.dtype:
    return np.promote_types(dtype, np.float16)


def _error_function(of: Callable[[float], float]) -> Callable[[np.ndarray], np.ndarray]:
    vectorized = np.vectorize(of, otypes=["d"])

    def call(x: np.ndarray) -> np.ndarray:
        if x.dtype.kind == "c":
            raise TypeError("complex")
        return np.asarray(vectorized(x)).astype(_float_of(x.dtype))

    return call


def _copy_of(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda x: np.array(function(x))


class Reference:
    """The namespace `xp` of programs that NumPy runs."""

    erf = staticmethod(_error_function(math.erf))
    erfc = staticmethod(_error_function(math.erfc))
    real = staticmethod(_copy_of(np.real))
    imag = staticmethod(_copy_of(np.imag))

    @staticmethod
    def reciprocal(x: np.ndarray) -> Any:
        t = _float_of(x.dtype)
        return np.divide(np.ones((), t), x.astype(t))

    @staticmethod
    def cube(x: np.ndarray) -> Any:
        return np.square(x) * x

    @staticmethod
    def rsqrt(x: np.ndarray) -> Any:
        root = np.sqrt(x)
        return np.divide(np.ones((), root.dtype), root)

    @staticmethod
    def sort(x: np.ndarray, axis: int) -> Any:
        return np.sort(x, axis=axis, kind="stable")  # the default is wrong for some float16

    @staticmethod
    def argsort(x: np.ndarray, axis: int) -> Any:
        return np.argsort(x, axis=axis, kind="stable")

    @staticmethod
    def unique_values(x: np.ndarray) -> Any:
        ordered = np.sort(x.reshape(-1), kind="stable")
        return ordered[np.append(True, ordered[1:] != ordered[:-1])[: x.size]]

    @staticmethod
    def round(x: np.ndarray) -> Any:
        return x.copy() if x.dtype.kind == "b" else np.round(x)

    @staticmethod
    def conj(x: np.ndarray) -> Any:
        return x.copy() if x.dtype.kind == "b" else np.conj(x)

    @staticmethod
    def flip(x: np.ndarray) -> Any:
        return x[(slice(None, None, -1),) * x.ndim + (...,)]  # a view even without dimensions

    @staticmethod
    def var(x: np.ndarray, correction: float = 0, **more: Any) -> Any:
        return _in_single(np.var, x, ddof=correction, **more)

    @staticmethod
    def std(x: np.ndarray, correction: float = 0, **more: Any) -> Any:
        return _in_single(np.std, x, ddof=correction, **more)

    def __getattr__(self, name: str) -> Any:
        function = _floor_divide if name == "floor_divide" else getattr(np, name)
        return _promoted(function) if name in _PROMOTED else function


REFERENCE = Reference()
