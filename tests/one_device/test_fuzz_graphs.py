"""A few random programs of array operations, from a fixed seed."""

from __future__ import annotations

import os
import random

import pytest

import hither as ht
from fuzz import driver, family_graphs


@pytest.mark.either_mode
def test_random_programs_give_numpys_values_lazily_and_eagerly():
    device = ht.default_queue().device.filter_string
    bounds = driver.Bounds(cases=60, seed=0, workers=min(os.cpu_count() or 1, 2))
    report = driver.run_family(family_graphs, device, bounds)
    assert report.cases == 60
    assert [(f.seed, f.verdict.text, f.program) for f in report.failures] == []
    assert len(report.features) > 60


def test_a_seed_makes_the_same_program_each_time():
    programs = [family_graphs.make(random.Random("graphs:5"), "") for _ in range(2)]
    assert programs[0] == programs[1]


def test_the_program_in_text_is_the_one_that_runs():
    program = family_graphs.make(random.Random("graphs:5"), "")
    text = family_graphs.source(program)
    names = {}
    exec(compile(text, "program", "exec"), names)
    assert any(isinstance(value, ht.Array) for value in names.values())


@pytest.mark.either_mode
def test_eager_mode_is_each_threads_own():
    set_eager = family_graphs._set_eager
    before = set_eager(True)
    try:
        assert set_eager(False) is True
        launches = ht.counters()["launches"]
        y = ht.ones(10) + 1
        assert ht.counters()["launches"] == launches
        set_eager(True)
        z = ht.ones(10) + 1
        assert ht.counters()["launches"] > launches
        assert set_eager(None) is True
        assert set_eager(False) is None
        assert float(ht.sum(y)) == float(ht.sum(z)) == 20
    finally:
        set_eager(before)
