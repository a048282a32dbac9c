"""The rows of rows.def, and what their programs make of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from batches import Contestant
from timing import Budget

import hither as ht

TABLE = Path(__file__).parent / "rows.def"
CLASSES = {  # of devices: the driver that they need
    "cpu16": "native_cpu",
    "cpu2-opencl": "native_cpu",
    "h200": "cuda",
}
COLUMNS = ("name", "program", "dtype", "sizes", "class", "peers", "budgets")


@dataclass(frozen=True)
class Spec:
    """One line of rows.def."""

    name: str
    program: str
    """A module of programs/ and its function, which takes the Spec and returns its Work."""
    dtype: str
    sizes: tuple[int, ...]
    device_class: str
    peers: tuple[str, ...]
    budgets: tuple[Budget, ...]
    device: ht.Device | None = None
    """Where it runs; None where no device of its class is here."""

    @property
    def queue(self) -> ht.Queue:
        assert self.device is not None
        return self.device.default_queue

    @property
    def on_gpu(self) -> bool:
        return CLASSES[self.device_class] == "cuda"

    def numbers(self, *shape: int, seed: int = 0) -> np.ndarray:
        """Numbers between 0 and 1 of its dtype."""
        return np.random.default_rng(seed).random(shape).astype(self.dtype)


@dataclass(frozen=True)
class Work:
    """What a row measures."""

    contestants: dict[str, Contestant]
    expected: Callable[[], Any] | None = None
    """NumPy's result, with which those of the contestants are compared."""
    tolerance: float = 1e-5
    until_done: bool = True
    """Whether the clock stops after the wait."""
    batched: bool = False
    """Whether calls are submitted in batches on CPUs too, with one wait."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Times that the program has measured itself."""
    longer_of: tuple[str, ...] = ()
    """Contestants of which the slowest is the peer `longer of both`."""


def number(text: str) -> int:
    """4M is 4 * 2**20, 4k is 4 * 2**10."""
    scale = {"k": 1 << 10, "M": 1 << 20}.get(text[-1], 1)
    return int(text.rstrip("kM")) * scale


def budget(text: str) -> Budget:
    """`1.0 Numba`: at most this many times as long. `30 ms`: at most this long."""
    value, _, against = text.partition(" ")
    if against == "ms":
        return Budget(float(value) * 1e-3, None)
    return Budget(float(value), against)


def read_row(line: str) -> Spec:
    cells = [cell.strip() for cell in line.split("|")]
    if len(cells) != len(COLUMNS):
        raise ValueError(f"{TABLE.name}: {len(cells)} columns instead of {len(COLUMNS)}: {line}")
    name, program, dtype, sizes, device_class, peers, budgets = cells
    if device_class not in CLASSES:
        raise ValueError(f"{TABLE.name}: {name}: no class {device_class}; there are {set(CLASSES)}")
    return Spec(
        name, program, dtype, tuple(number(s) for s in sizes.split()), device_class,
        tuple(filter(None, (p.strip() for p in peers.split(",")))),
        tuple(budget(b.strip()) for b in budgets.split(",")),
    )  # fmt: skip


def read_rows() -> list[Spec]:
    lines = (line.strip() for line in TABLE.read_text().splitlines())
    return [read_row(line) for line in lines if line and not line.startswith("#")]
