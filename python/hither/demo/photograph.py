"""Reading photographs and writing pictures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

SMALLEST = 16
"""Minimum in pixels. In smaller pictures the blur is wider than the picture."""


def load(name: str | None, longest: int | None) -> np.ndarray:
    """The photograph in a file as (height, width, 3) uint8 sRGB.

    `name` is a path, or "china.jpg" (also for None) or "flower.jpg", the ones that scikit-learn
    ships. Its longer side is scaled to `longest` pixels, unless that is None. Raises ValueError.
    """
    from PIL import Image, UnidentifiedImageError

    if name is None or (name in ("china.jpg", "flower.jpg") and not Path(name).exists()):
        from sklearn.datasets import load_sample_image

        image = Image.fromarray(load_sample_image(name or "china.jpg"))
    else:
        try:
            image = Image.open(name).convert("RGB")
        except FileNotFoundError:
            raise ValueError(f"{name}: there is no such file") from None
        except (UnidentifiedImageError, OSError) as error:
            raise ValueError(f"{name}: not a picture that Pillow reads ({error})") from None
    if longest is not None:
        scale = longest / max(image.size)
        width, height = (max(1, round(side * scale)) for side in image.size)
        image = image.resize((width, height), Image.Resampling.LANCZOS)
    if min(image.size) < SMALLEST:
        raise ValueError(
            f"{name or 'the photograph'}: {image.width} x {image.height} pixels are too few, "
            f"each side needs {SMALLEST}"
        )
    return np.ascontiguousarray(np.asarray(image, dtype=np.uint8))


def save(picture: np.ndarray, path: Path) -> None:
    """Writes (height, width) or (height, width, 3) uint8 as PNG."""
    from PIL import Image

    Image.fromarray(picture).save(path)
