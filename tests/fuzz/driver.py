"""Runs families of random programs, shrinks the programs that fail and writes them to files."""

from __future__ import annotations

import importlib
import itertools
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from types import ModuleType
from typing import Any

from .worker import Verdict, Worker, program_of

FOLDER = Path(".fuzz")
SHRINK_SECONDS = 60.0  # per case
PROGRESS_SECONDS = 180.0  # between lines of progress
MOST_SHRUNK = 5  # failures per family and run; the others are written unchanged


@dataclass
class Bounds:
    """The limits of a family's run. It ends at the first limit that it reaches."""

    seconds: float | None = None  # 60 unless `cases` is given
    cases: int | None = None
    seed: int = 0
    workers: int = field(default_factory=lambda: min(os.cpu_count() or 1, 8))
    hang_seconds: float = 60
    failures: int = 50
    stopped: int = 0  # the signal that stopped the run

    def __post_init__(self) -> None:
        if self.seconds is None:
            self.seconds = 60 if self.cases is None else float("inf")


class _Stopped(Exception):
    """A signal stopped the run. The report has all cases that ended before."""


@dataclass
class Failure:
    """A case that failed. Its program becomes smaller when it is shrunk."""

    family: str
    seed: int
    verdict: Verdict
    program: Any
    before: list[int]  # the last seeds that its worker had run
    alone: bool = True  # it also fails in a new process


@dataclass
class Report:
    """The counts and failures of a family's run."""

    family: str
    cases: int = 0
    seconds: float = 0
    kernels: set[str] = field(default_factory=set)
    features: Counter[str] = field(default_factory=Counter)
    failures: list[Failure] = field(default_factory=list)
    missing: frozenset[str] = frozenset()


def family_name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2].removeprefix("family_")


def families() -> list[str]:
    """The names of all families."""
    here = Path(__file__).parent
    return sorted(path.stem.removeprefix("family_") for path in here.glob("family_*.py"))


def family_module(name: str) -> ModuleType:
    return importlib.import_module(f"{__package__}.family_{name}")


def run_family(module: ModuleType, device: str, bounds: Bounds) -> Report:
    """Runs cases from `bounds.seed` on, in several processes, until the bounds are reached.

    `bounds.stopped`, which a signal handler may set, ends the run with the report so far.
    """
    report = Report(family_name(module))
    hang_seconds = max(bounds.hang_seconds, getattr(module, "HANG_SECONDS", 0))
    with tempfile.TemporaryDirectory() as logs:
        workers = [
            Worker(module.__name__, device, Path(logs) / f"{n}.log", hang_seconds)
            for n in range(bounds.workers)
        ]
        try:
            _search(module, device, bounds, workers, report)
            for failure in report.failures[:MOST_SHRUNK]:
                _shrink(module, failure, workers[0], bounds)
        except _Stopped:
            pass
        finally:
            for worker in workers:
                worker.close()
    report.missing = frozenset(getattr(module, "FEATURES", ())) - set(report.features)
    return report


def _search(module: ModuleType, device: str, bounds: Bounds, workers: list[Worker],
            report: Report) -> None:  # fmt: skip
    seeds = itertools.count(bounds.seed)
    if bounds.cases is not None:
        seeds = iter(range(bounds.seed, bounds.seed + bounds.cases))
    begun = time.monotonic()
    end = begun + bounds.seconds
    next_progress = begun + PROGRESS_SECONDS
    ran: list[list[int]] = [[] for _ in workers]

    def begin(n: int) -> None:
        seed = next(seeds, None)
        workers[n].request = None
        if seed is not None and time.monotonic() < end and len(report.failures) < bounds.failures:
            workers[n].send({"seed": seed})

    for n in range(len(workers)):
        begin(n)
    while busy := [n for n, worker in enumerate(workers) if worker.request]:
        _wait([workers[n] for n in busy], bounds)
        report.seconds = time.monotonic() - begun
        if time.monotonic() >= next_progress:
            _print_progress(report)
            next_progress += PROGRESS_SECONDS
        for n in busy:
            verdict = workers[n].poll()
            if verdict is None:
                continue
            seed = (workers[n].request or {})["seed"]
            report.cases += 1
            report.features.update(set(verdict.features))
            report.kernels |= verdict.kernels
            if verdict.failed:
                program = program_of(module, seed, device)
                if not verdict.features:  # its process ended before it reported them
                    report.features.update(set(module.features(program)))
                report.failures.append(Failure(report.family, seed, verdict, program, ran[n][-20:]))
            ran[n].append(seed)
            if verdict.kind in ("crash", "hang"):
                ran[n] = []
            begin(n)


