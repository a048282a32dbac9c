"""The table of hither's functions that implement NumPy's, with adapters where the two differ.

The adapters have those of NumPy's parameters that hither supports, and return NotImplemented for
unsupported arguments.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _hither, fft, linalg
from .._hither import Array
from . import creation, dtypes, host_values, manipulation

__all__: list[str] = []


def _flat(x: Any) -> Any:
    return _hither.reshape(x, (-1,)) if isinstance(x, Array) else x


def _at_least(dimensions: int, *arys: Any) -> Any:
    results = tuple(_with_axes(dimensions, x) for x in arys)
    return results[0] if len(results) == 1 else results


def _with_axes(dimensions: int, x: Any) -> Any:
    """x with at least `dimensions` axes, which NumPy adds in front, or to a matrix at the end."""
    if x.ndim >= dimensions:
        return x
    if dimensions == 3 and x.ndim > 0:
        return x[None, :, None] if x.ndim == 1 else x[:, :, None]
    return _hither.reshape(x, (1,) * (dimensions - x.ndim) + x.shape)


def _joined(dimensions: int, axis: int, tup: Any) -> Any:
    return _concatenate([_with_axes(dimensions, x) for x in _parts(tup)], axis)


def _column_stack(tup: Any) -> Any:
    return _concatenate([x if x.ndim > 1 else _hither.reshape(x, (-1, 1)) for x in _parts(tup)], 1)


def _hstack(tup: Any) -> Any:
    parts = [_with_axes(1, x) for x in _parts(tup)]
    return _concatenate(parts, 0 if parts[0].ndim == 1 else 1)


def _angle(z: Any, deg: Any = False) -> Any:
    if z.dtype.kind == "c":
        radians = _hither.atan2(_hither.imag(z), _hither.real(z))
    else:
        radians = _hither.atan2(_hither.zeros_like(z), z)
    return radians * (180 / math.pi) if deg else radians


def _broadcast_arrays(*arrays: Any) -> Any:
    if any(x is None for x in arrays):  # for NumPy, None is an array of objects
        return NotImplemented
    return manipulation.broadcast_arrays(*arrays)


def _parts(arrays: Any) -> list[Any]:
    """The arrays to join. Lists and numbers are converted to arrays on the others' queue."""
    like = next((x for x in arrays if isinstance(x, Array)), None)
    return [
        _hither.asarray(x, queue=like.queue, usm_type=like.usm_type)
        if like is not None and isinstance(x, (list, tuple, int, float, complex, np.generic))
        else x
        for x in arrays
    ]


def _concatenate(arrays: Any, axis: Any = 0) -> Any:
    return _hither.concat(_parts(arrays), axis)


def _stack(arrays: Any, axis: Any = 0) -> Any:
    return _hither.stack(_parts(arrays), axis)


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


def _put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> Any:
    return host_values.put(a, ind, v, mode) if isinstance(a, Array) else NotImplemented


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


# Functions with the same meaning in hither. Their parameters are a subset of NumPy's.
_SAME = (
    *_hither.reduction_functions,
    "astype", "broadcast_to", "clip", "copy", "cumulative_prod", "cumulative_sum", "diff",
    "expand_dims", "flip", "full_like", "imag", "matrix_transpose", "moveaxis", "nonzero",
    "ones_like", "real", "repeat", "reshape", "roll", "searchsorted", "take", "tensordot", "tile",
    "unstack", "zeros_like",
)  # fmt: skip
_OTHERS = {
    "amax": _hither.max, "amin": _hither.min, "angle": _angle,
    "atleast_1d": functools.partial(_at_least, 1), "atleast_2d": functools.partial(_at_least, 2),
    "atleast_3d": functools.partial(_at_least, 3), "column_stack": _column_stack,
    "dstack": functools.partial(_joined, 3, 2), "hstack": _hstack,
    "vstack": functools.partial(_joined, 2, 0), "broadcast_arrays": _broadcast_arrays,
    "concatenate": _concatenate, "cross": _cross,
    "cumprod": functools.partial(_cumulative, _hither.cumulative_prod),
    "cumsum": functools.partial(_cumulative, _hither.cumulative_sum), "diagonal": _diagonal,
    "copyto": host_values.copyto, "put": _put,
    "dot": _dot, "empty_like": _empty_like, "inner": _inner, "meshgrid": creation.meshgrid,
    "outer": _outer, "ravel": _ravel, "result_type": dtypes.result_type, "round": _round,
    "squeeze": _squeeze, "stack": _stack, "swapaxes": _swapaxes,
    "take_along_axis": _take_along_axis, "trace": _trace, "transpose": _transpose,
    "tril": creation.tril, "triu": creation.triu, "where": _where,
}  # fmt: skip

# fft2 is fftn over two axes, and so on.
_TWO_AXES = ("fft", "ifft", "irfft", "rfft")


def _pairs(module: Any, functions: dict[str, Any]) -> dict[Any, Any]:
    """Maps NumPy's functions of these names, if its version has them, to hither's."""
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
