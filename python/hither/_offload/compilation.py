"""What the parts of a compilation know of the call that needs it."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from .report import ParforReport


@dataclass(frozen=True)
class Compilation:
    """Of one version of a function: from Numba's passes, or from its cache."""

    version: Any  # the OffloadDispatcher
    queue: Any  # of the call; None outside of contexts
    single_task: bool  # one work-item runs all iterations of a region
    reports: list[ParforReport] = field(default_factory=list)


current: ContextVar[Compilation | None] = ContextVar("hither.compilation", default=None)


def note(report: ParforReport) -> None:
    """Remembers a region. Numba calls it again when it loads the function from its cache."""
    compilation = current.get()
    if compilation is not None and report not in compilation.reports:
        compilation.reports.append(report)
