"""Measures the largest errors of the mathematical functions, in units in the last place (ulp).

usage: tools/accuracy.py [--arguments N] [--jobs N] [NAME ...] > docs/measurements/PAGE.md

Needs mpmath. The device is HITHER_DEVICE's. It prints a page in Markdown with all functions, or
with those that are named, and to the standard error the arguments of large errors.

The error of a result y is |y - exact| / ulp(exact), where ulp is the distance of the neighbouring
numbers of the dtype at the exact value; correct rounding gives at most 0.5. The error of a complex
result is |y - exact| / ulp(|exact|), and the larger one of the errors of its parts. Results and
parts that overflow or are subnormal are left out.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from multiprocessing.pool import Pool
from typing import Any, NamedTuple

import mpmath
import numpy as np
from exact_functions import COMPLEX, FUNCTIONS, SPECIAL, Function

import hither as ht
from hither import numpy as hnp
from hither.scipy import special

CHUNK = 500  # arguments of one task
MOST, MOST_COMPLEX = 1.0, 4.0  # ulp: the arguments of larger errors are printed


class Table(NamedTuple):
    title: str
    functions: dict[str, Function]
    dtypes: tuple[str, ...]


REAL = ("float32", "float64")
TABLES = (
    Table("Functions of `hither` and `hither.numpy`", FUNCTIONS, REAL),
    Table("Functions of `hither.scipy.special`", SPECIAL, REAL),
    Table("Complex functions of `hither`", COMPLEX, ("complex64", "complex128")),
)
INTRODUCTION = """\
# Accuracy of mathematical functions on {kind}

{date}, {device}. Command: `tools/accuracy.py --arguments {count}`.

