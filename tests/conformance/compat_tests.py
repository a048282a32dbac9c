"""Runs the test suites of dpctl, dpnp.tensor and numba-dpex on hither.compat.

`python tests/conformance/compat_tests.py CHECKOUT [PYTEST OPTIONS]`: CHECKOUT is a checkout or an
unpacked source package of one of them. Lists what fails, with the reason where it is known, and how
often; exits with 1 if one is not. HITHER_DEVICE says where; `--seen FILE` writes every failure with
the last line of its message; `-n 2` runs two processes, in which a crash is one failed test.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections import Counter
from pathlib import Path

import compat_reasons

HERE = Path(__file__).parent

# Where the tests are in a checkout -> the package that they belong to.
SUITES = {"dpctl/tests": "dpctl", "dpnp/tests/tensor": "dpnp", "numba_dpex/tests": "numba_dpex"}


def suite_in(checkout: Path) -> tuple[str, str]:
    for folder, package in SUITES.items():
        if (checkout / folder).is_dir():
            return package, folder
    raise SystemExit(f"{checkout} has none of {', '.join(SUITES)}")


class Outcomes:
    """A pytest plugin that counts outcomes and keeps the last line of each error."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.failed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report) -> None:
        if report.when == "call" or report.outcome != "passed":
            expected = hasattr(report, "wasxfail") and report.skipped
            self.counts["expected to fail" if expected else report.outcome] += 1
            if report.failed:
                self.failed[report.nodeid] = last_line(report)

    def pytest_collectreport(self, report) -> None:
        if report.failed:
            self.counts["not collected"] += 1
            self.failed[report.nodeid] = last_line(report)


def last_line(report) -> str:
    """Of a traceback: the line of the exception; else of the text."""
    text = str(report.longrepr)
    said = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    return " ".join(said)[:300] or text.strip().splitlines()[-1]


def main() -> int:
    import pytest

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("--seen", type=Path, help="file for every failure with its message")
    arguments, options = parser.parse_known_args()
    checkout = arguments.checkout.resolve()
    package, folder = suite_in(checkout)
    seen = arguments.seen and arguments.seen.resolve()
    os.chdir(checkout)
    paths = [option for option in options if option.startswith(folder)] or [folder]
    options = [option for option in options if not option.startswith(folder)]
    os.environ["HITHER_COMPAT_SUITE"] = f"{package}={checkout}"
    path = [str(HERE), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ["PYTHONPATH"] = os.pathsep.join(path)  # of processes that xdist starts
    outcomes = Outcomes()
    usual = ["-q", "--tb=short", "--show-capture=no", "-r", "", "-p", "no:cacheprovider"]
    usual += ["-p", "compat_names", "-o", "addopts=", "-W", "ignore", "--disable-warnings"]
    for test in compat_reasons.ENDLESS:
        usual += ["--deselect", test]
    usual += ["--confcutdir", folder]
    usual += ["--rootdir", ".", "--continue-on-collection-errors", "--no-summary"]
    status = pytest.main([*usual, *options, *paths], plugins=[outcomes])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED):
        print(f"pytest ended with {status!r}")
        if not outcomes.counts:
            return 2
    return report(package, outcomes, seen)


def report(package: str, outcomes: Outcomes, seen: Path | None) -> int:
    known = {test: compat_reasons.reason(package, test, said)
             for test, said in outcomes.failed.items()}  # fmt: skip
    if seen:
        lines = (f"{known[t] or '?'}\t{t}\t{said}\n" for t, said in outcomes.failed.items())
        seen.write_text("".join(lines))
    for why, count in Counter(filter(None, known.values())).most_common():
        print(f"{count:6}  {why}")
    unknown = [test for test, why in known.items() if why is None]
    print(*(f"UNKNOWN {test}: {outcomes.failed[test][:150]}" for test in unknown), sep="\n")
    print(", ".join(f"{count} {outcome}" for outcome, count in outcomes.counts.items()))
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
