"""Step 4: the kernel of step 2 on plain NumPy arrays, inside a device context."""

from __future__ import annotations

import numpy as np

import hither as ht

from .colour_quantisation import nearest_colour, nearest_in_numpy, seeds
from .measurement import Check, race, share_that_differs
from .step import Setting, StepResult


def run(setting: Setting) -> StepResult:
    """The nearest seed colour of each pixel: copied to the device, computed, copied back."""
    pixels = setting.photograph.reshape(-1, 3).astype(np.float32)
    colours = seeds(pixels)

    def in_hither() -> tuple[np.ndarray, ht.Device]:
        labels = np.full(len(pixels), -1, np.int32)
        with ht.device_context(setting.queue) as queue:
            nearest_colour[ht.Range(len(pixels))](pixels, colours, labels)
        return labels, queue.device

    (labels, device), hither_time, expected, numpy_time = race(
        in_hither, lambda: nearest_in_numpy(pixels, colours), setting.seconds
    )
    return StepResult(
        title="kernel on NumPy arrays",
        device=device,
        hither=hither_time,
        numpy=numpy_time,
        checks=[Check("share of labels", share_that_differs(labels, expected), 1e-3)],
        note="nearest colours, copied to the device and back",
    )
