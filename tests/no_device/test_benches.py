"""The measurements of benches/: wrong results are not timed, budgets use the right peer."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture
def timing(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "benches"))
    import timing

    yield timing
    for name in ("timing", "table"):
        sys.modules.pop(name, None)


def test_a_wrong_answer_is_not_timed(timing: ModuleType) -> None:
    right, wrong = np.ones(3), np.array([1.0, 1.0, 2.0])
    row = timing.contest(
        "case", {"NumPy": lambda: right, "hither": lambda: wrong}, timing.Effort(0.0)
    )
    assert row.wrong == ["hither"]
    assert set(row.times) == {"NumPy"}


@pytest.mark.parametrize("answer", [np.ones(4), np.array([1.0, np.nan, 1.0]), 1.0])
def test_shapes_and_nans_count_as_wrong(timing: ModuleType, answer: object) -> None:
    assert not timing.agrees(answer, np.ones(3), 1.0)


def test_the_slower_one_takes_longer(timing: ModuleType) -> None:
    row = timing.contest(
        "case",
        {"NumPy": lambda: time.sleep(0.002) or 0, "hither": lambda: 0},
        timing.Effort(0.0),
    )
    assert row.times["NumPy"] >= 0.002 > row.times["hither"] > 0


@pytest.mark.parametrize(
    ("budget", "expected"),
    [
        ((1.0, "NumPy"), "ok"),
        ((0.4, "NumPy"), "MISS"),
        ((1.0, "best"), "MISS"),  # Numba's 1, not the C++ limit's 0.5
        ((2.5, "best"), "ok"),
        ((2.0, "C++"), "MISS"),
        ((4.5, "C++"), "ok"),
        ((2.5, None), "ok"),
        ((1.5, None), "MISS"),
        ((1.0, "numexpr"), "?"),
    ],
)
def test_budgets(timing: ModuleType, budget: tuple[float, str | None], expected: str) -> None:
    import table

    times = {"hither": 2.0, "NumPy": 3.0, "Numba": 1.0, "C++": 0.5}
    row = timing.Row("case", times, timing.Budget(*budget))
    assert table.verdict(row) == expected
    assert expected in table.render({"bench": [row]}).splitlines()[-1]


def test_contestants_of_one_bench_alone_are_shown(timing: ModuleType) -> None:
    import table

    row = timing.Row("case", {"hither": 1e-3, "NumPy": 3e-3, "PoCL": 4e-3})
    assert table.render({"bench": [row]}).splitlines()[-1].endswith("PoCL 4 ms (0.25)")
