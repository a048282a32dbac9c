"""The driver of random programs finds failing programs, prints their seeds and shrinks them."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from fuzz import driver
from fuzz.__main__ import FAILED
from fuzz.worker import program_of

FAMILY = """
import os
import time

from fuzz.difference import Difference


def make(rng, device):
    return [rng.randrange(5) for _ in range(3)]


def run(program, device):
    if 4 in program:
        {fault}


def shrink(program):
    for n in range(len(program)):
        yield program[:n] + program[n + 1 :]


def features(program):
    return map(str, program)


FEATURES = frozenset("012345")
"""
FAULTS = {
    "difference": "raise Difference('four')",
    "error": "raise ValueError('four')",
    "crash": "os.abort()",
    "hang": "time.sleep(1000)",
}
# ./dev fuzz with one family, which prints its progress often.
STOPPED = """
import sys

from fuzz import __main__, driver

driver.PROGRESS_SECONDS = 0.2
driver.families = lambda: ["{name}"]
driver.family_module = lambda name: __import__(f"family_{{name}}")
sys.argv = ["fuzz", "{name}", "--device", "", "--jobs", "2", "--seconds", "60"]
sys.exit(__main__.main())
"""


def family(folder: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> ModuleType:
    name = f"family_that_may_{fault}"
    (folder / f"{name}.py").write_text(FAMILY.format(fault=FAULTS[fault]))
    monkeypatch.syspath_prepend(folder)
    importlib.invalidate_caches()
    return importlib.import_module(name)


@pytest.mark.parametrize("fault", FAULTS)
def test_what_fails_is_reported_with_its_seed_and_made_small(fault, tmp_path, monkeypatch):
    module = family(tmp_path, monkeypatch, fault)
    seeds = range(3, 9)
    wrong = {seed for seed in seeds if 4 in program_of(module, seed, "")}
    assert 0 < len(wrong) < len(seeds)
    bounds = driver.Bounds(cases=len(seeds), seed=seeds[0], workers=2)
    if fault == "hang":  # one is enough: each takes its time
        wrong, seeds = {min(wrong)}, range(min(wrong), min(wrong) + 1)
        bounds = driver.Bounds(cases=1, seed=seeds[0], workers=1, hang_seconds=3)
    report = driver.run_family(module, "", bounds)
    assert report.cases == len(seeds)
    assert {failure.seed for failure in report.failures} == wrong
    assert {failure.verdict.kind for failure in report.failures} == {fault}
    assert all(failure.program == [4] for failure in report.failures[: driver.MOST_SHRUNK])
    assert "5" in report.missing
    assert "4" in report.features
    if fault == "error":
        assert "ValueError: four" in report.failures[0].verdict.text
    if fault in ("crash", "hang"):  # where its threads were
        assert f"{module.__name__}.py" in report.failures[0].verdict.text


def test_what_failed_is_written_as_a_test(tmp_path, monkeypatch):
    module = family(tmp_path, monkeypatch, "difference")
    bounds = driver.Bounds(cases=6, seed=3, workers=1)
    failure = driver.run_family(module, "", bounds).failures[0]
    path = driver.write(module, failure, tmp_path / "found")
    compile(path.read_text(), str(path), "exec")
    said = json.loads(path.with_name(f"{failure.family}_{failure.seed}.json").read_text())
    assert said["program"] == [4]
    assert said["seed"] == failure.seed
    assert said["kind"] == "difference"


def test_time_ends_a_family(tmp_path, monkeypatch):
    module = family(tmp_path, monkeypatch, "difference")
    monkeypatch.setattr(module, "make", lambda rng, device: [])
    report = driver.run_family(module, "", driver.Bounds(seconds=0, workers=1))
    assert report.cases == 0
    assert not report.failures


@pytest.mark.parametrize("fails", [False, True])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_run_with_its_counts_and_failures(number, fails, tmp_path, monkeypatch):
    monkeypatch.setitem(FAULTS, "slow", "time.sleep(0.2)" + f"; {FAULTS['difference']}" * fails)
    name = driver.family_name(family(tmp_path, monkeypatch, "slow"))
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).parents[1])])
    run = subprocess.Popen(
        [sys.executable, "-c", STOPPED.format(name=name)], cwd=tmp_path, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert run.stdout is not None
    for progress in run.stdout:
        counted = progress.startswith(f"{name}: ") and " 0 cases" not in progress
        if counted and ("seeds" in progress or not fails):
            break
    run.send_signal(number)
    text, errors = run.communicate(timeout=60)
    assert not errors
    cases, _, _, _, failed = (int(count) for count in text.split(name)[-1].split())
    assert cases >= int(progress.split()[1]) > 0
    assert failed == len(list(tmp_path.glob(".fuzz/test_*.py")))
    assert fails == (failed > 0)
    assert run.returncode == (FAILED if fails else 128 + number)


def test_an_unknown_family_is_refused():
    root = Path(__file__).parents[2]
    command = [sys.executable, "-m", "tests.fuzz", "no-such-family"]
    ended = subprocess.run(command, cwd=root, capture_output=True, text=True)
    assert ended.returncode == 2
    assert "no such family: no-such-family" in ended.stderr
