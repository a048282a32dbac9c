"""Runs Numba's own tests inside an open device context.

`python tests/conformance/numba_tests.py [NAMES]`: names of Numba's test modules, classes or tests
without the leading numba.tests. What fails there is run again outside of contexts, and with Numba's
own parallel=True; what passes both times is listed, with the reason where it is known. The last
lines are a table of the modules. Exits with 1 if a reason is not known.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import unittest
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext

os.environ["SUBPROC_TEST"] = "1"  # the parfor tests run in a process of their own, and think so

import numba
from numba.core.registry import CPUDispatcher
from numba.tests.test_parfors import TestParforsBase
from numba.tests.test_stencils import TestStencilBase

import hither as ht
from hither._offload.sibling import callee
from hither._offload.symbols import LAUNCH

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
    "conflicting_reduction_ops": "expects Numba's error; hither runs the loop on the host",
    "raises_invalid_step_size": "expects Numba's error; hither runs the loop on the host",
    "test_unsupported_floordiv1": "expects Numba's error; hither runs the loop on the host",
    "test_unsupported_xor1": "expects Numba's error; hither runs the loop on the host",
    "use_of_reduction_var1": "expects Numba's error; hither runs the loop on the host",
    "parfor_array_access2": "expects a parallel loop; hither runs it serially: iterations race",
    "parfor_array_access3": "expects Numba's error; hither runs the loop on the host",
    "ManyStencils.test_basic60": "expects Numba's error; hither runs the loop on the host",
    "ManyStencils.test_basic81": "expects Numba's error; hither raises the error of the host code",
    "too_many_neg_one": "expects Numba's error; hither runs the loop on the host",
    "test_stencil_call_const": "expects Numba's error; hither runs the loop on the host",
    "issue_9678": "says parallel=False",
    "test_parfor_race_1": "expects a parallel loop; hither runs it serially: iterations race",
    "issue9256_lower_sroa": "says parallel=False",
    "test_size_assertion": "expects Numba's text; hither's names the operands and the line",
    "oversized_tuple": "expects Numba's error; hither runs the loop on the host",
    "test_allocation_hoisting": "counts hoisted allocations; hither allocates in each iteration",
    "no_warn_if_cache_set": "looks at the dispatcher's overloads",
    "TestOptionals": "checks the dispatcher's signatures; those are in its offloaded version",
    "accumulator_dtype_parity": "looks at the dispatcher's signatures",
    "test_annotations": "looks at the dispatcher's annotations, which its offloaded version has",
    "amax_basic": "Numba's parallel=True passes over NaN too",
    "amin_basic": "Numba's parallel=True passes over NaN too",
    "test_prange25": "expects unsigned indices; contexts make them signed",
    "refcount": "looks at the dispatcher's reference count",
    "overloads": "looks at the dispatcher's overloads, which its offloaded version has",
    "signatures": "checks the dispatcher's signatures; those are in its offloaded version",
}


def compile_offloaded(self, function, signature, **flags):
    """In place of what Numba's parfor tests compile with: they call what is compiled directly, so
    that no call slot sees them."""
    dispatcher = numba.njit(**flags)(function)
    if flags.get("parallel") and ht.get_context():
        dispatcher = callee(dispatcher)
    dispatcher.compile(signature)
    compiled = dispatcher.overloads[signature]
    # The tests look for Numba's threads; a launch by hither takes their place.
    text = compiled.library.get_llvm_str()
    if LAUNCH in text:
        compiled.library.get_llvm_str = lambda: (
            f"{text}\n; @do_scheduling @do_scheduling_signed @do_scheduling_unsigned"
        )
    return compiled


compile_by_numba = TestStencilBase.compile_parallel


def compile_stencil(self, function, signature, **options):
    """The same for Numba's stencil tests."""
    if not ht.get_context():
        return compile_by_numba(self, function, signature, **options)
    return compile_offloaded(self, function, signature, parallel=options or True)


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


@contextmanager
def numba_parallel() -> Iterator[None]:
    """Functions of Numba's tests that are compiled meanwhile are so with parallel=True, unless they
    say something else."""
    compile_function = CPUDispatcher.compile

    def compile_parallel(self, signature):
        if (self.py_func.__module__ or "").startswith("numba.tests."):
            self.targetoptions.setdefault("parallel", True)
        return compile_function(self, signature)

    CPUDispatcher.compile = compile_parallel
    try:
        yield
    finally:
        CPUDispatcher.compile = compile_function


def outcome_of(test: unittest.TestCase, place: AbstractContextManager) -> tuple[str, str]:
    """ "passed", "skipped" or "failed", and the last line of what went wrong."""
    result = unittest.TestResult()
    test = type(test)(test._testMethodName)
    with warnings.catch_warnings(), place:
        warnings.simplefilter("ignore")
        test.run(result)
    wrong = result.failures + result.errors
    if wrong:
        return "failed", wrong[0][1].strip().splitlines()[-1]
    return "skipped" if result.skipped else "passed", ""


def verdict_on(test: unittest.TestCase) -> str:
    """The column of the table that a test counts in; prints its error."""
    outcome, what = outcome_of(test, ht.device_context("cpu"))
    if outcome != "failed":
        return outcome
    for place, where in ((nullcontext(), "outside too"), (numba_parallel(), "parallel=True too")):
        if outcome_of(test, place)[0] == "failed":
            print(f"{where:18} {test.id()}: {what[:150]}", flush=True)
            return "fail anyway"
    reason = next((why for part, why in KNOWN.items() if part in test.id()), None)
    print(
        f"{'known' if reason else 'HERE ALONE':18} {test.id()}: {reason or what[:300]}", flush=True
    )
    return "known" if reason else "here alone"


# The last two fail in a context alone; for one the reason is known.
COLUMNS = ("passed", "skipped", "fail anyway", "known", "here alone")


def table_of(verdicts: dict[str, Counter]) -> str:
    lines = [f"{'':44}" + "".join(f"{column:>12}" for column in ("run", *COLUMNS))]
    rows = [*sorted(verdicts.items()), ("all", sum(verdicts.values(), Counter()))]
    for name, counts in rows:
        cells = (counts.total(), *(counts[column] for column in COLUMNS))
        lines.append(f"{name:44}" + "".join(f"{cell:12}" for cell in cells))
    return "\n".join(lines)


def part_of(text: str) -> tuple[int, int]:
    part, parts = map(int, text.split("/"))
    if not 1 <= part <= parts:
        raise argparse.ArgumentTypeError(f"{text} is no part")
    return part, parts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=DEFAULT)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--part", type=part_of, default=(1, 1), help="2/5: every fifth test")
    arguments = parser.parse_args()
    TestParforsBase._compile_this = compile_offloaded
    TestStencilBase.compile_parallel = compile_stencil
    started = time.monotonic()
    verdicts: dict[str, Counter] = defaultdict(Counter)
    before = ht.counters()["offloaded_regions"]
    part, parts = arguments.part
    for test in list(tests_of(arguments.names))[part - 1 :: parts]:
        if time.monotonic() - started > arguments.seconds:
            print("out of time")
            break
        module, name = type(test).__module__.rpartition(".")[2], type(test).__name__
        verdicts[f"{module}.{name}"][verdict_on(test)] += 1
    print(table_of(verdicts), flush=True)
    print(f"{ht.counters()['offloaded_regions'] - before} regions offloaded")
    return 1 if sum(counts["here alone"] for counts in verdicts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
