"""reduce() and accumulate() of element-wise functions.

Sums, products, extremes and logical functions have kernels of their own. Other associative
functions combine halves of the array, in as many steps as the length has binary digits. NumPy
computes the rest on the host.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _hither
from .._array.array_utils import normalize_axis_index
from .._array.host_fallback import run_on_host
from .._hither import Array, astype, concat, moveaxis, reshape
from ..errors import InvalidTypeError, InvalidValueError
from ._arguments import dtype_of
from ._placement import deliver, mask_of

if TYPE_CHECKING:
    from ._ufunc import ufunc

__all__: list[str] = []

REDUCTIONS: dict[str, Any] = {
    "add": _hither.sum, "multiply": _hither.prod, "maximum": _hither.max,
    "minimum": _hither.min, "logical_and": _hither.all, "logical_or": _hither.any,
}  # fmt: skip
_SCANS: dict[str, Any] = {"add": _hither.cumulative_sum, "multiply": _hither.cumulative_prod}
_RUNNING: dict[str, Any] = {
    "maximum": _hither.running_max, "minimum": _hither.running_min,
    "logical_and": _hither.running_all, "logical_or": _hither.running_any,
}  # fmt: skip
_ASSOCIATIVE = {
    "bitwise_and", "bitwise_or", "bitwise_xor", "fmax", "fmin", "gcd", "hypot", "lcm", "logaddexp",
    "logaddexp2", "logical_xor", "maximum", "minimum",
}  # fmt: skip


def as_vector(a: Array) -> Array:
    """a, or an array of one element over its memory if it has no dimensions.

    NumPy gives numbers an axis of length 1 in argsort(), argpartition() and cumulative functions.
    """
    return reshape(a, (1,)) if a.ndim == 0 else a


def axes_of(function: str, axis: Any, ndim: int, *, of_number: bool = False) -> tuple[int, ...]:
    """The axes as numbers of 0 to ndim - 1; all for None. With `of_number`, the axes 0 and -1 of an
    array without dimensions are allowed, as NumPy allows them in reductions."""
    if axis is None or (of_number and ndim == 0 and axis in (0, -1)):
        return tuple(range(ndim))
    try:
        given = [operator.index(a) for a in (axis if isinstance(axis, tuple) else (axis,))]
    except TypeError:
        raise InvalidTypeError(
            function, f"axis={axis!r} is neither an integer nor a tuple of them"
        ) from None
    found = tuple(normalize_axis_index(a, ndim, function) for a in given)
    if len(set(found)) < len(found):
        raise InvalidValueError(function, f"axis={axis} contains an axis twice")
    return found


def _initial_value(name: str, initial: Any, dtype: np.dtype) -> Any:
    """initial= as a number of the result's dtype, in which NumPy reduces."""
    if isinstance(initial, Array):
        return astype(initial, dtype, copy=False)
    if np.ndim(initial) > 0:
        raise InvalidTypeError(f"{name}.reduce", f"initial={initial!r} is not a number")
    if np.iscomplexobj(initial) and dtype.kind not in "bc":
        raise InvalidTypeError(
            f"{name}.reduce", f"initial={initial!r} is complex, the result has dtype {dtype}"
        )
    return np.asarray(initial, dtype).item()  # refuses what is out of range


def _identity(function: ufunc, dtype: np.dtype, initial: Any) -> Any:
    """What replaces the elements that where= leaves out."""
    name = function.__name__
    if function.identity is not None:
        return function.identity
    if initial is not np._NoValue and initial is not None:
        return _initial_value(name, initial, dtype)
    raise InvalidValueError(
        f"{name}.reduce", f"{name} has no identity, so that where= needs initial="
    )


def _as_reduced(function: ufunc, x: Array, dtype: Any) -> Array:
    """x in the dtype in which NumPy reduces. Raises TypeError where NumPy has no loop for it."""
    name = function.__name__
    if name in ("add", "multiply"):  # their kernels convert real elements
        if dtype is None or x.dtype.kind != "c" or dtype_of(name, dtype).kind == "c":
            return x
        return x.real
    kind = function._reduction_loop(x.dtype, dtype)[0]
    if name not in _ASSOCIATIVE or name == "logical_xor":  # NumPy or a kernel converts x
        return x
    return astype(x.real if x.dtype.kind == "c" and kind.kind != "c" else x, kind, copy=False)


