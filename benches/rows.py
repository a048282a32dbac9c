"""The rows of rows.def: hither and its peers in one run, with budgets and geometric means.

`./dev bench rows [--device D] [NAME...]` runs the rows with these names, or with programs of these
modules; all of them without a name. `--class` limits them to one class of devices. The machine
need not be that of the class: its name and its number of cores head the table.
"""

from __future__ import annotations

import argparse
import importlib
import math
import os
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import batches
from batches import Contestant, thin
from row_specs import CLASSES, Spec, Work, read_rows
from table import cells_of_row, render_rows
from timing import HITHER, Effort, agrees, fastest

import hither as ht

WRONG = " is WRONG"


@dataclass
class Measured:
    """A row's times; `note` says what is wrong with it, or which peers are missing."""

    spec: Spec
    times: dict[str, float] = field(default_factory=dict)
    note: str = ""

    @property
    def wrong(self) -> list[str]:
        """The contestants whose results differ from NumPy's."""
        names = (note.removesuffix(WRONG) for note in self.note.split("; ") if WRONG in note)
        return list(names)

    @property
    def best(self) -> float | None:
        return min((t for name, t in self.times.items() if name in self.spec.peers), default=None)

    @property
    def ratio(self) -> float | None:
        """hither's time over that of the best peer."""
        own = self.times.get(HITHER)
        return own / self.best if own and self.best else None

    @property
    def excess(self) -> float | None:
        """How often the time exceeds the strictest budget; None if none can be judged."""
        own = self.times.get(HITHER)
        peers = {name: t for name, t in self.times.items() if name in self.spec.peers}
        limits = [b.at_most * r for b in self.spec.budgets if (r := b.reference(peers))]
        return own / min(limits) if own and limits else None


def device_of(spec: Spec, wanted: ht.Device | None = None) -> ht.Device | None:
    """The first device of the class; or the wanted one, if it is a GPU or CPU as the class is."""
    if wanted is not None:
        return wanted if (wanted.backend == "cuda") == spec.on_gpu else None
    here = (d for d in ht.devices() if d.backend == CLASSES[spec.device_class])
    return next(here, None)


def checked(work: Work, spec: Spec) -> tuple[dict[str, Contestant], list[str]]:
    """The contestants with NumPy's result, and what to say of the others."""
    expected = thin(work.expected()) if work.expected else None
    right, notes = {}, []
    for name, contestant in work.contestants.items():
        if name not in (HITHER, *spec.peers, *work.longer_of):
            continue
        try:
            answer = contestant.answer() if contestant.answer else None
        except Exception as error:
            notes.append(f"{name} failed: {(str(error).splitlines() or [repr(error)])[0][:90]}")
            continue
        if answer is not None and not agrees(thin(answer), expected, work.tolerance):
            notes.append(name + WRONG)
        else:
            right[name] = contestant
    return right, notes


def waited(contestant: Contestant) -> Callable[[], Any]:
    def call() -> None:
        contestant.call()
        contestant.wait()

    return call


def times_of(work: Work, spec: Spec, effort: Effort) -> tuple[dict[str, float], list[str]]:
    right, notes = checked(work, spec)
    if spec.on_gpu or work.batched:
        bare = {name: replace(c, answer=None) for name, c in right.items()}
        times = batches.contest(spec.name, bare, effort, until_done=work.until_done).times
    else:
        times = fastest({name: waited(c) for name, c in right.items()}, effort)
    if work.longer_of:
        times["longer of both"] = max(times[name] for name in work.longer_of)
    return times | work.seconds, notes


def measure(spec: Spec, effort: Effort) -> Measured:
    module, _, function = spec.program.partition(".")
    try:
        program = getattr(importlib.import_module(f"programs.{module}"), function)
        times, notes = times_of(program(spec), spec, effort)
    except Exception as error:
        if os.environ.get("HITHER_BENCH_TRACE"):
            traceback.print_exc()
        first = (str(error).splitlines() or [repr(error)])[0]
        return Measured(spec, note=f"failed: {first[:120]}")
    finally:
        ht.release_cached()
    missing = [p for p in spec.peers if p not in times and not any(p in n for n in notes)]
    if missing:
        notes.append(f"without {', '.join(missing)}")
    return Measured(spec, times, "; ".join(notes))


def mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def summary(rows: list[Measured]) -> list[str]:
    """The geometric means of the classes, and the rows above their budgets."""
    lines = []
    for name in CLASSES:
        ratios = [row.ratio for row in rows if row.spec.device_class == name and row.ratio]
        if ratios:
            lines.append(f"geometric mean, {name}: {mean(ratios):.2f} of {len(ratios)} rows")
    above = sorted((r for r in rows if r.excess and r.excess > 1), key=lambda r: -(r.excess or 0))
    lines.append(f"above their budgets: {len(above)} of {sum(r.excess is not None for r in rows)}")
    lines += [f"  {row.excess:6.2f} of its budget: {row.spec.name}" for row in above]
    absent = [f"{row.spec.name} ({row.spec.device_class})" for row in rows if not row.times]
    if absent:
        lines.append(f"not measured: {'; '.join(absent)}")
    return lines


def chosen(names: list[str], device_class: str | None) -> list[Spec]:
    found = [s for s in read_rows() if device_class in (None, s.device_class)]
    known = {s.name for s in found} | {s.program.split(".")[0] for s in found}
    if unknown := set(names) - known:
        raise SystemExit(f"no row named {', '.join(sorted(unknown))} in rows.def")
    return [s for s in found if not names or {s.name, s.program.split(".")[0]} & set(names)]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench rows", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="rows, or modules of programs/")
    parser.add_argument("--device", help="only rows that run on this device")
    parser.add_argument("--class", dest="device_class", choices=list(CLASSES))
    parser.add_argument("--seconds", type=float, default=2.0, help="for each row")
    parser.add_argument("--list", action="store_true", help="print the rows, measure nothing")
    given = parser.parse_args(arguments)
    specs = chosen(given.names, given.device_class)
    if given.list:
        print("\n".join(f"{s.name}: {s.program}, {s.device_class}" for s in specs))
        return 0
    wanted = ht.Device(given.device) if given.device else None
    measured = []
    for spec in specs:
        started = time.perf_counter()
        device = device_of(spec, wanted)
        if device is None:
            measured.append(Measured(spec, note=f"not measured: no {CLASSES[spec.device_class]}"))
            continue
        measured.append(measure(replace(spec, device=device), Effort(given.seconds)))
        took = time.perf_counter() - started
        row = "  ".join(cells_of_row(measured[-1]))
        print(f"{took:.0f} s: {row}", file=sys.stderr, flush=True)
    cores = len(os.sched_getaffinity(0))
    names = sorted({row.spec.device.name for row in measured if row.spec.device})
    print(f"{cores} cores; {', '.join(names) or 'no device'}")
    print("\n".join([render_rows(measured), *summary(measured)]))
    return 1 if any(row.wrong or "failed:" in row.note for row in measured) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
