"""Transforms by a library for the device, such as cuFFT or oneMKL."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from .._hither import Array, astype, concat, copy, empty, moveaxis, zeros

__all__ = ["submit", "transform"]

_MOST_AXES = 3  # the maximum of one plan


class Library(Protocol):
    """A module with a library's transforms, which are not scaled."""

    SIDE_BY_SIDE: bool
    """Whether run() takes (source.shape[0],) with ``first``."""

    def run(
        self, work: str, source: Array, result: Array, lengths: tuple[int, ...], first: bool = False
    ) -> None:
        """Transforms over the last axes, or with ``first`` complex data over the first axis only.

        source and result are C-contiguous, and may be one array. "irfftn" may overwrite its source,
        and transforms one axis.
        """


def submit(work: str, source: Array, result: Array, give: Callable[[int, int, int], None]) -> None:
    """Submits ``give(native queue, source, result)``, with addresses, to source's queue."""
    queue = source.queue
    if result is source:
        queue.submit_native(lambda native, both: give(native, both, both), writes=(source,))
    elif work == "irfftn":  # it may overwrite its source
        queue.submit_native(give, writes=(source, result))
    else:
        queue.submit_native(give, reads=(source,), writes=(result,))


def _resized(x: Array, axis: int, length: int) -> Array:
    """x with this many elements along an axis: truncated or padded with zeros."""
    given = x.shape[axis]
    if length <= given:
        return x[(slice(None),) * (x.ndim + axis) + (slice(0, length),)]
    shape = list(x.shape)
    shape[axis] = length - given
    more = zeros(tuple(shape), dtype=x.dtype, queue=x.queue, usm_type=x.usm_type)
    return concat([x, more], axis=axis)


def _dense(x: Array) -> Array:
    return x if x.flags["C_CONTIGUOUS"] else copy(x)


def _like(x: Array, shape: tuple[int, ...], dtype: Any) -> Array:
    return empty(shape, dtype=dtype, queue=x.queue, usm_type=x.usm_type)


def _complex(
    library: Library, work: str, x: Array, axes: tuple[int, ...], may_overwrite: bool
) -> Array:
    """Transforms complex x along axes. With ``may_overwrite`` it may overwrite x."""
    while axes:
        now, axes = axes[-_MOST_AXES:], axes[:-_MOST_AXES]
        if library.SIDE_BY_SIDE and now == (-x.ndim,) and x.ndim > 1:
            dense = _dense(x)
            result = dense if may_overwrite or dense is not x else _like(x, x.shape, x.dtype)
            library.run(work, dense, result, dense.shape[:1], first=True)
            x, may_overwrite = result, True
            continue
        last = tuple(range(-len(now), 0))
        moved = x if now == last else moveaxis(x, now, last)
        dense = _dense(moved)
        may_overwrite = may_overwrite or dense is not moved
        result = dense if may_overwrite else _like(dense, dense.shape, dense.dtype)
        library.run(work, dense, result, dense.shape[-len(now) :])
        x, may_overwrite = (result if now == last else moveaxis(result, last, now)), True
    return x


def transform(
    library: Library, work: str, x: Array, s: Any, axes: tuple[int, ...], norm: str
) -> Array:
    """The result of pocketfft's function ``work`` ("fftn", "irfftn", ...) for checked arguments.

    x has the dtype of the computation. Axes are negative.
    """
    half = axes[-1]
    lengths = list(s if s is not None else (x.shape[axis] for axis in axes))
    if s is None and work == "irfftn":
        lengths[-1] = 2 * (x.shape[half] - 1)
    for axis, length in zip(axes, lengths, strict=True):
        kept = length // 2 + 1 if work == "irfftn" and axis == half else length
        if x.shape[axis] != kept:
            x = _resized(x, axis, kept)
    if work == "rfftn":
        x, done = _real_to_complex(library, x, axes)
        result = _complex(library, "fftn", x, axes[: len(axes) - done], True)
    elif work == "irfftn":
        whole = _complex(library, "ifftn", x, axes[:-1], False)
        result = _complex_to_real(library, whole, half, lengths[-1])
    else:
        cast = astype(x, np.complex64 if x.dtype.char in "fF" else np.complex128, copy=False)
        result = _complex(library, work, cast, axes, cast.dtype != x.dtype)
    return _dense(_scaled(result, work, norm, math.prod(lengths)))


def _scaled(x: Array, work: str, norm: str, elements: int) -> Array:
    """Scales x according to ``norm``, because the libraries do not scale."""
    inverse = work in ("ifftn", "irfftn")
    if norm == "ortho":
        return x * (1 / math.sqrt(elements))
    return x * (1 / elements) if (norm == "forward") != inverse else x


def _real_to_complex(library: Library, x: Array, axes: tuple[int, ...]) -> tuple[Array, int]:
    """The transform along the last axis, and along others if one plan can do it. Also returns the
    number of transformed axes."""
    dtype = np.complex64 if x.dtype.char == "f" else np.complex128
    done = min(len(axes), _MOST_AXES)
    if axes[-done:] != tuple(range(-done, 0)):
        done = 1
    dense = _dense(x if done > 1 else moveaxis(x, axes[-1], -1))
    result = _like(dense, (*dense.shape[:-1], dense.shape[-1] // 2 + 1), dtype)
    library.run("rfftn", dense, result, dense.shape[-done:])
    return (result if done > 1 else moveaxis(result, -1, axes[-1])), done


def _complex_to_real(library: Library, x: Array, axis: int, length: int) -> Array:
    x = copy(moveaxis(x, axis, -1))  # the transform overwrites it
    # The imaginary parts of elements that are their own conjugates are treated as zero.
    for own in (0, length // 2) if length % 2 == 0 else (0,):
        x[..., own] = x[..., own].real
    dtype = np.float32 if x.dtype.char == "F" else np.float64
    result = _like(x, (*x.shape[:-1], length), dtype)
    library.run("irfftn", x, result, (length,))
    return moveaxis(result, -1, axis)
