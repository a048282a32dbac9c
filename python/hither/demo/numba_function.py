"""Step 5: heat diffusion on the photograph by an unmodified Numba function, outside and inside a
device context."""

from __future__ import annotations

import numba
import numpy as np

import hither as ht

from .image_pipeline import luminance, to_picture
from .measurement import Check, largest_difference, race
from .step import Setting, StepResult

SWEEPS = 20
RATE = 0.2


@numba.njit
def spread(heat, sweeps):
    """Each sweep moves every pixel towards the mean of its four neighbours. The border is fixed."""
    for _ in range(sweeps):
        following = heat.copy()
        for i in numba.prange(1, heat.shape[0] - 1):
            for j in range(1, heat.shape[1] - 1):
                around = heat[i - 1, j] + heat[i + 1, j] + heat[i, j - 1] + heat[i, j + 1]
                following[i, j] = heat[i, j] + RATE * (around - 4 * heat[i, j])
        heat = following
    return heat


def spread_in_numpy(heat: np.ndarray, sweeps: int) -> np.ndarray:
    """The same computation with slices."""
    for _ in range(sweeps):
        following = heat.copy()
        around = heat[:-2, 1:-1] + heat[2:, 1:-1] + heat[1:-1, :-2] + heat[1:-1, 2:]
        following[1:-1, 1:-1] = heat[1:-1, 1:-1] + RATE * (around - 4 * heat[1:-1, 1:-1])
        heat = following
    return heat


def run(setting: Setting) -> StepResult:
    """The photograph's luminance after some sweeps."""
    start = luminance(np, setting.photograph).astype(np.float64)
    outside = spread(start, SWEEPS)
    before = ht.counters()["offloaded_regions"]

    def in_hither() -> np.ndarray:
        with ht.device_context(setting.queue, keep_below=0):
            return spread(start, SWEEPS)

    result, hither_time, expected, numpy_time = race(
        in_hither, lambda: spread_in_numpy(start, SWEEPS), setting.seconds
    )
    regions = ht.counters()["offloaded_regions"] - before
    print(ht.offload_report(spread))
    device = ht.offload_report(spread).parfors[-1].uses[-1].device
    return StepResult(
        title="Numba function",
        device=device,
        hither=hither_time,
        numpy=numpy_time,
        checks=[
            Check("heat", largest_difference(result, expected), 1e-12),
            Check("heat outside of the context", largest_difference(result, outside), 1e-12),
            Check("no region offloaded", float(regions == 0), 0),
        ],
        pictures={"heat": to_picture(np.sqrt(np.clip(result, 0, 1)))},
        note=f"{SWEEPS} sweeps of heat, unmodified @njit",
    )
