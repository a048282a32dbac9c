"""What a step of the demonstration is given and what it hands back."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import hither as ht

from .measurement import Check, Timing


@dataclass(frozen=True)
class Setting:
    """What every step works with."""

    queue: ht.Queue
    photograph: np.ndarray
    """(height, width, 3) uint8, sRGB."""
    options: int
    """How many options to price."""
    seconds: float
    """About how long a step may be timed."""


@dataclass(frozen=True)
class StepResult:
    """What a step computed, how it compares with NumPy, and where it ran."""

    title: str
    device: ht.Device
    """Where the result says that it is, not where it was meant to be."""
    ours: Timing
    numpy: Timing
    checks: list[Check]
    pictures: dict[str, np.ndarray] = field(default_factory=dict)
    """Name to (height, width) or (height, width, 3) uint8."""
    note: str = ""
    """One line for the figure: what the times are of."""

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)
