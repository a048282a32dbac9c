"""Random @njit functions, whose results inside and outside of a device context are compared."""

from __future__ import annotations

import contextlib
import importlib.util
import linecache
import random
import warnings
from collections.abc import Iterable, Iterator
from typing import Any

import numba
import numpy as np
from numba.core.errors import TypingError

import hither as ht

from .difference import Difference
from .offload_grammar import CONFLICTING, STATEMENTS, Maker
from .program_shrink import changed

Program = dict[str, Any]
_FLOATS, _INTEGERS = ("float64", "float32"), ("int64", "int32", "int16", "int8", "uint8")
FEATURES = frozenset([f"statement:{s}" for s in STATEMENTS] + [*_FLOATS, *_INTEGERS])
DEVICES = True
_NAMES = ("f0", "f1", "i0", "i1", "b0", "m0", "m1")


def make(rng: random.Random, device: str) -> Program:
    maker = Maker(rng)
    statements = [maker.statement() for _ in range(rng.randint(1, 6))]
    return {
        "statements": statements,
        "float": rng.choice(_FLOATS), "integer": rng.choice(_INTEGERS),
        "length": rng.choice((1, 2, 5, 33, 64, 257, 1000)),
        "rows": rng.choice((1, 3, 40)), "columns": rng.choice((1, 4, 7)),
        "layout": rng.choice(("C", "C", "stepped", "reversed")),
        "parallel": rng.random() < 0.3 and CONFLICTING.isdisjoint(s[0] for s in statements),
        "seed": rng.randrange(2**31),
    }  # fmt: skip


def _source(program: Program) -> str:
    lines = [
        "import numpy as np", "from numba import prange", "",
        f"def function({', '.join(_NAMES)}, q):",
        "    n, c = f0.size, m0.shape[1]",
        "    s, p, low, high, t = 0.0, 1.0, 1e300, -1e300, 0",
    ]  # fmt: skip
    for _, text in program["statements"]:
        lines += ["    " + line for line in text.splitlines()]
    return "\n".join([*lines, "    return s, p, low, high, t", ""])


def _arguments(program: Program) -> list[Any]:
    rng = np.random.default_rng(program["seed"])
    n, shape = program["length"], (program["rows"], program["columns"])

    def laid_out(content: np.ndarray) -> np.ndarray:
        if program["layout"] == "stepped":
            return np.repeat(content, 2)[::2]
        return content[::-1].copy()[::-1] if program["layout"] == "reversed" else content

    real, whole = program["float"], program["integer"]
    arrays = [laid_out(rng.normal(size=n).astype(real)) for _ in range(2)]
    arrays += [laid_out(rng.integers(0, 100, n).astype(whole)) for _ in range(2)]
    arrays += [laid_out(rng.random(n) < 0.5)]
    arrays += [rng.normal(size=shape) for _ in range(2)]
    return [*arrays, 0.375]


def _copies(arguments: list[Any]) -> list[Any]:
    """Copies with the same strides."""
    made = []
    for a in arguments:
        if isinstance(a, np.ndarray) and a.ndim == 1 and not a.flags.c_contiguous:
            step = a.strides[0] // a.itemsize
            base = np.zeros(a.size * abs(step), a.dtype)[::step]
            base[:] = a
            a = base
        elif isinstance(a, np.ndarray):
            a = a.copy()
        made.append(a)
    return made


def run(program: Program, device: str) -> None:
    source = _source(program)
    name = f"<fuzz offload {program['seed']}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("fuzzed", None))
    exec(compile(source, name, "exec"), module.__dict__)
    arguments = _arguments(program)
    plain = numba.njit(module.function)
    offloaded = numba.njit(parallel=True)(module.function) if program["parallel"] else plain
    wanted = _copies(arguments)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            results = plain(*wanted)
        except TypingError:
            # For example, the maximum of an int64 and a uint64 is a float, which has no bits.
            with ht.device_context(ht.Queue(device)), contextlib.suppress(TypingError):
                offloaded(*_copies(arguments))
                raise Difference(f"Numba refuses what is offloaded\n{source}") from None
            return
        for keep_below in (0, 64, None):
            given = _copies(arguments)
            with ht.device_context(ht.Queue(device), keep_below=keep_below):
                found = offloaded(*given)
            _compare(program, [*found, *given], [*results, *wanted])


def _compare(program: Program, found: list, wanted: list) -> None:
    finite = [np.abs(w)[np.isfinite(w)] for w in map(np.atleast_1d, wanted) if w.dtype.kind == "f"]
    scale = max((float(part.max()) for part in finite if part.size), default=1.0)
    scale = min(max(scale, 1.0) if scale < 1e299 else 1.0, 1e30) * program["length"]
    # Numba computes functions of integers of up to 16 bits in float32.
    single = program["float"] == "float32" or program["integer"] in ("int16", "int8", "uint8")
    relative = 1e-4 if single else 1e-10
    labels = ("s", "p", "low", "high", "t", *_NAMES, "q")
    for label, a, b in zip(labels, found, wanted, strict=True):
        exact = np.asarray(b).dtype.kind in "biu"
        limits = {"rtol": 0, "atol": 0} if exact else {"rtol": relative, "atol": relative * scale}
        if not np.allclose(a, b, equal_nan=True, **limits):
            raise Difference(f"{label}: {a} is not {b}\n{_source(program)}\n{program}")


def shrink(program: Program) -> Iterator[Program]:
    statements = program["statements"]
    for n in range(len(statements)):
        yield changed(program, statements=statements[:n] + statements[n + 1 :])
    for part, simple in {"layout": "C", "parallel": False, "float": "float64", "integer": "int64",
                         "length": 5, "rows": 1, "columns": 1}.items():  # fmt: skip
        if program[part] != simple:
            yield changed(program, **{part: simple})


def features(program: Program) -> Iterable[str]:
    yield from (program["float"], program["integer"], f"layout:{program['layout']}")
    yield from (f"statement:{kind}" for kind, _ in program["statements"])
