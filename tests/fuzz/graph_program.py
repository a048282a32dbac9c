"""Programs of array operations as data, and their text for NumPy and hither.

A program is {"dims": {"n": 7, ...}, "steps": [...], "final": [...]}. A step is {"f": its operation,
"text": a statement's text with {0}, {1} for its operands, "of": the numbers of the operands}. If it
makes a variable, "to" is the variable's number. {"times": 5, "body": steps} is a loop. `final` has
the variables that are read at the end, in this order; the others are deleted before. A step that
NumPy refuses or that lacks an operand is left out, so any step may be dropped.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Step = dict[str, Any]
Program = dict[str, Any]

PRELUDE = '''import numpy as np
import hither as xp
import hither.numpy as xnp
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
exec("import numpy as np\n" + PRELUDE.partition("synchronize\n")[2], _made)
numbers = _made["numbers"]


def statement(step: Step, iteration: int = 0) -> str:
    """The step as a Python statement in this iteration of its loop."""
    operands = [f"v{n}" for n in step["of"]]
    text: str = step["text"].format(*operands, i=iteration)
    return f"v{step['to']} = {text}" if "to" in step else text


def flat(program: Program) -> list[tuple[Step, int]]:
    """All steps in the order of execution, each with the iteration of its loop."""
    found: list[tuple[Step, int]] = []
    for step in program["steps"]:
        if "body" in step:
            found += [(inner, i) for i in range(step["times"]) for inner in step["body"]]
        else:
            found.append((step, 0))
    return found


def constants(program: Program) -> dict[str, Any]:
    """The names in the text of steps that are neither variables nor functions of `xp`."""
    return {**program["dims"], "numbers": numbers}


def canonical(x: np.ndarray) -> bytes:
    """The bytes of x, with the same bits for all NaNs."""
    x = np.ascontiguousarray(x)
    if x.dtype.kind == "c":
        x = x.view(x.real.dtype)
    if x.dtype.kind == "f":
        x = np.where(np.isnan(x), np.array(np.nan, x.dtype), x)
    return x.tobytes()
