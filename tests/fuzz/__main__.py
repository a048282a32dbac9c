"""python -m tests.fuzz: runs the named families of random programs, or all of them."""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys

from . import driver

FAILED = 3  # the exit code of a run in which a case failed


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./dev fuzz", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(driver.families())}")
    parser.add_argument("--seconds", type=float, help="for each family; 60 unless --cases is given")
    parser.add_argument("--cases", type=int, help="for each family")
    parser.add_argument("--seed", type=int, help="of the first case; random unless given")
    parser.add_argument("--device", help="a filter string; the default device unless given")
    parser.add_argument("--list", action="store_true", help="only print the names of the families")
    parser.add_argument("--first", action="store_true", help="end after the first failure")
    parser.add_argument("--jobs", type=int, help="processes; unless given, one per core, at most 8")
    found = parser.parse_args()
    unknown = set(found.names) - set(driver.families())
    if unknown:
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    return found


def _bounds(arguments: argparse.Namespace) -> driver.Bounds:
    bounds = driver.Bounds(seconds=arguments.seconds, cases=arguments.cases)
    bounds.seed = random.randrange(10**9) if arguments.seed is None else arguments.seed
    if arguments.first:
        bounds.failures = 1
    if arguments.jobs:
        bounds.workers = arguments.jobs
    return bounds


def _stop_at_signals(bounds: driver.Bounds) -> None:
    """Makes Ctrl-C and SIGTERM end the run with the failures and counts so far."""

    def stop(number: int, _frame: object) -> None:
        bounds.stopped = number

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)


def _print_failures(report: driver.Report) -> None:
    for failure in report.failures:
        alone = "" if failure.alone else " (it did not fail again when it ran alone)"
        path = driver.write(driver.family_module(report.family), failure)
        print(f"\n{failure.verdict.kind}: {failure.family}, seed {failure.seed}{alone}, {path}")
        print(failure.verdict.text.strip()[-3000:], flush=True)


def _table(reports: list[driver.Report]) -> None:
    titles = ("family", "cases", "seconds", "kernels", "features", "failed")
    print("\n" + "".join(f"{title:>10}" for title in titles))
    for r in reports:
        counts = (r.cases, round(r.seconds), len(r.kernels), len(r.features), len(r.failures))
        print(f"{r.family:>10}" + "".join(f"{count:10}" for count in counts))
    for r in reports:
        if r.missing and r.cases >= 1000:
            some = ", ".join(sorted(r.missing)[:40])
            print(f"{r.family}: {len(r.missing)} features did not appear: {some}")


def main() -> int:
    arguments = _arguments()
    if arguments.list:
        print("\n".join(driver.families()))
        return 0
    os.environ.setdefault("MALLOC_PERTURB_", "165")  # overwrites freed memory
    bounds = _bounds(arguments)
    device = arguments.device
    if device is None:
        import hither

        device = hither.default_queue().device.filter_string
    print(f"first seed {bounds.seed}, on {device}", flush=True)
    _stop_at_signals(bounds)
    reports = []
    for name in arguments.names or driver.families():
        report = driver.run_family(driver.family_module(name), device, bounds)
        _print_failures(report)
        reports.append(report)
        if bounds.stopped:
            break
    _table(reports)
    if any(r.failures for r in reports):
        return FAILED
    return 128 + bounds.stopped if bounds.stopped else 0


if __name__ == "__main__":
    sys.exit(main())
