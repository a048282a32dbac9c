"""Draws docs/_static/bars.svg, the measured bars of the site's first page, from the measurements.

`bars.py` reads the tables of docs/measurements and writes the picture; `bars.py --check` fails if
the file differs.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from made_file import write_or_check

DOCS = Path(__file__).resolve().parent.parent / "docs"
PICTURE = DOCS / "_static" / "bars.svg"
WIDTH, LABELS, ROW, BAR = 760, 310, 26, 16
LONGEST = 1.1  # the ratio at the right edge
STYLE = """
text { font: 13px sans-serif; fill: #333; } .title { font-weight: bold; }
.bar { fill: #2a6fbb; } .one { stroke: #c33; stroke-dasharray: 4 3; }
@media (prefers-color-scheme: dark) { text { fill: #ddd; } .bar { fill: #5b9bd5; } }
"""


class Panel(NamedTuple):
    """Bars of one table: the page, the heading that is before the table, and the column."""

    title: str
    page: str
    heading: str
    column: str


PANELS = (
    Panel("Kernels on an H200: time relative to numba-cuda", "gpu_kernels",
          "# User kernels", "relative to numba-cuda"),
    Panel("Loops on two cores: time relative to Numba's parallel=True", "cpu_device",
          "## Strips", "with"),
)  # fmt: skip


def rows_of(panel: Panel) -> list[tuple[str, float]]:
    """Labels and ratios. Of a range such as "0.5 to 0.9", the larger one."""
    text = (DOCS / "measurements" / f"{panel.page}.md").read_text()
    after = text[text.index(panel.heading) :].split("\n|", 1)[1]
    lines = after.split("\n\n")[0].split("\n")
    table = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    column = table[0].index(panel.column)
    return [(row[0], float(row[column].rpartition(" to ")[2])) for row in table[2:]]


def bar(label: str, ratio: float, y: int) -> str:
    scale = (WIDTH - LABELS - 60) / LONGEST
    length = ratio * scale
    return (
        f'<text x="{LABELS - 10}" y="{y + 13}" text-anchor="end">{escape(label)}</text>\n'
        f'<rect class="bar" x="{LABELS}" y="{y}" width="{length:.1f}" height="{BAR}"/>\n'
        f'<text x="{LABELS + length + 6:.1f}" y="{y + 13}">{ratio:.2f}</text>\n'
    )


def panel_text(panel: Panel, top: int) -> tuple[str, int]:
    """The panel from this height on, and the height at which it ends."""
    rows = rows_of(panel)
    end = top + 34 + ROW * len(rows)
    one = LABELS + (WIDTH - LABELS - 60) / LONGEST
    bars = "".join(bar(*row, top + 34 + ROW * i) for i, row in enumerate(rows))
    text = (
        f'<text class="title" x="10" y="{top + 18}">{escape(panel.title)}</text>\n'
        f'<line class="one" x1="{one:.1f}" y1="{top + 28}" x2="{one:.1f}" y2="{end}"/>\n{bars}'
    )
    return text, end + 10


def picture() -> str:
    parts, height = [], 0
    for panel in PANELS:
        text, height = panel_text(panel, height)
        parts.append(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img">\n'
        f"<title>Measured times; shorter is faster</title>\n<style>{STYLE}</style>\n"
        f"{''.join(parts)}</svg>\n"
    )


if __name__ == "__main__":
    sys.exit(write_or_check(PICTURE, picture()))
