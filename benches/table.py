"""The table of a run."""

from __future__ import annotations

from timing import HITHER, LIMIT, Row, duration

CONTESTANTS = (HITHER, "NumPy", "numexpr", "Numba", LIMIT)
HEADERS = ("case", *CONTESTANTS, "/NumPy", "/best", "/C++", "budget", "", "others (hither's ratio)")
LEFT = (0, len(HEADERS) - 3, len(HEADERS) - 1)  # columns of text


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
    widths = [max(len(line[c]) for line in everything) for c in range(len(HEADERS))]

    def aligned(line: tuple[str, ...]) -> str:
        return "  ".join(
            cell.ljust(width) if c in LEFT else cell.rjust(width)
            for c, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()

    text = [aligned(HEADERS)]
    for name, rows in lines.items():
        text += [f"-- {name}", *map(aligned, rows)]
    return "\n".join(text)
