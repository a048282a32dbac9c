"""Compares the forms of the mathematical functions on the built-in CPU device, bit for bit.

usage: tools/math_forms.py [--arguments N] [NAME ...] | --special

A function can run in vectors, in the rest of a vector, under a mask, for one item at a time, and so
on (tools/function_forms.py). For each function and dtype, the forms compute the same N arguments
(tools/form_arguments.py), those outside of PRINCIPAL a tenth of them. Of float16 and bfloat16 all
numbers are computed. NaNs are equal.
Prints a table in Markdown, and the first difference of each form to the standard error; exits with
1 if there is one.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import form_arguments
import numpy as np
from function_forms import (
    DEVICE,
    KERNELS_ONLY,
    LENGTH,
    NAMES,
    SPECIAL,
    Form,
    array_forms,
    array_function,
    forget_copies,
    forms_of,
    operands_of,
)

import hither as ht

BLOCK = LENGTH << 11
PRINCIPAL = {"vectors", "short_rows", "masked_loop", "single_items"}
OTHERS = 10  # the other forms compute one of so many blocks
WIDE = (np.float32, np.float64)


class Result(NamedTuple):
    """How many arguments differ in any form, and how many results each form gave."""

    arguments: int = 0
    differing: int = 0
    computed: Mapping[str, int] = MappingProxyType({})

    def plus(self, other: Result) -> Result:
        names = [*self.computed, *(n for n in other.computed if n not in self.computed)]
        total = {n: self.computed.get(n, 0) + other.computed.get(n, 0) for n in names}
        differing = self.differing + other.differing
        return Result(self.arguments + other.arguments, differing, total)


def differences(found: np.ndarray, expected: np.ndarray) -> np.ndarray:
    """Where the bits differ and one of the results is a number."""
    found_bits, expected_bits = map(form_arguments.bits, (found, expected))
    if np.array_equal(found_bits, expected_bits):
        return np.zeros(found.size, bool)
    return (found_bits != expected_bits) & ((found == found) | (expected == expected))


_reported: set[tuple[str, str, str]] = set()


def report(name: str, form: str, wrong: np.ndarray, arguments: list[np.ndarray],
           *results: np.ndarray) -> None:  # fmt: skip
    """The first difference of a form and dtype, with Python's hexadecimal numbers."""
    dtype, at = arguments[0].dtype.name, int(wrong.argmax())
    if (name, form, dtype) in _reported:
        return
    _reported.add((name, form, dtype))
    given = ", ".join(float(x[at]).hex() for x in arguments)
    found, expected = (float(r[at]).hex() for r in results)
    count = f"{np.count_nonzero(wrong)} of {wrong.size} differ"
    print(
        f"{name}({given}) of {dtype}: {found} by {form}, else {expected}; {count}", file=sys.stderr
    )


def compare(name: str, forms: dict[str, Form], arguments: list[np.ndarray]) -> Result:
    """The first form is compared with all others."""
    expected = next(iter(forms.values()))(arguments)
    differs = np.zeros(expected.size, bool)
    computed = {}
    for form, function in forms.items():
        found = np.ascontiguousarray(function(arguments))
        computed[form] = found.size
        wrong = differences(found, expected[: found.size])
        differs[: found.size] |= wrong
        if wrong.any():
            report(name, form, wrong, arguments, found, expected)
    forget_copies()
    return Result(expected.size, int(np.count_nonzero(differs)), computed)


@np.errstate(all="ignore")
def wide_result(name: str, dtype: Any, count: int) -> Result:
    """float32 or float64."""
    forms = forms_of(name)
    reference = next(iter(forms))
    principal = {n: form for n, form in forms.items() if n in PRINCIPAL or n == reference}
    total = Result()
    for index, first in enumerate(range(0, count, BLOCK)):
        size = -(-min(BLOCK, count - first) // LENGTH) * LENGTH
        arguments = form_arguments.block_of(operands_of(name), dtype, first, size)
        total = total.plus(compare(name, forms if index % OTHERS == 0 else principal, arguments))
        forms.pop("constants", None)  # in the first block only
    return total


@np.errstate(all="ignore")
def narrow_result(name: str, dtype: Any) -> Result:
    """float16 or bfloat16 in the forms of arrays, and by float32 with one rounding at the end."""
    function, operands = array_function(name), operands_of(name)

    def by_float32(xs: list[np.ndarray]) -> np.ndarray:
        wide = [ht.asarray(x.astype(np.float32), device=DEVICE) for x in xs]
        return ht.asnumpy(function(*wide)).astype(dtype)

    count = -(-65536 // LENGTH) * LENGTH
    patterns = np.arange(count, dtype=np.uint32).astype(np.uint16)
    arguments = [patterns.view(dtype)]
    if operands == 2:
        arguments.append(np.random.default_rng(1).permutation(patterns).view(dtype))
    return compare(name, {"by_float32": by_float32} | array_forms(function), arguments)


def narrow_dtypes() -> list[Any]:
    try:
        import ml_dtypes
    except ImportError:
        return [np.float16]
    return [np.float16, ml_dtypes.bfloat16]


def row_of(name: str, count: int) -> tuple[list[Result], str]:
    """The results of a function in each dtype, and its row of the table."""
    results = [wide_result(name, dtype, count) for dtype in WIDE]
    forms = len(results[0].computed)
    narrow = narrow_dtypes() if name not in (*KERNELS_ONLY, *SPECIAL) else []
    results += [narrow_result(name, dtype) for dtype in narrow]
    cells = [f"{r.arguments:,} | {r.differing:,}" for r in results[: len(WIDE)]]
    few = sum(r.differing for r in results[len(WIDE) :])
    return results, f"| `{name}` | {forms} | {' | '.join(cells)} | {few if narrow else ''} |"


def print_forms(total: Result) -> None:
    print("\n| form | results |\n|---|---|")
    for form, count in total.computed.items():
        print(f"| `{form}` | {count:,} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    parser.add_argument("--arguments", type=int, default=10**8, help="per function and dtype")
    parser.add_argument("--special", action="store_true", help="hither.scipy.special instead")
    given = parser.parse_args()
    begin = time.monotonic()
    print("| function | forms | float32 | differ | float64 | differ | 16 bits: differ |")
    print("|---|---|---|---|---|---|---|")
    total = Result()
    for name in given.names or (SPECIAL if given.special else NAMES):
        results, row = row_of(name, given.arguments)
        print(row, flush=True)
        for result in results:
            total = total.plus(result)
    print_forms(total)
    print(f"\n{(time.monotonic() - begin) / 60:.0f} minutes.")
    sys.exit(total.differing > 0)


if __name__ == "__main__":
    main()
