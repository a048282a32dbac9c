"""Evenly spaced numbers, on linear and logarithmic scales."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import _hither as h
from .._array import creation
from .._array.array_utils import normalize_axis_index
from .._hither import Array, where
from ..errors import InvalidTypeError
from ._arguments import dtype_of, whole
from ._creation import _checked_dtype, asarray
from ._placement import (
    as_array,
    first_array,
    moved,
    place_like,
    place_of,
)

__all__ = ["arange", "geomspace", "linspace", "logspace"]


def arange(
    start_or_stop: Any = None, /, stop: Any = None, step: Any = 1, dtype: Any = None, *,
    start: Any = None, device: Any = None, like: Any = None, queue: Any = None,
    usm_type: Any = None,
) -> Array:  # fmt: skip
    """Numbers from `start` (0 by default) up to but not including `stop`, with step `step`.

    >>> import hither.numpy as np
    >>> np.arange(1, 7, 2).tolist()
    [1, 3, 5]
    """
    first = start_or_stop if start is None else start
    if first is None and stop is None:
        raise InvalidTypeError("arange", "stop is missing; the call is arange(start, stop, step)")
    if stop is None or first is None:
        first, stop = 0, first if stop is None else stop
    step = 1 if step is None else step
    place = place_of(queue, device, usm_type, like)
    if dtype is None and creation.are_small_integers(first, stop, step):
        return h.iota(max(0, -((first - stop) // step)), first, step, np.int64, **place)
    if not {type(first), type(stop), type(step)} <= {int, float}:
        numbers = [x.item() if isinstance(x, (Array, np.ndarray)) else x
                   for x in (first, stop, step)]  # fmt: skip
        scalars = [x.dtype for x in numbers if isinstance(x, np.generic)]
        if dtype is None and scalars:
            dtype = np.result_type(
                np.int64, *scalars, *(float for x in numbers if isinstance(x, float))
            )
        first, stop, step = numbers
    if dtype is not None and np.dtype(dtype) == np.bool_:  # NumPy makes at most two of them
        host: Any = np.arange
        return h.asarray(host(first, stop, step, np.bool_), **place)
    kind = _checked_dtype("arange", dtype)
    if kind is not None and kind.kind in "iu":
        whole_steps = _whole_steps(first, stop, step, kind)
        if whole_steps is not None:
            return h.iota(*whole_steps, kind, **place)
    return creation.arange(first, stop, step, kind, **place)


def _whole_steps(first: Any, stop: Any, step: Any, dtype: Any) -> tuple[int, int, int] | None:
    """The count, first number and difference of a range of integers: NumPy rounds the first two
    numbers, and repeats their difference in wrapping arithmetic. None if one does not fit."""
    first, stop, step = (x.item() if isinstance(x, np.generic) else x for x in (first, stop, step))
    if not step or not all(map(math.isfinite, (first, stop, step))):
        return None
    exact = float not in (type(first), type(stop), type(step))
    count = -((first - stop) // step) if exact else math.ceil((stop - first) / step)
    start = int(first)
    difference = int(first + step) - start
    limits = np.iinfo(dtype)
    fits = all(limits.min <= x <= limits.max for x in (start, start + difference))
    return (max(count, 0), start, difference) if fits else None


def linspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, retstep: bool = False,
    dtype: Any = None, axis: int = 0, *, device: Any = None, queue: Any = None,
    usm_type: Any = None,
) -> Any:  # fmt: skip
    """`num` evenly spaced numbers from `start` to `stop`, which may be arrays.

    >>> import hither.numpy as np
    >>> np.linspace(0, 1, 5).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    place = place_of(queue, device, usm_type, first_array((start, stop)))
    num = whole("linspace", "num", num)
    dtype = None if dtype is None else dtype_of("linspace", dtype)
    # NumPy computes with the precision of its narrow scalars, as it does with arrays.
    plain = type(start) in (int, float) and type(stop) in (int, float)
    scalars = plain or all(
        isinstance(x, (int, float, complex, np.generic)) and np.result_type(x).char not in "efF"
        for x in (start, stop)
    )
    if scalars and (dtype is None or dtype.kind in "fciu"):
        normalize_axis_index(axis, 1, "linspace")
        numbers = [x.item() if isinstance(x, np.generic) else x for x in (start, stop)]
        kind = dtype
        if dtype is None and not plain:
            given = [x.dtype if isinstance(x, np.generic) else x for x in (start, stop)]
            kind = np.result_type(*given, float(num))
        made = creation.linspace(numbers[0], numbers[1], num, endpoint, retstep, kind, **place)
        if retstep:
            intervals = num - 1 if endpoint else num
            return made[0], h.asarray(made[1], **place) if intervals > 0 else math.nan
        return made
    made = _linspace_of_arrays(start, stop, num, endpoint, retstep, dtype, axis, place)
    return moved(made, usm_type)


