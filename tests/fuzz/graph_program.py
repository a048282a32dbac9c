"""Programs of array operations as data, and how NumPy and hither run them.

A program is {"dims": {"n": 7, ...}, "steps": [...], "final": [...]}. A step is {"f": what it does,
"text": a statement's text with {0}, {1} for its operands, "of": the operands' numbers} and, if it
makes a variable, has its number as "to". {"times": 5, "body": steps} is a loop. `final` names the
variables that are read at the end, in this order; others go before. A step that NumPy cannot take,
or that lacks an operand, is left out: so any step may be dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Step = dict[str, Any]
Program = dict[str, Any]

PRELUDE = '''import numpy as np
import hither as xp
from hither import evaluate, synchronize


def numbers(dtype, shape, seed, special=False):
    """Multiples of a quarter from -4 to 4, which arithmetic often takes without rounding."""
    random = np.random.default_rng(seed)
    values = random.integers(-16, 17, shape)
    kind = np.dtype(dtype).kind
    if kind in "biu":
        return (values % (2 if kind == "b" else 9) - (4 if kind == "i" else 0)).astype(dtype)
    values = values / 4
    if kind == "c":
        values = values + random.integers(-16, 17, shape) / 4 * 1j
    elif special:
        odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan])
        values = np.where(random.random(shape) < 0.2, random.choice(odd, shape), values)
    return values.astype(dtype)
'''
_made: dict[str, Any] = {}
exec(PRELUDE.replace("import hither as xp\nfrom hither import evaluate, synchronize\n", ""), _made)
numbers = _made["numbers"]


def statement(step: Step, turn: int = 0) -> str:
    """The step in Python; `turn` is the number of the loop's turn."""
    operands = [f"v{n}" for n in step["of"]]
    text: str = step["text"].format(*operands, i=turn)
    return f"v{step['to']} = {text}" if "to" in step else text


def flat(program: Program) -> list[tuple[Step, int]]:
    """The steps one after the other, with the turn of the loop that each is in."""
    found: list[tuple[Step, int]] = []
    for step in program["steps"]:
        if "body" in step:
            found += [(inner, turn) for turn in range(step["times"]) for inner in step["body"]]
        else:
            found.append((step, 0))
    return found


def constants(program: Program) -> dict[str, Any]:
    """What the text of steps names beside variables and functions."""
    return {**program["dims"], "numbers": numbers}


def canonical(x: np.ndarray) -> bytes:
    """The bytes of x; all NaNs are the same."""
    x = np.ascontiguousarray(x)
    if x.dtype.kind == "c":
        x = x.view(x.real.dtype)
    if x.dtype.kind == "f":
        x = np.where(np.isnan(x), np.array(np.nan, x.dtype), x)
    return x.tobytes()
