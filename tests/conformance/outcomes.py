"""The outcomes of a public test suite, and the reasons of its failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest


class Counting:
    """A plugin of pytest that counts outcomes, and failures by reason. A reason belongs to a
    regular expression for the error, or for the test's name if `by_name`."""

    def __init__(self, reasons: Mapping[str, str], by_name: bool = False) -> None:
        self.outcomes: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.unknown: list[tuple[str, str]] = []
        self._reasons, self._by_name = reasons, by_name

    def counts(self, report: pytest.TestReport) -> bool:
        """Whether the report is the outcome of a test."""
        return report.when == "call" or (report.when == "setup" and report.outcome != "passed")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.counts(report):
            self.outcomes[report.outcome] += 1
            if report.outcome == "failed":
                self._explain(report.nodeid, str(report.longrepr))

    def _explain(self, name: str, text: str) -> None:
        lines = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
        places = [" ".join(lines), name] if self._by_name else [" ".join(lines)]
        for expression, reason in self._reasons.items():
            if any(re.search(expression, place) for place in places):
                self.reasons[reason] += 1
                return
        file, _, test = name.partition("::")
        self.unknown.append((f"{Path(file).name}::{test}", (lines or ["?"])[0][:160]))

    def show(self) -> None:
        """Prints the counts, and the failures without a reason."""
        print(f"\n{dict(self.outcomes)}")
        for reason, count in self.reasons.most_common():
            print(f"{count:5} {reason}")
        for name, text in self.unknown:
            print(f"      {name}: {text}")
