"""Tests a wheel on a machine with a GPU: the suites, lazily and eagerly, and the bench; one table.

Usage: python3 tools/device_test.py WHEELS [--device cuda:gpu:0] [--workers N] [--quick]

WHEELS is a wheel, or a folder with those of several Pythons. Uses the packages of the Python that
runs it. NumPy and pytest are required; numba, CuPy, PyTorch, JAX and others are tested and measured
if they are installed. Exits with 0 if every suite passed. `./dev device-test [HOST]` builds the
wheel and runs this program, on this machine or by ssh.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUITES = {
    "every device, lazily": (["tests/every_device", "tests/must_fail", "tests/seeds"], {}),
    "every device, eagerly": (["tests/every_device"], {"HITHER_EAGER": "1"}),
    "this device": (["tests/one_device", "tests/threads"], {}),
    "other packages": (["tests/interop"], {}),
}
OUTCOME = re.compile(r"(\d+) (passed|failed|skipped|errors?)")


def install(wheel: Path, folder: str) -> dict[str, str]:
    """Installs the wheel into `folder`; returns an environment that finds it first."""
    what = ["--find-links", str(wheel), "hither"] if wheel.is_dir() else [str(wheel)]
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target",
         folder, *what],
        check=True,
    )  # fmt: skip
    path = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
    return os.environ | {"PYTHONPATH": os.pathsep.join(path), "PYTHONUNBUFFERED": "1"}


def suite(paths: list[str], environment: dict[str, str], workers: int) -> tuple[str, str, bool]:
    """pytest's counts, the end of its output, and whether the suite passed."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *paths]
    if workers > 1:
        command += ["-n", str(workers)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    summary = (done.stdout.strip().splitlines() or [done.stderr])[-1]
    counts = ", ".join(f"{n} {what}" for n, what in OUTCOME.findall(summary))
    return (
        counts or f"pytest ended with {done.returncode}",
        done.stdout[-6000:],
        not done.returncode,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("wheel", type=Path, help="a wheel, or a folder of them")
    parser.add_argument("--device", default="cuda:gpu:0")
    parser.add_argument("--workers", type=int, default=min(8, os.cpu_count() or 1))
    parser.add_argument("--quick", action="store_true", help="no bench, no second time eagerly")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = install(options.wheel, folder) | {"HITHER_DEVICE": options.device}
        subprocess.run([sys.executable, "-m", "hither", "info"], env=environment, check=True)
        table, well = [], True
        for name, (paths, more) in SUITES.items():
            if options.quick and more:
                continue
            started = time.perf_counter()
            counts, output, passed = suite(paths, environment | more, options.workers)
            if not passed:
                print(f"\n== {name}\n{output}")
            well &= passed
            seconds = f"{time.perf_counter() - started:.0f} s"
            table.append((name, "ok" if passed else "FAILED", seconds, counts))
        if not options.quick:
            subprocess.run([sys.executable, "benches/run.py", "gpu"], cwd=ROOT, env=environment)
    widths = [max(len(row[i]) for row in table) for i in range(4)]
    print(f"\n{options.wheel.resolve().name} on {options.device}")
    for row in table:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main())
