"""Runs work-items as generators, one by one up to each convergent operation."""

from __future__ import annotations

import itertools
import operator
from types import SimpleNamespace
from typing import Any

import numpy as np

from .kernel_text import ReferenceText

_LIMIT = 1 << 64


def i64(value: int) -> int:
    return (int(value) + (_LIMIT >> 1)) % _LIMIT - (_LIMIT >> 1)


class Undefined(Exception):
    """The program has undefined behaviour: a signed sum, difference, product or quotient overflows,
    or the item that broadcasts has returned."""


def exact(value: int) -> int:
    if -(_LIMIT >> 1) <= value < _LIMIT >> 1:
        return value
    raise Undefined


def u64(value: int) -> int:
    return int(value) % _LIMIT


def quotient(a: int, b: int) -> int:
    return a // b if b else 0


def remainder(a: int, b: int) -> int:
    return a % b if b else 0


def left(a: int, b: int) -> int:
    return a << b if 0 <= b < 64 else 0


def right(a: int, b: int) -> int:
    return a >> (b if 0 <= b < 64 else 63) if a < 0 or 0 <= b < 64 else 0


def fitted(value: Any, dtype: str) -> Any:
    """The element of an array of `dtype` after a store of `value`."""
    kind = np.dtype(dtype)
    if kind.kind in "iu":
        return np.array(int(value) % _LIMIT, np.uint64).astype(kind)[()]
    if isinstance(value, int) and not isinstance(value, bool):
        value = np.array(value, np.int64 if value < _LIMIT >> 1 else np.uint64)
    return np.asarray(value).astype(kind)[()]


_COMBINE = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "min": min, "max": max,
    "and": operator.and_, "or": operator.or_, "and_": operator.and_, "or_": operator.or_,
    "xor": operator.xor,
}  # fmt: skip
_IDENTITY = {"add": 0, "mul": 1, "min": 2**63 - 1, "max": -(2**63), "and": -1, "or": 0, "xor": 0}


def combined(operation: str, a: int, b: int) -> int:
    return _COMBINE[operation](a, b)


def _answers(asked: list) -> list:
    """The results for the items of a group, which all yielded the same convergent operation."""
    if asked[0] is None:
        return [None] * len(asked)
    function, values = asked[0][0], [a[-1] for a in asked]
    if function in ("any_of", "all_of", "none_of"):
        found = {"any_of": any, "all_of": all, "none_of": lambda v: not any(v)}[function](values)
        return [found] * len(values)
    if function == "broadcast":
        return [values[0]] * len(values)
    operation = asked[0][1]
    sums = list(itertools.accumulate(values, lambda a, b: i64(combined(operation, a, b))))
    if function == "reduce":
        return [sums[-1]] * len(values)
    return sums if function == "inclusive_scan" else [_IDENTITY[operation], *sums[:-1]]


def _items(program: dict):
    """The groups: each a list of items, in the order of their linear ids."""
    sizes = program["global"]
    local = program["local"] or [1] * len(sizes)
    groups = [n // m for n, m in zip(sizes, local, strict=True)]
    for group in itertools.product(*map(range, groups)):
        shared = {name: np.zeros(int(np.prod(local)), dtype) for name, dtype in program["locals"]}
        yield [
            SimpleNamespace(
                global_id=[g * m + n for g, m, n in zip(group, local, place, strict=True)],
                local_id=list(place), group_id=list(group), global_size=sizes, local_size=local,
                num_groups=groups, local_linear_id=number, **shared,
            )
            for number, place in enumerate(itertools.product(*map(range, local)))
        ]  # fmt: skip


def run_reference(program: dict, arguments: list) -> None:
    """Runs the program, which writes to the arrays among the arguments."""
    space: dict[str, Any] = {
        "np": np, "i64": i64, "u64": u64, "quotient": quotient, "remainder": remainder,
        "left": left, "exact": exact, "right": right, "fitted": fitted, "combined": combined,
    }  # fmt: skip
    exec(compile(ReferenceText(program).source(), "<reference>", "exec"), space)
    with np.errstate(all="ignore"):
        for items in _items(program):
            first = space["kernel"](items[0], *arguments)
            running = [first, *(space["kernel"](item, *arguments) for item in items[1:])]
            answers: list = [None] * len(running)
            while running:
                asked = []
                for generator, answer in zip(running, answers, strict=True):
                    try:
                        asked.append((generator, generator.send(answer)))
                    except StopIteration:
                        continue
                running = [generator for generator, _ in asked]  # the other items have returned
                broadcasts = bool(asked) and asked[0][1] and asked[0][1][0] == "broadcast"
                if broadcasts and running[0] is not first:
                    raise Undefined
                answers = _answers([operation for _, operation in asked]) if asked else []
