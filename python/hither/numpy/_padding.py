"""pad(): arrays with values around them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array.dtypes import kind_of
from .._array.quantiles import median_of
from .._hither import Array, astype
from ._elementwise import UFUNCS
from ._memory_order import is_fortran, ordered
from ._placement import operands

__all__ = ["pad"]

_MODES = {
    "constant": {"constant_values"}, "edge": set(), "empty": set(), "linear_ramp": {"end_values"},
    "maximum": {"stat_length"}, "mean": {"stat_length"}, "median": {"stat_length"},
    "minimum": {"stat_length"}, "reflect": {"reflect_type"}, "symmetric": {"reflect_type"},
    "wrap": set(),
}  # fmt: skip
_KNOWN = f"it is none of {', '.join(sorted(_MODES))}"


def _pairs(value: Any, ndim: int, name: str) -> list[tuple[Any, Any]]:
    """A pair of values for each axis, from one value, one pair or a pair for each axis."""
    if type(value) is int:
        return [(value, value)] * ndim
    if isinstance(value, Array):
        value = h.asnumpy(value)
    return [tuple(pair) for pair in np.broadcast_to(np.asarray(value), (ndim, 2)).tolist()]


@operands("array")
def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """The array with `pad_width` values before and after each axis, made by `mode`.

    >>> import hither.numpy as np
    >>> np.pad([1, 2, 3], (1, 2), mode="edge").tolist()
    [1, 1, 2, 3, 3, 3]
    """
    result = _padded(array, pad_width, mode, kwargs)
    return ordered(result, "F") if is_fortran(array) else result


def _padded(array: Array, pad_width: Any, mode: Any, kwargs: dict[str, Any]) -> Array:
    if type(pad_width) is int and mode in _BORDERS and not kwargs:  # the usual call
        most = min(array.shape, default=0) - (mode == "reflect")
        if 0 <= pad_width <= most:
            return h.pad(array, [(pad_width, pad_width)] * array.ndim, _BORDERS[mode], 0)
    if isinstance(pad_width, dict):
        widths = [(0, 0)] * array.ndim
        for axis, width in pad_width.items():
            widths[axis] = (width, width) if np.isscalar(width) else tuple(width)
    else:
        given = h.asnumpy(pad_width) if isinstance(pad_width, Array) else pad_width
        if isinstance(given, bool) or (type(given) is not int and np.size(given) == 0):
            raise TypeError(f"pad: `pad_width` must be of integral type, not {pad_width!r}")
        widths = _pairs(given, array.ndim, "pad_width")
    numbers = [n for pair in widths for n in pair]
    if any(not isinstance(n, (int, np.integer)) for n in numbers):
        raise TypeError(f"pad: `pad_width` must be of integral type, not {pad_width!r}")
    if min(numbers, default=0) < 0:
        raise ValueError(f"pad: index can't contain negative values: pad_width={pad_width!r}")
    if any(n + sum(pair) >= 2**60 for n, pair in zip(array.shape, widths, strict=True)):
        raise ValueError(f"pad: pad_width={pad_width!r}; the array would be too large")
    if callable(mode):
        return _by_function(array, widths, mode, kwargs)
    if mode not in _MODES:
        raise ValueError(f"pad: mode '{mode}' is not supported: {_KNOWN}")
    unknown = kwargs.keys() - _MODES[mode]
    if unknown:
        raise ValueError(
            f"pad: unsupported keyword arguments for mode {mode!r}: {', '.join(sorted(unknown))}"
        )
    for axis, pair in enumerate(widths):
        if array.shape[axis] == 0 and any(pair) and mode not in ("constant", "empty"):
            raise ValueError(
                f"pad: can't extend empty axis {axis} using modes other than 'constant' or 'empty'"
            )
    constants = _pairs(kwargs.get("constant_values", 0), array.ndim, "constant_values")
    value = constants[0][0] if constants else 0
    if all(_fits(n, pair, mode, kwargs) for n, pair in zip(array.shape, widths, strict=True)):
        # By their text, because 0.0 equals -0.0.
        if mode in _BORDERS and len({repr(v) for pair in constants for v in pair}) <= 1:
            number = _number(value, array.dtype)
            return h.pad(array, widths, _BORDERS[mode], number)
        return _framed(array, widths, constants)
    for length in {n for pair in _pairs(kwargs.get("stat_length"), array.ndim, "") for n in pair}:
        if length is not None and length < 0:
            raise ValueError(f"pad: index can't contain negative values: stat_length={length}")
        if length == 0 and mode in ("maximum", "minimum"):
            raise ValueError(f"pad: stat_length of 0 yields no value for padding by {mode!r}")
    result = array
    for axis, width in enumerate(widths):
        if sum(width):
            lines = h.moveaxis(result, axis, 0)
            result = h.moveaxis(_along(lines, axis, array.ndim, width, mode, kwargs), 0, axis)
    return h.copy(result)


def _number(value: Any, dtype: Any) -> Any:
    """A constant in the array's dtype. Integers have no NaN and no infinities."""
    given = np.asarray(value)
    if dtype.kind in "iu" and given.dtype.kind == "f" and not np.isfinite(given):
        int(given)  # its error says why
    return given.astype(dtype).item()


_BORDERS = h.Border.__members__  # the modes of h.pad()
# The most elements that a mode copies from an axis of n elements at once.
_COPIED = {
    "constant": lambda n: math.inf, "empty": lambda n: math.inf,
    "edge": lambda n: math.inf if n else 0, "reflect": lambda n: n - 1,
    "symmetric": lambda n: n, "wrap": lambda n: n,
}  # fmt: skip