def _linspace_of_arrays(
    start: Any, stop: Any, num: int, endpoint: bool, retstep: bool, dtype: Any, axis: int,
    place: dict[str, Any],
) -> Any:  # fmt: skip
    if num < 0:
        raise ValueError(f"linspace: num={num} is negative")
    home = first_array((start, stop))
    first, last = (as_array("linspace", name, x, place["queue"], home)
                   for name, x in (("start", start), ("stop", stop)))  # fmt: skip
    kind = np.result_type(
        *(given if isinstance(given, (int, float, complex)) else x.dtype
          for given, x in ((start, first), (stop, last))),
        float(num),
    )  # fmt: skip
    first, last = h.astype(first, kind), h.astype(last, kind)
    intervals = num - 1 if endpoint else num
    delta = last - first
    counts = h.iota(num, 0, 1, np.float64, queue=place["queue"])
    steps = h.reshape(counts, (num,) + (1,) * delta.ndim)
    steps = h.astype(steps, np.finfo(kind).dtype, copy=False)
    step = delta / intervals if intervals > 0 else math.nan
    values = steps * step + first if intervals > 0 else steps * delta + first
    if endpoint and num > 1:
        is_last = h.reshape(counts == num - 1, steps.shape)
        values = where(is_last, last, values)
    wanted = kind if dtype is None else np.dtype(dtype)
    if wanted.kind in "iu":
        values = h.floor(values)
    values = h.astype(values, wanted, copy=False)
    result = h.moveaxis(values, 0, axis) if axis != 0 else values
    return (result, step) if retstep else result


def logspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, base: Any = 10.0,
    dtype: Any = None, axis: int = 0, *, queue: Any = None, device: Any = None,
    usm_type: Any = None,
) -> Array:  # fmt: skip
    """`num` numbers from base**start to base**stop, evenly spaced on a logarithmic scale.

    >>> import hither.numpy as np
    >>> np.logspace(0, 2, 3).tolist()
    [1.0, 10.0, 100.0]
    """
    if not isinstance(base, (int, float, complex, np.generic)):
        shapes = [x.shape if isinstance(x, Array) else np.shape(x) for x in (start, stop, base)]
        extents = np.broadcast_shapes(*shapes)
        base = as_array(
            "logspace", "base", base, place_of(queue, device, None, base)["queue"], None
        )
        base = h.broadcast_to(base, extents)
        base = h.expand_dims(base, axis)
        start, stop = (h.broadcast_to(asarray(x, like=base), extents) for x in (start, stop))
    exponents = linspace(start, stop, num, endpoint, axis=axis, queue=queue, device=device,
                         usm_type=usm_type)  # fmt: skip
    if isinstance(base, np.generic):
        base = h.asarray(base, **place_like(exponents))
    result = h.power(base, exponents)
    return moved(result if dtype is None else h.astype(result, dtype, copy=False), usm_type)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0,
    *, queue: Any = None, device: Any = None, usm_type: Any = None,
) -> Array:  # fmt: skip
    """`num` numbers from `start` to `stop`, each a constant multiple of the one before.

    >>> import hither.numpy as np
    >>> np.geomspace(1, 8, 4).round(12).tolist()
    [1.0, 2.0, 4.0, 8.0]
    """
    home = first_array((start, stop))
    place = place_of(queue, device, usm_type, home)
    first, last = (as_array("geomspace", name, x, place["queue"], home)
                   for name, x in (("start", start), ("stop", stop)))  # fmt: skip
    if bool(h.any((first == 0) | (last == 0))):
        raise ValueError("geomspace: start or stop is 0; a geometric sequence has no zero")
    # Without dtype= NumPy computes in float64 or complex128.
    kind = np.result_type(first.dtype, last.dtype, np.float64 if dtype is None else dtype, 1.0)
    first, last = (
        h.broadcast_to(h.astype(first, kind), h.broadcast_shapes(first.shape, last.shape)),
        (h.broadcast_to(h.astype(last, kind), h.broadcast_shapes(first.shape, last.shape))),
    )
    sign = h.sign(first)
    ratio, end = first / sign, last / sign
    logs = linspace(h.log10(ratio), h.log10(end), num, endpoint, axis=0)
    result = h.power(10.0, logs)
    counts = h.reshape(h.iota(num, 0, 1, np.int64, **place_like(first)), (num,) + (1,) * first.ndim)
    if num > 0:
        result = where(counts == 0, ratio, result)
    if endpoint and num > 1:
        result = where(counts == num - 1, end, result)
    result = h.moveaxis(result * sign, 0, axis)
    return moved(h.astype(result, kind if dtype is None else dtype, copy=False), usm_type)
