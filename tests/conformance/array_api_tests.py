"""Runs the Python Array API standard's own test suite on hither.

`python tests/conformance/array_api_tests.py CHECKOUT [PYTEST OPTIONS]`: CHECKOUT is a clone of
data-apis/array-api-tests with its submodule, whose requirements are installed. Lists what fails
and what is skipped, with the reason where it is known; exits with 1 if one is not. HITHER_DEVICE
says where.
"""

from __future__ import annotations

import os
import sys
from collections import Counter

# Part of a test's name or of its error -> why it may fail or be skipped.
KNOWN = {
    "Skipped: flaky": "the suite does not run it, data-apis/array-api-tests#300",
    # The standard wants BufferError, and ExchangeError is one.
    "DLPack: copy=False, but the host cannot access": "memory of a GPU on the host, uncopied",
}


class Outcomes:
    """A pytest plugin that counts outcomes, and keeps what did not pass with its error."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.not_passed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.counts[report.outcome] += 1
            if report.outcome != "passed":
                self.not_passed[report.nodeid] = f"{report.nodeid} {report.longrepr}"


def reason(outcome: str) -> str | None:
    return next((why for part, why in KNOWN.items() if part in outcome), None)


def main() -> int:
    import pytest

    checkout, *options = sys.argv[1:]
    os.chdir(checkout)
    os.environ.setdefault("ARRAY_API_TESTS_MODULE", "hither")
    os.environ.setdefault("ARRAY_API_TESTS_VERSION", "2025.12")
    outcomes = Outcomes()
    usual = ["-q", "--tb=no", "-p", "no:cacheprovider", "--disable-deadline", "array_api_tests"]
    status = pytest.main([*usual, *options], plugins=[outcomes])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        return 2
    reasons = {test: reason(outcome) for test, outcome in outcomes.not_passed.items()}
    unknown = [test for test, why in reasons.items() if why is None]
    for why, count in Counter(filter(None, reasons.values())).most_common():
        print(f"{count:5}  {why}")
    print(*(f"UNKNOWN {test}" for test in unknown), sep="\n")
    print(", ".join(f"{count} {outcome}" for outcome, count in outcomes.counts.items()))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
