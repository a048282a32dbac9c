"""Recursive filters: rational transfer functions, and cascades of sections of second order."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, Range, astype
from ...numpy._placement import operands, place_like
from ..ndimage._arguments import host
from ..ndimage._borders import extended
from ..ndimage._correlation import axis_of
from ._convolution import sliding

__all__ = ["filtfilt", "lfilter", "lfilter_zi", "sosfilt", "sosfilt_zi", "sosfiltfilt"]


@functools.cache
def _recursive_filter() -> Any:
    """The kernel that filters the columns of an array in place, one after the other sections."""
    from ..._kernel.language.decorator import kernel
    from ..._kernel.language.work_item import get_global_id

    @kernel(fma=False)
    def filter_lines(b: Any, a: Any, x: Any, z: Any) -> None:
        # b and a have a row for each section; z has a plane of states for each section.
        j = get_global_id(0)
        last = b.shape[1] - 1
        for i in range(x.shape[0]):
            value = x[i, j]
            for s in range(b.shape[0]):
                given = value
                value = z[s, 0, j] + b[s, 0] * given
                for k in range(last - 1):
                    z[s, k, j] = z[s, k + 1, j] + given * b[s, k + 1] - value * a[s, k + 1]
                z[s, last - 1, j] = given * b[s, last] - value * a[s, last]
            x[i, j] = value

    return filter_lines


def _dtype_of(function: str, *values: Any) -> np.dtype:
    kind = np.result_type(*(v.dtype for v in values))
    if kind.char not in "fdFD":
        raise NotImplementedError(f"{function}: input type '{kind}' not supported; pass arrays of "
                                  "float32, float64, complex64 or complex128")  # fmt: skip
    return kind


def _coefficients(function: str, name: str, values: Any) -> np.ndarray:
    found = np.atleast_1d(host(values))
    if found.ndim != 1 or found.size == 0:
        raise ValueError(f"{function}: Parameter {name} is not a non-empty 1d array, since it has "
                         f"shape {found.shape}")  # fmt: skip
    return found


def _run(
    x: Array, axis: int, b: np.ndarray, a: np.ndarray, states: Array | None, kind: np.dtype
) -> tuple[Array, Array]:
    """The filtered array, and the states at the end: (sections, order, ...) with time's axis
    replaced. `states` has this shape."""
    lines = h.moveaxis(x, axis, 0)
    shape = lines.shape
    columns = h.copy(h.reshape(astype(lines, kind), (shape[0], math.prod(shape[1:]))))
    sections, order = b.shape[0], b.shape[1] - 1
    if states is None:
        z = h.zeros((sections, order, columns.shape[1]), kind, **place_like(x))
    else:
        moved = h.moveaxis(states, axis + 1, 1)
        z = h.copy(h.reshape(astype(moved, kind), (sections, order, columns.shape[1])))
    if columns.size:
        given = [h.asarray(np.ascontiguousarray(c, kind), queue=x.queue) for c in (b, a)]
        _recursive_filter()[Range(columns.shape[1])](*given, columns, z)
    ends = h.reshape(z, (sections, order, *shape[1:]))
    return h.moveaxis(h.reshape(columns, shape), 0, axis), h.moveaxis(ends, 1, axis + 1)


@operands("x zi")
def lfilter(b: Any, a: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filters along an axis by the rational transfer function b / a.

    With `zi`, the states of the filter at the start, the result also has those at the end.
    """
    numerator, denominator = _coefficients("lfilter", "b", b), _coefficients("lfilter", "a", a)
    if x.ndim == 0:
        raise ValueError("lfilter: x must be at least 1-D")
    axis = axis_of("axis", axis, x.ndim)
    kind = _dtype_of("lfilter", numerator, denominator, x, *([] if zi is None else [zi]))
    if len(denominator) > 1 and denominator[0] == 0:
        raise ValueError("lfilter: a[0] is 0: The first element of a must be nonzero")
    length = max(len(numerator), len(denominator))
    rows = [np.zeros((1, max(2, length)), kind) for _ in range(2)]
    for row, values in zip(rows, (numerator, denominator), strict=True):
        row[0, : len(values)] = values.astype(kind) / denominator[0].astype(kind)
    states = None if zi is None else _states("lfilter", zi, x, axis, length - 1)
    if len(denominator) == 1:
        result, ends = _without_feedback(x, axis, rows[0][0, : len(numerator)], states, kind)
    else:
        start = None if states is None else h.expand_dims(states, 0)
        result, found = _run(x, axis, rows[0], rows[1], start, kind)
        ends = found[0]
    return result if zi is None else (result, ends)