def reduced(
    function: ufunc, x: Array, axis: Any, dtype: Any, out: Any, keepdims: bool, initial: Any,
    where: Any,
) -> Array:  # fmt: skip
    """function.reduce(x, ...)."""
    name = function.__name__
    axes = axes_of(f"{name}.reduce", axis, x.ndim, of_number=True)
    if dtype is None and out is not None and isinstance(out, Array) and name in ("add", "multiply"):
        dtype = out.dtype
    x = _as_reduced(function, x, dtype)
    if where is not True:
        mask = mask_of(f"{name}.reduce", where, x)
        if name not in REDUCTIONS and (name not in _ASSOCIATIVE or function.native is None):
            keywords = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial}
            result = run_on_host(
                f"{name}.reduce", function.numpy_ufunc.reduce, (x,), {**keywords, "where": mask}
            )
            return result if out is None else deliver(name, result, out, "unsafe")
        neutral = _identity(function, x.dtype, initial)
        shape = np.broadcast_shapes(x.shape, mask.shape)
        if isinstance(neutral, Array):
            neutral = neutral.item()
        neutral = np.asarray(neutral).astype(x.dtype)[()]
        x = _hither.where(mask, _hither.broadcast_to(x, shape), neutral)
        axes = axes_of(f"{name}.reduce", axis, x.ndim, of_number=True)
    result = _reduced_axes(function, x, axes, dtype, keepdims, initial)
    if result is NotImplemented:
        method = function.numpy_ufunc.reduce
        keywords = {"axis": axis, "dtype": dtype, "keepdims": keepdims, "initial": initial}
        result = run_on_host(f"{name}.reduce", method, (x,), keywords)
    elif initial is not np._NoValue and initial is not None:
        start = _initial_value(name, initial, result.dtype)
        result = astype(function(result, start), result.dtype, copy=False)
    return result if out is None else deliver(name, result, out, "unsafe")


def _reduced_axes(
    function: ufunc, x: Array, axes: tuple[int, ...], dtype: Any, keepdims: bool, initial: Any
) -> Any:
    name = function.__name__
    has_initial = initial is not np._NoValue and initial is not None
    count = math.prod(x.shape[a] for a in axes)
    if count == 0 and function.identity is None:
        if not has_initial:
            raise InvalidValueError(
                f"{name}.reduce",
                "there are no elements, and the function has no identity; pass initial=",
            )
        shape = _shape_without(x.shape, axes, keepdims)
        kind = x.dtype if dtype is None else dtype
        start = _initial_value(name, initial, np.dtype(kind))
        return _hither.full(shape, start, kind, queue=x.queue, usm_type=x.usm_type)
    if name in ("add", "multiply"):
        return REDUCTIONS[name](x, axis=axes, dtype=dtype, keepdims=keepdims)
    if dtype is not None:
        x = astype(x, dtype, copy=False)
    if name in REDUCTIONS and not (name in ("maximum", "minimum") and x.dtype.kind in "c"):
        return REDUCTIONS[name](x, axis=axes, keepdims=keepdims)
    if name in _ASSOCIATIVE and function.native is not None and count > 0:
        return _by_halves(function, x, axes, keepdims)
    return NotImplemented


def _shape_without(shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> tuple:
    if keepdims:
        return tuple(1 if i in axes else n for i, n in enumerate(shape))
    return tuple(n for i, n in enumerate(shape) if i not in axes)


def _by_halves(function: ufunc, x: Array, axes: tuple[int, ...], keepdims: bool) -> Array:
    shape = _shape_without(x.shape, axes, keepdims)
    front = moveaxis(x, axes, tuple(range(len(axes))))
    count = math.prod(front.shape[: len(axes)])
    rows = reshape(front, (count, *front.shape[len(axes) :])) if axes else front[None]
    while rows.shape[0] > 1:
        half = rows.shape[0] // 2
        pairs = function(rows[:half], rows[half : 2 * half])
        rows = concat([pairs, rows[2 * half :]]) if rows.shape[0] % 2 else pairs
    result = rows[0]
    if function.__name__ == "logical_xor":
        result = astype(result, np.bool_, copy=False)
    return reshape(_hither.copy(result), shape)


def accumulated(function: ufunc, x: Array, axis: int, dtype: Any, out: Any) -> Array:
    """function.accumulate(x, ...)."""
    name = function.__name__
    if x.ndim == 0:
        raise InvalidTypeError(f"{name}.accumulate", "an array of no dimension has no axis")
    (place,) = axes_of(f"{name}.accumulate", axis, x.ndim)
    if dtype is None and isinstance(out, Array):
        dtype = out.dtype
    x = _as_reduced(function, x, dtype)
    if name in _SCANS:
        result = _SCANS[name](x, axis=place, dtype=dtype)
    elif name in _RUNNING and _has_running(name, x, dtype):
        result = _RUNNING[name](x, place)
    elif name in _ASSOCIATIVE and function.native is not None:
        result = _by_doubling(function, x, place)
    else:
        method = function.numpy_ufunc.accumulate
        keywords = {"axis": place, "dtype": dtype}
        result = run_on_host(f"{name}.accumulate", method, (x,), keywords)
    return result if out is None else deliver(name, result, out, "unsafe")


def _has_running(name: str, x: Array, dtype: Any) -> bool:
    """Whether hither accumulates x with a kernel of its own, in NumPy's dtype."""
    if name in ("maximum", "minimum"):
        return x.dtype.kind != "c"  # x has the dtype of the result
    return dtype is None or np.dtype(dtype) == np.bool_


def _by_doubling(function: ufunc, x: Array, axis: int) -> Array:
    rows = moveaxis(x, axis, 0)
    if function.__name__ == "logical_xor":
        rows = astype(rows, np.bool_)
    step = 1
    while step < rows.shape[0]:
        rows = concat([rows[:step], function(rows[:-step], rows[step:])])
        step *= 2
    return _hither.copy(moveaxis(rows, 0, axis))
