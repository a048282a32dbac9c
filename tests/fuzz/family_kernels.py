"""Random Python kernels on a device, compared with a reference in Python and NumPy."""

from __future__ import annotations

import importlib.util
import linecache
import random
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import hither as ht

from .difference import Difference
from .kernel_grammar import ATOMICS, DTYPES, OPERATORS, TYPE_OF, Grammar
from .kernel_reference import Undefined, run_reference
from .kernel_text import Text
from .program_shrink import changed, smaller_bodies

Program = dict[str, Any]
_STORED = {"i64": "int64", "u64": "uint64", "f32": "float32", "f64": "float64",
           "c64": "complex64", "c128": "complex128", "bool": "bool"}  # fmt: skip
_STATEMENTS = ("if", "for", "while", "break", "continue", "put", "atomic", "exchange", "gather",
               "ask", "group", "store", "add_to", "set", "change")  # fmt: skip
FEATURES = frozenset(
    [f"{operator}:{of}" for of, some in OPERATORS.items() for operator in some]
    + [f"in:{dtype}" for dtype in DTYPES]
    + [f"statement:{name}" for name in _STATEMENTS]
    + [f"{rank} dimensions" for rank in (1, 2, 3)]
)
DEVICES = True


def make(rng: random.Random, device: str) -> Program:
    rank = rng.choice((1, 1, 1, 2, 2, 3))
    grouped = rng.random() < 0.4
    sizes, local = _range(rng, rank, grouped)
    arrays = _arrays(rng, sizes)
    scalars = [
        {"name": f"s{n}", "dtype": rng.choice(("int64", "float64")), "value": rng.randint(-3, 9)}
        for n in range(rng.randint(0, 2))
    ]
    grammar = Grammar(rng, arrays, grouped, scalars)
    for n in range(rng.randint(0, 2)):
        grammar.function(f"f{n}")
    body = grammar.body(2, rng.randint(2, 7))
    if grammar.returns or (not grouped and rng.random() < 0.15):
        body.insert(rng.randrange(len(body)), ["leave", grammar.expression("bool", 2)])
    arrays += [
        {"name": f"out_{name}", "dtype": _STORED[of], "shape": sizes, "role": "out", "layout": "C"}
        for name, of in grammar.variables
    ]
    return {
        "global": sizes, "local": local, "arrays": arrays, "scalars": scalars, "body": body,
        "variables": grammar.variables, "private": grammar.private, "locals": grammar.local,
        "functions": grammar.functions, "counters": grammar.counters, "returns": grammar.returns,
        "seed": rng.randrange(2**31), "debug": False,
    }  # fmt: skip


def _range(rng: random.Random, rank: int, grouped: bool) -> tuple[list[int], list[int] | None]:
    if not grouped:
        most = {1: 130, 2: 12, 3: 6}[rank]
        return [rng.choice((1, 2, 3, rng.randint(1, most))) for _ in range(rank)], None
    local = [rng.choice({1: (1, 2, 5, 8, 16, 33), 2: (1, 2, 3, 8), 3: (1, 2, 3)}[rank])
             for _ in range(rank)]  # fmt: skip
    return [n * rng.randint(1, 3) for n in local], local


