"""Runs Numba's own tests inside an open device context.

`python tests/conformance/numba_tests.py [NAMES]`: names of Numba's test modules, classes or tests
without the leading numba.tests. What fails there and passes outside of a context is listed, with
the reason where it is known. Exits with 1 if a reason is not known.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import unittest
import warnings
from collections.abc import Iterator

os.environ["SUBPROC_TEST"] = "1"  # the parfor tests run in a process of their own, and think so

import numba
from numba.tests.test_parfors import TestParforsBase

import hither as ht
from hither.offload.sibling import callee
from hither.offload.symbols import LAUNCH

DEFAULT = (
    "test_parfors.TestParforBasic test_parfors.TestParforNumericalMisc "
    "test_parfors.TestParforNumPy "
    "test_parfors.TestParfors test_parfors.TestParforsSlice test_parfors.TestParforsOptions "
    "test_parfors.TestParforsBitMask test_parfors.TestParforsMisc test_parfors.TestPrangeBasic "
    "test_parfors.TestPrangeSpecific test_array_exprs test_array_reductions test_stencils "
    "test_ufuncs test_array_methods"
).split()

# Part of a test's name -> why it may fail.
KNOWN = {
    "conflicting_reduction_ops": "wants Numba's refusal, after which we run on the host",
    "raises_invalid_step_size": "wants Numba's refusal, after which we run on the host",
    "too_many_neg_one": "wants Numba's refusal, after which we run on the host",
    "test_stencil_call_const": "wants Numba's refusal, after which we run on the host",
    "issue_9678": "says parallel=False",
    "issue9256_lower_sroa": "says parallel=False",
    "oversized_tuple": "wants Numba's refusal, after which we run on the host",
    "no_warn_if_cache_set": "looks at the dispatcher's overloads",
    "TestOptionals": "looks at the dispatcher's signatures, which its offloaded version has",
    "test_annotations": "looks at the dispatcher's annotations, which its offloaded version has",
    "amax_basic": "Numba's parallel=True passes over NaN too",
    "amin_basic": "Numba's parallel=True passes over NaN too",
    "refcount": "looks at the dispatcher's reference count",
    "overloads": "looks at the dispatcher's overloads, which its offloaded version has",
    "signatures": "looks at the dispatcher's signatures, which its offloaded version has",
}


def compile_offloaded(self, function, signature, **flags):
    """In place of what Numba's parfor tests compile with: they call what is compiled directly, so
    that no call slot sees them."""
    dispatcher = numba.njit(**flags)(function)
    if flags.get("parallel") and ht.get_context():
        dispatcher = callee(dispatcher)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    # A launch of ours is what Numba's threads are to the tests.
    text = compiled.library.get_llvm_str()
    if LAUNCH in text:
        compiled.library.get_llvm_str = lambda: (
            f"{text}\n; @do_scheduling @do_scheduling_signed @do_scheduling_unsigned"
        )
    return compiled


def tests_of(names: list[str]) -> Iterator[unittest.TestCase]:
    def flat(suite):
        for test in suite:
            if isinstance(test, unittest.TestSuite):
                yield from flat(test)
            else:
                yield test

    loader = unittest.TestLoader()
    for name in names:
        try:
            yield from flat(loader.loadTestsFromName(f"numba.tests.{name}"))
        except AttributeError as error:
            print(f"skipped {name}: {error}")


def failure_of(test: unittest.TestCase, in_context: bool) -> str | None:
    """The last line of what went wrong, or None."""
    result = unittest.TestResult()
    test = type(test)(test._testMethodName)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if in_context:
            with ht.device_context("cpu"):
                test.run(result)
        else:
            test.run(result)
    wrong = result.failures + result.errors
    return wrong[0][1].strip().splitlines()[-1] if wrong else None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=DEFAULT)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    arguments = parser.parse_args()
    TestParforsBase._compile_this = compile_offloaded
    started, ran, failed, unknown = time.monotonic(), 0, 0, 0
    before = ht.counters()["offloaded_regions"]
    for test in tests_of(arguments.names):
        if time.monotonic() - started > arguments.seconds:
            print("out of time")
            break
        ran += 1
        reason = failure_of(test, in_context=True)
        if reason is None:
            continue
        outside = failure_of(test, in_context=False)
        if outside is not None:
            print(f"fails anyway  {test.id()}", flush=True)
            continue
        known = next((why for part, why in KNOWN.items() if part in test.id()), None)
        failed += 1
        unknown += known is None
        print(
            f"{'known' if known else 'FAILS':13} {test.id()}: {known or reason[:200]}", flush=True
        )
    regions = ht.counters()["offloaded_regions"] - before
    print(f"{ran} tests, {failed} fail in a context alone; {regions} regions offloaded")
    return 1 if unknown else 0


if __name__ == "__main__":
    sys.exit(main())
