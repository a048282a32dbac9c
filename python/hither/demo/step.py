"""The input and the result of a step of the demonstration."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

import hither as ht

from .measurement import Check, Timing


@dataclass(frozen=True)
class Setting:
    """The input of every step."""

    queue: ht.Queue
    photograph: np.ndarray
    """(height, width, 3) uint8, sRGB."""
    options: int
    """Number of options to price."""
    seconds: float
    """Approximate time for measuring a step."""


@dataclass(frozen=True)
class StepResult:
    """The result of a step, its comparison with NumPy, and its device."""

    title: str
    device: ht.Device
    """The device that the result reports, not the requested one."""
    hither: Timing
    numpy: Timing
    checks: list[Check]
    pictures: dict[str, np.ndarray] = field(default_factory=dict)
    """Maps a name to (height, width) or (height, width, 3) uint8."""
    note: str = ""
    """One line for the figure that describes the computation."""

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks)
