"""The table of results."""

from __future__ import annotations

from .._tools.benchmark import duration
from .measurement import Check
from .step import StepResult

HEADERS = ("step", "device", "first call", "hither", "NumPy", "NumPy/hither", "check")


def verdict(check: Check) -> str:
    relation = "<=" if check.holds else "> !"
    return f"{check.what} off by {check.error:.1e} {relation} {check.tolerance:g}"


def table(results: list[StepResult]) -> str:
    """The results in aligned columns, one row per step. Further checks have separate rows."""
    rows = [HEADERS]
    for number, result in enumerate(results, 1):
        first, *further = [verdict(check) for check in result.checks]
        rows.append(
            (
                f"{number} {result.title}",
                result.device.filter_string,
                duration(result.hither.first),
                duration(result.hither.best),
                duration(result.numpy.best),
                f"{result.numpy.best / result.hither.best:.1f}",
                first,
            )
        )
        rows += [("", "", "", "", "", "", text) for text in further]
    widths = [max(len(row[c]) for row in rows) for c in range(len(HEADERS))]
    left = {0, 1, len(HEADERS) - 1}
    lines = [
        "  ".join(
            cell.ljust(width) if c in left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
