"""Transforms by cuFFT, on the GPU that holds the data."""

from __future__ import annotations

import ctypes
import math
import threading
from typing import Any

import numpy as np

from .._hither import Array, Queue, astype, concat, copy, empty, moveaxis, zeros
from .dynamic_library import DynamicLibrary, Kept

__all__ = ["takes", "transform"]

LIBRARY = DynamicLibrary("cufft", "nvidia-cufft")
# cuFFT's names of (real to complex, complex to real, complex to complex), by precision.
_KINDS = {
    "rfftn": (0x2A, 0x6A),
    "irfftn": (0x2C, 0x6C),
    "fftn": (0x29, 0x69),
    "ifftn": (0x29, 0x69),
}
_CALLS = {
    0x2A: "cufftExecR2C", 0x6A: "cufftExecD2Z", 0x2C: "cufftExecC2R", 0x6C: "cufftExecZ2D",
    0x29: "cufftExecC2C", 0x69: "cufftExecZ2Z",
}  # fmt: skip
_FORWARD, _INVERSE = -1, 1
_MOST_AXES = 3  # of one plan

_plans = Kept(32, lambda plan: LIBRARY.raw("cufftDestroy", plan))
_lock = threading.Lock()  # of the plans: each has one work area, and so one stream


def takes(_arrays: tuple[Array, ...]) -> bool:
    """Whether cuFFT is there."""
    return bool(LIBRARY)


def _make_plan(kind: int, lengths: tuple[int, ...], count: int, stream: int) -> int:
    plan, work = ctypes.c_int(), ctypes.c_size_t()
    extents = (ctypes.c_longlong * len(lengths))(*lengths)
    LIBRARY.call("cufftCreate", ctypes.byref(plan))
    LIBRARY.call(
        "cufftMakePlanMany64", plan.value, len(lengths), extents, None, 1, 0, None, 1, 0, kind,
        count, ctypes.byref(work),
    )  # fmt: skip
    LIBRARY.call("cufftSetStream", plan.value, ctypes.c_void_p(stream))
    return plan.value


def _run(work: str, source: Array, result: Array, lengths: tuple[int, ...]) -> None:
    """One plan over the last axes; source and result are dense, and may be one array."""
    kind = _KINDS[work][source.dtype.char in "dD"]
    count = math.prod(source.shape[: source.ndim - len(lengths)])
    direction = () if "r" in work else (_FORWARD if work == "fftn" else _INVERSE,)

    def give(stream: int, from_: int, to: int) -> None:
        with _lock:
            key = (kind, lengths, count, stream, source.device)
            plan = _plans.get_or_make(key, lambda: _make_plan(kind, lengths, count, stream))
            LIBRARY.call(_CALLS[kind], plan, from_, to, *direction)

    queue: Queue = source.queue
    if result is source:
        queue.submit_native(lambda stream, both: give(stream, both, both), writes=(source,))
    elif work == "irfftn":  # which overwrites what it reads
        queue.submit_native(give, writes=(source, result))
    else:
        queue.submit_native(give, reads=(source,), writes=(result,))


def _resized(x: Array, axis: int, length: int) -> Array:
    """x with that many elements along an axis: cut, or with zeros added."""
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


def _complex(work: str, x: Array, axes: tuple[int, ...], ours: bool) -> Array:
    """Transforms complex x along axes, where ``ours`` says so in its own memory."""
    while axes:
        now, axes = axes[-_MOST_AXES:], axes[:-_MOST_AXES]
        last = tuple(range(-len(now), 0))
        dense = _dense(x if now == last else moveaxis(x, now, last))
        ours = ours or dense is not x
        result = dense if ours else _like(dense, dense.shape, dense.dtype)
        _run(work, dense, result, dense.shape[-len(now) :])
        x, ours = (result if now == last else moveaxis(result, last, now)), True
    return x


def transform(work: str, x: Array, s: Any, axes: tuple[int, ...], norm: str) -> Array:
    """What the function ``work`` of pocketfft ("fftn", "irfftn", ...) gives for checked arguments.

    x has the dtype that it is computed in; axes count from the end.
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
        x, done = _real_to_complex(x, axes)
        result = _complex("fftn", x, axes[: len(axes) - done], True)
    elif work == "irfftn":
        result = _complex_to_real(_complex("ifftn", x, axes[:-1], False), half, lengths[-1])
    else:
        cast = astype(x, np.complex64 if x.dtype.char in "fF" else np.complex128, copy=False)
        result = _complex(work, cast, axes, cast.dtype != x.dtype)
    return _dense(_scaled(result, work, norm, math.prod(lengths)))


def _scaled(x: Array, work: str, norm: str, elements: int) -> Array:
    """cuFFT scales nothing."""
    inverse = work in ("ifftn", "irfftn")
    if norm == "ortho":
        return x * (1 / math.sqrt(elements))
    return x * (1 / elements) if (norm == "forward") != inverse else x


def _real_to_complex(x: Array, axes: tuple[int, ...]) -> tuple[Array, int]:
    """The transform along the last of axes, and along others where one plan does; how many."""
    dtype = np.complex64 if x.dtype.char == "f" else np.complex128
    done = min(len(axes), _MOST_AXES)
    if axes[-done:] != tuple(range(-done, 0)):
        done = 1
    dense = _dense(x if done > 1 else moveaxis(x, axes[-1], -1))
    result = _like(dense, (*dense.shape[:-1], dense.shape[-1] // 2 + 1), dtype)
    _run("rfftn", dense, result, dense.shape[-done:])
    return (result if done > 1 else moveaxis(result, -1, axes[-1])), done


def _complex_to_real(x: Array, axis: int, length: int) -> Array:
    x = copy(moveaxis(x, axis, -1))  # which is overwritten
    # The imaginary parts of elements that are their own mirror image count as zero.
    for own in (0, length // 2) if length % 2 == 0 else (0,):
        x[..., own] = x[..., own].real
    dtype = np.float32 if x.dtype.char == "F" else np.float64
    result = _like(x, (*x.shape[:-1], length), dtype)
    _run("irfftn", x, result, (length,))
    return moveaxis(result, -1, axis)
