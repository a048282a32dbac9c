"""HITHER_CHECK=races: data races of prange loops in offloaded functions are errors."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.either_mode

PROGRAM = Path(__file__).parent / "checked_loops.py"
# What the error says about the first iteration's access and the second one's.
RACES = {
    "two_writes": ("(0,) wrote element [0] of halves", "(1,) writes it"),
    "a_read_after_a_write": ("(1,) wrote element [1] of x", "(2,) reads it"),
    "indices_of_an_array": ("(0, 0) wrote element [0, 0] of m", "(0, 1) reads it"),
    "a_read_before_a_write": ("(0,) read element [7] of y", "(7,) writes it"),
    "an_update": ("(0,) wrote element [0] of h", "(2,) reads it"),
    "a_helper": ("(0,) wrote element [3] of x", "(1,) writes it"),
    "a_loop_of_a_helper": ("(0,) wrote element [0] of a", "(1,) writes it"),
    "rows": ("(0,) wrote element [0, 0] of m", "(1,) writes it"),
    "whole_rows": ("(1,) wrote element [1, 0] of m", "(2,) reads it"),
    "overlapping_slices": ("(0,) wrote element [1] of x", "(1,) reads it"),
    "arrays_in_a_list": ("(0,) wrote element [0] of pair[1]", "(1,) writes it"),
    "two_names": ("(1,) wrote element [1] of pair[0]", "(2,) reads it"),
    "a_closure": ("(0,) wrote element [0] of y", "(1,) writes it"),
    "an_array_of_hither": ("(0,) wrote element [0] of x", "(1,) reads it"),
}


def run(cases: str, check: str = "races") -> subprocess.CompletedProcess:
    done = subprocess.run(
        [sys.executable, str(PROGRAM), cases],
        capture_output=True, text=True, timeout=240,
        env=os.environ | {"HITHER_CHECK": check, "HITHER_DEVICE": "native_cpu"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def test_races_are_errors():
    lines = run("races").stdout.splitlines()
    assert len(lines) == len(RACES)
    for line, (name, (first, second)) in zip(lines, RACES.items(), strict=True):
        assert line.startswith(f"{name} KernelError {name}: data race of iterations ("), line
        assert f"{first} at {PROGRAM}:" in line and f"{second} at {PROGRAM}:" in line


def test_functions_without_races_have_their_results():
    checked, compiled = run("none"), run("none", check="")
    assert checked.stdout == compiled.stdout
    assert len(checked.stdout.splitlines()) == 18
    warned = [line.partition(" ")[0] for line in checked.stderr.splitlines()]
    assert warned == ["no_python_function", "a_typed_list"], checked.stderr
    assert "because it cannot run as a Python function: NotImplementedError()" in checked.stderr
    assert compiled.stderr == ""
