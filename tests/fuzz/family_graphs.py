"""Random programs of array operations, run lazily, eagerly and by NumPy."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import hither as ht
import hither.numpy as xnp
from hither import _hither

from .difference import Difference
from .graph_compiled import CompiledProgram, Unrecordable
from .graph_maker import BINARY, DTYPES, REDUCTIONS, UNARY, Maker
from .graph_model import REAL_ONLY, Model, Output
from .graph_numpy import REFERENCE
from .graph_program import PRELUDE, Program, canonical, constants
from .graph_shrink import smaller


def _possible() -> Iterator[str]:
    """Each operation with each dtype that it takes."""
    for f in UNARY + BINARY + REDUCTIONS:
        for dtype in DTYPES:
            operands = [np.zeros(1, dtype)] * (2 if f in BINARY else 1)
            if operands[0].dtype.kind == "c" and f in REAL_ONLY:
                continue
            try:
                with np.errstate(all="ignore"):
                    getattr(REFERENCE, f)(*operands)
            except TypeError:
                continue
            yield f"{f}:{dtype}"


FEATURES = frozenset(_possible()) | frozenset(
    "where clip cast view permute_dims reshape broadcast_to matmul vecdot tensordot cumulative_sum "
    "cumulative_prod diff take index take_along_axis mask nonzero searchsorted sort argsort "
    "unique_values concat stack roll pad repeat tile add_to assign assign_mask assign_at drop "
    "evaluate synchronize show keep read_by_threads explain loop".split()
)  # fmt: skip
_set_eager = getattr(_hither, "_set_eager")  # noqa: B009 - the stubs do not have it


def make(rng: random.Random, device: str) -> Program:
    return Maker(rng).make()


class _Run:
    """Runs a program's statements on a device and keeps the values that they read."""

    def __init__(self, program: Program, device: str, eager: bool) -> None:
        self.program = program
        self.device = device
        self.eager = eager
        self.read: list[np.ndarray] = []
        self.kept: list[Any] = []

    def _names(self) -> dict[str, Any]:
        return {**constants(self.program), "xp": ht, "xnp": xnp, "evaluate": ht.evaluate,
                "synchronize": ht.synchronize, "explain": ht.explain}  # fmt: skip

    def _readers(self) -> dict[str, Any]:
        return {"show": self._show, "keep": self._keep, "read_by_threads": self._read_by_threads}

    def run(self, statements: list[str]) -> list[np.ndarray]:
        names = {**self._names(), **self._readers()}
        before = _set_eager(self.eager)
        try:
            with ht.device_context(self.device):
                for number, text in enumerate(statements):
                    try:
                        exec(text, names)
                    except Exception as error:
                        raise Difference(
                            f"{self.mode()}, statement {number} raises {type(error).__name__}, "
                            f"but NumPy runs it: {error}\n{text}"
                        ) from error
            for export in self.kept:
                self.read.append(np.array(export if _on_host(self.device) else ht.asnumpy(export)))
        finally:
            _set_eager(before)
        return self.read

    def run_compiled(self, statements: list[str]) -> list[np.ndarray] | None:
        """The same in compiled functions; None if a statement in them reads elements."""
        program = CompiledProgram(self._names(), self._readers())
        try:
            with ht.device_context(self.device):
                program.run(statements)
        except Unrecordable:
            return None
        except Exception as error:
            raise Difference(f"compiled, it raises {type(error).__name__}: {error}") from error
        for export in self.kept:
            self.read.append(np.array(export if _on_host(self.device) else ht.asnumpy(export)))
        return self.read

    def mode(self) -> str:
        return "eagerly" if self.eager else "lazily"

    def _show(self, x: ht.Array, way: str) -> None:
        if way == "dlpack" and _on_host(self.device):
            self.read.append(np.from_dlpack(x).copy())
        elif way == "tolist" and x.size < 1000:
            self.read.append(np.array(x.tolist(), x.dtype).reshape(x.shape))
        elif way == "asarray" and _on_host(self.device):
            self.read.append(np.array(np.asarray(x)))
        else:
            self.read.append(ht.asnumpy(x))

    def _keep(self, x: ht.Array) -> None:
        """Keeps an export of x, which has to show later writes."""
        self.kept.append(np.from_dlpack(x) if _on_host(self.device) else x)

    def _read_by_threads(self, *arrays: ht.Array) -> None:
        found: list[Any] = [None] * len(arrays)

        def read(n: int) -> None:
            _set_eager(self.eager)
            try:
                found[n] = ht.asnumpy(arrays[n])
            except Exception as error:
                found[n] = error

        threads = [threading.Thread(target=read, args=(n,)) for n in range(len(arrays))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for one in found:
            if isinstance(one, Exception):
                raise one
        self.read += found


def _on_host(device: str) -> bool:
    return device.startswith("native_cpu")


_last: list[tuple[Program, Model]] = []  # features() and run() get the same program


def _model_of(program: Program) -> Model:
    if not _last or _last[0][0] is not program:
        model = Model(program)
        model.run(program)
        _last[:] = [(program, model)]
    return _last[0][1]


def run(program: Program, device: str) -> None:
    model = _model_of(program)
    lazily = _Run(program, device, False).run(model.statements)
    eagerly = _Run(program, device, True).run(model.statements)
    compiled = _Run(program, device, False).run_compiled(model.statements)
    if not len(lazily) == len(eagerly) == len(model.outputs):
        raise Difference(f"{len(lazily)}, {len(eagerly)}, {len(model.outputs)} results")
    for output, lazy, value in zip(model.outputs, lazily, compiled or [], strict=False):
        _compare_with_numpy("compiled", output, value)
        _compare_modes(output, lazy, value, "compiled")
    for output, lazy, eager in zip(model.outputs, lazily, eagerly, strict=True):
        _compare_with_numpy("lazily", output, lazy)
        _compare_with_numpy("eagerly", output, eager)
        _compare_modes(output, lazy, eager)


def _compare_with_numpy(mode: str, output: Output, found: np.ndarray) -> None:
    value = output.value
    if found.dtype != value.dtype or found.shape != value.shape:
        raise Difference(f"{output.where}, {mode}: {found.dtype} {found.shape}, NumPy has "
                         f"{value.dtype} {value.shape}")  # fmt: skip
    if output.error == np.inf:
        return
    with np.errstate(all="ignore"):
        same = (found == value) | (_is_nan(found) & _is_nan(value))
        if output.error > 0:
            same |= np.abs(_wide(found) - _wide(value)) <= output.error
    if not same.all():
        at = tuple(int(i) for i in np.argwhere(~same)[0])
        raise Difference(
            f"{output.where}, {mode}, {(~same).sum()} of {same.size} elements differ from NumPy's, "
            f"the first at {at}: {found[at]!r}, NumPy has {value[at]!r}; allowed {output.error:.3g}"
        )


def _compare_modes(
    output: Output, lazy: np.ndarray, eager: np.ndarray, mode: str = "eagerly"
) -> None:
    if output.product or canonical(lazy) == canonical(eager):
        return  # matrix products may round differently; both were compared with NumPy's
    bits = [np.frombuffer(canonical(x), np.uint8).reshape(-1, x.itemsize) for x in (lazy, eager)]
    at = int(np.argwhere((bits[0] != bits[1]).any(axis=1))[0][0])
    raise Difference(f"{output.where}: element {at} is {lazy.reshape(-1)[at]!r} lazily, "
                     f"{eager.reshape(-1)[at]!r} {mode}")  # fmt: skip


def _is_nan(x: np.ndarray) -> Any:
    return np.isnan(x) if x.dtype.kind in "fc" else np.zeros(x.shape, bool)


def _wide(x: np.ndarray) -> np.ndarray:
    return x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)


def shrink(program: Program) -> Iterator[Program]:
    yield from smaller(program)


def features(program: Program) -> Iterable[str]:
    found = {"loop"} if any("body" in step for step in program["steps"]) else set()
    return found | _model_of(program).seen


def source(program: Program) -> str:
    """The program as Python source for people: the statements that hither runs."""
    model = Model(program)
    model.run(program)
    sizes = "\n".join(f"{name} = {value}" for name, value in program["dims"].items())
    functions = "show = lambda x, way: print(xp.asnumpy(x))\nkeep = np.from_dlpack\n"
    return "\n".join([PRELUDE, functions + sizes, *model.statements])