Largest errors found, in units in the last place (ulp); correct rounding gives at most 0.5. A
quarter of the arguments is uniform in the range of the function, half has uniform exponents, and a
quarter is near 1 and -1. Results that overflow or are subnormal are left out."""
ABOUT_COMPLEX = """
The first error of a dtype is that of the number, in ulp of its absolute value. The second is the
larger one of the errors of its parts."""


class Error(NamedTuple):
    """The largest error of a number and of a part of it, with its arguments."""

    number: float = 0.0
    part: float = 0.0
    at: tuple[Any, ...] = ()

    def or_larger(self, other: Error) -> Error:
        larger = other if other.number > self.number else self
        return Error(larger.number, max(self.part, other.part), larger.at)


class Task(NamedTuple):
    table: int
    name: str
    operands: list[np.ndarray]
    results: np.ndarray


def drawn(f: Function, second: bool, dtype: Any, count: int, random: Any) -> np.ndarray:
    """Real arguments of a function, or parts of complex ones."""
    is_single = dtype in (np.float32, np.complex64)
    low = f.float_low if is_single and f.float_low is not None else f.low
    high = f.float_high if is_single and f.float_high is not None else f.high
    if second and f.second is not None:
        low, high = f.second
    largest = np.log10(max(abs(low), abs(high)))
    smallest = -15 if np.dtype(dtype).kind == "c" else -30 if is_single else -250
    signs = random.choice([-1.0, 1.0], 2 * count)
    found = np.concatenate([
        random.uniform(low, high, 2 * count),
        signs * 10.0 ** random.uniform(smallest, largest, 2 * count),
        signs * 10.0 ** random.uniform(-9, largest, 2 * count),
        signs * random.uniform(0.5, 2, 2 * count),
    ]).astype(np.float32 if is_single else np.float64)  # fmt: skip
    found = found[(found > low) & (found < high)]
    return random.choice(found, count, replace=False)


def arguments(f: Function, dtype: Any, count: int, random: Any) -> list[np.ndarray]:
    found = []
    for k in range(f.operands):
        values = drawn(f, k == 1, dtype, count, random)
        if np.dtype(dtype).kind == "c":
            values = (values + 1j * drawn(f, k == 1, dtype, count, random)).astype(dtype)
        found.append(values)
    return found


def ulp(size: Any, dtype: Any) -> Any:
    """The distance of the neighbouring numbers at a positive number."""
    below = dtype(size)
    if below > size:
        below = np.nextafter(below, dtype(0))
    return mpmath.mpf(float(np.spacing(below)))


def error_of(found: Any, exact: Any, size: Any, dtype: Any) -> float:
    """The distance of two numbers or parts, in ulp of `size`."""
    limits = np.finfo(dtype)
    if not float(limits.tiny) <= size <= float(limits.max):
        return 0.0
    return float(abs(found - exact) / ulp(size, dtype)) if mpmath.isfinite(found) else np.inf


def measured(task: Task) -> tuple[int, str, str, Error]:
    """The largest error of a task; runs in a process of its own."""
    dtype = task.results.dtype
    is_complex = dtype.kind == "c"
    part_type = np.float32 if dtype in (np.float32, np.complex64) else np.float64
    number = mpmath.mpc if is_complex else mpmath.mpf
    f = TABLES[task.table].functions[task.name]
    worst = Error()
    for found, *at in zip(task.results.tolist(), *(x.tolist() for x in task.operands), strict=True):
        exact, y = f.exact(*map(number, at)), number(found)
        error = error_of(y, exact, abs(exact), part_type)
        pairs = ((y.real, exact.real), (y.imag, exact.imag)) if is_complex else ()
        part = max((error_of(p, e, abs(e), part_type) for p, e in pairs), default=0.0)
        worst = worst.or_larger(Error(error, part, tuple(at)))
    return task.table, task.name, dtype.name, worst


def function_of(table: Table, name: str) -> Any:
    if table.functions is SPECIAL:
        return getattr(special, name)
    return getattr(ht, name, None) or getattr(hnp, name)


def tasks(names: list[str], count: int) -> Iterator[Task]:
    """The device computes the results of all functions."""
    for index, table in enumerate(TABLES):
        for name in table.functions:
            for dtype in map(np.dtype, table.dtypes) if not names or name in names else ():
                random = np.random.default_rng(sum(map(ord, name)))
                operands = arguments(table.functions[name], dtype.type, count, random)
                function = function_of(table, name)
                results = ht.asnumpy(function(*map(ht.asarray, operands)))
                assert results.dtype == dtype, (name, results.dtype)
                for i in range(0, count, CHUNK):
                    part = slice(i, i + CHUNK)
                    yield Task(index, name, [x[part] for x in operands], results[part])


def largest_errors(pool: Pool, names: list[str], count: int) -> dict[tuple[int, str, str], Error]:
    found: dict[tuple[int, str, str], Error] = {}
    for *key, error in pool.imap_unordered(measured, tasks(names, count)):
        place = (key[0], key[1], key[2])
        found[place] = found.get(place, Error()).or_larger(error)
    return found


def print_table(index: int, errors: dict[tuple[int, str, str], Error]) -> None:
    table = TABLES[index]
    is_complex = table.functions is COMPLEX
    print(f"\n## {table.title}")
    if is_complex:
        print(ABOUT_COMPLEX)
    titles = [t for d in table.dtypes for t in ((d, "its parts") if is_complex else (d,))]
    print(f"\n| function | {' | '.join(titles)} |\n|{'---|' * (1 + len(titles))}")
    for name in table.functions:
        row = [errors[index, name, d] for d in table.dtypes if (index, name, d) in errors]
        errors_of_row = [x for e in row for x in (e[:2] if is_complex else e[:1])]
        figures = [f"{x:.3f}" if x < 1000 else f"{x:.1e}" for x in errors_of_row]
        if row:
            print(f"| `{name}` | {' | '.join(figures)} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these functions")
    parser.add_argument("--arguments", type=int, default=20_000, help="per function and dtype")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes")
    given = parser.parse_args()
    # The processes begin before a device is used, and use none.
    with multiprocessing.get_context("fork").Pool(given.jobs) as pool:
        errors = largest_errors(pool, given.names, given.arguments)
    device = ht.default_queue().device
    print(
        INTRODUCTION.format(
            kind="GPUs" if ":gpu" in device.filter_string else "CPUs",
            date=datetime.now(UTC).date(),
            device=f"{device.name.strip()} ({device.filter_string})",
            count=given.arguments,
        )
    )
    for index in sorted({index for index, _, _ in errors}):
        print_table(index, errors)
    for (_, name, dtype), error in errors.items():
        if error.number > (MOST_COMPLEX if dtype.startswith("complex") else MOST):
            print(f"{name} of {dtype}: {error.number:.3f} ulp at {error.at}", file=sys.stderr)


if __name__ == "__main__":
    main()
