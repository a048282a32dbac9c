"""Step 1: edges of the photograph, by an array program that runs with NumPy and with hither."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import hither as ht

from .measurement import Check, largest_difference, race
from .step import Setting, StepResult

SIGMA = 1.5  # of the blur, in pixels
RADIUS = 4
LUMINANCE = (0.2126, 0.7152, 0.0722)  # of linear sRGB red, green and blue (IEC 61966-2-1)


def to_linear(xp: Any, channel: Any) -> Any:
    """uint8 sRGB to linear light in [0, 1], float32 (IEC 61966-2-1)."""
    s = xp.astype(channel, xp.float32) * (1 / 255)
    return xp.where(s <= 0.04045, s * (1 / 12.92), ((s + 0.055) * (1 / 1.055)) ** 2.4)


def luminance(xp: Any, image: Any) -> Any:
    """(h, w, 3) uint8 sRGB to (h, w) float32 linear luminance."""
    red, green, blue = (w * to_linear(xp, image[:, :, c]) for c, w in enumerate(LUMINANCE))
    return red + green + blue


def extended(xp: Any, x: Any, margin: int, axis: int) -> Any:
    """x with its first and last slice repeated `margin` times along an axis."""
    shape = [*x.shape]
    shape[axis] += 2 * margin
    result = xp.empty(tuple(shape), dtype=x.dtype, device=x.device)

    def part(first: int | None, last: int | None) -> tuple[slice, ...]:
        return tuple(slice(first, last) if a == axis else slice(None) for a in range(2))

    result[part(margin, -margin)] = x
    result[part(None, margin)] = x[part(None, 1)]
    result[part(-margin, None)] = x[part(-1, None)]
    return result


def blur(xp: Any, x: Any, axis: int) -> Any:
    """Gaussian blur along one axis: a weighted sum of shifted views."""
    weights = [math.exp(-0.5 * (k / SIGMA) ** 2) for k in range(-RADIUS, RADIUS + 1)]
    wide = extended(xp, x, RADIUS, axis)
    count = x.shape[axis]
    total = None
    for k, weight in enumerate(weights):
        window = wide[k : k + count, :] if axis == 0 else wide[:, k : k + count]
        term = window * (weight / sum(weights))
        total = term if total is None else total + term
    return total


def sobel_magnitude(xp: Any, x: Any) -> Any:
    """Length of the gradient by Sobel's 3 x 3 operators; the border repeats the edge."""
    p = extended(xp, extended(xp, x, 1, 0), 1, 1)
    up, middle, down = p[:-2, :], p[1:-1, :], p[2:, :]
    smooth = up + 2 * middle + down
    slope = down - up
    across = smooth[:, 2:] - smooth[:, :-2]
    along = slope[:, :-2] + 2 * slope[:, 1:-1] + slope[:, 2:]
    return xp.sqrt(across * across + along * along)


def stretch_contrast(xp: Any, x: Any) -> Any:
    """Maps [min, max] to [0, 1]."""
    low, high = xp.min(x), xp.max(x)
    return (x - low) / (high - low)


def edges(xp: Any, image: Any) -> Any:
    """(h, w, 3) uint8 sRGB to the strength of its edges, (h, w) float32 in [0, 1].

    `xp` is the array namespace: NumPy or hither. The square root at the end brightens faint edges.
    """
    smooth = blur(xp, blur(xp, luminance(xp, image), 0), 1)
    return xp.sqrt(stretch_contrast(xp, sobel_magnitude(xp, smooth)))


def to_picture(x: np.ndarray) -> np.ndarray:
    """[0, 1] to uint8."""
    return np.round(x * 255).astype(np.uint8)


def run(setting: Setting) -> StepResult:
    """The photograph's edges, by the same function in hither and in NumPy."""
    image = ht.asarray(setting.photograph, queue=setting.queue)

    def in_hither() -> Any:
        result = edges(ht, image)
        ht.synchronize(result)
        return result

    result, hither_time, expected, numpy_time = race(
        in_hither, lambda: edges(np, setting.photograph), setting.seconds
    )
    strength = ht.asnumpy(result)
    # The square root magnifies rounding errors where there are no edges: 1e-7 becomes 3e-4.
    checks = [
        Check("edge strength squared", largest_difference(strength**2, expected**2), 1e-5),
        Check("grey levels", largest_difference(to_picture(strength), to_picture(expected)), 1),
    ]
    return StepResult(
        title="image pipeline",
        device=result.device,
        hither=hither_time,
        numpy=numpy_time,
        checks=checks,
        pictures={"edges": to_picture(strength)},
        note="gamma, luminance, blur, Sobel, contrast",
    )
