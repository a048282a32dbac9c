"""Kernels with work-groups, compared with the same kernels in OpenCL C: rows of rows.def."""

from __future__ import annotations

from dataclasses import replace

from row_specs import read_rows
from rows import device_of, measure
from timing import Effort, Row

MODULE = "group_kernels."


def rows(effort: Effort) -> list[Row]:
    """Those whose device is here."""
    found = []
    for spec in read_rows():
        if spec.program.startswith(MODULE) and not spec.on_gpu and (device := device_of(spec)):
            measured = measure(replace(spec, device=device), effort)
            found.append(Row(spec.name, measured.times, spec.budgets[0], measured.wrong))
    return found