def _states(function: str, zi: Array, x: Array, axis: int, order: int) -> Array:
    """The states of all lines. Those of one line may serve for all."""
    wanted = (*x.shape[:axis], order, *x.shape[axis + 1 :])
    if zi.ndim != x.ndim:
        raise ValueError(f"{function}: Dimensions of parameters x and zi must match, but they have "
                         f"{x.ndim} and {zi.ndim}")  # fmt: skip
    fits = all(n == m or (n == 1 and i != axis)
               for i, (n, m) in enumerate(zip(zi.shape, wanted, strict=True)))  # fmt: skip
    if not fits:
        raise ValueError(f"{function}: Unexpected shape for parameter zi: expected {wanted}, found "
                         f"{zi.shape}")  # fmt: skip
    return h.broadcast_to(zi, wanted)


def _without_feedback(
    x: Array, axis: int, b: np.ndarray, states: Array | None, kind: np.dtype
) -> tuple[Array, Array]:
    """The convolution with b, which starts from states."""
    order, length = len(b) - 1, x.shape[axis]
    lines = h.moveaxis(astype(x, kind), axis, 0)
    block = h.concat([h.zeros((n, *lines.shape[1:]), kind, **place_like(x)) if n is not None
                      else lines for n in (order, None, order)])  # fmt: skip
    weights = h.asarray(np.ascontiguousarray(b[::-1]), queue=x.queue)
    weights = h.reshape(weights, (len(b),) + (1,) * (lines.ndim - 1))
    whole = sliding(block, weights) if block.size else h.zeros(
        (length + order, *lines.shape[1:]), kind, **place_like(x))  # fmt: skip
    if states is not None and order:
        first = h.moveaxis(astype(states, kind), axis, 0)
        whole = h.concat([whole[:order] + first, whole[order:]])
    result, ends = h.copy(whole[:length]), h.copy(whole[length:])
    return h.moveaxis(result, 0, axis), h.moveaxis(ends, 0, axis)


def _steady_states(b: np.ndarray, a: np.ndarray) -> np.ndarray:
    """The states of a filter whose input has always been 1."""
    a = a[np.flatnonzero(a)[0] :] if a.any() else a
    if not a.any():
        raise ValueError("lfilter_zi: There must be at least one nonzero `a` coefficient.")
    b, a = b / a[0], a / a[0]
    count = max(len(a), len(b))
    b, a = (np.concatenate([v, np.zeros(count - len(v), v.dtype)]) for v in (b, a))
    kind = np.result_type(a, b)
    companion = np.zeros((count - 1, count - 1), kind)
    companion[0] = -a[1:]
    companion[1:, :-1] += np.eye(count - 2, dtype=kind)
    return np.linalg.solve(np.eye(count - 1, dtype=kind) - companion.T, b[1:] - a[1:] * b[0])


def lfilter_zi(b: Any, a: Any, *, queue: Any = None, device: Any = None) -> Array:
    """The states of lfilter() for an input that has always been 1."""
    from ...numpy._placement import chosen_queue

    values = [np.atleast_1d(host(v)) for v in (b, a)]
    for name, v in zip(("Numerator b", "Denominator a"), values, strict=True):
        if v.ndim != 1:
            raise ValueError(f"lfilter_zi: {name} must be 1-D, not {v.ndim}-D")
    return h.asarray(_steady_states(*values), queue=chosen_queue(queue, device, "lfilter_zi"))


def _sections(function: str, sos: Any) -> np.ndarray:
    values = np.atleast_2d(host(sos))
    if values.ndim != 2:
        raise ValueError(f"{function}: sos array must be 2D, not {values.ndim}D")
    if values.shape[1] != 6:
        raise ValueError(f"{function}: sos array must be shape (n_sections, 6), not "
                         f"{values.shape}")  # fmt: skip
    if not (values[:, 3] == 1).all():
        raise ValueError(f"{function}: sos[:, 3] should be all ones")
    return values


def _steady_sections(sos: np.ndarray) -> np.ndarray:
    sos = sos if sos.dtype.kind in "fc" else sos.astype(np.float64)
    states = np.empty((len(sos), 2), sos.dtype)
    scale = 1.0
    for i, section in enumerate(sos):
        states[i] = scale * _steady_states(section[:3], section[3:])
        scale *= section[:3].sum() / section[3:].sum()
    return states


def sosfilt_zi(sos: Any, *, queue: Any = None, device: Any = None) -> Array:
    """The states of sosfilt() for an input that has always been 1."""
    from ...numpy._placement import chosen_queue

    values = host(sos)
    if values.ndim != 2 or values.shape[1] != 6:
        raise ValueError(f"sosfilt_zi: sos must be shape (n_sections, 6), not {values.shape}")
    return h.asarray(_steady_sections(values), queue=chosen_queue(queue, device, "sosfilt_zi"))