def _wait(busy: list[Worker], bounds: Bounds) -> None:
    """Waits for an outcome, or for half a second."""
    wait([worker.connection for worker in busy], timeout=0.5)
    if bounds.stopped:
        raise _Stopped


def _print_progress(report: Report) -> None:
    seeds = ", ".join(str(failure.seed) for failure in report.failures)
    failed = f"{len(report.failures)} failed (seeds {seeds})" if seeds else "0 failed"
    print(f"{report.family}: {report.cases} cases in {report.seconds:.0f} seconds, {failed}",
          flush=True)  # fmt: skip


def _judge(worker: Worker, program: Any, bounds: Bounds) -> Verdict:
    worker.send({"program": program})
    while True:
        _wait([worker], bounds)
        verdict = worker.poll()
        if verdict is not None:
            return verdict


def _shrink(module: ModuleType, failure: Failure, worker: Worker, bounds: Bounds) -> None:
    """Replaces the program by a smaller one that also fails, until it finds none."""
    end = time.monotonic() + SHRINK_SECONDS
    worker.restart()
    for _ in range(3):  # a failure that depends on the content of memory may need several attempts
        first = _judge(worker, failure.program, bounds)
        if first.failed:
            break
    else:
        failure.alone = False
        return
    failure.verdict = first
    progress = True
    while progress:
        progress = False
        for candidate in _candidates(module, failure.program):
            if time.monotonic() > end:
                return
            verdict = _judge(worker, candidate, bounds)
            if verdict.failed and (verdict.kind == "crash") == (first.kind == "crash"):
                failure.program, failure.verdict = candidate, verdict
                progress = True
                break


def _candidates(module: ModuleType, program: Any) -> Iterator[Any]:
    seen = {json.dumps(program, sort_keys=True)}
    for candidate in module.shrink(program):
        text = json.dumps(candidate, sort_keys=True)
        if text not in seen:
            seen.add(text)
            yield candidate


_TEST = '''"""Found by the fuzz family {family} with the seed {seed}: {kind}."""

import json

from fuzz import family_{family}

PROGRAM = json.loads(r"""
{program}
""")
{source}

def test_{family}_{seed}(device):
    family_{family}.run(PROGRAM, device.filter_string)
'''


def write(module: ModuleType, failure: Failure, folder: Path = FOLDER) -> Path:
    """Writes the case as JSON and as a test that fails. Returns the test's path."""
    folder.mkdir(exist_ok=True)
    stem = f"{failure.family}_{failure.seed}"
    program = json.dumps(failure.program, indent=1)
    record = {
        "family": failure.family, "seed": failure.seed, "kind": failure.verdict.kind,
        "text": failure.verdict.text, "alone": failure.alone, "before": failure.before,
        "program": failure.program,
    }  # fmt: skip
    (folder / f"{stem}.json").write_text(json.dumps(record, indent=1) + "\n")
    source = ""
    if hasattr(module, "source"):
        lines = module.source(failure.program).splitlines()
        source = "\n" + "\n".join(f"# {line}".rstrip() for line in lines) + "\n"
    path = folder / f"test_{stem}.py"
    path.write_text(
        _TEST.format(
            family=failure.family,
            seed=failure.seed,
            kind=failure.verdict.kind,
            program=program,
            source=source,
        )
    )
    return path