def _arrays(rng: random.Random, sizes: list[int]) -> list[dict]:
    """Inputs of any shape, outputs of the range's shape, and perhaps an array for atomics."""
    layout = ("C", "C", "C", "reversed", "stepped", "transposed")
    arrays = []
    for n in range(rng.randint(1, 3)):
        same = n == 0 or rng.random() < 0.5
        shape = sizes if same else [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
        arrays.append({"name": f"x{n}", "dtype": rng.choice(DTYPES), "shape": shape, "role": "in",
                       "layout": rng.choice(layout)})  # fmt: skip
    for n in range(rng.randint(1, 2)):
        arrays.append({"name": f"y{n}", "dtype": rng.choice(DTYPES), "shape": sizes, "role": "out",
                       "layout": rng.choice(layout)})  # fmt: skip
    if rng.random() < 0.4:
        arrays.append({"name": "t0", "dtype": rng.choice(("int32", "int64", "uint32", "uint64")),
                       "shape": [rng.randint(1, 5)], "role": "atomic", "layout": "C",
                       "operation": rng.choice(ATOMICS)})  # fmt: skip
    return arrays


def _content(rng: np.random.Generator, dtype: str, shape: list[int]) -> np.ndarray:
    kind = np.dtype(dtype)
    if kind.kind == "b":
        return rng.random(shape) < 0.5
    if kind.kind in "iu":
        info = np.iinfo(kind)
        ends = np.array([info.min, info.max, 0, 1, 7, info.max // 2], kind)
        small = rng.integers(max(info.min, -20), 20, shape).astype(kind)
        return np.where(rng.random(shape) < 0.2, rng.choice(ends, shape), small)
    odd = rng.choice([0.0, -0.0, np.inf, -np.inf, np.nan, 1e30, 1e-30], shape)
    content = np.where(rng.random(shape) < 0.1, odd, rng.normal(size=shape) * 4)
    with np.errstate(all="ignore"):
        if kind.kind == "c":
            return (content + 1j * np.round(rng.normal(size=shape) * 4)).astype(kind)
        return content.astype(kind)


def _laid_out(array: Any, layout: str) -> Any:
    """The view, of the array's own shape, of an array of the shape _stored_shape()."""
    if layout == "reversed":
        return array[::-1]
    if layout == "stepped":
        return array[..., ::2]
    return array.T if layout == "transposed" else array


def _stored_shape(shape: list[int], layout: str) -> list[int]:
    if layout == "stepped":
        return [*shape[:-1], 2 * shape[-1]]
    return shape[::-1] if layout == "transposed" else shape


def _load(source: str, seed: int) -> Any:
    name = f"<fuzz kernel {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(f"fuzz_{seed}", None))
    exec(compile(source, name, "exec"), module.__dict__)
    return module


def run(program: Program, device: str) -> None:
    rng = np.random.default_rng(program["seed"])
    queue = ht.Queue(device)
    stored = [_content(rng, a["dtype"], _stored_shape(a["shape"], a["layout"]))
              for a in program["arrays"]]  # fmt: skip
    scalars = [np.dtype(s["dtype"]).type(s["value"]).item() for s in program["scalars"]]
    expected = [host.copy() for host in stored]
    given = [ht.asarray(host, queue=queue) for host in stored]
    layouts = [a["layout"] for a in program["arrays"]]
    numbers = [s if isinstance(s, int) else np.float64(s) for s in scalars]
    try:
        run_reference(program, [*map(_laid_out, expected, layouts), *numbers])
    except Undefined:
        return
    kernel = _load(Text(program).source(), program["seed"]).kernel
    sizes, local = program["global"], program["local"]
    span = ht.Range(*sizes) if local is None else ht.NdRange(tuple(sizes), tuple(local))
    for launch in range(2):  # for the second, the cost of the kernel is known
        arrays = given if launch == 0 else [ht.asarray(host, queue=queue) for host in stored]
        kernel[span](*map(_laid_out, arrays, layouts), *scalars)
        for array, found, wanted in zip(program["arrays"], arrays, expected, strict=True):
            _compare(program, array["name"], ht.asnumpy(found), wanted)


def _compare(program: Program, name: str, found: np.ndarray, wanted: np.ndarray) -> None:
    parts = [(found, wanted)]
    if found.dtype.kind == "c":
        parts = [(found.real, wanted.real), (found.imag, wanted.imag)]
    for a, b in parts:
        same = (a == b) & (np.signbit(a) == np.signbit(b)) | (a != a) & (b != b)
        if a.dtype.kind in "biu":
            same = a == b
        if not same.all():
            raise Difference(
                f"{name} differs at {np.argwhere(~same)[0].tolist()}:\n{found}\n{wanted}\n"
                f"{Text(program).source()}"
            )


def shrink(program: Program) -> Iterator[Program]:
    for body in smaller_bodies(program["body"]):
        yield changed(program, body=body)
    if program["local"] is None:
        for d, n in enumerate(program["global"]):
            for less in {1, n // 2, n - 1} - {0, n}:
                yield _with_extent(program, d, less)
    for n, array in enumerate(program["arrays"]):
        if array["layout"] != "C":
            arrays = program["arrays"]
            yield changed(program, arrays=[*arrays[:n], {**array, "layout": "C"}, *arrays[n + 1 :]])


def _with_extent(program: Program, dimension: int, extent: int) -> Program:
    """Changes the range and the outputs. The inputs keep their shapes, which bound the indices."""
    made = changed(program)
    made["global"][dimension] = extent
    for array in made["arrays"]:
        if array["role"] == "out":
            array["shape"][dimension] = extent
    return made


def features(program: Program) -> Iterable[str]:
    yield f"{len(program['global'])} dimensions"
    for array in program["arrays"]:
        yield f"{array['role']}:{array['dtype']}"
        yield f"layout:{array['layout']}"
    parts: list = [program["body"], program["functions"]]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            parts += part.values()
        elif isinstance(part, list) and part:
            if part[0] in ("op", "one"):
                yield f"{part[2]}:{part[1]}"
            elif isinstance(part[0], str) and part[0] in _STATEMENTS and part[1:2] != ["bool"]:
                yield f"statement:{part[0]}"
            parts += part


__all__ = ["DEVICES", "FEATURES", "TYPE_OF", "features", "make", "run", "shrink"]
