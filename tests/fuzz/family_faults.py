"""The n-th allocation, compilation, launch or copy fails.

The program gets a Python exception. Its arrays keep their values, the next call gives the right
results, and no memory leaks.
"""

from __future__ import annotations

import contextlib
import gc
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

import hither as ht
from hither import _hither

from .difference import Difference

Program = dict[str, Any]

KINDS = ("allocate", "compile", "launch", "copy")
UNARY = ("sin", "exp", "sqrt", "abs", "square", "tanh", "log1p", "negative", "atan")
BINARY = ("add", "multiply", "subtract", "maximum", "minimum", "hypot", "atan2", "copysign")
DTYPES = ("float32", "float64")
NUMPY_NAMES = {"atan": "arctan", "atan2": "arctan2"}
ERRORS = (MemoryError, ht.DeviceError, ht.KernelError)


def make(rng: random.Random, device: str) -> Program:
    return {
        "kind": rng.choice(KINDS),
        "n": rng.choice([1, 1, 1, 2, 2, 3, 4, 5, 7, 10]),
        "dtype": rng.choice(DTYPES),
        "size": rng.choice([1, 7, 64, 1000, 20_000]),
        "seed": rng.randrange(2**31),
        "chain": [
            [rng.choice(UNARY), rng.choice(BINARY)] for _ in range(rng.choice([0, 1, 1, 2, 3]))
        ],
        "steps": [rng.choice(tuple(STEPS)) for _ in range(rng.choice([1, 1, 2, 3]))],
    }


def shrink(program: Program) -> Iterator[Program]:
    for name in ("steps", "chain"):
        for i in range(len(program[name])):
            smaller = program[name][:i] + program[name][i + 1 :]
            if smaller or name == "chain":
                yield program | {name: smaller}
    if program["n"] > 1:
        yield program | {"n": program["n"] - 1}
    for size in (1, 7, 64, 1000):
        if size < program["size"]:
            yield program | {"size": size}


def features(program: Program) -> Iterable[str]:
    for step in program["steps"]:
        yield f"{program['kind']}:{step}"


class Operands:
    """The operands of the steps, as arrays of NumPy and of hither."""

    def __init__(self, program: Program, queue: ht.Queue) -> None:
        numbers = np.random.default_rng(program["seed"])
        self.queue = queue
        self.host = [
            (numbers.random(program["size"]) + 0.5).astype(program["dtype"]) for _ in range(2)
        ]
        self.arrays = [ht.asarray(a, queue=queue) for a in self.host]
        ht.synchronize(*self.arrays)

    def check_unchanged(self) -> None:
        for array, host in zip(self.arrays, self.host, strict=True):
            if not np.array_equal(ht.asnumpy(array), host):
                raise Difference("an operand has other values after the failure")


Step = Callable[[Any, Any, Any], Any]  # the module hither or NumPy, and two of its arrays


def _scatter(xp: Any, x: Any, y: Any) -> Any:
    z = x + 0
    z[z > 1] = 0.25
    z[::2] = y[::2]
    z += y
    return z


def _rows(xp: Any, x: Any, y: Any) -> Any:
    both = xp.stack([x, y])
    return (both - xp.mean(both, axis=0)) * xp.max(both, axis=1, keepdims=True)


def _take(xp: Any, x: Any, y: Any) -> Any:
    order = xp.asarray(np.arange(x.shape[0])[::-1].copy(), **_where(xp, x))
    return xp.take(x, order, axis=0) + y[::-1]


def _where(xp: Any, x: Any) -> dict[str, Any]:
    return {"queue": x.queue} if xp is ht else {}


def _imported(xp: Any, x: Any, y: Any) -> Any:
    host = np.arange(3.0 * x.shape[0]).astype(np.float64).reshape(3, -1)
    return xp.asarray(host, **_where(xp, x)).T[:, ::2] * xp.reshape(x, (-1, 1))


def _filled(xp: Any, x: Any, y: Any) -> Any:
    return xp.full((3, x.shape[0]), 2.5, **_where(xp, x)) + xp.zeros(1, **_where(xp, x)) + x


def _copied(xp: Any, x: Any, y: Any) -> Any:
    return xp.copy(x) if xp is np else x.copy_to(usm_type="shared")