def _fits(length: int, width: tuple[int, int], mode: str, kwargs: Any) -> bool:
    """Whether each end of an axis is a constant or a copy of one part of the array."""
    if mode not in _COPIED or kwargs.get("reflect_type", "even") == "odd":
        return False
    return max(width) == 0 or max(width) <= _COPIED[mode](length)


def _framed(x: Array, widths: list[tuple[int, int]], constants: list[tuple[Any, Any]]) -> Array:
    """x in a new array, whose ends are the constants of each axis, one axis after the other."""
    shape = tuple(n + sum(pair) for n, pair in zip(x.shape, widths, strict=True))
    result = h.empty(shape, x.dtype, queue=x.queue, usm_type=x.usm_type)
    key = [slice(pair[0], pair[0] + n) for n, pair in zip(x.shape, widths, strict=True)]
    result[tuple(key)] = x
    for axis, (before, after) in enumerate(widths):
        ends = [slice(0, before), slice(shape[axis] - after, shape[axis])]
        for end, value in zip(ends, constants[axis], strict=True):
            if end.stop > end.start:
                number = _number(value, x.dtype)
                result[(*key[:axis], end, *key[axis + 1 :])] = number
        key[axis] = slice(None)
    return result


def _along(x: Array, axis: int, ndim: int, width: tuple[int, int], mode: str, kwargs: Any) -> Array:
    """x with `width` slices before and after its first axis."""
    if mode in ("reflect", "symmetric", "wrap"):
        alone = mode == "reflect" and x.shape[0] == 1  # it is repeated
        if mode != "wrap" and kwargs.get("reflect_type", "even") == "odd" and not alone:
            return _odd(x, width, mode)
        places = np.arange(-width[0], x.shape[0] + width[1])
        return h.take(x, h.asarray(_source(places, x.shape[0], mode), queue=x.queue), axis=0)
    if mode == "linear_ramp":
        ends = _pairs(kwargs.get("end_values", 0), ndim, "end_values")[axis]
        parts = [_ramp(x[:1], ends[0], width[0], False), x, _ramp(x[-1:], ends[1], width[1], True)]
    else:
        lengths = _pairs(kwargs.get("stat_length"), ndim, "stat_length")[axis]
        front = slice(0, lengths[0])
        back = slice(0 if lengths[1] is None else max(x.shape[0] - lengths[1], 0), None)
        parts = [_repeated(_statistic(x[front], mode), width[0]), x,
                 _repeated(_statistic(x[back], mode), width[1])]  # fmt: skip
    return h.concat(parts)


def _source(places: np.ndarray, length: int, mode: str) -> np.ndarray:
    """The index of the element that a place outside of [0, length) repeats."""
    if mode == "reflect" and length == 1:
        return np.zeros_like(places)
    if mode == "wrap":
        return places % length
    period = 2 * length if mode == "symmetric" else 2 * (length - 1)
    within = places % period
    return np.where(within < length, within, period - within - (mode == "symmetric"))


def _odd(x: Array, width: tuple[int, int], mode: str) -> Array:
    """Reflections at the points of the edges, each of as many whole periods as there are."""
    before, after = width
    skip = 1 if mode == "reflect" else 0
    period = x.shape[0] - skip
    while before or after:
        length = x.shape[0]
        most = (length - skip) // period * period
        front, back = min(before, most), min(after, most)
        parts = [x]
        if front:
            parts.insert(0, _doubled(x[:1], h.flip(x[skip : skip + front], 0)))
        if back:
            mirror = h.flip(x[length - skip - back : length - skip], 0)
            parts.append(_doubled(x[-1:], mirror))
        x = h.concat(parts)
        before, after = before - front, after - back
    return x


def _doubled(edge: Array, mirror: Array) -> Array:
    return astype(edge * 2 - mirror, edge.dtype, copy=False)


def _ramp(edge: Array, end: Any, width: int, after: bool) -> Array:
    from ._ranges import linspace

    wide = np.dtype(np.float64) if edge.dtype.kind in "biu" else edge.dtype
    start = h.asarray(np.asarray(end).astype(wide), queue=edge.queue)
    line = linspace(start, astype(edge[0], wide), width, endpoint=False, dtype=edge.dtype)
    return h.flip(line, 0) if after else line


def _repeated(row: Array, width: int) -> Array:
    return h.broadcast_to(row, (width, *row.shape[1:]))


def _statistic(x: Array, mode: str) -> Array:
    if mode in ("mean", "median"):
        if mode == "mean":
            wide = x if kind_of(x.dtype) in "fc" else astype(x, np.float64)
            middle = h.mean(wide, axis=0, keepdims=True)
        else:
            middle = median_of("pad", x, 0, True)
        return astype(h.round(middle) if x.dtype.kind in "iu" else middle, x.dtype, copy=False)
    return UFUNCS[mode].reduce(x, axis=0, keepdims=True)


def _by_function(array: Array, widths: list[tuple[int, int]], function: Any, kwargs: Any) -> Array:
    """Each line is handed to function(line, width, axis, kwargs), which changes it."""
    padded = pad(array, widths)
    for axis, width in enumerate(widths):
        lines = h.moveaxis(padded, axis, -1)
        for place in np.ndindex(lines.shape[:-1]):
            function(lines[place], width, axis, kwargs)
    return padded
