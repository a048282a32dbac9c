"""Two builds of hither beside each other: how much longer this one takes than another one.

`python benches/pairs.py OTHER [NAMES] [--pairs N] [--seconds S]`; OTHER is the folder that holds the
other build's `hither` package, NAMES are benches as in run.py. Processes of the two builds
alternate; a pair is one process of each. The table has, for each row, the median of the ratios of
the pairs (this build over the other) and a 95 % interval of the median by bootstrap, and for each
bench the geometric mean of the medians.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
Times = dict[str, dict[str, float]]  # seconds of each case of each bench


def measure(names: list[str], seconds: float) -> Times:
    """hither's times in this process; the others compute the expected answers only."""
    import timing

    def alone(case: str, contestants: dict[str, Any], effort: timing.Effort, *rest: Any,
              timed: dict[str, Any] | None = None, **options: Any) -> timing.Row:  # fmt: skip
        ours = {timing.OURS: contestants[timing.OURS]} if timing.OURS in contestants else {}
        timed = {name: call for name, call in (timed or {}).items() if name in ours}
        if not ours:
            return timing.Row(case, {})
        return contest(case, ours, effort, *rest, timed=timed, **options)

    contest, timing.contest = timing.contest, alone
    effort = timing.Effort(seconds)
    found = {name: importlib.import_module(name).rows(effort) for name in names}
    return {
        name: {row.case: row.times[timing.OURS] for row in rows if timing.OURS in row.times}
        for name, rows in found.items()
    }


def run(package: Path, arguments: argparse.Namespace) -> Times:
    """The times of one process that imports hither from `package`."""
    command = [sys.executable, __file__, str(package), *arguments.names, "--child",
               "--seconds", str(arguments.seconds)]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(package), "HITHER_NULL_DEVICE": "1"}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def interval(ratios: np.ndarray) -> tuple[float, float, float]:
    """The median and the bounds of its 95 % interval."""
    draws = np.random.default_rng(0).choice(ratios, (4000, ratios.size))
    low, high = np.percentile(np.median(draws, axis=1), [2.5, 97.5])
    return float(np.median(ratios)), float(low), float(high)


def render(pairs: list[tuple[Times, Times]]) -> str:
    """One line a row, and the geometric mean of each bench."""
    lines = []
    for name, cases in pairs[0][0].items():
        medians = []
        for case in cases:
            ratios = np.array([new[name][case] / old[name][case] for new, old in pairs])
            median, low, high = interval(ratios)
            medians.append(median)
            lines.append(f"{name:<14} {case:<50.50} {median:6.3f}  [{low:.3f}, {high:.3f}]")
        mean = float(np.exp(np.mean(np.log(medians))))
        lines.append(f"{name:<14} {'geometric mean':<50} {mean:6.3f}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, help="the folder with the other build's package")
    parser.add_argument("names", nargs="*", default=["small", "launch", "fuse"], metavar="NAME")
    parser.add_argument("--pairs", type=int, default=15)
    parser.add_argument("--seconds", type=float, default=0.3, help="a row")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(measure(arguments.names, arguments.seconds)))
        return 0
    package = HERE.parent / "python"
    pairs = []
    for n in range(arguments.pairs):
        builds = [package, arguments.other.resolve()]
        found = [run(build, arguments) for build in (builds if n % 2 == 0 else builds[::-1])]
        pairs.append((found[0], found[1]) if n % 2 == 0 else (found[1], found[0]))
        print(f"pair {n + 1} of {arguments.pairs}", file=sys.stderr, flush=True)
    print(render(pairs))
    return 0


if __name__ == "__main__":
    sys.exit(main())