STEPS: dict[str, Step] = {
    "elements": lambda xp, x, y: x * y + 3,
    "sum": lambda xp, x, y: xp.sum(x * y) / x.shape[0],
    "sums of rows": _rows,
    "product": lambda xp, x, y: xp.matmul(xp.reshape(x[:36], (-1, 1)), xp.reshape(y[:36], (1, -1))),
    "scan": lambda xp, x, y: xp.cumulative_sum(x) + y,
    "mask": lambda xp, x, y: x[x > y],
    "take": _take,
    "scatter": _scatter,
    "concat": lambda xp, x, y: xp.concat([x, y[::-1], x + y]),
    "choice": lambda xp, x, y: xp.where(x > y, x, -y),
    "places": lambda xp, x, y: xp.argmax(x * y) + xp.searchsorted(xp.cumulative_sum(y), x),
    "import": _imported,
    "fill": _filled,
    "copy": _copied,
    "transform": lambda xp, x, y: xp.real(xp.fft.ifft(xp.fft.fft(x))),
    "variance": lambda xp, x, y: xp.var(x, correction=0) + xp.std(y, correction=0),
}
FEATURES = frozenset(f"{kind}:{step}" for kind in KINDS for step in STEPS)


def _chained(xp: Any, program: Program, x: Any, y: Any) -> Any:
    for unary, binary in program["chain"]:
        names = NUMPY_NAMES if xp is np else {}
        u = getattr(xp, names.get(unary, unary))
        b = getattr(xp, names.get(binary, binary))
        x = b(u(x), y)
    return xp.abs(x) + 0.5 if program["chain"] else x


def _results(xp: Any, program: Program, operands: list[Any]) -> list[np.ndarray]:
    x, y = operands
    x = _chained(xp, program, x, y)
    made = [STEPS[step](xp, x, y) for step in program["steps"]]
    return made if xp is np else [ht.asnumpy(a) for a in made]


def _compare(program: Program, found: list[np.ndarray], wanted: list[Any], when: str) -> None:
    tolerance = 1e-3 if program["dtype"] == "float32" else 1e-8
    for i, (a, b) in enumerate(zip(found, wanted, strict=True)):
        b = np.asarray(b)
        if a.shape != b.shape:
            raise Difference(f"{when}: result {i} has shape {a.shape}, not {b.shape}")
        wrong = ~np.isclose(a, b, rtol=tolerance, atol=tolerance * _scale(b), equal_nan=True)
        if wrong.any():
            at = tuple(int(k[0]) for k in np.nonzero(wrong))
            raise Difference(
                f"{when}: result {i} has {wrong.sum()} wrong elements of {a.size}, the first at "
                f"{at}: {a[at]!r}, not {b[at]!r}"
            )


def _scale(x: np.ndarray) -> float:
    finite = np.abs(x[np.isfinite(x)])
    return float(finite.max()) if finite.size else 1.0


def _live_allocations(queue: ht.Queue) -> int:
    """The number of allocations when all work has ended."""
    gc.collect()
    with contextlib.suppress(*ERRORS):  # the injected error has been handled before
        queue.wait()
    gc.collect()
    return ht.counters()["live_allocations"]


def _fail(program: Program, operands: Operands, expected: list[np.ndarray]) -> None:
    """Runs the program with an injected failure.

    It has to raise an error or to give the right results. They are right if no operation failed,
    or if the values of a kernel that failed were then computed one by one.
    """
    kind = program["kind"]
    error: BaseException | None = None
    found: list[np.ndarray] = []
    _hither._inject_fault(kind, program["n"])
    try:
        found = _results(ht, program, operands.arrays)
    except ERRORS as seen:
        error = seen
    finally:
        left = _hither._inject_fault(kind, 0)
    if left and error:
        raise Difference(f"an error without a failure: {error!r}")
    if error is None:
        _compare(program, found, expected, "without an error")


def _once(program: Program, queue: ht.Queue) -> None:
    operands = Operands(program, queue)
    before = operands.arrays[0] * 2 - operands.arrays[1]
    with np.errstate(all="ignore"):
        expected = _results(np, program, operands.host)
    _fail(program, operands, expected)
    operands.check_unchanged()
    _compare(
        program,
        [ht.asnumpy(before)],
        [operands.host[0] * 2 - operands.host[1]],
        "a value that was pending before the failure",
    )
    _compare(program, _results(ht, program, operands.arrays), expected, "after the failure")


_warm: set[str] = set()


def _warm_up(program: Program, queue: ht.Queue, device: str) -> None:
    """Runs each step once, because memory that it keeps for the process is no leak."""
    for step in program["steps"]:
        if (key := f"{step} {device} {program['size']} {program['dtype']}") not in _warm:
            _warm.add(key)
            operands = Operands(program, queue)
            _results(ht, program | {"steps": [step], "chain": []}, operands.arrays)


def run(program: Program, device: str) -> None:
    queue = ht.Queue(device)
    _warm_up(program, queue, device)
    live = _live_allocations(queue)
    _once(program, queue)
    if (left := _live_allocations(queue) - live) != 0:
        raise Difference(f"{left} allocations leaked")
