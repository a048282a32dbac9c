"""Smaller programs of array operations."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from .graph_program import Program, Step


def smaller(program: Program) -> Iterator[Program]:
    """Programs with fewer steps, shorter loops, smaller sizes or simpler operands."""
    steps = program["steps"]
    size = len(steps) // 2
    while size:
        for begin in range(0, len(steps), size):
            yield {**program, "steps": steps[:begin] + steps[begin + size :]}
        size //= 2
    yield from _other_loops(program)
    for name, extent in program["dims"].items():
        for less in dict.fromkeys((1, 2, 3, extent // 2, extent - 1)):
            if 0 < less < extent:
                yield {**program, "dims": {**program["dims"], name: less}}
    yield from _other_operands(program)
    order = program["final"]
    for n in range(len(order)):
        yield {**program, "final": order[:n] + order[n + 1 :]}


def _with(program: Program, place: int, *steps: Step) -> Program:
    before = program["steps"]
    return {**program, "steps": [*before[:place], *steps, *before[place + 1 :]]}


def _other_loops(program: Program) -> Iterator[Program]:
    for place, step in enumerate(program["steps"]):
        if "body" not in step:
            continue
        yield _with(program, place, *step["body"])
        for times in dict.fromkeys((step["times"] // 2, step["times"] - 1)):
            if times > 0:
                yield _with(program, place, {**step, "times": times})
        for n in range(len(step["body"])):
            body = step["body"][:n] + step["body"][n + 1 :]
            yield _with(program, place, {**step, "body": body})


def _other_operands(program: Program) -> Iterator[Program]:
    """Replaces an operand by an operand of the step that made it, which may then be dropped."""
    made = {step["to"]: step["of"] for step in program["steps"] if "to" in step}
    for place, step in enumerate(program["steps"]):
        if "body" in step:
            continue
        for k, n in enumerate(step["of"]):
            for other in made.get(n, ()):
                if other != n:
                    changed = copy.deepcopy(step)
                    changed["of"][k] = other
                    yield _with(program, place, changed)
