"""The tables of runs, and the main program of benches that compare several devices."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import Any

from timing import HITHER, LIMIT, Effort, Row, duration

CONTESTANTS = (HITHER, "NumPy", "numexpr", "Numba", LIMIT)
HEADERS = ("case", *CONTESTANTS, "/NumPy", "/best", "/C++", "budget", "", "others (hither's ratio)")
LEFT = (0, len(HEADERS) - 3, len(HEADERS) - 1)  # columns of text

ROW_HEADERS = ("row", "class", "dtype", "sizes", "hither", "/best", "budget", "", "peers")
ROW_LEFT = (0, 1, 2, 3, 6, 7, 8)


def ratio(seconds: float | None, other: float | None) -> str:
    if not seconds or not other:
        return ""
    return f"{seconds / other:.2f}"


def verdict(row: Row) -> str:
    """Whether the budget holds; empty without a budget."""
    if HITHER in row.wrong:
        return "WRONG"
    if row.budget is None:
        return ""
    reference = row.budget.reference(row.times)
    if reference is None or HITHER not in row.times:
        return "?"
    return "ok" if row.times[HITHER] <= row.budget.at_most * reference else "MISS"


def cells(row: Row) -> tuple[str, ...]:
    def time_of(name: str) -> str:
        if name in row.wrong:
            return "wrong"
        return duration(row.times[name]) if name in row.times else ""

    hither = row.times.get(HITHER)
    others = [
        f"{name} {duration(t)} ({ratio(hither, t)})"
        for name, t in row.times.items()
        if name not in CONTESTANTS
    ]
    peers = [t for name, t in row.times.items() if name not in (HITHER, LIMIT)]
    return (
        row.case,
        *(time_of(name) for name in CONTESTANTS),
        ratio(hither, row.times.get("NumPy")),
        ratio(hither, min(peers, default=None)),
        ratio(hither, row.times.get(LIMIT)),
        str(row.budget) if row.budget else "",
        verdict(row),
        ", ".join(others),
    )


def render(groups: dict[str, list[Row]]) -> str:
    """Rows grouped by bench, in aligned columns."""
    lines = {name: [cells(row) for row in rows] for name, rows in groups.items()}
    everything = [HEADERS, *(line for rows in lines.values() for line in rows)]
    lined = aligned(everything, LEFT)
    text = [next(lined)]
    for name, rows in lines.items():
        text += [f"-- {name}", *(next(lined) for _ in rows)]
    return "\n".join(text)


def aligned(lines: list[tuple[str, ...]], left: tuple[int, ...]) -> Iterator[str]:
    """The lines with their cells in columns; those of `left` begin at the same place."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        yield "  ".join(
            cell.ljust(width) if c in left else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()


def cells_of_row(row: Any) -> tuple[str, ...]:
    """Of one row of rows.py: its own time, the best peer's, the ratio, and all peers."""
    spec, own = row.spec, row.times.get(HITHER)
    peers = sorted((t, name) for name, t in row.times.items() if name != HITHER)
    excess = row.excess
    return (
        spec.name,
        spec.device_class,
        spec.dtype,
        " x ".join(map(str, spec.sizes)),
        duration(own) if own else "",
        f"{row.ratio:.2f}" if row.ratio else "",
        ", ".join(map(str, spec.budgets)),
        "" if excess is None else "ok" if excess <= 1 else f"MISS {excess:.2f}",
        ", ".join([*(f"{name} {duration(t)}" for t, name in peers), *filter(None, [row.note])]),
    )


def render_rows(rows: list[Any]) -> str:
    """The rows of rows.def in aligned columns."""
    return "\n".join(aligned([ROW_HEADERS, *map(cells_of_row, rows)], ROW_LEFT))


def compare_devices(
    name: str, about: str, rows: Callable[[list[str], Effort, float], list[Row]], scale: float
) -> int:
    """The main program of a bench that compares several devices with the first one."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("devices", nargs="+", metavar="DEVICE")
    parser.add_argument("--scale", type=type(scale), default=scale, help="divides the extents")
    parser.add_argument("--seconds", type=float, default=2.0)
    given = parser.parse_args()
    print(render({name: rows(given.devices, Effort(given.seconds), given.scale)}))
    return 0
