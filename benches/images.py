"""Filters of images: Gaussian, median, labels and convolutions, compared with SciPy."""

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


def filtered(
    case: str, name: str, host: np.ndarray, effort: Effort, *arguments: Any,
    tolerance: float = 1e-10,
) -> Row:  # fmt: skip
    """A filter of scipy.ndimage; and of JAX, which has none, by a convolution of the same size."""
    x = ht.asarray(host)
    contestants: dict[str, Callable[[], Any]] = {
        "SciPy": lambda: getattr(scipy.ndimage, name)(host, *arguments),
        "hither": lambda: done(getattr(ndimage, name)(x, *arguments)),
    }
    if name == "gaussian_filter":
        contestants |= jax_gaussian(host, *arguments)
    return contest(case, contestants, effort, BEST, tolerance=tolerance)


def jax_gaussian(host: np.ndarray, sigma: float) -> dict[str, Callable[[], Any]]:
    """A separable Gaussian as a compiled sum of shifted slices, if JAX is installed."""
    try:
        import jax
    except ImportError:
        return {}
    jax.config.update("jax_enable_x64", True)
    radius = int(4 * sigma + 0.5)
    weights = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    weights /= weights.sum()

    @jax.jit
    def smooth(values: Any) -> Any:
        for axis in (0, 1):
            width = [(radius, radius) if a == axis else (0, 0) for a in (0, 1)]
            wide = jax.numpy.pad(values, width, mode="symmetric")
            parts = [w * jax.lax.slice_in_dim(wide, k, k + values.shape[axis], axis=axis)
                     for k, w in enumerate(weights)]  # fmt: skip
            values = sum(parts)
        return values

    given = jax.numpy.asarray(host)
    return {"JAX": lambda: np.asarray(smooth(given).block_until_ready())}


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
    name = "gaussian_filter"
    return [
        filtered(f"{name}, {size} float64, sigma 1", name, image, effort, 1.0),
        filtered(f"{name}, {size} float64, sigma 4", name, image, effort, 4.0),
        filtered(f"{name}, {size} float32, sigma 1", name, image.astype("f"), effort, 1.0,
                 tolerance=1e-5),
        filtered(f"uniform_filter, {size} float64, 9", "uniform_filter", image, effort, 9),
        filtered(f"sobel, {size} float64", "sobel", image, effort),
        filtered(f"median_filter, {less} float64, 3", "median_filter", part, effort, 3),
        filtered(f"zoom, {less} float64, 2", "zoom", part, effort, 2.0),
        labelled(f"label, {less} bool, half set", part > 0.5, effort),
        convolved(f"fftconvolve, {less} with 65²", part, random.random((65, 65)), effort),
    ]  # fmt: skip
