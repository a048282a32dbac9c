"""Step 2: colour quantisation of the photograph by k-means. A kernel assigns pixels to colours, and
array code moves the colours.

Lloyd's algorithm with a fixed number of rounds and a seeding that depends only on the picture. Sums
are of integers and so exact in every order, so that hither and NumPy compute the same rounds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import hither as ht

from .measurement import Check, largest_difference, race, share_that_differs
from .step import Setting, StepResult

COLOURS = 16
ROUNDS = 10


@ht.kernel
def nearest_colour(pixels: Any, colours: Any, labels: Any) -> None:
    """A work-item finds the nearest of the (k, 3) colours for one of the (n, 3) pixels."""
    i = ht.get_global_id(0)
    smallest = np.float32(np.inf)
    nearest = 0
    for c in range(colours.shape[0]):
        red = pixels[i, 0] - colours[c, 0]
        green = pixels[i, 1] - colours[c, 1]
        blue = pixels[i, 2] - colours[c, 2]
        distance = red * red + green * green + blue * blue
        if distance < smallest:
            smallest = distance
            nearest = c
    labels[i] = nearest


def seeds(pixels: np.ndarray) -> np.ndarray:
    """COLOURS of the (n, 3) pixels, each the farthest from those before it (Gonzalez 1985)."""
    some = pixels[:: max(1, len(pixels) // 4096)]
    chosen = [some[np.argmin(np.sum((some - some.mean(axis=0)) ** 2, axis=1))]]
    distance = np.full(len(some), np.inf)
    while len(chosen) < COLOURS:
        distance = np.minimum(distance, np.sum((some - chosen[-1]) ** 2, axis=1))
        chosen.append(some[np.argmax(distance)])
    return np.array(chosen)


def moved_colours(pixels: ht.Array, labels: ht.Array, colours: ht.Array) -> ht.Array:
    """The mean of each colour's pixels. A colour without pixels is unchanged."""
    every = ht.arange(COLOURS, dtype=labels.dtype, device=labels.device)
    belongs = ht.expand_dims(labels, axis=1) == every
    counts = ht.count_nonzero(belongs, axis=0)
    # float64 holds these sums of integers exactly; a one-hot product is the sum over each colour
    sums = ht.matmul(ht.permute_dims(ht.astype(belongs, ht.float64), (1, 0)), pixels)
    means = sums / ht.expand_dims(ht.maximum(counts, 1), axis=1)
    return ht.where(ht.expand_dims(counts, axis=1) > 0, ht.astype(means, ht.float32), colours)


def quantise(pixels: ht.Array, colours: ht.Array) -> tuple[ht.Array, ht.Array]:
    """(n) labels and (k, 3) colours after ROUNDS rounds, in hither."""
    labels = ht.empty(pixels.shape[0], dtype=ht.int32, device=pixels.device)
    exact = ht.astype(pixels, ht.float64)
    for _ in range(ROUNDS):
        nearest_colour[ht.Range(pixels.shape[0])](pixels, colours, labels)
        colours = moved_colours(exact, labels, colours)
    nearest_colour[ht.Range(pixels.shape[0])](pixels, colours, labels)
    ht.synchronize(labels, colours)
    return labels, colours


def nearest_in_numpy(pixels: np.ndarray, colours: np.ndarray) -> np.ndarray:
    """The kernel's result in NumPy, one colour at a time, which is the fastest method in NumPy."""
    red, green, blue = (np.ascontiguousarray(pixels[:, c]) for c in range(3))
    smallest = np.full(len(pixels), np.inf, np.float32)
    nearest = np.zeros(len(pixels), np.int32)
    for c, colour in enumerate(colours):
        r, g, b = red - colour[0], green - colour[1], blue - colour[2]
        distance = r * r + g * g + b * b
        closer = distance < smallest
        smallest[closer] = distance[closer]
        nearest[closer] = c
    return nearest


def quantise_in_numpy(pixels: np.ndarray, colours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The same in NumPy, with bincount for the sums."""
    for _ in range(ROUNDS):
        labels = nearest_in_numpy(pixels, colours)
        counts = np.bincount(labels, minlength=COLOURS)[:, None]
        sums = np.stack([np.bincount(labels, pixels[:, c], COLOURS) for c in range(3)], axis=1)
        means = (sums / np.maximum(counts, 1)).astype(np.float32)
        colours = np.where(counts > 0, means, colours)
    return nearest_in_numpy(pixels, colours), colours


def run(setting: Setting) -> StepResult:
    """The photograph in COLOURS colours."""
    host_pixels = setting.photograph.reshape(-1, 3).astype(np.float32)
    start = seeds(host_pixels)
    pixels = ht.asarray(host_pixels, queue=setting.queue)
    colours = ht.asarray(start, queue=setting.queue)

    (labels, found), hither_time, (expected_labels, expected), numpy_time = race(
        lambda: quantise(pixels, colours),
        lambda: quantise_in_numpy(host_pixels, start),
        setting.seconds,
    )
    host_labels, host_colours = ht.asnumpy(labels), ht.asnumpy(found)
    picture = np.round(host_colours).astype(np.uint8)[host_labels]
    return StepResult(
        title="colour quantisation",
        device=labels.device,
        hither=hither_time,
        numpy=numpy_time,
        checks=[
            # Ties between distances may be decided differently if a device fuses multiply and add.
            Check("colours", largest_difference(host_colours, expected), 0.5),
            Check("share of labels", share_that_differs(host_labels, expected_labels), 1e-3),
        ],
        pictures={"quantised": picture.reshape(setting.photograph.shape)},
        note=f"k-means, {COLOURS} colours, {ROUNDS} rounds",
    )