@operands("x zi")
def sosfilt(sos: Any, x: Any, axis: int = -1, zi: Any = None) -> Any:
    """Filters along an axis by a cascade of sections of second order.

    With `zi`, the states of the sections at the start, the result also has those at the end.
    """
    if x.ndim == 0:
        raise ValueError("sosfilt: x must be at least 1-D")
    sections = _sections("sosfilt", sos)
    axis = axis_of("axis", axis, x.ndim)
    kind = _dtype_of("sosfilt", sections, x, *([] if zi is None else [zi]))
    shape = (len(sections), *x.shape[:axis], 2, *x.shape[axis + 1 :])
    if zi is not None and zi.shape != shape:
        raise ValueError(
            f"sosfilt: Invalid zi shape. With axis={axis}, an input with shape {x.shape}, and an "
            f"sos array with {len(sections)} sections, zi must have shape {shape}, got {zi.shape}."
        )
    result, ends = _run(x, axis, sections[:, :3], sections[:, 3:], zi, kind)
    return result if zi is None else (result, ends)


def _slice(x: Array, axis: int, start: int, stop: int) -> Array:
    return x[(slice(None),) * axis + (slice(start, stop),)]


def _with_ends(
    function: str, x: Array, axis: int, padtype: Any, padlen: Any, taps: int
) -> tuple[int, Array]:
    """How many elements are added at each end, and the array with them."""
    if padtype not in ("even", "odd", "constant", None):
        raise ValueError(f"{function}: Unknown value '{padtype}' given to padtype. padtype must be "
                         "'even', 'odd', 'constant', or None.")  # fmt: skip
    edge = 0 if padtype is None else 3 * taps if padlen is None else operator.index(padlen)
    if edge < 0:
        raise ValueError(f"{function}: padlen is {edge}; it must be 0 or more.")
    length = x.shape[axis]
    if length <= edge:
        raise ValueError(f"{function}: The length of the input vector x, which is {length}, must "
                         f"be greater than padlen, which is {edge}.")  # fmt: skip
    if edge == 0:
        return 0, x
    if padtype == "constant":
        return edge, extended(x, axis, -edge, length + edge, "nearest", 0)
    mirrored = extended(x, axis, -edge, length + edge, "mirror", 0)
    if padtype == "even":
        return edge, mirrored
    first, last = _slice(x, axis, 0, 1), _slice(x, axis, length - 1, length)
    parts = [2 * first - _slice(mirrored, axis, 0, edge), x,
             2 * last - _slice(mirrored, axis, length + edge, length + 2 * edge)]  # fmt: skip
    return edge, h.concat(parts, axis)


def _both_ways(x: Array, axis: int, edge: int, run: Any, states: np.ndarray) -> Array:
    """Filters forwards and then backwards, from steady states, and removes the added ends."""
    shape = [*states.shape[:-1]] + [1] * x.ndim
    shape[len(states.shape) - 1 + axis] = states.shape[-1]
    steady = h.asarray(states.reshape(shape), queue=x.queue)
    result, _ = run(x, steady * _slice(x, axis, 0, 1))
    count = result.shape[axis]
    backwards = h.flip(result, axis)
    result, _ = run(backwards, steady * _slice(result, axis, count - 1, count))
    return h.copy(_slice(h.flip(result, axis), axis, edge, count - edge))


@operands("x")
def filtfilt(
    b: Any, a: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None,
    method: str = "pad", irlen: Any = None,
) -> Any:  # fmt: skip
    """lfilter() forwards and then backwards, so that phases do not change.

    Of SciPy's two methods for the ends of the array, it has "pad".
    """
    if method == "gust":
        raise NotImplementedError("filtfilt: method='gust' is not implemented; use 'pad', or "
                                  "scipy.signal.filtfilt on hither.asnumpy(x)")  # fmt: skip
    if method != "pad":
        raise ValueError(f"filtfilt: method={method!r}; method must be 'pad' or 'gust'.")
    numerator, denominator = _coefficients("filtfilt", "b", b), _coefficients("filtfilt", "a", a)
    axis = axis_of("axis", axis, x.ndim)
    taps = max(len(numerator), len(denominator))
    edge, wide = _with_ends("filtfilt", x, axis, padtype, padlen, taps)

    def run(values: Array, states: Array) -> Any:
        return lfilter(numerator, denominator, values, axis, states)

    return _both_ways(wide, axis, edge, run, _steady_states(numerator, denominator))


@operands("x")
def sosfiltfilt(sos: Any, x: Any, axis: int = -1, padtype: Any = "odd", padlen: Any = None) -> Any:
    """sosfilt() forwards and then backwards, so that phases do not change."""
    if x.ndim == 0:
        raise ValueError("sosfiltfilt: x must be at least 1-D")
    sections = _sections("sosfiltfilt", sos)
    axis = axis_of("axis", axis, x.ndim)
    taps = 2 * len(sections) + 1
    taps -= int(min((sections[:, 2] == 0).sum(), (sections[:, 5] == 0).sum()))
    edge, wide = _with_ends("sosfiltfilt", x, axis, padtype, padlen, taps)

    def run(values: Array, states: Array) -> Any:
        return sosfilt(sections, values, axis, states)

    return _both_ways(wide, axis, edge, run, _steady_sections(sections))
