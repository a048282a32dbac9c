"""hither's functions in place of NumPy's: which one, and where the two differ, what to do about it.

Functions here have NumPy's parameters as far as hither can serve them, and return NotImplemented
for what it cannot.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _hither, creation, dtypes, fft, linalg, manipulation
from ._hither import Array

__all__: list[str] = []


def _flat(x: Any) -> Any:
    return _hither.reshape(x, (-1,)) if isinstance(x, Array) else x


def _concatenate(arrays: Any, axis: Any = 0) -> Any:
    return _hither.concat(arrays, axis)


def _cross(a: Any, b: Any, axis: Any = None) -> Any:
    return linalg.cross(a, b, axis=-1 if axis is None else axis)


def _cumulative(function: Callable[..., Any], a: Any, axis: Any = None, dtype: Any = None) -> Any:
    if axis is None:
        a, axis = _flat(a), 0
    return function(a, axis=axis, dtype=dtype)


def _diagonal(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    return linalg.diagonal(_hither.moveaxis(a, (axis1, axis2), (-2, -1)), offset=offset)


def _dot(a: Any, b: Any) -> Any:
    dimensions = np.ndim(a), np.ndim(b)
    if 0 in dimensions:
        return _hither.multiply(a, b)
    return _hither.matmul(a, b) if max(dimensions) <= 2 else NotImplemented


def _empty_like(prototype: Any, dtype: Any = None, *, shape: Any = None) -> Any:
    return _hither.empty_like(prototype, dtype=dtype, shape=shape)


def _inner(a: Any, b: Any) -> Any:
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return _hither.multiply(a, b)
    return _hither.tensordot(a, b, axes=((-1,), (-1,)))


def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    if ord is None:
        return linalg.vector_norm(x, axis=axis, keepdims=keepdims)
    if axis is None and x.ndim == 2:
        return linalg.matrix_norm(x, ord=ord, keepdims=keepdims)
    if x.ndim == 1 or isinstance(axis, int):
        return linalg.vector_norm(x, ord=ord, axis=axis, keepdims=keepdims)
    return NotImplemented


def _outer(a: Any, b: Any) -> Any:
    numbers = np.ndim(a) == 0 or np.ndim(b) == 0
    return NotImplemented if numbers else linalg.outer(_flat(a), _flat(b))


def _qr(a: Any, mode: Any = "reduced") -> Any:
    return linalg.qr(a, mode=mode) if mode in ("reduced", "complete") else NotImplemented


def _ravel(a: Any, order: Any = "C") -> Any:
    return _flat(a) if order == "C" else NotImplemented


def _round(a: Any, decimals: Any = 0) -> Any:
    if decimals == 0:
        return _hither.round(a)
    if a.dtype.kind != "f":
        return NotImplemented
    scale = 10.0 ** abs(decimals)
    return _hither.round(a * scale) / scale if decimals > 0 else _hither.round(a / scale) * scale


def _squeeze(a: Any, axis: Any = None) -> Any:
    if axis is None:
        axis = tuple(i for i, extent in enumerate(a.shape) if extent == 1)
    return _hither.squeeze(a, axis)


def _svd(a: Any, full_matrices: Any = True, compute_uv: Any = True) -> Any:
    return linalg.svd(a, full_matrices=full_matrices) if compute_uv else linalg.svdvals(a)


def _swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    axes = list(range(a.ndim))
    axes[axis1], axes[axis2] = axes[axis2], axes[axis1]
    return _hither.permute_dims(a, axes)


def _take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    return NotImplemented if axis is None else _hither.take_along_axis(arr, indices, axis=axis)


def _trace(a: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> Any:
    matrices = _hither.moveaxis(a, (axis1, axis2), (-2, -1))
    return linalg.trace(matrices, offset=offset, dtype=dtype)


def _transpose(a: Any, axes: Any = None) -> Any:
    return _hither.permute_dims(a, range(a.ndim)[::-1] if axes is None else axes)


def _two_axes(function: Callable[..., Any]) -> Callable[..., Any]:
    def transform(a: Any, s: Any = None, axes: Any = (-2, -1), norm: Any = None) -> Any:
        return function(a, s=s, axes=axes, norm="backward" if norm is None else norm)

    return transform


def _where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if x is None and y is None:
        return _hither.nonzero(condition)
    return NotImplemented if x is None or y is None else _hither.where(condition, x, y)


# Functions that mean the same, with the same parameters as far as hither's have them.
_SAME = (
    "all", "any", "argmax", "argmin", "astype", "broadcast_to", "clip", "copy", "count_nonzero",
    "cumulative_prod", "cumulative_sum", "diff", "expand_dims", "flip", "full_like", "imag",
    "matrix_transpose", "max", "mean", "min", "moveaxis", "nonzero", "ones_like", "prod", "real",
    "repeat", "reshape", "roll", "searchsorted", "stack", "std", "sum", "take", "tensordot", "tile",
    "unstack", "var", "zeros_like",
)  # fmt: skip
_OTHERS = {
    "amax": _hither.max, "amin": _hither.min, "broadcast_arrays": manipulation.broadcast_arrays,
    "concatenate": _concatenate, "cross": _cross,
    "cumprod": functools.partial(_cumulative, _hither.cumulative_prod),
    "cumsum": functools.partial(_cumulative, _hither.cumulative_sum), "diagonal": _diagonal,
    "dot": _dot, "empty_like": _empty_like, "inner": _inner, "meshgrid": creation.meshgrid,
    "outer": _outer, "ravel": _ravel, "result_type": dtypes.result_type, "round": _round,
    "squeeze": _squeeze, "swapaxes": _swapaxes,
    "take_along_axis": _take_along_axis, "trace": _trace, "transpose": _transpose,
    "tril": creation.tril, "triu": creation.triu, "where": _where,
}  # fmt: skip

# fft2 is fftn over two axes, and so on.
_TWO_AXES = ("fft", "ifft", "irfft", "rfft")


def _pairs(module: Any, functions: dict[str, Any]) -> dict[Any, Any]:
    """NumPy's functions of these names, as far as its version has them."""
    return {getattr(module, n): f for n, f in functions.items() if hasattr(module, n)}


FUNCTIONS: dict[Any, Any] = (
    _pairs(np, {name: getattr(_hither, name) for name in _SAME} | _OTHERS)
    | _pairs(
        np.linalg,
        {name: getattr(linalg, name) for name in linalg.__all__}
        | {"norm": _norm, "qr": _qr, "svd": _svd},
    )
    | _pairs(
        np.fft,
        {name: getattr(fft, name) for name in fft.__all__}
        | {f"{name}2": _two_axes(getattr(fft, f"{name}n")) for name in _TWO_AXES},
    )
)
