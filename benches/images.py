"""Filters of images: means, median, labels and convolutions, compared with SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.ndimage
import scipy.signal
from small import done
from timing import Budget, Effort, Row, contest

import hither as ht
from hither.scipy import ndimage, signal

SIDE = 8192
BEST = Budget(1.05, "best")


def filtered(case: str, name: str, host: np.ndarray, effort: Effort, *arguments: Any) -> Row:
    """A filter of scipy.ndimage."""
    x = ht.asarray(host)
    contestants: dict[str, Callable[[], Any]] = {
        "SciPy": lambda: getattr(scipy.ndimage, name)(host, *arguments),
        "hither": lambda: done(getattr(ndimage, name)(x, *arguments)),
    }
    return contest(case, contestants, effort, BEST, tolerance=1e-10)


def labelled(case: str, host: np.ndarray, effort: Effort) -> Row:
    x = ht.asarray(host)
    return contest(
        case,
        {
            "SciPy": lambda: scipy.ndimage.label(host)[0],
            "hither": lambda: done(ndimage.label(x)[0]),
        },
        effort,
        BEST,
    )


def convolved(case: str, host: np.ndarray, kernel: np.ndarray, effort: Effort) -> Row:
    x, weights = ht.asarray(host), ht.asarray(kernel)
    return contest(
        case,
        {
            "SciPy": lambda: scipy.signal.fftconvolve(host, kernel, "same"),
            "hither": lambda: done(signal.fftconvolve(x, weights, "same")),
        },
        effort,
        BEST,
        tolerance=1e-9,
    )


def rows(effort: Effort, side: int = SIDE) -> list[Row]:
    random = np.random.default_rng(1)
    image = random.random((side, side))
    part = image[: side // 4, : side // 4].copy()
    size, less = f"{side}²", f"{side // 4}²"
    return [
        filtered(f"uniform_filter, {size} float64, 9", "uniform_filter", image, effort, 9),
        filtered(f"sobel, {size} float64", "sobel", image, effort),
        filtered(f"median_filter, {less} float64, 3", "median_filter", part, effort, 3),
        filtered(f"zoom, {less} float64, 2", "zoom", part, effort, 2.0),
        labelled(f"label, {less} bool, half set", part > 0.5, effort),
        convolved(f"fftconvolve, {less} with 65²", part, random.random((65, 65)), effort),
    ]  # fmt: skip
