"""Rank filters with the names of scipy.signal, and Wiener's filter."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ... import _hither as h
from ..._hither import Array, where
from ...errors import InvalidTypeError, InvalidValueError
from ...numpy._placement import operands, place_like
from ..ndimage import rank_filter
from ..ndimage._arguments import host
from ._convolution import correlate

__all__ = ["medfilt", "medfilt2d", "order_filter", "wiener"]


def _check_dtype(function: str, x: Array) -> None:
    if x.dtype.kind not in "iu" and x.dtype.char not in "fd":
        raise ValueError(f"{function}: dtype={x.dtype} is not supported by {function}; it takes "
                         "integers, float32 and float64")  # fmt: skip


@operands("a")
def order_filter(a: Any, domain: Any, rank: int) -> Any:
    """The element of a rank among those that a mask selects around each element."""
    mask = host(domain)
    if any(n % 2 != 1 for n in mask.shape):
        raise ValueError(f"order_filter: domain has shape {mask.shape}; each dimension of domain "
                         "argument should have an odd number of elements")  # fmt: skip
    _check_dtype("order_filter", a)
    return rank_filter(a, rank, footprint=mask, mode="constant")


@operands("volume")
def medfilt(volume: Any, kernel_size: Any = None) -> Any:
    """The medians of boxes of an odd size; zeros continue the array."""
    x = h.reshape(volume, (1,)) if volume.ndim == 0 else volume
    _check_dtype("medfilt", x)
    sizes = host(3 if kernel_size is None else kernel_size)
    sizes = np.full(x.ndim, sizes) if sizes.ndim == 0 else sizes
    if any(n % 2 != 1 for n in sizes):
        raise ValueError(f"medfilt: kernel_size={kernel_size}; each element of kernel_size should "
                         "be odd")  # fmt: skip
    if any(k > n for k, n in zip(sizes, x.shape, strict=False)):
        warnings.warn("kernel_size exceeds volume extent: the volume will be zero-padded.",
                      stacklevel=3)  # fmt: skip
    extents = [int(n) for n in sizes]
    return rank_filter(x, math.prod(extents) // 2, size=extents, mode="constant")


@operands("input")
def medfilt2d(input: Any, kernel_size: Any = 3) -> Any:
    """The medians of rectangles of an odd size; zeros continue the matrix."""
    if input.ndim != 2:
        raise ValueError(f"medfilt2d: input has {input.ndim} dimensions, not 2")
    return medfilt(input, kernel_size)


@operands("im")
def wiener(im: Any, mysize: Any = None, noise: Any = None) -> Any:
    """Wiener's filter: less smoothing where the local variance exceeds the noise."""
    sizes = host(3 if mysize is None else mysize).tolist()
    sizes = sizes if isinstance(sizes, list) else [sizes] * im.ndim
    if not all(isinstance(n, int) for n in sizes):
        raise InvalidTypeError("wiener", f"mysize is {mysize!r}; it must contain integers")
    if len(sizes) != im.ndim or min(sizes, default=1) < 1:
        raise InvalidValueError(
            "wiener", f"mysize is {mysize!r}; it is positive, and has a value for each of the "
            f"{im.ndim} dimensions",
        )  # fmt: skip
    ones = h.ones(tuple(sizes), np.float64, **place_like(im))
    count = float(math.prod(sizes))
    mean = correlate(im, ones, "same") / count
    variance = correlate(im * im, ones, "same") / count - mean * mean
    power = h.mean(variance) if noise is None else noise
    return where(variance < power, mean, (im - mean) * (1 - power / variance) + mean)
