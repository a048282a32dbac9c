"""The state of the current compilation of an offloaded function."""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from .report import ParforReport


@dataclass(frozen=True)
class Compilation:
    """The compilation of one version of a function, by Numba's passes or from its cache."""

    version: Any  # the OffloadDispatcher
    queue: Any  # the queue of the call; None outside contexts
    single_task: bool  # one work-item runs all iterations of a region
    reports: list[ParforReport] = field(default_factory=list)


current: ContextVar[Compilation | None] = ContextVar("hither.compilation", default=None)
# Whether host code is being lowered. Numba then compiles the bodies of loops for its threads.
lowering: ContextVar[bool] = ContextVar("hither.lowering", default=False)


def note(report: ParforReport) -> None:
    """Records a region. Numba also calls it when it loads the function from its cache."""
    compilation = current.get()
    if compilation is not None and report not in compilation.reports:
        compilation.reports.append(report)
