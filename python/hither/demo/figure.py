"""One figure: the photograph before and after, and bars of times."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from .._tools.benchmark import duration
from .step import StepResult

HITHER, NUMPY, INK = "#1b6ca8", "#c9c9c9", "#333333"


def draw(photograph: np.ndarray, results: list[StepResult], device_name: str, path: Path) -> None:
    """Writes the figure as PNG, with pictures in order above and bars of times below."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    pictures = {"photograph": photograph}
    for result in results:
        pictures |= result.pictures
    figure = plt.figure(figsize=(12, 7.2), layout="constrained")
    figure.suptitle(f"hither and NumPy on {device_name}", color=INK)
    above, below = figure.subfigures(2, 1, height_ratios=(1.0, 1.05))
    for axes, (name, picture) in zip(
        np.atleast_1d(above.subplots(1, len(pictures))), pictures.items(), strict=True
    ):
        axes.imshow(picture, cmap="gray" if picture.ndim == 2 else None)
        axes.set_title(name, fontsize=10, color=INK)
        axes.axis("off")
    _draw_bars(below.subplots(), results)
    figure.savefig(path, dpi=120)
    plt.close(figure)


def _draw_bars(axes, results: list[StepResult]) -> None:
    rows = np.arange(len(results))
    both = [("hither", HITHER, -0.2), ("NumPy", NUMPY, 0.2)]
    for name, colour, shift in both:
        times = [(r.hither if name == "hither" else r.numpy).best for r in results]
        bars = axes.barh(rows + shift, [t * 1e3 for t in times], 0.38, color=colour, label=name)
        labels = [
            duration(t) + (f"   {r.numpy.best / t:.1f} x" if name == "hither" else "")
            for t, r in zip(times, results, strict=True)
        ]
        axes.bar_label(bars, labels, padding=4, fontsize=9, color=INK)
    axes.set_xscale("log")
    axes.margins(x=0.2)
    axes.set_yticks(rows, [f"{r.title}\n{r.note}" for r in results], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlabel("milliseconds, best of several calls (logarithmic)", color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper right", frameon=False)
