"""`hither demo`: parses arguments, runs the steps in order, and writes the results."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path

import hither as ht

from .._tools.benchmark import duration
from .report import table
from .step import Setting, StepResult

DESCRIPTION = """Runs typical computations on a photograph and on ten million options, checks every
step against NumPy and compares the times. Writes pictures and a figure; exits with 1 if a check
fails."""

PACKAGES = {
    "PIL": "pillow",
    "matplotlib": "matplotlib",
    "sklearn": "scikit-learn",
    "numba": "numba",
}


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(prog="hither demo", description=DESCRIPTION)
    p.add_argument(
        "image", nargs="?", metavar="IMAGE",
        help="a photograph; without one scikit-learn's china.jpg (it ships flower.jpg too)",
    )  # fmt: skip
    p.add_argument(
        "--output", type=Path, default=Path("hither-demo"), metavar="FOLDER",
        help="folder for pictures (default: ./hither-demo)",
    )  # fmt: skip
    p.add_argument("--device", help="a filter string, such as cpu (default: the default device)")
    p.add_argument(
        "--size",
        type=_positive,
        metavar="PIXELS",
        help="scales the photograph's longer side to this",
    )
    p.add_argument(
        "--options", type=_positive, default=10_000_000, metavar="COUNT",
        help="number of options to price (default: %(default)s)",
    )  # fmt: skip
    p.add_argument(
        "--seconds", type=float, default=2.0,
        help="approximate time for measuring each step (default: %(default)s)",
    )  # fmt: skip
    return p


def _positive(text: str) -> int:
    value = int(text)
    if value <= 0:
        raise argparse.ArgumentTypeError(f"{text} is not greater than 0")
    return value


def missing_packages() -> list[str]:
    """The packages that the demonstration needs and that are not installed, by their pip names."""
    return [p for module, p in PACKAGES.items() if importlib.util.find_spec(module) is None]


def steps() -> list[Callable[[Setting], StepResult]]:
    """Every step, in order."""
    from . import (
        colour_quantisation,
        host_arrays,
        image_pipeline,
        numba_function,
        option_prices,
    )

    return [
        image_pipeline.run,
        colour_quantisation.run,
        option_prices.run,
        host_arrays.run,
        numba_function.run,
    ]


def run_steps(setting: Setting) -> list[StepResult]:
    """Runs each step and prints its result."""
    results = []
    for step in steps():
        result = step(setting)
        results.append(result)
        print(
            f"{'ok ' if result.holds else 'BAD'} {result.title}: {result.note}; "
            f"{duration(result.hither.best)}, NumPy {duration(result.numpy.best)}",
            flush=True,
        )
    return results


def write_pictures(folder: Path, setting: Setting, results: list[StepResult]) -> list[Path]:
    """Writes the pictures of all steps and the figure; the paths written."""
    from . import figure, photograph

    folder.mkdir(parents=True, exist_ok=True)
    pictures = {"photograph": setting.photograph}
    for result in results:
        pictures |= result.pictures
    paths = [folder / f"{name}.png" for name in pictures]
    for path, picture in zip(paths, pictures.values(), strict=True):
        photograph.save(picture, path)
    paths.append(folder / "figure.png")
    figure.draw(setting.photograph, results, setting.queue.device.name, paths[-1])
    return paths


def main(arguments: list[str] | None = None) -> int:
    """Runs the demonstration. Returns 0 if every check holds, 1 if one fails, and 2 if it could not
    start."""
    options = parser().parse_args(arguments)
    missing = missing_packages()
    if missing:
        print(f"hither demo needs {', '.join(missing)}: pip install 'hither[all]'", file=sys.stderr)
        return 2
    from . import photograph

    try:
        image = photograph.load(options.image, options.size)
        queue = ht.default_queue(options.device)
    except (ValueError, ht.Error) as error:
        print(f"hither demo: {error}", file=sys.stderr)
        return 2
    setting = Setting(queue, image, options.options, options.seconds)
    height, width = image.shape[:2]
    print(f"{options.image or 'china.jpg'}, {width} x {height} pixels, on {queue.device.name}")
    results = run_steps(setting)
    print("\n" + table(results) + "\n")
    for path in write_pictures(options.output, setting, results):
        print(f"wrote {path}")
    failed = [result.title for result in results if not result.holds]
    if failed:
        print(f"checks failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0
